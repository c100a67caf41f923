"""A model of another maker as a copy that can be opened: in a folder of its own, with nothing beside it but its own."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from pathlib import Path

from .belongings import Belongings, Unpack, no_unpacking
from .blend import examine_blend
from .fbx import examine_fbx
from .gltf import examine_gltf
from .wavefront import examine_wavefront

_EXAMINERS: Mapping[str, Callable[[Path, Path, Belongings], Path]] = {
    ".obj": examine_wavefront,
    ".glb": examine_gltf,
    ".gltf": examine_gltf,
    ".fbx": examine_fbx,
    ".blend": examine_blend,
}


def examined(
    path: str | os.PathLike[str], folder: str | os.PathLike[str], unzstd: Unpack = no_unpacking
) -> tuple[Path, Belongings]:
    """Copy the safe parts of a model into an empty folder.

    Args:
        path: Path of the model, whose ending gives its format.
        folder: Folder for the copy; nothing in the copy leads anywhere else.
        unzstd: Function that unpacks a .blend that was saved with Compress.

    Returns:
        The copy, and the pictures beside it.

    Raises:
        SceneError: If it cannot be read, is damaged, or says what cannot be.
    """
    belongings = Belongings(Path(path), Path(folder), unzstd)
    return _EXAMINERS[Path(path).suffix.lower()](Path(path), Path(folder), belongings), belongings
