"""Plankton: particles that drift with the water, are eaten, and grow again (Tu 1999, §8.2)."""

from __future__ import annotations

import numpy as np

from ..base.codec import SceneError
from ..base.dice import Dice
from ..base.elementary import cube_root, exp, sin
from ..base.state import Stateful, state
from ..base.vectors import norm
from ..scene.inventory import Plankton as PlanktonDescription
from ..scene.limits import MOST_PARTICLES
from .currents import Current
from .obstacles import Obstacles
from .tank import WaterBox
from .tuning import (
    PLANKTON_DRAG,
    PLANKTON_GAP_METRES,
    PLANKTON_RESERVE,
    PLANKTON_SWAY_RATE,
    PLANKTON_SWAY_SPEED,
    PLANKTON_TRIES,
)


class PlanktonCloud(Stateful):
    """All plankton of a scene.

    Attributes:
        place: Metres, (particle, 3).
        alive: Particles left to eat, (particle,) bool.
    """

    place: np.ndarray = state("f8", "particle", 3, unit="m", recorded="plankton")
    alive: np.ndarray = state("?", "particle", begin=True, recorded="plankton_alive")
    _drift: np.ndarray = state("f8", "particle", 3, unit="m/s")  # beside the water
    _grown: float = state("f8")  # particles that are due but not whole yet

    def __init__(
        self, description: PlanktonDescription, tank: WaterBox, obstacles: Obstacles, current: Current, seed: int
    ):
        """Spreads the plankton.

        Args:
            description: Amount and place of the plankton.
            tank: Walls that keep it in.
            obstacles: Pillars that it goes around.
            current: Water that carries it.
            seed: Seed of the world.
        """
        self._description, self._tank, self._obstacles, self._current = description, tank, obstacles, current
        everyone = np.arange(description.count)
        self.dice = Dice(seed, everyone, purpose=1 << 32)
        self._fill(particle=description.count)
        self.place[:] = self._drawn(everyone)
        self._phase = np.stack([self.dice.uniform(everyone, 0.0, 2.0 * np.pi) for _ in range(3)], axis=1)

    def __len__(self) -> int:
        return len(self.alive)

    @property
    def dropped(self) -> np.ndarray:
        """Rows of the food that was dropped and is left, (n,)."""
        first = self._description.count
        return first + np.flatnonzero(self.alive[first:])

    def enlarge(self, count: int) -> None:
        """Has room for this many particles; those beyond the count of the scene wait to be dropped."""
        new = np.arange(len(self), count)
        if not len(new):
            return
        self.dice.extend(np.arange(count))
        phase = np.stack([self.dice.uniform(new, 0.0, 2.0 * np.pi) for _ in range(3)], axis=1)
        self._phase = np.concatenate((self._phase, phase))
        self._lengthen("particle", count)
        self.alive[new] = False

    def drop(self, at: np.ndarray, count: int, spread: float) -> np.ndarray:
        """Drops food at a place, of what the cloud has in reserve, which is enlarged where it does not suffice.

        Args:
            at: The place in metres, (3,).
            count: Number of particles.
            spread: Radius around the place in metres, within which they come.

        Returns:
            Their rows, (count,).

        Raises:
            SceneError: If there would be more than there may be.
        """
        first = self._description.count
        spare = first + np.flatnonzero(~self.alive[first:])
        if len(spare) < count:
            missing = count - len(spare)
            if len(self) + missing > MOST_PARTICLES:
                room = f"up to {MOST_PARTICLES - len(self) + len(spare)} until some is eaten, {MOST_PARTICLES} in all"
                raise SceneError(f"{count} particles more of food", room, key="count")
            self.enlarge(min(len(self) + -(-missing // PLANKTON_RESERVE) * PLANKTON_RESERVE, MOST_PARTICLES))
            spare = first + np.flatnonzero(~self.alive[first:])
        rows = spare[:count]
        throw = np.stack([self.dice.uniform(rows) for _ in range(4)], axis=1)
        self.place[rows] = self._strewn(throw, np.asarray(at, dtype=float), spread)
        self.alive[rows], self._drift[rows] = True, 0.0
        return rows

    def restore(self, state: dict[str, np.ndarray]) -> None:
        """Goes back to what `state` returned, with as much in reserve as there was then."""
        self.enlarge(len(state["alive"]))
        super().restore(state)

    def pull(self, change: np.ndarray) -> None:
        """Adds to the velocity of every particle, in m/s, (particle, 3)."""
        self._drift += change

    def eaten(self, particles: np.ndarray) -> None:
        """Takes these particles out, (n,)."""
        self.alive[particles] = False
        self._drift[particles] = 0.0

    def velocity(self, t: float) -> np.ndarray:
        """Velocity of every particle at `t` seconds, in m/s, (particle, 3)."""
        sway = PLANKTON_SWAY_SPEED * sin(PLANKTON_SWAY_RATE * t + self._phase)
        return self._current.velocity(self.place, t) + sway + self._drift

    def advance(self, t: float, dt: float) -> None:
        """Moves on from `t` by `dt` seconds, and lets new plankton grow where some has been eaten."""
        self.place += dt * self.velocity(t)
        self._drift *= exp(-PLANKTON_DRAG * dt)
        self.place = np.clip(self.place, PLANKTON_GAP_METRES, self._tank.size - PLANKTON_GAP_METRES)
        place = self._obstacles.pushed_out(self.place, PLANKTON_GAP_METRES)
        self.place = np.clip(place, 0.0, self._tank.size)  # a rock at the wall may push it through
        self._grow(dt)

    def _grow(self, dt: float) -> None:
        gone = np.flatnonzero(~self.alive[: self._description.count])
        self._grown = min(self._grown + dt * self._description.growth, float(len(gone)))
        new = gone[: int(self._grown + 1e-9)]
        self._grown -= len(new)
        if len(new):
            self.place[new], self.alive[new] = self._drawn(new), True

    def _drawn(self, particles: np.ndarray) -> np.ndarray:
        """Places clear of pillars, (n, 3): within `spread` of the middle, or anywhere without one."""
        place = self._thrown(particles)
        for _ in range(PLANKTON_TRIES):
            inside = (
                np.flatnonzero(self._obstacles.distance(place)[0] < PLANKTON_GAP_METRES) if len(self._obstacles) else []
            )
            if not len(inside):
                break
            place[inside] = self._thrown(particles[inside])
        return place

    def _thrown(self, particles: np.ndarray) -> np.ndarray:
        throw = np.stack([self.dice.uniform(particles) for _ in range(4)], axis=1)
        if self._description.at is None:
            return PLANKTON_GAP_METRES + throw[:, :3] * (self._tank.size - 2.0 * PLANKTON_GAP_METRES)
        return self._strewn(throw, np.asarray(self._description.at), self._description.spread)

    def _strewn(self, throw: np.ndarray, at: np.ndarray, spread: float) -> np.ndarray:
        """Places within a spread of a place in metres, (n, 3), by throws (n, 4)."""
        way = throw[:, :3] - 0.5
        reach = spread * cube_root(throw[:, 3])
        place = at + reach[:, None] * way / np.maximum(norm(way), 1e-9)[:, None]
        return np.clip(place, PLANKTON_GAP_METRES, self._tank.size - PLANKTON_GAP_METRES)
