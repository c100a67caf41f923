"""The places of fishes at the start: drawn until they are clear of walls, of obstacles, and of each other."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ..base.dice import Dice
from ..base.elementary import cube_root, sin_and_cos
from ..base.nearest import Points
from ..base.vectors import norm, vector
from ..body.anatomy import frame_from
from ..habitat.obstacles import Obstacles
from ..habitat.tank import WaterBox
from ..scene.fishes import FishGroup
from .contact import segments
from .tuning import (
    APART_LENGTHS,
    CLEAR_LENGTHS,
    FEWEST_NEAR,
    MEETING_LENGTHS,
    MOST_PAIRS,
    NOSE_AND_TAIL_LENGTHS,
    PLACE_THROWS,
    SOON_SECONDS,
)


@dataclass(frozen=True, eq=False)
class SettlingPlace:
    """Everything that fishes are to be clear of.

    Attributes:
        length: Length of each fish in metres, (fish,).
        tank: Tank, whose walls they keep off.
        obstacles: Obstacles in the tank.
    """

    length: np.ndarray
    tank: WaterBox
    obstacles: Obstacles

    def clearance(self, places: np.ndarray, fishes: np.ndarray) -> np.ndarray:
        """The distance of places (n, 3) for these fishes (n,) from walls and obstacles, in body lengths, (n,)."""
        clear = self.tank.distance(places)[0] / self.length[fishes]
        if len(self.obstacles):
            clear = np.minimum(clear, self.obstacles.distance(places)[0] / self.length[fishes])
        return clear


def settle(
    groups: Sequence[FishGroup], around: SettlingPlace, places: Dice, headings: Dice, pace: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Draws a place and a heading for every fish.

    Places are drawn within each group's spread until they are clear of walls, pillars and the fishes that are there
    already; in a crowd the least crowded of many is taken.

    Args:
        groups: Groups of the fishes, in their order.
        around: Surroundings that they are to be clear of.
        places: A stream for each fish, from which its place is drawn.
        headings: Likewise its heading.
        pace: Pace at which each will swim off, in lengths a second, (fish,).

    Returns:
        Places in metres and headings of any length, (fish, 3) both.
    """
    everyone = np.arange(len(around.length))
    rows = np.repeat(np.arange(len(groups)), [group.count for group in groups])
    at = np.array([group.at for group in groups], dtype=float).reshape(-1, 3)[rows]
    spread = np.array([group.spread for group in groups])[rows]
    heading = _headings(groups, headings, everyone, rows)
    place = at.copy()
    best = np.where(spread > 0, -np.inf, 0.0)
    unsettled = everyone[(spread > 0)]
    for _ in range(PLACE_THROWS):
        if not len(unsettled):
            break
        way = _direction(places, unsettled)
        reach = spread[unsettled] * cube_root(places.uniform(unsettled))
        drawn = at[unsettled] + reach[:, None] * way
        apart = _apart(drawn, unsettled, place, heading, pace, best, around.length)
        clear = np.minimum(around.clearance(drawn, unsettled) - CLEAR_LENGTHS, apart)
        better = clear > best[unsettled]
        place[unsettled[better]], best[unsettled[better]] = drawn[better], clear[better]
        unsettled = unsettled[best[unsettled] < 0]
    return place, heading


def upright(heading: np.ndarray) -> np.ndarray:
    """Frames, columns ahead, left and up, (n, 3, 3), of fishes that head (n, 3) so, their backs up."""
    up = np.broadcast_to([0.0, 0.0, 1.0], heading.shape).copy()
    up[np.abs(heading[:, 2]) > 0.999 * norm(heading)] = (1.0, 0.0, 0.0)
    return frame_from(heading, up)


def _headings(groups: Sequence[FishGroup], dice: Dice, everyone: np.ndarray, rows: np.ndarray) -> np.ndarray:
    """The heading of its group, or any level one, (fish, 3), of fishes of these rows of groups, (fish,)."""
    azimuth = dice.uniform(everyone, -np.pi, np.pi)
    heading = vector(azimuth, np.zeros(len(azimuth)))
    for row, group in enumerate(groups):
        if group.heading is not None:
            heading[rows == row] = group.heading
    return heading


def _direction(dice: Dice, fishes: np.ndarray) -> np.ndarray:
    """Directions spread evenly over the sphere, (n, 3)."""
    height, azimuth = dice.uniform(fishes, -1.0, 1.0), dice.uniform(fishes, -np.pi, np.pi)
    level = np.sqrt(1.0 - np.square(height))
    beside, ahead = sin_and_cos(azimuth)
    return np.stack([level * ahead, level * beside, height], axis=1)


def _apart(
    drawn: np.ndarray,
    fishes: np.ndarray,
    place: np.ndarray,
    heading: np.ndarray,
    pace: np.ndarray,
    best: np.ndarray,
    length: np.ndarray,
) -> np.ndarray:
    """The clearance of drawn places (n, 3) from other fishes, in body lengths beyond the least, (n,), 0 at most.

    Bodies of a length in metres (fish,) head as in `heading` (fish, 3) at a `pace` in lengths a second, (fish,). A
    settled fish has a `best` (fish,) of 0 or more, and is at its `place` (fish, 3).
    """
    # Each minds only those that come before it, so that a group that grows moves nobody ahead of it.
    others = np.concatenate([np.flatnonzero(best >= 0), fishes])
    settled = np.concatenate([place[best >= 0], drawn])
    row, column, distance = _close(drawn, settled, MEETING_LENGTHS * float(length.max()))
    before = others[column] < fishes[row]
    row, column, distance = row[before], column[before], distance[before]
    own, other = fishes[row], others[column]
    mean = 0.5 * (length[own] + length[other])
    apart = distance / mean - CLEAR_LENGTHS
    ahead = heading / norm(heading)[:, None] * length[:, None]
    ends = np.array(NOSE_AND_TAIL_LENGTHS)[:, None]
    body = drawn[row][:, None] + ends * ahead[own][:, None]
    against = settled[column][:, None] + ends * ahead[other][:, None]
    swum = pace[:, None] * ahead
    motion = (swum[other] - swum[own])[:, None]
    for soon in SOON_SECONDS:
        apart = np.minimum(apart, segments(body, against + soon * motion)[0] / mean - APART_LENGTHS)
    closest = np.zeros(len(drawn))
    np.minimum.at(closest, row, apart)
    return closest


def _close(places: np.ndarray, others: np.ndarray, reach: float) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Rows of places (n, 3) and others (m, 3) that are within reach of each other, and how far apart, (pair,) each.

    Where that would be more than `MOST_PAIRS`, of a crowd that nothing could part, only the nearest of each.
    """
    points = Points(others)
    if points.count_within(places, reach) <= MOST_PAIRS:
        return points.within(places, reach)
    ranks = np.arange(1, min(max(MOST_PAIRS // len(places), FEWEST_NEAR), len(others)) + 1)
    column = points.nearest(places, ranks)
    distance = norm(others[column] - places[:, None])
    row, rank = np.nonzero(distance <= reach)
    return row, column[row, rank], distance[row, rank]
