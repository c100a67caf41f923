"""Bones of the form Mesh: what they share out."""

import bpy
import numpy as np

from artfish.blender_artfish.fish.armature import _share_out


def test_a_bone_that_moves_nothing_has_an_empty_group():
    """As the jaw, where none of a model's own bones goes with it."""
    mesh = bpy.data.meshes.new("fish")
    mesh.from_pydata([(0, 0, 0), (1, 0, 0), (0, 1, 0)], [], [])
    owner = bpy.data.objects.new("fish", mesh)
    for name, shares in (("jaw", [0.0, 0.0, 0.0]), ("spine.03", [0.25, 0.0, 0.25]), ("root", [1.0, 0.5, 1.0])):
        _share_out(owner.vertex_groups.new(name=name), np.array(shares))
    found = [{owner.vertex_groups[each.group].name: each.weight for each in vertex.groups} for vertex in mesh.vertices]
    assert found == [{"spine.03": 0.25, "root": 1.0}, {"root": 0.5}, {"spine.03": 0.25, "root": 1.0}]
