"""Ways from cell to cell: as cheap as there are, and none past what is shut."""

import numpy as np
import pytest

from artfish.core.perception.navigation.lattice import (
    EASY,
    FARTHEST_COST,
    OPAQUE,
    SHUT,
    STEP_COSTS,
    STRAIGHT_COST,
    Lattice,
)

CLEAR, ROOMY = 0.08, 0.16


def wall(x: float, gap: tuple[float, float], size=(2.0, 2.0, 1.0), spacing: float = 0.04) -> np.ndarray:
    """Places on an upright wall across the water, but for a gap along y."""
    y, z = np.meshgrid(np.arange(0.0, size[1], spacing), np.arange(0.0, size[2], spacing))
    points = np.stack((np.full(y.size, x), y.ravel(), z.ravel()), axis=1)
    return points[(points[:, 1] < gap[0]) | (points[:, 1] > gap[1])]


def charted(lattice: Lattice, points: np.ndarray) -> np.ndarray:
    cells, squares = lattice.near(points, ROOMY)
    chart = np.full(len(lattice), EASY, dtype=np.uint8)
    chart[cells] = lattice.kinds(squares, CLEAR, ROOMY)
    return chart


@pytest.fixture(scope="module")
def lattice() -> Lattice:
    return Lattice(np.array([2.0, 2.0, 1.0]), 0.1)


def test_every_place_is_in_the_cell_whose_middle_is_nearest(lattice):
    points = np.random.default_rng(0).uniform((0.0, 0.0, 0.0), (2.0, 2.0, 1.0), (200, 3))
    arm = np.abs(lattice.middles[lattice.cells(points)] - points)
    assert arm.max() <= 0.5 * lattice.cell + 1e-12
    assert lattice.inner[lattice.cells(points)].all()


def test_large_water_has_larger_cells_and_no_more_of_them():
    large = Lattice(np.array([100.0, 60.0, 20.0]), 0.1, most=5000)
    assert np.prod(np.array(large.shape) - 2) <= 5000 and large.cell > 0.1


def test_near_cells_are_those_within_the_reach_of_any_place(lattice):
    points = np.random.default_rng(1).uniform(0.2, 0.9, (20, 3))
    cells, squares = lattice.near(points, 0.17)
    arm = lattice.middles[lattice.inner, None] - points
    truth = np.square(arm).sum(axis=-1).min(axis=1)
    assert cells.tolist() == np.flatnonzero(lattice.inner)[truth <= 0.17**2].tolist()
    assert squares == pytest.approx(truth[truth <= 0.17**2])


@pytest.mark.parametrize("dear", [6, 255])
def test_costs_are_the_same_compiled(alike, lattice, dear):
    rng = np.random.default_rng(2)
    weights = rng.choice(np.array([0, 1, 4, dear], dtype=np.uint8), len(lattice), p=[0.3, 0.4, 0.2, 0.1])
    weights[~lattice.inner] = 0
    sources = rng.choice(np.flatnonzero(weights), 3)
    costs = alike(lambda: lattice.costs(weights, sources), "way_costs")
    assert (costs[sources] == 0).all() and (costs[weights == 0] == FARTHEST_COST).all()
    assert (alike(lambda: lattice.costs(0 * weights, sources), "way_costs") == FARTHEST_COST).all()


def test_what_is_looked_at_is_the_same_compiled(alike, lattice):
    chart, level = charted(lattice, wall(1.0, (0.8, 1.2))), np.array([1.0, 0.0, 0.0])

    def looked(eye, reach):
        seen = np.zeros(len(lattice), dtype=bool)
        lattice.looked_at(chart, np.array(eye), level, reach, -0.86, seen)
        return seen

    for reach in (1.5, np.inf):
        assert alike(lambda reach=reach: looked([0.33, 0.71, 0.5], reach), "look_round").any()
        for nowhere in (np.nan, np.inf, -np.inf):
            with np.errstate(invalid="ignore"):
                seen = alike(lambda reach=reach, x=nowhere: looked([x, 0.71, 0.5], reach), "look_round")
            assert not seen.any()


