"""Distances to pillars, and to the tank as well, against closed forms and against marching along the path."""

from __future__ import annotations

import numpy as np
import pytest

from artfish.core import Scene, World
from artfish.core.habitat.obstacles import Obstacles
from artfish.core.habitat.tank import WaterBox
from artfish.core.perception.collision import Antenna
from artfish.core.perception.vision import blocks
from artfish.core.scene.obstacles import MeshObstacle

PILLARS = Obstacles([(1.0, 1.0, 0.0), (3.0, 1.5, 0.5)], [0.3, 0.5], [1.0, 2.0])
TANK = WaterBox((5.0, 4.0, 3.0))


def anywhere(n: int, seed: int = 0, reach: float = 1.0) -> np.ndarray:
    return np.random.default_rng(seed).uniform(-reach, TANK.size + reach, (n, 3))


def free_path(solid: Obstacles | WaterBox, points: np.ndarray, ways: np.ndarray, margin: float) -> np.ndarray:
    """Metres along paths (n, 3) up to the margin of a tank or, in boundless water, of obstacles, (n,)."""
    boundless = WaterBox([np.inf] * 3)
    boundless.low[:] = -np.inf
    antenna = Antenna(solid, Obstacles()) if isinstance(solid, WaterBox) else Antenna(boundless, solid)
    return antenna.free_path(points, points[:, None], ways[:, None], np.ones(len(points)), berth=margin)[:, 0]


def directions(n: int, seed: int = 1) -> np.ndarray:
    way = np.random.default_rng(seed).normal(size=(n, 3))
    return way / np.linalg.norm(way, axis=1, keepdims=True)


@pytest.mark.parametrize(
    "point, distance, direction",
    [
        ((1.5, 1.0, 0.5), 0.2, (1, 0, 0)),
        ((1.0, 0.1, 0.2), 0.6, (0, -1, 0)),
        ((1.0, 1.0, 1.4), 0.4, (0, 0, 1)),
        ((1.25, 1.0, 0.5), -0.05, (1, 0, 0)),
        ((1.0, 1.1, 0.95), -0.05, (0, 0, 1)),
        ((1.6, 1.0, 1.4), 0.5, (0.6, 0, 0.8)),
        ((3.0, 1.5, 0.4), 0.1, (0, 0, -1)),
    ],
)
def test_distance_to_a_cylinder(point, distance, direction):
    found, way = PILLARS.distance(np.array([point]))
    assert found[0] == pytest.approx(distance, abs=1e-12)
    assert np.allclose(way[0], direction, atol=1e-12)


@pytest.mark.parametrize("solid", [PILLARS, TANK], ids=["pillars", "tank"])
def test_direction_is_unit_and_a_step_along_it_gains_as_much_distance(solid):
    points = anywhere(2000)
    distance, way = solid.distance(points)
    assert np.allclose(np.linalg.norm(way, axis=1), 1.0, atol=1e-12)
    step = 1e-7
    gained = (solid.distance(points + step * way)[0] - distance) / step
    # Halfway between two surfaces the nearest one changes within the step.
    assert np.mean(np.abs(gained - 1) < 1e-5) > 0.999


@pytest.mark.parametrize("solid, margin", [(PILLARS, 0.0), (PILLARS, 0.1), (TANK, 0.0), (TANK, 0.25)])
def test_free_path_ends_where_the_margin_begins(solid, margin):
    """The path is free before its end and meets the margin there; a margin of 0 makes both bodies exact."""
    points, ways = anywhere(3000, reach=0.0), directions(3000)
    clear = solid.distance(points)[0] > margin * 1.5
    points, ways = points[clear], ways[clear]
    free = free_path(solid, points, ways, margin)
    short = np.minimum(free, 8.0)
    for share in np.linspace(0.0, 0.999, 12):
        assert (solid.distance(points + (share * short)[:, None] * ways)[0] >= margin - 1e-9).all()
    ends = solid.distance(points + short[:, None] * ways)[0][free < 8.0]
    # The corner of a cylinder with its margin is square, that of its distance round.
    assert (ends < margin * 2**0.5 + 1e-9).all() and len(ends) > 100


def test_path_from_within_the_margin_is_free_only_outwards():
    start = np.array([(1.35, 1.0, 0.5)] * 2)
    free = free_path(PILLARS, start, np.array([(1.0, 0.0, 0.0), (-1.0, 0.0, 0.0)]), 0.1)
    assert free[0] > 1.0 and free[1] == 0.0
    free = free_path(TANK, np.array([(0.1, 2.0, 1.0)] * 2), np.array([(1.0, 0.0, 0.0), (-1.0, 0.0, 0.0)]), 0.2)
    assert free[0] == pytest.approx(4.7) and free[1] == 0.0
    along = free_path(TANK, np.array([(0.1, 2.0, 0.1)]), np.array([(0.0, 1.0, 0.0)]), 0.2)
    assert along[0] == pytest.approx(1.8)


