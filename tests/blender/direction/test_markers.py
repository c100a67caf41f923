"""Events on the timeline: marker and number agree after a change of either, and no other marker is touched."""

import bpy
import pytest

from artfish import blender_artfish
from artfish.blender_artfish.bake import history
from artfish.blender_artfish.blender import handlers as changes
from artfish.blender_artfish.direction import markers
from artfish.blender_artfish.identity.roles import objects_of
from artfish.blender_artfish.live.runtime import session_of
from artfish.blender_artfish.scene.reader import read
from artfish.core import Scene
from artfish.tests.blender.files import new_file


@pytest.fixture(autouse=True)
def addon():
    """The add-on in an empty file, at 24 frames a second from frame 1 on."""
    blender_artfish.register()
    yield
    new_file()
    blender_artfish.unregister()


def shoal(species="clownfish"):
    bpy.ops.artfish.add_shoal(species=species, count=2)
    return bpy.context.object


def event(kind, seconds):
    bpy.ops.artfish.add_direction(kind=kind)
    obj = bpy.context.object
    getattr(obj.artfish, kind).time = seconds
    return obj


def hook(seconds):
    bpy.ops.artfish.add_thing(kind="HOOK")
    bpy.context.object.artfish.hook.start = seconds
    return bpy.context.object


def show(on=True):
    bpy.context.scene.artfish.timeline = on


def shown(scene=None):
    """Names and frames of all markers of a scene."""
    return {marker.name: marker.frame for marker in (scene or bpy.context.scene).timeline_markers}


def marker(name="Food falls"):
    return bpy.context.scene.timeline_markers[name]


def update():
    """Has Blender take in changes, as a script does."""
    bpy.context.view_layer.update()


@pytest.fixture
def food():
    """Food that falls two seconds into the film, shown on the timeline."""
    shoal()
    obj = event("food", 2.0)
    show()
    return obj


# --- what is shown ------------------------------------------------------------------------------------------------


def test_each_event_stands_at_its_frame_under_its_name():
    shoal()
    shark = shoal("reef_shark")
    shark.name = "Shark"
    shark.artfish.shoal.enters = 5.0
    event("food", 2.0)
    event("fright", 3.0).name = "Boat"
    hook(1.0)
    assert not shown()
    show()
    expected = {"Shark enters": 121, "Food falls": 49, "Boat scares": 73, "Hook drops": 25}
    assert shown() == expected
    assert not any(each.select for each in bpy.context.scene.timeline_markers)
    show(False)
    assert not shown()
    show()
    assert shown() == expected


def test_a_curve_stands_there_once_it_begins_later(food):
    bpy.ops.artfish.add_direction(kind="curve")
    assert "Way leads" not in shown()
    bpy.context.object.artfish.curve.start = 1.0
    assert shown()["Way leads"] == 25
    bpy.ops.artfish.add_direction(kind="target")
    assert len(shown()) == 2


def test_what_is_added_while_events_are_shown_is_shown():
    shoal()
    show()
    bpy.context.scene.frame_current = 49
    bpy.ops.artfish.add_direction(kind="food")
    assert shown() == {"Food falls": 49}


def test_only_the_hook_that_counts_is_shown(food):
    first = hook(1.0)
    other = first.copy()
    other.name = "Other"
    bpy.context.scene.collection.objects.link(other)
    update()
    assert shown() == {"Food falls": 49, "Hook drops": 25}
    bpy.data.objects.remove(first)
    update()
    assert shown() == {"Food falls": 49, "Other drops": 25}


# --- who follows whom ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("moved", ["food", "fright", "hook", "shoal", "curve"])
def test_the_time_follows_a_marker_that_was_moved(moved):
    swarm, ways = shoal(), {}
    ways["shoal"] = swarm, swarm.artfish.shoal, "enters"
    bpy.ops.artfish.add_direction(kind="curve")
    ways["curve"] = bpy.context.object, bpy.context.object.artfish.curve, "start"
    for kind in ("food", "fright"):
        obj = event(kind, 1.0)
        ways[kind] = obj, getattr(obj.artfish, kind), "time"
    obj = hook(1.0)
    ways["hook"] = obj, obj.artfish.hook, "start"
    obj, group, name = ways[moved]
    setattr(group, name, 1.0)
    show()
    (one,) = [each for each in bpy.context.scene.timeline_markers if each.name.startswith(obj.name)]
    one.frame = 97
    update()
    assert getattr(group, name) == pytest.approx(4.0)
    assert one.frame == 97


