"""Directions, wants and events as objects: they are read as they were written, and keyed ones arrive keyed."""

import bpy
import numpy as np
import pytest
from mathutils import Matrix

from artfish import blender_artfish
from artfish.blender_artfish.blender.versions import channelbags
from artfish.blender_artfish.direction import keys
from artfish.blender_artfish.identity import keyed
from artfish.blender_artfish.identity.roles import objects_of
from artfish.blender_artfish.scene.reader import read
from artfish.blender_artfish.scene.writer import write
from artfish.core import Scene, SceneError

FISHES = [{"species": "clownfish", "count": 3, "at": [2, 2, 1]}, {"species": "sardine", "count": 5, "at": [4, 2, 1]}]
CORNERS = [[1, 1, 0.5], [3, 1, 0.5], [1, 3, 0.5], [1, 1, 1.5]]
FACES = [[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]]
DIRECTED = {
    "name": "scene",
    "duration": 5,
    "tank": {"size": [6, 4, 2]},
    "fishes": [FISHES[0], {**FISHES[1], "enters": 1.5}],
    "direction": [
        {"fishes": 0, "kind": "target", "at": [2, 2, 1], "strength": [[0.5, 0], [1, 1], [1, 0.5], [4, 0]]},
        {"fishes": 1, "kind": "target", "path": [[0, 1, 1, 1], [2, 2, 1, 1], [4, 2, 3, 1]], "radius": 0.5},
        {"fishes": 1, "member": 2, "kind": "curve", "points": [[1, 1, 1], [3, 2, 1], [5, 1, 1]], "closed": True},
        {"fishes": 0, "kind": "curve", "points": [[1, 1, 1], [3, 2, 1]], "start": 1, "duration": 3, "name": "Run"},
        {"fishes": 0, "kind": "curve", "points": [[1, 1, 1], [3, 3, 1]], "speed": 0.25, "name": "Path"},
        {"fishes": 1, "kind": "target", "at": [2, 3, 1], "speed": 0.5, "name": "There"},
        {"fishes": 0, "kind": "arrival", "at": [4, 2, 1], "time": 4, "stay": 1, "name": "Mark"},
        {"fishes": 1, "kind": "arrival", "at": [4, 3, 1], "time": 3, "start": 1, "heading": [0, 1, 0], "name": "Post"},
        {"fishes": 0, "kind": "region", "at": [3, 2, 1], "radius": 1.5, "strength": 0.7},
        {"fishes": 0, "kind": "region", "at": [3, 2, 1], "size": [2, 1, 1], "turn": 0.5, "inside": False},
        {"fishes": 1, "kind": "leader", "leader": 0, "leader_member": 1, "radius": 1},
        {"fishes": 1, "kind": "ball", "at": [3, 2, 1], "density": [[0, 0.5], [2, 1.5]], "milling": [[1, 0], [1, -0.8]]},
        {
            "fishes": 1,
            "kind": "ball",
            "path": [[0, 1, 1, 1], [4, 2, 3, 1]],
            "radius": [[0, 0.5], [3, 0.25]],
            "share": 0,
        },
        {
            "fishes": 1,
            "kind": "ball",
            "at": [3, 2, 1],
            "radius": [[0, 0.5], [3, 0.25]],
            "headed": True,
            "elongation": [[0, 1], [3, 2.5]],
            "flatness": 1.5,
            "turn": [[1, 0], [4, 7]],
            "climb": 0.3,
            "speed": [[0, 0.2], [2, 0.4]],
        },
        {"fishes": 1, "kind": "fill", "vertices": CORNERS, "faces": FACES, "path": [[0, 0, 0, 0], [3, 1, 0.5, 0]]},
        {"fishes": 0, "kind": "fill", "vertices": CORNERS, "faces": FACES, "density": 2, "order": 0.25},
        {"fishes": 1, "kind": "stream", "points": [[1, 1, 1], [3, 2, 1], [5, 1, 1]], "width": [[0, 0.5], [2, 1]]},
        {"fishes": 0, "kind": "stream", "points": [[1, 1, 1], [3, 2, 1]], "closed": True, "order": 0.5},
    ],
    "wants": [
        {"fishes": 0, "want": "libido", "keys": [[1, 0], [1, 1], [3, 0.5]], "until": 4},
        {"fishes": 1, "want": "hunger", "keys": 0.5},
    ],
    "events": [
        {"kind": "food", "time": 2, "at": [3, 2, 1], "count": 20},
        {"kind": "fright", "time": 3, "at": [1, 2, 1], "radius": 2},
    ],
}


