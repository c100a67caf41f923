"""Bakes of some fishes: all others stay the very objects that they were, to the bit, and are seen by the new ones."""

import bpy
import numpy as np
import pytest
from mathutils import Vector

from artfish import blender_artfish
from artfish.blender_artfish.bake import history
from artfish.blender_artfish.blender.versions import channelbags
from artfish.blender_artfish.identity import provenance
from artfish.tests.blender.files import new_file

pytestmark = [pytest.mark.versions, pytest.mark.film]

FORMS = ["mesh", pytest.param("compact", marks=pytest.mark.sampled), pytest.param("points", marks=pytest.mark.sampled)]


@pytest.fixture(autouse=True)
def water():
    """Three clownfishes, three sardines and a lone clownfish for twelve frames, not baked yet."""
    new_file()
    blender_artfish.register()
    bpy.context.scene.frame_end = 12
    for species, count in (("clownfish", 3), ("sardine", 3), ("clownfish", 1)):
        bpy.ops.artfish.add_shoal(species=species, count=count)
    yield bpy.context.scene
    blender_artfish.unregister()
    history.clear()
    new_file()


def bake(form="mesh", **given):
    bpy.context.scene.artfish.bake.form = form
    return bpy.ops.artfish.bake(**given)


def select(*objects):
    for obj in bpy.context.selected_objects:
        obj.select_set(False)
    for obj in objects:
        obj.select_set(True)


def shoal(species):
    return next(obj for obj in bpy.context.scene.objects if obj.artfish.kind == "SHOAL" and species in obj.name.lower())


def keys(obj):
    """All keys of an object, its data and its shape keys, as bytes."""
    found = []
    for block in (obj, obj.data, getattr(obj.data, "shape_keys", None)):
        for bag in channelbags(block) if getattr(block, "animation_data", None) else ():
            for curve in bag.fcurves:
                places = np.empty(2 * len(curve.keyframe_points), np.float32)
                curve.keyframe_points.foreach_get("co", places)
                found.append((curve.data_path, curve.array_index, places.tobytes()))
    return found


def baked():
    """Each baked object of the scene by its name: which one it is, what it hangs on, and its keys."""
    bpy.context.view_layer.update()
    return {
        obj.name: (
            obj.session_uid,
            obj.parent and obj.parent.name,
            [tuple(row) for row in obj.matrix_parent_inverse],
            keys(obj),
        )
        for obj in bpy.context.scene.objects
        if provenance.of(obj, provenance.BAKE)
    }


def changed(before, after):
    """Names of the objects that are others than before."""
    return {name for name in before if before[name] != after[name]}


@pytest.mark.parametrize("form", FORMS)
def test_a_shoal_is_baked_and_all_others_stay(form):
    bake(form)
    before, then = baked(), history.recording(history.last(bpy.context.scene).id)
    shoal("sardine").location.x += 0.2
    select(shoal("sardine"))
    assert bake(form, scope="SELECTED") == {"FINISHED"}
    after = baked()
    assert sorted(before) == sorted(after)
    assert changed(before, after) == {name for name in before if "ardine" in name}
    assert {name: one[1] for name, one in before.items()} == {name: one[1] for name, one in after.items()}
    last = history.last(bpy.context.scene)
    now = history.recording(last.id)
    rows = [row for row, name in enumerate(now.species) if name != "sardine"]
    assert last.whole and np.array_equal(now.nodes[:, rows], then.nodes[:, rows])
    assert not np.allclose(now.nodes[:, 3], then.nodes[:, 3], atol=0.05)
    for row, root in last.fishes.items():  # each is where its recording says
        bpy.context.scene.frame_set(7)
        place = np.array(last.root.matrix_world @ Vector(now.nodes[6, row].mean(axis=0).tolist()))
        part = next((child for child in root.children if child.type in ("MESH", "SURFACE")), root)
        corners = np.array([tuple(part.matrix_world @ Vector(corner)) for corner in part.bound_box])
        assert np.linalg.norm(corners.mean(axis=0) - place) < now.body_length[row]


@pytest.mark.parametrize("form", FORMS)
def test_one_fish_of_a_shoal_is_baked_and_hangs_where_it_did(form):
    bake(form)
    before = baked()
    bpy.context.scene.artfish.seed += 1
    fish = bpy.data.objects["Clownfish 02"]
    select(fish.children[0] if fish.children else fish)
    assert bake(form, scope="SELECTED") == {"FINISHED"}
    after = baked()
    assert changed(before, after) == {name for name in before if "Clownfish 02" in name}
    offset = bpy.data.objects["Clownfish 02"].parent
    assert (offset.name, offset.parent.name) == ("Offset Clownfish 02", "Offset Clownfish shoal 01")


