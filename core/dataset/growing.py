"""Text files that grow while labels are read, so that no more than a part of one is in memory."""

from __future__ import annotations

import shutil
from pathlib import Path

PART_CHARACTERS = 1 << 20
"""Characters that are kept before they go to the disk."""


class GrowingText:
    """A text file in UTF-8 with the same line ends everywhere; it is there once `flush` was called.

    Attributes:
        path: Path of the file, in a folder that is made.
        size: Characters so far.
    """

    def __init__(self, path: Path) -> None:
        self.path, self.size = path, 0
        self._parts: list[str] = []
        self._waiting = 0
        path.parent.mkdir(parents=True, exist_ok=True)

    def add(self, text: str) -> None:
        """Adds text at the end."""
        self._parts.append(text)
        self.size += len(text)
        self._waiting += len(text)
        if self._waiting >= PART_CHARACTERS:
            self.flush()

    def flush(self) -> Path:
        """Writes what waits; returns the path."""
        with open(self.path, "a", encoding="utf-8", newline="\n") as stream:
            stream.writelines(self._parts)
        self._parts, self._waiting = [], 0
        return self.path

    def take_in(self, other: GrowingText) -> None:
        """Adds all of another file at the end, which goes."""
        with open(other.flush(), "rb") as source, open(self.flush(), "ab") as goal:
            shutil.copyfileobj(source, goal, PART_CHARACTERS)
        self.size += other.size
        other.path.unlink()
