"""The stage: what stands where the scene says, and a camera from which the fishes are seen."""

from dataclasses import replace

import bpy
import numpy as np
import pytest
from bpy_extras.object_utils import world_to_camera_view
from mathutils import Vector

from artfish.blender_artfish.stage import camera, staging
from artfish.core.geometry.bed import Bed
from artfish.core.habitat.obstacles import Obstacles
from artfish.core.recording import ARRAYS
from artfish.core.scene.scene import Scene
from artfish.core.world.world import World

PILLARS = [
    {"kind": "cylinder", "at": [2.0, 6.0, 0.0], "radius": 0.5, "height": 2.0},
    {"kind": "cylinder", "at": [6.5, 2.5, 0.0], "radius": 0.3, "height": 1.2},
]


@pytest.fixture
def reef(swimming):
    """A recording with fishes and pillars."""
    recording = swimming(*["butterflyfish"] * 4, *["blue_tang"] * 3, "emperor_angelfish", frames=30)
    return replace(recording, scene=Scene.from_dict(recording.scene.to_dict() | {"obstacles": PILLARS}))


def build(recording):
    scene = bpy.context.scene
    scene.frame_start, scene.frame_end = 1, recording.frames
    staging.build(scene, recording)
    scene.frame_set(scene.timeline_markers[staging.STILL].frame)
    return scene


def test_pillars_stand_where_the_fishes_avoid_them(reef):
    build(reef)
    for number, pillar in enumerate(reef.scene.obstacles, start=1):
        thing = bpy.data.objects[f"Pillar {number:02d}"]
        places = np.array([thing.matrix_world @ vertex.co for vertex in thing.data.vertices]) - pillar.at
        side = (places[:, 2] > 0.4) & (places[:, 2] < 0.95 * pillar.height)
        radii = np.hypot(*places[side, :2].T)
        assert radii.mean() == pytest.approx(pillar.radius, rel=0.06)
        assert np.abs(radii - pillar.radius).max() < 0.35 * pillar.radius
        assert places[:, 2].max() == pytest.approx(pillar.height, abs=0.2 * pillar.radius)


def test_the_floor_lies_below_the_tank_and_reaches_beyond_it(reef):
    build(reef)
    sand = np.array([vertex.co for vertex in bpy.data.objects["Sand"].data.vertices])
    size = np.array(reef.scene.tank.size)
    assert (sand[:, :2].min(axis=0) < -10).all() and (sand[:, :2].max(axis=0) > size[:2] + 10).all()
    inside = ((sand[:, :2] >= 0) & (sand[:, :2] <= size[:2])).all(axis=1)
    assert sand[inside, 2].max() < 0.05 and sand[inside, 2].min() > -0.25


def test_the_camera_sees_several_fishes_and_stands_in_no_pillar(reef):
    scene = build(reef)
    frame = scene.frame_current - scene.frame_start
    seen = [world_to_camera_view(scene, scene.camera, Vector(nodes.mean(axis=0))) for nodes in reef.nodes[frame]]
    assert sum(0 < x < 1 and 0 < y < 1 and z > 0 for x, y, z in seen) >= 3
    for pillar in reef.scene.obstacles:
        assert np.hypot(*(np.array(scene.camera.matrix_world.translation) - pillar.at)[:2]) > pillar.radius + 0.2


