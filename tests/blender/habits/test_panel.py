"""Habits of shoals and of single fishes: what is set in the panel is what swims."""

import bpy
import pytest

from artfish import blender_artfish
from artfish.blender_artfish.blender import declarations
from artfish.blender_artfish.habits import panel
from artfish.blender_artfish.habits.operators import chosen
from artfish.blender_artfish.identity.provenance import ROW
from artfish.blender_artfish.scene import reader as scene_reader
from artfish.blender_artfish.scene import writer as scene_writer
from artfish.core import Scene, SceneError


@pytest.fixture(autouse=True)
def shoal(fresh_file):
    """A shoal of five clownfishes, active."""
    blender_artfish.register()
    bpy.ops.artfish.add_shoal(species="clownfish", count=5)
    yield bpy.context.object
    blender_artfish.unregister()


def group():
    """The first group of fishes as the simulation reads it."""
    return scene_reader.read(bpy.context.scene).scene.fishes[0]


def test_every_like_and_every_number_of_a_mind_is_in_the_panel():
    assert set(panel.LIKE_LABELS) == {field["name"] for field in declarations.DECLARATIONS["Habits"]}
    shown = [
        key.removeprefix("mind.") for keys in panel.MIND_FIELDS.values() for key in keys if key.startswith("mind.")
    ]
    assert sorted(shown) == sorted(field["name"] for field in declarations.DECLARATIONS["DrivesChange"])


def test_a_shoal_says_only_what_was_set(shoal):
    shoal.artfish.shoal.type = "pacifist"
    shoal.artfish.habits.schooling, shoal.artfish.habits.cold = "YES", "NO"
    shoal.artfish.mind.use_libido, shoal.artfish.mind.libido = True, 0.75
    read = group()
    assert (read.type, read.habits.schooling, read.habits.cold, read.habits.warmth) == ("pacifist", True, False, None)
    assert read.mind.libido == 0.75 and read.mind.hunger is None


def test_single_fishes_differ_from_their_shoal(shoal):
    for _ in range(2):
        assert bpy.ops.artfish.member_add() == {"FINISHED"}
    first, second = shoal.artfish.members
    second.number = 4
    second.sex, second.type, second.leader = "male", "predator", "YES"
    second.habits.darkness = "YES"
    second.mind.use_p0, second.mind.p0 = True, 0.25
    read = group()
    assert [member.index for member in read.members] == [0, 3]
    fish = read.alone(3)
    assert (fish.sex, fish.type, fish.leader, fish.habits.darkness, fish.mind.p0) == (
        "male",
        "predator",
        True,
        True,
        0.25,
    )
    assert read.alone(1).type is None
    bpy.ops.artfish.member_remove()
    assert [member.index for member in group().members] == [0]


def test_the_fish_that_is_selected_is_added(shoal):
    bpy.ops.artfish.add_shoal(species="sardine", count=3)
    other = bpy.context.object
    fish, fin = (bpy.data.objects.new(name, None) for name in ("Fish", "Fin"))
    fish[ROW], fin.parent = 6, fish
    bpy.context.scene.collection.objects.link(fish)
    bpy.context.scene.collection.objects.link(fin)
    bpy.context.view_layer.objects.active = fin
    assert chosen(bpy.context) == (other, 1)
    for _ in range(2):
        bpy.ops.artfish.member_add()
    assert [member.index for member in other.artfish.members] == [1] and not shoal.artfish.members
    fish[ROW] = 8
    assert chosen(bpy.context) == (None, -1) and not bpy.ops.artfish.member_add.poll()


def test_a_shoal_has_no_more_single_fishes_than_fishes(shoal):
    for _ in range(5):
        bpy.ops.artfish.member_add()
    assert bpy.ops.artfish.member_add() == {"CANCELLED"}
    assert len(group().members) == 5
    shoal.artfish.shoal.count = 4
    with pytest.raises(SceneError, match=r"members\[4\].index: found 4"):
        group()


def test_members_come_back_from_a_scene_file(shoal):
    bpy.ops.artfish.member_add()
    shoal.artfish.members[0].sex = "female"
    shoal.artfish.members[0].mind.use_hunger = True
    before = scene_reader.read(bpy.context.scene).scene
    scene_writer.write(bpy.context.scene, Scene.from_dict(before.to_dict()))
    assert scene_reader.read(bpy.context.scene).scene.fishes[0].members == before.fishes[0].members


def test_one_undo_takes_a_single_fish_back(shoal):
    bpy.ops.ed.undo_push(message="Before")
    bpy.ops.artfish.member_add("EXEC_DEFAULT", True)
    assert len(bpy.context.object.artfish.members) == 1
    bpy.ops.ed.undo()
    assert len(bpy.context.object.artfish.members) == 0
