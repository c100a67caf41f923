"""Plans of the Bake panel: the source of the fishes, the frames, and no more work than changes require."""

import json
from dataclasses import replace
from threading import Event

import bpy
import numpy as np
import pytest

import artfish.core
from artfish import blender_artfish
from artfish.blender_artfish.bake import history, plan
from artfish.blender_artfish.direction import synchronising
from artfish.blender_artfish.identity import provenance
from artfish.blender_artfish.identity.references import is_ours
from artfish.blender_artfish.live import timer
from artfish.blender_artfish.live.runtime import session_of
from artfish.blender_artfish.scene import reader as scene_reader
from artfish.blender_artfish.scene.reader import read
from artfish.core import Scene, SceneError, Species, World
from artfish.tests.blender.files import BARE, new_file

FRAMES = 4


@pytest.fixture(autouse=True)
def simulations(monkeypatch):
    """The add-on in a new file with a short range; holds the scenes that are simulated."""
    made = []

    class Counted(World):
        def __init__(self, scene, **options):
            made.append(scene)
            super().__init__(scene, **options)

    blender_artfish.register()
    monkeypatch.setattr(artfish.core, "World", Counted)
    bpy.context.scene.frame_end = FRAMES
    bpy.context.scene.artfish.stage.growth = BARE["growth"]
    yield made
    blender_artfish.unregister()


def bake():
    result = bpy.ops.artfish.bake()
    return result == {"FINISHED"}


def shoal(count=1, species="clownfish"):
    """A shoal, as the Scene panel adds one."""
    bpy.ops.artfish.add_shoal(species=species, count=count)
    return bpy.context.object


def roots():
    return {obj[provenance.ROW]: obj for obj in bpy.context.scene.objects if provenance.ROW in obj}


def keyed(obj):
    """First and last frame of the keys of an object and its parts."""
    bags = obj.animation_data.action.layers[0].strips[0].channelbags
    frames = [key.co[0] for bag in bags for curve in bag.fcurves for key in curve.keyframe_points]
    return min(frames), max(frames)


def settings():
    return bpy.context.scene.artfish.bake


def test_shoals_of_the_scene_go_before_the_preset(simulations):
    bpy.context.scene.artfish.preset = "go_fish"
    assert plan.source_of(bpy.context.scene) == "PRESET"
    shoal(2)
    assert plan.source_of(bpy.context.scene) == "SCENE"
    assert bake()
    assert [scene.count for scene in simulations] == [2]
    assert set(roots()) == {0, 1}
    settings().source = "PRESET"
    assert bake()
    assert [scene.count for scene in simulations] == [2, 14]


def test_fishes_swim_where_their_tank_stands():
    shoal()
    for obj in bpy.context.scene.objects:
        obj.location.x += 30.0
    bpy.context.view_layer.update()
    bake()
    bpy.context.view_layer.update()
    reading = read(bpy.context.scene)
    (fish,) = roots().values()
    at = np.array(fish.matrix_world.translation) - np.array(reading.origin)
    assert (at > 0).all()
    assert (at < reading.scene.tank.size).all()
    kept = history.recording(fish[provenance.BAKE])
    assert np.linalg.norm(kept.nodes[0, 0].mean(axis=0) - at) < kept.body_length[0]


def test_the_range_is_that_of_the_scene_or_ones_own(simulations):
    scene = bpy.context.scene
    scene.frame_start, scene.frame_end = 10, 13
    shoal()
    bake()
    assert keyed(roots()[0]) == (10.0, 13.0)
    settings().own_range, settings().first, settings().last = True, 5, 6
    bake()
    assert keyed(roots()[0]) == (5.0, 6.0)
    assert (scene.frame_start, scene.frame_end) == (10, 13)
    settings().last = 4
    with pytest.raises(RuntimeError, match="ends before it begins"):
        bpy.ops.artfish.bake()


