"""The tank: its walls in closed form, and tanks of any form, the water inside a closed mesh."""

from __future__ import annotations

import numpy as np
import pytest

from artfish.core import Scene, SceneError, World
from artfish.core.habitat.obstacles import Obstacles
from artfish.core.habitat.tank import NO_FLOOR_METRES, WaterBox
from artfish.core.perception.collision import Antenna

SIZE = np.array([4.0, 3.0, 2.0])
DEEPEST = 0.05  # lengths
TANK = WaterBox((5.0, 4.0, 3.0))


def ellipsoid(rings: int = 24, sides: int = 48) -> tuple[list, list]:
    """Vertices and faces of the ellipsoid that just fits into a box of SIZE."""
    down, around = np.pi * np.arange(1, rings) / rings, 2 * np.pi * np.arange(sides) / sides
    ring = np.stack(np.broadcast_arrays(
        np.sin(down)[:, None] * np.cos(around), np.sin(down)[:, None] * np.sin(around), np.cos(down)[:, None]
    ), axis=-1).reshape(-1, 3)  # fmt: skip
    points = np.concatenate((ring, [[0, 0, 1], [0, 0, -1]]))
    top, bottom, last = len(ring), len(ring) + 1, (rings - 2) * sides
    faces = []
    for side in range(sides):
        after = (side + 1) % sides
        faces += [[top, side, after], [bottom, last + after, last + side]]
        faces += [
            [row * sides + side, (row + 1) * sides + side, (row + 1) * sides + after, row * sides + after]
            for row in range(rings - 2)
        ]
    return (0.5 * SIZE * (points + 1)).tolist(), faces


def bowl(**more) -> dict:
    vertices, faces = ellipsoid()
    return {"tank": {"size": SIZE.tolist(), "vertices": vertices, "faces": faces}, **more}


def test_distance_to_the_tank():
    distance, way = TANK.distance(np.array([(0.5, 2.0, 1.0), (2.0, 2.0, 2.9), (-0.3, 2.0, -0.4)]))
    assert np.allclose(distance, (0.5, 0.1, -0.5))
    assert np.allclose(way, [(1, 0, 0), (0, 0, -1), (0.6, 0, 0.8)])


def test_each_axis_has_a_nearer_wall():
    points = np.random.default_rng(0).uniform(0.0, TANK.size, (200, 3))
    distance, direction = TANK.sides(points)
    nearest, away = TANK.distance(points)
    assert distance.min(axis=1) == pytest.approx(nearest)
    rows, axis = np.arange(len(points)), distance.argmin(axis=1)
    assert np.array_equal(direction[rows, axis], away)
    step = 1e-3 * direction  # along each, (n, 3, 3)
    moved = np.stack([TANK.sides(points + step[:, k])[0][:, k] for k in range(3)], axis=1)
    clear = np.abs(points - 0.5 * TANK.size) > 1e-3  # of the middle, where the nearer wall is another
    assert moved[clear] == pytest.approx(distance[clear] + 1e-3)


def test_a_tank_without_a_floor_has_its_bed_for_one():
    open_below = WaterBox((5.0, 4.0, 3.0), floor=False)
    assert open_below.distance(np.array([2.5, 2.0, 0.01]))[0] == pytest.approx(2.0)
    place, down = np.array([[2.5, 2.0, 1.0]]), np.array([[[0.0, 0.0, -1.0]]])
    free = Antenna(open_below, Obstacles()).free_path(place, place[:, None], down, np.ones(1), berth=0.1)
    assert free[0, 0] == pytest.approx(NO_FLOOR_METRES + 0.9)


@pytest.mark.film
def test_a_sphere_is_known_from_within():
    vertices, faces = ellipsoid()
    round_ = (np.array(vertices) - 0.5 * SIZE) / (0.5 * SIZE) + 1.0
    scene = Scene.from_dict({"tank": {"size": [2, 2, 2], "vertices": round_.tolist(), "faces": faces}})
    dice = np.random.default_rng(4)
    way = dice.normal(size=(400, 3))
    way /= np.linalg.norm(way, axis=1, keepdims=True)
    reach = dice.uniform(0.3, 0.95, 400)
    distance, inward = Obstacles.from_scene(scene).distance(1.0 + reach[:, None] * way)
    solid = Obstacles.from_scene(scene).solids[0]
    # The mesh lies within the sphere by 1 - cos of half the angle of a facet, and samples err by a quarter cell²/r.
    bound = 1 - np.cos(np.pi / 24) + 4 * solid.grain  # grain is a quarter of a cell
    assert distance == pytest.approx(1.0 - reach, abs=bound)
    assert np.einsum("na,na->n", inward, -way).min() > 0.95


@pytest.mark.film
def test_a_straight_path_ends_at_the_wall():
    scene = Scene.from_dict(bowl())
    basin = Obstacles.from_scene(scene).solids[0]
    ways = np.concatenate((np.eye(3), -np.eye(3)))
    free = basin.free_path(np.broadcast_to(0.5 * SIZE, (6, 3)), ways, np.full(6, 0.1))
    cell = 4 * basin.grain
    assert free == pytest.approx(np.tile(0.5 * SIZE - 0.1, 2), abs=cell)


@pytest.mark.film
def test_fishes_stay_in_a_bowl():
    fishes = [{"species": "clownfish", "count": 12, "at": (0.5 * SIZE).tolist(), "spread": 0.8}]
    world = World(Scene.from_dict(bowl(fishes=fishes, plankton={"count": 50})), seed=3)
    recording = world.simulate(24 * 20)
    gap = Obstacles.from_scene(recording.scene).distance(recording.nodes.astype(float))[0]
    assert (gap / recording.body_length[:, None]).min() > -DEEPEST
    ways = np.linalg.norm(recording.nodes[-1].mean(axis=1) - recording.nodes[0].mean(axis=1), axis=1)
    assert np.median(ways / recording.body_length) > 1.0  # they swim about


def test_a_bowl_is_saved_and_read_again(tmp_path):
    scene = Scene.from_dict(bowl())
    scene.save(tmp_path / "bowl.json")
    assert Scene.load(tmp_path / "bowl.json") == scene


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"faces": None}, "tank.faces: found nothing beside vertices, allowed both or neither"),
        ({"size": [2, 3, 2]}, "tank.vertices: found one 2 m outside, allowed in the box"),
        ({"faces": [[0, 1, 2]]}, "tank.faces: found"),
    ],
)
def test_a_bad_tank_is_refused_in_one_line(change, told):
    data = bowl()
    data["tank"] = {key: value for key, value in (data["tank"] | change).items() if value is not None}
    with pytest.raises(SceneError, match=told) as raised:
        Scene.from_dict(data)
    assert "\n" not in str(raised.value)


def test_nobody_begins_outside_the_walls():
    with pytest.raises(SceneError, match=r"fishes\[0\]\.at: found .* outside the tank's walls, allowed in the water"):
        Scene.from_dict(bowl(fishes=[{"species": "clownfish", "at": [0.1, 0.1, 0.1]}]))
