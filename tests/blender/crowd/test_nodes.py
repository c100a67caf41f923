"""A crowd in Cycles: its values in shaders, a number for each fish, and its motion while a shutter is open."""

import struct
from dataclasses import replace

import bpy
import numpy as np
import pytest
from mathutils import Matrix

from artfish.blender_artfish.bake import bake
from artfish.blender_artfish.blender.versions import shader_tree
from artfish.blender_artfish.crowd.nodes import FISH_VALUES, KEY_VALUES
from artfish.blender_artfish.fish.individuality import FISH_ID, FISH_PASS
from artfish.core.body.anatomy import body_frame
from artfish.core.scene.scene import Scene
from artfish.tests.blender.crowd.test_shoals import crowds

pytestmark = [pytest.mark.versions, pytest.mark.film]

WIDTH, HEIGHT = 48, 24


def film_from_above(recording, frame, samples=1):
    """Two fishes below a camera, as Cycles shows them at a frame: the picture of each pass, by its name."""
    scene = bpy.context.scene
    scene.world = bpy.data.worlds.new("dark")
    origin, _ = body_frame(recording.nodes[frame].astype(float))
    wide = 2.0 * np.abs(origin - origin.mean(axis=0)).max() + 4.0 * recording.body_length.max()
    camera = bpy.data.objects.new("camera", bpy.data.cameras.new("camera"))
    camera.data.type, camera.data.ortho_scale, camera.data.clip_start = "ORTHO", wide, 0.001
    camera.matrix_world = Matrix.Translation((*origin.mean(axis=0)[:2], origin[:, 2].max() + 1))
    scene.collection.objects.link(camera)
    scene.camera, scene.render.engine = camera, "CYCLES"
    scene.cycles.samples, scene.cycles.use_denoising, scene.cycles.max_bounces = samples, False, 0
    scene.cycles.pixel_filter_type = "BOX"
    scene.render.resolution_x, scene.render.resolution_y, scene.render.resolution_percentage = WIDTH, HEIGHT, 100
    scene.frame_set(1 + frame)
    bpy.ops.render.render()
    settings = scene.render.image_settings
    if hasattr(settings, "media_type"):
        settings.media_type = "MULTI_LAYER_IMAGE"
        settings.use_exr_interleave = True
    settings.file_format, settings.color_depth, settings.exr_codec = "OPEN_EXR_MULTILAYER", "32", "NONE"
    path = bpy.app.tempdir + "passes.exr"
    bpy.data.images["Render Result"].save_render(path, scene=scene)
    return channels_of(path), origin, wide


def channels_of(path):
    """The channels of an OpenEXR file that is not compressed, (height, width) each, by the names of their passes."""
    with open(path, "rb") as file:
        data = file.read()
    at, names, height, width = 8, [], 0, 0
    while data[at]:
        name, kind, rest = data[at:].split(b"\0", 2)
        at += len(name) + len(kind) + 2
        (size,) = struct.unpack_from("<i", data, at)
        value = data[at + 4 : at + 4 + size]
        at += 4 + size
        if name == b"channels":
            while value[0]:
                channel, value = value.split(b"\0", 1)
                names.append(channel.decode())
                assert struct.unpack_from("<i", value)[0] == 2  # single precision
                value = value[16:]
        if name == b"dataWindow":
            left, top, right, bottom = struct.unpack("<4i", value)
            height, width = bottom - top + 1, right - left + 1
    lines = np.empty((height, len(names), width), np.float32)
    for offset in struct.unpack_from(f"<{height}q", data, at + 1):
        (line,) = struct.unpack_from("<i", data, offset)
        lines[line] = np.frombuffer(data, np.float32, len(names) * width, offset + 8).reshape(len(names), width)
    return {name.rpartition(".")[0].rpartition(".")[2]: lines[:, row] for row, name in enumerate(names)}


def pixel(place, origin, wide):
    """Row and column of a place in the picture."""
    x, y = (place - origin.mean(axis=0))[:2] / wide * WIDTH
    return int(HEIGHT / 2 - y), int(WIDTH / 2 + x)