@pytest.mark.parametrize("seed", range(3))
def test_in_the_still_no_large_fish_is_cut_looms_or_is_smeared(seed):
    """Of fishes wider than a tenth of the picture; once, one was half as wide as it, and its snout cut."""
    preset = World(Scene.load("reef"), seed=seed).simulate(24 * 10)
    view = camera.find_view(preset)
    right, up, forward = camera._axes(view.at, view.target)
    places = preset.nodes[[view.best - 1, view.best]] - view.at
    depth = places @ forward
    across, above = (view.lens / camera.SENSOR * (places @ way) / depth for way in (right, up))
    seen = (depth > 0.05).all(axis=(0, 2)) & ((abs(across) < 0.5) & (abs(above) < camera.HALF_HEIGHT)).any(axis=(0, 2))
    across, above = across[:, seen], above[:, seen]
    width = np.ptp(across[1], axis=1)
    large = width > 0.1
    assert large.any()
    assert width.max() < 0.45
    assert abs(across[1][large]).max() < 0.5
    assert abs(above[1][large]).max() < camera.HALF_HEIGHT
    moved = np.hypot(*np.diff([across[:, large], above[:, large]], axis=1)[:, 0]).mean(axis=1)
    assert camera.SHUTTER * moved.max() < 0.01


def test_no_fish_swims_into_the_camera(reef):
    view = camera.find_view(reef)
    distance = np.linalg.norm(reef.nodes - view.at, axis=-1).min(axis=(0, 2))
    assert (distance > 0.5 * reef.body_length).all()


def test_the_view_is_the_same_every_time(reef):
    one, two = camera.find_view(reef), camera.find_view(reef)
    assert (one.at == two.at).all() and (one.target == two.target).all() and one.best == two.best


def test_the_scene_may_place_the_camera(reef):
    wanted = {"at": [1.0, -2.0, 1.5], "look_at": [4.0, 4.0, 2.0], "lens": 50.0}
    scene = build(replace(reef, scene=Scene.from_dict(reef.scene.to_dict() | {"camera": wanted})))
    place, turn, _ = scene.camera.matrix_world.decompose()
    assert tuple(place) == pytest.approx(wanted["at"])
    ahead = Vector(wanted["look_at"]) - Vector(wanted["at"])
    assert (turn @ Vector((0, 0, -1))).dot(ahead.normalized()) == pytest.approx(1.0, abs=1e-5)
    assert scene.camera.data.lens == 50.0


@pytest.mark.parametrize("frames", [1, 2])
def test_a_film_of_a_frame_or_two_has_a_stage(swimming, frames):
    scene = build(swimming("sardine", frames=frames))
    assert scene.camera and scene.world


def test_a_scene_without_fishes_has_a_stage(reef):
    empty = replace(
        reef,
        **{name: getattr(reef, name)[:, :0] for name, (_, shape) in ARRAYS.items() if shape[:2] == ("frames", "fish")},
        **{name: getattr(reef, name)[:0] for name in ("body_length", "seeds", "species", "sex")},
    )
    assert build(empty).camera


def test_light_flows_over_the_sand_as_time_goes(reef):
    scene = build(reef)
    clock = bpy.data.materials["Water"].node_tree.nodes["Seconds"].outputs[0]
    times = []
    for frame in (scene.frame_start, scene.frame_end):
        scene.frame_set(frame)
        times.append(clock.default_value)
    assert times == pytest.approx([0.0, (reef.frames - 1) / reef.fps], abs=1e-5)


CUBE = [[x, y, z] for x in (0, 1) for y in (0, 1) for z in (0, 1)]
SIDES = [[0, 1, 3, 2], [4, 6, 7, 5], [0, 4, 5, 1], [2, 3, 7, 6], [0, 2, 6, 4], [1, 5, 7, 3]]


@pytest.fixture
def grotto(reef):
    """A recording with a block of rock among hills."""
    rock = {"kind": "mesh", "at": [2.0, 5.0, 0.4], "scale": 1.5, "vertices": CUBE, "faces": SIDES}
    given = {"obstacles": [rock, *PILLARS[1:]], "terrain": {"relief": 0.7, "scale": 1.2, "seed": 1}}
    return replace(reef, scene=Scene.from_dict(reef.scene.to_dict() | given))


