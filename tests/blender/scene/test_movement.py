"""Obstacles that move in Blender: keyed, parented, constrained or deformed, they are read as they move."""

from __future__ import annotations

import bpy
import numpy as np
import pytest

from artfish.blender_artfish.scene import movement
from artfish.blender_artfish.scene.animated import deforms, needs_sampling
from artfish.blender_artfish.scene.reader import read
from artfish.blender_artfish.scene.writer import write
from artfish.core import Scene, SceneError


@pytest.fixture
def rock(scene) -> bpy.types.Object:
    """A rock in a tank with a shoal, in a film of ten frames at 24 a second."""
    bpy.ops.artfish.add_shoal(species="clownfish", count=1)
    scene.frame_start, scene.frame_end = 1, 10
    bpy.ops.mesh.primitive_cube_add(size=0.5, location=(0.0, 1.0, 1.0))
    made = bpy.context.object
    made.name = "Diver"
    bpy.ops.artfish.mark(kind="OBSTACLE")
    return made


def key(obj: bpy.types.Object, frame: int, **values) -> None:
    for path, value in values.items():
        setattr(obj, path, value)
        obj.keyframe_insert(path, frame=frame)
        for curve in obj.animation_data.action.layers[0].strips[0].channelbags[0].fcurves:
            curve.keyframe_points[-1].interpolation = "LINEAR"


def only(scene: bpy.types.Scene):
    """The one obstacle, and the corner of the water."""
    with movement.reading(scene):
        movement.sample_at_once(scene)
        found = read(scene)
    (obstacle,) = found.scene.obstacles
    return obstacle, np.array(found.origin)


def test_what_stands_is_read_as_before_and_keys_that_move_nothing_move_nothing(scene, rock):
    before = only(scene)[0]
    assert before.motion is None and before.presence is None and before.name is None
    key(rock, 1, location=(0.0, 1.0, 1.0))
    assert only(scene)[0].motion is None


def test_keys_of_place_and_turn_arrive_frame_by_frame_and_keep_the_form(scene, rock):
    key(rock, 1, location=(0.0, 1.0, 1.0), rotation_euler=(0.0, 0.0, 0.0))
    key(rock, 10, location=(0.9, 1.0, 1.0), rotation_euler=(0.0, 0.0, np.pi / 2))
    scene.frame_set(7)
    obstacle, low = only(scene)
    assert scene.frame_current == 7 and len(obstacle.motion) == 10 and obstacle.name == "Diver"
    at = np.array([one.at for one in obstacle.motion]) + low
    assert at[:, 0] == pytest.approx(np.linspace(0.0, 0.9, 10), abs=1e-5)
    assert obstacle.motion[-1].time == pytest.approx(9 / 24)
    assert obstacle.motion[-1].turn == pytest.approx((np.sqrt(0.5), 0, 0, np.sqrt(0.5)), abs=1e-5)
    assert np.abs(obstacle.vertices).max() == pytest.approx(0.25)
    rock.artfish.movement.moves = "STILL"
    assert only(scene)[0].motion is None


def test_what_hangs_on_something_keyed_moves_with_it(scene, rock):
    carrier = bpy.data.objects.new("Carrier", None)
    scene.collection.objects.link(carrier)
    rock.parent = carrier
    key(carrier, 1, location=(0.0, 0.0, 0.0))
    key(carrier, 10, location=(0.0, 0.45, 0.0))
    obstacle, low = only(scene)
    assert np.array(obstacle.motion[-1].at) + low == pytest.approx((0.0, 1.45, 1.0), abs=1e-5)


def test_constraints_are_sampled_through_the_film(scene, rock):
    guide = bpy.data.objects.new("Guide", None)
    scene.collection.objects.link(guide)
    key(guide, 1, location=(0.0, 1.0, 1.0))
    key(guide, 10, location=(0.0, 1.0, 1.9))
    rock.constraints.new("COPY_LOCATION").target = guide
    assert needs_sampling(rock) and not deforms(rock)
    scene.frame_set(3)
    obstacle, low = only(scene)
    assert scene.frame_current == 3
    heights = np.array([one.at[2] for one in obstacle.motion]) + low[2]
    assert heights == pytest.approx(np.linspace(1.0, 1.9, 10), abs=1e-5)
    rock.artfish.movement.spacing = 3
    assert [one.time * 24 for one in only(scene)[0].motion] == pytest.approx([0, 3, 6, 9], abs=1e-3)
    assert read(scene).scene.obstacles[0].motion is None  # where it stands now, until it is sampled