@pytest.fixture
def pair(swimming):
    """Two blue tangs side by side."""
    of = {
        "name": "pair",
        "tank": {"size": [8, 8, 4]},
        "fishes": [{"species": "blue_tang", "count": 2, "at": [4, 4, 2]}],
    }
    recording = replace(swimming("blue_tang", "blue_tang", frames=12), scene=Scene.from_dict(of))
    nodes = recording.nodes - recording.nodes[:1, :, :1] + np.array([[4.0, 4, 2], [4.4, 4, 2]])[:, None]
    fear = np.tile(np.array([0.25, 0.75]), (12, 1))
    return replace(recording, nodes=nodes, fear=fear, intention=np.tile([2, 5], (12, 1)))


def test_shaders_read_every_value_of_each_fish_and_a_pass_tells_them_apart(pair):
    bake(pair, form="crowd", stage=False)
    (obj,) = crowds()
    values = (FISH_ID, *KEY_VALUES, *FISH_VALUES)
    passes = bpy.context.scene.view_layers[0].aovs
    for name in (*values, FISH_PASS):
        made = passes.add()
        made.name, made.type = name, "VALUE"
    for slot in obj.material_slots:
        tree = shader_tree(slot.material)
        for name in values:
            read, write = (tree.nodes.new(f"ShaderNode{kind}") for kind in ("Attribute", "OutputAOV"))
            read.attribute_type, read.attribute_name, write.aov_name = "INSTANCER", name, name
            tree.links.new(read.outputs["Fac"], write.inputs["Value"])
    found, origin, wide = film_from_above(pair, 6)
    shown = [{name: found[name][pixel(place, origin, wide)] for name in (*values, FISH_PASS)} for place in origin]
    assert [each[FISH_ID] for each in shown] == [0, 1] and [each[FISH_PASS] for each in shown] == [1, 2]
    assert [each["fear"] for each in shown] == pytest.approx([0.25, 0.75])
    assert [each["intention"] for each in shown] == [2, 5]
    assert all(each["speed"] == pytest.approx(1.5, rel=0.4) and each["species"] == 0 for each in shown)
    assert shown[0]["individual"] != shown[1]["individual"] and shown[0]["bend"] != shown[1]["bend"]
    assert found[FISH_PASS][0, 0] == 0


def test_the_pass_tells_fishes_with_surfaces_apart_too(pair):
    bake(pair, form="compact", stage=False)
    made = bpy.context.scene.view_layers[0].aovs.add()
    made.name, made.type = FISH_PASS, "VALUE"
    found, origin, wide = film_from_above(pair, 6)
    assert [found[FISH_PASS][pixel(place, origin, wide)] for place in origin] == [1, 2]


def test_fishes_smear_along_their_way_while_a_shutter_is_open(pair):
    """One fish darts sideways, the other stays: the first one's picture is longer by its way, and fainter."""
    metres_a_frame, shutter = 0.8, 0.5
    away = np.zeros((12, 2, 1, 3))
    away[:, 0, 0, 1] = metres_a_frame * (np.arange(12) - 6)
    still = np.repeat(pair.nodes[6:7], 12, axis=0)
    recording = replace(pair, nodes=still + away)
    bake(recording, form="crowd", stage=False)
    scene = bpy.context.scene
    made = scene.view_layers[0].aovs.add()
    made.name, made.type = FISH_PASS, "VALUE"
    scene.render.motion_blur_shutter = shutter
    found = []
    for scene.render.use_motion_blur in (False, True):
        passes, _, wide = film_from_above(recording, 6, samples=64)
        found.append(passes[FISH_PASS])
    sharp, blurred = found
    rows = [np.ptp(np.flatnonzero(of.any(axis=1))) for of in found]
    assert rows[1] - rows[0] == pytest.approx(metres_a_frame * shutter / wide * WIDTH, abs=3.5)
    assert blurred.sum() == pytest.approx(sharp.sum(), rel=0.1)  # nothing of a fish is lost or doubled
    assert np.abs(blurred - sharp)[:, WIDTH // 2 :].max() < 0.3  # who stays is as sharp