def test_a_revert_brings_back_what_was_replaced_and_nothing_else():
    bake()
    before, made = baked(), history.last(bpy.context.scene).id
    select(shoal("sardine"))
    shoal("sardine").location.x += 0.2
    bake(scope="SELECTED")
    bpy.ops.artfish.revert_bake()
    assert baked() == before
    assert history.last(bpy.context.scene).id == made and history.last(bpy.context.scene).whole
    bpy.ops.artfish.revert_bake()
    assert not baked()


def test_what_was_done_to_the_others_stays_through_bakes_of_some():
    bake()
    hero = bpy.data.objects["Clownfish 01"]
    body = hero.children[0]
    body.modifiers.new("Bends", "SIMPLE_DEFORM")
    hero["mine"] = 7
    hero.name = "HERO"
    hero.parent.location.z += 0.1
    for _ in range(2):
        shoal("sardine").location.x += 0.1
        select(shoal("sardine"))
        bake(scope="SELECTED")
    now = bpy.data.objects["HERO"]
    assert now == hero and now["mine"] == 7 and "Bends" in now.children[0].modifiers
    assert now.parent.location.z == pytest.approx(bpy.data.objects["Offset Clownfish 02"].location.z, abs=1.0)
    assert len(history.last(bpy.context.scene).fishes) == 7


@pytest.mark.parametrize("form", FORMS)
def test_a_locked_fish_stays_when_all_are_baked(form):
    bake(form)
    before = baked()
    fish = bpy.data.objects["Clownfish 03"]
    fish.artfish.locked = True
    bpy.context.scene.artfish.seed += 1
    assert bake(form) == {"FINISHED"}
    after = baked()
    stays = {"Artfish bake 01", "Offset Clownfish shoal 01", *(name for name in before if "Clownfish 03" in name)}
    assert sorted(before) == sorted(after) and changed(before, after) == set(before) - stays
    assert bpy.data.objects["Clownfish 03"] == fish
    bpy.ops.artfish.revert_bake()
    assert baked() == before
    fish.artfish.locked = False
    bake(form)
    assert fish.name not in bpy.context.scene.objects or bpy.data.objects["Clownfish 03"] != fish


def test_a_shoal_that_came_since_is_baked_beside_the_others():
    bake()
    before = baked()
    bpy.ops.artfish.add_shoal(species="blue_tang", count=2)
    select(shoal("tang"))
    assert bake(scope="SELECTED") == {"FINISHED"}
    after = baked()
    assert not changed(before, after) and len(after) > len(before)
    assert {"Blue tang 01", "Blue tang 02"} <= set(after)
    assert len(history.last(bpy.context.scene).fishes) == 9
    bpy.ops.artfish.revert_bake()
    assert baked() == before


def test_the_stage_stays():
    bpy.context.scene.artfish.bake.stage = bpy.context.scene.artfish.bake.film = True
    bake()
    before, camera, world = baked(), bpy.context.scene.camera, bpy.context.scene.world
    select(shoal("sardine"))
    shoal("sardine").location.x += 0.2
    bake(scope="SELECTED")
    assert changed(before, baked()) == {name for name in before if "ardine" in name}
    assert (bpy.context.scene.camera, bpy.context.scene.world) == (camera, world)
    bpy.ops.artfish.revert_bake()
    assert baked() == before and (bpy.context.scene.camera, bpy.context.scene.world) == (camera, world)
    bpy.ops.artfish.revert_bake()
    assert bpy.context.scene.camera != camera


def refused(said, **given):
    with pytest.raises(RuntimeError, match=said):
        bake(**given)


def test_what_cannot_be_baked_by_itself_is_said():
    select(shoal("sardine"))
    refused("nothing baked", scope="SELECTED")
    bake()
    before = baked()
    select()
    refused("no fish and no shoal among the selected", scope="SELECTED")
    select(bpy.data.objects["Sardine 01"])
    bpy.data.objects["Sardine 01"].artfish.locked = True
    refused("only locked fishes", scope="SELECTED")
    bpy.data.objects["Sardine 01"].artfish.locked = False
    shoal("clownfish").artfish.shoal.count = 4
    refused("another number of fishes", scope="SELECTED")
    shoal("clownfish").artfish.shoal.count = 3
    bpy.context.scene.frame_end = 20
    refused("frames 1 to 20", scope="SELECTED")
    bpy.context.scene.frame_end = 12
    history.clear()
    refused("no recording of the last bake", scope="SELECTED")
    assert baked() == before


def test_a_crowd_is_baked_as_a_whole():
    bake("crowd")
    select(shoal("sardine"))
    refused("a crowd, which is one object", form="crowd", scope="SELECTED")
