"""Objects of live fishes: shown in their places, made again where they are gone, and an animator's left alone."""

import bpy
import numpy as np
import pytest

from artfish.blender_artfish.identity.references import is_ours
from artfish.blender_artfish.live import puppets, timer
from artfish.blender_artfish.live.runtime import row_of, session_of
from artfish.blender_artfish.live.texts import notice_text
from artfish.core.body.anatomy import NOSE_NODE
from artfish.tests.blender.live.tank import (
    FISHES,
    delete,
    duplicate,
    fishes,
    go,
    ours,
    ridden,
    shoal,
    step,
    vertices,
)


@pytest.mark.parametrize(
    "preset", ["reef", "go_fish", *(pytest.param(preset, marks=pytest.mark.large) for preset in ("cousto", "feeding"))]
)
def test_everything_in_the_water_is_shown(scene, preset):
    bpy.ops.artfish.load_preset(preset=preset)
    bpy.ops.artfish.live_play()
    session = session_of(scene)
    go(2)
    frame = session.rehearsal[1]
    assert len(session.fishes) == len(session.world.species) and all(session.fishes)
    parts = {obj.get(puppets.PART_PROPERTY): obj for obj in ours() if puppets.PART_PROPERTY in obj}
    for name, key in (("Plankton", "plankton"), ("Bubbles", "bubbles"), ("Seaweed", "seaweed"), ("Line", "hook")):
        assert (name in parts) == bool(len(frame[key])), name
    origin = np.array(session.origin)
    if "Plankton" in parts:
        centres = vertices(parts["Plankton"]).reshape(-1, 6, 3).mean(axis=1)
        assert np.allclose(centres, frame["plankton"], atol=1e-5)
    if "Bubbles" in parts:
        across = np.ptp(vertices(parts["Bubbles"]).reshape(-1, 6, 3)[:, :, 2], axis=1)
        there = frame["bubbles_alive"]
        assert np.allclose(across, np.where(there, session.recording().bubbles_size, 0.0), atol=1e-5)
    if "Seaweed" in parts:
        middles = vertices(parts["Seaweed"]).reshape(*frame["seaweed"].shape[:2], 2, 3).mean(axis=2)
        assert np.allclose(middles, frame["seaweed"], atol=1e-5)
    if "Line" in parts:
        assert np.allclose(parts["Hook"].location, frame["hook"][-1] + origin, atol=1e-5)


def test_bait_that_is_taken_is_not_seen(scene):
    bpy.ops.artfish.load_preset(preset="go_fish")
    bpy.ops.artfish.live_play()
    session = session_of(scene)
    (bait,) = (obj for obj in ours() if obj.get(puppets.PART_PROPERTY) == "Bait")
    hangs = dict(session.rehearsal[0])
    taken = {**hangs, "nodes": hangs["nodes"].copy()}
    taken["nodes"][0, NOSE_NODE] = hangs["hook"][-1]
    for frame, hidden in ((hangs, False), (taken, True), (hangs, False)):
        session.puppets.show(frame)
        assert (bait.hide_viewport, bait.hide_render) == (hidden, hidden)
    bpy.data.objects.remove(bait)
    session.puppets.show(taken)


def test_what_the_user_does_to_the_objects(scene, session):
    go(3)
    session.fishes[0].root.name = "Nemo"
    bpy.data.objects.remove(session.fishes[1].root)
    session.fishes[2].root.data.clear_geometry()
    bpy.data.collections[puppets.LIVE_COLLECTION].name = "Mine"
    go(4)
    assert session.shown == 3 and session.fishes[0].root.name == "Nemo" and session.fishes[1] is None
    assert notice_text(session.notice) == "2 fishes were deleted and swim on unseen: begin anew to see all"
    bpy.ops.artfish.live_restart()
    assert all(session.fishes) and session.notice is None
    for obj in ours():
        bpy.data.objects.remove(obj)
    bpy.data.collections.remove(session.puppets.collection)
    go(5)
    assert session.shown == 4 and session.is_stripped(scene) and not ours()
    bpy.ops.artfish.live_play()
    assert all(session.fishes) and len(fishes()) == FISHES and session.notice is None and session.shown == 4
    bpy.data.collections.remove(session.puppets.collection)  # which takes its objects out of the scene, and no farther
    assert session.is_stripped(scene) and len(fishes()) == FISHES
    before = len(bpy.data.objects)
    bpy.ops.artfish.live_play()
    assert all(fish.root.name in scene.objects for fish in session.fishes) and len(bpy.data.objects) == before


