"""Live play goes along with the timeline, takes up changes, and leaves nothing behind.

Without a window `frame_set` drives it, and nothing waits for a timer.
"""

from threading import Event
from time import perf_counter, sleep, thread_time
from weakref import WeakValueDictionary

import bpy
import numpy as np
import pytest

from artfish import blender_artfish
from artfish.blender_artfish.blender import handlers
from artfish.blender_artfish.fish.surfaces import Workshop, in_order, place_points
from artfish.blender_artfish.identity import roles
from artfish.blender_artfish.live import puppets
from artfish.blender_artfish.live import session as live_session
from artfish.blender_artfish.live.operators import told_by
from artfish.blender_artfish.scene import meshes
from artfish.blender_artfish.scene import objects as scene_objects
from artfish.blender_artfish.scene import reader as scene_reader
from artfish.core import Scene, Species, World
from artfish.core.body.anatomy import NOSE_NODE
from artfish.core.form.nurbs import evaluate
from artfish.core.form.surfaces import rest_surfaces
from artfish.core.geometry import triangles
from artfish.core.geometry.solids import Rock

FISHES = 3


def counts() -> list[int]:
    of = bpy.app.handlers
    kinds = ("frame_change_pre", "depsgraph_update_post", "undo_post", "redo_post", "load_pre", "load_post")
    kinds += ("save_pre", "save_post", "render_init", "render_complete", "render_cancel", "frame_change_post")
    own = [sum(one.__module__.startswith("artfish") for one in getattr(of, kind)) for kind in kinds]
    return [*own, len(handlers.listeners)]


@pytest.fixture(autouse=True)
def scene():
    """A tank with some clownfishes that play live, and no handler left afterwards."""
    before = counts()
    blender_artfish.register()
    bpy.ops.artfish.add_shoal(species="clownfish", count=FISHES)
    yield bpy.context.scene
    blender_artfish.unregister()
    assert counts() == before
    assert not live_session._sessions


@pytest.fixture
def held(scene) -> live_session.Session:
    bpy.ops.artfish.live_play()
    return live_session.session(scene)


def go(frame: int) -> None:
    bpy.context.scene.frame_set(frame)


def shoal() -> bpy.types.Object:
    return roles.objects_of(bpy.context.scene, "SHOAL")[0]


def vertices(thing: bpy.types.Object) -> np.ndarray:
    found = np.empty(3 * len(thing.data.vertices), dtype=np.float32)
    thing.data.vertices.foreach_get("co", found)
    return found.reshape(-1, 3)


def ours() -> list[bpy.types.Object]:
    return [thing for thing in bpy.data.objects if thing.get(puppets.MARK)]


def test_shows_what_a_world_does(scene, held):
    wanted = World(scene_reader.read(scene).scene, seed=0).simulate(30)
    for frame in (1, 2, 30):
        go(frame)
        assert held.shown == held.frame_of(frame) == frame - 1
    recording = held.recording()
    assert np.array_equal(recording.nodes, wanted.nodes)
    root = held.fishes[1].root
    bpy.context.view_layer.update()
    there = np.array(root.matrix_world.to_3x3()) @ vertices(root).T + np.array(root.matrix_world.translation)[:, None]
    nose = wanted.nodes[29, 1, 0] + np.array(held.origin)
    # The snout's first vertices stand 0.01 lengths from the nose's node; single precision, some metres from the origin.
    assert np.linalg.norm(there - nose[:, None], axis=0).min() < 0.01 * recording.body_length[1] + 1e-6
    assert root[puppets.ROW] == 1


def test_going_back_shows_what_was_simulated(held):
    go(20)
    there = vertices(held.fishes[0].root).copy()
    go(40)
    assert not np.array_equal(vertices(held.fishes[0].root), there)
    go(20)
    assert np.array_equal(vertices(held.fishes[0].root), there)
    assert held.rehearsal.frames == 40


def test_frames_before_the_first_show_the_first(scene, held):
    go(-5)
    assert held.shown == 0
    scene.frame_start = 100  # of an animator who looks at a later part meanwhile
    go(101)
    assert held.shown == 100


def test_a_first_frame_that_was_changed_holds_from_begin_anew_on_and_that_is_said(scene, held):
    assert held.moved(scene) == ""
    scene.frame_start = 100
    go(101)
    assert held.moved(scene) == "The film begins at frame 100 now; it plays from frame 1 until Begin Anew"
    bpy.ops.artfish.live_restart()
    assert held.moved(scene) == "" and (scene.frame_current, held.first, held.shown) == (100, 100, 0)


def test_a_file_that_is_only_looked_through_does_not_begin_to_play(scene):
    go(5)
    assert live_session.session(scene) is None and not ours()


@pytest.mark.parametrize("preset", ["reef", "go_fish", "cousto", "feeding"])
def test_everything_in_the_water_is_shown(scene, preset):
    bpy.ops.artfish.load_preset(preset=preset)
    bpy.ops.artfish.live_play()
    held = live_session.session(scene)
    go(2)
    frame = held.rehearsal[1]
    assert len(held.fishes) == len(held.world.species) and all(held.fishes)
    parts = {thing.get(puppets.PART): thing for thing in ours() if puppets.PART in thing}
    for name, key in (("Plankton", "plankton"), ("Bubbles", "bubbles"), ("Seaweed", "seaweed"), ("Line", "hook")):
        assert (name in parts) == bool(len(frame[key])), name
    origin = np.array(held.origin)
    if "Plankton" in parts:
        centres = vertices(parts["Plankton"]).reshape(-1, 6, 3).mean(axis=1)
        assert np.allclose(centres, frame["plankton"], atol=1e-5)
    if "Bubbles" in parts:
        across = np.ptp(vertices(parts["Bubbles"]).reshape(-1, 6, 3)[:, :, 2], axis=1)
        there = frame["bubbles_alive"]
        assert np.allclose(across, np.where(there, held.recording().bubbles_size, 0.0), atol=1e-5)
    if "Seaweed" in parts:
        middles = vertices(parts["Seaweed"]).reshape(*frame["seaweed"].shape[:2], 2, 3).mean(axis=2)
        assert np.allclose(middles, frame["seaweed"], atol=1e-5)
    if "Line" in parts:
        assert np.allclose(parts["Hook"].location, frame["hook"][-1] + origin, atol=1e-5)


