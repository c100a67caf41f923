"""The bed of the sea: heights, distances and paths against closed forms and against search over the surface."""

import numpy as np
import pytest
from scipy.spatial import cKDTree

from artfish.core import Scene, SceneError
from artfish.core.geometry.bed import Bed
from artfish.core.habitat.obstacles import Obstacles
from artfish.core.habitat.tank import WaterBox
from artfish.core.perception.collision import Antenna

TANK = {"tank": {"size": [6, 4, 3]}}
HILLS = {"relief": 0.8, "scale": 1.0, "seed": 2}


def bed(**terrain) -> Bed:
    made = Bed.from_scene(Scene.from_dict(TANK | {"terrain": terrain}))
    assert made is not None
    return made


def slope_bed(rise: float) -> Bed:
    """An even slope up along x."""
    x, y = np.linspace(0, 6, 61), np.linspace(0, 4, 41)
    return Bed(x, y, np.repeat(rise * x[:, None], len(y), axis=1), 3.0)


def above(some: Bed, n: int = 4000, most: float = 1.5, seed: int = 0) -> np.ndarray:
    """Places over the bed, (n, 3)."""
    draws = np.random.default_rng(seed)
    x, y = draws.uniform(0, 6, n), draws.uniform(0, 4, n)
    return np.stack([x, y, some.height(x, y) + draws.uniform(0, most, n)], axis=-1)


@pytest.fixture(scope="module")
def hills() -> Bed:
    return bed(**HILLS)


@pytest.fixture(scope="module")
def surface(hills) -> tuple[cKDTree, float]:
    """Points all over the bed, a centimetre apart on the level, and how far apart they are at most on slopes."""
    x, y = np.meshgrid(np.arange(0, 6.005, 0.01), np.arange(0, 4.005, 0.01), indexing="ij")
    points = np.stack([x, y, hills.height(x, y)], axis=-1)
    apart = max(np.linalg.norm(np.diff(points, axis=axis), axis=-1).max() for axis in (0, 1))
    return cKDTree(points.reshape(-1, 3)), float(apart)


def test_without_terrain_there_is_no_bed_and_the_floor_is_the_tanks():
    scene = Scene.from_dict(TANK)
    assert scene.terrain is None and "terrain" not in scene.to_dict()
    assert Bed.from_scene(scene) is None and not len(Obstacles.from_scene(scene))
    below = np.array([(3.0, 2.0, 0.2)])
    assert WaterBox.from_scene(scene).distance(below)[0] == pytest.approx(0.2)


def test_a_bed_takes_the_place_of_the_floor():
    scene = Scene.from_dict(TANK | {"terrain": {}})
    tank, solids = WaterBox.from_scene(scene), Obstacles.from_scene(scene)
    near = np.array([(3.0, 2.0, 0.2)])
    assert tank.distance(near)[0] == pytest.approx(2.0)
    found, way = solids.distance(near)
    assert found == pytest.approx(0.2) and np.allclose(way, [(0, 0, 1)])
    given = near, near[:, None], np.array([[(0.0, 0.0, -1.0)]]), np.ones(1)
    free = Antenna(tank, solids).free_path(*given, berth=0.05)
    assert free[0, 0] == pytest.approx(0.15, abs=0.02 + solids.solids[-1].grain)
    assert Antenna(tank, Obstacles()).free_path(*given, berth=0.05)[0, 0] > 1000


def test_random_hills_rise_from_nothing_to_the_relief(hills):
    assert 0 <= hills.heights.min() < 0.15 and 0.65 < hills.heights.max() <= 0.8
    assert np.array_equal(hills.heights, bed(**HILLS).heights)
    assert not np.array_equal(hills.heights, bed(**HILLS | {"seed": 3}).heights)


