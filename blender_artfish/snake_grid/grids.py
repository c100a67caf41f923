"""Snake grids on Blender's images: kept there, and what comes of them put on a species' materials.

A grid is kept on its image as a property "artfish grid PART": a list of x and y, in pixels from the upper left corner,
row by row; its anchors as "artfish anchors PART", a list of row, column, x and y. So a saved file remembers them, with
the add-on or without it.
"""

from __future__ import annotations

from pathlib import Path

import bpy
import numpy as np

from ...core.base.codec import SceneError
from ...core.photo.grid_form import GRID_SHAPES, fin_grid
from ...core.photo.profile import side_profile
from ...core.photo.snake_grid import Elasticity, SnakeGrid
from ...core.photo.texture import packed
from ...core.scene.species import Species
from ..blender.declarations import json_of
from ..fish import materials
from ..species import library

PHOTOGRAPH = "Artfish photograph"
"""Label of the nodes that put a picture on a material."""
WIDTH = 1024
"""Columns of the texture."""


def pixels(image: bpy.types.Image) -> np.ndarray:
    """An image's pixels (h, w, channels) float32, the first row the highest, as bright as they are shown.

    Raises:
        SceneError: There are none: the file is missing, say.
    """
    width, height = image.size
    if width * height == 0 or not image.has_data and not _loaded(image):
        raise SceneError("no pixels", "a picture that Blender can show", key=image.name)
    flat = np.empty(width * height * image.channels, dtype=np.float32)
    image.pixels.foreach_get(flat)
    held = flat.reshape(height, width, image.channels)[::-1]
    if image.is_float and image.channels >= 3 and image.colorspace_settings.name != "Non-Color":
        held = held.copy()
        held[..., :3] = _as_shown(held[..., :3])
    return held


def _loaded(image: bpy.types.Image) -> bool:
    """Blender reads an image's file when its pixels are first asked for."""
    return len(image.pixels) > 0  # type: ignore[arg-type]


def _as_shown(linear: np.ndarray) -> np.ndarray:
    """Linear light as sRGB, in which edges in the shade are edges too."""
    linear = np.maximum(np.nan_to_num(linear), 0.0)
    return np.where(linear <= 0.0031308, 12.92 * linear, 1.055 * linear ** (1 / 2.4) - 0.055)


def grid_of(image: bpy.types.Image, part: str) -> np.ndarray | None:
    """The grid (rows, columns, 2) that lies on an image, None if there is none of this part."""
    held = image.get(f"artfish grid {part}")
    size = (*GRID_SHAPES[part], 2)
    return np.array(held, dtype=float).reshape(size) if held is not None and len(held) == np.prod(size) else None


def anchors_of(image: bpy.types.Image, part: str) -> list[tuple[int, int, float, float]]:
    """Anchors (row, column, x, y) of a grid."""
    rows = np.array(image.get(f"artfish anchors {part}", ()), dtype=float).reshape(-1, 4)
    return [(int(row), int(column), float(x), float(y)) for row, column, x, y in rows]


def keep(image: bpy.types.Image, grid: SnakeGrid) -> None:
    """Keep a grid and its anchors on an image, and the image in the file."""
    image.use_fake_user = True
    image[f"artfish grid {grid.part}"] = [float(value) for value in grid.points.ravel()]
    anchors = [float(value) for node, place in grid.anchors.items() for value in (*node, *place)]
    if anchors:
        image[f"artfish anchors {grid.part}"] = anchors
    else:
        image.pop(f"artfish anchors {grid.part}", None)


def forget(image: bpy.types.Image, part: str) -> None:
    """Take a grid and its anchors off an image."""
    for name in (f"artfish grid {part}", f"artfish anchors {part}"):
        image.pop(name, None)


def elasticity_of(image: bpy.types.Image) -> Elasticity:
    """What the panel says about the contours."""
    return Elasticity(**json_of(image.artfish.elasticity))


