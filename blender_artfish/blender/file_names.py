"""Names of files as a person typed them: an ending is added to them, and nothing is taken away."""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path

import bpy
from bpy_extras.io_utils import ExportHelper


def with_ending(path: str | Path, ending: str, others: Collection[str] = ()) -> Path:
    """A path that ends as files of a format do; a dot in a name, as in `sh010.v001`, begins no ending.

    Args:
        path: The path.
        ending: The ending, such as ".json".
        others: Endings of other formats of the same choice, one of which is replaced.
    """
    path = Path(path)
    if path.suffix.lower() == ending:
        return path
    return path.with_suffix(ending) if path.suffix.lower() in others else path.with_name(f"{path.name}{ending}")


class FileSaver(ExportHelper):
    """An operator that asks for a file's name in the File Browser, of which Blender itself would cut the last part."""

    def check(self, context: bpy.types.Context) -> bool:  # type: ignore[override]
        """Add a missing ending to a typed name; returns True if there was none."""
        before: str = self.filepath  # type: ignore[has-type]
        if Path(before).name:
            self.filepath = str(with_ending(before, self.filename_ext))
        return bool(self.filepath != before)

    @property
    def file(self) -> str:
        """The absolute path of the file, with its ending; "" if none is chosen."""
        path = bpy.path.abspath(self.filepath)
        return str(with_ending(path, self.filename_ext).absolute()) if Path(path).name else ""