def test_a_deleted_fish_that_undo_brings_back_swims_on(scene, session):
    go(5)
    name = session.fishes[0].root.name
    delete(session.fishes[0].root)
    go(10)
    assert session.fishes[0] is None and notice_text(session.notice).startswith("A fish was deleted")
    bpy.ops.ed.undo()
    go(11)
    before = session.fishes[0].root.location.copy()
    assert session.notice is None and len(fishes()) == FISHES
    go(30)
    assert session.fishes[0].root.name == name and (session.fishes[0].root.location - before).length > 0.01
    bpy.ops.ed.redo()
    go(31)
    assert (
        session.fishes[0] is None
        and notice_text(session.notice).startswith("A fish was deleted")
        and len(fishes()) == FISHES - 1
    )


def test_all_fishes_deleted_and_back_swim_on(scene, session):
    go(5)
    delete(*ours())
    go(10)
    assert session.is_stripped(scene)
    bpy.ops.ed.undo()
    go(30)
    assert all(session.fishes) and session.notice is None and len(fishes()) == FISHES


def test_deleted_food_that_undo_brings_back_is_shown_again(scene, session):
    go(5)
    bpy.ops.artfish.feed(location=(0, 0, 1), count=7)
    step("Feed")
    (food,) = (obj for obj in ours() if obj.get(puppets.PART_PROPERTY) == "Plankton")
    delete(food)
    go(10)
    bpy.ops.ed.undo()
    go(30)
    (food,) = (obj for obj in ours() if obj.get(puppets.PART_PROPERTY) == "Plankton")
    centres = vertices(food).reshape(-1, 6, 3).mean(axis=1)
    assert np.allclose(centres, session.rehearsal[29]["plankton"], atol=1e-5)


def test_who_is_hidden_by_hand_stays_hidden(scene, session):
    go(5)
    session.fishes[0].root.hide_viewport = True
    step("Hide")
    bpy.context.scene.artfish_live.count = 3
    step("Something else")
    bpy.ops.ed.undo()
    go(6)
    fish = session.fishes[0].root
    assert fish.hide_viewport and not fish.hide_render
    eaten = dict(session.rehearsal[5])
    for alive in (False, True):
        eaten["alive"] = np.full(FISHES, alive)
        session.puppets.show(eaten)
        assert (fish.hide_viewport, fish.hide_render) == (True, not alive)


@pytest.mark.parametrize("kept", [True, False])
def test_food_finds_a_place_where_our_collection_was_deleted(scene, session, kept):
    go(4)
    home = session.puppets.collection
    for obj in list(home.objects):
        if kept:
            scene.collection.objects.link(obj)
        else:
            bpy.data.objects.remove(obj)
    bpy.data.collections.remove(home)
    go(5)
    assert bpy.ops.artfish.feed(location=(0, 0, 1), count=7) == {"FINISHED"}
    go(6)
    (food,) = (obj for obj in scene.objects if obj.get(puppets.PART_PROPERTY) == "Plankton")
    assert session.shown == 5 and len(food.data.vertices) == 6 * len(session.rehearsal[5]["plankton"])
    bpy.ops.artfish.live_play()
    assert all(fish.root.name in scene.objects for fish in session.fishes)


@pytest.mark.parametrize("played", [True, False])
def test_a_linked_copy_of_the_scene_leaves_its_fishes_alone(scene, session, played):
    go(5)
    bpy.ops.scene.new(type="LINK_COPY")
    copy = bpy.context.scene
    assert copy != scene and session.fishes[0].root.name in copy.objects
    if played:
        other = timer.begin(copy)
        copy.frame_set(5)
        assert len([obj for obj in copy.objects if puppets.ROW in obj]) == FISHES
        assert not {fish.root for fish in other.fishes} & {fish.root for fish in session.fishes}
    timer.end(copy)
    scene.frame_set(9)
    assert all(fish.root.name in scene.objects for fish in session.fishes) and session.notice is None
    assert not [obj for obj in copy.objects if puppets.ROW in obj]