def test_nothing_is_done_where_nothing_has_changed(simulations):
    shoal()
    assert bake()
    before = {obj.session_uid for obj in bpy.context.scene.objects}
    assert not bake()
    assert {obj.session_uid for obj in bpy.context.scene.objects} == before
    assert len(simulations) == 1


def test_other_keys_do_not_need_another_simulation(simulations):
    shoal()
    bake()
    settings().form = "points"
    assert bake()
    assert not bpy.data.objects["Clownfish 01 body left"].data.shape_keys
    settings().stage = True
    assert bake()
    assert "Sand" in bpy.context.scene.objects
    assert len(simulations) == 1
    bpy.context.scene.artfish.seed = 3
    assert bake()
    assert len(simulations) == 2


def test_what_swims_otherwise_is_simulated_again(simulations):
    obj = shoal()
    bake()
    obj.artfish.shoal.size = 1.5
    assert bake()
    obj.location.x += 0.2
    assert bake()
    assert len(simulations) == 3


def test_other_looks_are_painted_and_nothing_else(monkeypatch, simulations):
    shoal()
    bake()
    clown = Species.load("clownfish")
    red = replace(clown, looks=replace(clown.looks, side=(1.0, 0.0, 0.0)))
    draft = scene_reader.draft(bpy.context.scene)
    monkeypatch.setattr(scene_reader, "draft", lambda *_: replace(draft, models={"clownfish": red}))
    before = {obj.session_uid for obj in bpy.context.scene.objects}
    assert bake()
    assert {obj.session_uid for obj in bpy.context.scene.objects} == before
    assert len(simulations) == 1
    assert not bake()


def test_what_was_deleted_comes_back_without_a_simulation(simulations):
    shoal(2)
    bake()
    names = sorted(obj.name for obj in bpy.context.scene.objects)
    bpy.data.objects.remove(bpy.data.objects["Clownfish 02 caudal"])
    assert bake()
    assert sorted(obj.name for obj in bpy.context.scene.objects) == names
    assert len(simulations) == 1


def test_only_what_is_ticked_is_made():
    bpy.context.scene.artfish.preset = "reef"
    settings().fishes = settings().bubbles = False
    bake()
    assert not roots()
    (top,) = (each for each in bpy.data.collections if provenance.of(each, provenance.ROLE) == provenance.TOP)
    assert {each.name for each in top.children} == {"Plankton", "Seaweed"} & {each.name for each in top.children}
    assert "Seaweed" in top.children
    assert "Bubbles" not in top.children


def test_obstacles_of_the_scene_are_not_made_again():
    shoal()
    bpy.ops.mesh.primitive_cube_add(size=0.2, location=(50.0, 0.0, 0.0))
    rock = bpy.context.object
    middle = next(obj for obj in bpy.context.scene.objects if obj.artfish.kind == "TANK").location
    rock.location = middle - bpy.data.objects["Tank"].scale * 0.3
    rock.artfish.kind = "OBSTACLE"
    bpy.context.view_layer.update()
    settings().stage = True
    bake()
    assert not [obj.name for obj in bpy.context.scene.objects if obj.name.startswith(("Rock", "Pillar"))]


def test_a_scene_file_and_a_recording_are_baked(tmp_path, simulations):
    scene = Scene.from_dict(
        {"name": "pair", "fps": 30, "duration": 1, "fishes": [{"species": "clownfish", "count": 2, "at": [1, 1, 1]}]}
    )
    scene.save(tmp_path / "pair.json")
    settings().source = "FILE"
    with pytest.raises(RuntimeError, match="Choose a scene file"):
        bpy.ops.artfish.bake()
    settings().file = str(tmp_path / "pair.json")
    assert bake()
    assert simulations[0].fps == 24.0
    World(scene, seed=0).simulate(frames=3).save(tmp_path / "pair.npz")
    settings().file = str(tmp_path / "pair.npz")
    assert bake()
    assert len(simulations) == 1
    assert len(roots()) == 2
    (tmp_path / "broken.npz").write_bytes(b"nothing")
    settings().file = str(tmp_path / "broken.npz")
    with pytest.raises(RuntimeError, match=r"broken\.npz: found a damaged or foreign file"):
        bpy.ops.artfish.bake()


