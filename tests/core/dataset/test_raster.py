"""Rasters: pixels show what rays through their middles meet first, and fishes cover what they would alone."""

import numpy as np
import pytest

from artfish.core.dataset.lenses import LensOptics
from artfish.core.dataset.raster import NEAREST_SEEN, SCENERY, Raster, projected

SIZE = 48, 32
LENSES = {
    "none": LensOptics.of(SIZE, 30.0),
    "brown_conrady": LensOptics.of(SIZE, 30.0, "brown_conrady", (-0.25, 0.05, 0.002, -0.001, 0.0)),
    "fisheye": LensOptics.of(SIZE, 14.0, "fisheye", (-0.03, 0.01, 0.0, 0.0)),
}


def shreds(seed: int, count: int = 60) -> tuple[np.ndarray, np.ndarray]:
    """Triangles all around, some of which reach behind the camera."""
    dice = np.random.default_rng(seed)
    middles = dice.uniform((-2.0, -1.5, -0.5), (2.0, 1.5, 4.0), (count, 3))
    points = middles[:, None] + dice.normal(0.0, 0.35, (count, 3, 3))
    return points.reshape(-1, 3), np.arange(3 * count).reshape(-1, 3)


def ball(middle: tuple[float, float, float], radius: float, rings: int = 40) -> tuple[np.ndarray, np.ndarray]:
    turn, rise = np.meshgrid(np.linspace(0, 2 * np.pi, 2 * rings), np.linspace(0, np.pi, rings))
    points = np.stack([np.sin(rise) * np.cos(turn), np.sin(rise) * np.sin(turn), np.cos(rise)], axis=-1)
    numbers = np.arange(turn.size).reshape(turn.shape)
    a, b, c, d = (part.ravel() for part in (numbers[:-1, :-1], numbers[1:, :-1], numbers[1:, 1:], numbers[:-1, 1:]))
    sides = np.concatenate([np.stack([a, b, c], axis=1), np.stack([a, c, d], axis=1)])
    return radius * points.reshape(-1, 3) + middle, sides


def met(optics: LensOptics, points: np.ndarray, sides: np.ndarray) -> np.ndarray:
    """Depth of the first triangle that the ray of each pixel's middle meets (Moeller & Trumbore 1997)."""
    columns, rows = np.meshgrid(np.arange(optics.width) + 0.5, np.arange(optics.height) + 0.5)
    at = optics.rays(np.stack([columns, rows], axis=-1))
    rays = np.concatenate([at, np.ones((*at.shape[:2], 1))], axis=-1)
    nearest = np.full(columns.shape, np.inf)
    for side in sides:
        a, b, c = points[side]
        one, two = b - a, c - a
        across = np.cross(rays, two)
        with np.errstate(divide="ignore", invalid="ignore"):
            inverse = 1.0 / (across @ one)
            u = (across @ -a) * inverse
            v = (rays @ np.cross(-a, one)) * inverse
            depth = (two @ np.cross(-a, one)) * inverse
            hit = (u >= 0) & (v >= 0) & (u + v <= 1) & (depth >= NEAREST_SEEN)
        nearest = np.where(hit & (depth < nearest), depth, nearest)
    return nearest


def test_a_pixel_shows_the_triangle_that_its_ray_meets_first():
    for seed in range(3):
        points, sides = shreds(seed)
        raster = Raster(LENSES["none"])
        raster.add(points, sides, SCENERY)
        truth = met(raster.optics, points, sides)
        # A ray within rounding of an edge may fall to either side of it.
        same = np.isclose(raster.depths, truth, rtol=1e-5) | (np.isinf(raster.depths) & np.isinf(truth))
        assert same.mean() > 0.999
        assert ((raster.marks == SCENERY) == np.isfinite(raster.depths)).all()


