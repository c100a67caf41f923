"""Cameras of data sets: rigs, the bed and the bow, and what is refused."""

from dataclasses import replace

import numpy as np
import pytest

from artfish.core import Scene, World
from artfish.core.base.codec import SceneError
from artfish.core.dataset.cameras import SceneView, cameras_of, placed, upright

VIEW = SceneView(np.array([[1.0, 2.0, 3.0]]), upright(np.array([[0.0, 1.0, 0.0]])), 50.0)


@pytest.fixture(scope="module")
def recording():
    return World(Scene.load("reef")).simulate(2)


def one(recording, **keys):
    return placed(cameras_of([{"name": "one", **keys}]), recording, VIEW)


def test_axes_are_those_of_opencv():
    right, down, ahead = upright(np.array([[0.0, 3.0, 0.0]]))[0]
    assert np.allclose(right, [1, 0, 0]) and np.allclose(down, [0, 0, -1]) and np.allclose(ahead, [0, 1, 0])
    straight_down = upright(np.array([[0.0, 0.0, -1.0]]))[0]
    assert np.allclose(straight_down @ straight_down.T, np.eye(3)) and np.linalg.det(straight_down) == pytest.approx(1)


def test_what_a_camera_looks_at_is_in_the_middle(recording):
    (camera,) = one(recording, kind="fixed", at=[1, 1, 1], look_at=[4, 5, 2], lens=28.0)
    point = camera.matrix(0) @ [4, 5, 2, 1]
    assert np.allclose(point[:2], 0) and point[2] == pytest.approx(np.sqrt(26))
    assert np.allclose(camera.optics((200, 100)).pixels(point), [100, 50])
    assert camera.optics((360, 100), 2.0).focal == (560.0, 560.0)
    assert np.allclose(camera.matrix(0, rise=2.0) @ [1, 1, 3, 1], 0)


def test_two_eyes_see_the_same_point_apart(recording):
    left, right = one(recording, kind="stereo", at=[0, 0, 1], look_at=[0, 4, 1], eyes=0.2)
    assert (left.name, right.name) == ("one_left", "one_right")
    point = [0.5, 2.0, 1.0, 1.0]
    pixels = [camera.optics((360, 200)).pixels(camera.matrix(0) @ point) for camera in (left, right)]
    assert pixels[0][1] == pytest.approx(pixels[1][1])
    # disparity = focal x baseline / depth
    assert pixels[0][0] - pixels[1][0] == pytest.approx(left.optics((360, 200)).focal[0] * 0.2 / 2.0)


def test_a_ring_looks_inwards(recording):
    ring = one(recording, kind="ring", look_at=[2, 2, 1], radius=1.5, rise=0.5, count=5)
    assert [camera.name for camera in ring] == [f"one_{number}" for number in range(1, 6)]
    for camera in ring:
        assert np.allclose((camera.matrix(0) @ [2, 2, 1, 1])[:2], 0)
        assert np.hypot(*(camera.view.at[0, :2] - 2)) == pytest.approx(1.5)


def test_a_camera_on_the_bed_stands_on_it():
    recording = World(Scene.load("wreck")).simulate(1)
    (camera,) = one(recording, kind="bed", at=[3.0, 3.0], height=0.4, tilt=0.0)
    from artfish.core.geometry.bed import Bed

    bed = Bed.from_scene(recording.scene)
    ground = 0.0 if bed is None else float(bed.height(3.0, 3.0))
    assert camera.view.at[0, 2] == pytest.approx(ground + 0.4)
    assert np.allclose(camera.view.axes[0, 2], [1, 0, 0])


def test_the_scenes_own_camera_is_where_it_is(recording):
    (camera,) = one(recording, kind="scene")
    assert camera.view.lens == 50.0 and np.allclose(camera.matrix(0) @ [1, 5, 3, 1], [0, 0, 3])


def test_a_dive_films_from_its_bow():
    scene = Scene.load("diver") if Scene.load("diver").ride else None
    from artfish.core.scene.ride import Ride

    scene = replace(Scene.load("reef"), ride=Ride.load("reef_dive"))
    recording = World(scene).simulate(3)
    (camera,) = one(recording, kind="dive")
    place, azimuth = recording.submarine[2, :3], recording.submarine[2, 3]
    assert len(camera.view.at) == 3
    ahead = np.array([np.cos(azimuth), np.sin(azimuth)]) * np.cos(recording.submarine[2, 4])
    assert np.allclose(camera.view.at[2, :2], place[:2] + 0.5 * scene.ride.length * ahead)
    with pytest.raises(SceneError, match="without a ride"):
        one(World(Scene.load("reef")).simulate(1), kind="dive")


@pytest.mark.parametrize(
    ("data", "line"),
    [
        ([], "a list of 1 to 64 cameras"),
        ([{"kind": "fixed", "name": "a b", "at": [0, 0, 0], "look_at": [1, 0, 0]}], "letters, digits and _"),
        ([{"kind": "fixed", "name": "a", "at": [0, 0, 0], "look_at": [0, 0, 0]}], "another place than at"),
        ([{"kind": "scene", "name": "a"}, {"kind": "scene", "name": "a"}], "two cameras named a"),
        ([{"kind": "scene", "name": "a", "distortion": "fisheye", "k": [0.1]}], "4 for fisheye"),
    ],
)
def test_what_is_refused(data, line):
    with pytest.raises(SceneError, match=line):
        cameras_of(data, "cameras.json")