@pytest.fixture(autouse=True)
def addon():
    """The add-on in an empty file."""
    blender_artfish.register()
    yield
    blender_artfish.unregister()


def shoal(count=2):
    bpy.ops.artfish.add_shoal(species="clownfish", count=count)
    return bpy.context.object


def add(kind):
    """A direction or an event as its button adds it."""
    bpy.ops.artfish.add_direction(kind=kind)
    return bpy.context.object


@pytest.mark.parametrize("origin", [(0, 0, 0), (3, -5, 2)])
def test_what_is_written_is_read_again(origin):
    directed = Scene.from_dict(DIRECTED)
    write(bpy.context.scene, directed, origin)
    bpy.context.view_layer.update()
    found = read(bpy.context.scene).scene
    for section in ("direction", "wants", "events"):
        for one, other in zip(getattr(found, section), getattr(directed, section), strict=True):
            assert flat(one) == pytest.approx(flat(other), abs=2e-3), (section, other)
    assert found.fishes[1].enters == 1.5


def flat(entry):
    """The numbers of an entry in a row, its words as they are hashed."""
    numbers = []

    def go(value):
        if isinstance(value, tuple | list):
            for each in value:
                go(each)
        elif isinstance(value, str):
            numbers.append(float(sum(map(ord, value))))
        else:
            numbers.append(-1.0 if value is None else float(value))

    go([getattr(entry, name) for name in entry.__dataclass_fields__])
    return numbers


def test_a_preset_without_direction_has_none():
    write(bpy.context.scene, Scene.load("go_fish"))
    bpy.context.view_layer.update()
    found = read(bpy.context.scene).scene
    assert (found.direction, found.wants, found.events) == ((), (), ())


def test_keyed_strength_arrives_as_it_plays():
    shoal()
    target = add("target")
    direction, scene = target.artfish.direction, bpy.context.scene
    for frame, value in ((10, 0.0), (34, 1.0)):
        direction.strength = value
        target.keyframe_insert(keys.STRENGTH_PATH, frame=frame)
    rows = read(scene).scene.direction[0].strength
    assert rows[0] == (pytest.approx(9 / 24), 0.0)
    assert rows[-1] == (pytest.approx(33 / 24), 1.0)
    (curve,) = (c for bag in channelbags(target) for c in bag.fcurves)
    seconds, values = np.array(rows).T
    for frame in range(1, 50):
        assert np.interp((frame - 1) / 24, seconds, values) == pytest.approx(curve.evaluate(frame), abs=1e-3)
    late = read(scene, first=-23).scene.direction[0].strength
    assert late[0][0] == pytest.approx(rows[0][0] + 1.0)


def test_who_is_led():
    one, other = shoal(), shoal()
    target = add("target")
    assert target.artfish.direction.fishes == other
    target.artfish.direction.fishes = None
    assert [entry.fishes for entry in read(bpy.context.scene).scene.direction] == [0, 1]
    direction = target.artfish.direction
    direction.fishes, direction.one_fish, direction.member = other, True, 1
    (entry,) = read(bpy.context.scene).scene.direction
    assert (entry.fishes, entry.member) == (1, 1)
    direction.member = 7
    with pytest.raises(SceneError, match=f"{target.name}.*allowed 0 to 1"):
        read(bpy.context.scene)
    direction.strength = 0.0
    assert not read(bpy.context.scene).scene.direction
    direction.strength, direction.one_fish = 1.0, False
    bpy.data.objects.remove(other)
    assert [entry.fishes for entry in read(bpy.context.scene).scene.direction] == [0]
    assert one in objects_of(bpy.context.scene, "SHOAL")