def test_one_undo_brings_back_what_a_revert_has_taken():
    shoal()
    bpy.ops.ed.undo_push(message="Before")
    bpy.ops.artfish.bake("EXEC_DEFAULT", True)
    names = sorted(obj.name for obj in bpy.context.scene.objects)
    bpy.ops.artfish.revert_bake("EXEC_DEFAULT", True)
    assert not roots()
    bpy.ops.ed.undo()
    assert sorted(obj.name for obj in bpy.context.scene.objects) == names
    bpy.ops.ed.undo()
    assert not roots()


def test_nothing_to_revert_is_said():
    with pytest.raises(RuntimeError, match="Nothing of a bake is in this scene"):
        bpy.ops.artfish.revert_bake()


def test_recordings_are_kept_on_disk_a_few_of_them(monkeypatch, tmp_path, simulations):
    monkeypatch.setattr(history, "folder", lambda: tmp_path)
    monkeypatch.setattr(history, "MOST_ON_DISK", 2)
    shoal()
    for seed in range(4):
        bpy.context.scene.artfish.seed = seed
        bake()
        assert len(list(tmp_path.glob("*.npz"))) == min(seed + 1, 2)
    (fish,) = roots().values()
    history.clear()
    assert history.recording(fish[provenance.BAKE]).frames == FRAMES
    history.clear()
    settings().form = "points"
    assert bake()
    assert len(simulations) == 4
    last = history.last(bpy.context.scene).id
    bpy.ops.artfish.revert_bake()
    bpy.ops.artfish.revert_bake()
    assert not (tmp_path / f"{last.partition('.')[0]}.npz").exists()


def test_a_damaged_record_is_no_obstacle():
    shoal()
    bake()
    history.last(bpy.context.scene).top[provenance.RECORD] = "{"
    assert bake()
    history.last(bpy.context.scene).top[provenance.RECORD] = json.dumps([1])
    bpy.ops.artfish.revert_bake()


@pytest.mark.parametrize("new_job", [plan.bake_job, synchronising.synchronise_job])
def test_blender_stays_awake_while_meshes_of_the_scene_are_looked_through(monkeypatch, new_job):
    shoal()
    gate, form = Event(), scene_reader._form

    def wait(*given):
        assert gate.wait(60.0)
        return form(*given)

    monkeypatch.setattr(scene_reader, "_form", wait)
    job = new_job(bpy.context.scene)
    try:
        texts = [job.text for _ in range(30) if not job.step()]
        assert texts[-5:] == ["Reading the scene"] * 5
    finally:
        gate.set()
        job.cancel()


def test_bad_objects_are_named():
    obj = shoal()
    obj.location.x += 500.0
    with pytest.raises(RuntimeError, match=obj.name):
        bpy.ops.artfish.bake()
    with pytest.raises(SceneError):
        read(bpy.context.scene)


def test_what_is_left_of_a_bake_is_enough_to_revert_it():
    scene = bpy.context.scene
    camera, engine, world = scene.camera, scene.render.engine, scene.world
    shoal(2)
    before = len(scene.objects)
    settings().stage = settings().film = True
    bake()
    bpy.data.objects.remove(history.last(scene).root)
    assert bake()
    for fish in roots().values():
        bpy.data.objects.remove(fish)
    assert bake()
    assert {obj.name for obj in roots().values()} == {"Clownfish 01", "Clownfish 02"}
    bpy.ops.artfish.revert_bake()
    bpy.ops.artfish.revert_bake()
    assert (scene.camera, scene.render.engine, scene.world) == (camera, engine, world)
    assert len(scene.objects) == before


