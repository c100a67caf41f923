"""Any part of a fish is the fish: keys on it delete, copy and move the whole, and copies are fishes of their own."""

import bpy
import numpy as np
import pytest

from artfish import blender_artfish
from artfish.blender_artfish.bake import bake, deleting, history, part_operators
from artfish.blender_artfish.bake.whole_fish import fishes_of
from artfish.blender_artfish.fish.individuality import INDIVIDUAL
from artfish.blender_artfish.identity import provenance
from artfish.tests.blender.bake.test_fish_operators import select
from artfish.tests.blender.bake.test_handling import corners, every_form, fish
from artfish.tests.blender.bake.test_menu import entries
from artfish.tests.blender.bake.test_retiming import bits
from artfish.tests.blender.files import new_file

pytestmark = [pytest.mark.versions, pytest.mark.film]


@pytest.fixture(autouse=True)
def added():
    """The add-on."""
    blender_artfish.register()
    yield
    blender_artfish.unregister()
    history.clear()
    new_file()


def swum(form: str = "compact", count: int = 2) -> None:
    """Fishes that were simulated, baked."""
    bpy.context.scene.frame_end = 12
    bpy.ops.artfish.add_shoal(species="clownfish", count=count)
    bpy.context.scene.artfish.bake.form = form
    bpy.ops.artfish.bake()


@every_form
def test_a_copy_by_a_key_on_a_part_is_a_whole_fish_of_its_own(swimming, form, drive):
    bake(swimming("clownfish", "clownfish", frames=6), form=form, drive=drive, stage=False)
    for shared in (False, True):
        select(fish(1).body[-1].name)
        assert bpy.ops.artfish.grab_copy(shared=shared) == {"FINISHED"}
        copy = fishes_of(bpy.context.scene, bpy.context.selected_objects)[0]
        assert bpy.context.selected_objects == [copy.offset] and len(copy.objects) == len(fish(1).objects)
        assert (copy.action == fish(1).action) == shared and corners(copy, 5) == pytest.approx(corners(fish(1), 5))
    assert sorted(obj.name for obj in bpy.context.scene.objects if "artfish_row" in obj) == [
        f"Clownfish {number:02d}" for number in (1, 2, 3, 4)
    ]


@pytest.mark.parametrize("form", ["compact", "mesh"])
def test_a_fish_is_copied_and_pasted_whole(form):
    swum(form)
    select(fish(1).body[-1].name)
    chosen = list(bpy.context.selected_objects)
    bpy.ops.artfish.copy_fish()
    assert list(bpy.context.selected_objects) == chosen
    before = set(bpy.context.scene.objects)
    bpy.ops.artfish.paste_fishes()
    pasted = fish(3)
    assert {*pasted.objects} <= {*bpy.context.scene.objects} - before
    assert len(pasted.objects) == len(fish(1).objects) and pasted.action != fish(1).action
    assert sorted(bits(pasted).values()) == sorted(bits(fish(1)).values())
    assert np.sort(corners(pasted, 9), axis=0) == pytest.approx(np.sort(corners(fish(1), 9), axis=0), abs=1e-5)
    individuals = [next(obj[INDIVIDUAL] for obj in one.body if INDIVIDUAL in obj) for one in (pasted, fish(1))]
    assert individuals[0] != individuals[1]
    assert not any(provenance.is_original(obj) for obj in pasted.objects)


def copied_by_blender(linked: bool) -> None:
    """A copy of the whole fish as Blender's own Shift D and Alt D make it."""
    select(*(obj.name for obj in fish(1).objects))
    bpy.ops.object.duplicate(linked=linked)


COPIES = {
    "grab": lambda: (select(fish(1).root.name), bpy.ops.artfish.grab_copy(shared=False)),
    "grab linked": lambda: (select(fish(1).root.name), bpy.ops.artfish.grab_copy(shared=True)),
    "paste": lambda: (select(fish(1).root.name), bpy.ops.artfish.copy_fish(), bpy.ops.artfish.paste_fishes()),
    "blender": lambda: copied_by_blender(False),
    "blender linked": lambda: copied_by_blender(True),
}


@pytest.mark.parametrize("how", COPIES)
def test_the_next_bake_neither_takes_nor_loses_a_copy(how):
    swum("mesh")
    known = set(bpy.context.scene.objects)
    COPIES[how]()
    copy = next(
        one for one in fishes_of(bpy.context.scene, set(bpy.context.scene.objects) - known) if one.root not in known
    )
    objects, keys = set(copy.objects), bits(copy)
    place = np.array(copy.root.matrix_world)
    bpy.context.scene.artfish.seed += 1
    bpy.ops.artfish.bake()
    bpy.context.view_layer.update()
    there = set(bpy.context.scene.objects)
    assert objects <= there and bits(copy) == keys
    assert np.allclose(np.array(copy.root.matrix_world), place, atol=1e-5)
    last = history.last(bpy.context.scene)
    assert len(last.fishes) == 2 and not objects & set(last.objects)
    assert fish(1).root not in objects and bits(fish(1)) != keys
    select(copy.body[-1].name)
    bpy.ops.artfish.hold_fish(frame=6.0, frames=5)
    bpy.ops.artfish.delete_fish()
    assert not deleting.deleted(bpy.context.scene) and len(history.last(bpy.context.scene).fishes) == 2


def test_a_fish_is_moved_whole_by_a_part_along_the_axes_of_the_scene(swimming):
    bake(swimming("clownfish", "clownfish", frames=6), form="compact", stage=False)
    fish(1).offset.parent.rotation_euler.z = 0.7
    bpy.context.view_layer.update()
    before, other = corners(fish(1), 4), corners(fish(2), 4)
    select(fish(1).body[-1].name)
    bpy.ops.artfish.move_fish(move=(0.1, 0.0, 0.2))
    bpy.context.view_layer.update()
    assert corners(fish(1), 4) == pytest.approx(before + [0.1, 0.0, 0.2], abs=1e-5)
    assert corners(fish(2), 4) == pytest.approx(other)


def test_keys_are_left_to_blender_where_anything_else_is_selected(swimming):
    bake(swimming("clownfish", frames=3), form="compact", stage=False)
    cube = bpy.data.objects.new("Cube", None)
    bpy.context.scene.collection.objects.link(cube)
    menu = part_operators.ARTFISH_MT_delete_fish
    polls = (bpy.ops.artfish.move_fish, bpy.ops.artfish.copy_fish, bpy.ops.artfish.grab_copy, menu)
    for names, ours in (
        (["Cube"], False),
        (["Cube", "Clownfish 01"], False),
        ([], False),
        (["Clownfish 01 eye left"], True),
        (["Offset Clownfish 01"], True),
    ):
        select(*names)
        assert [each.poll(bpy.context) if each is menu else each.poll() for each in polls] == [ours] * 4, names


def test_the_menu_of_x_offers_the_whole_fish_first(swimming):
    bake(swimming("clownfish", frames=3), form="compact", stage=False)
    select("Clownfish 01 eye left")
    assert entries(part_operators.ARTFISH_MT_delete_fish) == [
        "artfish.delete_fish",
        "artfish.hide_fish",
        "object.delete",
    ]
    used = {key for _, key, _, _ in part_operators.KEYS}
    assert used == {"X", "DEL", "D", "G", "C", "V"}
