"""Eating: a mouth that opens near food, draws in the water before it and swallows (Tu 1999, §7.8 and §7.9.1).

The book says that an open mouth draws in everything near it, but not how strongly or from how far; all numbers here
are ours.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import numpy as np

from ...base.elementary import cos, exp
from ...base.nearest import nearest
from ...base.sums import mean
from ...base.vectors import norm, unit
from ...body.anatomy import NOSE_NODE, RING_NODES
from ...compiled import changes, compiled, real, takes
from .tuning import (
    GAPING_OPENING,
    MOUTH_CLOSING_RATE,
    MOUTH_OPENING_LENGTHS,
    MOUTH_OPENING_RATE,
    MOUTHFUL_LENGTHS,
    STRETCHED_LENGTHS,
    SUCKING_LENGTHS,
    SUCTION_ANGLE,
    SUCTION_FLOOR_LENGTHS,
    SUCTION_PULL,
    SWALLOWING_LENGTHS,
)

SUCTION = compiled(
    "suction",
    places=takes("f8", "mouths", 3),
    ways=takes("f8", "mouths", 3),
    openings=takes("f8", "mouths"),
    lengths=takes("f8", "mouths"),
    points=takes("f8", "many", 3),
    owners=takes("i8", "many"),
    pulls=changes("f8", "many", 3),
    reach=real(),
    cosine=real(),
    floor_lengths=real(),
    strength=real(),
)
SWALLOWED = compiled(
    "swallowed",
    places=takes("f8", "mouths", 3),
    openings=takes("f8", "mouths"),
    lengths=takes("f8", "mouths"),
    morsels=takes("f8", "many", 3),
    sizes=takes("f8", "many"),
    eaters=changes("i8", "many"),
    gaps=changes("f8", "many"),
    least_opening=real(),
    reach=real(),
    mouthful=real(),
)


@cache
def _suction_cosine() -> float:
    """Cosine of the angle off a mouth within which it sucks."""
    return float(cos(SUCTION_ANGLE))


@dataclass(frozen=True)
class Mouths:
    """Mouths of n fishes.

    Attributes:
        place: Metres, (n, 3).
        ahead: Unit vectors in which they face, (n, 3).
        opening: 0 closed to 1 open, (n,).
        length: Length of each mouth's fish in metres, (n,).
    """

    place: np.ndarray
    ahead: np.ndarray
    opening: np.ndarray
    length: np.ndarray

    @classmethod
    def of(cls, nodes: np.ndarray, opening: np.ndarray, length: np.ndarray, rows: np.ndarray) -> Mouths:
        """Mouths of the fishes in `rows`, (n,), from nodes in metres, (fish, 23, 3), openings and lengths, (fish,)."""
        return cls(*mouth(nodes, rows), opening[rows], length[rows])

    def where(self, chosen: np.ndarray) -> Mouths:
        """The mouths chosen by a mask, (n,) bool."""
        return Mouths(self.place[chosen], self.ahead[chosen], self.opening[chosen], self.length[chosen])


@dataclass(frozen=True)
class Intake:
    """The effect of mouths on n morsels.

    Attributes:
        rows: Rows of the morsels among those that there are, (n,).
        change: Change of their velocity in m/s, (n, 3), or (n, 23, 3) for the nodes of fishes.
        mouth: Row of the mouth that swallows each, -1 for none, (n,).
    """

    rows: np.ndarray
    change: np.ndarray
    mouth: np.ndarray


def fishes_in(mouths: Mouths, nodes: np.ndarray, length: np.ndarray, fishes: np.ndarray, dt: float) -> Intake:
    """The effect of mouths on fishes.

    Args:
        mouths: One or more.
        nodes: Nodes of all fishes in metres, (fish, 23, 3).
        length: Lengths of all fishes in metres, (fish,).
        fishes: Rows of those that may be drawn in, (n,).
        dt: Seconds.
    """
    # What no mouth can reach needs no search of all its nodes.
    reach = SUCKING_LENGTHS * mouths.length.max() + STRETCHED_LENGTHS * length[fishes]
    noses = nodes[fishes, NOSE_NODE]
    gap = norm(mouths.place[nearest(noses, mouths.place, np.ones(1, dtype=int))[:, 0]] - noses)
    rows = np.flatnonzero(gap < reach)
    near = fishes[rows]
    points = nodes[near].reshape(-1, 3)
    pull = suction(mouths, points, SUCTION_PULL, np.full(len(points), -1))
    of_node = swallowed(mouths, points, np.repeat(length[near], nodes.shape[1]))
    change = dt * pull.reshape(len(rows), nodes.shape[1], 3)
    return Intake(rows, change, of_node.reshape(len(rows), nodes.shape[1]).max(axis=1))


def particles_in(mouths: Mouths, place: np.ndarray, dt: float) -> Intake:
    """The effect of mouths, in `dt` seconds, on particles at these places, (n, 3) in metres."""
    change = dt * suction(mouths, place, SUCTION_PULL, np.full(len(place), -1))
    return Intake(np.arange(len(place)), change, swallowed(mouths, place, np.zeros(len(place))))


def bait_in(mouths: Mouths, place: np.ndarray, size: float, dt: float) -> Intake:
    """The effect of mouths, in `dt` seconds, on bait of a size at a place, (3,), both in metres."""
    change = dt * suction(mouths, place[None], SUCTION_PULL, np.full(1, -1))
    reach = mouths.length + 0.5 * size / SWALLOWING_LENGTHS  # a mouth closes on the bait's near side
    able = np.where(size <= MOUTHFUL_LENGTHS * mouths.length, mouths.opening, 0.0)
    closing = Mouths(mouths.place, mouths.ahead, able, reach)
    return Intake(np.zeros(1, dtype=int), change, swallowed(closing, place[None], np.full(1, size)))


def closes_on(mouths: Mouths, place: np.ndarray) -> np.ndarray:
    """Mask of the mouths that close on what each goes for, which gives way to no pull, at a place in metres, (n, 3)."""
    near = norm(place - mouths.place) < SWALLOWING_LENGTHS * mouths.length
    return near & (mouths.opening > GAPING_OPENING)


def mouth(nodes: np.ndarray, rows: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Places of mouths, and the directions in which they face.

    Args:
        nodes: Places in metres, (fish, 23, 3).
        rows: Rows of the fishes whose mouths they are, (n,).

    Returns:
        The nose in metres (n, 3), and the unit vector to it from the middle of the first ring (n, 3).
    """
    place = nodes[rows, NOSE_NODE]
    return place, unit(place - mean(nodes[rows[:, None], RING_NODES[0]], axis=1))