def test_fishes_that_play_live_give_way_to_baked_ones():
    scene = bpy.context.scene
    shoal(2)
    timer.begin(scene)
    assert bake()
    assert session_of(scene) is None
    assert {obj.name for obj in roots().values()} == {"Clownfish 01", "Clownfish 02"}
    assert {obj.name for obj in roots()[0].children} > {"Clownfish 01 caudal"}


def test_fishes_that_play_live_give_way_also_where_nothing_else_has_changed():
    scene = bpy.context.scene
    shoal(2)
    assert bake()
    timer.begin(scene)
    watcher = bpy.data.objects.new("Watcher", None)
    scene.collection.objects.link(watcher)
    watcher.constraints.new("TRACK_TO").target = session_of(scene).fishes[0].root
    bpy.ops.artfish.live_end()
    assert bake() and not any(map(is_ours, scene.objects))
    assert watcher.constraints[0].target == history.last(scene).fishes[0]
    assert not bake()


def test_a_bake_in_another_scene_leaves_the_colours_of_this_one():
    scene, other = bpy.context.scene, bpy.data.scenes.new("Other")
    shoal()
    bake()
    other.frame_end = FRAMES
    with bpy.context.temp_override(scene=other, view_layer=other.view_layers[0]):
        bpy.ops.artfish.add_shoal(species="clownfish", count=1)
        bpy.ops.artfish.species_pick(name="clownfish")
        other.artfish.species[0].looks.side = (0.1, 0.2, 0.9)
        for _ in range(2):
            assert bake()
            other.artfish.species[0].looks.side[0] += 0.1
    skins = [
        {slot.material for obj in each.objects for slot in obj.material_slots if " skin" in slot.name}
        for each in (scene, other)
    ]
    (one,), (two,) = skins
    assert one.name == "clownfish skin" and two.name == "clownfish skin.001"
    assert one.diffuse_color[:3] == pytest.approx(Species.load("clownfish").looks.side)
    assert two.diffuse_color[:3] == pytest.approx((0.3, 0.2, 0.9))
    assert not bake()


def test_own_fishes_have_their_colours_beside_linked_ones_of_their_kind(tmp_path):
    shoal()
    bake()
    bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "library.blend"))
    new_file()
    scene = bpy.context.scene
    scene.frame_end = FRAMES
    with bpy.data.libraries.load(str(tmp_path / "library.blend"), link=True) as (source, goal):
        goal.collections = [name for name in source.collections if name == "Artfish"]
    scene.collection.children.link(goal.collections[0])
    shoal()
    bpy.ops.artfish.species_pick(name="clownfish")
    looks = scene.artfish.species[0].looks
    for colour in ((0.1, 0.2, 0.9), (0.1, 0.9, 0.2)):
        looks.side = colour
        assert bake()
        slots = [slot for obj in scene.objects if not obj.library for slot in obj.material_slots]
        (skin,) = {slot.material for slot in slots if " skin" in slot.name}
        assert skin.library is None and skin.diffuse_color[:3] == pytest.approx(colour)


@pytest.mark.parametrize("ended", [False, True])
def test_what_refers_to_a_live_fish_goes_over_to_the_baked_one(ended):
    scene = bpy.context.scene
    shoal(2)
    timer.begin(scene)
    fish = session_of(scene).fishes[1].root
    bpy.context.view_layer.objects.active = fish
    bpy.ops.artfish.look_through()
    made = [bpy.data.objects.new(name, None) for name in ("Rider", "Louse", "Watcher")]
    for obj in made:
        scene.collection.objects.link(obj)
    view, (rider, louse, watcher) = scene.camera, made
    rider.parent, rider.location = fish, (0.0, 0.0, 0.1)
    louse.parent, louse.parent_type, louse.parent_vertices[0] = fish, "VERTEX", 40
    watcher.constraints.new("COPY_LOCATION").target = fish
    scene.frame_set(3)
    bpy.context.view_layer.update()
    before = [obj.matrix_world.translation.copy() for obj in (view, *made)]
    if ended:
        bpy.ops.artfish.live_end()
    assert bake()
    for _ in range(2):
        heir = roots()[1]
        assert heir.name == "Clownfish 02" and provenance.of(heir, provenance.BAKE) == history.last(scene).id
        assert view.parent == rider.parent == louse.parent == watcher.constraints[0].target == heir
        assert not any(map(is_ours, scene.objects))
        scene.frame_set(3)
        after = [obj.matrix_world.translation for obj in (view, *made)]
        assert all((one - other).length < 1e-3 for one, other in zip(before, after, strict=True))
        settings().tolerance = 0.001
        bake()
    bpy.ops.artfish.revert_bake()
    bpy.ops.artfish.revert_bake()
    bpy.context.view_layer.update()
    assert view.parent is rider.parent is watcher.constraints[0].target is None
    assert all(
        (obj.matrix_world.translation - at).length < 1e-3 for obj, at in zip((view, rider), before[:2], strict=True)
    )


