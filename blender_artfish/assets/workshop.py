"""The making of the asset library beside Blender: a second Blender without a window writes it, while one works on."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import bpy

from ..blender import runtime, second

LOOK_AGAIN_SECONDS = 0.5
"""Interval between two looks at how far it is."""
PROGRESS = "artfish-progress.json"
"""Name of a file, beside the assets while they are made, that says how far it is."""
LONE_PACKAGE = "artfish"
"""Name of the package in the second Blender, which loads it by its path and enables no extension."""
_CODE = """
import json, os
make = importlib.import_module(spec.name + ".blender_artfish.assets.making").make_library
def said(share, text):
    with open({progress!r} + ".part", "w") as file:
        json.dump([share, text], file)
    os.replace({progress!r} + ".part", {progress!r})
make({folder!r}, progress=said, **{options!r})
"""


class AssetWorkshop:
    """A library that is being made.

    Attributes:
        folder: Its folder.
        share: Share that is done, 0 to 1.
        text: What it is at.
        failed: Why the last one was not made; empty otherwise.
    """

    def __init__(self) -> None:
        """Nothing is made yet."""
        self.folder, self.share, self.text, self.failed = Path(), 0.0, "", ""
        self._process: subprocess.Popen[bytes] | None = None
        self._then: Callable[[Path], None] | None = None

    @property
    def busy(self) -> bool:
        """True while a library is being made."""
        return self._process is not None

    def begin(self, folder: Path, then: Callable[[Path], None], **options: object) -> None:
        """Begin to make a library.

        Args:
            folder: Its folder.
            then: Called with the folder once it is made.
            options: Arguments of `making.make_library`.

        Raises:
            OSError: The folder cannot be written, or no second Blender be started.
        """
        folder.mkdir(parents=True, exist_ok=True)
        self.folder, self.share, self.text, self.failed, self._then = folder, 0.0, "Beginning", "", then
        with open(self._log, "wb") as log:
            self._process = subprocess.Popen(command(folder, options), stdout=log, stderr=log, stdin=subprocess.DEVNULL)

    def look(self) -> bool:
        """Look how far it is; returns whether it is still being made."""
        if self._process is None:
            return False
        with suppress(OSError, ValueError):  # not there yet
            self.share, self.text = json.loads((self.folder / PROGRESS).read_text(encoding="utf-8"))
        code = self._process.poll()
        if code is None:
            return True
        said = self._log.read_text(encoding="utf-8", errors="replace").split("\n")
        self._end()
        if code:
            self.failed = next((line for line in reversed(said) if "Error" in line), "the second Blender ended early")
        elif self._then is not None:
            self._then(self.folder)
        return False

    def stop(self) -> None:
        """Give it up; files that are whole stay."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            self._end()

    def _end(self) -> None:
        self._process = None
        for path in (self.folder / PROGRESS, self._log):
            path.unlink(missing_ok=True)

    @property
    def _log(self) -> Path:
        return self.folder / "artfish-log.txt"


def command(folder: Path, options: dict[str, object]) -> list[str]:
    """The command that makes a library with the Blender that runs, or with the Python that bpy runs in."""
    code = _CODE.format(progress=str(folder / PROGRESS), folder=str(folder), options=options)
    return second.command(LONE_PACKAGE, code)


def tick() -> float | None:
    """Look how far it is, and have the preferences show that."""
    busy = runtime.of(AssetWorkshop).look()
    for window in bpy.context.window_manager.windows:
        for area in window.screen.areas:
            if area.type == "PREFERENCES":
                area.tag_redraw()
    return LOOK_AGAIN_SECONDS if busy else None
