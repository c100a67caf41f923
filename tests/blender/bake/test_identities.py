"""Fishes are known by their shoal: what is done to one stays where it was, whatever comes or goes in other shoals."""

import bpy
import pytest

from artfish import blender_artfish
from artfish.blender_artfish.bake import deleting, history, identities
from artfish.blender_artfish.bake.rows import rows_of
from artfish.blender_artfish.bake.whole_fish import fishes_of
from artfish.blender_artfish.identity import provenance, references, shoals
from artfish.tests.blender.bake.test_some import bake, select
from artfish.tests.blender.files import new_file

pytestmark = [pytest.mark.versions, pytest.mark.film]


@pytest.fixture(autouse=True)
def water():
    """Two clownfishes, three in another shoal, and a sardine, for some frames, not baked yet."""
    new_file()
    blender_artfish.register()
    bpy.context.scene.frame_end = 8
    for species, count in (("clownfish", 2), ("clownfish", 3), ("sardine", 1)):
        bpy.ops.artfish.add_shoal(species=species, count=count)
    yield
    blender_artfish.unregister()
    history.clear()
    new_file()


def shoal_objects():
    return [obj for obj in bpy.context.scene.objects if obj.artfish.kind == "SHOAL"]


def roots():
    """The roots of all fishes by their roles."""
    found = history.last(bpy.context.scene).fishes.values()
    return {provenance.of(root, provenance.ROLE): root for root in found}


def edited():
    """The roles of fishes with an edit, with what it is."""
    found = {role: rows_of(fishes_of(bpy.context.scene, [root])[0]) for role, root in roots().items()}
    return {role: [row.words for row in rows] for role, rows in found.items() if rows}


def hold(role):
    select(roots()[role])
    bpy.context.view_layer.objects.active = roots()[role]
    bpy.ops.artfish.hold_fish(frame=4.0, frames=3)


@pytest.mark.parametrize("change", ["more", "fewer", "gone", "another", "other species"])
def test_edits_of_a_shoal_stay_with_its_fishes_whatever_happens_to_another(change):
    bake()
    hold("fish clownfish 2.1")
    first, *_ = shoal_objects()
    names = {role: root.name for role, root in roots().items()}
    if change == "more":
        first.artfish.shoal.count += 1
    elif change == "fewer":
        first.artfish.shoal.count -= 1
    elif change == "gone":
        bpy.data.objects.remove(first)
    elif change == "another":
        bpy.ops.artfish.add_shoal(species="clownfish", count=2)
    else:
        first.artfish.shoal.species = "sardine"
    bake()
    assert list(edited()) == ["fish clownfish 2.1"]
    for role, root in roots().items():
        if role.startswith("fish clownfish 2."):
            assert root.name == names[role]
    groups = {"more": [3, 3], "fewer": [1, 3], "gone": [0, 3], "another": [2, 3, 2], "other species": [0, 3]}[change]
    found = [sum(role.startswith(f"fish clownfish {number}.") for role in roots()) for number in (1, 2, 3)]
    assert found == [*groups, 0][:3]


def test_a_new_shoal_is_not_taken_for_one_that_has_gone():
    bake()
    hold("fish sardine 1.0")
    bpy.data.objects.remove(shoal_objects()[2])
    bpy.ops.artfish.add_shoal(species="sardine", count=2)
    bake()
    assert edited() == {} and {"fish sardine 2.0", "fish sardine 2.1"} <= roots().keys()


def test_a_copy_of_a_shoal_is_another_one_and_a_renamed_one_the_same(tmp_path):
    bake()
    hold("fish clownfish 1.1")
    first = shoal_objects()[0]
    copy = first.copy()
    bpy.context.scene.collection.objects.link(copy)
    first.name, copy.name = "Zebra", "Amphora"
    bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "water.blend"))
    bpy.ops.wm.open_mainfile(filepath=str(tmp_path / "water.blend"))
    bake()
    assert list(edited()) == ["fish clownfish 1.1"]
    assert {"fish clownfish 3.0", "fish clownfish 3.1"} <= roots().keys()
    marks = {obj.name: obj[shoals.SHOAL_MARK] for obj in shoal_objects()}
    assert marks["Zebra"] == "clownfish 1" and marks["Amphora"] == "clownfish 3"