def test_bait_that_is_taken_is_not_seen(scene):
    bpy.ops.artfish.load_preset(preset="go_fish")
    bpy.ops.artfish.live_play()
    held = live_session.session(scene)
    (bait,) = (thing for thing in ours() if thing.get(puppets.PART) == "Bait")
    hangs = dict(held.rehearsal[0])
    taken = {**hangs, "nodes": hangs["nodes"].copy()}
    taken["nodes"][0, NOSE_NODE] = hangs["hook"][-1]
    for frame, hidden in ((hangs, False), (taken, True), (hangs, False)):
        held.puppets.show(frame)
        assert (bait.hide_viewport, bait.hide_render) == (hidden, hidden)
    bpy.data.objects.remove(bait)
    held.puppets.show(taken)


@pytest.mark.parametrize("part", ["body_left", "body_right", "dorsal", "caudal", "pectoral_left"])
def test_materials_find_their_places_as_on_a_surface(part):
    species = Species.load("blue_tang")
    patch = rest_surfaces(species)[part]
    with Workshop("Tang", {part: patch}) as workshop:
        surface = workshop.fish("Tang", bpy.context.scene.collection, 0.3, 0.01).surfaces[part]
    place_points(surface, in_order(patch.points))
    bpy.context.view_layer.update()
    mesh = bpy.data.meshes.new_from_object(surface.evaluated_get(bpy.context.evaluated_depsgraph_get()))
    rows, columns = patch.points.shape[:2]
    for loop, place in zip(mesh.loops, mesh.uv_layers[0].uv, strict=True):
        u, v = place.vector
        at = [np.array([u * (rows - patch.degree_u)]), np.array([v * (columns - patch.degree_v)])]
        wanted = evaluate(patch.points, patch.degree_u, patch.degree_v, *at)[0, 0]
        assert np.allclose(mesh.vertices[loop.vertex_index].co, wanted, atol=2e-5)


def test_normals_and_bounds_follow(held):
    go(30)
    bpy.context.view_layer.update()
    root = held.fishes[0].root
    seen = root.evaluated_get(bpy.context.evaluated_depsgraph_get())
    fresh = root.data.copy()
    fresh.update()
    wanted = np.array([normal.vector for normal in fresh.vertex_normals])
    assert np.allclose([normal.vector for normal in seen.data.vertex_normals], wanted, atol=1e-5)
    assert np.allclose(np.min(seen.bound_box, axis=0), vertices(root).min(axis=0), atol=1e-6)


def test_a_change_of_mind_takes_effect_at_the_frame_shown(scene, held):
    plain = World(scene_reader.read(scene).scene, seed=0).simulate(40)
    go(40)
    go(20)
    shoal().artfish.mind.use_p1 = True
    shoal().artfish.mind.p1 = 0.02
    go(40)
    assert held.world.scene.fishes[0].mind.p1 == 0.02
    assert held.word == "Changed from frame 20 on"
    recording = held.recording()
    assert np.array_equal(recording.nodes[:20], plain.nodes[:20])
    assert not np.array_equal(recording.libido[20:], plain.libido[20:])


def test_water_may_thicken_while_they_swim(scene, held):
    go(10)
    scene.artfish.water.fluid_viscosity = 0.2
    go(11)
    assert held.world.scene.fluid_viscosity == pytest.approx(0.2)
    assert held.rehearsal.frames == 11 and held.first + held.rehearsal.frames - 1 == 11


@pytest.mark.parametrize("kind", ["target", "food"])
def test_direction_is_taken_up_while_they_swim(scene, held, kind):
    go(10)
    before = held.rehearsal
    data = {"direction": [{"kind": "target", "at": [1, 1, 1], "fishes": 0}]}
    if kind == "food":
        data = {"events": [{"kind": "food", "time": 1.0, "at": [1, 1, 1], "count": 5}]}
    from artfish.blender_artfish.direction import writer as direction_writer

    wanted = Scene.from_dict(held.world.scene.to_dict() | data, "led")
    direction_writer.write(scene, wanted, held.origin, roles.objects_of(scene, "SHOAL"))
    bpy.context.view_layer.update()
    go(30)
    assert held.rehearsal is before and held.word == "Changed from frame 10 on"
    assert bool(held.world.scene.direction) == (kind == "target")
    assert held.rehearsal[29]["plankton_alive"].sum() <= 5
    assert bool(held.rehearsal[29]["plankton_alive"].any()) == (kind == "food")


@pytest.mark.parametrize("change", ["moved", "more", "seed", "pillar"])
def test_what_a_running_world_cannot_take_up_begins_anew(scene, held, change):
    go(12)
    before = held.rehearsal
    if change == "moved":
        shoal().location.x += 0.3
        bpy.context.view_layer.update()
    elif change == "more":
        shoal().artfish.shoal.count = FISHES + 2
    elif change == "seed":
        scene.artfish.seed = 9
    else:
        bpy.ops.artfish.add_pillar()
    bpy.context.view_layer.update()
    go(13)
    assert held.rehearsal is not before
    assert held.word.startswith("Began anew with ")
    assert held.shown == 12 and held.rehearsal.frames == 13
    fishes = FISHES + 2 * (change == "more")
    assert len(held.fishes) == fishes and len([thing for thing in ours() if puppets.ROW in thing]) == fishes


