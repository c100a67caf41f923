"""After the bake a fish is deleted, hidden, shown and duplicated as one, in every form."""

from dataclasses import replace

import bpy
import numpy as np
import pytest
from mathutils import Vector
from scipy.spatial import cKDTree

from artfish.blender_artfish.bake import bake, handling
from artfish.blender_artfish.bake.recasting import recast
from artfish.blender_artfish.bake.retiming import retime
from artfish.blender_artfish.bake.whole_fish import WholeFish, fishes_of
from artfish.blender_artfish.export import pictures
from artfish.blender_artfish.export.exporting import SUFFIXES, export
from artfish.blender_artfish.fish.individuality import INDIVIDUAL
from artfish.blender_artfish.identity import provenance
from artfish.core.scene.scene import Scene
from artfish.core.scene.species import Species
from artfish.tests.blender.export.test_exporting import FIRST, NEAR, meshes, read, vertices

pytestmark = [pytest.mark.versions, pytest.mark.film]

FORMS = [
    ("compact", "armature"),
    ("mesh", "armature"),
    pytest.param("points", "armature", marks=pytest.mark.large),
    pytest.param("mesh", "shapes", marks=pytest.mark.large),
]
every_form = pytest.mark.parametrize("form, drive", FORMS)
FILES = [".glb", *(pytest.param(suffix, marks=pytest.mark.large) for suffix in SUFFIXES if suffix != ".glb")]


def fish(number: int) -> WholeFish:
    name = f"Clownfish {number:02d}"
    return fishes_of(bpy.context.scene, [bpy.data.objects[name]])[0]


def corners(whole: WholeFish, frame: int) -> np.ndarray:
    """Corners of the boxes about a fish's objects at a frame, (corners, 3), as its keys bend it."""
    bpy.context.scene.frame_set(frame)
    graph, found = bpy.context.evaluated_depsgraph_get(), []
    for obj in whole.body:
        if obj.data is not None and obj.type != "ARMATURE":
            shown = obj.evaluated_get(graph)
            found += [shown.matrix_world @ Vector(corner) for corner in shown.bound_box]
    return np.array(found)


def counts() -> dict[str, int]:
    return {kind: len(getattr(bpy.data, kind)) for kind in ("objects", "curves", "meshes", "actions", "shape_keys")}


@every_form
def test_deleted_is_all_of_it_and_nothing_of_the_others(swimming, form, drive):
    bake(swimming("clownfish", "clownfish", frames=4), form=form, drive=drive, stage=False)
    rider = bpy.data.objects.new("Rider", None)
    bpy.context.scene.collection.objects.link(rider)
    rider.parent, other = fish(1).root, {obj.name for obj in fish(2).objects}
    bpy.context.view_layer.update()
    at = np.array(rider.matrix_world)
    handling.delete([fish(1)])
    bpy.context.view_layer.update()
    left = {obj.name for obj in bpy.context.scene.objects}
    assert left - other - {"Rider"} == {"Artfish bake 01"} and other <= left
    assert rider.parent is None and np.allclose(np.array(rider.matrix_world), at, atol=1e-6)
    handling.delete([fish(2)])
    assert {obj.name for obj in bpy.context.scene.objects} == {"Artfish bake 01", "Rider"}


def test_with_the_last_of_a_shoal_its_offset_goes(swimming):
    groups = [{"species": name, "count": count, "at": [4, 4, 2]} for name, count in (("sardine", 2), ("clownfish", 1))]
    school = {"name": "school", "duration": 0.1, "tank": {"size": [8, 8, 4]}, "fishes": groups}
    recording = swimming("sardine", "sardine", "clownfish", frames=3)
    bake(replace(recording, scene=Scene.from_dict(school)), form="compact", stage=False)
    scene = bpy.context.scene
    every = [fish for fish in fishes_of(scene, scene.objects) if fish.species == "sardine"]
    assert fishes_of(scene, [scene.objects["Offset Sardine shoal 01"]]) == every
    handling.delete(every)
    assert [obj.name for obj in scene.objects if provenance.is_offset(obj)] == ["Offset Clownfish 01"]


@every_form
def test_hidden_is_hidden_at_every_frame_and_shown_it_is_there_when_its_keys_say(swimming, form, drive):
    alive = np.ones((6, 2), dtype=bool)
    alive[3:, 0] = False
    bake(swimming("clownfish", "clownfish", frames=6, alive=alive), form=form, drive=drive, stage=False)
    scene = bpy.context.scene
    for number in (1, 2):
        handling.hide(fish(number))
        for frame in (1, 5, 2):
            scene.frame_set(frame)
            assert all(obj.hide_viewport and obj.hide_render for obj in fish(number).body)
    scene.frame_set(5)
    for number in (1, 2):
        handling.show(fish(number), scene.frame_current)
    assert all(obj.hide_viewport and obj.hide_render for obj in fish(1).body)  # it is dead by then
    assert not any(obj.hide_viewport or obj.hide_render for obj in fish(2).body)
    scene.frame_set(2)
    assert not any(obj.hide_viewport or obj.hide_render for obj in fish(1).body)


