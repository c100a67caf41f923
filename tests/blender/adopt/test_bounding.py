"""The size of a model after its modifiers is known before they are applied."""

import bmesh
import bpy
import pytest

from artfish.blender_artfish.adopt.bounding import MOST_MADE_VERTICES, ensure_bounded
from artfish.blender_artfish.adopt.reading import opened, picked
from artfish.core.base.codec import SceneError


@pytest.fixture
def fish():
    """A stretched ball, in no scene, so that Blender evaluates none of its modifiers."""
    bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
    return ball("Fish")


def ball(name):
    made = bmesh.new()
    bmesh.ops.create_icosphere(made, subdivisions=3, radius=1.0)
    bmesh.ops.scale(made, vec=(3.0, 0.5, 1.0), verts=made.verts)
    mesh = bpy.data.meshes.new(name)
    made.to_mesh(mesh)
    made.free()
    return bpy.data.objects.new(name, mesh)


def subdivided(fish, levels):
    modifier = fish.modifiers.new("Smooth", "SUBSURF")
    modifier.levels = levels


def twice(fish, levels):
    subdivided(fish, levels)
    subdivided(fish, levels)


def arrayed(fish, count):
    fish.modifiers.new("Row", "ARRAY").count = count


def fitted(fish, length):
    row = fish.modifiers.new("Row", "ARRAY")
    row.fit_type, row.fit_length, row.use_relative_offset = "FIT_LENGTH", length, False
    row.use_constant_offset, row.constant_offset_displace = True, (0.01, 0.0, 0.0)


def remeshed(fish, depth):
    modifier = fish.modifiers.new("Blocks", "REMESH")
    modifier.mode, modifier.octree_depth = "BLOCKS", depth


def voxels(fish, size):
    modifier = fish.modifiers.new("Voxels", "REMESH")
    modifier.mode, modifier.voxel_size = "VOXEL", size


def grown(fish, level):
    """Geometry nodes that subdivide as often as their modifier says."""
    tree = bpy.data.node_groups.new("Grow", "GeometryNodeTree")
    for name, kind, way in (
        ("Geometry", "NodeSocketGeometry", "INPUT"),
        ("Level", "NodeSocketInt", "INPUT"),
        ("Geometry", "NodeSocketGeometry", "OUTPUT"),
    ):
        tree.interface.new_socket(name, in_out=way, socket_type=kind)
    into, out = tree.nodes.new("NodeGroupInput"), tree.nodes.new("NodeGroupOutput")
    node = tree.nodes.new("GeometryNodeSubdivideMesh")
    tree.links.new(into.outputs["Geometry"], node.inputs["Mesh"])
    tree.links.new(into.outputs["Level"], node.inputs["Level"])
    tree.links.new(node.outputs["Mesh"], out.inputs["Geometry"])
    modifier = fish.modifiers.new("Nodes", "NODES")
    modifier.node_group = tree
    modifier[next(each.identifier for each in tree.interface.items_tree if each.name == "Level")] = level


def repeated(fish, times):
    """Geometry nodes that subdivide once, again and again."""
    tree = bpy.data.node_groups.new("Grow", "GeometryNodeTree")
    for way in ("INPUT", "OUTPUT"):
        tree.interface.new_socket("Geometry", in_out=way, socket_type="NodeSocketGeometry")
    into, out = tree.nodes.new("NodeGroupInput"), tree.nodes.new("NodeGroupOutput")
    begin, end = tree.nodes.new("GeometryNodeRepeatInput"), tree.nodes.new("GeometryNodeRepeatOutput")
    begin.pair_with_output(end)
    begin.inputs["Iterations"].default_value = times
    node = tree.nodes.new("GeometryNodeSubdivideMesh")
    for of, to in (
        (into.outputs[0], begin.inputs["Geometry"]),
        (begin.outputs["Geometry"], node.inputs["Mesh"]),
        (node.outputs["Mesh"], end.inputs["Geometry"]),
        (end.outputs["Geometry"], out.inputs[0]),
    ):
        tree.links.new(of, to)
    fish.modifiers.new("Nodes", "NODES").node_group = tree


@pytest.mark.parametrize(
    ("make", "little", "much"),
    [
        (subdivided, 2, 9),
        (twice, 1, 5),
        (arrayed, 4, 100_000),
        (fitted, 0.05, 1e6),
        (remeshed, 4, 12),
        (voxels, 0.2, 1e-4),
        (grown, 2, 9),
        (repeated, 2, 10),
    ],
)
def test_what_would_become_too_large_is_refused_with_its_name(make, little, much, fish):
    make(fish, little)
    with picked([fish]) as brought:
        assert len(brought.body.data.vertices) < MOST_MADE_VERTICES
    fish.modifiers.clear()
    make(fish, much)
    there = len(bpy.data.objects)
    said = f"vertices by its modifier {fish.modifiers[-1].name}"
    with pytest.raises(SceneError, match=said) as refused, picked([fish]):
        pass
    assert refused.value.key == fish.name and len(bpy.data.objects) == there


def test_what_a_model_leans_on_counts_too(fish):
    cutter = ball("Cutter")
    subdivided(cutter, 6)
    subdivided(cutter, 6)
    ensure_bounded([fish])
    fish.modifiers.new("Cut", "BOOLEAN").object = cutter
    with pytest.raises(SceneError, match="by its modifier Smooth") as refused:
        ensure_bounded([fish])
    assert refused.value.key == cutter.name


def test_a_modifier_that_is_off_is_not_counted(fish):
    subdivided(fish, 6)
    fish.modifiers[0].show_viewport = False
    ensure_bounded([fish])


def test_text_and_curves_are_counted(fish):
    curve = bpy.data.curves.new("Curve", "CURVE")
    spline = curve.splines.new("POLY")
    spline.points.add(20_000)
    curve.bevel_resolution, curve.resolution_u = 32, 64
    with pytest.raises(SceneError, match="by its curve"):
        ensure_bounded([bpy.data.objects.new("Curve", curve)])


def test_the_file_that_holds_it_is_named(fish, tmp_path):
    twice(fish, 5)
    path = tmp_path / "huge.blend"
    bpy.data.libraries.write(str(path), {fish})
    with pytest.raises(SceneError, match="by its modifier Smooth"), opened(path):
        pass
