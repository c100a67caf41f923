"""The bed of the sea: hills of sand on the floor of the tank, as heights over a grid."""

from __future__ import annotations

from functools import cached_property, lru_cache
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from ..base.dice import Dice
from ..base.elementary import LN2, exp, log, sin, sin_and_cos
from ..base.nearest import nearest
from ..base.sums import total
from ..base.vectors import dot, norm, unit
from .compiled_solids import CompiledSolid, Formed, Layout

HILLS_PURPOSE = 7 << 32  # purpose of the dice
HILL_WAVES = 24  # waves of which hills are made
MOST_BED_POINTS = 40_000  # places on the grid, at most
POINTS_PER_FEATURE = 12  # places on the grid along one feature of the hills


class Bed(Formed):
    """A surface z = h(x, y) over the tank, with the solid below it.

    Between the places of the grid heights are bilinear. The distance of a point u above the bed is k u, where k is 1
    over flat ground and less beside a slope; k is sampled on the grid at heights 0, c, 3c, 7c ... above the bed, c the
    grid's spacing, and at height 0 it is the cosine of the slope, so that the distance is exact near the bed.

    Attributes:
        size: Size of the tank in metres, (3,).
        x: Places of the grid in metres, (nx,).
        y: The same, (ny,).
        heights: Metres, (nx, ny).
        grain: See Solid; a quarter of the grid's spacing.
    """

    def __init__(self, x: np.ndarray, y: np.ndarray, heights: np.ndarray, depth: float):
        """Samples the distances.

        Args:
            x: Evenly spaced, from 0 to the length of the tank in metres, (nx,), two or more.
            y: The same from 0 to its width, (ny,), two or more.
            heights: Metres, (nx, ny).
            depth: Depth of the tank in metres.
        """
        self.x, self.y, self.heights = x, y, heights
        self.size = np.array([x[-1], y[-1], depth])
        self.top = float(heights.max())
        self._step = np.array([x[1], y[1]])
        self._cell = float(self._step.max())
        self.grain = 0.25 * float(self._step.min())
        slopes = np.stack(np.gradient(heights, x, y), axis=-1)
        levels = int(np.ceil(log(1.0 + depth / self._cell) / LN2)) + 1
        nearness = [1.0 / np.sqrt(1.0 + dot(slopes, slopes))]
        ground = np.stack((*np.meshgrid(x, y, indexing="ij"), heights), axis=-1)
        normals = unit(np.concatenate((-slopes, np.ones((*heights.shape, 1))), axis=-1)).reshape(-1, 3)
        places, first = ground.reshape(-1, 3), np.ones(1, dtype=int)
        for level in range(1, levels + 1):
            above = self._cell * ((1 << level) - 1.0)
            points = (ground + (0.0, 0.0, above)).reshape(-1, 3)
            below = nearest(points, places, first)[:, 0]
            # The nearest place of the grid is not quite the nearest of the bed; that is on the plane through it.
            arm = points - places[below]
            away, upright = norm(arm), np.abs(dot(arm, normals[below]))
            least = np.sqrt(
                np.maximum(np.square(away) - 0.5 * np.square(self._cell) / np.square(nearness[0].min()), 0.0)
            )
            nearness.append((np.clip(upright, least, away) / above).reshape(heights.shape))
        self._levels = levels
        self._table = np.concatenate((heights[..., None], slopes, np.stack(nearness, axis=-1)), axis=-1)
        self._table = self._table.reshape(-1, 4 + levels)

    @classmethod
    def from_scene(cls, scene: Any) -> Bed | None:
        """The bed of a Scene; none where the tank's floor is flat and bare."""
        return None if scene.terrain is None else _bed(scene.terrain, scene.tank.size)

    def height(self, x: ArrayLike, y: ArrayLike) -> np.ndarray:
        """Height of the bed in metres at places (...) of the tank; beyond it that of its edge."""
        counts = np.array(self.heights.shape)
        places = np.stack(np.broadcast_arrays(x, y), axis=-1).reshape(-1, 2)
        local = np.minimum(np.maximum(places / self._step, 0.0), counts - 1.0)
        corner = np.minimum(local.astype(int), counts - 2)
        along, across = (local - corner).T
        rows = (counts[1] * corner[:, 0] + corner[:, 1])[:, None] + [0, 1, counts[1], counts[1] + 1]
        shares = (1 - along) * (1 - across), (1 - along) * across, along * (1 - across), along * across
        heights = dot(self._table[rows, 0], np.stack(shares, axis=1))
        return heights.reshape(np.broadcast_shapes(np.shape(x), np.shape(y)))

    @cached_property
    def form(self) -> CompiledSolid:
        """The form for compiled functions."""
        layout = Layout(
            cell=self._cell,
            grain=self.grain,
            step=self._step,
            top=self.top,
            depth=float(self.size[2]),
            diagonal=float(norm(self.size)),
            levels=self._levels,
        )
        return CompiledSolid.of_bed(layout, self.heights.shape, self._table)