@every_form
@pytest.mark.parametrize("shared", [False, True])
def test_a_duplicate_swims_alike_beside_and_is_somebody_else(swimming, form, drive, shared):
    bake(swimming("clownfish", "clownfish", frames=6), form=form, drive=drive, stage=False)
    one, before = fish(1), counts()
    copy = handling.duplicate(one, shared, (0.0, 0.0, 0.5))
    assert copy.root.name == "Clownfish 03" and copy.offset.name == "Offset Clownfish 03"
    assert len(copy.objects) == len(one.objects) and not {*copy.objects} & {*one.objects}
    assert (copy.action == one.action) == shared
    for frame in (1, 5):
        assert corners(copy, frame) == pytest.approx(corners(one, frame) + [0.0, 0.0, 0.5], abs=1e-5)
    part, origin = copy.body[-1], one.body[-1]
    assert part[INDIVIDUAL] != origin[INDIVIDUAL] and part["id"] not in (0, 1)
    made = {kind: number - before[kind] for kind, number in counts().items()}
    assert made.pop("objects") == len(one.objects)
    assert (not any(made.values())) == shared
    handling.delete([copy])
    assert counts() == before
    assert corners(fish(1), 5).shape == corners(one, 5).shape


def test_a_duplicate_goes_as_far_as_is_said_however_its_bake_hangs(swimming):
    top = bake(swimming("clownfish", "clownfish", frames=3), form="mesh", stage=False)
    (root,) = [obj for obj in top.all_objects if obj.parent is None]
    root.scale, root.rotation_euler = (100.0,) * 3, (0.0, 0.0, 0.5)
    bpy.context.view_layer.update()
    one = fish(1)
    copy = handling.duplicate(one, move=(3.0, 0.0, 10.0))
    assert corners(copy, 2) == pytest.approx(corners(one, 2) + [3.0, 0.0, 10.0], abs=1e-3)


def test_a_duplicate_is_not_of_the_bake_any_more(swimming):
    bake(swimming("clownfish", frames=3), form="compact", stage=False)
    copy = handling.duplicate(fish(1))
    (bake_id,) = {provenance.of(obj, provenance.BAKE) for obj in fish(1).objects}
    assert not {*copy.objects} & {*provenance.objects(bpy.context.scene, bake_id)}
    assert handling.duplicate(copy).root.name == "Clownfish 03"


@pytest.mark.parametrize("suffix", FILES)
def test_what_was_changed_after_the_bake_is_exported_so(tmp_path, swimming, monkeypatch, suffix):
    monkeypatch.setattr(pictures, "SIZES", {"skin": 64, "eye": 64})
    monkeypatch.setattr(pictures, "FIN_SIZE", 64)
    recording = swimming("clownfish", "clownfish", frames=12)
    bake(recording, form="mesh", stage=False)
    fish(1).offset.location.z += 0.4
    fish(1).offset.rotation_euler.z += 0.7
    retime(fish(2), 3, 0.75)
    copy = duplicate_of(fish(2))
    recast(copy, Species.load("sardine"), bpy.context.scene)
    frames = (0, 5, 11)
    true = {number: [vertices(fish(number).parts[0], frame) for frame in frames] for number in (1, 2, 3)}
    assert export(tmp_path / f"fishes{suffix}") == 3
    read(tmp_path / f"fishes{suffix}")
    found = set()
    for obj in meshes():
        places = [vertices(obj, frame, FIRST.get(suffix, 1)) for frame in frames]
        number = min(true, key=lambda one: np.linalg.norm(true[one][0].mean(axis=0) - places[0].mean(axis=0)))
        found.add(number)
        for here, there in zip(places, true[number], strict=True):
            off = cKDTree(there).query(here)[0] / recording.body_length.max()
            assert np.percentile(off, 95) < NEAR, (obj.name, number)
    assert found == {1, 2, 3}


def duplicate_of(whole: WholeFish) -> WholeFish:
    """A copy that swims beside and turned."""
    copy = handling.duplicate(whole, move=(0.0, 0.3, 0.3))
    copy.offset.rotation_euler.x += 0.2
    return copy