def test_who_reads_the_scene_sees_what_the_markers_say(food, tmp_path):
    marker().frame = 25
    assert read(bpy.context.scene).scene.events[0].time == food.artfish.food.time == 2.0  # reading changes nothing
    update()
    assert read(bpy.context.scene).scene.events[0].time == pytest.approx(1.0)
    marker().frame = 73
    path = str(tmp_path / "scene.json")
    bpy.ops.artfish.save_scene(filepath=path)
    assert Scene.load(path).events[0].time == pytest.approx(3.0)
    marker().frame = 97
    bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "scene.blend"))
    assert food.artfish.food.time == pytest.approx(4.0)


def test_live_play_and_a_bake_see_what_the_markers_say(food):
    scene = bpy.context.scene
    scene.frame_end = 8
    bpy.ops.artfish.live_play()
    scene.frame_set(2)
    marker().frame = 4
    for frame in range(3, 6):
        scene.frame_set(frame)
    assert [event["frame"] for event in session_of(scene).recording().events if event["kind"] == "food"] == [3]
    marker().frame = 6
    bpy.ops.artfish.bake()
    baked = history.recording(history.last(scene).id)
    assert [event["frame"] for event in baked.events if event["kind"] == "food"] == [5]


def test_the_marker_follows_the_number(food):
    food.artfish.food.time = 3.0
    assert shown() == {"Food falls": 73}
    bpy.context.scene.frame_current = 25
    bpy.ops.artfish.time_here()
    assert shown() == {"Food falls": 25}


def test_the_marker_follows_frame_rate_and_beginning_of_the_film(food):
    scene = bpy.context.scene
    scene.render.fps = 30
    update()
    assert shown() == {"Food falls": 61}
    scene.frame_start = 101
    update()
    assert shown() == {"Food falls": 161}
    scene.render.fps, scene.render.fps_base = 30, 1.001
    update()
    assert shown() == {"Food falls": 161}
    assert food.artfish.food.time == 2.0


def test_the_beginning_is_that_of_the_bake(food):
    scene = bpy.context.scene
    scene.artfish.bake.own_range, scene.artfish.bake.first = True, 11
    marker().frame = 59
    assert read(scene, 11).scene.events[0].time == pytest.approx(2.0)
    scene.frame_current = 35
    bpy.ops.artfish.time_here()
    assert food.artfish.food.time == pytest.approx(1.0)
    assert shown() == {"Food falls": 35}


def test_a_time_between_two_frames_stays_until_the_marker_is_moved(food):
    food.artfish.food.time = 2.01
    for _ in range(3):
        update()
        read(bpy.context.scene)
    assert food.artfish.food.time == pytest.approx(2.01)
    assert shown() == {"Food falls": 49}


def test_nothing_happens_before_the_film(food):
    marker().frame = -20
    update()
    assert food.artfish.food.time == 0.0
    assert shown() == {"Food falls": 1}


def test_who_was_dragged_to_the_first_frame_can_be_dragged_away_again():
    swarm = shoal()
    swarm.artfish.shoal.enters = 2.0
    show()
    marker("Clownfish enters").frame = 1
    update()
    assert swarm.artfish.shoal.enters == 0.0
    marker("Clownfish enters").frame = 25
    update()
    assert swarm.artfish.shoal.enters == pytest.approx(1.0)


def test_a_name_follows_its_object_and_else_is_the_animator_s(food):
    marker().name = "Dinner"
    update()
    food.artfish.food.time = 3.0
    assert shown() == {"Dinner": 73}
    food.name = "Crumb"
    update()
    assert shown() == {"Crumb falls": 73}


def test_the_marker_goes_with_its_event(food):
    other = event("fright", 1.0)
    bpy.data.objects.remove(food)
    update()
    assert shown() == {"Fright scares": 25}
    other.artfish.event = "food"
    assert set(shown()) == {"Fright falls"}
    bpy.ops.artfish.remove()
    assert not shown()


def test_undo_takes_back_what_followed_a_marker(food):
    def state():
        settings = bpy.data.objects["Food"].artfish
        return settings.food.time, settings.on_timeline, shown()

    before = (2.0, True, {"Food falls": 49})
    bpy.ops.ed.undo_push(message="before")
    marker().frame = 73
    bpy.ops.ed.undo_push(message="moved")
    update()
    assert state() == (3.0, True, {"Food falls": 73})
    bpy.ops.ed.undo()
    assert state() == before
    bpy.ops.ed.redo()
    assert state() == (3.0, True, {"Food falls": 73})
    bpy.ops.ed.undo()
    bpy.context.scene.timeline_markers.remove(marker())
    bpy.ops.ed.undo_push(message="deleted")
    markers.follow(bpy.context.scene)
    assert state() == (2.0, False, {})
    bpy.ops.ed.undo()
    assert state() == before
    bpy.ops.ed.redo()
    assert state() == (2.0, False, {})


