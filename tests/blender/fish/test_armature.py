"""Bones of the form Mesh, and the weights that they share out."""

import bpy
import numpy as np

from artfish.blender_artfish.fish.armature import _share_out, armature
from artfish.core.form.mesh import ControlNet, FishMesh
from artfish.core.form.rig import Rig
from artfish.core.scene.species import Species


def test_a_bone_that_moves_nothing_has_an_empty_group():
    """The jaw is one where none of a model's own bones goes with it."""
    mesh = bpy.data.meshes.new("fish")
    mesh.from_pydata([(0, 0, 0), (1, 0, 0), (0, 1, 0)], [], [])
    owner = bpy.data.objects.new("fish", mesh)
    for name, shares in (("jaw", [0.0, 0.0, 0.0]), ("spine.03", [0.25, 0.0, 0.25]), ("root", [1.0, 0.5, 1.0])):
        _share_out(owner.vertex_groups.new(name=name), np.array(shares))
    found = [{owner.vertex_groups[each.group].name: each.weight for each in vertex.groups} for vertex in mesh.vertices]
    assert found == [{"spine.03": 0.25, "root": 1.0}, {"root": 0.5}, {"spine.03": 0.25, "root": 1.0}]


def test_bones_are_not_drawn_until_somebody_shows_them(fresh_file):
    net = ControlNet(Species.load("clownfish"))
    made = armature("Bones of a clownfish", Rig(net, FishMesh(net)))
    assert [each.is_visible for each in made.data.collections] == [False]
    assert all(list(bone.collections) == list(made.data.collections) for bone in made.data.bones)
    copy = made.copy()
    bpy.context.scene.collection.objects.link(copy)
    assert not copy.select_get()