def test_a_mesh_that_deforms_is_sampled_vertex_by_vertex(scene, rock):
    rock.shape_key_add(name="Basis")
    block = rock.shape_key_add(name="Wide", from_mix=False)
    for point in block.data:
        point.co.x *= 2.0
    for frame, value in ((1, 0.0), (10, 1.0)):
        block.value = value
        block.keyframe_insert("value", frame=frame)
    assert deforms(rock)
    obstacle, _ = only(scene)
    wide = [np.ptp(np.array(one.vertices)[:, 0]) for one in obstacle.motion]
    assert len(wide) == 10 and wide[0] == pytest.approx(0.5) and wide[-1] == pytest.approx(1.0)
    assert (np.diff(wide) > 0).all()


def test_a_mesh_that_changes_its_number_of_vertices_is_one_clear_line(scene, rock):
    array = rock.modifiers.new("Array", "ARRAY")
    array.count = 1
    array.keyframe_insert("count", frame=1)
    array.count = 3
    array.keyframe_insert("count", frame=10)
    with pytest.raises(SceneError, match=r"^Diver: found .* vertices at frame .* allowed a mesh that keeps its number"):
        only(scene)
    assert scene.frame_current == 1


def test_an_upright_pillar_moves_as_one(scene):
    bpy.ops.artfish.add_shoal(species="clownfish", count=1)
    scene.frame_start, scene.frame_end = 1, 5
    bpy.ops.artfish.add_pillar()
    pillar = bpy.context.object
    here = tuple(pillar.location)
    key(pillar, 1, location=here)
    key(pillar, 5, location=(here[0] + 0.4, *here[1:]))
    pillar.artfish.movement.presence = "PREDATOR"
    obstacle, _ = only(scene)
    assert obstacle.kind == "cylinder" and len(obstacle.motion) == 5 and obstacle.presence == "predator"


def test_what_is_moved_by_hand_has_a_place_and_its_form(scene, rock):
    rock.artfish.movement.moves, rock.artfish.movement.presence = "HAND", "LURE"
    before = only(scene)[0]
    rock.location.x, rock.rotation_euler.z = 0.7, 0.5
    bpy.context.view_layer.update()
    after = only(scene)[0]
    assert before.presence == "lure" and len(before.motion) == len(after.motion) == 1
    assert before.vertices == after.vertices and before.motion != after.motion


@pytest.mark.parametrize("soft", [False, True])
def test_a_scene_file_with_what_moves_comes_back_as_it_was(scene, soft):
    corners = [[0.2 * i, 0.3 * j, 0.1 * k] for i in (-1, 1) for j in (-1, 1) for k in (-1, 1)]
    faces = [[0, 1, 3, 2], [4, 6, 7, 5], [0, 4, 5, 1], [2, 3, 7, 6], [0, 2, 6, 4], [1, 5, 7, 3]]
    motion = [{"time": 0, "at": [1, 1, 1]}, {"time": 1, "at": [2, 1, 1], "turn": [0, 0, 0, 1]}]
    if soft:
        wide = [[2 * x, y, z] for x, y, z in corners]
        motion = [{"time": 0, "vertices": corners}, {"time": 1, "vertices": wide}]
    box = {"kind": "mesh", "at": [1, 1, 1], "vertices": corners, "faces": faces, "name": "Hand", "presence": "predator"}
    group = {"species": "clownfish", "count": 1, "at": [3, 1, 1]}
    given = Scene.from_dict(
        {"tank": {"size": [4, 2, 2]}, "duration": 1.05, "fishes": [group], "obstacles": [{**box, "motion": motion}]}
    )
    write(scene, given)
    bpy.context.view_layer.update()
    obstacle, _ = only(scene)
    assert obstacle.name == "Hand" and obstacle.presence == "predator"
    first, last = obstacle.motion[0], obstacle.motion[24]
    assert last.time == pytest.approx(1.0)
    if soft:
        assert np.array(last.vertices)[:, 0] == pytest.approx(2 * np.array(first.vertices)[:, 0], abs=1e-4)
    else:
        assert last.at == pytest.approx((2, 1, 1), abs=1e-4) and np.abs(last.turn[3]) == pytest.approx(1.0, abs=1e-4)