def test_rocks_stand_where_the_fishes_avoid_them(grotto):
    build(grotto)
    rock = bpy.data.objects["Rock 01"]
    places = np.array([rock.matrix_world @ vertex.co for vertex in rock.data.vertices])
    assert np.allclose(places.min(axis=0), (2.0, 5.0, 0.4), atol=1e-6)
    assert np.allclose(places.max(axis=0), (3.5, 6.5, 1.9), atol=1e-6)
    assert np.abs(Obstacles.from_scene(grotto.scene).solids[0].depth(places)).max() < 0.06
    normals = np.array([face.normal for face in rock.data.polygons])
    middles = np.array([face.center for face in rock.data.polygons])
    assert (np.einsum("ni,ni->n", normals, middles - 0.75) > 0).all()
    assert "Pillar 02" in bpy.data.objects


def test_the_sand_is_the_bed_that_fishes_swim_above(grotto):
    build(grotto)
    bed = Bed.from_scene(grotto.scene)
    sand = np.array([vertex.co for vertex in bpy.data.objects["Sand"].data.vertices])
    size = np.array(grotto.scene.tank.size)
    inside = ((sand[:, :2] >= 0) & (sand[:, :2] <= size[:2])).all(axis=1)
    assert inside.sum() >= bed.heights.size and bed.heights.max() > 0.5
    assert np.allclose(sand[inside, 2], bed.height(*sand[inside, :2].T), atol=1e-5)
    assert np.abs(sand[~inside, 2]).max() < 4.0


def test_the_camera_stands_clear_of_rocks_and_above_the_bed(grotto):
    view = camera.find_view(grotto)
    for solid in Obstacles.from_scene(grotto.scene).solids:
        assert solid.depth(view.at[None])[0] >= 0.3
    seen = camera._subjects(grotto)
    hidden = camera._hidden(view.at, seen, grotto, np.ones(seen.alive.shape, dtype=bool))
    frame = np.flatnonzero(seen.frames == view.best)[0]
    assert not hidden[frame].all()


WATER = "Absorption", "Emission"


def lights(recording, **light):
    """The sun, the sky's strength, and the water's absorption and glow under this light."""
    bpy.ops.wm.read_factory_settings(use_empty=True)
    scene = build(replace(recording, scene=Scene.from_dict(recording.scene.to_dict() | {"light": light})))
    sky = next(node for node in scene.world.node_tree.nodes if node.type == "BACKGROUND")
    nodes = bpy.data.materials["Water"].node_tree.nodes
    water = next(node for node in nodes if node.bl_idname == "ShaderNodeVolumeCoefficients")
    absorption, glow = (np.array(water.inputs[f"{name} Coefficients"].default_value) for name in WATER)
    return bpy.data.objects["Sun"], sky.inputs["Strength"].default_value, absorption, glow


def test_the_film_has_the_light_that_the_fishes_have(reef):
    sun, sky, absorption, glow = lights(reef)
    assert (sun.data.energy, sky) == (staging.SUNLIGHT, pytest.approx(staging.SKYLIGHT))
    assert absorption == pytest.approx(staging.ABSORPTION)
    day, slant = sun.data.energy, sun.matrix_world.copy()
    sun, dim_sky, murk, dim_glow = lights(reef, brightness=0.25, attenuation=0.45)
    assert (sun.data.energy, dim_sky) == (pytest.approx(day / 4), pytest.approx(sky / 4))
    assert murk == pytest.approx(3 * absorption, rel=1e-5)
    assert dim_glow / murk == pytest.approx(glow / absorption / 4, rel=1e-5)  # the colour of endless water
    assert sun.matrix_world == slant


def test_the_scene_may_say_where_the_sun_shines(reef):
    sun, *_ = lights(reef, direction=[1.0, 0.0, -1.0])
    bpy.context.view_layer.update()
    shines = sun.matrix_world.to_3x3() @ Vector((0, 0, -1))
    assert tuple(shines) == pytest.approx((0.5**0.5, 0.0, -(0.5**0.5)), abs=1e-5)
