"""A picture on the materials of a species, mapped by its grids: a packed texture and nodes that read it."""

from __future__ import annotations

import bpy
import numpy as np

from ...core.base.codec import SceneError
from ...core.photo.grid_form import GRID_SHAPES
from ...core.photo.texture import packed
from ...core.scene.species import Species
from ..fish import materials
from .grids import grid_of, pixels

PHOTOGRAPH_LABEL = "Artfish photograph"
"""Label of the nodes that put a picture on a material."""

TEXTURE_COLUMNS = 1024
"""Columns of the texture."""


def wear(image: bpy.types.Image, species: Species, scene: bpy.types.Scene) -> bpy.types.Image:
    """Put an image on the materials of a species, mapped by its grids.

    The texture is a packed image of its own, read by ordinary nodes: the file needs neither the add-on nor the
    photograph. Another image replaces it.

    Raises:
        SceneError: There is no grid on the image, or it has no pixels.
    """
    grids = {part: grid for part in GRID_SHAPES if (grid := grid_of(image, part)) is not None}
    if not grids:
        raise SceneError("no grid", "one of the body or a fin", key=image.name)
    worn = materials.species_materials(species, scene)
    texture, places = packed(pixels(image), grids, TEXTURE_COLUMNS)
    made = _texture(f"{species.name} photograph", texture)
    for part, place in places.items():
        _paint(worn["skin" if part == "body" else part], made, place)
    return made


def take_off(species: Species, scene: bpy.types.Scene) -> None:
    """Restore the own colours of a species' materials."""
    for part, material in materials.existing(species, scene).items():
        if part in ("skin", *materials.FIN_MATERIALS):
            _strip(material)


def _texture(name: str, texture: np.ndarray) -> bpy.types.Image:
    """A packed image; an existing one of that name gets the new pixels."""
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
    """Link a material's colour to a rectangle of an image: u downwards in it and v to the right."""
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
        made.label = PHOTOGRAPH_LABEL
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
    by_name = {socket.identifier: socket for socket in share.inputs}
    amount, first, second = by_name["Factor_Float"], by_name["A_Color"], by_name["B_Color"]
    mixed = next(s for s in share.outputs if s.identifier == "Result_Color")
    for one, other in (
        (at.outputs["UV"], apart.inputs[0]),
        (apart.outputs["Y"], along.inputs[0]),
        (apart.outputs["X"], down.inputs[0]),
        (along.outputs[0], joined.inputs["X"]),
        (down.outputs[0], joined.inputs["Y"]),
        (joined.outputs[0], photograph.inputs["Vector"]),
        (photograph.outputs["Alpha"], amount),
        (photograph.outputs["Color"], second),
        (mixed, socket),
    ):
        tree.links.new(one, other)
    if painted is None:
        first.default_value = plain
    else:
        tree.links.new(painted, first)


def _strip(material: bpy.types.Material) -> None:
    """Remove a photograph from a material and relink its own colours."""
    tree = material.node_tree
    ours = [node for node in tree.nodes if node.label == PHOTOGRAPH_LABEL]
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
