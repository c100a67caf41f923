"""A crowd plays the recording's places, turns and sizes from one object a shoal, without the add-on."""

from dataclasses import replace

import bmesh
import bpy
import numpy as np
import pytest
from scipy.spatial.transform import Rotation, Slerp

from artfish.blender_artfish.bake import bake
from artfish.blender_artfish.crowd.nodes import CUT_SHORT, FISH_VALUES, KEY_VALUES
from artfish.blender_artfish.fish.relief import GAPE
from artfish.core import Scene
from artfish.core.body.anatomy import body_frame
from artfish.core.form.mesh import ControlNet, FishMesh

pytestmark = [pytest.mark.versions, pytest.mark.film]

TOLERANCE = 0.002
ROUNDING = 2e-5
"""Rounding errors of single precision some metres from the origin, in metres."""


def crowds():
    return [obj for obj in bpy.data.objects if obj.modifiers]


def instances(frame):
    """A crowd's instances in a frame of the film: world matrices by row, and the names of the instanced objects."""
    bpy.context.scene.frame_set(1 + int(frame), subframe=frame % 1)
    graph = bpy.context.evaluated_depsgraph_get()
    matrices, names = {}, set()
    for each in graph.object_instances:
        if each.is_instance and each.parent.original in crowds():
            matrices[each.persistent_id[0]] = np.array(each.matrix_world)
            names.add(each.object.name)
    return matrices, names


def assert_shown(recording, frame):
    """Every fish that lives is where it was recorded, or between where it was at the frames before and after."""
    shown, _ = instances(frame)
    before, after = int(frame), min(int(np.ceil(frame)), recording.frames - 1)
    assert set(shown) == set(np.flatnonzero(recording.alive[int(frame + 0.5)]).tolist())
    origin, axes = body_frame(recording.nodes[[before, after]].astype(float))
    for row, matrix in shown.items():
        length, share = recording.body_length[row], frame % 1
        place = origin[0, row] + (origin[1, row] - origin[0, row]) * share
        turn = Slerp([0.0, 1.0], Rotation.from_matrix(axes[:, row]))(share).as_matrix()
        assert np.linalg.norm(matrix[:3, 3] - place) < TOLERANCE * length + ROUNDING
        scale = np.linalg.norm(matrix[:3, :3], axis=0)
        assert scale == pytest.approx(length, rel=1e-4)
        assert np.linalg.norm(matrix[:3, :3] / scale - turn) < 4 * TOLERANCE


def test_instances_are_where_the_fishes_are_at_frames_and_between(tmp_path, swimming):
    recording = swimming("clownfish", "reef_shark", "clownfish", frames=24)
    bake(recording, tmp_path / "crowd.blend", form="crowd", tolerance=TOLERANCE, stage=False)
    bpy.ops.wm.open_mainfile(filepath=str(tmp_path / "crowd.blend"))
    for frame in (0, 7, 7.25, 7.5, 22.75, 23):
        assert_shown(recording, frame)
    assert not any(data.animation_data and data.animation_data.drivers for data in bpy.data.objects)
    assert not bpy.data.texts
    before, after = instances(-5)[0], instances(40)[0]  # the film's ends go on
    assert all(np.array_equal(before[row], matrix) for row, matrix in instances(0)[0].items())
    assert all(np.array_equal(after[row], matrix) for row, matrix in instances(23)[0].items())


def test_fishes_that_are_gone_are_not_shown_and_the_others_keep_their_numbers(swimming):
    alive = np.ones((12, 3), dtype=bool)
    alive[6:, 0] = alive[:4, 2] = False
    recording = swimming("clownfish", "clownfish", "clownfish", frames=12, alive=alive)
    bake(recording, form="crowd", stage=False)
    for frame in range(12):
        assert_shown(recording, frame)


def test_one_object_a_shoal_that_plays_from_any_frame_of_any_scene(swimming):
    recording = swimming("clownfish", "blue_tang", "clownfish", "clownfish", frames=6)
    groups = [
        {"species": "clownfish", "at": [4, 4, 2]},
        {"species": "blue_tang", "at": [4, 4, 2]},
        {"species": "clownfish", "count": 2, "at": [4, 4, 2]},
    ]
    scene = Scene.from_dict({"name": "three", "tank": {"size": [8, 8, 4]}, "fishes": groups})
    top = bake(replace(recording, scene=scene), form="crowd", stage=False)
    assert {child.name: len(child.objects) for child in top.children} == {"Clownfish": 2, "Blue tang": 1}
    assert sorted(len(obj.data.edges) for obj in crowds()) == [1, 1, 2]
    for obj in crowds():
        assert max(obj["pose_error"]) < 0.5 and max(obj["fin_pose_error"]) < 0.5
    (anchor,) = (obj for obj in top.objects if obj.type == "EMPTY")
    anchor.location, anchor.scale = (1.0, 2.0, 3.0), (2.0,) * 3
    moved, _ = instances(2)
    anchor.location, anchor.scale = (0.0, 0.0, 0.0), (1.0,) * 3
    for row, matrix in instances(2)[0].items():
        assert moved[row][:3, 3] == pytest.approx(2.0 * matrix[:3, 3] + [1, 2, 3], abs=1e-4)