def test_a_scene_that_cannot_be_goes_on_as_it_was_with_a_word(scene, held):
    go(5)
    shoal().location.x += 50.0
    bpy.context.view_layer.update()
    go(6)
    assert held.shown == 5 and held.word.startswith("Scene: ") and shoal().name in held.word
    shoal().location.x -= 50.0
    bpy.context.view_layer.update()
    go(7)
    assert held.word == "" and held.shown == 6


def test_no_fishes_is_a_clear_word(scene):
    bpy.data.objects.remove(shoal())
    with pytest.raises(RuntimeError, match="Add fishes first"):
        bpy.ops.artfish.live_play()
    with pytest.raises(RuntimeError, match="Press Play first"):
        bpy.ops.artfish.feed()


def test_feed_and_frighten(scene, held):
    go(5)
    bpy.ops.artfish.feed(location=held.fishes[0].root.location, count=7)
    assert held.rehearsal[4]["plankton_alive"].sum() == 7
    assert any(thing.get(puppets.PART) == "Plankton" for thing in ours())
    go(10)
    fear = held.rehearsal[9]["fear"].max()
    bpy.ops.artfish.frighten(location=held.fishes[0].root.location)
    assert held.rehearsal[9]["fear"].max() > fear
    assert held.rehearsal[9]["fear"].max() > 0.5


def test_feelings_of_the_active_fish_are_sliders(scene, held):
    go(5)
    bpy.context.view_layer.objects.active = held.fishes[2].root
    assert live_session.row_of(bpy.context) == 2
    scene.artfish_live.libido = 0.9
    assert scene.artfish_live.libido == pytest.approx(0.9, abs=1e-6)
    assert held.rehearsal[4]["libido"][2] == pytest.approx(0.9, abs=1e-6)
    assert held.rehearsal[4]["libido"][1] < 0.5
    bpy.context.view_layer.objects.active = shoal()
    scene.artfish_live.libido = 0.1
    assert scene.artfish_live.libido == 0.0 and held.rehearsal[4]["libido"][2] == pytest.approx(0.9, abs=1e-6)


def test_steering_a_fish(scene, held):
    bpy.ops.artfish.live_restart()
    bpy.ops.artfish.steer(row=1, swim=1.0, turn=1.0)
    go(30)
    assert held.world.steered.tolist() == [1]
    nodes = held.recording().nodes
    way = nodes[-1, 1, 0] - nodes[-1, 1, 9:13].mean(axis=0), nodes[0, 1, 0] - nodes[0, 1, 9:13].mean(axis=0)
    turned = np.arctan2(way[0][1], way[0][0]) - np.arctan2(way[1][1], way[1][0])
    # Left, by more than the half radian that a fish may stray in a second by itself.
    assert (turned + np.pi) % (2 * np.pi) - np.pi > 0.5
    bpy.ops.artfish.steer(row=1, free=True)
    assert not len(held.world.steered)
    assert bpy.ops.artfish.steer(row=99) == {"CANCELLED"}


def test_keys_that_are_down():
    assert told_by(set()) == {"swim": 0.5, "turn": 0.0, "climb": 0.0, "brake": False, "back": 0.0}
    assert told_by({"A", "LEFT_SHIFT"})["turn"] > 0 and told_by({"A", "LEFT_SHIFT"})["swim"] == 1.0
    assert told_by({"RIGHT_ARROW"})["turn"] < 0
    assert told_by({"A", "D"})["turn"] == 0
    assert told_by({"W"})["climb"] > 0 > told_by({"DOWN_ARROW"})["climb"]
    assert told_by({"SPACE"})["brake"] and told_by({"B"})["back"] == 1.0


def test_undo_takes_a_deed_back_and_redo_does_it_again(scene, held):
    bpy.ops.ed.undo_push(message="Before")
    go(20)
    plain = held.recording().nodes.copy()
    go(10)
    bpy.ops.artfish.frighten("EXEC_DEFAULT", True, location=held.fishes[0].root.location)
    go(20)
    done = held.recording().nodes.copy()
    assert not np.array_equal(done, plain)
    bpy.ops.ed.undo()
    go(20)
    assert np.array_equal(held.recording().nodes, plain)
    assert held.fishes[0].root.name == "Clownfish 01"
    bpy.ops.ed.redo()
    go(20)
    assert np.array_equal(held.recording().nodes, done)


def test_undo_takes_back_one_deed_of_two(scene, held):
    bpy.ops.ed.undo_push(message="Before")
    go(10)
    bpy.ops.artfish.feed("EXEC_DEFAULT", True, location=held.fishes[0].root.location, count=7)
    bpy.ops.artfish.frighten("EXEC_DEFAULT", True, location=held.fishes[0].root.location)
    bpy.ops.ed.undo()
    go(10)
    assert held.rehearsal[9]["plankton_alive"].sum() == 7
    assert held.rehearsal[9]["fear"].max() < 0.5
    bpy.ops.ed.undo()
    go(10)
    assert held.rehearsal[9]["plankton_alive"].sum() == 0


def test_undo_of_food_keeps_what_is_chosen(scene, held):
    """The grains that were dropped are gone, and so are the objects that showed them: all is made anew."""
    go(10)
    chosen = held.fishes[1].root
    shoal().select_set(False)
    bpy.context.view_layer.objects.active = chosen
    chosen.select_set(True)
    bpy.ops.ed.undo_push(message="Before")
    bpy.ops.artfish.feed("EXEC_DEFAULT", True, location=chosen.location, count=7)
    bpy.ops.ed.undo()
    go(10)
    layer = bpy.context.view_layer
    assert layer.objects.active == held.fishes[1].root and layer.objects.selected[:] == [held.fishes[1].root]


def test_undo_takes_play_back(scene):
    bpy.ops.ed.undo_push(message="Before")
    bpy.ops.artfish.live_play("EXEC_DEFAULT", True)
    go(5)
    assert len(ours()) == FISHES
    bpy.ops.ed.undo()
    go(6)
    assert live_session.session(bpy.context.scene) is None and not ours()


