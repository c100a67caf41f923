"""Declared dataclasses that are JSON files of their own and have presets: read by a name or a path."""

from __future__ import annotations

import os
from typing import ClassVar, Self

from .codec import Place, decode, encode
from .files import preset_names, read_preset_or_file, write_json
from .formats import stamped, unstamped


class PresetFile:
    """A declared dataclass that is a file as a whole.

    Attributes:
        FOLDER: Folder of its presets.
        KIND: Its kind of file in `base.formats`.
    """

    FOLDER: ClassVar[str]
    KIND: ClassVar[str]

    @classmethod
    def names(cls) -> tuple[str, ...]:
        """The names of the presets, sorted."""
        return preset_names(cls.FOLDER)

    @classmethod
    def load(cls, name_or_path: str | os.PathLike[str]) -> Self:
        """Reads a preset by its name, or a file.

        Raises:
            SceneError: If the file cannot be read or anything in it is not as declared.
        """
        data, file = read_preset_or_file(cls.FOLDER, name_or_path)
        return decode(cls, unstamped(cls.KIND, data, file), Place(file))

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes it as JSON that `load` reads back to an equal one.

        Raises:
            SceneError: If the file cannot be written, or a value set in Python is not as declared.
        """
        data = encode(self)
        decode(type(self), data, Place(os.fspath(path)))
        write_json(path, stamped(self.KIND, data))