def test_realised_fishes_are_the_recorded_ones_and_bring_their_values(swimming):
    pair = {"name": "pair", "tank": {"size": [8, 8, 4]}}
    pair["fishes"] = [{"species": "blue_tang", "count": 2, "at": [4, 4, 2]}]
    recording = replace(swimming("blue_tang", "blue_tang", frames=16), scene=Scene.from_dict(pair))
    recording = replace(recording, fear=np.full((16, 2), 0.5), intention=np.full((16, 2), 3))
    bake(recording, form="crowd", tolerance=TOLERANCE, stage=False)
    (obj,) = crowds()
    tree = bpy.data.node_groups.new("Realise", "GeometryNodeTree")
    for way in ("INPUT", "OUTPUT"):
        tree.interface.new_socket("Geometry", in_out=way, socket_type="NodeSocketGeometry")
    ends = [tree.nodes.new(f"NodeGroup{end}") for end in ("Input", "Output")]
    realise = tree.nodes.new("GeometryNodeRealizeInstances")
    tree.links.new(ends[0].outputs[0], realise.inputs[0])
    tree.links.new(realise.outputs[0], ends[1].inputs[0])
    obj.modifiers.new("Realise", "NODES").node_group = tree
    bpy.context.scene.frame_set(6)
    mesh = obj.evaluated_get(bpy.context.evaluated_depsgraph_get()).to_mesh()
    net = ControlNet(recording.species_models["blue_tang"])
    fish = FishMesh(net)
    places = np.empty(3 * len(mesh.vertices), np.float32)
    mesh.vertices.foreach_get("co", places)
    places = places.reshape(2, fish.count, 3)
    points, origin, axes = net.poses(
        recording.nodes[5:6], recording.fins[5:6], recording.body_length, recording.mouth[5:6]
    )
    # Up to 128 moments every one has a pose of its own.
    expected = fish.vertices(points[0]) * recording.body_length[:, None, None]
    expected = np.einsum("fij,fvj->fvi", axes[0], expected) + origin[0][:, None]
    assert np.abs(places - expected).max() < 2 * TOLERANCE * recording.body_length.max()
    values = {name: np.empty(2 * fish.count, np.float32) for name in (*KEY_VALUES, *FISH_VALUES)}
    for name, found in values.items():
        mesh.attributes[name].data.foreach_get("value", found)
    assert values["fear"] == pytest.approx(0.5) and values["intention"] == pytest.approx(3)
    assert values["speed"] == pytest.approx(1.5, rel=0.4)  # lengths a second, as they swim
    assert len(np.unique(values["individual"])) == 2
    assert np.abs(values["bend"]).max() < 0.5


def test_fishes_far_from_the_camera_are_coarse(swimming):
    recording = swimming("clownfish", "clownfish", frames=3)
    origin, _ = body_frame(recording.nodes[0].astype(float))
    bake(recording, form="crowd", stage=False)
    assert {name.split(" pose")[0] for name in instances(0)[1]} == {"Clownfish level 0"}  # no camera
    camera = bpy.data.objects.new("Camera", bpy.data.cameras.new("Camera"))
    bpy.context.scene.collection.objects.link(camera)
    bpy.context.scene.camera = camera
    for away, level in ((5.0, 0), (25.0, 1), (90.0, 2)):
        camera.location = origin[0] + [0, 0, away * recording.body_length[0]]
        _, names = instances(0)
        assert f"Clownfish level {level}" in {name.split(" pose")[0] for name in names}


def test_a_crowd_wears_the_materials_of_its_species(swimming):
    recording = swimming("clownfish", frames=3)
    bitten = np.array([[0.0], [0.8], [0.8]], dtype=recording.mouth.dtype)
    bake(replace(recording, mouth=bitten), form="crowd", stage=False)
    (obj,) = crowds()
    names = {slot.material.name for slot in obj.material_slots}
    assert {"clownfish skin", "clownfish caudal", "clownfish eye in mesh"} <= names
    poses = next(each for each in bpy.data.collections if each.name.endswith("poses"))
    assert {slot.material.name for each in poses.objects for slot in each.material_slots} <= names
    assert len(poses.objects) % 3 == 0
    gapes = [pose[GAPE] for pose in poses.objects]  # by which the skin shows what is between the lips
    assert min(gapes) < 0.2 and max(gapes) == pytest.approx(0.8)


def test_a_table_that_is_cut_short_shows_no_fish_and_says_so(swimming):
    bake(swimming("clownfish", frames=9), form="crowd", stage=False)
    (obj,) = crowds()
    assert len(instances(4)[0]) == 1
    assert not list(obj.modifiers[0].node_warnings)
    edit = bmesh.new()
    edit.from_mesh(obj.data)
    edit.verts.ensure_lookup_table()
    edit.verts.remove(edit.verts[-1])
    edit.to_mesh(obj.data)
    edit.free()
    assert not instances(4)[0]
    assert [warning.message for warning in obj.modifiers[0].node_warnings] == [CUT_SHORT]


def test_a_pose_stays_while_a_shutter_is_open(swimming):
    bake(swimming("clownfish", frames=9), form="crowd", stage=False)
    names = [instances(frame)[1] for frame in (3.55, 3.75, 4.0, 4.25, 4.45)]
    assert all(name == names[0] for name in names)
    assert instances(5)[1] != names[0]