def test_hills_are_as_wide_as_the_scale():
    """A line across crosses the middle height about once a scale; waves are twice the scale long to half of it."""
    for scale in (0.6, 1.5):
        heights = bed(relief=0.2, scale=scale).heights - 0.1
        line = heights[:, heights.shape[1] // 2]
        crossings = np.count_nonzero(np.diff(np.sign(line)))
        assert 0.6 < 6.0 / scale / max(crossings, 1) < 2.5


def test_asked_heights_are_met_and_nothing_rises_above_them():
    asked = [[0.0, 0.5, 0.0], [0.2, 1.0, 0.4]]
    made = bed(heights=asked)
    x, y = np.meshgrid([0.0, 3.0, 6.0], [0.0, 4.0])
    assert np.allclose(made.height(x, y), asked, atol=0.02)
    assert made.heights.min() >= 0 and made.heights.max() <= 1.0
    assert made.height(3.0, 2.0) == pytest.approx(0.75, abs=0.02)


def test_heights_and_hills_add_up():
    flat = bed(heights=[[0.5, 0.5], [0.5, 0.5]], **HILLS)
    assert np.allclose(flat.heights, bed(**HILLS).heights + 0.5)


@pytest.mark.parametrize("rise", [0.0, 0.2, 0.45])
def test_distance_from_an_even_slope(rise):
    """Away from the ends, where the slope's surface ends, it is exact."""
    some = slope_bed(rise)
    points = above(some, most=1.0)
    points = points[(points[:, 0] > 1) & (points[:, 0] < 5)]
    found, way = some.distance(points)
    normal = np.array([-rise, 0.0, 1.0]) / np.hypot(rise, 1.0)
    assert np.allclose(found, points @ normal, atol=1e-9)
    assert np.allclose(way, normal, atol=1e-6)


def test_distance_over_hills_against_the_whole_surface(hills, surface):
    """Off by the grid: cell^2 / 8 of curvature at samples, and a share of the height between levels of them."""
    tree, apart = surface
    points = above(hills)
    exact, _ = tree.query(points)
    found = hills.depth(points)
    over = points[:, 2] - hills.height(*points[:, :2].T)
    assert np.allclose(found, hills.distance(points)[0], rtol=0, atol=1e-12)
    assert (found <= over + 1e-9).all()
    assert np.abs(found - exact).max() < 0.08 * over.max() + apart
    assert np.mean(np.abs(found - exact) < 0.03 * over + 0.5 * apart) > 0.95


def test_near_the_bed_the_distance_is_of_second_order(hills, surface):
    tree, apart = surface
    curvature = max(np.abs(np.diff(hills.heights, 2, axis=axis)).max() for axis in (0, 1)) / hills._step.min() ** 2
    for most in (0.02, 0.1):
        points = above(hills, most=most)
        exact, _ = tree.query(points)
        # The nearest of points on the surface is up to apart^2 / 4 over twice the distance farther.
        slack = np.sqrt(exact**2 + apart**2 / 2) - exact
        bend = curvature * (most + hills._step.max()) * most
        assert (np.abs(hills.depth(points) - exact) <= slack + bend).all()


def test_below_the_bed_it_is_negative(hills):
    points = above(hills, most=0.2)
    points[:, 2] -= 0.3
    below = points[:, 2] < hills.height(*points[:, :2].T)
    assert np.array_equal(hills.depth(points) < 0, below)


def test_the_direction_is_that_in_which_the_distance_grows(hills):
    points = above(hills)
    found, way = hills.distance(points)
    assert np.allclose(np.linalg.norm(way, axis=1), 1.0)
    gained = (hills.distance(points + 1e-5 * way)[0] - found) / 1e-5
    assert np.mean(np.abs(gained - 1) < 0.25) > 0.9 and gained.min() > 0.3


@pytest.mark.parametrize("margin", [0.0, 0.15])
def test_paths_end_at_the_margin_of_the_bed_and_not_before(hills, margin):
    points = above(hills, seed=3)
    points = points[hills.depth(points) > margin + 2 * hills.grain]
    way = np.random.default_rng(4).normal(size=points.shape)
    way /= np.linalg.norm(way, axis=1, keepdims=True)
    free = hills.free_path(points, way, margin)
    tank = Antenna(WaterBox((6, 4, 3)), Obstacles())
    wall = tank.free_path(points, points[:, None], way[:, None], np.zeros(len(points)))[:, 0]
    short = np.minimum(free, wall)
    for share in np.linspace(0, 1, 40):
        depth = hills.depth(points + (share * short)[:, None] * way)
        assert (depth >= margin - hills.grain).all()
    ended = free < wall
    assert ended.sum() > 500
    gap = hills.depth(points + short[:, None] * way)[ended] - margin
    assert np.mean(gap < 2 * hills.grain) > 0.98  # the others have gone as many steps as there are


def test_a_hill_hides_what_is_behind_it():
    ridge = bed(heights=[[0, 0, 1.5, 0, 0]] * 2)
    start = np.array([(1.0, 2.0, 0.3)] * 3)
    end = np.array([(5.0, 2.0, 0.3), (5.0, 2.0, 2.9), (1.5, 3.0, 0.3)])
    assert ridge.blocks(start, end).tolist() == [True, False, False]


# Scenes ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "terrain, message",
    [
        ({"relief": -1}, "terrain.relief: found -1, allowed a number from 0 to 10000 m"),
        ({"relief": 2.8}, "terrain: found hills up to 2."),
        ({"scale": 0}, "terrain.scale: found 0, allowed a number from 0.01 to 10000 m"),
        ({"heights": [[0, 1], [0]]}, "terrain.heights: found 2 rows of 1, 2 numbers, allowed 2 to 512 rows"),
        ({"heights": [[0, 1]]}, "terrain.heights: found 1 rows of 2 numbers, allowed 2 to 512 rows"),
        ({"heights": [[0, 1], [0, -1]]}, "terrain.heights[1][1]: found -1, allowed a number from 0"),
        ({"heights": [[0, 1], [0, 2.7]]}, "terrain: found hills up to 2.7 m, allowed up to 2.4 m, 0.8 of the tank"),
        ({"hills": 1}, "terrain.hills: found an unknown key, allowed relief, scale, seed, heights"),
    ],
)
def test_bad_terrain_is_refused_in_one_line(terrain, message):
    with pytest.raises(SceneError) as refused:
        Scene.from_dict(TANK | {"terrain": terrain}, "reef.json")
    assert str(refused.value).startswith(f"reef.json: {message}"), refused.value
    assert ", allowed " in str(refused.value)


def test_fishes_may_not_begin_below_the_bed():
    given = TANK | {"terrain": {"heights": [[1, 1], [1, 1]]}, "fishes": [{"species": "clownfish", "at": [3, 2, 0.9]}]}
    with pytest.raises(SceneError, match=r"fishes\[0\].at: found \[3.0, 2.0, 0.9\] below the bed, allowed z of 1 m"):
        Scene.from_dict(given)


def test_terrain_round_trips():
    given = TANK | {"terrain": HILLS | {"heights": [[0, 0.5, 0], [0.2, 1, 0.4]]}}
    scene = Scene.from_dict(given)
    assert Scene.from_dict(scene.to_dict()) == scene
    assert scene.to_dict()["terrain"] == given["terrain"]
