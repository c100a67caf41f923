"""Sight: the edges of field and range, pillars in the way against a walk along the line, slow searches."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from artfish.core.body.anatomy import NODES, UPPER_TIP_NODE
from artfish.core.geometry.pillar import Pillar
from artfish.core.habitat.obstacles import Obstacles
from artfish.core.perception.vision import Vision, blocks

PILLAR = Obstacles([(1.0, 0.0, -1.0)], [0.3], [2.0])
MANY = Obstacles([(2.0, 2.0, 0.0), (5.0, 3.0, 1.0), (6.0, 7.0, 0.0), (3.0, 6.0, 2.0)], [1, 0.5, 1.5, 0.8], [6, 5, 8, 3])


def dots(*places: tuple[float, float, float]) -> np.ndarray:
    """Fishes with all of their nodes in one place, (fish, 23, 3)."""
    return np.repeat(np.array(places, dtype=float)[:, None], NODES, axis=1)


def look(nodes: np.ndarray, obstacles=None, sight=100.0, length=1.0, alive=True) -> tuple[np.ndarray, np.ndarray]:
    """Sight of each fish, itself too, by the first one, its eye at its middle and its body along x."""
    fishes = len(nodes)
    full = [np.full(fishes, value) for value in (sight, length)]
    ahead = np.tile([1.0, 0.0, 0.0], (fishes, 1))
    eyes = Vision(obstacles or Obstacles(), *full)
    every = np.arange(fishes)[None]
    seen, distance = eyes.look(every[0, :1], every, nodes.mean(axis=1), ahead, nodes, np.full(fishes, alive))
    return seen[0], distance[0]


def crowd(fishes: int = 40, seed: int = 0) -> dict[str, np.ndarray]:
    """Fishes anywhere about MANY, of all sizes, and all that each is asked about."""
    dice = np.random.default_rng(seed)
    length = dice.uniform(0.2, 2.0, fishes)
    place = dice.uniform(0, 8, (fishes, 3))
    ahead = dice.normal(size=(fishes, 3))
    ahead /= np.linalg.norm(ahead, axis=1, keepdims=True)
    along = dice.uniform(-1, 1, (fishes, 23, 1)) * ahead[:, None] + 0.2 * dice.normal(size=(fishes, 23, 3))
    return {
        "sight": dice.uniform(1.0, 6.0, fishes),
        "length": length,
        "fishes": dice.permutation(fishes)[: fishes // 2],
        "candidates": dice.integers(0, fishes, (fishes // 2, 30)),
        "eye": place + 0.5 * length[:, None] * ahead,
        "ahead": ahead,
        "nodes": place[:, None] + 0.5 * length[:, None, None] * along,
        "alive": dice.uniform(size=fishes) < 0.8,
    }


def looked(crowd: dict[str, np.ndarray], obstacles: Obstacles = MANY) -> tuple[np.ndarray, np.ndarray]:
    asked = dict(crowd)
    return Vision(obstacles, asked.pop("sight"), asked.pop("length")).look(**asked)


@pytest.mark.parametrize("roll", np.arange(0, 360, 40))
def test_field_ends_at_150_degrees_on_every_side(roll):
    around = np.array([0.0, np.cos(np.radians(roll)), np.sin(np.radians(roll))])
    angles = np.radians([0.0, 90.0, 149.9, 150.1, 180.0])
    others = 3.0 * (np.cos(angles)[:, None] * [1.0, 0.0, 0.0] + np.sin(angles)[:, None] * around)
    seen, distance = look(dots((0, 0, 0), *others))
    assert seen[1:].tolist() == [True, True, True, False, False]
    assert np.allclose(distance[1:], [3.0, 3.0, 3.0, np.inf, np.inf])


def test_range_grows_with_the_length_of_the_one_seen():
    places = dots((0, 0, 0), (0.9, 0, 0), (1.1, 0, 0), (0, 1.9, 0), (0, 2.1, 0), (0, 0, 5.9), (0, 0, -6.1))
    length = np.array([2.0, 1.0, 1.0, 2.0, 2.0, 6.0, 6.0])
    seen, _ = look(places, sight=2.0, length=length)
    assert seen.tolist() == [False, True, False, True, False, True, False]


def test_each_looks_as_far_as_its_own_sight():
    nodes = dots((0, 0, 0), (0, 3, 0))
    eyes = Vision(Obstacles(), np.array([2.0, 4.0]), np.ones(2))
    both, others = np.arange(2), np.array([[1], [0]])
    seen, _ = eyes.look(both, others, nodes[:, 0], np.tile([1.0, 0.0, 0.0], (2, 1)), nodes, np.ones(2, dtype=bool))
    assert seen.tolist() == [[False], [True]]


@pytest.mark.parametrize("node", range(NODES))
def test_one_node_in_the_view_is_enough(node):
    behind = dots((0, 0, 0), (-3, 0, 0))
    far = dots((0, 0, 0), (4, 0, 0))
    for nodes, place in ((behind, (-1, 2, 0)), (far, (2.9, 0, 0))):
        assert not look(nodes, sight=3.0)[0][1]
        nodes[1, node] = place
        seen, distance = look(nodes, sight=3.0)
        assert seen[1] and distance[1] == pytest.approx(np.linalg.norm(nodes[1].mean(axis=0)))


def test_a_node_in_the_field_and_another_in_range_are_not_enough():
    nodes = dots((0, 0, 0), (-2, 0, 0))
    nodes[1, UPPER_TIP_NODE] = (4, 0, 0)
    assert not look(nodes, sight=3.0)[0][1]


def test_a_tail_that_sticks_out_from_behind_a_pillar_is_seen():
    nodes = dots((0, 0, 0), (2, 0, 0))
    assert look(nodes)[0][1] and not look(nodes, PILLAR)[0][1]
    nodes[1, UPPER_TIP_NODE] = (2, 1, 0)
    seen, distance = look(nodes, PILLAR)
    assert seen[1] and distance[1] == pytest.approx(np.hypot(2, 1 / 23))
    nodes[1, UPPER_TIP_NODE] = (2, 0.5, 0)
    assert not look(nodes, PILLAR)[0][1]


def test_no_fish_sees_itself_or_the_dead():
    nodes = dots((0, 0, 0), (1, 0, 0), (2, 0, 0))
    seen, distance = look(nodes, alive=np.array([True, False, True]))
    assert seen.tolist() == [False, False, True] and distance.tolist() == [np.inf, np.inf, 2.0]


@pytest.mark.parametrize("obstacles", [MANY, Obstacles()], ids=["pillars", "open"])
@pytest.mark.parametrize("seed", range(3))
def test_a_crowd_against_every_node_of_every_pair(obstacles, seed):
    them = crowd(seed=seed)
    seen, distance = looked(them, obstacles)
    wanted = np.zeros_like(seen)
    for row, i in enumerate(them["fishes"]):
        for column, j in enumerate(them["candidates"][row]):
            ray = them["nodes"][j] - them["eye"][i]
            away = np.linalg.norm(ray, axis=1)
            angle = np.degrees(np.arccos(ray @ them["ahead"][i] / away))
            good = (away <= them["sight"][i] * them["length"][j] / them["length"][i]) & (angle <= 150)
            good &= ~blocks(np.tile(them["eye"][i], (23, 1)), them["nodes"][j], obstacles)
            wanted[row, column] = good.any() and i != j and them["alive"][j]
    assert np.array_equal(seen, wanted) and 0.1 < seen.mean() < 0.9
    middle = them["nodes"].mean(axis=1)[them["candidates"]]
    away = np.linalg.norm(middle - them["eye"][them["fishes"]][:, None], axis=2)
    assert np.allclose(distance[seen], away[seen]) and np.isinf(distance[~seen]).all()


def test_the_compiled_eye_sees_the_same(alike):
    """Behind nothing, behind pillars, and where something of another form is to be looked past as well."""
    them = crowd(200)
    stone = Pillar((4.0, 4.0, 0.0), 1.0, 6.0)
    for obstacles in (
        Obstacles(),
        MANY,
        Obstacles(solids=[stone]),
        Obstacles(MANY.at, MANY.radius, MANY.height, [stone]),
    ):
        seen, distance = alike(lambda obstacles=obstacles: looked(them, obstacles), "middles", "look")
        assert 0.1 < seen.mean() < 0.9 and np.isfinite(distance[seen]).all()


@pytest.mark.long
def test_a_line_is_blocked_where_some_of_it_is_in_a_pillar():
    """Level and upright ones and single points among them; those that come within a centimetre may go either way."""
    dice = np.random.default_rng(5)
    start, end = dice.uniform(0, 10, (3000, 3)), dice.uniform(0, 10, (3000, 3))
    end[:200], end[200:400, :2], end[400:600, 2] = start[:200], start[200:400, :2], start[400:600, 2]
    found = blocks(start, end, MANY)
    points = start[:, None] + np.linspace(0.0, 1.0, 2001)[:, None] * (end - start)[:, None]
    inside, near = np.zeros((2, len(start)), dtype=bool)
    for at, radius, height in zip(MANY.at, MANY.radius, MANY.height, strict=True):
        across, up = np.hypot(*np.moveaxis(points[..., :2] - at[:2], -1, 0)), points[..., 2] - at[2]
        inside |= ((across < radius) & (up > 0) & (up < height)).any(axis=1)
        near |= ((across < radius + 0.01) & (up > -0.01) & (up < height + 0.01)).any(axis=1)
    assert found[inside].all() and not found[~near].any()
    assert 0.05 < found.mean() < 0.95


def test_compiled_lines_of_sight_are_blocked_by_the_same_pillars(alike):
    dice = np.random.default_rng(6)
    start, end = dice.uniform(0, 10, (3000, 3)), dice.uniform(0, 10, (3000, 3))
    end[:200], end[200:400, :2], end[400:600, 2] = start[:200], start[200:400, :2], start[400:600, 2]
    start[600], end[601] = np.nan, np.inf
    for obstacles in (MANY, Obstacles()):
        with np.errstate(invalid="ignore"):
            blocked = alike(lambda obstacles=obstacles: blocks(start, end, obstacles), "behind_cylinders")
        assert blocked.any() == bool(len(obstacles)) and not blocked.all()


def test_nobody_looks_and_nobody_to_look_at():
    them = crowd()
    none = {**them, "fishes": them["fishes"][:0], "candidates": them["candidates"][:0]}
    assert looked(none)[0].shape == (0, 30)
    alone = {**them, "candidates": them["candidates"][:, :0]}
    assert looked(alone)[1].shape == (20, 0)


# Quarters as well, for lines that are upright, level, of no length or along a surface.
coordinate = st.one_of(st.integers(-8, 8).map(lambda quarter: quarter / 4), st.floats(-2, 2))
point = st.tuples(coordinate, coordinate, coordinate)
pillar = st.tuples(point, st.floats(0.05, 1.0), st.floats(0.05, 2.0))


@given(point, point, st.lists(pillar, min_size=1, max_size=3))
@example((0.0, 0.0, 2.0), (0.0, 0.0, -2.0), [((0.1, 0.0, 0.0), 0.5, 1.0)])  # in at the top, out at the foot
@example((0.0, 0.0, 0.5), (0.0, 0.0, 0.5), [((0.1, 0.0, 0.0), 0.5, 1.0)])  # no line at all, within
@example((0.0, 0.0, 0.2), (0.1, 0.1, 0.8), [((0.1, 0.0, 0.0), 0.5, 1.0)])  # wholly within
@example((-2.0, 0.0, 1.1), (2.0, 0.0, 1.1), [((0.1, 0.0, 0.0), 0.5, 1.0)])  # just over it
@example((-2.0, 0.0, 0.9), (-0.5, 0.0, 0.9), [((0.1, 0.0, 0.0), 0.5, 1.0)])  # ends in front of it
def test_a_blocked_line_against_a_walk_along_it(start, end, pillars):
    """A sample within a pillar blocks; samples all further from it than half a stride cannot have missed it."""
    at, radius, height = zip(*pillars, strict=True)
    obstacles = Obstacles(at, radius, height)
    start, end = np.array([start]), np.array([end])
    walk = start + np.linspace(0, 1, 2001)[:, None] * (end - start)
    nearest = obstacles.distance(walk)[0].min()
    blocked = blocks(start, end, obstacles)[0]
    assert blocked == blocks(end, start, obstacles)[0] or abs(nearest) < 1e-9
    if nearest < -1e-9:
        assert blocked
    elif nearest > np.linalg.norm(end - start) / 4000 + 1e-9:
        assert not blocked


@pytest.mark.parametrize("y, z, wanted", [(0, -1, True), (0, 0, True), (0, 1, False), (0.3, 0, False), (0.29, 0, True)])
def test_level_lines_along_foot_and_top_and_mantle(y, z, wanted):
    """A pillar stands on its foot, so nothing is seen underneath; a line on its top or its side passes."""
    assert blocks(np.array([(0.0, y, z)]), np.array([(2.0, y, z)]), PILLAR).tolist() == [wanted]


def test_many_lines_at_once_are_as_each_alone():
    dice = np.random.default_rng(5)
    start, end = dice.uniform(0, 8, (2, 500, 3))
    together = blocks(start, end, MANY)
    each = [blocks(a[None], b[None], MANY)[0] for a, b in zip(start, end, strict=True)]
    assert together.tolist() == each and 0.1 < together.mean() < 0.9
    assert not blocks(start, end, Obstacles()).any()
