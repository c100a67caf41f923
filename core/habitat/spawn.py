"""Spawn: eggs and milt that drift with the water, and eggs that are laid on rock or on the floor (ours).

Most fishes of a reef let eggs and milt go at the top of a rise, as a cloud that the water carries off; damselfishes,
the clownfish among them, lay a patch of eggs on rock, which the male guards (Thresher 1984, Reproduction in Reef
Fishes). Eddies spread a cloud as a random walk does: after t seconds by a variance of 2 D t along each axis.
"""

from __future__ import annotations

import numpy as np

from ..base.dice import Dice
from ..base.elementary import exp, sin_and_cos
from ..base.state import Stateful, state
from ..base.vectors import cross, unit
from .currents import Current
from .ground import Ground
from .obstacles import Obstacles
from .tank import WaterBox
from .tuning import (
    CLUTCH_GAP_METRES,
    EGG_RISE_SPEED,
    EGGS,
    EGGS_APART_METRES,
    LAYINGS,
    MILT_PUFFS,
    MILT_SECONDS,
    PUFF_LENGTHS,
    PUFF_SPEED_LENGTHS,
    SPAWN_DIFFUSION,
    SPAWN_DRAG,
    SPAWN_GAP_METRES,
)

GONE, EGG, MILT, LAID = -1, 0, 1, 2
"""The kinds of grains: not there, a drifting egg, a puff of milt, and an egg on the ground."""
SPAWN_DICE = 6 << 32  # purpose of its dice
GOLDEN_ANGLE = np.pi * (3.0 - np.sqrt(5.0))
_GRAINS = EGGS + MILT_PUFFS  # of one spawning