def test_fishes_that_undo_took_away_are_made_again(scene, held):
    bpy.ops.ed.undo_push(message="Before")
    shoal().artfish.shoal.count = FISHES + 2
    go(5)
    assert len(held.fishes) == FISHES + 2
    bpy.ops.ed.undo_push(message="After")
    bpy.ops.ed.undo()
    go(6)
    assert held.shown == 5
    assert len([fish.root.name for fish in held.fishes]) == FISHES == len(ours())


def test_what_the_user_does_to_the_objects(scene, held):
    go(3)
    held.fishes[0].root.name = "Nemo"
    bpy.data.objects.remove(held.fishes[1].root)
    held.fishes[2].root.data.clear_geometry()
    bpy.data.collections[puppets.COLLECTION].name = "Mine"
    go(4)
    assert held.shown == 3 and held.fishes[0].root.name == "Nemo" and held.fishes[1] is None
    assert held.word == "2 fishes were deleted and swim on unseen: begin anew to see all"
    bpy.ops.artfish.live_restart()
    assert all(held.fishes) and held.word == ""
    for thing in ours():
        bpy.data.objects.remove(thing)
    bpy.data.collections.remove(held.puppets.collection)
    go(5)
    assert held.shown == 4 and held.bereft(scene) and not ours()
    bpy.ops.artfish.live_play()
    assert all(held.fishes) and len(ours()) == FISHES and held.word == "" and held.shown == 4
    bpy.data.collections.remove(held.puppets.collection)  # which takes its objects out of the scene, and no farther
    assert held.bereft(scene) and len(ours()) == FISHES
    before = len(bpy.data.objects)
    bpy.ops.artfish.live_play()
    assert all(fish.root.name in scene.objects for fish in held.fishes) and len(bpy.data.objects) == before


def step(message: str) -> None:
    bpy.ops.ed.undo_push(message=message)


def delete(*chosen: bpy.types.Object) -> None:
    """By the animator's hand, as one step of undo."""
    for thing in bpy.context.view_layer.objects:
        thing.select_set(thing in chosen)
    step("Select")
    bpy.ops.object.delete()
    step("Delete")


def test_a_deleted_fish_that_undo_brings_back_swims_on(scene, held):
    go(5)
    name = held.fishes[0].root.name
    delete(held.fishes[0].root)
    go(10)
    assert held.fishes[0] is None and held.word.startswith("A fish was deleted")
    bpy.ops.ed.undo()
    go(11)
    before = held.fishes[0].root.location.copy()
    assert held.word == "" and len(ours()) == FISHES
    go(30)
    assert held.fishes[0].root.name == name and (held.fishes[0].root.location - before).length > 0.01
    bpy.ops.ed.redo()
    go(31)
    assert held.fishes[0] is None and held.word.startswith("A fish was deleted") and len(ours()) == FISHES - 1


def test_all_fishes_deleted_and_back_swim_on(scene, held):
    go(5)
    delete(*ours())
    go(10)
    assert held.bereft(scene)
    bpy.ops.ed.undo()
    go(30)
    assert all(held.fishes) and held.word == "" and len(ours()) == FISHES


def test_deleted_food_that_undo_brings_back_is_shown_again(scene, held):
    go(5)
    bpy.ops.artfish.feed(location=(0, 0, 1), count=7)
    step("Feed")
    (food,) = (thing for thing in ours() if thing.get(puppets.PART) == "Plankton")
    delete(food)
    go(10)
    bpy.ops.ed.undo()
    go(30)
    (food,) = (thing for thing in ours() if thing.get(puppets.PART) == "Plankton")
    centres = vertices(food).reshape(-1, 6, 3).mean(axis=1)
    assert np.allclose(centres, held.rehearsal[29]["plankton"], atol=1e-5)


def test_who_is_hidden_by_hand_stays_hidden(scene, held):
    go(5)
    held.fishes[0].root.hide_viewport = True
    step("Hide")
    bpy.context.scene.artfish_live.count = 3
    step("Something else")
    bpy.ops.ed.undo()
    go(6)
    fish = held.fishes[0].root
    assert fish.hide_viewport and not fish.hide_render
    eaten = dict(held.rehearsal[5])
    for alive in (False, True):
        eaten["alive"] = np.full(FISHES, alive)
        held.puppets.show(eaten)
        assert (fish.hide_viewport, fish.hide_render) == (True, not alive)


@pytest.mark.parametrize("kept", [True, False])
def test_food_finds_a_place_where_our_collection_was_deleted(scene, held, kept):
    go(4)
    home = held.puppets.collection
    for thing in list(home.objects):
        if kept:
            scene.collection.objects.link(thing)
        else:
            bpy.data.objects.remove(thing)
    bpy.data.collections.remove(home)
    go(5)
    assert bpy.ops.artfish.feed(location=(0, 0, 1), count=7) == {"FINISHED"}
    go(6)
    (food,) = (thing for thing in scene.objects if thing.get(puppets.PART) == "Plankton")
    assert held.shown == 5 and len(food.data.vertices) == 6 * len(held.rehearsal[5]["plankton"])
    bpy.ops.artfish.live_play()
    assert all(fish.root.name in scene.objects for fish in held.fishes)


@pytest.mark.parametrize("played", [True, False])
def test_a_linked_copy_of_the_scene_leaves_its_fishes_alone(scene, held, played):
    go(5)
    bpy.ops.scene.new(type="LINK_COPY")
    copy = bpy.context.scene
    assert copy != scene and held.fishes[0].root.name in copy.objects
    if played:
        other = live_session.begin(copy)
        copy.frame_set(5)
        assert len([thing for thing in copy.objects if puppets.ROW in thing]) == FISHES
        assert not {fish.root for fish in other.fishes} & {fish.root for fish in held.fishes}
    live_session.end(copy)
    scene.frame_set(9)
    assert all(fish.root.name in scene.objects for fish in held.fishes) and held.word == ""
    assert not [thing for thing in copy.objects if puppets.ROW in thing]