def test_a_shoal_follows_another():
    one, _ = shoal(), shoal()
    sign = add("leader")
    with pytest.raises(SceneError, match=f"{sign.name}: found nobody to follow"):
        read(bpy.context.scene)
    sign.artfish.direction.leader = one
    (entry,) = read(bpy.context.scene).scene.direction
    assert (entry.fishes, entry.leader) == (1, 0)


def test_own_curves_and_boxes_lead():
    shoal()
    bpy.ops.curve.primitive_bezier_circle_add(radius=0.5)
    ring = bpy.context.object
    ring.location = objects_of(bpy.context.scene, "TANK")[0].location
    bpy.ops.artfish.mark_direction(kind="curve")
    bpy.context.view_layer.update()
    (entry,) = read(bpy.context.scene).scene.direction
    assert entry.closed
    middle = np.array(read(bpy.context.scene).scene.tank.size) / 2
    assert np.linalg.norm(np.array(entry.points) - middle, axis=1) == pytest.approx(0.5, abs=2e-3)
    bpy.ops.mesh.primitive_cube_add(size=1.0)
    box = bpy.context.object
    box.location, box.scale = ring.location, (1.0, 0.5, 0.25)
    bpy.ops.artfish.mark_direction(kind="region")
    bpy.context.view_layer.update()
    region = read(bpy.context.scene).scene.direction[1]
    assert region.size == pytest.approx((1.0, 0.5, 0.25))


def test_the_frame_sets_the_time():
    scene = bpy.context.scene
    obj = shoal()
    scene.frame_current = 49
    bpy.ops.artfish.time_here()
    assert obj.artfish.shoal.enters == pytest.approx(2.0)
    food = add("food")
    assert food.artfish.food.time == pytest.approx(2.0)
    scene.frame_current = 25
    bpy.ops.artfish.time_here()
    assert read(scene).scene.events[0].time == pytest.approx(1.0)
    scene.frame_current = -5
    with pytest.raises(RuntimeError, match="before the film begins"):
        bpy.ops.artfish.time_here()


@pytest.mark.parametrize("mode", ["XYZ", "QUATERNION", "AXIS_ANGLE"])
def test_a_target_goes_where_its_parents_carry_it(mode):
    shoal()
    target, scene = add("target"), bpy.context.scene
    boat, sea = (bpy.data.objects.new(name, None) for name in ("boat", "sea"))
    scene.collection.objects.link(boat)
    scene.collection.objects.link(sea)
    target.parent, boat.parent = boat, sea
    target.location, sea.location, sea.scale = (0.4, 0.1, -0.2), (0.3, 0.2, 0.1), (1.5, 1.0, 0.8)
    target.matrix_parent_inverse = Matrix.Translation((0.1, 0.0, 0.0)) @ Matrix.Rotation(1.2, 4, "X")
    boat.rotation_mode = mode
    path = {"QUATERNION": "rotation_quaternion", "AXIS_ANGLE": "rotation_axis_angle"}.get(mode, "rotation_euler")
    for frame, place, turn in ((1, 0.0, 0.1), (20, 1.0, 1.3)):
        boat.location.x, target.location.z = place, 0.3 * place
        values = (0.2, 0.3, turn) if mode == "XYZ" else (turn, 0.2, 0.3, 0.5)
        setattr(boat, path, values)
        for owner, channel in ((boat, "location"), (boat, path), (target, "location")):
            owner.keyframe_insert(channel, frame=frame)
    found = read(scene)
    (entry,) = found.scene.direction
    at, *places = zip(*entry.path, strict=True)
    for frame in range(1, 21):
        scene.frame_set(frame)
        expected = [np.interp((frame - 1) / found.scene.fps, at, place) for place in places]
        # Places that are no farther off a line than CLOSE are left out; what is kept has six digits.
        assert np.abs(np.array(target.matrix_world.translation - found.origin) - expected).max() < 2 * keyed.LINE_ERROR
    assert len(entry.path) > 4  # an arc