def species_of(image: bpy.types.Image, scene: bpy.types.Scene) -> Species:
    """The species that the panel names, as it is edited in the scene if it is.

    Raises:
        SceneError: There is no such species, or some of its numbers do not go together.
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
    """A grid where the first guess says; a fin's where the species has it on the body's grid. Knows no Blender.

    Raises:
        SceneError: A fin has no body's grid to stand on.
    """
    if part == "body":
        return SnakeGrid.over(picture, anchors, facing, species, elasticity)
    if body is None:
        raise SceneError("no grid of the body", "one that the fin can stand on", key=f"{part} fin")
    return SnakeGrid(picture, fin_grid(part, body, species), anchors, part, species, elasticity)


def wear(image: bpy.types.Image, species: Species, scene: bpy.types.Scene) -> bpy.types.Image:
    """Put an image on the materials of a species, by the grids that lie on it.

    The texture is a packed image of its own, read by ordinary nodes: the file needs neither the add-on nor the
    photograph. Putting on another takes its place.

    Raises:
        SceneError: There is no grid on the image, or it has no pixels.
    """
    grids = {part: grid for part in GRID_SHAPES if (grid := grid_of(image, part)) is not None}
    if not grids:
        raise SceneError("no grid", "one of the body or a fin", key=image.name)
    worn = materials.species_materials(species, scene)
    texture, places = packed(pixels(image), grids, WIDTH)
    made = _texture(f"{species.name} photograph", texture)
    for part, place in places.items():
        _paint(worn["skin" if part == "body" else part], made, place)
    return made


def take_off(species: Species, scene: bpy.types.Scene) -> None:
    """Let the materials of a species show their own colours again."""
    for part, material in materials.there(species, scene).items():
        if part in ("skin", *materials.FIN_MATERIALS):
            _strip(material)


def _texture(name: str, texture: np.ndarray) -> bpy.types.Image:
    """A packed image; one of that name takes the new pixels."""
    height, width, _ = texture.shape
    image = bpy.data.images.get(name)
    if image is None or image.library is not None:
        image = bpy.data.images.new(name, width, height, alpha=True)
    elif tuple(image.size) != (width, height):
        image.scale(width, height)
    image.alpha_mode = "CHANNEL_PACKED"
    image.pixels.foreach_set(np.ascontiguousarray(texture[::-1], dtype=np.float32).ravel())
    image.update()
    image.pack()
    return image


def _paint(material: bpy.types.Material, image: bpy.types.Image, place: tuple[float, float, float, float]) -> None:
    """Let a material's colour come from a rectangle of an image: u downwards in it and v to the right."""
    _strip(material)
    tree = material.node_tree
    tint = next((n for n in tree.nodes if n.type == "GROUP" and n.node_tree and "tint" in n.node_tree.name), None)
    if tint is None:
        raise SceneError("no tint in its nodes", "a material as Artfish makes it", key=material.name)
    left, low, right, high = place
    socket = tint.inputs["Colour"]
    painted = socket.links[0].from_socket if socket.is_linked else None
    plain = tuple(socket.default_value)

    def node(kind: str, x: float, y: float) -> bpy.types.Node:
        made = tree.nodes.new(kind)
        made.label = PHOTOGRAPH
        made.location = (tint.location.x + x, tint.location.y + y)
        return made

    at, apart, joined = (
        node(f"ShaderNode{kind}", x, 400)
        for kind, x in (("TexCoord", -1100), ("SeparateXYZ", -920), ("CombineXYZ", -560))
    )
    along, down = node("ShaderNodeMath", -740, 500), node("ShaderNodeMath", -740, 320)
    for math, factor, offset in ((along, right - left, left), (down, low - high, high)):
        math.operation = "MULTIPLY_ADD"
        math.inputs[1].default_value, math.inputs[2].default_value = factor, offset
    photograph = node("ShaderNodeTexImage", -380, 400)
    photograph.image, photograph.extension = image, "EXTEND"
    share = node("ShaderNodeMix", -100, 300)
    share.data_type = "RGBA"
    factor, first, second = (
        next(s for s in share.inputs if s.identifier == name) for name in ("Factor_Float", "A_Color", "B_Color")
    )
    mixed = next(s for s in share.outputs if s.identifier == "Result_Color")
    for one, other in (
        (at.outputs["UV"], apart.inputs[0]),
        (apart.outputs["Y"], along.inputs[0]),
        (apart.outputs["X"], down.inputs[0]),
        (along.outputs[0], joined.inputs["X"]),
        (down.outputs[0], joined.inputs["Y"]),
        (joined.outputs[0], photograph.inputs["Vector"]),
        (photograph.outputs["Alpha"], factor),
        (photograph.outputs["Color"], second),
        (mixed, socket),
    ):
        tree.links.new(one, other)  # type: ignore[arg-type]
    if painted is None:
        first.default_value = plain
    else:
        tree.links.new(painted, first)


def _strip(material: bpy.types.Material) -> None:
    """Take a photograph off a material and lead its own colours through again."""
    tree = material.node_tree
    ours = [node for node in tree.nodes if node.label == PHOTOGRAPH]
    for node in ours:
        if node.bl_idname == "ShaderNodeMix":
            first = next(s for s in node.inputs if s.identifier == "A_Color")
            mixed = next(s for s in node.outputs if s.identifier == "Result_Color")
            for link in list(mixed.links):
                target = link.to_socket
                if first.is_linked:
                    tree.links.new(first.links[0].from_socket, target)
                else:
                    target.default_value = tuple(first.default_value)
    for node in ours:
        tree.nodes.remove(node)


def save_profile(image: bpy.types.Image, scene: bpy.types.Scene, path: str) -> Species:
    """Write the species of a picture, as the scene has it but with the grid's outline as side view, as its own file.

    Raises:
        SceneError: There is no grid of the body, a number is out of its range, or the file cannot be written.
    """
    body = grid_of(image, "body")
    if body is None:
        raise SceneError("no grid of the body", "one that shows the outline", key=image.name)
    from dataclasses import replace

    stem = Path(path).stem
    called = stem.replace("_", " ").capitalize()
    shaped = replace(side_profile(species_of(image, scene), body), name=stem, common_name=called)
    shaped.save(path)
    return shaped
