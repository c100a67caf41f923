"""Baking again, and reverting: replaced objects come back, and the animator's changes to them stay."""

from dataclasses import replace

import bpy
import numpy as np
import pytest

from artfish.blender_artfish.bake import history
from artfish.blender_artfish.bake.order import Order
from artfish.blender_artfish.bake.writer import bake_steps
from artfish.blender_artfish.blender import handlers
from artfish.blender_artfish.fish import materials
from artfish.blender_artfish.identity import provenance
from artfish.core.base.codec import SceneError
from artfish.core.scene.scene import Scene
from artfish.tests.blender.files import new_file


@pytest.fixture(autouse=True)
def attached():
    """Bakes notice when a file is saved and opened."""
    handlers.attach([history])
    yield
    handlers.detach([history])
    history.unregister()


def make(recording, **wishes):
    order = Order(**{"stage": False, "time": False, "film": False} | wishes)
    steps = bake_steps(recording, order=order)
    while True:
        try:
            next(steps)
        except StopIteration as end:
            return end.value


def again(recording, **wishes):
    return make(recording, instead=history.last(bpy.context.scene).id, **wishes)


def contents():
    """Names of everything in the file, by kind."""
    kinds = [kind.identifier for kind in bpy.data.bl_rna.properties if kind.type == "COLLECTION"]
    return {kind: sorted(block.name for block in getattr(bpy.data, kind)) for kind in kinds}


def in_scene():
    return sorted(obj.name for obj in bpy.context.scene.objects)


def place(name, frame=1):
    bpy.context.scene.frame_set(frame)
    return np.array(bpy.data.objects[name].matrix_world.translation)


def test_everything_made_is_marked_and_a_revert_leaves_nothing(swimming):
    before = contents()
    make(swimming("clownfish", "blue_tang", frames=3), stage=True, film=True)
    (bake,) = {provenance.of(obj, provenance.BAKE) for obj in bpy.context.scene.objects}
    roots = [obj for obj in bpy.context.scene.objects if provenance.ROW in obj]
    assert sorted(obj[provenance.ROW] for obj in roots) == [0, 1]
    assert history.last(bpy.context.scene).id == bake
    assert history.revert(bpy.context.scene) == ""
    assert contents() == before


def test_a_revert_works_after_save_and_open(tmp_path, swimming):
    bpy.context.scene.collection.objects.link(bpy.data.objects.new("Anemone", None))
    before = contents()
    make(swimming("clownfish", frames=3), stage=True, film=True)
    bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "scene.blend"))
    bpy.ops.wm.open_mainfile(filepath=str(tmp_path / "scene.blend"))
    history.revert(bpy.context.scene)
    assert {**contents(), "libraries": []} == {**before, "libraries": []}


def test_nothing_to_revert_is_said():
    with pytest.raises(SceneError, match="no bake"):
        history.revert(bpy.context.scene)


def test_baking_again_keeps_collections_names_and_what_refers_to_the_fishes(swimming):
    top = make(swimming("clownfish", "clownfish", frames=3))
    scene = bpy.context.scene
    (school,) = top.children
    top.name, school.name, school.hide_render = "My reef", "My clowns", True
    mine = bpy.data.objects.new("Lamp", None)
    school.objects.link(mine)
    mine.constraints.new("TRACK_TO").target = bpy.data.objects["Clownfish 01"]
    follower = bpy.data.objects.new("Bubble rig", None)
    scene.collection.objects.link(follower)
    follower.parent = bpy.data.objects["Clownfish 02"]
    bpy.data.objects["Clownfish 02"].name = "Nemo"
    names, was = in_scene(), bpy.data.objects["Clownfish 01"].session_uid

    fresh = swimming("clownfish", "clownfish", frames=3)
    fresh = replace(fresh, nodes=fresh.nodes + [0.0, 0.0, 0.5])
    at = place("Clownfish 01")
    assert again(fresh) == top
    assert in_scene() == names
    assert (top.name, school.name, school.hide_render) == ("My reef", "My clowns", True)
    one = scene.objects["Clownfish 01"]
    assert one.session_uid != was
    assert mine.constraints[0].target == one
    assert follower.parent == scene.objects["Nemo"]
    assert place("Clownfish 01") - at == pytest.approx([0.0, 0.0, 0.5], abs=1e-3)
    assert all(child.parent == one for child in scene.objects if child.name.startswith("Clownfish 01 "))

    assert history.revert(scene) == "the bake before it"
    assert in_scene() == names
    assert scene.objects["Clownfish 01"].session_uid == was
    assert mine.constraints[0].target == scene.objects["Clownfish 01"]
    assert follower.parent == scene.objects["Nemo"]
    assert place("Clownfish 01") == pytest.approx(at, abs=1e-6)
    assert history.revert(scene) == ""
    assert in_scene() == ["Bubble rig", "Lamp"]
    assert top.name in scene.collection.children or mine.name in scene.objects


