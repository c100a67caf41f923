"""The camera of a ride: it goes where the submarine went, and sees with two eyes and all around."""

from dataclasses import replace

import bpy
import numpy as np
import pytest
from bpy_extras.object_utils import world_to_camera_view
from mathutils import Vector

from artfish.blender_artfish.blender.versions import channelbags
from artfish.blender_artfish.stage.ride import add_ride_camera, film_with, fit_picture, set_picture, shape_of, ways_of
from artfish.core.base.vectors import vector
from artfish.core.scene.ride import HelmOrder, Ride, RideCamera
from artfish.core.scene.scene import Scene

RIDE = Ride(at=(1.0, 2.0, 1.0), length=0.8)
FRAMES = 60
T = np.arange(FRAMES) / 24.0
POSES = np.column_stack((1.0 + 0.3 * T, 2.0 + 0.2 * np.sin(T), 1.0 + 0.1 * T, 2.5 + 1.5 * T, 0.3 * np.sin(2.0 * T)))


@pytest.mark.parametrize(("unit", "origin"), [(1.0, (0.0, 0.0, 0.0)), (0.01, (2.0, -1.0, 0.5))])
def test_it_stands_at_the_bow_and_looks_ahead_in_every_frame(unit, origin):
    scene = bpy.context.scene
    camera = add_ride_camera(scene.collection, RIDE, POSES, 11, Vector(origin), unit)
    for frame in range(FRAMES):
        scene.frame_set(11 + frame)
        ahead = vector(POSES[frame, 3], POSES[frame, 4])
        place = (POSES[frame, :3] + 0.5 * RIDE.length * ahead + origin) / unit
        seen, turn, _ = camera.matrix_world.decompose()
        assert np.allclose(seen, place, atol=1e-3 * RIDE.length / unit)
        assert (turn @ Vector((0, 0, -1))).dot(Vector(ahead)) > 1.0 - 1e-6
        assert abs((turn @ Vector((1, 0, 0))).z) < 1e-6  # level from side to side


def test_it_has_plain_keys_and_fewer_than_frames():
    camera = add_ride_camera(bpy.context.scene.collection, RIDE, POSES)
    (bag,) = channelbags(camera)
    assert {(curve.data_path, curve.array_index) for curve in bag.fcurves} == {
        (path, axis) for path in ("location", "rotation_euler") for axis in range(3)
    }
    counts = [len(curve.keyframe_points) for curve in bag.fcurves]
    assert 1 <= min(counts) and max(counts) < FRAMES / 2
    assert not camera.constraints and not camera.animation_data.drivers and camera.parent is None


def test_a_turn_of_many_rounds_is_keyed_without_a_jump():
    ways = ways_of(POSES, RIDE)
    assert np.abs(np.diff(ways[5])).max() < 0.1 and np.ptp(ways[5]) > 3.0


@pytest.mark.parametrize("seen", [RideCamera(), RideCamera(stereo=True, eyes=0.1, convergence=1.5)])
def test_two_eyes_are_blenders_own(seen):
    scene = bpy.context.scene
    camera = add_ride_camera(scene.collection, replace(RIDE, camera=seen), POSES, unit=0.5)
    film_with(scene, camera, seen)
    assert scene.camera == camera and scene.render.use_multiview == seen.stereo
    stereo = camera.data.stereo
    assert stereo.interocular_distance == pytest.approx(seen.eyes / 0.5)
    assert stereo.convergence_distance == pytest.approx(seen.convergence / 0.5)


def spot(at: tuple[float, float, float]) -> None:
    """A white ball that shines."""
    bpy.ops.mesh.primitive_uv_sphere_add(radius=0.05, location=at)
    material = bpy.data.materials.new("Spot")
    material.use_nodes = True
    material.node_tree.nodes.clear()
    light = material.node_tree.nodes.new("ShaderNodeEmission")
    output = material.node_tree.nodes.new("ShaderNodeOutputMaterial")
    material.node_tree.links.new(light.outputs[0], output.inputs["Surface"])
    bpy.context.object.data.materials.append(material)


def rendered(folder, views: int) -> list[np.ndarray]:
    """Brightness of each view, (height, width), from the bottom up."""
    scene = bpy.context.scene
    scene.render.engine, scene.cycles.samples, scene.cycles.use_denoising = "CYCLES", 4, False
    scene.view_settings.view_transform = "Raw"
    scene.render.filepath = str(folder / "view.png")
    bpy.ops.render.render(write_still=True)
    pictures = []
    for path in sorted(folder.glob("view*.png")):
        image = bpy.data.images.load(str(path))
        pixels = np.empty(len(image.pixels), dtype=np.float32)
        image.pixels.foreach_get(pixels)
        bright = pixels.reshape(image.size[1], image.size[0], -1)[..., :3].mean(axis=2)
        pictures.append(np.where(bright > 0.3, bright, 0.0))  # of the sky nothing
    assert len(pictures) == views
    return pictures


def middle(picture: np.ndarray) -> tuple[float, float]:
    """Middle of the bright pixels, in shares of width and height."""
    y, x = np.mgrid[: picture.shape[0], : picture.shape[1]] + 0.5
    return (
        float((x * picture).sum() / picture.sum() / picture.shape[1]),
        float((y * picture).sum() / picture.sum() / picture.shape[0]),
    )


