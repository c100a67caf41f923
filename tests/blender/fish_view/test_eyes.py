"""A camera in a fish's eye stays there, turns with the fish, and goes away again without a trace."""

import bpy
import numpy as np
import pytest
from mathutils import Matrix, Vector

from artfish.blender_artfish.bake.writer import bake
from artfish.blender_artfish.fish_view.eyes import camera_of, second_of
from artfish.blender_artfish.identity import provenance
from artfish.blender_artfish.live.runtime import session_of
from artfish.blender_artfish.mind import source
from artfish.core.body.anatomy import NOSE_NODE, body_frame
from artfish.core.form.coupling import Coupling
from artfish.core.form.surfaces import eyes

FRAMES = 24
NEAR = 0.03
"""Lengths by which an eye may be off: a head bends, by some hundredths of a length, and the camera is fixed to its
frame."""


@pytest.fixture(scope="module")
def files():
    """Path of the film of each form, with its recording."""
    return {}


@pytest.fixture(params=["points", "compact"])
def baked(request, swimming, files, tmp_path_factory):
    """A recording and the root of its fish, baked in one of the forms, and active."""
    if request.param not in files:
        recording = swimming("sardine", "clownfish", frames=FRAMES)
        path = tmp_path_factory.mktemp("films") / f"{request.param}.blend"
        bake(recording, form=request.param, stage=False)
        bpy.ops.wm.save_as_mainfile(filepath=str(path))
        files[request.param] = recording, path
    recording, path = files[request.param]
    bpy.ops.wm.open_mainfile(filepath=str(path))
    name = recording.species_models["clownfish"].common_name
    root = bpy.data.objects[f"{name} 01"]
    choose(root)
    return recording, root


def choose(obj):
    bpy.context.view_layer.objects.active = obj


def at(frame, obj):
    """Place of an object in a frame of the recording, and its direction of view if it is a camera."""
    bpy.context.scene.frame_set(frame + 1)
    place = obj.evaluated_get(bpy.context.evaluated_depsgraph_get()).matrix_world
    return np.array(place.translation), np.array(place.to_3x3() @ Vector((0.0, 0.0, -1.0)))


def test_the_camera_is_at_the_nose_and_turns_with_the_fish(baked):
    recording, root = baked
    assert bpy.ops.artfish.look_through() == {"FINISHED"}
    camera = camera_of(root)
    assert bpy.context.scene.camera == camera and camera.parent == root
    length = recording.body_length[1]
    turned = []
    for frame in range(0, FRAMES, 5):
        place, look = at(frame, camera)
        nodes = recording.nodes[frame, 1].astype(float)
        assert np.linalg.norm(place - nodes[NOSE_NODE]) < NEAR * length
        ahead = body_frame(nodes)[1][:, 0]
        assert look @ ahead > np.cos(0.01)  # the ride of a baked fish is keyed more closely than that
        turned.append(ahead)
    assert turned[0] @ turned[-1] < np.cos(0.3)  # the fish did turn


@pytest.mark.parametrize("side, which", [(0, "LEFT"), (1, "RIGHT")])
def test_one_eye_looks_out_from_the_ball_s_surface(baked, side, which):
    recording, root = baked
    bpy.ops.artfish.look_through()
    camera = camera_of(root)
    camera.artfish_eye.which = which
    model, length = recording.species_models["clownfish"], recording.body_length[1]
    _, radius, outward = eyes(model)
    ball = next(part for part in root.children if part.type == "MESH" and (part.location.y > 0) == (side == 0))
    for frame in (0, 11, 23):
        place, look = at(frame, camera)
        centre, _ = at(frame, ball)
        axes = body_frame(recording.nodes[frame, 1].astype(float))[1]
        assert np.linalg.norm(place - centre - radius * length * axes @ outward[side]) < NEAR * length
        assert look @ (axes @ outward[side]) > np.cos(0.01)
        up = np.array(camera.evaluated_get(bpy.context.evaluated_depsgraph_get()).matrix_world.col[1][:3])
        assert up @ axes[:, 2] > 0.8  # the picture stands upright as the fish does


