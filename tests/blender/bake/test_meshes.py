"""One mesh a fish: bones or shape keys bend it as the simulated body bends, and anything may be done to it after."""

from dataclasses import replace

import bpy
import numpy as np
import pytest

from artfish.blender_artfish.bake import bake
from artfish.blender_artfish.blender.versions import channelbags
from artfish.core.body.anatomy import body_frame, tail_bend
from artfish.core.form.mesh import MESH_MATERIALS, ControlNet, FishMesh

pytestmark = [pytest.mark.versions, pytest.mark.film]

TOLERANCE = 0.002
ROUNDING = 2e-5
"""Rounding errors of single precision some metres from the origin, in metres."""
SKIN = 0.01
"""Distance by which 95 of 100 vertices of a skinned mesh may be off the surfaces, in body lengths."""


def fishes() -> dict[int, bpy.types.Object]:
    return {obj["id"]: obj for obj in bpy.data.objects if obj.type == "MESH" and "id" in obj}


def shown(obj: bpy.types.Object) -> np.ndarray:
    """Places of a fish's vertices in a frame of the film, (vertices, 3)."""
    evaluated = obj.evaluated_get(bpy.context.evaluated_depsgraph_get())
    places = np.empty(3 * len(evaluated.data.vertices), np.float32)
    evaluated.data.vertices.foreach_get("co", places)
    matrix = np.array(evaluated.matrix_world)
    return places.reshape(-1, 3) @ matrix[:3, :3].T + matrix[:3, 3]


def recorded(recording, row: int, frame: int) -> np.ndarray:
    """Recorded places of a fish's vertices, (vertices, 3)."""
    net = ControlNet(recording.species_models[recording.species[row]])
    length, look = recording.body_length[[row]], recording.look([row])
    now = replace(look, **{name: of[[frame]] for name, of in vars(look).items()})
    nodes, fins, mouth = (of[[frame]][:, [row]] for of in (recording.nodes, recording.fins, recording.mouth))
    points, origin, turn = net.poses(nodes, fins, length, mouth, now)
    return FishMesh(net).vertices(points)[0, 0] * length @ turn[0, 0].T + origin[0, 0]


def off(recording, row: int, frame: int) -> np.ndarray:
    """Distance of each vertex from its recorded place, in body lengths."""
    bpy.context.scene.frame_set(1 + frame)
    return np.linalg.norm(shown(fishes()[row]) - recorded(recording, row, frame), axis=1) / recording.body_length[row]


def keyed(obj: bpy.types.ID) -> dict:
    return {(curve.data_path, curve.array_index): curve for bag in channelbags(obj) for curve in bag.fcurves}


@pytest.fixture(scope="module")
def film(swimming):
    return swimming("clownfish", "reef_shark", "clownfish", frames=24)


def test_bones_bend_the_mesh_as_the_body_bends(tmp_path, film):
    bake(film, tmp_path / "fishes.blend", form="mesh", tolerance=TOLERANCE, stage=False)
    bpy.ops.wm.open_mainfile(filepath=str(tmp_path / "fishes.blend"))
    assert sorted(fishes()) == [0, 1, 2]
    for row in fishes():
        for frame in (0, 7, 23):
            assert np.percentile(off(film, row, frame), 95) < SKIN
    one, other = fishes()[0], fishes()[2]
    assert one.data == other.data and one.parent.data == other.parent.data  # what they share
    assert [obj.name for obj in bpy.data.objects if obj.parent == one.parent] == [one.name]
    assert one.parent.name == "Clownfish 01" and {obj.type for obj in (one.parent, other.parent)} == {"ARMATURE"}


def test_shape_keys_bend_it_within_the_tolerance(tmp_path, film):
    bake(film, tmp_path / "fishes.blend", form="mesh", drive="shapes", tolerance=TOLERANCE, stage=False)
    bpy.ops.wm.open_mainfile(filepath=str(tmp_path / "fishes.blend"))
    for row in fishes():
        for frame in (0, 7, 23):
            assert off(film, row, frame).max() < TOLERANCE + ROUNDING / film.body_length[row]
    assert {obj.type for obj in bpy.data.objects if "id" in obj} == {"MESH"} and not fishes()[0].modifiers


