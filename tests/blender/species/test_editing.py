"""A species that is renamed keeps its children."""

import json

import bpy
import pytest

from artfish.blender_artfish.species.editing import rename


@pytest.mark.parametrize("ancestry", ["", "{ clownfish", '["clownfish"]', '"clownfish"'])
def test_an_ancestry_that_is_damaged_stays_as_it_is(scene, clownfish, ancestry):
    clownfish.ancestry = ancestry
    rename(bpy.context, clownfish, "pearl")
    assert clownfish.ancestry == ancestry


def test_children_follow_a_parent_that_is_renamed(scene, clownfish):
    before = {"mother": "clownfish", "father": "clownfish_2", "seed": 4}
    clownfish.ancestry = json.dumps(before)
    rename(bpy.context, clownfish, "pearl")
    assert json.loads(clownfish.ancestry) == before | {"mother": "pearl"}
