"""Snake grids stored on Blender's images.

A grid is kept on its image as a property "artfish grid PART": a list of x and y, in pixels from the upper left corner,
row by row; its anchors as "artfish anchors PART", a list of row, column, x and y. So a saved file remembers them, with
the add-on or without it.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import bpy
import numpy as np

from ...core.base.codec import SceneError
from ...core.photo.grid_form import GRID_SHAPES, fin_grid
from ...core.photo.profile import side_profile
from ...core.photo.snake_grid import Elasticity, SnakeGrid
from ...core.scene.species import Species
from ..blender.colours import encoded
from ..blender.declarations import json_of
from ..blender.pixels import pixels_of
from ..species import library


def pixels(image: bpy.types.Image) -> np.ndarray:
    """An image's display pixels (h, w, channels) float32, top row first.

    Raises:
        SceneError: There are none, for example because the file is missing.
    """
    width, height = image.size
    if width * height == 0 or not image.has_data and not _loaded(image):
        raise SceneError("no pixels", "a picture that Blender can show", key=image.name)
    array = pixels_of(image)[::-1]
    if image.is_float and image.channels >= 3 and not image.colorspace_settings.is_data:
        array = array.copy()
        array[..., :3] = encoded(array[..., :3])
    return array


def _loaded(image: bpy.types.Image) -> bool:
    """True if an image has pixels; asking for them has Blender read its file."""
    return len(image.pixels) > 0  # type: ignore[arg-type]


def grid_of(image: bpy.types.Image, part: str) -> np.ndarray | None:
    """The grid (rows, columns, 2) on an image, None if there is none of this part."""
    values = image.get(f"artfish grid {part}")
    size = (*GRID_SHAPES[part], 2)
    return np.array(values, dtype=float).reshape(size) if values is not None and len(values) == np.prod(size) else None


def anchors_of(image: bpy.types.Image, part: str) -> list[tuple[int, int, float, float]]:
    """Anchors (row, column, x, y) of a grid."""
    rows = np.array(image.get(f"artfish anchors {part}", ()), dtype=float).reshape(-1, 4)
    return [(int(row), int(column), float(x), float(y)) for row, column, x, y in rows]


def keep(image: bpy.types.Image, grid: SnakeGrid) -> None:
    """Store a grid and its anchors on an image, and keep the image in the file."""
    image.use_fake_user = True
    image[f"artfish grid {grid.part}"] = [float(value) for value in grid.points.ravel()]
    anchors = [float(value) for node, place in grid.anchors.items() for value in (*node, *place)]
    if anchors:
        image[f"artfish anchors {grid.part}"] = anchors
    else:
        image.pop(f"artfish anchors {grid.part}", None)


def forget(image: bpy.types.Image, part: str) -> None:
    """Remove a grid and its anchors from an image."""
    for name in (f"artfish grid {part}", f"artfish anchors {part}"):
        image.pop(name, None)


def elasticity_of(image: bpy.types.Image) -> Elasticity:
    """The panel's settings of the contours."""
    return Elasticity(**json_of(image.artfish.elasticity))


def species_of(image: bpy.types.Image, scene: bpy.types.Scene) -> Species:
    """The species named in the panel, in the scene's edited version if there is one.

    Raises:
        SceneError: There is no such species, or its numbers are inconsistent.
    """
    name, models = image.artfish.species, library.models(scene)
    return models[name] if name in models else Species.load(name)


def begin(
    picture: np.ndarray,
    part: str,
    species: Species,
    elasticity: Elasticity,
    facing: str = "auto",
    anchors: list | tuple = (),
    body: np.ndarray | None = None,
) -> SnakeGrid:
    """A grid at the first guess; a fin's at its place on the body's grid. Needs no Blender.

    Raises:
        SceneError: There is no body's grid for a fin.
    """
    if part == "body":
        return SnakeGrid.over(picture, anchors, facing, species, elasticity)
    if body is None:
        raise SceneError("no grid of the body", "one that the fin can stand on", key=f"{part} fin")
    return SnakeGrid(picture, fin_grid(part, body, species), anchors, part, species, elasticity)


def save_profile(image: bpy.types.Image, scene: bpy.types.Scene, path: str) -> Species:
    """Write a picture's species, with the grid's outline as its side view, into a file of its own.

    Raises:
        SceneError: There is no grid of the body, a number is out of its range, or the file cannot be written.
    """
    body = grid_of(image, "body")
    if body is None:
        raise SceneError("no grid of the body", "one that shows the outline", key=image.name)
    stem = Path(path).stem
    common_name = stem.replace("_", " ").capitalize()
    shaped = replace(side_profile(species_of(image, scene), body), name=stem, common_name=common_name)
    shaped.save(path)
    return shaped