# --- markers that are deleted, and those of others ----------------------------------------------------------------


def test_an_event_whose_marker_was_deleted_keeps_its_time_and_can_be_put_back(food):
    scene = bpy.context.scene
    scene.timeline_markers.remove(marker())
    markers.follow(scene)
    assert not food.artfish.on_timeline
    assert read(scene).scene.events[0].time == 2.0
    show(False)
    show()
    food.artfish.food.time = 3.0
    assert not shown()
    food.artfish.on_timeline = True
    assert shown() == {"Food falls": 73}
    food.artfish.on_timeline = False
    assert not shown()


def test_markers_of_the_animator_stay_as_they_are(food):
    scene = bpy.context.scene
    own = scene.timeline_markers.new("Food falls", frame=10)
    update()
    own.frame = 12
    update()
    food.artfish.food.time = 1.0
    show(False)
    assert shown() == {"Food falls": 12}
    assert food.artfish.food.time == 1.0
    assert own.select


def test_a_copy_of_a_marker_is_the_animator_s():
    shoal()
    food = event("food", 2.0)
    show()
    scene = bpy.context.scene
    copy = scene.timeline_markers.new("Copy", frame=60)
    copy.artfish = marker().artfish  # as Blender duplicates a marker
    update()
    assert food.artfish.food.time == 2.0
    assert shown() == {"Food falls": 49, "Copy": 60}
    show(False)
    assert shown() == {"Copy": 60}


def test_a_marker_that_switches_cameras_stays(food):
    camera = bpy.data.objects.new("Camera", bpy.data.cameras.new("Camera"))
    bpy.context.scene.collection.objects.link(camera)
    marker().camera = camera
    food.artfish.food.time = 1.0
    assert shown() == {"Food falls": 25}
    bpy.data.objects.remove(food)
    update()
    assert shown() == {"Food falls": 25}
    show(False)
    assert shown() == {"Food falls": 25}


# --- copies, scenes and files -------------------------------------------------------------------------------------


def test_a_copied_event_has_a_marker_of_its_own(food):
    copy = food.copy()
    bpy.context.scene.collection.objects.link(copy)
    update()
    assert shown() == {"Food falls": 49, "Food.001 falls": 49}
    marker("Food.001 falls").frame = 73
    update()
    assert (food.artfish.food.time, copy.artfish.food.time) == pytest.approx((2.0, 3.0))


@pytest.mark.parametrize("kind", ["LINK_COPY", "FULL_COPY"])
def test_a_copy_of_a_scene_has_markers_of_its_own(food, kind):
    scene = bpy.context.scene
    bpy.ops.scene.new(type=kind)
    copy = bpy.context.scene
    copy.frame_start = 11
    (other,) = copy.timeline_markers
    other.frame = 35
    update()
    (obj,) = objects_of(copy, "EVENT")
    assert obj.artfish.food.time == pytest.approx(1.0)
    bpy.context.window.scene = scene
    update()
    assert list(shown(scene).values()) == ([25] if kind == "LINK_COPY" else [49])
    assert list(shown(copy).values()) == [35]
    assert (obj == food) == (kind == "LINK_COPY")


def test_an_event_shared_by_scenes_has_a_marker_in_each(food):
    scene, other = bpy.context.scene, bpy.data.scenes.new("Other")
    other.collection.objects.link(food)
    bpy.context.window.scene = other
    shoal()
    later = event("food", 4.0)
    show()
    assert sorted(shown(other).values()) == [49, 97]
    marker("Food falls").frame = 73
    update()
    bpy.context.window.scene = scene
    update()
    assert (shown(scene), food.artfish.food.time) == ({"Food falls": 73}, pytest.approx(3.0))
    assert later.artfish.food.time == 4.0


def with_camera(mark):
    camera = bpy.data.objects.new("Camera", bpy.data.cameras.new("Camera"))
    bpy.context.scene.collection.objects.link(camera)
    mark.camera, mark.name = camera, "Cut"
    return camera


@pytest.mark.parametrize("cut", ["Mine", "Other"])
def test_an_event_from_another_file_has_a_marker_of_its_own(food, tmp_path, cut):
    food.name = "Theirs"
    update()
    path = str(tmp_path / "theirs.blend")
    bpy.ops.wm.save_as_mainfile(filepath=path)
    new_file()
    shoal(), shoal()  # what is put in later comes after theirs in order
    mine, other = event("food", 5.0), event("fright", 6.0)
    mine.name, other.name = "Mine", "Other"
    show()
    camera = with_camera(marker("Mine falls" if cut == "Mine" else "Other scares"))
    before = shown()
    with bpy.data.libraries.load(path) as (_, loaded):
        loaded.objects = ["Theirs"]
    bpy.context.scene.collection.objects.link(bpy.data.objects["Theirs"])
    update()
    assert shown() == before | {"Theirs falls": 49}
    assert marker("Cut").camera == camera
    marker("Cut").frame = 201
    update()
    times = (mine.artfish.food.time, other.artfish.fright.time, bpy.data.objects["Theirs"].artfish.food.time)
    assert times == pytest.approx((200 / 24, 6.0, 2.0) if cut == "Mine" else (5.0, 200 / 24, 2.0))


