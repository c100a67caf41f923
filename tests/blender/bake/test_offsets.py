"""Above each fish and shoal hangs an empty without keys, which moves them and changes nothing before it is moved."""

from dataclasses import replace
from math import pi

import bpy
import numpy as np
import pytest
from mathutils import Matrix

from artfish.blender_artfish.bake import bake, history
from artfish.blender_artfish.bake.handling import duplicate
from artfish.blender_artfish.bake.order import Order
from artfish.blender_artfish.bake.retiming import retime
from artfish.blender_artfish.bake.whole_fish import fishes_of, is_nudged
from artfish.blender_artfish.bake.writer import bake_steps
from artfish.blender_artfish.identity import provenance
from artfish.core.body.anatomy import body_frame
from artfish.core.scene.scene import Scene

pytestmark = [pytest.mark.versions, pytest.mark.film]


@pytest.fixture
def school(swimming):
    """Two clownfish that are a shoal, and a sardine alone."""
    recording = swimming("clownfish", "clownfish", "sardine", frames=6)
    at = [4.0, 4.0, 2.0]
    groups = [{"species": "clownfish", "count": 2, "at": at}, {"species": "sardine", "at": at}]
    scene = {"name": "school", "duration": 0.25, "tank": {"size": [8.0, 8.0, 4.0]}, "fishes": groups}
    return replace(recording, scene=Scene.from_dict(scene))


def offsets() -> dict[str, bpy.types.Object]:
    return {obj.name: obj for obj in bpy.context.scene.objects if provenance.is_offset(obj)}


def root(row: int) -> bpy.types.Object:
    return next(obj for obj in bpy.context.scene.objects if obj.get(provenance.ROW) == row)


def places(frame: int) -> dict[str, np.ndarray]:
    """Places of all objects at a frame; an armature has that of its root bone."""
    bpy.context.scene.frame_set(frame)
    found = {}
    for obj in bpy.context.scene.objects:
        bone = obj.pose.bones["root"].matrix if obj.type == "ARMATURE" else Matrix()
        found[obj.name] = np.array(obj.matrix_world @ bone)
    return found


@pytest.mark.parametrize("form, drive", [("points", ""), ("compact", ""), ("mesh", "armature"), ("mesh", "shapes")])
def test_every_fish_and_every_shoal_hangs_on_one_and_nothing_has_moved(school, form, drive):
    bake(school, form=form, drive=drive or "armature", stage=False)
    assert sorted(offsets()) == [
        "Offset Clownfish 01",
        "Offset Clownfish 02",
        "Offset Clownfish shoal 01",
        "Offset Sardine 01",
    ]
    bpy.context.view_layer.update()
    origin = body_frame(school.nodes.astype(float))[0]
    for row in range(3):
        carrier = root(row).parent
        assert provenance.is_offset(carrier) and carrier.animation_data is None
        assert np.array(carrier.matrix_world.translation) == pytest.approx(origin[0, row], abs=1e-6)
        assert carrier.matrix_world @ root(row).matrix_parent_inverse == Matrix()  # to the bit
    assert root(0).parent.parent == root(1).parent.parent == offsets()["Offset Clownfish shoal 01"]
    assert root(2).parent.parent == offsets()["Offset Clownfish shoal 01"].parent  # the empty that carries all


@pytest.mark.parametrize("form", ["compact", "mesh"])
def test_a_keyed_fish_is_moved_and_turned_by_its_own_and_a_shoal_by_its(school, form):
    bake(school, form=form, stage=False)
    before = [places(frame) for frame in (1, 6)]
    root(1).parent.location.z += 0.25
    root(0).parent.rotation_euler.z += pi / 2
    offsets()["Offset Clownfish shoal 01"].location.x -= 0.5
    for frame, was in zip((1, 6), before, strict=True):
        now = places(frame)
        for name in (root(1).name, root(1).children[0].name):
            assert now[name][:3, 3] - was[name][:3, 3] == pytest.approx([-0.5, 0.0, 0.25], abs=1e-5)
        assert np.array_equal(now[root(2).name], was[root(2).name])
    first, name = before[0], root(0).name
    way = (before[1][name] - first[name])[:2, 3]
    moved = places(6)[name] - places(1)[name]
    assert moved[:2, 3] == pytest.approx([-way[1], way[0]], abs=1e-5)  # turned about where it is at first
    assert places(1)[name][:3, 3] == pytest.approx(first[name][:3, 3] - [0.5, 0.0, 0.0], abs=1e-5)


def make(recording, **wishes):
    for _ in bake_steps(recording, order=Order("compact", stage=False, time=False, **wishes)):
        pass


def test_they_are_replaced_come_back_and_go_with_their_bake(school):
    scene = bpy.context.scene
    make(school)
    first = {name: obj.session_uid for name, obj in offsets().items()}
    bpy.data.objects["Offset Clownfish 02"].location.z += 1.0
    make(school, instead=history.last(scene).id)
    assert offsets().keys() == first.keys() and not {obj.session_uid for obj in offsets().values()} & {*first.values()}
    assert all(root(row).parent in offsets().values() for row in range(3))
    history.revert(scene)
    assert {name: obj.session_uid for name, obj in offsets().items()} == first
    history.revert(scene)
    assert not scene.objects and not offsets()


def test_a_copy_on_the_offset_of_a_shoal_stays_where_it_is(school):
    scene = bpy.context.scene
    make(school)
    copy = duplicate(fishes_of(scene, [scene.objects["Clownfish 02"]])[0], move=(0.0, 0.0, 0.5)).root
    at = places(4)[copy.name]
    make(replace(school, nodes=school.nodes + [0.0, 1.0, 0.0]), instead=history.last(scene).id)
    assert copy.parent.parent == scene.objects["Offset Clownfish shoal 01"]
    assert places(4)[copy.name] == pytest.approx(at, abs=1e-5)
    history.revert(scene)
    assert copy.parent.parent == scene.objects["Offset Clownfish shoal 01"]
    assert places(4)[copy.name] == pytest.approx(at, abs=1e-5)
    history.revert(scene)
    assert places(4)[copy.name] == pytest.approx(at, abs=1e-5) and len(scene.objects) == 11


def test_fishes_that_come_in_addition_have_offsets_of_their_names(swimming):
    scene = bpy.context.scene
    make(swimming("clownfish", frames=3))
    bpy.data.objects["Clownfish 01"].name = "Clownfish 05"
    make(swimming("clownfish", "clownfish", frames=3), instead=history.last(scene).id)
    assert root(1).name == "Clownfish 06" and root(1).parent.name == "Offset Clownfish 06"


def test_what_was_nudged_or_retimed_is_known_before_it_is_baked_again(school):
    top, scene = bake(school, form="mesh", stage=False), bpy.context.scene
    assert not is_nudged(scene)
    (shoal,) = [obj for obj in top.all_objects if obj.name.startswith("Offset") and "shoal" in obj.name]
    for name, moved in (("location", 0.1), ("rotation_euler", 0.2), ("scale", 0.3)):
        getattr(shoal, name)[1] += moved
        assert is_nudged(scene), name
        getattr(shoal, name)[1] -= moved
    assert not is_nudged(scene)
    retime(fishes_of(scene, top.all_objects)[0], 3)
    assert is_nudged(scene)
