"""Models as other makers leave them: the mesh of a species, turned, scaled, cut into objects and written to files."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import bpy
import numpy as np
from mathutils import Euler, Matrix

from artfish.core.form.mesh import ControlNet, FishMesh
from artfish.core.scene.species import Species

DOWN = Matrix.Scale(30.0, 4) @ Euler((0.0, np.pi / 2, 0.0)).to_matrix().to_4x4()
"""The matrix of a model in centimetres that faces down."""
EXPORTERS: dict[str, Callable[[str], Any]] = {
    ".obj": lambda path: bpy.ops.wm.obj_export(filepath=path, path_mode="COPY"),
    ".glb": lambda path: bpy.ops.export_scene.gltf(filepath=path),
    ".fbx": lambda path: bpy.ops.export_scene.fbx(filepath=path, path_mode="COPY", embed_textures=True),
    ".blend": lambda path: bpy.ops.wm.save_as_mainfile(filepath=path, copy=True),
}


def put_model(folder: Path, turn: Matrix | None = None, bones: bool = False) -> list[bpy.types.Object]:
    """Put an emperor angelfish into the scene: body with fins, and each eye an object of its own, all painted.

    Args:
        folder: Folder for its picture.
        turn: Its place, turn and scale.
        bones: True for a model with an armature.
    """
    net = ControlNet(Species.load("emperor_angelfish"))
    mesh = FishMesh(net, 1)
    places, picture = mesh.vertices(net.rest), bpy.data.images.new("Scales", 8, 8)
    picture.pixels.foreach_set(np.tile([0.9, 0.4, 0.1, 1.0], 64).astype(np.float32))
    picture.filepath_raw, picture.file_format = str(folder / "scales.png"), "PNG"
    picture.save()
    eyes = [set(mesh.groups[name].tolist()) for name in ("eye_left", "eye_right")]
    owner = np.array([1 if face[0] in eyes[0] else 2 if face[0] in eyes[1] else 0 for face in mesh.faces.tolist()])
    made = []
    for number, name in enumerate(("Body", "Eye left", "Eye right")):
        rows, corners = np.unique(mesh.faces[owner == number], return_inverse=True)
        data = bpy.data.meshes.new(name)
        data.from_pydata(places[rows].tolist(), [], corners.reshape(-1, 4).tolist())
        data.uv_layers.new(name=f"{name} map").uv.foreach_set(
            "vector", mesh.uv[owner == number].astype(np.float32).ravel()
        )
        data.materials.append(_painted(name, picture if number == 0 else None))
        obj = bpy.data.objects.new(name, data)
        obj.matrix_world = turn or Matrix()
        bpy.context.scene.collection.objects.link(obj)
        made.append(obj)
    if bones:
        _rig(made, turn or Matrix())
    bpy.context.view_layer.update()
    return made


def _painted(name: str, picture: bpy.types.Image | None) -> bpy.types.Material:
    made = bpy.data.materials.new(name)
    made.use_nodes = True
    if picture is not None:
        tree = made.node_tree
        image: Any = tree.nodes.new("ShaderNodeTexImage")
        image.image = picture
        shader = next(node for node in tree.nodes if node.type == "BSDF_PRINCIPLED")
        tree.links.new(image.outputs["Color"], shader.inputs["Base Color"])
    return made


def _rig(objects: list[bpy.types.Object], turn: Matrix) -> None:
    """Five bones from the nose to the tail, by which the body goes; the eyes hang on the first."""
    data = bpy.data.armatures.new("Bones")
    armature = bpy.data.objects.new("Bones", data)
    bpy.context.scene.collection.objects.link(armature)
    armature.matrix_world = turn
    bpy.context.view_layer.objects.active = armature
    bpy.ops.object.mode_set(mode="EDIT")
    ends = np.linspace(0.25, -0.75, 6)
    before = None
    for number in range(5):
        bone = data.edit_bones.new(f"Knochen {number}")
        bone.head, bone.tail = (ends[number], 0, 0), (ends[number + 1], 0, 0)
        bone.parent, before = before, bone
    bpy.ops.object.mode_set(mode="OBJECT")
    body, *eyes = objects
    x = np.array([vertex.co.x for vertex in body.data.vertices])
    for number in range(5):
        group = body.vertex_groups.new(name=f"Knochen {number}")
        shares = np.interp(x, ((ends[1:] + ends[:-1]) / 2)[::-1], np.eye(5)[number][::-1])
        for row in np.flatnonzero(shares > 1e-3).tolist():
            group.add([row], float(shares[row]), "REPLACE")
    modifier: Any = body.modifiers.new("Armature", "ARMATURE")
    modifier.object = armature
    body.parent, body.matrix_world = armature, turn
    bpy.context.view_layer.update()
    for eye in eyes:
        eye.parent, eye.parent_type, eye.parent_bone = armature, "BONE", "Knochen 0"
        bpy.context.view_layer.update()
        eye.matrix_world = turn
