"""A bake in place of another has the names that the other had; what an artist has named keeps its own."""

import bpy
import pytest

from artfish.blender_artfish.bake.whole_fish import player_of
from artfish.blender_artfish.identity import provenance
from artfish.tests.blender.bake.test_carrying import HERO, again, fish, push_down, water
from artfish.tests.blender.bake.test_some import bake

__all__ = ["water"]

pytestmark = [pytest.mark.versions, pytest.mark.film]


@pytest.mark.parametrize("form", ["mesh", "compact"])
def test_slots_are_named_after_what_they_move(form):
    bake(form)
    for _ in range(2):
        again(form)
        for obj in fish().body:
            for block in (obj, obj.data, getattr(obj.data, "shape_keys", None)):
                player = None if block is None else player_of(block)
                assert player is None or player.action_slot.name_display == block.name
    assert player_of(fish().root).action_slot.name_display == HERO


def test_an_artists_own_action_keeps_its_name_while_it_is_the_active_one():
    bake("mesh")
    push_down(fish().root)
    own = fish().root.animation_data.action = bpy.data.actions.new("By hand")
    for step in (again, again, bpy.ops.artfish.revert_bake):
        step()
        data = fish().root.animation_data
        assert data.action == own and own.name == "By hand" and not provenance.of(own, provenance.BAKE)
        assert data.nla_tracks[0].strips[0].action.name == HERO
