"""Plumes: what smells drifts with the water and spreads (the wish of Tu 1999, §11.6.1).

A plume is a field of puffs. Each holds so much of a smell for as long as it lasts, a Gaussian ball whose variance grows
as 2 D t, which solves the equation of advection and diffusion (Csanady 1973, Turbulent Diffusion in the Environment),
and whose middle goes with the water and strays from it at random, as a particle of Langevin's equation does (Taylor
1921). So a plume snakes and is patchy, and what a nose meets is more than its mean (Farrell et al. 2002; Vickers 2000).

Strength is counted in what bait gives off in a second, and so concentrations in that much a cubic metre.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from ..base.dice import Dice
from ..base.elementary import exp
from ..base.state import Stateful, state
from ..base.vectors import dot
from .currents import Current
from .hook import BaitedHook
from .obstacles import Obstacles
from .plankton import PlanktonCloud
from .tank import WaterBox
from .tuning import (
    EDDY_DIFFUSION,
    FAINTEST_PUFF,
    FOOD_ODOUR,
    PUFF_GAP_METRES,
    PUFF_METRES,
    PUFF_REACH,
    PUFF_SECONDS,
    PUFFS,
    STRAYING_SECONDS,
    STRAYING_SPEED,
)

FOOD, BLOOD, BAIT = range(3)
"""The kinds of what smells: food that was dropped, a fish that was eaten, and the bait of a hook."""
_PURPOSE = int.from_bytes(b"puff", "big")  # of the dice


class Plume(Stateful):
    """All smells of a scene, one row a puff; a new puff takes the place of the faintest.

    Attributes:
        place: Metres, (puff, 3).
        strength: Content of each puff, 0 where there is none, (puff,).
        kind: Row of what it smells of, FOOD, BLOOD or BAIT, (puff,) int8.
        age: Seconds, (puff,).
    """

    place: np.ndarray = state("f8", "puff", 3, unit="m")
    strength: np.ndarray = state("f8", "puff", low=0)
    kind: np.ndarray = state("i1", "puff", low=FOOD, high=BAIT)
    age: np.ndarray = state("f8", "puff", low=0, unit="s")
    _stray: np.ndarray = state("f8", "puff", 3, unit="m/s")  # beside the water
    _due: float = state("f8", low=0, unit="s")  # since puffs last moved
    _now: float = state("f8", unit="s")  # when they did

    def __init__(
        self,
        tank: WaterBox,
        obstacles: Obstacles,
        current: Current,
        plankton: PlanktonCloud,
        hook: BaitedHook | None,
        seed: int,
    ):
        """Begins with no smell in the water.

        Args:
            tank: Walls that keep puffs in, but for what leaves with the water.
            obstacles: Pillars that they go around.
            current: Water that carries them.
            plankton: Food, of which what was dropped smells.
            hook: Hook whose bait smells; None where there is none.
            seed: Seed of the world.
        """
        self._tank, self._obstacles, self._current = tank, obstacles, current
        self._plankton, self._hook = plankton, hook
        self.dice = Dice(seed, np.arange(PUFFS), _PURPOSE)
        self._fill(puff=PUFFS)

    @property
    def variance(self) -> np.ndarray:
        """The square of each puff's spread along any axis, in m², (puff,)."""
        return PUFF_METRES * PUFF_METRES + 2.0 * EDDY_DIFFUSION * self.age

    @property
    def peak(self) -> np.ndarray:
        """Concentration in the middle of each puff, 1/m³, (puff,)."""
        return self.strength / _volume(self.variance)

    def water(self, points: np.ndarray) -> np.ndarray:
        """Velocity of the water in m/s at places (n, 3) in metres, as it was when puffs last moved, (n, 3)."""
        return self._current.velocity(points, self._now)

    def release(self, places: np.ndarray, kind: int, strength: float) -> None:
        """Has a puff of this kind and strength come about each of these places in metres, (n, 3)."""
        rows = np.argsort(self.peak, kind="stable")[: len(places)]
        self.place[rows], self.kind[rows], self.strength[rows] = places[: len(rows)], kind, strength
        self.age[rows], self._stray[rows] = 0.0, STRAYING_SPEED * self._noise(rows)

    def advance(self, t: float, dt: float) -> None:
        """Moves on to `t` seconds, by `dt`: now and then puffs move, fade and come."""
        self._due += dt
        if self._due < PUFF_SECONDS - 1e-9:
            return
        elapsed, self._due, self._now = self._due, 0.0, t
        self._carry(np.flatnonzero(self.strength), t - elapsed, elapsed)
        self.strength[self.peak < FAINTEST_PUFF] = 0.0
        if self._hook is not None and self._hook.offered:
            self.release(self._hook.place[None], BAIT, elapsed)
        dropped = self._plankton.dropped
        if len(dropped):  # one of them at a time stands for all
            which = dropped[int(self.dice.uniform(np.zeros(1, int))[0] * len(dropped))]
            self.release(self._plankton.place[which, None], FOOD, FOOD_ODOUR * len(dropped) * elapsed)

    def concentration(self, points: np.ndarray, kinds: ArrayLike) -> np.ndarray:
        """The concentration of some smells together.

        Args:
            points: Places in metres, k close together for each of n, (n, k, 3).
            kinds: The kinds that count, (m,).

        Returns:
            In 1/m³, (n, k).
        """
        found = np.zeros(points.shape[:2])
        puffs = np.flatnonzero((self.strength > 0.0) & np.isin(self.kind, kinds))
        if not len(puffs):
            return found
        place, variance = self.place[puffs], self.variance[puffs]
        reach = PUFF_REACH * np.sqrt(variance)
        low, high = (place - reach[:, None]).min(axis=0), (place + reach[:, None]).max(axis=0)
        near = np.flatnonzero(((points[:, 0] > low) & (points[:, 0] < high)).all(axis=1))
        gap = np.zeros((len(near), len(puffs)))
        for axis in range(3):
            along = points[near, 0, axis, None] - place[:, axis]
            gap += along * along
        who, which = np.nonzero(gap < reach * reach)
        offset = points[near[who]] - place[which, None]
        share = exp(-0.5 * dot(offset, offset) / variance[which, None])
        share *= (self.strength[puffs] / _volume(variance))[which, None]
        for k in range(points.shape[1]):
            found[near, k] = np.bincount(who, share[:, k], len(near))
        return found

    def _carry(self, rows: np.ndarray, t: float, dt: float) -> None:
        """Moves these puffs (n,) on from `t` by `dt` seconds, and takes out those that leave with the water."""
        if not len(rows):
            return
        kept = float(exp(-dt / STRAYING_SECONDS))
        stray = self._stray[rows]
        half = self.place[rows] + 0.5 * dt * self._current.velocity(self.place[rows], t)
        velocity = self._current.velocity(half, t + 0.5 * dt)
        place = self.place[rows] + dt * (velocity + stray)
        self._stray[rows] = kept * stray + STRAYING_SPEED * np.sqrt(1.0 - kept * kept) * self._noise(rows)
        self.age[rows] += dt
        size = self._tank.size
        leaves = ((place < 0.0) & (velocity < 0.0)) | ((place > size) & (velocity > 0.0))
        self.strength[rows[leaves.any(axis=1)]] = 0.0
        if len(self._obstacles):
            depth, away = self._obstacles.distance(place)
            place += np.maximum(PUFF_GAP_METRES - depth, 0.0)[:, None] * away
        self.place[rows] = np.clip(place, 0.0, size)

    def _noise(self, rows: np.ndarray) -> np.ndarray:
        """Random numbers of mean 0 and variance 1 for each axis of these puffs, (n, 3)."""
        most = np.sqrt(3.0)
        return np.stack([self.dice.uniform(rows, -most, most) for _ in range(3)], axis=1)


def _volume(variance: np.ndarray) -> np.ndarray:
    """The volume in m³ over which a puff of this variance in m² is spread, as to its middle, (...)."""
    around = 2.0 * np.pi * variance
    return around * np.sqrt(around)
