"""The contact sheets of the best takes, as icons."""

from __future__ import annotations

import tempfile
from pathlib import Path

import bpy
import bpy.utils.previews


class TakePictures:
    """The pictures of the takes that were run last; Blender reads each file when it is first drawn."""

    def __init__(self) -> None:
        """Starts with no pictures."""
        self.known = bpy.utils.previews.new()
        self.folder: Path | None = None
        self._workshop: Path | None = None

    def new_folder(self) -> Path:
        """A new folder, which Blender deletes when it ends."""
        return Path(tempfile.mkdtemp(prefix="takes", dir=bpy.app.tempdir or None))

    def workshop(self) -> Path:
        """The folder of all that takes have come to while Blender runs: what is there is not made again."""
        if self._workshop is None or not self._workshop.is_dir():
            self._workshop = self.new_folder()
        return self._workshop

    def show(self, folder: Path) -> None:
        """Shows the pictures of a folder in place of the last ones."""
        self.folder = folder
        self.known.clear()

    def icon(self, seed: int) -> int:
        """The icon of a take's picture; 0 if there is none any more."""
        path = None if self.folder is None else self.folder / f"{seed}.png"
        if str(path) not in self.known:
            if path is None or not path.is_file():
                return 0
            self.known.load(str(path), str(path), "IMAGE")
        return int(self.known[str(path)].icon_id)
