"""Pixels of Blender's images as arrays."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager

import bpy
import numpy as np


def pixels_of(image: bpy.types.Image) -> np.ndarray:
    """The pixels of an image as Blender has them, (rows, columns, channels) float32, the bottom row first."""
    columns, rows = image.size
    found = np.empty(rows * columns * image.channels, np.float32)
    image.pixels.foreach_get(found)
    return found.reshape(rows, columns, image.channels)


@contextmanager
def loaded(path: str | os.PathLike[str]) -> Iterator[bpy.types.Image]:
    """The image of a file, which is in the open .blend for the duration of the block.

    Raises:
        RuntimeError: There is no such file.
    """
    image = bpy.data.images.load(os.fspath(path))
    try:
        yield image
    finally:
        bpy.data.images.remove(image)
