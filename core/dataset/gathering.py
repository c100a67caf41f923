"""From the labels of a set to the files that others read, all of them whole or none at all.

Labels are read one picture after another, in the order of their names; so what is written does not depend on who made
them when, and a set of any size needs the memory of a few pictures.
"""

from __future__ import annotations

import os
import secrets
import shutil
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Protocol

from ..base.codec import SceneError, shown
from ..base.files import ensure_folder, reason
from ..base.stopping import shielded, unfinished
from .card import CardWriter
from .coco import CocoWriter
from .mot import MotWriter
from .page import PageWriter
from .plan import LABEL_FORMATS
from .reading import LabelledPicture, LabelledSet
from .yolo import YoloWriter


class LabelWriter(Protocol):
    """A writer of some files of a set."""

    def add(self, picture: LabelledPicture) -> None:
        """Adds a picture, after those before it by film, camera and frame."""

    def finish(self) -> None:
        """Writes what is still missing."""


WRITERS: dict[str, Callable[[Path, LabelledSet], LabelWriter]] = {
    "coco": CocoWriter,
    "mot": MotWriter,
    "yolo": YoloWriter,
}
"""The writer of each of `LABEL_FORMATS`."""


def gather(folder: str | os.PathLike[str], formats: Sequence[str] = LABEL_FORMATS) -> LabelledSet:
    """Writes the files of a data set that are made of its labels: those of formats, the page and the data card.

    Args:
        folder: Folder of the set, with `dataset.json` and everything that is labelled.
        formats: Some of `LABEL_FORMATS`; the page and the card are always made.

    Returns:
        The set.

    Raises:
        SceneError: A format is none of those; labels or pictures are missing or damaged; or a file cannot be written.
            Then the folder is as it was.
    """
    for name in formats:
        if name not in LABEL_FORMATS:
            raise SceneError(shown(name), f"some of {', '.join(LABEL_FORMATS)}", key="--format")
    of = LabelledSet.read(folder)
    with staging(of.folder) as stage:
        writers: list[LabelWriter] = [WRITERS[name](stage, of) for name in LABEL_FORMATS if name in formats]
        writers += [PageWriter(stage, of), CardWriter(stage, of, formats)]
        for picture in of.pictures():
            for writer in writers:
                writer.add(picture)
        for writer in writers:
            writer.finish()
    return of


@contextmanager
def staging(folder: Path) -> Iterator[Path]:
    """A new folder whose content moves into this one at the end, in place of what is there by the same names.

    If the block or the move fails, everything is as it was.

    Raises:
        SceneError: Something cannot be written.
    """
    ensure_folder(folder)
    stage = folder / f".artfish-{os.getpid()}-{secrets.token_hex(4)}"
    made, old = stage / "made", stage / "old"
    unfinished.add(stage)
    try:
        for part in (made, old):
            part.mkdir(parents=True)
        yield made
        with shielded():
            _swap(made, old, folder)
    except OSError as error:
        found = error.filename or folder
        raise SceneError(reason(error), "a file in this folder that can be written", file=found) from error
    finally:
        shutil.rmtree(stage, ignore_errors=True)
        unfinished.discard(stage)


def _swap(made: Path, old: Path, folder: Path) -> None:
    """Move what was made into a folder, and what it replaces out of it; back again if one move fails."""
    moved: list[tuple[Path, Path]] = []
    try:
        for path in sorted(made.iterdir()):
            goal = folder / path.name
            if os.path.lexists(goal):
                os.replace(goal, old / path.name)
                moved.append((old / path.name, goal))
            os.replace(path, goal)
            moved.append((goal, path))
    except OSError:
        for there, before in reversed(moved):
            with suppress(OSError):
                os.replace(there, before)
        raise