def test_a_deleted_fish_stays_deleted_while_another_shoal_grows():
    bake()
    select(roots()["fish clownfish 2.0"])
    bpy.ops.artfish.delete_fish()
    shoal_objects()[0].artfish.shoal.count += 2
    bake()
    (gone,) = deleting.deleted(bpy.context.scene)
    assert provenance.of(gone, provenance.ROLE) == "fish clownfish 2.0"
    assert len(roots()) == 7


def test_fishes_of_a_crowd_count_as_deleted_by_nobody():
    bake("crowd")
    bake()
    assert len(roots()) == 6 and deleting.deleted(bpy.context.scene) == []


# --- files of before ----------------------------------------------------------------------------------------------


def as_before():
    """Has the last bake know its fishes by their numbers within their species, as bakes did before, unmarked."""
    last, kin, old = history.last(bpy.context.scene), {}, {}
    for shoal, count in last.record["shoals"].items():
        species = shoal.removeprefix("fish ").rpartition(" ")[0]
        for number in range(count):
            old[f"{shoal}.{number}"] = f"fish {species} {kin.get(species, 0)}"
            kin[species] = kin.get(species, 0) + 1
    for obj in bpy.data.objects:
        found = provenance.FISH_ROLE.fullmatch(provenance.of(obj, provenance.ROLE))
        if found is not None:
            obj[provenance.ROLE] = old[f"fish {found[1]} {found[2]}"] + (f" {found[3]}" if found[3] else "")
    for obj in shoal_objects():
        del obj[shoals.SHOAL_MARK]
    last.write(kin=kin, shoals=None, numbered=None)


@pytest.mark.parametrize("recorded", [True, False])
def test_a_file_of_before_keeps_its_edits_and_they_stay_in_their_shoal(recorded, tmp_path):
    bake()
    hold("fish clownfish 2.1")
    hold("fish sardine 1.0")
    select(roots()["fish clownfish 1.0"])
    bpy.ops.artfish.delete_fish()
    before = edited()
    recording = history.recording(history.last(bpy.context.scene).id)
    as_before()
    bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "before.blend"))
    history.clear()
    bpy.ops.wm.open_mainfile(filepath=str(tmp_path / "before.blend"))
    assert edited() == {"fish clownfish 3": before["fish clownfish 2.1"], "fish sardine 0": before["fish sardine 1.0"]}
    if recorded:
        history.remember(history.last(bpy.context.scene).id.partition(".")[0], recording)
    shoal_objects()[0].artfish.shoal.count += 1
    bake()
    assert edited() == before
    (gone,) = deleting.deleted(bpy.context.scene)
    assert provenance.of(gone, provenance.ROLE) == "fish clownfish 1.0"
    history.revert(bpy.context.scene)
    assert edited() == before


def test_who_was_removed_from_a_file_of_before_counts_to_the_shoal_before():
    bake()
    role = "fish clownfish 1.1"
    bpy.data.batch_remove([obj for obj in bpy.data.objects if provenance.of(obj, provenance.ROLE).startswith(role)])
    left = sorted(roots())
    as_before()
    history.clear()
    last = history.last(bpy.context.scene)
    identities.bring_up_to_date(last)
    assert sorted(roots()) == left and len(left) == 5
    assert last.record["shoals"] == {"fish clownfish 1": 2, "fish clownfish 2": 3, "fish sardine 1": 1}


def test_who_follows_a_fish_that_is_gone_for_a_while_follows_the_same_one_again():
    first, second, _ = shoal_objects()
    bake()
    rider = bpy.data.objects.new("Rider", None)
    bpy.context.scene.collection.objects.link(rider)
    rider.parent = roots()["fish clownfish 2.2"]
    second.artfish.shoal.count = 2
    bake()
    assert rider.parent.type == "EMPTY" and provenance.of(rider.parent, provenance.ROLE) == "", "it waits"
    first.artfish.shoal.count = 4  # so that rows are others'
    bake()
    assert provenance.of(rider.parent, provenance.ROLE) == ""
    second.artfish.shoal.count = 3
    bake()
    assert rider.parent == roots()["fish clownfish 2.2"]
    assert not [obj for obj in bpy.context.scene.objects if references.stands_in(obj)]