def test_a_straight_way_costs_what_its_steps_cost(lattice):
    weights = lattice.weights(np.full(len(lattice), EASY, dtype=np.uint8))
    one, other = (int(lattice.cells(np.array([x, 0.55, 0.55]))) for x in (0.25, 1.25))
    costs = lattice.costs(weights, np.array([one]))
    assert costs[other] == 10 * STRAIGHT_COST
    way = lattice.descent(weights, costs, other)
    assert way[0] == other and way[-1] == one and len(way) == 11


def test_rising_costs_more_than_it_would_along_the_level():
    rises = np.array([step[2] != 0 for step in np.ndindex(3, 3, 3) if step != (1, 1, 1)])
    assert STEP_COSTS.max() > 5 * STEP_COSTS.min() and len(STEP_COSTS) == len(rises) == 26


def test_no_way_leads_past_a_wall_but_through_its_gap(lattice):
    chart = charted(lattice, wall(1.0, (0.7, 1.3)))
    weights = lattice.weights(chart)
    here, there = (int(lattice.cells(np.array([x, 0.25, 0.5]))) for x in (0.25, 1.75))
    costs = lattice.costs(weights, np.array([there]))
    way = lattice.middles[lattice.descent(weights, costs, here)]
    through = way[np.abs(way[:, 0] - 1.0).argmin()]
    assert 0.7 < through[1] < 1.3
    shut = lattice.weights(charted(lattice, wall(1.0, (9.0, 9.0))))
    assert lattice.costs(shut, np.array([there]))[here] == FARTHEST_COST


def test_nobody_sees_through_a_wall_but_through_its_gap(lattice):
    eye, ahead = np.array([0.3, 1.0, 0.5]), np.array([1.0, 0.0, 0.0])
    seen = np.zeros((2, len(lattice)), dtype=bool)
    for row, gap in enumerate(((0.8, 1.2), (9.0, 9.0))):
        lattice.looked_at(charted(lattice, wall(1.0, gap)), eye, ahead, 5.0, -0.86, seen[row])
    beyond = lattice.middles[:, 0] > 1.2
    assert seen[0, beyond].any() and not seen[1, beyond].any()
    far = lattice.middles[seen[0] & beyond]
    assert (np.abs(far[:, 1] - 1.0) / (far[:, 0] - 0.3) < 0.25 / 0.7 + 0.15).all()  # in the cone of the gap
    behind = (lattice.middles[:, 0] < 0.2) & (np.abs(lattice.middles[:, 1] - 1.0) < 0.06) & lattice.inner
    assert not seen[0, behind & (np.abs(lattice.middles[:, 2] - 0.5) < 0.06)].any()  # right astern it is blind


def test_what_is_unseen_costs_more(lattice):
    chart, seen = np.full(len(lattice), EASY, dtype=np.uint8), np.zeros(len(lattice), dtype=bool)
    seen[: len(seen) // 2] = True
    weights = lattice.weights(chart, seen)
    assert weights[seen & lattice.inner].max() < weights[~seen & lattice.inner].min()


def test_who_is_wider_gets_through_fewer_gaps(lattice):
    chart = charted(lattice, wall(1.0, (0.6, 1.4)))
    here, there = (int(lattice.cells(np.array([x, 1.0, 0.5]))) for x in (0.25, 1.75))
    ways = [lattice.costs(lattice.weights(lattice.widened(chart, cells)), np.array([there]))[here] for cells in (0, 4)]
    assert ways[0] < FARTHEST_COST == ways[1]
    assert (lattice.widened(chart, 1) >= chart).all() and OPAQUE in lattice.widened(chart, 1)


def test_the_nearest_of_some_cells_is_found(lattice):
    among = np.zeros(len(lattice), dtype=bool)
    cell = int(lattice.cells(np.array([0.5, 0.5, 0.5])))
    assert lattice.nearest(cell, among) == -1
    rows = lattice.cells(np.array([[1.9, 0.5, 0.5], [0.5, 0.8, 0.5]]))
    among[rows] = True
    assert lattice.nearest(cell, among) == rows[1]
    among[cell] = True
    assert lattice.nearest(cell, among) == cell
    assert SHUT < OPAQUE