def ridden(held: live_session.Session) -> tuple[bpy.types.Object, bpy.types.Object, bpy.types.Object]:
    """The camera in the eye of a fish, an animator's own rider on it, and who looks at it."""
    fish = held.fishes[0].root
    bpy.context.view_layer.objects.active = fish
    bpy.ops.artfish.look_through()
    camera = bpy.context.scene.camera
    camera.artfish_eye.pan = 0.3
    rider, watcher = (bpy.data.objects.new(name, None) for name in ("Rider", "Watcher"))
    for thing in (rider, watcher):
        bpy.context.scene.collection.objects.link(thing)
    rider.parent, rider.location = fish, (0.0, 0.0, 0.1)
    watcher.constraints.new("TRACK_TO").target = fish
    return camera, rider, watcher


def test_what_refers_to_a_fish_goes_on_with_that_of_its_row(scene, held):
    go(5)
    camera, rider, watcher = ridden(held)
    go(6)
    eye = np.array(camera.matrix_basis)
    shoal().artfish.shoal.count = FISHES + 2
    go(7)
    fish = held.fishes[0].root
    assert fish.name == fish.data.name == "Clownfish 01" and len(held.fishes) == FISHES + 2
    assert camera.parent == rider.parent == watcher.constraints[0].target == fish
    assert scene.camera == camera and np.array_equal(np.array(camera.matrix_basis), eye)


def test_what_rode_on_a_fish_stays_where_it_was_when_live_play_ends(scene, held):
    go(5)
    camera, rider, watcher = ridden(held)
    go(6)
    bpy.context.view_layer.update()
    before = [np.array(thing.matrix_world) for thing in (camera, rider)]
    bpy.ops.artfish.live_end()
    bpy.context.view_layer.update()
    empty = scene.collection.objects["Clownfish 01"]
    assert empty.type == "EMPTY" and rider.parent == camera.parent == watcher.constraints[0].target == empty
    for thing, place in zip((camera, rider), before, strict=True):
        assert np.allclose(np.array(thing.matrix_world), place, atol=1e-5)
    bpy.ops.artfish.live_end()  # and once more takes the empty away
    bpy.context.view_layer.update()
    assert not ours()
    for thing, place in zip((camera, rider), before, strict=True):
        assert thing.parent is None and np.allclose(np.array(thing.matrix_world), place, atol=1e-5)
    assert camera.artfish_eye.pan == pytest.approx(0.3)


def test_what_rode_on_a_fish_rides_again_when_live_play_comes_back(scene, held):
    go(5)
    camera, rider, watcher = ridden(held)
    eye = np.array(camera.matrix_basis)
    bpy.ops.artfish.live_end()
    bpy.ops.artfish.live_play()
    fish = live_session.session(scene).fishes[0].root
    assert fish.name == "Clownfish 01" and rider.parent == camera.parent == watcher.constraints[0].target == fish
    assert np.array_equal(np.array(camera.matrix_basis), eye) and len(ours()) == FISHES


def test_what_rode_on_a_fish_that_was_too_many_rides_again_when_it_comes_back(scene, held):
    go(5)
    camera, rider, watcher = ridden(held)
    fish, other = held.fishes[0].root, bpy.data.objects.new("Other rider", None)
    scene.collection.objects.link(other)
    other.parent, last = held.fishes[2].root, held.fishes[2].root
    watcher.constraints[0].target = last
    bpy.context.view_layer.update()
    place = np.array(last.matrix_world)
    shoal().artfish.shoal.count = 1
    go(6)
    empty = scene.objects["Clownfish 03"]
    assert empty.type == "EMPTY" and other.parent == watcher.constraints[0].target == empty
    assert np.allclose(np.array(empty.matrix_basis), place, atol=1e-5)
    assert rider.parent == camera.parent == held.fishes[0].root != fish and len(ours()) == 2
    bpy.ops.artfish.live_end()  # which leaves it to who rides on it, too
    assert other.parent == watcher.constraints[0].target == empty and len(ours()) == 2
    bpy.ops.artfish.live_play()
    shoal().artfish.shoal.count = FISHES
    go(7)
    fish = live_session.session(scene).fishes[2].root
    assert fish.name == "Clownfish 03" and other.parent == watcher.constraints[0].target == fish
    assert len(ours()) == FISHES and list(fish.users_collection) == [live_session.session(scene).puppets.collection]


def test_an_empty_in_the_place_of_a_fish_goes_once_nothing_refers_to_it(scene, held):
    _, rider, _ = ridden(held)
    rider.parent = held.fishes[2].root
    shoal().artfish.shoal.count = 1
    go(6)
    assert rider.parent.type == "EMPTY" and len(ours()) == 2
    rider.parent = None
    shoal().artfish.shoal.count = 2
    go(7)
    assert len(ours()) == 2 and all(thing.type == "MESH" for thing in ours())


def test_who_waits_for_a_fish_waits_on_when_play_is_undone(scene, held):
    _, rider, watcher = ridden(held)
    step("Ride")
    bpy.ops.artfish.live_end("EXEC_DEFAULT", True)
    bpy.ops.artfish.live_play("EXEC_DEFAULT", True)
    go(3)
    bpy.ops.ed.undo()
    go(4)
    rider, watcher = bpy.data.objects["Rider"], bpy.data.objects["Watcher"]
    assert live_session.session(bpy.context.scene) is None and rider.parent == watcher.constraints[0].target
    assert rider.parent.type == "EMPTY"


def duplicate(thing: bpy.types.Object) -> bpy.types.Object:
    """As Shift+D does it."""
    for other in bpy.context.selected_objects:
        other.select_set(False)
    thing.select_set(True)
    bpy.context.view_layer.objects.active = thing
    bpy.ops.object.duplicate()
    return bpy.context.object


