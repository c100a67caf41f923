"""Materials that only Blender can read, baked into pictures that any program can: their colours and transparency."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

import bmesh
import bpy
import numpy as np

from ..blender.colours import encoded
from ..blender.pixels import pixels_of
from ..blender.versions import shader_tree, use_cycles
from ..fish.individuality import INDIVIDUAL

SIZES = {"skin": 1024, "eye": 128}
"""Width of a picture in pixels; for fins it is `FIN_SIZE`."""
FIN_SIZE = 512
PICTURE_MARGIN_PIXELS = 8
"""Margin of a picture beyond the painted area, so that no seam shows from afar."""
MIDDLE = 0.5
"""Individual number of the fish in the pictures: all of a species share them."""
GLOSS = {"skin": 0.4, "eye": 0.15}
"""Roughness of each part; for fins it is `FIN_ROUGHNESS`."""
FIN_ROUGHNESS = 0.45
COLOUR, ALPHA = "Colour", "Alpha"
"""Baked outputs of the material groups."""


@dataclass(frozen=True)
class _Part:
    """A material that can be painted.

    Attributes:
        material: The material.
        group: The node whose output it shows, and which gives its colour.
        kind: "skin", "eye" or that of a fin.
        size: Width of its picture in pixels.
        clear: Whether part of it is transparent.
    """

    material: bpy.types.Material
    group: bpy.types.Node
    kind: str
    size: int
    clear: bool


_Made = dict[bpy.types.Material, tuple[bpy.types.Material, bpy.types.Image | None]]
"""By a material that only Blender can read, that which any program can, and its picture."""


def simplify(meshes: Sequence[bpy.types.Mesh], stack: ExitStack) -> None:
    """Have these meshes wear materials of one colour until the stack is closed, which restores everything.

    Blender's glTF exporter takes minutes to search the nodes of the others for pictures.
    """
    made: _Made = {}
    stack.enter_context(_back(meshes, made))
    for mesh in meshes:
        for slot, part in _parts(mesh).items():
            if part.material not in made:
                made[part.material] = _wearing(part, None), None
            mesh.materials[slot] = made[part.material][0]


def paint(meshes: Sequence[bpy.types.Mesh], stack: ExitStack) -> Iterator[tuple[float, str]]:
    """Have these meshes wear pictures until the stack is closed, which restores everything.

    Yields:
        Before each picture, the share that is done and the name of the material that is painted.
    """
    made: _Made = {}
    folder = Path(stack.enter_context(TemporaryDirectory()))
    stack.enter_context(_back(meshes, made))
    for done, mesh in enumerate(meshes):
        parts = _parts(mesh)
        for number, (slot, part) in enumerate(parts.items()):
            if part.material not in made:
                yield (done + number / len(parts)) / len(meshes), part.material.name
                made[part.material] = _pictured(mesh, slot, part, folder)
        for slot, part in parts.items():
            mesh.materials[slot] = made[part.material][0]


@contextmanager
def _back(meshes: Sequence[bpy.types.Mesh], made: _Made) -> Iterator[None]:
    """Restore the materials of meshes at the end, and remove what was made."""
    worn = {mesh: list(mesh.materials) for mesh in meshes}
    try:
        yield
    finally:
        for mesh, materials in worn.items():
            for slot, material in enumerate(materials):
                mesh.materials[slot] = material
        for material, picture in made.values():
            bpy.data.materials.remove(material)
            if picture is not None:
                bpy.data.images.remove(picture)


class Wear(NamedTuple):
    """A material's properties without a picture.

    Attributes:
        colour: Red, green and blue of the light it reflects.
        roughness: Roughness, from 0 for a mirror to 1.
        clear: Whether part of it is transparent, by its picture.
    """

    colour: tuple[float, float, float]
    roughness: float
    clear: bool


def wear_of(material: bpy.types.Material) -> Wear:
    """The properties of a material, whoever made it."""
    shader: Any = next((node for node in _nodes(material) if node.bl_idname == "ShaderNodeBsdfPrincipled"), None)
    if shader is None:
        red, green, blue = material.diffuse_color[:3]
        return Wear((red, green, blue), material.roughness, False)
    base, alpha = shader.inputs["Base Color"], shader.inputs["Alpha"]
    colour = material.diffuse_color if base.links else base.default_value
    red, green, blue = colour[:3]
    return Wear((red, green, blue), shader.inputs["Roughness"].default_value, bool(alpha.links))


def coloured(material: bpy.types.Material) -> Any:
    """The node of a material's colour picture, not that of a skin's relief."""
    images: Any = (node for node in _nodes(material) if node.bl_idname == "ShaderNodeTexImage")
    pictures = [node for node in images if node.image is not None and not node.image.colorspace_settings.is_data]
    return next((node for node in pictures if node.image.has_data or min(node.image.size) > 0), None)


def _nodes(material: bpy.types.Material) -> Iterable[bpy.types.Node]:
    return material.node_tree.nodes if material.node_tree is not None else ()


def written(image: bpy.types.Image, folder: Path, name: str) -> str:
    """Write an image of any source as a PNG into a folder; returns the file's name."""
    (width, height), pixels = image.size, pixels_of(image)
    if image.is_float:  # with linear light
        pixels[..., :3] = encoded(pixels[..., :3])
    copy = bpy.data.images.new(name, width, height, alpha=True)
    try:
        copy.pixels.foreach_set(pixels.ravel())
        folder.mkdir(exist_ok=True)
        copy.filepath_raw, copy.file_format = str(folder / f"{name}.png"), "PNG"
        copy.save()
    finally:
        bpy.data.images.remove(copy)
    return f"{name}.png"