@pytest.mark.parametrize("lens", ["brown_conrady", "fisheye"])
def test_a_lens_that_bends_shows_what_its_rays_meet(lens):
    optics = LENSES[lens]
    points, sides = shreds(7)
    raster = Raster(optics)
    raster.add(points, sides, SCENERY)
    truth = met(optics, points, sides)
    both = np.isfinite(truth) & np.isfinite(raster.depths)
    # Edges are drawn straight over 4 pixels, and depth runs evenly along them.
    assert (np.isfinite(truth) == np.isfinite(raster.depths)).mean() > 0.99
    assert np.quantile(np.abs(raster.depths[both] / truth[both] - 1.0), 0.98) < 0.01


def test_compiled_and_plain_fill_the_same(alike):
    def drawn():
        raster = Raster(LENSES["none"])
        raster.add(*shreds(1), SCENERY)
        for mark in range(1, 6):
            raster.add(*shreds(mark + 10, 12), mark)
        covered = raster.covered()
        return raster.marks, raster.depths, *vars(covered).values()

    alike(drawn, "paint", "cover")


def test_shares_of_a_fish_add_up():
    raster = Raster(LENSES["none"])
    raster.add(*ball((0.0, 0.0, 4.0), 0.7), 1)
    raster.add(*ball((0.3, 0.0, 3.0), 0.4), 2)
    raster.add(*ball((2.5, 0.0, 4.0), 0.7), 3)
    covered = raster.covered()
    assert covered.seen.tolist() == [(raster.marks == mark).sum() for mark in (1, 2, 3)]
    assert covered.blockers[0, 0].tolist() == [2, covered.inside[0] - covered.seen[0]]
    assert covered.inside[1] == covered.seen[1] and covered.outside[1] == 0
    assert covered.outside[2] > covered.inside[2] > 0
    # A ball far from the axis is an ellipse of pi r^2 f^2 z / (z^2 - r^2)^1.5 pixels (its circle's cone, cut by the
    # picture); the error of counting middles is about the circumference's square root.
    focal = raster.optics.focal[0]
    whole = covered.inside[0] + covered.outside[0]
    truth = np.pi * 0.7**2 * focal**2 / (4.0**2 - 0.7**2)
    assert abs(whole - truth) < 2.0 * np.sqrt(2.0 * np.pi * np.sqrt(truth / np.pi)) + 0.01 * truth


def test_a_fish_around_the_camera_is_counted_with_what_is_before_it():
    raster = Raster(LENSES["none"])
    raster.add(*ball((0.0, 0.0, 0.0), 1.0), 4)
    covered = raster.covered()
    assert covered.seen[0] == covered.inside[0] == SIZE[0] * SIZE[1]
    assert covered.outside[0] > 10 * covered.inside[0]


def test_nothing_is_before_the_camera():
    points, sides = ball((0.0, 0.0, -4.0), 1.0)
    corners, kept = projected(LENSES["none"], points, sides)
    assert not len(kept)
    raster = Raster(LENSES["none"])
    raster.add(points, sides, 1)
    covered = raster.covered()
    assert np.isnan(covered.boxes).all() and not covered.inside.any() and np.isinf(raster.depths).all()
    assert len(corners) == len(points)


def test_the_greatest_of_those_that_hide_a_fish_come_first():
    raster = Raster(LENSES["none"])
    raster.add(*ball((0.0, 0.0, 6.0), 1.5), 1)
    for mark, radius in enumerate(np.linspace(0.05, 0.15, 10), 2):
        raster.add(*ball((-0.9 + 0.18 * mark, 0.0, 3.0), float(radius)), mark)
    counts = raster.covered().blockers[0, :, 1]
    assert (np.diff(counts) <= 0).all() and counts[-1] > 0


def test_what_is_seen_begins_and_ends_where_the_camera_says():
    points, sides = shreds(4)
    raster = Raster(LENSES["none"], nearest=1.2)
    raster.add(points, sides, SCENERY)
    assert raster.depths.min() >= 1.2 * (1 - 1e-6)
    before = raster.depths.copy()
    raster.end_at(2.5)
    assert np.isinf(raster.depths[before > 2.5]).all() and (raster.marks[before > 2.5] == 0).all()
    assert (before[before <= 2.5] == raster.depths[before <= 2.5]).all() and (before > 2.5).any()