def test_thinned_keys_stay_near_all_of_them(film):
    places = []
    for tolerance in (0.0, TOLERANCE):
        bpy.ops.wm.read_homefile(use_empty=True)
        bake(film, None, form="mesh", tolerance=tolerance, stage=False)
        found = []
        for frame in range(0, 24, 5):
            bpy.context.scene.frame_set(1 + frame)
            found.append(shown(fishes()[0]))
        places.append(
            (np.array(found), sum(len(curve.keyframe_points) for curve in keyed(fishes()[0].parent).values()))
        )
    (all_of_them, many), (few_of_them, few) = places
    away = np.linalg.norm(few_of_them - all_of_them, axis=-1) / film.body_length[0]
    assert np.percentile(away, 95) < TOLERANCE and few < 0.7 * many


def test_bones_without_stretch_keep_their_places(film):
    bake(film, None, form="mesh", stretch=False, stage=False)
    root = fishes()[0].parent
    moving = {
        path for (path, _), curve in keyed(root).items() if path.endswith("location") and len(curve.keyframe_points) > 1
    }
    assert moving == {'pose.bones["root"].location', 'pose.bones["head"].location'}
    worst = [np.percentile(off(film, 0, frame), 95) for frame in (0, 12, 23)]
    assert SKIN < max(worst) < 0.06


def test_a_fish_is_a_clean_mesh_that_wears_its_materials_itself(film):
    bake(film, None, form="mesh", stage=False)
    obj = fishes()[1]
    mesh = obj.data
    assert all(len(face.vertices) == 4 for face in mesh.polygons) and len(mesh.uv_layers) == 1
    assert len(mesh.materials) == len(MESH_MATERIALS) and {slot.link for slot in obj.material_slots} == {"DATA"}
    bones = {bone.name for bone in obj.parent.data.bones}
    assert bones - {group.name for group in obj.vertex_groups} == {"root"}
    assert {"body", "dorsal", "caudal", "eye_left", "mouth"} <= {group.name for group in obj.vertex_groups}
    sums = [
        sum(one.weight for one in vertex.groups if obj.vertex_groups[one.group].name in bones)
        for vertex in mesh.vertices
    ]
    assert np.abs(np.array(sums) - 1.0).max() < 1e-5
    before = len(obj.evaluated_get(bpy.context.evaluated_depsgraph_get()).data.vertices)
    obj.modifiers.new("Finer", "SUBSURF").levels = 1
    tree = bpy.data.node_groups.new("Through", "GeometryNodeTree")
    for way in ("INPUT", "OUTPUT"):
        tree.interface.new_socket("Geometry", in_out=way, socket_type="NodeSocketGeometry")
    tree.links.new(tree.nodes.new("NodeGroupInput").outputs[0], tree.nodes.new("NodeGroupOutput").inputs[0])
    obj.modifiers.new("Nodes", "NODES").node_group = tree
    after = obj.evaluated_get(bpy.context.evaluated_depsgraph_get()).data
    assert len(after.vertices) > 3 * before and len(after.materials) == len(MESH_MATERIALS)


@pytest.mark.parametrize("drive", ["armature", "shapes"])
def test_who_it_is_and_how_it_fares_is_keyed(film, drive):
    bake(film, None, form="mesh", drive=drive, stage=False)
    nodes = film.nodes[:, 1].astype(float)
    speed = np.linalg.norm(np.gradient(body_frame(nodes)[0], axis=0), axis=1) * film.fps / film.body_length[1]
    for frame in (0, 9, 23):
        bpy.context.scene.frame_set(1 + frame)
        obj = fishes()[1]
        now = obj.evaluated_get(bpy.context.evaluated_depsgraph_get())
        assert (now["id"], now["species"], now["intention"]) == (1, 1, film.intention[frame, 1])
        assert now["speed"] == pytest.approx(speed[frame], abs=0.01)
        assert now["bend"] == pytest.approx(tail_bend(nodes[frame]), abs=0.01)
        assert now["fear"] == pytest.approx(film.fear[frame, 1], abs=0.01)


@pytest.mark.parametrize("drive", ["armature", "shapes"])
def test_who_is_eaten_is_seen_no_more(film, drive):
    alive = film.alive.copy()
    alive[10:, 2] = False
    bake(replace(film, alive=alive), None, form="mesh", drive=drive, stage=False)
    for frame, hidden in ((9, False), (10, True)):
        bpy.context.scene.frame_set(1 + frame)
        assert fishes()[2].hide_render is hidden and fishes()[0].hide_render is False