@pytest.mark.film
@pytest.mark.parametrize("depth", [1.0, 2.0, 6.0])
def test_both_eyes_see_the_disparity_that_geometry_has(tmp_path, depth):
    seen = RideCamera(lens=24.0, stereo=True, eyes=0.1, convergence=2.0)
    ride, scene = replace(RIDE, camera=seen), bpy.context.scene
    pose = np.array([[1.0, 2.0, 1.0, 0.7, 0.0]])
    camera = add_ride_camera(scene.collection, ride, pose)
    film_with(scene, camera, seen)
    scene.render.resolution_x, scene.render.resolution_y, scene.render.resolution_percentage = 480, 160, 100
    ahead = vector(pose[0, 3], pose[0, 4])
    spot(tuple(pose[0, :3] + (0.5 * ride.length + depth) * ahead))
    left, right = rendered(tmp_path, 2)
    disparity = middle(left)[0] - middle(right)[0]
    expected = seen.lens / 36.0 * seen.eyes * (1.0 / depth - 1.0 / seen.convergence)
    assert disparity == pytest.approx(expected, abs=1.0 / 480)
    assert middle(left)[1] == pytest.approx(middle(right)[1], abs=0.5 / 160)


@pytest.mark.film
@pytest.mark.parametrize("picture", ["equirectangular", "cylindrical"])
def test_a_panorama_shows_each_way_where_it_belongs(tmp_path, picture):
    seen = RideCamera(picture=picture, width=4.0, height=1.2)
    scene, pose = bpy.context.scene, np.array([[1.0, 2.0, 1.0, 0.7, 0.0]])
    camera = add_ride_camera(scene.collection, replace(RIDE, camera=seen), pose)
    scene.render.resolution_x, scene.render.resolution_percentage = 400, 100
    film_with(scene, camera, seen)
    fit_picture(scene, seen)
    assert scene.render.resolution_x / scene.render.resolution_y == pytest.approx(shape_of(seen), rel=0.02)
    bow = pose[0, :3] + 0.5 * RIDE.length * vector(pose[0, 3], pose[0, 4])
    bearing, above = 1.3, 0.3  # to the left, behind the bow
    spot(tuple(bow + 2.0 * vector(pose[0, 3] + bearing, np.array(above))))
    (only,) = rendered(tmp_path, 1)
    high = above / seen.height if picture == "equirectangular" else 0.5 * np.tan(above) / np.tan(0.5 * seen.height)
    assert middle(only) == pytest.approx((0.5 - bearing / seen.width, 0.5 + high), abs=0.01)


@pytest.mark.film
@pytest.mark.parametrize(
    ("picture", "bearing", "above", "depth"),
    [
        ("equirectangular", 0.0, 0.0, 1.0),
        ("equirectangular", 1.3, 0.4, 6.0),
        ("equirectangular", -1.0, 0.0, 2.0),
        ("cylindrical", -1.2, 0.3, 1.0),
        ("cylindrical", 0.9, 0.0, 4.0),
    ],
)
def test_both_eyes_see_in_a_panorama_whatever_the_direction_the_disparity_that_geometry_has(
    tmp_path, picture, bearing, above, depth
):
    """Blender's spherical stereo moves each eye across the way it looks; it turns them in towards the convergence."""
    seen = RideCamera(picture=picture, width=4.0, height=1.4, stereo=True, eyes=0.1, convergence=2.0)
    scene, pose = bpy.context.scene, np.array([[1.0, 2.0, 1.0, 0.7, 0.0]])
    camera = add_ride_camera(scene.collection, replace(RIDE, camera=seen), pose)
    scene.render.resolution_x, scene.render.resolution_percentage = 600, 100
    film_with(scene, camera, seen)
    fit_picture(scene, seen)
    bow = pose[0, :3] + 0.5 * RIDE.length * vector(pose[0, 3], pose[0, 4])
    spot(tuple(bow + depth * vector(pose[0, 3] + bearing, np.array(above))))
    left, right = rendered(tmp_path, 2)
    half = 0.5 * seen.eyes / np.cos(above)
    expected = 2.0 * (np.arcsin(half / depth) - np.arctan(half / seen.convergence))
    assert seen.width * (middle(left)[0] - middle(right)[0]) == pytest.approx(expected, abs=seen.width / 600)
    assert middle(left)[1] == pytest.approx(middle(right)[1], abs=1.0 / scene.render.resolution_y)
    assert 0.5 * (middle(left)[0] + middle(right)[0]) == pytest.approx(0.5 - bearing / seen.width, abs=1.0 / 600)


def test_a_lens_is_that_of_the_ride():
    data = bpy.data.cameras.new("Any")
    set_picture(data, RideCamera(lens=50.0))
    assert (data.type, data.lens, data.sensor_width) == ("PERSP", 50.0, 36.0)


@pytest.mark.film
def test_a_recorded_ride_is_filmed_from_the_submarine(reef, build_stage):
    ride = replace(RIDE, orders=(HelmOrder(time=0.0, order="accelerate"),))
    scene = Scene.from_dict(reef.scene.to_dict())
    dived = replace(reef, scene=replace(scene, ride=ride), submarine=POSES[: reef.frames])
    shown = build_stage(dived)
    shown.frame_set(shown.frame_start + 5)
    ahead = vector(POSES[5, 3], POSES[5, 4])
    at = world_to_camera_view(shown, shown.camera, Vector(POSES[5, :3] + 3.0 * ahead))
    assert shown.camera.name == "Submarine" and np.allclose(at[:2], 0.5, atol=1e-3)