def test_what_refers_to_a_fish_goes_on_with_that_of_its_row(scene, session):
    go(5)
    camera, rider, watcher = ridden(session)
    go(6)
    eye = np.array(camera.matrix_basis)
    shoal().artfish.shoal.count = FISHES + 2
    go(7)
    fish = session.fishes[0].root
    assert fish.name == fish.data.name == "Clownfish 01" and len(session.fishes) == FISHES + 2
    assert camera.parent == rider.parent == watcher.constraints[0].target == fish
    assert scene.camera == camera and np.array_equal(np.array(camera.matrix_basis), eye)


def test_what_the_scene_itself_refers_to_goes_on_with_the_fish_of_its_row(scene, session):
    go(2)
    camera, kept = session.fishes[0].root, session.fishes[1].root
    home = bpy.data.collections.new("Favourites")
    home.objects.link(session.fishes[2].root)
    scene.collection.children.link(home)
    scene.camera, scene["favourite"] = camera, kept
    shoal().artfish.shoal.pace = 2.0
    bpy.context.view_layer.update()
    go(3)
    after = session_of(scene).fishes
    assert scene.camera == after[0].root and scene["favourite"] == after[1].root
    assert list(home.objects) == [after[2].root]


def test_what_rode_on_a_fish_stays_where_it_was_when_live_play_ends(scene, session):
    go(5)
    camera, rider, watcher = ridden(session)
    go(6)
    bpy.context.view_layer.update()
    before = [np.array(obj.matrix_world) for obj in (camera, rider)]
    bpy.ops.artfish.live_end()
    bpy.context.view_layer.update()
    empty = scene.collection.objects["Clownfish 01"]
    assert empty.type == "EMPTY" and rider.parent == camera.parent == watcher.constraints[0].target == empty
    for obj, place in zip((camera, rider), before, strict=True):
        assert np.allclose(np.array(obj.matrix_world), place, atol=1e-5)
    bpy.ops.artfish.live_end()  # and once more takes the empty away
    bpy.context.view_layer.update()
    assert not ours()
    for obj, place in zip((camera, rider), before, strict=True):
        assert obj.parent is None and np.allclose(np.array(obj.matrix_world), place, atol=1e-5)
    assert camera.artfish_eye.pan == pytest.approx(0.3)


def test_what_rode_on_a_fish_rides_again_when_live_play_comes_back(scene, session):
    go(5)
    camera, rider, watcher = ridden(session)
    eye = np.array(camera.matrix_basis)
    bpy.ops.artfish.live_end()
    bpy.ops.artfish.live_play()
    fish = session_of(scene).fishes[0].root
    assert fish.name == "Clownfish 01" and rider.parent == camera.parent == watcher.constraints[0].target == fish
    assert np.array_equal(np.array(camera.matrix_basis), eye) and len(fishes()) == FISHES


def test_what_rode_on_a_fish_that_was_too_many_rides_again_when_it_comes_back(scene, session):
    go(5)
    camera, rider, watcher = ridden(session)
    fish, other = session.fishes[0].root, bpy.data.objects.new("Other rider", None)
    scene.collection.objects.link(other)
    other.parent, last = session.fishes[2].root, session.fishes[2].root
    watcher.constraints[0].target = last
    bpy.context.view_layer.update()
    place = np.array(last.matrix_world)
    shoal().artfish.shoal.count = 1
    go(6)
    empty = scene.objects["Clownfish 03"]
    assert empty.type == "EMPTY" and other.parent == watcher.constraints[0].target == empty
    assert np.allclose(np.array(empty.matrix_basis), place, atol=1e-5)
    assert rider.parent == camera.parent == session.fishes[0].root != fish and len(fishes()) == 2
    bpy.ops.artfish.live_end()  # which leaves it to who rides on it, too
    assert other.parent == watcher.constraints[0].target == empty and len(fishes()) == 2
    bpy.ops.artfish.live_play()
    shoal().artfish.shoal.count = FISHES
    go(7)
    fish = session_of(scene).fishes[2].root
    assert fish.name == "Clownfish 03" and other.parent == watcher.constraints[0].target == fish
    assert len(fishes()) == FISHES and list(fish.users_collection) == [session_of(scene).puppets.collection]


