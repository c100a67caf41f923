"""The data a bake makes in a file, so that it can be removed again; what others make between its steps stays."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TypeVar

import bpy

from ..blender.blocks import ids, kinds
from ..blender.jobs import Steps
from . import cache_files, scene_settings

T = TypeVar("T")


class Footprint:
    """The data blocks made, and the scene's settings from before.

    Attributes:
        numbers: Numbers of the data blocks made, as in `ids`.
    """

    def __init__(self, scene: bpy.types.Scene) -> None:
        self.numbers: set[int] = set()
        self._scene, self._before = scene, scene_settings.values(scene)

    def follow(self, steps: Steps[T]) -> Steps[T]:
        """Run the steps, and note what each makes."""
        there, count = set(ids()), _count()
        try:
            while True:
                if _count() != count:
                    there = set(ids())
                try:
                    next(steps)
                except StopIteration as end:
                    made: T = end.value
                    return made
                finally:
                    here = set(ids())
                    self.numbers.update(here - there)
                    there, count = here, _count()
                yield
        finally:
            steps.close()

    @contextmanager
    def noting(self) -> Iterator[None]:
        """Note what is made within this block."""
        there = set(ids())
        try:
            yield
        finally:
            self.numbers.update(set(ids()) - there)

    def erase(self) -> None:
        """Remove what was made, with the files of caches, and restore the scene's changed settings."""
        made = [block for number, block in ids().items() if number in self.numbers]
        files = [cache_files.path_of(block) for block in made if isinstance(block, bpy.types.CacheFile)]
        bpy.data.batch_remove(made)
        for path in files:
            cache_files.discard(path)
        scene_settings.hand_back(self._scene, scene_settings.changes(self._before, scene_settings.values(self._scene)))


def _count() -> int:
    """The number of data blocks in this file."""
    return sum(len(getattr(bpy.data, kind)) for kind in kinds())