@lru_cache(maxsize=8)
def _bed(terrain: Any, size: tuple[float, float, float]) -> Bed:
    """The bed of a Terrain in a tank of this size."""
    given = np.array(terrain.heights if terrain.heights is not None else ((0.0, 0.0), (0.0, 0.0)))
    extent = np.array(size[:2])
    spacing = [extent / 8.0]
    if terrain.relief:
        spacing.append(np.full(2, terrain.scale / POINTS_PER_FEATURE))
    if terrain.heights is not None:
        spacing.append(extent / (np.array(given.shape[::-1]) - 1) / 4.0)
    cell = np.maximum(np.min(spacing, axis=0), np.sqrt(extent[0] * extent[1] / MOST_BED_POINTS))
    counts = np.maximum(np.ceil(extent / cell).astype(int) + 1, 2)
    x, y = (np.linspace(0.0, far, count) for far, count in zip(extent, counts, strict=True))
    return Bed(x, y, _spread(given, x, y) + _hills(terrain, x, y), float(size[2]))


def _spread(given: np.ndarray, x: np.ndarray, y: np.ndarray) -> np.ndarray:
    """Heights given in rows along x, the first at y = 0, spread smoothly over the tank and nowhere beyond, (nx, ny)."""
    rows, columns = (np.linspace(0.0, line[-1], count) for line, count in zip((y, x), given.shape, strict=True))
    return _smooth(x, columns, _smooth(y, rows, given).T)


def _smooth(at: np.ndarray, knots: np.ndarray, values: np.ndarray) -> np.ndarray:
    """Cubics between values that go nowhere beyond them (Fritsch and Butland 1984), along the first axis.

    Args:
        at: Places between the first knot and the last, (n,).
        knots: Rising, (k,), two or more.
        values: Values at the knots, (k, m).

    Returns:
        (n, m).
    """
    step = np.diff(knots)[:, None]
    rise = np.diff(values, axis=0) / step
    slope = np.concatenate((rise[:1], rise[-1:]))
    if len(knots) > 2:
        first, second = step[1:] + 2.0 * step[:-1], 2.0 * step[1:] + step[:-1]
        one, two = rise[:-1], rise[1:]
        level = np.sign(one) * np.sign(two) <= 0.0
        one, two = np.where(level, 1.0, one), np.where(level, 1.0, two)
        within = np.where(level, 0.0, (first + second) / (second / one + first / two))
        begin, end = _end_slope(step[0], step[1], rise[0], rise[1]), _end_slope(step[-1], step[-2], rise[-1], rise[-2])
        slope = np.concatenate((begin[None], within, end[None]))
    before = np.clip(np.searchsorted(knots, at, side="right") - 1, 0, len(knots) - 2)
    width = step[before]
    t = (at - knots[before])[:, None] / width
    low, high = values[before], values[before + 1]
    bend = t * t * (3.0 - 2.0 * t)
    return low + bend * (high - low) + width * t * (1.0 - t) * ((1.0 - t) * slope[before] - t * slope[before + 1])


def _end_slope(step: np.ndarray, next_step: np.ndarray, rise: np.ndarray, next_rise: np.ndarray) -> np.ndarray:
    """The slope at an end, (m,), from those of the first two stretches from there; no overshoot."""
    slope = ((2.0 * step + next_step) * rise - step * next_rise) / (step + next_step)
    steep = (np.sign(rise) != np.sign(next_rise)) & (np.abs(slope) > 3.0 * np.abs(rise))
    return np.where(np.sign(slope) != np.sign(rise), 0.0, np.where(steep, 3.0 * rise, slope))


def _hills(terrain: Any, x: np.ndarray, y: np.ndarray) -> np.ndarray:
    """Smooth random hills from 0 to the relief, (nx, ny): plane waves of two octaves, the finer the lower."""
    if not terrain.relief:
        return np.zeros((len(x), len(y)))
    waves = np.arange(HILL_WAVES)
    dice = Dice(terrain.seed, waves, HILLS_PURPOSE)
    octave, turn = exp(LN2 * dice.uniform(waves, 0.0, 2.0)), dice.uniform(waves, 0.0, 2 * np.pi)
    phase = dice.uniform(waves, 0.0, 2 * np.pi)
    height = np.zeros((len(x), len(y)))
    for k, towards, begin in zip(octave, turn, phase, strict=True):
        sine, cosine = sin_and_cos(towards)
        along = np.add.outer(cosine * x, sine * y)
        height += sin(2 * np.pi * k / (2 * terrain.scale) * along + begin) / k
    return terrain.relief / (1.0 + exp(-2.0 * height / np.sqrt(total(1.0 / np.square(octave)))))