class SpawnCloud(Stateful):
    """All eggs and milt of a scene, in as many grains as a few spawnings have; the next takes those of the oldest.

    Attributes:
        place: Metres, (grain, 3).
        kind: GONE, EGG, MILT or LAID, (grain,).
    """

    place: np.ndarray = state("f8", "grain", 3, unit="m", recorded="spawn")
    kind: np.ndarray = state("i1", "grain", low=GONE, high=LAID, begin=GONE, recorded="spawn_kind")
    _drift: np.ndarray = state("f8", "grain", 3, unit="m/s")  # beside the water
    _left: np.ndarray = state("f8", "grain", unit="s", unset=np.inf)  # until it has dissolved
    _turn: int = state("i8", low=0, high=LAYINGS - 1)  # whose grains the next spawning takes

    def __init__(self, tank: WaterBox, obstacles: Obstacles, current: Current, seed: int, courted: bool = True):
        """Begins with none.

        Args:
            tank: Walls that keep it in, and the floor.
            obstacles: What it goes around, and where eggs are laid, if it stands.
            current: Water that carries it.
            seed: Seed of the world.
            courted: False where nobody courts, and there will be none.
        """
        self._tank, self._obstacles, self._current = tank, obstacles, current
        standing = obstacles.at, obstacles.radius, obstacles.height, obstacles.standing
        self.ground = Ground(tank, Obstacles(*standing))
        count = LAYINGS * _GRAINS if courted else 0
        self.dice = Dice(seed, np.arange(count), purpose=SPAWN_DICE)
        self._fill(grain=count)

    def __len__(self) -> int:
        return len(self.kind)

    def release(self, vents: np.ndarray, length: np.ndarray) -> None:
        """Lets eggs and milt go into the water.

        Args:
            vents: Places of hers and his in metres, (2, 3).
            length: Theirs in metres, (2,).
        """
        rows = self._take()
        self._puff(rows[:EGGS], EGG, vents[0], float(length[0]))
        self._puff(rows[EGGS:], MILT, vents[1], float(length[1]))

    def lay(self, vents: np.ndarray, length: np.ndarray) -> tuple[np.ndarray, np.ndarray] | None:
        """Lays eggs on the nearest ground, with milt over them.

        Args:
            vents: Places of hers and his in metres, (2, 3).
            length: Theirs in metres, (2,).

        Returns:
            The middle of the clutch in metres, (3,), and the way off the ground there, (3,); None where no ground is
            near, and all is let go.
        """
        found = self.ground.foot(vents[:1])
        if found is None:
            self.release(vents, length)
            return None
        rows, (foot, out) = self._take(), found
        eggs = rows[:EGGS]
        radius = EGGS_APART_METRES * np.sqrt(np.arange(EGGS) + self.dice.uniform(eggs))
        sine, cosine = sin_and_cos(GOLDEN_ANGLE * np.arange(EGGS))
        side = unit(cross(out, np.eye(3)[np.abs(out).argmin()]))
        across = (radius * cosine)[:, None] * side + (radius * sine)[:, None] * cross(out, side)
        self.place[eggs], _ = self.ground.onto(foot + across, CLUTCH_GAP_METRES)
        self.kind[eggs] = LAID
        self._puff(rows[EGGS:], MILT, foot + PUFF_LENGTHS * length[1] * out, float(length[1]))
        return foot, out

    @property
    def upcoming(self) -> int:
        """The number of the next laying, 0 to LAYINGS - 1: it takes the grains of the oldest."""
        return self._turn

    def hatch(self, laying: int, most: int) -> np.ndarray:
        """Takes the eggs of a laying away, hatched or perished; places of as many of them, in metres, (most, 3).

        They are spread among all that are there, of which there may be fewer.
        """
        rows = laying * _GRAINS + np.arange(EGGS)
        eggs = rows[(self.kind[rows] == EGG) | (self.kind[rows] == LAID)]
        self.kind[eggs] = GONE
        some = np.arange(min(most, len(eggs))) * len(eggs) // max(min(most, len(eggs)), 1)
        return self.place[eggs[some]]

    def advance(self, t: float, dt: float) -> None:
        """Moves on from `t` by `dt` seconds; milt dissolves."""
        rows = np.flatnonzero((self.kind == EGG) | (self.kind == MILT))
        if not len(rows):
            return
        velocity = self._current.velocity(self.place[rows], t)
        velocity[:, 2] += np.where(self.kind[rows] == EGG, EGG_RISE_SPEED, 0.0)
        kept = exp(-SPAWN_DRAG * dt)
        # Of evenly spread throws, whose variance is a third.
        stray = np.sqrt(6.0 * SPAWN_DIFFUSION * dt) * self._thrown(rows)
        place = self.place[rows] + dt * velocity + (1.0 - kept) / SPAWN_DRAG * self._drift[rows] + stray
        self._drift[rows] *= kept
        place = np.clip(place, SPAWN_GAP_METRES, self._tank.size - SPAWN_GAP_METRES)
        place = self._obstacles.pushed_out(place, SPAWN_GAP_METRES)
        self.place[rows] = np.clip(place, 0.0, self._tank.size)  # a rock at the wall may push it through
        self._left[rows] -= dt
        self.kind[rows[self._left[rows] <= 0.0]] = GONE

    def _take(self) -> np.ndarray:
        """The grains of the next spawning, (n,), eggs first, all gone."""
        rows = self._turn * _GRAINS + np.arange(_GRAINS)
        self._turn = (self._turn + 1) % LAYINGS
        self.kind[rows], self._drift[rows], self._left[rows] = GONE, 0.0, np.inf
        return rows

    def _puff(self, rows: np.ndarray, kind: int, at: np.ndarray, length: float) -> None:
        """Puffs grains (n,) of a kind out at a place in metres, (3,), by a fish of a length in metres."""
        self.kind[rows] = kind
        self.place[rows] = at + PUFF_LENGTHS * length * self._thrown(rows)
        self._drift[rows] = PUFF_SPEED_LENGTHS * length * self._thrown(rows)
        if kind == MILT:
            self._left[rows] = self.dice.uniform(rows, *MILT_SECONDS)

    def _thrown(self, rows: np.ndarray) -> np.ndarray:
        """Evenly from -1 to 1 along each axis, (n, 3)."""
        return np.stack([self.dice.uniform(rows, -1.0, 1.0) for _ in range(3)], axis=1)