def test_pan_turns_left_and_tilt_up(baked):
    recording, root = baked
    bpy.ops.artfish.look_through()
    camera, nodes = camera_of(root), recording.nodes[0, 1].astype(float)
    axes = body_frame(nodes)[1]
    camera.artfish_eye.pan, camera.artfish_eye.tilt = np.radians(60), np.radians(20)
    _, look = at(0, camera)
    ahead, left, up = look @ axes
    assert np.arctan2(left, ahead) == pytest.approx(np.radians(60), abs=0.01)
    assert np.arcsin(up) == pytest.approx(np.radians(20), abs=0.01)
    assert camera.rotation_euler[1] == pytest.approx(np.radians(60))  # what an animator keys


def test_both_eyes_render_two_views_that_look_alike(baked):
    recording, root = baked
    bpy.ops.artfish.look_through()
    camera, render = camera_of(root), bpy.context.scene.render
    camera.artfish_eye.which = "BOTH"
    second = second_of(camera)
    assert render.use_multiview and render.views_format == "MULTIVIEW"
    assert camera.name == second.name.removesuffix("_R") + "_L"
    assert [view.camera_suffix for view in render.views if view.use] == ["_L", "_R"]
    camera.artfish_eye.pan = 0.4
    (left, look), (right, other) = at(7, camera), at(7, second)
    assert np.allclose(look, other, atol=1e-5)
    centres, radius, outward = eyes(recording.species_models["clownfish"])
    apart = np.linalg.norm(np.subtract(*(centres + radius * outward))) * recording.body_length[1]
    assert np.linalg.norm(left - right) == pytest.approx(apart, rel=0.1)
    camera.artfish_eye.which = "NOSE"
    assert second_of(camera) is None and not render.use_multiview and not camera.name.endswith("_L")


@pytest.mark.parametrize("side", [0, 1])
def test_one_of_two_eyes_that_was_deleted_is_made_again(baked, side):
    _, root = baked
    before, render = bpy.context.scene.camera, bpy.context.scene.render
    bpy.ops.artfish.look_through()
    camera = camera_of(root)
    camera.artfish_eye.which = "BOTH"
    places = {each.name: each.location.copy() for each in (camera, second_of(camera))}
    bpy.data.objects.remove((camera, second_of(camera))[side])
    choose(root)
    bpy.ops.artfish.look_through()
    camera = camera_of(root)
    pair = camera, second_of(camera)
    assert {each.name: each.location for each in pair} == places and camera.name == f"{root.name} view_L"
    assert [each.type for each in root.children].count("CAMERA") == 2 and len(bpy.data.cameras) == 1
    camera.artfish_eye.pan = 0.4
    assert np.allclose(at(7, pair[0])[1], at(7, pair[1])[1], atol=1e-5)
    assert bpy.context.scene.camera == camera and render.use_multiview
    bpy.ops.artfish.look_back()
    assert bpy.context.scene.camera == before and not render.use_multiview


def test_names_of_two_eyes_end_as_blender_wants_them(baked):
    _, root = baked
    taken = bpy.data.objects.new(f"{root.name} view_R", None)
    bpy.ops.artfish.look_through()
    camera = camera_of(root)
    camera.artfish_eye.which = "BOTH"
    assert taken.name == f"{root.name} view_R"
    assert camera.name.endswith("_L") and second_of(camera).name == camera.name.removesuffix("_L") + "_R"


def test_wide_is_a_panorama_of_300_degrees(baked):
    _, root = baked
    bpy.ops.artfish.look_through()
    camera = camera_of(root)
    camera.artfish_eye.wide = True
    data = camera.data
    assert (data.type, data.panorama_type) == ("PANO", "EQUIRECTANGULAR")
    assert np.degrees(data.longitude_max - data.longitude_min) == pytest.approx(300, abs=1e-3)
    camera.artfish_eye.wide = False
    assert data.type == "PERSP"


