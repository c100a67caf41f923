"""Materials that only Blender can read, as pictures that any program can: what is coloured how, and how clear."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

import bmesh
import bpy
import numpy as np

from ..blender.versions import shader_tree
from ..fish.individuality import INDIVIDUAL

SIZES = {"skin": 1024, "eye": 128}
"""Pixels of a side; of fins `FIN_SIZE`."""
FIN_SIZE = 512
PICTURE_MARGIN_PIXELS = 8
"""By which a picture goes on beyond what is painted, so that no seam shows from afar."""
MIDDLE = 0.5
"""Individual number of the fish that the pictures show: all of a species share them."""
GLOSS = {"skin": 0.4, "eye": 0.15}
"""Roughness of each part; that of fins is `FIN_ROUGHNESS`."""
FIN_ROUGHNESS = 0.45
COLOUR, ALPHA = "Colour", "Alpha"
"""Outputs of the groups of materials that are baked."""


@dataclass(frozen=True)
class _Part:
    """A material that can be painted.

    Attributes:
        material: The material.
        group: The node whose output it shows, which also tells its colour.
        kind: "skin", "eye" or that of a fin.
        size: Pixels of a side of its picture.
        clear: Whether light goes through some of it.
    """

    material: bpy.types.Material
    group: bpy.types.Node
    kind: str
    size: int
    clear: bool


def paint(meshes: Sequence[bpy.types.Mesh], stack: ExitStack) -> Iterator[tuple[float, str]]:
    """Have these meshes wear pictures until a stack is left, when all is as it was.

    Yields:
        Before each picture, the share that is done and the name of the material that is painted.
    """
    worn = {mesh: list(mesh.materials) for mesh in meshes}
    made: dict[bpy.types.Material, tuple[bpy.types.Material, bpy.types.Image]] = {}
    folder = Path(stack.enter_context(TemporaryDirectory()))
    stack.enter_context(_back(worn, made))
    for done, mesh in enumerate(meshes):
        parts = {slot: part for slot, material in enumerate(mesh.materials) if (part := _part(material)) is not None}
        for number, (slot, part) in enumerate(parts.items()):
            if part.material not in made:
                yield (done + number / len(parts)) / len(meshes), part.material.name
                made[part.material] = _pictured(mesh, slot, part, folder)
        for slot, part in parts.items():
            mesh.materials[slot] = made[part.material][0]


@contextmanager
def _back(
    worn: Mapping[bpy.types.Mesh, Sequence[bpy.types.Material | None]],
    made: Mapping[bpy.types.Material, tuple[bpy.types.Material, bpy.types.Image]],
) -> Iterator[None]:
    """Have meshes wear in the end what they wore, and remove what was made."""
    try:
        yield
    finally:
        for mesh, materials in worn.items():
            for slot, material in enumerate(materials):
                mesh.materials[slot] = material
        for material, picture in made.values():
            bpy.data.materials.remove(material)
            bpy.data.images.remove(picture)


def _part(material: bpy.types.Material | None) -> _Part | None:
    """What can be painted of a material; None of one that is not ours, or of an older bake."""
    for node in shader_tree(material).nodes if material else ():
        if node.bl_idname == "ShaderNodeOutputMaterial" and node.inputs["Surface"].links:
            group = node.inputs["Surface"].links[0].from_node
            if COLOUR not in group.outputs:
                return None
            kind = next((kind for kind in GLOSS if f" {kind}" in material.name), "fin")
            return _Part(material, group, kind, SIZES.get(kind, FIN_SIZE), ALPHA in group.outputs)
    return None


def _pictured(mesh: bpy.types.Mesh, slot: int, part: _Part, folder: Path) -> tuple[bpy.types.Material, bpy.types.Image]:
    """Paint what a mesh wears in a slot, into a file of a folder, since some exporters take pictures from there.

    Returns:
        A material that shows the picture, and the picture.
    """
    pixels = _baked(mesh, slot, part, COLOUR)
    pixels[..., 3] = _baked(mesh, slot, part, ALPHA)[..., 0] if part.clear else 1.0
    picture = bpy.data.images.new(f"{part.material.name} picture", part.size, part.size, alpha=part.clear)
    picture.pixels.foreach_set(pixels.ravel())
    picture.filepath_raw, picture.file_format = str(folder / f"{picture.name}.png"), "PNG"
    picture.save()
    return _wearing(part, picture), picture


def _baked(mesh: bpy.types.Mesh, slot: int, part: _Part, output: str) -> np.ndarray:
    """An output of a material's group over the places of the mesh's faces that wear it, (size, size, 4)."""
    scene = bpy.data.scenes.new("easel")
    own = mesh.copy()
    bench = bpy.data.objects.new("easel", own)
    bench[INDIVIDUAL] = MIDDLE
    plain = part.material.copy()
    image = bpy.data.images.new("easel", part.size, part.size, float_buffer=output == ALPHA)
    try:
        _keep_faces(own, slot, plain)
        image.colorspace_settings.name = "Non-Color" if output == ALPHA else "sRGB"
        _show(plain.node_tree, part.group.name, output, image)
        scene.collection.objects.link(bench)
        _bake(scene, bench)
        pixels = np.empty(4 * part.size**2, np.float32)
        image.pixels.foreach_get(pixels)
    finally:
        bpy.data.objects.remove(bench)
        bpy.data.scenes.remove(scene)
        bpy.data.meshes.remove(own)
        bpy.data.materials.remove(plain)
        bpy.data.images.remove(image)
    return pixels.reshape(part.size, part.size, 4)


def _show(tree: bpy.types.NodeTree, group: str, output: str, image: bpy.types.Image) -> None:
    """Have a material shine with an output of its group, and be baked into a picture."""
    target, light = tree.nodes.new("ShaderNodeTexImage"), tree.nodes.new("ShaderNodeEmission")
    target.image = image
    tree.nodes.active = target
    end = next(node for node in tree.nodes if node.bl_idname == "ShaderNodeOutputMaterial")
    tree.links.new(tree.nodes[group].outputs[output], light.inputs["Color"])
    tree.links.new(light.outputs[0], end.inputs["Surface"])


def _bake(scene: bpy.types.Scene, bench: bpy.types.Object) -> None:
    scene.render.engine = "CYCLES"
    scene.cycles.device, scene.cycles.samples = "CPU", 1
    scene.view_settings.view_transform = "Standard"
    layer = scene.view_layers[0]
    layer.objects.active = bench
    bench.select_set(True, view_layer=layer)
    with bpy.context.temp_override(
        scene=scene, view_layer=layer, object=bench, active_object=bench, selected_objects=[bench]
    ):
        bpy.ops.object.bake(type="EMIT", margin=PICTURE_MARGIN_PIXELS, use_clear=True)


def _keep_faces(mesh: bpy.types.Mesh, slot: int, material: bpy.types.Material) -> None:
    """Leave those faces of a mesh alone that wear this slot, and have them wear a material instead."""
    faces = bmesh.new()
    faces.from_mesh(mesh)
    others = [face for face in faces.faces if face.material_index != slot]
    bmesh.ops.delete(faces, geom=others, context="FACES")
    faces.to_mesh(mesh)
    faces.free()
    mesh.materials.clear()  # and so all faces wear the first one
    mesh.materials.append(material)


def _wearing(part: _Part, picture: bpy.types.Image) -> bpy.types.Material:
    """A material that shows a picture, as every exporter reads it."""
    made = bpy.data.materials.new(f"{part.material.name} painted")
    tree = shader_tree(made)
    tree.nodes.clear()
    image = tree.nodes.new("ShaderNodeTexImage")
    image.image = picture
    skin, end = tree.nodes.new("ShaderNodeBsdfPrincipled"), tree.nodes.new("ShaderNodeOutputMaterial")
    skin.inputs["Roughness"].default_value = GLOSS.get(part.kind, FIN_ROUGHNESS)
    tree.links.new(image.outputs["Color"], skin.inputs["Base Color"])
    if part.clear:
        tree.links.new(image.outputs["Alpha"], skin.inputs["Alpha"])
    tree.links.new(skin.outputs["BSDF"], end.inputs["Surface"])
    return made
