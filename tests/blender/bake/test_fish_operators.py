"""Operators on whole fishes: any part is enough, several go together, one undo takes each back."""

import bpy
import pytest

from artfish import blender_artfish
from artfish.blender_artfish.bake import bake
from artfish.blender_artfish.bake.key_edits import timing_of
from artfish.blender_artfish.bake.key_table import curves_of
from artfish.tests.blender.bake.test_handling import every_form, fish

pytestmark = [pytest.mark.versions, pytest.mark.film]


@pytest.fixture(autouse=True)
def added():
    """The add-on."""
    blender_artfish.register()
    yield
    blender_artfish.unregister()


def select(*names: str) -> None:
    for obj in bpy.context.selected_objects:
        obj.select_set(False)
    for name in names:
        bpy.data.objects[name].select_set(True)
    bpy.context.view_layer.objects.active = bpy.data.objects[names[0]] if names else None


def state() -> list:
    """Objects of the scene, each with its visibility, materials and place, and the spans of its actions."""
    found = []
    for obj in sorted(bpy.context.scene.objects, key=lambda obj: obj.name):
        materials = [slot.material.name for slot in obj.material_slots]
        found.append((obj.name, obj.hide_viewport, obj.hide_render, obj.get("individual"), materials, obj.location[:]))
    for action in sorted(bpy.data.actions, key=lambda action: action.name):
        keys = sum(len(curve.keyframe_points) for curve in curves_of(action).values())
        found.append((action.name, keys, *action.curve_frame_range))
    return found


@every_form
def test_any_part_stands_for_its_fish(swimming, form, drive):
    bake(swimming("clownfish", "clownfish", "clownfish", frames=3), form=form, drive=drive, stage=False)
    for part in (*fish(2).body, fish(2).offset):
        select(part.name)
        assert bpy.ops.artfish.select_whole_fish() == {"FINISHED"}
        assert {*bpy.context.selected_objects} == {*fish(2).body} and bpy.context.object == fish(2).root
    select(fish(1).body[-1].name, fish(3).body[-1].name)
    bpy.ops.artfish.select_whole_fish()
    assert {*bpy.context.selected_objects} == {*fish(1).body, *fish(3).body}
    bpy.ops.artfish.select_offset()
    assert {*bpy.context.selected_objects} == {fish(1).offset, fish(3).offset}


ACTIONS = {
    "delete": lambda: bpy.ops.artfish.delete_fish("EXEC_DEFAULT", True),
    "hide": lambda: bpy.ops.artfish.hide_fish("EXEC_DEFAULT", True),
    "duplicate": lambda: bpy.ops.artfish.duplicate_fish("EXEC_DEFAULT", True, move=(0.0, 0.0, 0.1)),
    "share": lambda: bpy.ops.artfish.duplicate_fish("EXEC_DEFAULT", True, shared=True),
    "retime": lambda: bpy.ops.artfish.retime_fish("EXEC_DEFAULT", True, frames=5.0, speed=1.5),
    "hold": lambda: bpy.ops.artfish.hold_fish("EXEC_DEFAULT", True, frame=2.0, frames=3),
    "nudge": lambda: bpy.ops.artfish.nudge_fish("EXEC_DEFAULT", True, frame=2.0, move=(0.1, 0.0, 0.0), falloff=4.0),
    "move": lambda: bpy.ops.artfish.move_fish("EXEC_DEFAULT", True, move=(0.1, 0.0, 0.0)),
    "grab": lambda: bpy.ops.artfish.grab_copy("EXEC_DEFAULT", True, shared=False),
    "look": lambda: bpy.ops.artfish.swap_look("EXEC_DEFAULT", True, species="blue_tang", dice=2),
    "species": lambda: bpy.ops.artfish.swap_species("EXEC_DEFAULT", True, species="sardine"),
}


@pytest.mark.sampled
@pytest.mark.parametrize("form, action", [*(("compact", name) for name in [*ACTIONS][:-1]), ("mesh", "species")])
def test_each_is_one_step_and_one_undo_takes_it_back(swimming, form, action):
    bake(swimming("clownfish", "clownfish", "clownfish", frames=4), form=form, stage=False)
    select(fish(1).body[-1].name, fish(2).body[0].name)
    bpy.ops.ed.undo_push(message="Before")
    before, third = state(), fish(3).root.name
    assert ACTIONS[action]() == {"FINISHED"}
    after = state()
    assert after != before and third in {entry[0] for entry in after}
    bpy.ops.ed.undo()
    assert state() == before
    bpy.ops.ed.redo()
    assert state() == after


def test_what_is_hidden_is_shown_by_name_or_all_at_once(swimming):
    bake(swimming("clownfish", "clownfish", frames=3), form="compact", stage=False)
    select(fish(1).root.name, fish(2).root.name)
    bpy.ops.artfish.hide_fish()
    with pytest.raises(RuntimeError, match="No fish called Nemo is hidden"):
        bpy.ops.artfish.show_fishes(name="Nemo")
    bpy.ops.artfish.show_fishes(name="Clownfish 02")
    assert fish(1).is_hidden and not fish(2).is_hidden
    bpy.ops.artfish.show_fishes()
    assert not fish(1).is_hidden and not any(obj.hide_render for obj in fish(1).body)
    with pytest.raises(RuntimeError, match="No fish was hidden"):
        bpy.ops.artfish.show_fishes()


def test_retimed_twice_it_is_as_the_last_says(swimming):
    bake(swimming("clownfish", "clownfish", frames=6), form="compact", stage=False)
    select("Clownfish 01 eye left", "Clownfish 02")
    bpy.ops.artfish.retime_fish(frames=5.0, speed=2.0)
    bpy.ops.artfish.retime_fish(frames=3.0)
    assert [tuple(fish(number).action.curve_frame_range) for number in (1, 2)] == [(4.0, 9.0)] * 2
    bpy.ops.artfish.retime_fish()
    assert timing_of(fish(1).action).as_baked


def test_what_is_no_fish_is_said(swimming):
    with pytest.raises(RuntimeError, match="Select a baked fish first, by any of its parts"):
        bpy.ops.artfish.delete_fish()
    bake(swimming("sardine", "sardine", frames=3), form="crowd", stage=False)
    select("Sardine crowd 01")
    with pytest.raises(RuntimeError, match="A crowd is one object: bake the form Mesh, Compact or Points"):
        bpy.ops.artfish.hide_fish()
    select("Artfish bake 01")
    with pytest.raises(RuntimeError, match="Select a baked fish first"):
        bpy.ops.artfish.duplicate_fish()


def test_no_other_body_without_bones(swimming):
    bake(swimming("clownfish", frames=3), form="compact", stage=False)
    select("Clownfish 01")
    with pytest.raises(RuntimeError, match="Clownfish 01 without bones"):
        bpy.ops.artfish.swap_species(species="sardine")
    with pytest.raises(RuntimeError, match="nothing to change, allowed a species, or dice other than 0"):
        bpy.ops.artfish.swap_look()
    with pytest.raises(RuntimeError, match="Clownfish 01 with no offset of a shoal"):
        bpy.ops.artfish.select_offset(shoal=True)


def test_live_fishes_are_none_of_these():
    bpy.ops.artfish.add_shoal(species="clownfish", count=2)
    bpy.ops.artfish.live_play()
    for obj in bpy.context.scene.objects:
        select(obj.name)
        assert not bpy.ops.artfish.delete_fish.poll()