def test_nothing_of_its_own_head_is_nearer_than_the_lens(baked):
    """Rays from the nose meet no surface of the fish ahead: its picture is not the inside of its head."""
    _, root = baked
    bpy.ops.artfish.look_through()
    camera, graph = camera_of(root), bpy.context.evaluated_depsgraph_get()
    bpy.context.scene.frame_set(9)
    place = camera.matrix_world
    start = place.translation + camera.data.clip_start * (place.to_3x3() @ Vector((0, 0, -1)))
    for x in (-0.3, 0.0, 0.3):
        for y in (-0.3, 0.0, 0.3):
            way = (place.to_3x3() @ Vector((x, y, -1.0))).normalized()
            hit, *_, obj, _ = bpy.context.scene.ray_cast(graph, start, way, distance=5.0)
            assert not hit or obj.parent != root


def test_back_is_as_before(baked):
    _, root = baked
    scene = bpy.context.scene
    former = bpy.data.objects.new("Camera", bpy.data.cameras.new("Camera"))
    scene.collection.objects.link(former)
    scene.camera = former
    assert not bpy.ops.artfish.look_back.poll()
    bpy.ops.artfish.look_through()
    camera_of(root).artfish_eye.which = "BOTH"
    bpy.ops.artfish.look_through()  # once more changes nothing of what was before
    assert bpy.ops.artfish.look_back() == {"FINISHED"}
    assert scene.camera == former and not scene.render.use_multiview
    bpy.ops.artfish.look_through()
    bpy.data.objects.remove(former)
    bpy.ops.artfish.look_back()
    assert scene.camera is None


def test_one_undo_takes_the_camera_away():
    """A fish is made here, since undo would take back the bake of another as well."""
    root = bpy.data.objects.new("Fish", None)
    body = bpy.data.objects.new("Fish body", bpy.data.curves.new("body", "SURFACE"))
    spline = body.data.splines.new("NURBS")
    spline.points.add(1)
    spline.points[0].co, spline.points[1].co = (0.1, 0, 0, 1), (-0.2, 0, 0, 1)
    parts = [body]
    for side in (0.02, -0.02):
        eye = bpy.data.objects.new("Fish eye", bpy.data.meshes.new("eye"))
        eye.location, eye.rotation_mode = (0.08, side, 0.0), "QUATERNION"
        eye.rotation_quaternion = Vector((0, side, 0)).to_track_quat("Z", "Y")
        parts.append(eye)
    for part in parts:
        part.parent = root
    for obj in (root, *parts):
        bpy.context.scene.collection.objects.link(obj)
    choose(root)
    bpy.ops.ed.undo_push(message="Before")
    before = sorted(obj.name for obj in bpy.data.objects)
    bpy.ops.artfish.look_through("EXEC_DEFAULT", True)
    assert sorted(obj.name for obj in bpy.data.objects) == sorted([*before, "Fish view"])
    bpy.ops.ed.undo()
    assert sorted(obj.name for obj in bpy.data.objects) == before


@pytest.fixture
def alive(swimming):
    """A recording and a fish that is one mesh, as it plays live: its object moves, and telling knows its row."""
    recording = swimming("sardine", frames=6)
    origin, axes = body_frame(recording.nodes[:, 0].astype(float))

    def make():
        root = bpy.data.objects.new("Sardine 01", bpy.data.meshes.new("Sardine 01"))
        root[provenance.ROW] = 0
        bpy.context.scene.collection.objects.link(root)
        root.matrix_world = Matrix.Translation(origin[3]) @ Matrix(axes[3]).to_4x4()
        choose(root)
        return root

    source.offer(
        lambda context: source.of_recording(
            context, recording, {obj[provenance.ROW]: obj for obj in bpy.data.objects if provenance.ROW in obj}
        )
    )
    return recording, make