def test_an_event_that_comes_to_another_scene_keeps_its_marker_here_and_leaves_those_there_alone():
    shoal()
    food, fright = event("food", 2.0), event("fright", 4.0)
    show()
    here = bpy.context.scene
    with_camera(marker("Fright scares"))
    marker("Food falls").name = "Dinner"
    update()
    before = shown(here)
    there = bpy.data.scenes.new("There")
    bpy.context.window.scene = there
    shoal()
    second = event("food", 1.0)
    second.name = "Second"
    show()
    with_camera(marker("Second falls"))
    there.collection.objects.link(food)
    update()
    assert shown(here) == before == {"Dinner": 49, "Cut": 97} and here.timeline_markers["Cut"].camera
    assert shown(there) == {"Cut": 25, "Food falls": 49} and there.timeline_markers["Cut"].camera
    here.timeline_markers["Dinner"].frame = 73
    here.timeline_markers["Cut"].frame = 121
    there.timeline_markers["Cut"].frame = 49
    update()
    times = (food.artfish.food.time, fright.artfish.fright.time, second.artfish.food.time)
    assert times == pytest.approx((3.0, 5.0, 2.0))
    assert shown(there) == {"Cut": 49, "Food falls": 73}


def test_a_scene_that_is_loaded_brings_its_own_events(food, tmp_path):
    scene = bpy.context.scene
    scene.timeline_markers.new("Mine", frame=5)
    path = str(tmp_path / "scene.json")
    bpy.ops.artfish.save_scene(filepath=path)
    marker().frame = 97
    bpy.ops.artfish.load_scene(filepath=path)
    assert shown() == {"Food falls": 49, "Mine": 5}
    bpy.ops.artfish.load_preset(preset="reef")
    reef = Scene.load("reef")
    late = [group for group in reef.fishes if group.enters > 0]
    assert len(shown()) == 1 + len(reef.events) + len(late) + (reef.hook is not None)
    assert shown()["Mine"] == 5


def test_a_file_goes_to_and_fro_between_those_with_and_without_the_add_on(food, tmp_path):
    path = str(tmp_path / "there.blend")
    bpy.ops.wm.save_as_mainfile(filepath=path)
    blender_artfish.unregister()
    try:
        bpy.ops.wm.open_mainfile(filepath=path)
        assert shown() == {"Food falls": 49}
        marker().frame = 25
        bpy.ops.wm.save_as_mainfile(filepath=path)
    finally:
        blender_artfish.register()
    bpy.ops.wm.open_mainfile(filepath=path)
    update()
    (obj,) = objects_of(bpy.context.scene, "EVENT")
    assert obj.artfish.food.time == pytest.approx(1.0)
    obj.artfish.food.time = 3.0
    assert shown() == {"Food falls": 73}


def test_linked_events_have_no_marker(food, tmp_path):
    path = str(tmp_path / "lent.blend")
    bpy.ops.wm.save_as_mainfile(filepath=path)
    new_file()
    with bpy.data.libraries.load(path, link=True) as (_, here):
        here.objects = ["Food"]
    bpy.context.scene.collection.objects.link(here.objects[0])
    show()
    update()
    assert not shown()


def test_a_window_s_timer_looks_as_long_as_events_are_shown(food):
    assert markers._tick() == markers.LOOK
    marker().frame = 25
    assert markers._tick() == markers.LOOK
    assert food.artfish.food.time == pytest.approx(1.0)
    show(False)
    assert markers._tick() is None


def test_nothing_is_left_once_it_is_switched_off(food):
    blender_artfish.unregister()
    try:
        handlers = [name for name in vars(type(bpy.app.handlers)) if isinstance(getattr(bpy.app.handlers, name), list)]
        left = [each for name in handlers for each in getattr(bpy.app.handlers, name)]
        assert not [each for each in left if each.__module__ == markers.__name__]
        assert not changes.listeners
        assert "artfish" not in bpy.types.TimelineMarker.bl_rna.properties
        assert shown() == {"Food falls": 49}
    finally:
        blender_artfish.register()