def copied():
    """A copy of the first baked fish with its parts, as Shift+D makes it, renamed."""
    fish = roots()[0]
    for obj in bpy.context.scene.objects:
        obj.select_set(obj in (fish, *fish.children_recursive))
    bpy.context.view_layer.objects.active = fish
    bpy.ops.object.duplicate()
    (copy,) = (obj for obj in bpy.context.selected_objects if provenance.ROW in obj)
    copy.name = "A copy"
    return [obj.name for obj in (copy, *copy.children_recursive)]


MIXED = [pytest.param(*case, marks=pytest.mark.large) for case in ((True, False), (False, True))]


@pytest.mark.parametrize("renamed, saved", [(False, False), (True, True), *MIXED])
def test_copies_of_baked_fishes_are_the_animators_and_stay(tmp_path, renamed, saved):
    shoal(2)
    bake()
    mine = copied()
    if renamed:
        roots()[1].name = "Nemo"
        next(obj for obj in bpy.context.scene.objects if obj.name == "Clownfish 01").name = "Zorro"
    if saved:
        bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "scene.blend"))
        bpy.ops.wm.open_mainfile(filepath=str(tmp_path / "scene.blend"))
    scene = bpy.context.scene
    uids = {name: scene.objects[name].session_uid for name in mine}
    scene.artfish.seed = 5
    assert bake()
    assert {name: scene.objects[name].session_uid for name in mine if name in scene.objects} == uids
    assert len([obj for obj in scene.objects if provenance.ROW in obj]) == 3
    assert not bake()
    for _ in range(2):
        bpy.ops.artfish.revert_bake()
        assert {name: scene.objects[name].session_uid for name in mine if name in scene.objects} == uids
    assert not bpy.ops.artfish.revert_bake.poll()
    assert [obj.name for obj in scene.objects if provenance.ROW in obj] == ["A copy"]


def test_a_copy_stays_also_where_it_has_taken_the_name_of_a_fish_that_was_deleted():
    shoal()
    bake()
    mine = copied()
    for obj in [obj for obj in bpy.context.scene.objects if obj.name.startswith("Clownfish 01")]:
        if obj.name not in mine:
            bpy.data.objects.remove(obj)
    copy = bpy.context.scene.objects["A copy"]
    copy.name = "Clownfish 01"
    was = copy.session_uid
    assert bake()
    assert bpy.context.scene.objects["Clownfish 01"].session_uid == was
    bpy.ops.artfish.revert_bake()
    assert bpy.context.scene.objects["Clownfish 01"].session_uid == was


def test_appended_fishes_are_nothing_of_this_files_bakes(tmp_path):
    shoal(2)
    bake()
    bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "library.blend"))
    new_file()
    bpy.context.scene.frame_end = FRAMES
    shoal(2)
    with bpy.data.libraries.load(str(tmp_path / "library.blend"), link=False) as (source, goal):
        goal.collections = [name for name in source.collections if name == "Artfish"]
    scene = bpy.context.scene
    scene.collection.children.link(goal.collections[0])
    mine = {obj.session_uid for obj in scene.objects}
    assert not bpy.ops.artfish.revert_bake.poll()
    assert bake()
    assert mine < {obj.session_uid for obj in scene.objects}
    scene.artfish.seed = 5
    assert bake()
    bpy.ops.artfish.revert_bake()
    bpy.ops.artfish.revert_bake()
    assert mine == {obj.session_uid for obj in scene.objects}


