"""Fishes swim with the habits that are set of their shoal and of themselves."""

import bpy

from artfish.blender_artfish.scene import writer as scene_writer
from artfish.core import Scene


def test_a_shoal_says_only_what_was_set(shoal, read_scene):
    shoal.artfish.shoal.type = "pacifist"
    shoal.artfish.habits.schooling, shoal.artfish.habits.cold = "YES", "NO"
    shoal.artfish.mind.use_libido, shoal.artfish.mind.libido = True, 0.75
    read = read_scene().fishes[0]
    assert (read.type, read.habits.schooling, read.habits.cold, read.habits.warmth) == ("pacifist", True, False, None)
    assert read.mind.libido == 0.75 and read.mind.hunger is None


def test_single_fishes_differ_from_their_shoal(shoal, read_scene):
    for _ in range(2):
        assert bpy.ops.artfish.member_add() == {"FINISHED"}
    first, second = shoal.artfish.members
    second.number = 4
    second.sex, second.type, second.leader = "male", "predator", "YES"
    second.habits.darkness = "YES"
    second.mind.use_p0, second.mind.p0 = True, 0.25
    read = read_scene().fishes[0]
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
    assert [member.index for member in read_scene().fishes[0].members] == [0]


def test_members_come_back_from_a_scene_file(shoal, read_scene):
    bpy.ops.artfish.member_add()
    shoal.artfish.members[0].sex = "female"
    shoal.artfish.members[0].mind.use_hunger = True
    before = read_scene()
    scene_writer.write(bpy.context.scene, Scene.from_dict(before.to_dict()))
    assert read_scene().fishes[0].members == before.fishes[0].members