def gape(distance: np.ndarray, length: np.ndarray, opening: np.ndarray, dt: float) -> np.ndarray:
    """Opening of mouths a moment later: they open fast on food that is near, and close otherwise.

    Args:
        distance: Distance from the mouth to the food in metres, inf without food, (n,).
        length: Length of the eater in metres, (n,).
        opening: Present opening, 0 closed to 1 open, (n,).
        dt: Length of the moment in seconds; two halves of it do as much as the whole.

    Returns:
        0 to 1, (n,).
    """
    opens = distance < MOUTH_OPENING_LENGTHS * length
    opened, closed = (1 - exp(-rate * dt) for rate in (MOUTH_OPENING_RATE, MOUTH_CLOSING_RATE))
    return opening + np.where(opens, opened, closed) * (opens - opening)


def suction(mouths: Mouths, points: np.ndarray, strength: float, owner: np.ndarray) -> np.ndarray:
    """The pull of open mouths on everything before them: the vacuum force of Tu 1999, §7.9.1, over mass.

    It falls with the square of the distance.

    Args:
        mouths: m of them; the pull is in proportion to their opening.
        points: Nodes of bodies and whatever drifts, in metres, (p, 3).
        strength: Pull of a wide-open mouth on what is right before it, in m/s².
        owner: Row of the mouth whose fish a point belongs to, which does not draw it, or -1, (p,).

    Returns:
        Acceleration in m/s², summed over mouths, (p, 3).
    """
    pull = np.zeros(points.shape)
    SUCTION(
        places=mouths.place,
        ways=mouths.ahead,
        openings=mouths.opening,
        lengths=mouths.length,
        points=points,
        owners=owner,
        pulls=pull,
        reach=SUCKING_LENGTHS,
        cosine=_suction_cosine(),
        floor_lengths=SUCTION_FLOOR_LENGTHS,
        strength=strength,
    )
    return pull


def swallowed(mouths: Mouths, place: np.ndarray, size: np.ndarray) -> np.ndarray:
    """The mouth that swallows each morsel: the nearest one that is open, close enough and large enough.

    Args:
        mouths: m of them.
        place: Place of each morsel in metres, (p, 3).
        size: Size of each morsel in metres, (p,).

    Returns:
        Row of the mouth that swallows each morsel, -1 for none, (p,).
    """
    eater = np.full(len(place), -1, dtype=np.int64)
    SWALLOWED(
        places=mouths.place,
        openings=mouths.opening,
        lengths=mouths.length,
        morsels=place,
        sizes=size,
        eaters=eater,
        gaps=np.full(len(place), np.inf),
        least_opening=GAPING_OPENING,
        reach=SWALLOWING_LENGTHS,
        mouthful=MOUTHFUL_LENGTHS,
    )
    return eater
