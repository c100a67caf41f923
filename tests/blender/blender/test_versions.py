"""The functions that branch on Blender's version do the same in each."""

import bpy
import pytest

from artfish.blender_artfish.blender import versions

pytestmark = pytest.mark.versions


def test_an_action_animates_many_ids_each_in_its_own_slot():
    action = bpy.data.actions.new("Motion")
    one, two = (bpy.data.objects.new(name, None) for name in ("one", "two"))
    assert versions.channelbags(one) == []
    bags = [versions.channelbag(action, obj) for obj in (one, two)]
    for bag, height in zip(bags, (1.0, 2.0), strict=True):
        bag.fcurves.new("location", index=2).keyframe_points.insert(1, height)
    assert versions.channelbag(action, one) == bags[0] == versions.channelbags(one)[0] != bags[1]
    for obj in (one, two):
        bpy.context.scene.collection.objects.link(obj)
    bpy.context.scene.frame_set(1)
    assert [obj.location.z for obj in (one, two)] == [1.0, 2.0]


@pytest.mark.parametrize(
    "make",
    [
        lambda: bpy.data.materials.new("made"),
        lambda: bpy.data.worlds.new("made"),
        lambda: bpy.data.lights.new("made", "SUN"),
    ],
)
def test_whatever_shades_has_a_tree_of_nodes(make):
    owner = make()
    tree = versions.shader_tree(owner)
    assert tree == versions.shader_tree(owner) == owner.node_tree


def test_pictures_and_movies_are_chosen_as_formats():
    render = bpy.context.scene.render
    versions.write_picture(render)
    assert render.image_settings.file_format == "PNG"
    if versions.has_ffmpeg():
        versions.write_movie(render)
        assert render.image_settings.file_format == "FFMPEG"
        versions.write_picture(render)
        assert render.image_settings.file_format == "PNG"


def test_inputs_of_a_modifier_are_set_by_name():
    tree = bpy.data.node_groups.new("Grid", "GeometryNodeTree")
    tree.interface.new_socket("Size", in_out="INPUT", socket_type="NodeSocketFloat")
    tree.interface.new_socket("Geometry", in_out="OUTPUT", socket_type="NodeSocketGeometry")
    entrance, grid, end = (
        tree.nodes.new(kind) for kind in ("NodeGroupInput", "GeometryNodeMeshGrid", "NodeGroupOutput")
    )
    tree.links.new(entrance.outputs["Size"], grid.inputs["Size X"])
    tree.links.new(grid.outputs["Mesh"], end.inputs["Geometry"])
    obj = bpy.data.objects.new("Grid", bpy.data.meshes.new("Grid"))
    bpy.context.scene.collection.objects.link(obj)
    modifier = obj.modifiers.new("Grid", "NODES")
    modifier.node_group = tree
    versions.modifier_input(modifier, "Size", 5.0)
    shown = obj.evaluated_get(bpy.context.evaluated_depsgraph_get())
    assert max(corner[0] for corner in shown.bound_box) == pytest.approx(2.5)
