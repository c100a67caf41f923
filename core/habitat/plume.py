"""Plumes: what smells drifts with the water and spreads (the wish of Tu 1999, §11.6.1).

A plume is a field of puffs. Each holds so much of a smell for as long as it lasts, a Gaussian ball whose variance grows
as 2 D t, which solves the equation of advection and diffusion (Csanady 1973, Turbulent Diffusion in the Environment),
and whose middle goes with the water and strays from it at random, as a particle of Langevin's equation does (Taylor
1921). So a plume snakes and is patchy, and what a nose meets is more than its mean (Farrell et al. 2002; Vickers 2000).

Strength is counted in what bait gives off in a second, and so concentrations in that much a cubic metre.
"""

from __future__ import annotations

import numpy as np

from ..base.dice import Dice
from ..base.elementary import exp
from ..base.nearest import within
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

FOOD, BLOOD, BAIT, MATES = range(4)
"""Kinds of smell: food that was dropped, a fish that was eaten, bait on a hook, and fishes in love, two a species."""
_PURPOSE = int.from_bytes(b"puff", "big")  # of the dice


class Plume(Stateful):
    """All smells of a scene, one row a puff; a new puff takes the place of the faintest.

    Attributes:
        place: Metres, (puff, 3).
        strength: Content of each puff, 0 where there is none, (puff,).
        kind: The kind of what it smells of, (puff,) int16.
        age: Seconds, (puff,).
    """

    place: np.ndarray = state("f8", "puff", 3, unit="m")
    strength: np.ndarray = state("f8", "puff", low=0)
    kind: np.ndarray = state("i2", "puff", low=FOOD, high="smell")
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

    def give_off(self, places: np.ndarray, kind: int, strength: float) -> None:
        """Has one of these places in metres, (n, 3), by chance, smell for all, each of which is so strong."""
        one = int(self.dice.uniform(np.zeros(1, dtype=int))[0] * len(places))
        self.release(places[one, None], kind, strength * len(places))

    def advance(self, t: float, dt: float) -> float:
        """Moves on to `t` seconds, by `dt`: now and then puffs move, fade and come.

        Returns:
            Seconds since they last did, for which what else smells is to give off its smell; 0 if they do not now.
        """
        self._due += dt
        if self._due < PUFF_SECONDS - 1e-9:
            return 0.0
        elapsed, self._due, self._now = self._due, 0.0, t
        self._carry(np.flatnonzero(self.strength), t - elapsed, elapsed)
        self.strength[self.peak < FAINTEST_PUFF] = 0.0
        if self._hook is not None and self._hook.offered:
            self.release(self._hook.place[None], BAIT, elapsed)
        dropped = self._plankton.dropped
        if len(dropped):
            self.give_off(self._plankton.place[dropped], FOOD, FOOD_ODOUR * elapsed)
        return elapsed

    def concentrations(
        self, places: np.ndarray, sideways: np.ndarray, kinds: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray]:
        """The concentrations of some smells together, to either side of places.

        Args:
            places: Metres, (n, 3).
            sideways: From there to the one side, much less than the spread of a new puff, in metres, (n, 3).
            kinds: Mask of the kinds that count, one for each that there may be, (kind,) bool.

        Returns:
            On that side and on the other, in 1/m³, (n,) both.
        """
        puffs = np.flatnonzero((self.strength > 0.0) & kinds[self.kind])
        if not len(puffs):
            return np.zeros(len(places)), np.zeros(len(places))
        place, variance = self.place[puffs], self.variance[puffs]
        which, who, _ = within(place, PUFF_REACH * np.sqrt(variance), places)
        # exp(-(r + a)² / 2 s²) for a puff of the variance s² at -r, and with -a for the other side.
        half, side, offset = 0.5 / variance[which], sideways[who], places[who] - place[which]
        middle = (self.strength[puffs] / _volume(variance))[which]
        middle *= exp(-half * (dot(offset, offset) + dot(side, side)))
        tilt = exp(-2.0 * half * dot(side, offset))
        return np.bincount(who, middle * tilt, len(places)), np.bincount(who, middle / tilt, len(places))

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
        self.place[rows] = np.clip(self._obstacles.pushed_out(place, PUFF_GAP_METRES), 0.0, size)

    def _noise(self, rows: np.ndarray) -> np.ndarray:
        """Random numbers of mean 0 and variance 1 for each axis of these puffs, (n, 3)."""
        most = np.sqrt(3.0)
        return np.stack([self.dice.uniform(rows, -most, most) for _ in range(3)], axis=1)


def _volume(variance: np.ndarray) -> np.ndarray:
    """The volume in m³ over which a puff of this variance in m² is spread, as to its middle, (...)."""
    around = 2.0 * np.pi * variance
    return around * np.sqrt(around)
