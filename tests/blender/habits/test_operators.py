"""Single fishes of a shoal are added, removed, and taken back."""

import bpy
import pytest

from artfish.blender_artfish.habits.operators import chosen
from artfish.blender_artfish.identity.provenance import ROW
from artfish.core import SceneError


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


def test_a_shoal_has_no_more_single_fishes_than_fishes(shoal, read_scene):
    for _ in range(5):
        bpy.ops.artfish.member_add()
    assert bpy.ops.artfish.member_add() == {"CANCELLED"}
    assert len(read_scene().fishes[0].members) == 5
    shoal.artfish.shoal.count = 4
    with pytest.raises(SceneError, match=r"members\[4\].index: found 4"):
        read_scene().fishes[0]


def test_one_undo_takes_a_single_fish_back(shoal):
    bpy.ops.ed.undo_push(message="Before")
    bpy.ops.artfish.member_add("EXEC_DEFAULT", True)
    assert len(bpy.context.object.artfish.members) == 1
    bpy.ops.ed.undo()
    assert len(bpy.context.object.artfish.members) == 0