@pytest.mark.parametrize("saved", [False, True])
def test_a_copy_of_a_live_fish_is_the_animator_s(scene, held, tmp_path, saved):
    go(5)
    held.fishes[0].root.name = "Nemo"
    copy = duplicate(held.fishes[1].root)
    name, vertices_of, place = copy.name, len(copy.data.vertices), tuple(copy.location)
    assert held.puppets.collection in copy.users_collection
    assert live_session.row_of(bpy.context) is None and not live_session.is_ours(copy)
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


def test_a_copy_of_a_scene_takes_its_still_fishes_away_itself(scene, held):
    go(5)
    bpy.ops.scene.new(type="FULL_COPY")
    copy = bpy.context.scene
    assert len([thing for thing in copy.objects if live_session.is_ours(thing)]) == FISHES
    bpy.ops.artfish.live_play()
    assert len([thing for thing in copy.objects if puppets.ROW in thing]) == FISHES
    bpy.ops.artfish.live_end()
    assert not [thing for thing in copy.objects if puppets.ROW in thing]
    assert len([thing for thing in scene.objects if live_session.is_ours(thing)]) == FISHES


def test_what_was_put_into_our_collection_stays(scene, held):
    own = bpy.data.objects.new("Own", None)
    held.puppets.collection.objects.link(own)
    bpy.ops.artfish.live_end()
    assert own.name in scene.collection.objects
    assert not ours() and puppets.COLLECTION not in bpy.data.collections
    assert live_session.session(scene) is None


def test_ends_without_a_trace(scene):
    before = {thing.name for thing in bpy.data.objects}, {thing.name for thing in bpy.data.meshes}
    lock = scene.render.use_lock_interface
    bpy.ops.artfish.live_play()
    go(3)
    bpy.ops.artfish.live_end()
    assert before == ({thing.name for thing in bpy.data.objects}, {thing.name for thing in bpy.data.meshes})
    assert scene.render.use_lock_interface == lock
    with pytest.raises(RuntimeError, match="No fishes play live"):
        bpy.ops.artfish.live_end()


def test_a_saved_file_has_the_fishes_where_they_were_and_plays_on_anew(scene, held, tmp_path):
    go(8)
    path = str(tmp_path / "live.blend")
    place = tuple(held.fishes[0].root.location)
    bpy.ops.wm.save_as_mainfile(filepath=path)
    go(9)
    blender_artfish.unregister()
    bpy.ops.wm.open_mainfile(filepath=path)
    assert len([thing for thing in ours() if puppets.ROW in thing]) == FISHES
    assert tuple(bpy.data.objects["Clownfish 01"].location) == pytest.approx(place)
    blender_artfish.register()
    assert live_session.session(bpy.context.scene) is None
    bpy.ops.artfish.live_play()
    assert len([thing for thing in ours() if puppets.ROW in thing]) == FISHES
    assert bpy.data.objects["Clownfish 01"].get(puppets.ROW) == 0


def test_a_saved_file_locks_the_interface_only_where_the_animator_does(scene, held, tmp_path):
    path = str(tmp_path / "live.blend")
    assert scene.render.use_lock_interface
    bpy.ops.wm.save_as_mainfile(filepath=path)
    assert scene.render.use_lock_interface  # as it still plays
    blender_artfish.unregister()
    assert not scene.render.use_lock_interface
    blender_artfish.register()
    bpy.ops.wm.open_mainfile(filepath=path)
    assert not bpy.context.scene.render.use_lock_interface


def test_another_file_ends_it(held):
    bpy.ops.wm.read_factory_settings(use_empty=True)
    assert not live_session._sessions
    go(3)
    assert not ours()


def test_two_scenes_play_by_themselves(scene, held):
    other = bpy.data.scenes.new("Other")
    other.collection.children.link(scene_objects.collection_of(scene))
    session = live_session.begin(other)
    other.frame_set(7)
    assert (session.shown, held.shown) == (6, 0)
    bpy.data.scenes.remove(other)
    go(2)
    assert held.shown == 1


def test_prerolled_fishes_are_alive_at_the_first_frame(scene):
    scene.artfish.water.preroll = 0.5
    bpy.ops.artfish.live_play()
    held = live_session.session(scene)
    wanted = World(scene_reader.read(scene).scene, seed=0).simulate(1)
    assert np.array_equal(held.recording().nodes, wanted.nodes)


def test_a_slow_world_is_left_to_the_timer(scene, held, monkeypatch):
    monkeypatch.setattr(live_session, "_unhurried", lambda: False)
    monkeypatch.setattr(live_session, "PATIENCE", 0.0)
    monkeypatch.setattr(live_session, "WORK", 0.0)
    go(12)
    # One frame for which it was patient; the rest at one a tick.
    assert held.goal == 11 and held.rehearsal.frames == 2
    assert held.status() == "Simulating to frame 12…"
    ticks = 0
    while held.goal is not None:
        assert live_session._tick() is not None or held.goal is None
        ticks += 1
    assert ticks == 12 - 2
    assert held.shown == 11 and held.goal is None
    assert held.status() == "Simulated up to frame 12"


def test_scene_files_of_other_frame_rates(scene):
    scene.render.fps = 30
    bpy.ops.artfish.live_play()
    assert live_session.session(scene).recording().fps == 30
    assert isinstance(live_session.session(scene).world.scene, Scene)


def add_rock(at: tuple[float, float, float], faces: int = 80) -> bpy.types.Object:
    """A boulder of 80 faces, or four times as many, or 16..."""
    subdivisions = 1 + int(np.log2(faces / 20)) // 2
    bpy.ops.mesh.primitive_ico_sphere_add(subdivisions=subdivisions, radius=0.3, location=at)
    rock = bpy.context.object
    rock.artfish.kind = "OBSTACLE"
    bpy.context.view_layer.update()
    return rock


def add_board() -> None:
    """An obstacle that cannot be: it is not closed."""
    bpy.ops.mesh.primitive_plane_add(size=0.5, location=(0, 0.5, 1.0), rotation=(0.1, 0.2, 0))
    bpy.context.object.artfish.kind, bpy.context.object.name = "OBSTACLE", "Board"
    bpy.context.view_layer.update()


