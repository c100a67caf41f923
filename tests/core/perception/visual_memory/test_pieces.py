"""Large obstacles are many objects to a memory, and their pieces make up the whole of them."""

import numpy as np
import pytest

from artfish.core import Scene
from artfish.core.geometry.deforming import Deforming
from artfish.core.habitat.obstacles import Obstacles
from artfish.core.perception.tuning import PIECE_METRES
from artfish.core.perception.visual_memory.pieces import ObstaclePieces, own, placed

BOX = {
    "vertices": [[x, y, z] for x in (0, 4) for y in (0, 0.1) for z in (0, 2)],
    "faces": [[0, 1, 3, 2], [4, 6, 7, 5], [0, 4, 5, 1], [2, 3, 7, 6], [0, 2, 6, 4], [1, 5, 7, 3]],
}
"""A wall four metres long and two high."""


def pieces_of(*obstacles, **keys):
    scene = Scene.from_dict({"tank": {"size": [8, 8, 4]}, "obstacles": list(obstacles), **keys})
    obstacles = Obstacles.from_scene(scene)
    return ObstaclePieces.of(scene, obstacles.movers), obstacles


@pytest.mark.parametrize(
    "obstacle",
    [
        {"kind": "cylinder", "at": [2, 2, 0], "radius": 0.5, "height": 3},
        {"kind": "cylinder", "at": [2, 2, 0], "radius": 0.01, "height": 0.05},
        {"kind": "mesh", "at": [2, 2, 0], **BOX},
        {"kind": "mesh", "at": [2, 2, 0], "up": "y", "scale": 0.5, "motion": [], **BOX},
    ],
    ids=["pillar", "twig", "wall", "door"],
)
def test_pieces_are_small_and_their_points_lie_on_the_obstacle_all_over_it(obstacle):
    pieces, obstacles = pieces_of(obstacle)
    assert (2 * pieces.half <= 1.5 * PIECE_METRES).all()
    points = placed(pieces.home[pieces.owner], pieces.points)
    assert np.abs(obstacles.distance(points)[0]).max() < 1e-6
    assert (np.diff(pieces.owner) >= 0).all() and set(pieces.owner) == set(range(len(pieces)))
    assert (pieces.owner[pieces.looked] == np.arange(len(pieces))[:, None]).all()
    # From every side, the nearest place of the surface has a point about as near as they are apart.
    ways = np.random.default_rng(0).normal(size=(200, 3))
    around = 0.5 * (points.min(axis=0) + points.max(axis=0)) + np.ptp(points, axis=0).max() * ways
    gap, away = obstacles.distance(around)
    surface = around - gap[:, None] * away
    nearest = np.linalg.norm(surface[:, None] - points, axis=2).min(axis=1)
    assert nearest.max() < 1.5 * pieces.spacing.max()


def test_a_wall_is_many_objects_and_never_one():
    pieces, _ = pieces_of({"kind": "mesh", "at": [2, 2, 0], **BOX})
    assert len(pieces) == 7 * 3


@pytest.mark.parametrize(
    "obstacle", [{"kind": "cylinder", "at": [2, 2, 0], "height": 3}, {"kind": "mesh", "at": [2, 2, 0], **BOX}]
)
def test_a_place_on_an_obstacle_belongs_to_the_piece_of_its_points(obstacle):
    pieces, _ = pieces_of({"kind": "cylinder", "at": [6, 6, 0]}, obstacle)
    mine = pieces.obstacle[pieces.owner] == 1
    assert (pieces.at(1, pieces.points[mine]) == pieces.owner[mine]).all()


def test_axes_of_an_obstacle_go_there_and_back():
    pose = np.array([1.0, 2.0, 3.0, *(np.array([0.9, 0.1, -0.3, 0.2]) / np.linalg.norm([0.9, 0.1, -0.3, 0.2]))])
    points = np.random.default_rng(1).normal(size=(5, 3))
    assert np.allclose(own(pose, placed(pose, points)), points)


def test_a_submarine_and_what_deforms_are_in_pieces_too():
    keys = [
        {"time": 0, "vertices": BOX["vertices"]},
        {"time": 1, "vertices": [[2 * x, y, z] for x, y, z in BOX["vertices"]]},
    ]
    ride = {"at": [4, 4, 2], "length": 1.2}
    pieces, obstacles = pieces_of({"kind": "mesh", "at": [0.5, 2, 0], "motion": keys, **BOX}, ride=ride)
    assert set(pieces.obstacle) == {0, 1} and (pieces.mover[pieces.obstacle == 1] == 1).all()
    assert isinstance(obstacles.movers.solids[0], Deforming)
    points = placed(pieces.home[pieces.owner], pieces.points)
    assert np.abs(obstacles.distance(points)[0]).max() < 0.02


def test_a_scene_without_obstacles_has_no_pieces():
    assert len(pieces_of()[0]) == 0