def test_no_place_that_is_left_out_is_off_the_line():
    steps = np.random.default_rng(0).normal(0.0, 2e-4, (300, 3)).cumsum(axis=0)
    rows = np.column_stack([np.arange(300.0), steps.cumsum(axis=0)])
    kept = np.array(keyed.thinned(rows.tolist()))
    assert 2 < len(kept) < 250
    for axis in (1, 2, 3):
        played = np.interp(rows[:, 0], kept[:, 0], kept[:, axis])
        assert np.abs(played - rows[:, axis]).max() <= keyed.LINE_ERROR


def test_what_is_directed_is_felt():
    obj = shoal()
    wants = obj.artfish.wants
    assert not read(bpy.context.scene).scene.wants
    wants.use_fear, wants.fear, wants.use_until, wants.until = True, 0.8, True, 25
    (want,) = read(bpy.context.scene).scene.wants
    assert (want.want, want.keys, want.until) == ("fear", pytest.approx(0.8), 1.0)


def test_what_was_made_by_live_play_or_a_bake_cannot_lead():
    scene = bpy.context.scene
    shoal(1)
    scene.frame_end = 3
    bpy.ops.artfish.live_play("EXEC_DEFAULT")
    scene.frame_set(2)
    for done in (bpy.ops.artfish.live_end, None):
        bpy.context.view_layer.objects.active = next(obj for obj in scene.objects if "artfish_row" in obj)
        assert not bpy.ops.artfish.mark_direction.poll()
        if done is not None:
            done()
            bpy.ops.artfish.bake()


def test_an_empty_curve_is_named():
    shoal()
    way = add("curve")
    way.data.splines.clear()
    with pytest.raises(SceneError, match=way.name):
        read(bpy.context.scene)


def test_two_events_come_together():
    scene = bpy.context.scene
    scene.frame_end = 96
    obj = shoal(1)
    food, fright = add("food"), add("fright")
    food.artfish.food.time, fright.artfish.fright.time = 0.5, 2.0
    sync = scene.artfish.sync
    with pytest.raises(RuntimeError, match="may begin at another time"):
        bpy.ops.artfish.synchronise()
    sync.first.event, sync.second.event = "food", "fright"
    sync.first.start = food
    assert bpy.ops.artfish.synchronise() == {"FINISHED"}
    assert food.artfish.food.time == pytest.approx(2.0, abs=0.25)
    assert fright.artfish.fright.time == 2.0
    assert bpy.ops.artfish.synchronise() == {"CANCELLED"}
    sync.first.kind = "passes"
    with pytest.raises(RuntimeError, match="which shoal passes what place as the first"):
        bpy.ops.artfish.synchronise()
    sync.first.kind, sync.first.start = "event", obj
    sync.first.wants = True
    with pytest.raises(RuntimeError, match="found no wants"):
        bpy.ops.artfish.synchronise()


def test_keys_of_wants_are_shifted():
    scene = bpy.context.scene
    scene.frame_end = 120
    obj = shoal(1)
    wants = obj.artfish.wants
    wants.use_libido, wants.use_until, wants.until = True, True, 60
    for frame, value in ((13, 0.0), (25, 1.0)):
        wants.libido = value
        obj.keyframe_insert("artfish.wants.libido", frame=frame)
    from artfish.blender_artfish.direction import synchronising

    synchronising._shift(obj, "wants", 24.0, 1.0)
    (want,) = read(scene).scene.wants
    assert want.keys[0][0] == pytest.approx(1.5)
    assert want.until == pytest.approx(83 / 24)