def _parts(mesh: bpy.types.Mesh) -> dict[int, _Part]:
    """The paintable parts of a mesh, by the slots of their materials."""
    return {slot: part for slot, material in enumerate(mesh.materials) if (part := _part(material)) is not None}


def _part(material: bpy.types.Material | None) -> _Part | None:
    """The paintable part of a material; None if it is not ours, or from an older bake."""
    for node in _nodes(material) if material else ():
        if node.bl_idname == "ShaderNodeOutputMaterial" and node.inputs["Surface"].links:
            group = node.inputs["Surface"].links[0].from_node
            if COLOUR not in group.outputs:
                return None
            kind = next((kind for kind in GLOSS if f" {kind}" in material.name), "fin")
            return _Part(material, group, kind, SIZES.get(kind, FIN_SIZE), ALPHA in group.outputs)
    return None


def _pictured(mesh: bpy.types.Mesh, slot: int, part: _Part, folder: Path) -> tuple[bpy.types.Material, bpy.types.Image]:
    """Bake a mesh's material in a slot into a file of a folder, since some exporters take pictures from there.

    Returns:
        A material that shows the picture, and the picture.
    """
    pixels = _baked(mesh, slot, part, COLOUR)
    pixels[..., :3] = encoded(pixels[..., :3])
    pixels[..., 3] = _baked(mesh, slot, part, ALPHA)[..., 0] if part.clear else 1.0
    picture = bpy.data.images.new(f"{part.material.name} picture", part.size, part.size, alpha=part.clear)
    picture.pixels.foreach_set(pixels.ravel())
    picture.filepath_raw, picture.file_format = str(folder / f"{picture.name}.png"), "PNG"
    picture.save()
    return _wearing(part, picture), picture


def _baked(mesh: bpy.types.Mesh, slot: int, part: _Part, output: str) -> np.ndarray:
    """An output of a material's group, baked over the UVs of the faces that wear it, (size, size, 4), linear."""
    scene = bpy.data.scenes.new("easel")
    own = mesh.copy()
    bench = bpy.data.objects.new("easel", own)
    bench[INDIVIDUAL] = MIDDLE
    plain = part.material.copy()
    image = bpy.data.images.new("easel", part.size, part.size, float_buffer=True, is_data=True)
    try:
        _keep_faces(own, slot, plain)
        _show(plain.node_tree, part.group.name, output, image)
        scene.collection.objects.link(bench)
        _bake(scene, bench)
        return pixels_of(image)
    finally:
        bpy.data.objects.remove(bench)
        bpy.data.scenes.remove(scene)
        bpy.data.meshes.remove(own)
        bpy.data.materials.remove(plain)
        bpy.data.images.remove(image)


def _show(tree: bpy.types.NodeTree, group: str, output: str, image: bpy.types.Image) -> None:
    """Have a material emit an output of its group, to be baked into a picture."""
    target, light = tree.nodes.new("ShaderNodeTexImage"), tree.nodes.new("ShaderNodeEmission")
    target.image = image
    tree.nodes.active = target
    end = next(node for node in tree.nodes if node.bl_idname == "ShaderNodeOutputMaterial")
    tree.links.new(tree.nodes[group].outputs[output], light.inputs["Color"])
    tree.links.new(light.outputs[0], end.inputs["Surface"])


def _bake(scene: bpy.types.Scene, bench: bpy.types.Object) -> None:
    use_cycles(scene)
    scene.cycles.device, scene.cycles.samples = "CPU", 1
    layer = scene.view_layers[0]
    layer.objects.active = bench
    bench.select_set(True, view_layer=layer)
    with bpy.context.temp_override(
        scene=scene, view_layer=layer, object=bench, active_object=bench, selected_objects=[bench]
    ):
        bpy.ops.object.bake(type="EMIT", margin=PICTURE_MARGIN_PIXELS, use_clear=True)


def _keep_faces(mesh: bpy.types.Mesh, slot: int, material: bpy.types.Material) -> None:
    """Remove all faces of a mesh but those of a slot, and give these another material."""
    faces = bmesh.new()
    faces.from_mesh(mesh)
    others = [face for face in faces.faces if face.material_index != slot]
    bmesh.ops.delete(faces, geom=others, context="FACES")
    faces.to_mesh(mesh)
    faces.free()
    mesh.materials.clear()  # so that all faces wear the first material
    mesh.materials.append(material)


def _wearing(part: _Part, picture: bpy.types.Image | None) -> bpy.types.Material:
    """A material of a picture, or of the colour of a part, in the form every exporter reads."""
    made = bpy.data.materials.new(f"{part.material.name} {'painted' if picture else 'plain'}")
    made.diffuse_color = part.material.diffuse_color
    tree = shader_tree(made)
    tree.nodes.clear()
    skin, end = tree.nodes.new("ShaderNodeBsdfPrincipled"), tree.nodes.new("ShaderNodeOutputMaterial")
    skin.inputs["Roughness"].default_value = GLOSS.get(part.kind, FIN_ROUGHNESS)
    skin.inputs["Base Color"].default_value = made.diffuse_color
    tree.links.new(skin.outputs["BSDF"], end.inputs["Surface"])
    if picture is not None:
        image = tree.nodes.new("ShaderNodeTexImage")
        image.image, image.extension = picture, "EXTEND"
        tree.links.new(image.outputs["Color"], skin.inputs["Base Color"])
        if part.clear:
            tree.links.new(image.outputs["Alpha"], skin.inputs["Alpha"])
    return made