@pytest.mark.parametrize("which", ["NOSE", "LEFT", "RIGHT"])
def test_live_fishes_have_eyes_at_the_same_places(alive, which):
    recording, make = alive
    root = make()
    bpy.ops.artfish.look_through()
    camera = camera_of(root)
    camera.artfish_eye.which = which
    bpy.context.view_layer.update()
    place = np.array(camera.matrix_world.translation)
    nodes, length, model = recording.nodes[3].astype(float), recording.body_length, recording.species_models["sardine"]
    if which == "NOSE":
        expected = nodes[0, NOSE_NODE]
    else:
        moved = Coupling(model).control_points(nodes[None], recording.fins[3:4], length, recording.mouth[3:4])["eyes"]
        _, radius, outward = eyes(model)
        side = ("LEFT", "RIGHT").index(which)
        expected = moved[0, 0, side] + radius * length[0] * body_frame(nodes[0])[1] @ outward[side]
    assert np.linalg.norm(place - expected) < NEAR * length[0]


@pytest.mark.parametrize("which", ["NOSE", "BOTH"])
def test_a_live_fish_that_is_made_anew_gets_its_camera_back(alive, which):
    _, make = alive
    root = make()
    bpy.ops.artfish.look_through()
    camera = camera_of(root)
    camera.artfish_eye.which, camera.artfish_eye.pan = which, 0.3
    bpy.data.objects.remove(root)
    root = make()
    assert camera_of(root) is None
    bpy.ops.artfish.look_through()
    assert camera_of(root) == camera and camera.artfish_eye.pan == pytest.approx(0.3)
    assert len(bpy.data.cameras) == 1
    assert (second_of(camera) is not None) == (which == "BOTH")


def test_says_what_is_missing(baked):
    _, root = baked
    choose(None)
    with pytest.raises(RuntimeError, match="Select a fish first"):
        bpy.ops.artfish.look_through()
    part = next(part for part in root.children if part.type == "SURFACE")
    choose(part)  # any part of it will do
    assert bpy.ops.artfish.look_through.poll()
    root.name = "Nemo"
    for ball in [part for part in root.children if part.type == "MESH"]:
        bpy.data.objects.remove(ball)
    with pytest.raises(RuntimeError, match="Nemo has no two eyes: they were deleted"):
        bpy.ops.artfish.look_through()
    assert camera_of(root) is None


def test_a_camera_whose_fish_is_gone_stays_quietly(baked):
    _, root = baked
    bpy.ops.artfish.look_through()
    camera = camera_of(root)
    bpy.data.batch_remove([*[part for part in root.children if part != camera], root])
    camera.artfish_eye.which = "LEFT"
    camera.artfish_eye.wide = True
    assert bpy.context.scene.camera == camera
    bpy.ops.artfish.look_back()
    assert bpy.context.scene.camera is None


def test_rides_on_a_fish_that_really_plays_live():
    scene = bpy.context.scene
    bpy.ops.artfish.add_shoal(species="clownfish", count=2)
    bpy.ops.artfish.live_play()
    session = session_of(scene)
    scene.frame_set(3)
    choose(session.fishes[1].root)
    bpy.ops.artfish.look_through()
    camera = camera_of(session.fishes[1].root)
    for frame in (3, 15, 30):
        scene.frame_set(frame)
        bpy.context.view_layer.update()
        nodes = session.recording().nodes[frame - scene.frame_start, 1].astype(float)
        expected = nodes[NOSE_NODE] + np.array(session.origin)
        assert np.linalg.norm(expected - camera.matrix_world.translation) < NEAR * session.recording().body_length[1]
        look = np.array(camera.matrix_world.to_3x3() @ Vector((0.0, 0.0, -1.0)))
        assert look @ body_frame(nodes)[1][:, 0] > np.cos(0.01)