def test_an_empty_in_the_place_of_a_fish_goes_once_nothing_refers_to_it(scene, session):
    _, rider, _ = ridden(session)
    rider.parent = session.fishes[2].root
    shoal().artfish.shoal.count = 1
    go(6)
    assert rider.parent.type == "EMPTY" and len(fishes()) == 2
    rider.parent = None
    shoal().artfish.shoal.count = 2
    go(7)
    assert len(fishes()) == 2 and all(obj.type == "MESH" for obj in fishes())


def test_who_waits_for_a_fish_waits_on_when_play_is_undone(scene, session):
    _, rider, watcher = ridden(session)
    step("Ride")
    bpy.ops.artfish.live_end("EXEC_DEFAULT", True)
    bpy.ops.artfish.live_play("EXEC_DEFAULT", True)
    go(3)
    bpy.ops.ed.undo()
    go(4)
    rider, watcher = bpy.data.objects["Rider"], bpy.data.objects["Watcher"]
    assert session_of(bpy.context.scene) is None and rider.parent == watcher.constraints[0].target
    assert rider.parent.type == "EMPTY"


@pytest.mark.parametrize("saved", [False, True])
def test_a_copy_of_a_live_fish_is_the_animator_s(scene, session, tmp_path, saved):
    go(5)
    session.fishes[0].root.name = "Nemo"
    copy = duplicate(session.fishes[1].root)
    name, vertices_of, place = copy.name, len(copy.data.vertices), tuple(copy.location)
    assert session.puppets.collection in copy.users_collection
    assert row_of(bpy.context) is None and not is_ours(copy)
    if saved:
        path = str(tmp_path / "live.blend")
        bpy.ops.wm.save_as_mainfile(filepath=path)
        bpy.ops.wm.open_mainfile(filepath=path)
        bpy.ops.artfish.live_play()
        scene = bpy.context.scene
    shoal().artfish.shoal.count = FISHES + 1  # which makes all anew
    go(6)
    bpy.ops.artfish.live_end()
    copy = scene.objects[name]
    assert list(copy.users_collection) == [scene.collection] and not ours() and "Nemo" not in bpy.data.objects
    assert len(copy.data.vertices) == vertices_of and tuple(copy.location) == place
    copy.name = "Clownfish 02"  # as the one that it was made of was called
    bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "copy.blend"))
    bpy.ops.wm.open_mainfile(filepath=str(tmp_path / "copy.blend"))
    bpy.ops.artfish.live_play()
    bpy.ops.artfish.live_end()
    assert "Clownfish 02" in bpy.data.objects


def test_a_copy_of_a_scene_takes_its_still_fishes_away_itself(scene, session):
    go(5)
    bpy.ops.scene.new(type="FULL_COPY")
    copy = bpy.context.scene
    assert len([obj for obj in copy.objects if is_ours(obj) and puppets.ROW in obj]) == FISHES
    bpy.ops.artfish.live_play()
    assert len([obj for obj in copy.objects if puppets.ROW in obj]) == FISHES
    bpy.ops.artfish.live_end()
    assert not [obj for obj in copy.objects if puppets.ROW in obj]
    assert len([obj for obj in scene.objects if is_ours(obj) and puppets.ROW in obj]) == FISHES


def test_what_was_put_into_our_collection_stays(scene, session):
    own = bpy.data.objects.new("Own", None)
    session.puppets.collection.objects.link(own)
    bpy.ops.artfish.live_end()
    assert own.name in scene.collection.objects
    assert not ours() and puppets.LIVE_COLLECTION not in bpy.data.collections
    assert session_of(scene) is None


def test_what_is_in_our_collection_and_in_the_scene_too_stays_in_the_scene(scene, session):
    go(5)
    own = bpy.data.objects.new("Own", None)
    scene.collection.objects.link(own)
    session.fishes[0].root.users_collection[0].objects.link(own)
    bpy.ops.artfish.live_end()
    assert list(own.users_collection) == [scene.collection]


def test_a_collection_of_an_animators_own_in_ours_stays_in_the_scene(scene, session):
    go(5)
    mine, own = bpy.data.collections.new("Mine"), bpy.data.objects.new("Own", None)
    mine.objects.link(own)
    session.fishes[0].root.users_collection[0].children.link(mine)
    bpy.ops.artfish.live_end()
    assert mine in set(scene.collection.children) and own in set(scene.objects)