def test_a_path_over_a_low_pillar_is_free():
    start, along = np.array([(0.0, 1.0, 1.3)]), np.array([(1.0, 0.0, 0.0)])
    assert free_path(PILLARS, start - (0, 0, 0.5), along, 0.1)[0] == pytest.approx(0.6)
    assert free_path(PILLARS, start, along, 0.1)[0] > 2.0


def test_many_paths_from_each_point():
    points, ways, length = anywhere(7, reach=0.0), directions(7 * 5).reshape(7, 5, 3), np.ones(7)
    antenna = Antenna(TANK, PILLARS)
    many = antenna.free_path(points, points[:, None], ways, length, berth=0.05)
    one = antenna.free_path(points, points[:, None], ways[:, 3:4], length, berth=0.05)
    assert many.shape == (7, 5) and np.array_equal(many[:, 3:4], one)


def test_no_pillars_leave_everything_free():
    none = Obstacles()
    assert np.isinf(none.distance(np.zeros((3, 3)))[0]).all()
    assert np.isinf(free_path(none, np.zeros((3, 3)), directions(3), 0.1)).all()


def test_distances_to_pillars_are_the_same_compiled(alike):
    """Among few and many, outside, inside, on an axis, level with a top and on a mantle."""
    dice = np.random.default_rng(3)
    many = Obstacles(dice.uniform(0, 4, (40, 3)), dice.uniform(0.05, 0.6, 40), dice.uniform(0.1, 3, 40))
    edges = np.concatenate(
        (many.at, many.at + many.radius[:, None] * (1, 0, 0), many.at + many.height[:, None] * (0, 0, 1))
    )
    for obstacles in (PILLARS, many, Obstacles()):
        for points in (anywhere(3000), anywhere(40).reshape(4, 10, 3)[:, ::2], edges, anywhere(0)):
            alike(lambda of=obstacles, points=points: of.distance(points), "from_cylinders")


@pytest.mark.parametrize("obstacles", [PILLARS, Obstacles()], ids=["pillars", "open"])
def test_a_place_that_is_none_is_at_no_distance_and_harms_nobody(alike, obstacles):
    nowhere = np.array([(np.nan, 1.0, 1.0), (1.0, np.nan, 1.0), (1.0, 1.0, np.nan)])
    assert (alike(lambda: np.isnan(obstacles.distance(nowhere)[0]), "from_cylinders") == bool(len(obstacles))).all()


def cage(weave: float) -> dict:
    """Eight walls and a floor about a fish farm's water, open above."""
    turn = np.arange(8) * np.pi / 4
    ring = 1.1 * np.stack([np.cos(turn), np.sin(turn)], axis=1)
    vertices = [[*place, height] for height in (0.0, 1.7) for place in ring.tolist()]
    walls = [[side, (side + 1) % 8, 8 + (side + 1) % 8, 8 + side] for side in range(8)]
    return {
        "kind": "mesh",
        "at": [2.5, 2.5, 0.2],
        "vertices": vertices,
        "faces": [*walls, list(range(8))[::-1]],
        "weave": weave,
        "growth": 0.0,
    }


@pytest.mark.film
@pytest.mark.parametrize("weave", [0.0, 0.08])
def test_fishes_stay_within_a_cage_and_see_out_of_it_only_if_it_is_a_net(weave):
    scene = {
        "name": "cage",
        "duration": 8.0,
        "tank": {"size": [5, 5, 2]},
        "obstacles": [{**cage(weave), "thickness": 0.04}],
        "fishes": [
            {"species": "sardine", "count": 10, "at": [2.5, 2.5, 0.9], "spread": 0.5},
            {"species": "grouper", "count": 1, "at": [0.8, 0.8, 0.9]},
        ],
    }
    recording = World(Scene.from_dict(scene, "cage.json"), seed=1).simulate()
    middles = recording.nodes[:, :10].mean(axis=2)
    # Walls of an octagon are as near as the radius times cos(22.5 degrees), less half their thickness.
    assert np.linalg.norm(middles[..., :2] - 2.5, axis=-1).max() < 1.1 and middles[..., 2].min() > 0.2
    assert (recording.fear[:, :10].max() > 0.1) == (weave > 0.0)


def test_a_net_is_a_shell_and_one_sees_through_it():
    net = parse_mesh(cage(0.08))
    assert net.shell == 0.02 and net.solid.sheer and not parse_mesh(cage(0.0) | {"thickness": 0.1}).solid.sheer
    obstacles = Obstacles(solids=[net.solid])
    start, end = np.array([[2.5, 2.5, 1.0]]), np.array([[4.5, 2.5, 1.0]])
    assert not blocks(start, end, obstacles)[0] and net.solid.blocks(start, end)[0]
    assert net.solid.distance(start)[0] > 0.7  # there is water within


def parse_mesh(data: dict) -> MeshObstacle:
    return Scene.from_dict({"tank": {"size": [5, 5, 2]}, "obstacles": [data]}, "cage.json").obstacles[0]