def test_what_followed_a_fish_that_was_too_many_follows_it_again_when_it_comes_back(swimming):
    few, many = swimming("clownfish", frames=3), swimming("clownfish", "clownfish", frames=3)
    make(many)
    scene = bpy.context.scene
    rider, watcher = (bpy.data.objects.new(name, None) for name in ("Rider", "Watcher"))
    for obj in (rider, watcher):
        scene.collection.objects.link(obj)
    rider.parent = fish = scene.objects["Clownfish 02"]
    watcher.constraints.new("TRACK_TO").target = fish
    at, parts = place("Clownfish 02"), sorted(part.name for part in fish.children if part != rider)

    def waits():
        empty = scene.objects["Clownfish 02"]
        assert rider.parent == watcher.constraints[0].target == empty and provenance.of(empty, provenance.BAKE) == ""
        assert place("Clownfish 02") == pytest.approx(at, abs=1e-5) and list(empty.children) == [rider]
        assert empty.empty_display_size == pytest.approx(5 * fish_size)

    def follows():
        now = scene.objects["Clownfish 02"]
        assert rider.parent == watcher.constraints[0].target == now == history.last(scene).fishes[1]
        assert sorted(part.name for part in now.children if part != rider) == parts
        assert [home.name for home in now.users_collection] == ["Clownfish"]
        assert len([obj for obj in bpy.data.objects if obj.name.startswith("Clownfish 02")]) == 1 + len(parts)

    fish_size = fish.empty_display_size
    again(few)
    waits()
    history.revert(scene)
    follows()
    again(few)
    again(few)  # which drops the fish for good
    waits()
    again(many)
    follows()
    history.revert(scene)
    waits()
    history.revert(scene)
    waits()


def test_only_the_bake_before_the_last_is_kept(swimming):
    recording = swimming("clownfish", frames=3)
    make(recording)
    once = contents()
    again(recording)
    twice = contents()
    for _ in range(2):
        again(recording)
    assert len(contents()["objects"]) == len(twice["objects"]) == 2 * len(once["objects"])
    assert len(contents()["actions"]) == 2 * len(once["actions"])
    history.revert(bpy.context.scene)
    assert contents() == once


def test_more_and_fewer_fishes(swimming):
    make(swimming("clownfish", "blue_tang", frames=2))
    again(swimming("clownfish", "clownfish", "clownfish", frames=2))
    roots = [obj.name for obj in bpy.context.scene.objects if provenance.ROW in obj]
    assert sorted(roots) == ["Clownfish 01", "Clownfish 02", "Clownfish 03"]
    assert {each.name for each in bpy.data.collections["Artfish"].children} == {"Clownfish"}
    history.revert(bpy.context.scene)
    roots = [obj.name for obj in bpy.context.scene.objects if provenance.ROW in obj]
    assert sorted(roots) == ["Blue tang 01", "Clownfish 01"]
    assert {each.name for each in bpy.data.collections["Artfish"].children} == {"Clownfish", "Blue tang"}


def test_deleted_parts_are_made_again(swimming):
    recording = swimming("clownfish", frames=2)
    make(recording)
    names = in_scene()
    bpy.data.objects.remove(bpy.data.objects["Clownfish 01 caudal"])
    assert not history.last(bpy.context.scene).whole
    again(recording)
    assert in_scene() == names
    assert history.last(bpy.context.scene).whole
    bpy.data.collections.remove(bpy.data.collections["Artfish"])
    assert history.last(bpy.context.scene) is None
    make(recording)
    assert history.last(bpy.context.scene).whole
    assert not [each for each in bpy.data.collections if provenance.of(each, provenance.FORMER)]


@pytest.mark.parametrize(
    "steps", [pytest.param(1, marks=pytest.mark.large), 5, pytest.param(20, marks=pytest.mark.large)]
)
def test_baking_again_that_is_given_up_leaves_the_bake(swimming, steps):
    make(swimming("clownfish", frames=3), stage=True, film=True)
    before = contents()
    at = place("Clownfish 01", 2)
    order = Order(instead=history.last(bpy.context.scene).id)
    running = bake_steps(swimming("blue_tang", frames=3), order=order)
    for _ in range(steps):
        next(running)
    running.close()
    assert contents() == before
    assert place("Clownfish 01", 2) == pytest.approx(at)