def test_a_bake_that_is_linked_into_another_scene_is_that_of_its_own():
    shoal(2)
    bake()
    scene, top = bpy.context.scene, history.last(bpy.context.scene).top
    there = {obj.session_uid for obj in scene.objects}
    other = bpy.data.scenes.new("Other")
    other.collection.children.link(top)
    assert history.last(other) is None
    assert history.last(scene).top == top
    assert {obj.session_uid for obj in scene.objects} == there


def view() -> bpy.types.SpaceView3D:
    """A 3D View of the window."""
    areas = [area for area in bpy.context.window.screen.areas if area.type == "VIEW_3D"]
    return areas[0].spaces.active


def test_the_first_bake_clears_the_views_and_later_ones_leave_them_as_they_are():
    shoal()
    overlay = view().overlay
    view().region_3d.view_perspective = "CAMERA"
    overlay.show_relationship_lines = overlay.show_extras = True
    assert bake()
    assert not overlay.show_relationship_lines and not overlay.show_extras
    view().region_3d.view_perspective = "PERSP"
    overlay.show_relationship_lines = overlay.show_extras = True
    bpy.context.scene.artfish.seed += 1
    assert bake()
    assert overlay.show_relationship_lines and overlay.show_extras


def test_what_a_constraint_moves_is_sampled_before_it_is_baked(simulations):
    shoal()
    guide = bpy.data.objects.new("Guide", None)
    bpy.context.scene.collection.objects.link(guide)
    for frame, x in ((1, -1.0), (FRAMES, 0.0)):
        guide.location = (x, 0.0, 0.0)
        guide.keyframe_insert("location", frame=frame)
    bpy.ops.artfish.add_pillar()
    pillar = bpy.context.object
    pillar.constraints.new("COPY_LOCATION").target = guide
    bpy.context.scene.frame_set(2)
    assert bake() and bpy.context.scene.frame_current == 2
    (obstacle,) = simulations[-1].obstacles
    assert len(obstacle.motion) == FRAMES
    assert obstacle.motion[-1].at[0] - obstacle.motion[0].at[0] == pytest.approx(1.0, abs=1e-4)


@pytest.mark.parametrize("source", ["SCENE", "PRESET"])
def test_a_film_is_simulated_at_the_rate_of_television(source, simulations):
    scene = bpy.context.scene
    scene.render.fps, scene.render.fps_base = 30, 1.001
    shoal()
    scene.artfish.preset, settings().source = "go_fish", source
    assert bake()
    assert simulations[0].fps == pytest.approx(30 / 1.001, rel=1e-6)
    assert keyed(roots()[0]) == (1, FRAMES)


def test_a_recording_of_another_rate_is_said_to_play_at_another_pace():
    scene, film = (
        bpy.context.scene,
        {"fps": 29.97, "duration": 1, "fishes": [{"species": "clownfish", "at": [1, 1, 1]}]},
    )
    recording = World(Scene.from_dict(film), seed=0).simulate(frames=FRAMES)
    for fps, base, warned in ((30, 1.001, False), (30, 1.0, True), (24, 1.0, True)):
        scene.render.fps, scene.render.fps_base = fps, base
        outcome = plan._outcome(scene, recording, FRAMES, [])
        assert outcome.warning == warned and ("another pace" in outcome.message) == warned
    scene.render.fps, scene.render.fps_base = 30, 1.001
    assert plan._outcome(scene, recording, FRAMES + 1, []).message == f"The recording has only {FRAMES} frames"
    assert plan._outcome(scene, recording, FRAMES, []).message == f"Baked 1 fish over {FRAMES} frames"
