"""Pillars, rocks and sand stand where the fishes have them."""

import bpy
import numpy as np
import pytest

from artfish.blender_artfish.blender.versions import channelbags
from artfish.blender_artfish.stage.scenery import raise_pillars
from artfish.core import Recording, Scene, World
from artfish.core.geometry.bed import Bed
from artfish.core.habitat.obstacles import Obstacles


def test_pillars_stand_where_the_fishes_avoid_them(reef, build_stage):
    build_stage(reef)
    for number, pillar in enumerate(reef.scene.obstacles, start=1):
        obj = bpy.data.objects[f"Pillar {number:02d}"]
        places = np.array([obj.matrix_world @ vertex.co for vertex in obj.data.vertices]) - pillar.at
        side = (places[:, 2] > 0.4) & (places[:, 2] < 0.95 * pillar.height)
        radii = np.hypot(*places[side, :2].T)
        assert radii.mean() == pytest.approx(pillar.radius, rel=0.06)
        assert np.abs(radii - pillar.radius).max() < 0.35 * pillar.radius
        assert places[:, 2].max() == pytest.approx(pillar.height, abs=0.2 * pillar.radius)


def test_the_floor_lies_below_the_tank_and_reaches_beyond_it(reef, build_stage):
    build_stage(reef)
    sand = np.array([vertex.co for vertex in bpy.data.objects["Sand"].data.vertices])
    size = np.array(reef.scene.tank.size)
    assert (sand[:, :2].min(axis=0) < -10).all() and (sand[:, :2].max(axis=0) > size[:2] + 10).all()
    inside = ((sand[:, :2] >= 0) & (sand[:, :2] <= size[:2])).all(axis=1)
    assert sand[inside, 2].max() < 0.05 and sand[inside, 2].min() > -0.25


def test_rocks_stand_where_the_fishes_avoid_them(grotto, build_stage):
    build_stage(grotto)
    rock = bpy.data.objects["Rock 01"]
    places = np.array([rock.matrix_world @ vertex.co for vertex in rock.data.vertices])
    assert np.allclose(places.min(axis=0), (2.0, 5.0, 0.4), atol=1e-6)
    assert np.allclose(places.max(axis=0), (3.5, 6.5, 1.9), atol=1e-6)
    assert np.abs(Obstacles.from_scene(grotto.scene).solids[0].depth(places)).max() < 0.06
    normals = np.array([face.normal for face in rock.data.polygons])
    middles = np.array([face.center for face in rock.data.polygons])
    assert (np.einsum("ni,ni->n", normals, middles - 0.75) > 0).all()
    assert "Pillar 02" in bpy.data.objects


def test_the_sand_is_the_bed_that_fishes_swim_above(grotto, build_stage):
    build_stage(grotto)
    bed = Bed.from_scene(grotto.scene)
    sand = np.array([vertex.co for vertex in bpy.data.objects["Sand"].data.vertices])
    size = np.array(grotto.scene.tank.size)
    inside = ((sand[:, :2] >= 0) & (sand[:, :2] <= size[:2])).all(axis=1)
    assert inside.sum() >= bed.heights.size and bed.heights.max() > 0.5
    assert np.allclose(sand[inside, 2], bed.height(*sand[inside, :2].T), atol=1e-5)
    assert np.abs(sand[~inside, 2]).max() < 4.0


@pytest.mark.film
@pytest.mark.parametrize("soft", [False, True])
def test_what_moves_has_keys_of_its_own(soft):
    corners = [[0.2 * i, 0.3 * j, 0.1 * k] for i in (-1, 1) for j in (-1, 1) for k in (-1, 1)]
    faces = [[0, 1, 3, 2], [4, 6, 7, 5], [0, 4, 5, 1], [2, 3, 7, 6], [0, 2, 6, 4], [1, 5, 7, 3]]
    motion = [{"time": 0, "at": [1, 1, 1]}, {"time": 1, "at": [2, 1, 1], "turn": [0, 0, 0, 1]}]
    if soft:
        motion = [{"time": t, "vertices": [[(1 + t) * x, y, z] for x, y, z in corners]} for t in (0, 1)]
    box = {"kind": "mesh", "at": [1, 1, 1], "vertices": corners, "faces": faces, "motion": motion}
    group = {"species": "clownfish", "count": 1, "at": [3, 1, 1]}
    made = Scene.from_dict({"tank": {"size": [4, 2, 2]}, "fishes": [group], "obstacles": [box]})
    stage, recording = bpy.data.collections.new("Stage"), World(made, 0).simulate(1)
    bpy.context.scene.collection.children.link(stage)
    list(raise_pillars(stage, recording, np.random.default_rng(0), (), 11))
    (rock,) = stage.objects
    bpy.context.scene.frame_set(35)
    moved = rock.evaluated_get(bpy.context.evaluated_depsgraph_get())
    width = np.ptp([(rock.matrix_world @ vertex.co).x for vertex in moved.to_mesh().vertices])
    assert rock.matrix_world.translation.x == pytest.approx(1.0 if soft else 2.0)
    assert width == pytest.approx(0.8 if soft else 0.4)


@pytest.mark.film
def test_what_a_script_has_moved_is_where_it_was():
    pillar = {"kind": "cylinder", "at": [1, 1, 0], "radius": 0.1, "height": 1, "name": "mast", "motion": []}
    keyed = {**pillar, "name": "keyed", "at": [3, 1, 0], "motion": [{"time": 0}, {"time": 1, "at": [3, 2, 0]}]}
    group = {"species": "clownfish", "count": 1, "at": [2, 1, 1]}
    world = World(Scene.from_dict({"tank": {"size": [4, 2, 2]}, "fishes": [group], "obstacles": [pillar, keyed]}))
    run = world.run(20)
    for frame in run:
        tilt = 0.4 * frame
        world.move_obstacle("mast", (1 + 0.03 * frame, 1, 0), (-np.cos(tilt), np.sin(tilt), 0, 0))
        if frame == 20:
            break
    recording = next_of(run)
    stage = bpy.data.collections.new("Stage")
    bpy.context.scene.collection.children.link(stage)
    list(raise_pillars(stage, recording, np.random.default_rng(0), (), 11))
    mast, other = stage.objects
    for frame in (11, 15, 17, 30):
        bpy.context.scene.frame_set(frame)
        at, turn = recording.obstacles[frame - 11, 0, :3], recording.obstacles[frame - 11, 0, 3:]
        assert mast.matrix_world.translation[:] == pytest.approx(at, abs=1e-3)
        assert abs(np.dot(mast.matrix_world.to_quaternion(), turn)) == pytest.approx(1.0, abs=1e-3)
    assert len(channelbags(other)[0].fcurves[0].keyframe_points) == 2  # which its own keys say


def next_of(run) -> Recording:
    """The recording that a run returns after its last frame."""
    with pytest.raises(StopIteration) as end:
        next(run)
    return end.value.value