def test_baking_again_that_fails_in_the_end_leaves_the_bake(monkeypatch, swimming):
    make(swimming("clownfish", frames=3), stage=True, film=True)
    before, camera = contents(), bpy.context.scene.camera
    monkeypatch.setattr(history.Bake, "write", lambda *_, **__: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        again(swimming("clownfish", "blue_tang", frames=3), stage=True)
    assert contents() == before
    assert bpy.context.scene.camera == camera


def test_the_scene_keeps_its_settings_unless_the_bake_is_to_be_a_film(swimming):
    new_file(empty=False)
    scene = bpy.context.scene
    camera, world, engine = scene.camera, scene.world, scene.render.engine
    make(swimming("clownfish", frames=3), stage=True)
    assert (scene.camera, scene.world, scene.render.engine) == (camera, world, engine)
    assert scene.frame_end == 250
    assert not scene.timeline_markers
    again(swimming("clownfish", frames=3), stage=True, film=True)
    assert provenance.of(scene.camera, provenance.BAKE)
    assert scene.render.engine == "CYCLES"
    scene.cycles.samples = 77
    again(swimming("clownfish", frames=3), stage=True, film=True)
    assert scene.cycles.samples == 77
    assert scene.camera.name in scene.objects
    again(swimming("clownfish", frames=3))
    assert (scene.camera, scene.world, scene.render.engine) == (camera, world, engine)
    history.revert(scene)
    assert provenance.of(scene.camera, provenance.BAKE)
    assert scene.camera.name in scene.objects
    assert scene.world.name.startswith("Sea")
    history.revert(scene)
    assert (scene.camera, scene.world, scene.render.engine) == (camera, world, engine)
    assert scene.cycles.samples == 77


def test_other_looks_change_the_materials_alone(swimming):
    recording = swimming("clownfish", frames=2)
    make(recording)
    clown = recording.species_models["clownfish"]
    red = replace(clown, looks=replace(clown.looks, side=(1.0, 0.0, 0.0)))
    surface = bpy.data.objects["Clownfish 01 body left"]
    old, data = surface.material_slots[0].material.name, surface.data
    materials.retouch(red, bpy.context.scene)
    assert surface.material_slots[0].material.name == old
    assert surface.material_slots[0].material[provenance.LOOKS] == materials.looks_of(red)
    assert surface.data == data


def test_the_bake_stands_at_its_origin_and_begins_at_its_first_frame(swimming):
    recording = swimming("clownfish", frames=3)
    scene = replace(recording.scene, hook=Scene.from_dict({"hook": {"at": [4, 4, 2]}}).hook)
    make(replace(recording, scene=scene), origin=(10.0, -5.0, 2.0), stage=True, first=11)
    middle = recording.nodes[0, 0].mean(axis=0) + [10.0, -5.0, 2.0]
    assert np.linalg.norm(place("Clownfish 01", 11) - middle) < recording.body_length[0]
    assert place("Sand") == pytest.approx([10.0, -5.0, 2.0])
    bpy.context.scene.frame_set(5)
    curve = bpy.data.objects["Clownfish 01"].animation_data.action.layers[0].strips[0].channelbags[0].fcurves[0]
    assert curve.keyframe_points[0].co[0] == 11.0


@pytest.mark.parametrize("form", ["mesh", "compact"])
def test_a_fish_that_was_renamed_after_the_file_was_opened_again_is_the_same_fish(form, swimming, tmp_path):
    film = swimming("clownfish", "clownfish", frames=4)
    make(film, form=form)
    path = str(tmp_path / "film.blend")
    bpy.ops.wm.save_as_mainfile(filepath=path)
    bpy.ops.wm.open_mainfile(filepath=path)
    bpy.data.objects["Clownfish 02"].name = "HERO"
    before, parts = len(bpy.context.scene.objects), len(bpy.data.objects["HERO"].children)
    again(film, form=form)
    assert len(bpy.context.scene.objects) == before
    hero = bpy.data.objects["HERO"]
    assert hero.name in bpy.context.scene.objects and len(hero.children) == parts > 0
    assert provenance.is_original(hero) and "Clownfish 02" not in bpy.context.scene.objects


@pytest.mark.parametrize("form", ["mesh", "compact", "points"])
def test_a_bake_leaves_the_selection_as_it_is(form, swimming):
    bpy.ops.mesh.primitive_cube_add(location=(9, 9, 9))
    make(swimming("clownfish", "clownfish", frames=3), form=form)
    assert [obj.name for obj in bpy.context.selected_objects] == ["Cube"]


def test_a_scene_that_was_copied_with_all_in_it_is_baked_again_in_place(swimming):
    first = bpy.context.scene
    make(swimming("clownfish", "blue_tang", frames=3))
    bake, names = history.last(first), in_scene()
    ways = {name: place(name, 3) for name in names}
    bpy.ops.scene.new(type="FULL_COPY")
    copy = bpy.context.scene
    assert history.last(copy) is None
    history.own_copied(copy)
    own = history.last(copy)
    assert own.whole and own.id != bake.id and history.last(first).id == bake.id
    copied = in_scene()
    other = swimming("clownfish", "blue_tang", frames=3)
    again(replace(other, nodes=other.nodes + np.float32([0.0, 0.0, 1.0])))
    assert in_scene() == copied
    history.revert(copy)
    history.own_copied(copy)  # once is enough
    assert in_scene() == copied and history.last(copy).id == own.id
    history.revert(copy)
    assert not history.made_in(copy)
    bpy.context.window.scene = first
    assert in_scene() == names and history.last(first).whole
    assert all((place(name, 3) == way).all() for name, way in ways.items())


def test_a_scene_that_shares_its_fishes_with_another_has_no_bake_of_its_own(swimming):
    make(swimming("clownfish", frames=3))
    bake = history.last(bpy.context.scene)
    bpy.ops.scene.new(type="LINK_COPY")
    history.own_copied(bpy.context.scene)
    assert history.last(bpy.context.scene).id == bake.id