def tick_on(done=lambda: False) -> float:
    """Has the timer tick until it has nothing to do, or until something is so.

    Returns:
        Seconds that the longest tick worked in this thread; how long it had to wait for others tells of the machine.
    """
    longest, until = 0.0, perf_counter() + 60.0
    while not done():
        begun = thread_time()
        pause = live_session._tick()
        longest = max(longest, thread_time() - begun)
        if pause is None:
            return longest
        assert perf_counter() < until
        sleep(pause)
    return longest


@pytest.fixture
def at_window(monkeypatch) -> None:
    """Somebody waits at the window."""
    monkeypatch.setattr(live_session, "_unhurried", lambda: False)
    monkeypatch.setattr(live_session, "SETTLED", 0.0)
    monkeypatch.setattr(meshes, "_shapes", WeakValueDictionary())  # others may have sampled the same mesh


@pytest.fixture
def gate(monkeypatch, at_window):
    """No mesh is sampled before this is set."""
    gate, sample = Event(), Rock.__init__

    def wait(*given) -> None:
        assert gate.wait(60.0)
        sample(*given)

    monkeypatch.setattr(Rock, "__init__", wait)
    yield gate
    gate.set()


@pytest.fixture
def counted(monkeypatch) -> dict[str, int]:
    """How often a mesh was checked, and how often one was sampled."""
    counts, check, sample = {"checked": 0, "sampled": 0}, triangles.closed, Rock.__init__

    def count(name, do):
        def counting(*given):
            counts[name] += 1
            return do(*given)

        return counting

    monkeypatch.setattr(meshes, "_shapes", WeakValueDictionary())
    monkeypatch.setattr(triangles, "closed", count("checked", check))
    monkeypatch.setattr(Rock, "__init__", count("sampled", sample))
    return counts


def test_meshes_that_stay_as_they_are_are_neither_checked_nor_sampled_again(scene, counted):
    rock = add_rock((1.0, 0.5, 1.0))
    for row in range(39):
        add_rock((-1.9 + 0.1 * row, -1.2, 1.0)).scale = (0.1, 0.1, 0.1)
    bpy.ops.mesh.primitive_grid_add(x_subdivisions=10, y_subdivisions=10, size=8, location=(0, 0, 0.1))
    bpy.context.object.artfish.kind = "BED"
    bpy.context.view_layer.update()
    bpy.ops.artfish.live_play()
    held = live_session.session(scene)
    assert counted == {"checked": 40, "sampled": 40}
    bed = held.world._obstacles.solids[-1]
    go(5)
    shoal().artfish.mind.use_p1, shoal().artfish.mind.p1 = True, 0.02
    go(6)
    scene.artfish.water.fluid_viscosity = 0.5
    go(7)
    shoal().artfish.shoal.size = 0.9
    go(8)
    assert held.world.scene.fishes[0].size == pytest.approx(0.9)
    assert counted == {"checked": 40, "sampled": 40}
    assert held.world._obstacles.solids[-1] is bed
    rock.location.x -= 0.3
    bpy.context.view_layer.update()
    go(9)
    assert held.word == "Began anew with an obstacle as it is now"
    assert counted == {"checked": 41, "sampled": 41}


def test_the_window_stays_awake_while_a_rock_of_twenty_thousand_faces_is_sampled(scene, at_window):
    rock = add_rock((1.0, 0.5, 1.0), faces=20480)
    begun = thread_time()
    bpy.ops.artfish.live_play()
    assert thread_time() - begun < 0.4
    held = live_session.session(scene)
    assert held.reading and held.status() == "Filling the tank…" and held.rehearsal.frames == 0
    assert tick_on() < 0.4
    assert held.shown == 0 and len(held.fishes) == FISHES and held.status() == "Simulated up to frame 1"
    before = held.rehearsal
    shoal().artfish.mind.use_p1, shoal().artfish.mind.p1 = True, 0.02
    assert tick_on() < 0.4
    assert held.rehearsal is before and held.word == "Changed from frame 1 on"
    rock.location.x -= 0.3
    bpy.context.view_layer.update()
    assert tick_on() < 0.4
    assert held.rehearsal is not before and held.word == "Began anew with an obstacle as it is now"


def test_a_tank_that_is_filled_by_and_by_makes_the_same_film(scene, at_window):
    add_rock((1.0, 0.5, 1.0), faces=5120)
    bpy.ops.artfish.live_play()
    tick_on()
    held = live_session.session(scene)
    held.rehearsal.advance(20)
    wanted = World(scene_reader.read(scene).scene, seed=0).simulate(21)
    assert np.array_equal(held.recording().nodes, wanted.nodes)


def test_fishes_swim_on_as_before_until_the_new_tank_is_filled(scene, gate):
    bpy.ops.artfish.live_play()
    tick_on()
    held, before = live_session.session(scene), live_session.session(scene).rehearsal
    rock = add_rock((1.0, 0.5, 1.0))
    tick_on(lambda: held.reading)
    go(4)
    assert held.rehearsal is before and held.shown == 3 and held.status() == "Filling the tank…"
    there = vertices(held.fishes[0].root).copy()
    rock.location.x -= 0.5  # a second change; the newest state is what counts
    bpy.context.view_layer.update()
    live_session._tick()
    assert held.rehearsal is before and np.array_equal(vertices(held.fishes[0].root), there)
    gate.set()
    tick_on()
    assert held.rehearsal is not before and held.shown == 3
    assert held.world.scene == scene_reader.read(scene).scene
    assert len([thing for thing in ours() if puppets.ROW in thing]) == FISHES


