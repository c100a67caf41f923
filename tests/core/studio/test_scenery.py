"""Scenery is known by points: how far away it is, what is inside of it, and what is none."""

import numpy as np
import pytest

from artfish.core import Scene, World
from artfish.core.studio.camera_work import filmed
from artfish.core.studio.film import FilmShot
from artfish.core.studio.scenery import Mesh, ScenePoints
from artfish.core.studio.smoothing import between
from artfish.core.studio.tuning import CAMERA_CLEAR_METRES, SCENERY_CELL_METRES

CORNERS = np.array([[x, y, z] for z in (-1.0, 1.0) for y in (-1.0, 1.0) for x in (-1.0, 1.0)])
QUADS = np.array([[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]])
TRIANGLES = np.concatenate((QUADS[:, [0, 1, 2]], QUADS[:, [0, 2, 3]]))


@pytest.fixture(scope="module")
def recording():
    """A fish by itself in the middle of a tank."""
    data = {"fishes": [{"species": "clownfish", "at": [5.0, 4.0, 2.0], "heading": [1, 0, 0]}], "duration": 3.0}
    return World(Scene.from_dict(data), seed=1).simulate(72)


def box(*ats, half, faces=TRIANGLES):
    """A box with its middle at a place, or at each of some."""
    matrices = np.tile(np.diag([*half, 1.0]), (len(ats), 1, 1))
    matrices[:, :3, 3] = ats
    return Mesh(CORNERS, faces, matrices)


def test_distances_are_those_of_a_box(recording):
    scenery = ScenePoints.of([box((2.0, 4.0, 2.0), half=(0.5, 0.6, 0.7))], recording)
    draws = np.random.default_rng(3)
    points = np.array([2.0, 4.0, 2.0]) + draws.uniform(-1.4, 1.4, (400, 3))
    off = np.abs(points - (2.0, 4.0, 2.0)) - (0.5, 0.6, 0.7)
    true = np.linalg.norm(np.maximum(off, 0.0), axis=1) + np.minimum(off.max(axis=1), 0.0)
    found, way = scenery.distance(points)
    assert np.abs(found - true).max() < 1.5 * SCENERY_CELL_METRES
    assert np.linalg.norm(way, axis=1) == pytest.approx(np.ones(400))
    on, _ = scenery.distance(points + 0.2 * way)
    assert (on - found)[found > -0.4].min() > 0.1  # it leads off


def test_a_mesh_in_many_places_is_as_many_meshes(recording):
    half, ats = (0.3, 0.2, 0.4), [(2.0, 4.0, 2.0), (3.0, 1.0, 1.0), (7.0, 6.0, 3.0)]
    points = np.random.default_rng(5).uniform((0.0, 0.0, 0.0), (10.0, 8.0, 4.0), (300, 3))
    one = ScenePoints.of([box(*ats, half=half)], recording).distance(points)[0]
    each = ScenePoints.of([box(at, half=half) for at in ats], recording).distance(points)[0]
    assert one == pytest.approx(each, abs=1.5 * SCENERY_CELL_METRES)


def test_a_mirrored_mesh_has_its_inside_inside(recording):
    mesh = box((2.0, 4.0, 2.0), half=(-0.5, 0.5, 0.5))
    assert ScenePoints.of([mesh], recording).distance(np.array([2.0, 4.0, 2.0]))[0] < -0.4


def test_a_box_without_a_lid_has_no_inside_and_the_ground_has(recording):
    open_box = ScenePoints.of([box((2.0, 4.0, 2.0), half=(0.5, 0.5, 0.5), faces=TRIANGLES[1:])], recording)
    assert open_box.distance(np.array([2.0, 4.0, 2.0]))[0] == pytest.approx(0.5, abs=SCENERY_CELL_METRES)
    ground = np.array([[-9.0, -9.0, 0.5], [19.0, -9.0, 0.5], [19.0, 19.0, 0.5], [-9.0, 19.0, 0.5]])
    below = ScenePoints.of([Mesh(ground, np.array([[0, 1, 2], [0, 2, 3]]), np.eye(4)[None])], recording).distance(
        np.array([3.0, 3.0, 0.2])
    )
    assert below[0] < -0.25 and below[1][2] > 0.9


def test_what_holds_all_fishes_is_a_wall(recording):
    glass = ScenePoints.of([box((5.0, 4.0, 2.0), half=(1.2, 1.0, 0.8))], recording)
    assert len(glass) and glass.distance(np.array([5.0, 4.0, 2.0]))[0] > 0.5


def test_what_is_small_or_far_away_is_none(recording):
    pebble, rock = box((5.0, 4.0, 1.0), half=(0.03, 0.03, 0.03)), box((40.0, 4.0, 2.0), half=(1.0, 1.0, 1.0))
    scenery = ScenePoints.of([pebble, rock], recording)
    distance, way = scenery.distance(np.zeros((5, 2, 3)))
    assert len(scenery) == 0 and np.isinf(distance).all() and (way == (0.0, 0.0, 1.0)).all()


def test_a_camera_looks_from_where_no_scenery_is(recording):
    shot = FilmShot(scene="alone", start=0.5, seconds=2.0, move="dolly", size=0.15)
    plain = filmed(recording, shot)
    rock = box(plain.at[24], half=(0.3, 0.3, 0.3))
    scenery = ScenePoints.of([rock], recording)
    assert scenery.distance(plain.at)[0].min() < 0.0
    path = filmed(recording, shot, scenery)
    assert scenery.distance(path.at)[0].min() > 0.9 * CAMERA_CLEAR_METRES
    nose = between(recording.nodes[:, 0, 0], path.frames)
    shares = np.linspace(0.0, 1.0, 40)[:, None, None]
    assert scenery.distance(path.at + shares * (nose - path.at))[0].min() > 0.0
