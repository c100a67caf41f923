"""Checks that the image files a .blend refers to are pictures, before anything copies them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import bpy

from ...core.base.codec import SceneError
from ...core.base.files import read_bytes
from ...core.foreign.belongings import MOST_MODEL_BYTES, TILE_WORDS, picture_suffix, tile_name


def ensure_picture(image: bpy.types.Image) -> None:
    """Refuse a file that is no picture, whatever its name.

    Raises:
        SceneError: It is none, or cannot be read.
    """
    path = bpy.path.abspath(image.filepath, library=image.library)
    for word in TILE_WORDS if image.source == "TILED" else ():
        path = path.replace(word, tile_name(word, image.tiles[0].number))
    if not picture_suffix(read_bytes(path, MOST_MODEL_BYTES, "a picture", image.name)):
        raise SceneError("a file that is none", "a picture", file=image.name)


@contextmanager
def pictures_alone() -> Iterator[None]:
    """Clear image paths to files that are no pictures: exporters copy any file an image names."""
    before: list[tuple[bpy.types.Image, str]] = []
    for image in bpy.data.images:
        if image.source in ("FILE", "TILED", "SEQUENCE") and image.filepath and not image.packed_files:
            try:
                ensure_picture(image)
            except SceneError:
                before.append((image, image.filepath_raw))
                image.filepath_raw = ""
    try:
        yield
    finally:
        for image, path in before:
            image.filepath_raw = path
