"""A front goes along a fish in its time, and the fish is there as far as the front has gone."""

import bpy
import numpy as np
import pytest

from artfish.blender_artfish.blender import shader_graph
from artfish.blender_artfish.filming.wipes import Wipe, passed, shown, wipes

pytestmark = pytest.mark.versions


def test_each_drawing_has_as_much_of_the_shot():
    (wipe,) = wipes(2, 240, 24.0, 1.0, 0.1, 0.4)
    assert (wipe.begin + wipe.end) / 2 == 121.0 and wipe.end - wipe.begin == 60.0
    (longest,) = wipes(2, 2400, 24.0, 1.0, 0.1, 0.4)
    assert longest.end - longest.begin == 72.0  # three seconds
    assert wipes(1, 240, 24.0, 1.0, 0.1, 0.4) == []


def test_a_front_goes_from_the_nose_to_the_tail():
    root = bpy.data.objects.new("Fish", None)
    material, graph = shader_graph.material("Paint")
    passed(graph, root, Wipe(11.0, 21.0, 0.2, -0.3, 0.01), "Comes")
    mesh = bpy.data.meshes.new("Sheet")
    mesh.materials.append(material)
    bpy.context.scene.collection.objects.link(bpy.data.objects.new("Sheet", mesh))
    front = []
    for frame in (1, 11, 16, 21, 40):
        bpy.context.scene.frame_set(frame)
        front.append(material.node_tree.nodes["Comes"].outputs[0].default_value)
    assert front == pytest.approx([0.2, 0.2, -0.05, -0.3, -0.3], abs=1e-5)


def test_what_comes_and_goes_is_rendered_so(tmp_path):
    scene, root = bpy.context.scene, bpy.data.objects.new("Fish", None)
    mesh = bpy.data.meshes.new("Sheet")
    mesh.from_pydata([(-1, 0, -1), (1, 0, -1), (1, 0, 1), (-1, 0, 1)], [], [(0, 1, 2, 3)])
    material, graph = shader_graph.material("Paint")
    glow = graph.node("ShaderNodeEmission", {"Color": (1.0, 1.0, 1.0), "Strength": 1.0})["Emission"]
    came, went = Wipe(1.0, 2.0, 0.5, -0.5, 0.01), Wipe(3.0, 5.0, 2.0, -2.0, 0.01)
    shader_graph.output(graph, Surface=shown(graph, root, glow, came, went))
    mesh.materials.append(material)
    sheet = bpy.data.objects.new("Sheet", mesh)
    camera = bpy.data.objects.new("Camera", bpy.data.cameras.new("Camera"))
    camera.data.type, camera.data.ortho_scale = "ORTHO", 2.0
    camera.location, camera.rotation_euler = (0.0, -2.0, 0.0), (np.pi / 2, 0.0, 0.0)
    for obj in (root, sheet, camera):
        scene.collection.objects.link(obj)
    scene.camera, scene.render.engine = camera, "CYCLES"
    scene.cycles.samples, scene.cycles.use_denoising = 1, False
    scene.render.resolution_x, scene.render.resolution_y = 16, 8
    scene.view_settings.view_transform = "Standard"
    seen = []
    for frame in (2, 4):
        scene.frame_set(frame)
        scene.render.filepath = str(tmp_path / f"{frame}.png")
        bpy.ops.render.render(write_still=True)
        image = bpy.data.images.load(scene.render.filepath)
        seen.append(np.array(image.pixels[:]).reshape(8, 16, 4)[4, :, 0])
    assert seen[0][6:].min() > 0.9 and seen[0][:2].max() < 0.1  # it has come as far as -0.5
    assert seen[1][9:].max() < 0.1 and seen[1][5:7].min() > 0.9  # and is gone from 0 on
