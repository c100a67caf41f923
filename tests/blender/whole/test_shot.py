"""A shot as an animator has it, by the panels' operators: a set of one's own, a school on time, a shark on cue.

Then one shoal is thought better of, and all others stay as they were.
"""

from __future__ import annotations

import bpy
import numpy as np
import pytest

from artfish import blender_artfish
from artfish.blender_artfish.bake import history
from artfish.blender_artfish.blender.versions import channelbags
from artfish.blender_artfish.identity import provenance
from artfish.core.behavior.ways import WayCurve
from artfish.tests.blender.files import new_file

pytestmark = [pytest.mark.film, pytest.mark.long]

LAST = 240
CUE = 160
SARDINES = 40
WAY = ((-3.2, -0.6, 1.5), (-1.4, 0.1, 1.5), (0.0, -0.2, 1.6), (1.0, 0.2, 1.5))
BEGIN, FRAMES = 25, 192  # when the curve leads, and for how many frames
MARK = (-4.4, -2.3, 1.5)


@pytest.fixture
def scene():
    """An empty file with the add-on, at 24 frames a second."""
    new_file()
    blender_artfish.register()
    bpy.context.scene.render.fps = 24
    bpy.context.scene.frame_start, bpy.context.scene.frame_end = 1, LAST
    yield bpy.context.scene
    blender_artfish.unregister()
    history.clear()
    new_file()


def select(*objects):
    for obj in bpy.context.scene.objects:
        obj.select_set(obj in objects)
    bpy.context.view_layer.objects.active = objects[0]


def block(name, at, scale):
    bpy.ops.mesh.primitive_cube_add(size=1.0, location=at)
    obj = bpy.context.object
    obj.name, obj.scale = name, scale
    return obj


def shoal(species, count, at, turn=0.0):
    bpy.ops.artfish.add_shoal(species=species, count=count)
    obj = bpy.context.object
    obj.location, obj.rotation_euler = at, (0.0, 0.0, turn)
    obj.artfish.shoal.use_heading = True
    return obj


def set_up(scene):
    """Water, a wall, amphorae and a keyed boat; forty sardines on a curve, a shark on cue, and six butterflyfish."""
    select(block("Water", (0, 0, 2), (14, 9, 4)))
    bpy.ops.artfish.mark(kind="TANK")
    wall, boat = block("Wall", (3.0, 2.6, 0.6), (3.0, 0.3, 1.2)), block("Boat", (-5, 2.6, 3.5), (1.2, 0.5, 0.3))
    boat.keyframe_insert("location", frame=1)
    boat.location.x = 5.0
    boat.keyframe_insert("location", frame=LAST)
    jars = []
    for number in range(3):
        bpy.ops.mesh.primitive_cylinder_add(radius=0.22, depth=0.6, location=(0.5 + 0.9 * number, -2.9, 0.3))
        jars.append(bpy.context.object)
    select(wall, boat, *jars)
    assert bpy.ops.artfish.mark(kind="OBSTACLE") == {"FINISHED"}
    butterflyfish = shoal("butterflyfish", 6, (1.4, -2.7, 1.0))
    sardines, shark = shoal("sardine", SARDINES, (-3.8, -0.7, 1.5)), shoal("reef_shark", 1, (6.4, -2.6, 1.6), np.pi)
    sardines.artfish.shoal.spread, shark.artfish.shoal.type = 0.4, "pacifist"
    for one in (sardines, shark, butterflyfish):
        one.artfish.wants.use_hunger = True
    select(sardines)
    bpy.ops.artfish.add_direction(kind="curve")
    curve = bpy.context.object
    curve.name, curve.location = "Path", (0.0, 0.0, 0.0)
    for point, at in zip(curve.data.splines[0].bezier_points, WAY, strict=True):
        point.handle_left_type = point.handle_right_type = "VECTOR"
        point.co = at
    timing = curve.artfish.curve
    timing.start_in_frames, timing.use_duration, timing.duration_in_frames = BEGIN, True, FRAMES
    select(shark)
    bpy.ops.artfish.add_direction(kind="arrival")
    mark = bpy.context.object
    mark.name, mark.location = "Mark", MARK
    mark.artfish.arrival.time_in_frames = CUE
    return butterflyfish


def fishes_of(scene, species):
    return [
        obj
        for obj in scene.objects
        if provenance.of(obj, provenance.BAKE) and obj.type in ("SURFACE", "MESH") and species in obj.name
    ]


def keys(obj):
    """All keys of an object, of its data and of its shape keys, as bytes."""
    found = []
    for one in (obj, obj.data, getattr(obj.data, "shape_keys", None)):
        for bag in channelbags(one) if getattr(one, "animation_data", None) else ():
            for curve in bag.fcurves:
                places = np.empty(2 * len(curve.keyframe_points), np.float32)
                curve.keyframe_points.foreach_get("co", places)
                found.append((curve.data_path, curve.array_index, places.tobytes()))
    return found


def test_the_school_and_the_shark_are_on_time_and_one_shoal_is_changed(scene):
    butterflyfish = set_up(scene)
    scene.artfish.bake.form = "points"
    assert bpy.ops.artfish.bake() == {"FINISHED"}
    recording = history.recording(history.last(scene).id)
    names, places = np.array(recording.species), recording.nodes.mean(axis=2).astype(float) + (-7.0, -4.5, 0.0)

    way, length = WayCurve(WAY, False), np.median(recording.body_length[names == "sardine"])
    middle = places[:, names == "sardine"].mean(axis=1)
    shares = np.linspace(0.5, 1.0, 9)
    frames = np.round(BEGIN - 1 + shares * FRAMES).astype(int)
    off = np.linalg.norm(middle[frames] - way.at(shares * way.length), axis=1) / length
    assert np.median(off) < 3.0  # of forty that keep room for each other, over the last half
    spread = np.linalg.norm(places[frames][:, names == "sardine"] - middle[frames, None], axis=-1)
    assert np.percentile(spread, 95) < 12.0 * length

    shark = int(np.flatnonzero(names == "reef_shark")[0])
    from_the_mark = np.linalg.norm(places[:, shark] - MARK, axis=1) / recording.body_length[shark]
    assert from_the_mark[CUE - 1] < 1.0
    (arrived,) = [event for event in recording.events if event["kind"] == "arrived" and event["fish"] == shark]
    assert abs(arrived["late"]) < 0.25 + 0.5 / 24

    others = fishes_of(scene, "Sardine") + fishes_of(scene, "Reef shark")
    assert len(others) > SARDINES
    before = {obj.name: keys(obj) for obj in others}
    old = [keys(obj) for obj in fishes_of(scene, "utterflyfish")]
    assert len(old) >= 6 and all(before.values())
    butterflyfish.artfish.shoal.spread = 1.2  # thought better of
    select(butterflyfish)
    assert bpy.ops.artfish.bake(scope="SELECTED") == {"FINISHED"}
    assert {obj.name: keys(obj) for obj in others} == before
    assert [keys(obj) for obj in fishes_of(scene, "utterflyfish")] != old