@pytest.mark.parametrize("how", ["end", "undo", "file", "scene", "off"])
def test_what_ends_while_a_tank_is_filled_leaves_nothing(scene, gate, how):
    add_rock((1.0, 0.5, 1.0))
    before, lock = {thing.name for thing in bpy.data.objects}, scene.render.use_lock_interface
    bpy.ops.ed.undo_push(message="Before")
    bpy.ops.artfish.live_play("EXEC_DEFAULT", True)
    assert live_session.session(bpy.context.scene).reading and not ours()
    live_session._tick()
    if how == "end":
        bpy.ops.artfish.live_end()
    elif how == "undo":
        bpy.ops.ed.undo()
        live_session._tick()
    elif how == "file":
        bpy.ops.wm.read_factory_settings(use_empty=True)
    elif how == "scene":
        bpy.data.scenes.new("Other")
        bpy.data.scenes.remove(bpy.context.scene)
        live_session._tick()
    else:
        blender_artfish.unregister()
    assert not live_session._sessions
    gate.set()
    if how == "off":
        blender_artfish.register()
    assert live_session._tick() is None and not live_session._sessions and not ours()
    if how in ("end", "undo", "off"):
        assert before == {thing.name for thing in bpy.data.objects}
        assert bpy.context.scene.render.use_lock_interface == lock


def test_what_is_wrong_with_a_scene_is_said_even_when_it_is_found_late(scene, gate):
    bpy.ops.artfish.live_play()
    tick_on()
    held, before = live_session.session(scene), live_session.session(scene).rehearsal
    add_rock((1.0, 0.5, 1.0))
    add_board()
    tick_on(lambda: held.reading)
    gate.set()
    tick_on()
    assert held.word.startswith("Scene: Board.faces: found an open mesh") and held.rehearsal is before
    bpy.data.objects.remove(bpy.data.objects["Board"])
    bpy.context.view_layer.update()
    tick_on()
    assert held.rehearsal is not before and held.word == "Began anew with an obstacle as it is now"


def test_live_play_that_proves_impossible_late_is_given_up_and_says_why(scene, gate, monkeypatch):
    said, stopped, lock = [], [], scene.render.use_lock_interface
    check = triangles.closed
    monkeypatch.setattr(triangles, "closed", lambda *given: gate.wait(60.0) and check(*given))
    monkeypatch.setattr(live_session, "tell", said.append)
    monkeypatch.setattr(live_session, "_stop", lambda: stopped.append(True))
    add_board()
    bpy.ops.artfish.live_play()
    assert live_session.session(scene).reading and not said
    gate.set()
    tick_on()
    assert live_session.session(scene) is None and stopped and not scene.artfish_live.on and not ours()
    assert len(said) == 1 and said[0].startswith("Live play given up: Board.faces: found an open mesh")
    assert scene.render.use_lock_interface == lock
    bpy.data.objects.remove(bpy.data.objects["Board"])
    bpy.context.view_layer.update()
    bpy.ops.artfish.live_play()
    tick_on()
    assert live_session.session(scene).shown == 0 and scene.artfish_live.on


def test_why_live_play_does_not_begin_is_said_until_something_else_is(scene, monkeypatch):
    said = []
    monkeypatch.setattr(live_session, "_say", said.append)
    shoal().location.x += 50.0
    live_session._wanted.add(scene.session_uid)
    assert live_session._tick() is None and not live_session._sessions
    assert said[-1].startswith("Live play is off: Clownfish.at: found")


def test_a_tank_that_loses_its_last_shoal_is_empty(scene, held):
    bpy.data.objects.remove(shoal())
    bpy.context.view_layer.update()
    go(3)
    assert held.word == "Began anew with the shoals as they are now" and not held.world.species


def test_a_deed_is_undone_though_the_tank_was_filled_anew_before_it(scene, held):
    bpy.ops.ed.undo_push(message="Before")
    bpy.ops.artfish.add_pillar("EXEC_DEFAULT", True)
    go(10)
    assert held.word.startswith("Began anew")
    bpy.ops.artfish.feed("EXEC_DEFAULT", True, location=held.fishes[0].root.location, count=7)
    go(10)
    assert held.rehearsal[9]["plankton_alive"].sum() == 7
    bpy.ops.ed.undo()
    go(10)
    assert held.rehearsal[9]["plankton_alive"].sum() == 0


def test_the_film_that_is_played_begins_where_the_one_that_is_baked_does(scene):
    scene.artfish.bake.own_range, scene.artfish.bake.first, scene.artfish.bake.last = True, 11, 20
    bpy.ops.artfish.add_direction(kind="food")
    bpy.context.object.artfish.food.time = 5 / scene.render.fps
    bpy.ops.artfish.live_play()
    held = live_session.session(scene)
    go(11)
    assert (held.first, held.shown) == (11, 0)
    go(20)
    recording = held.recording()
    assert len(recording.nodes) == 10
    wanted = World(scene_reader.read(scene).scene, seed=0).simulate(10)
    assert np.array_equal(recording.nodes, wanted.nodes)
    assert scene_reader.read(scene).scene.duration == pytest.approx(10 / scene.render.fps)
    bpy.ops.artfish.live_restart()
    assert scene.frame_current == 11
    scene.artfish.bake.last = 5  # before it begins, which Bake refuses and play does not mind
    assert scene_reader.read(scene).scene.duration == pytest.approx(1 / scene.render.fps)


def test_what_is_in_our_collection_and_in_the_scene_too_stays_in_the_scene(scene, held):
    go(5)
    own = bpy.data.objects.new("Own", None)
    scene.collection.objects.link(own)
    held.fishes[0].root.users_collection[0].objects.link(own)
    bpy.ops.artfish.live_end()
    assert list(own.users_collection) == [scene.collection]


def test_a_collection_of_an_animators_own_in_ours_stays_in_the_scene(scene, held):
    go(5)
    mine, own = bpy.data.collections.new("Mine"), bpy.data.objects.new("Own", None)
    mine.objects.link(own)
    held.fishes[0].root.users_collection[0].children.link(mine)
    bpy.ops.artfish.live_end()
    assert mine in set(scene.collection.children) and own in set(scene.objects)
