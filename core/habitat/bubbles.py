"""Bubbles: they rise from vents to the surface, winding, carried by the current (Tu 1999, §8.2)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike

from ..base.dice import Dice
from ..base.elementary import power, sin, sin_and_cos
from ..base.state import Stateful, state
from ..scene.inventory import Vent
from .currents import Current
from .obstacles import Obstacles
from .tank import WaterBox
from .tuning import (
    BUBBLE_GAP_METRES,
    BUBBLE_LIFE_RISES,
    BUBBLE_SIZES,
    LEAST_FILLING_STEPS,
    MOST_BUBBLES,
    MOST_FILLED,
    MOST_FILLING_STEPS,
    WINDING_METRES,
    WINDING_PITCH_SIZES,
    WINDING_RADIUS_SIZES,
)

GRAVITY = 9.81  # m/s²
WATER_DENSITY, WATER_VISCOSITY, SURFACE_TENSION = 1000.0, 1.0e-3, 0.073  # kg/m³, Pa s, N/m, at 20 degrees
_MORTON = GRAVITY * float(
    np.square(np.square(WATER_VISCOSITY)) / (WATER_DENSITY * np.square(SURFACE_TENSION) * SURFACE_TENSION)
)
_PURPOSE = int.from_bytes(b"bubb", "big")  # of the dice

RISING, BURST, WAITING = 0, 1, 2
"""The states of a bubble: risen from its vent, just burst and still in that place, or waiting in its vent."""


def terminal_speed(size: ArrayLike) -> np.ndarray:
    """The speed at which air bubbles rise in the sea.

    Fan and Tsuchiya, Bubble Wake Dynamics in Liquids and Liquid-Solid Suspensions (1990), with n = 0.8 for water
    that is not pure and c = 1.4 for one of many components: viscosity slows small bubbles, surface tension and
    inertia the others.

    Args:
        size: Diameter in metres of the ball of as much air, (...).

    Returns:
        Metres per second, (...).
    """
    d, n, c = np.asarray(size, dtype=float), 0.8, 1.4
    viscous = (
        WATER_DENSITY * GRAVITY * np.square(d) / (max(14.7 * float(power(_MORTON, -0.038)), 12.0) * WATER_VISCOSITY)
    )
    wave = np.sqrt(2.0 * c * SURFACE_TENSION / (WATER_DENSITY * d) + 0.5 * GRAVITY * d)
    return power(power(viscous, -n) + power(wave, -n), -1.0 / n)


def bubbles_of(vents: Sequence[Vent], depth: float) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Number of bubbles of each vent at a time, its depth in metres, and the least speed of its bubbles in m/s.

    Args:
        vents: The vents, v of them.
        depth: Depth of the water in metres.

    Returns:
        Of each vent, (v,) each.
    """
    rate = np.array([vent.rate for vent in vents])
    deep = depth - np.array([vent.at for vent in vents]).reshape(-1, 3)[:, 2]
    slow = terminal_speed(BUBBLE_SIZES[0] * np.array([vent.size for vent in vents]))
    # Some to spare, for those that wait and those that a current holds down for a while.
    return np.minimum(1.5 * rate * deep / slow + 3.0 * np.sign(rate), MOST_BUBBLES).astype(int), deep, slow


class Bubbles(Stateful):
    """All bubbles of a scene, one row a bubble, vent after vent; a bubble that has burst comes anew.

    Attributes:
        place: Metres, (bubble, 3).
        size: Diameters in metres, (bubble,).
        vent: Row of each bubble's vent, (bubble,).
        current: Water that carries them.
    """

    place: np.ndarray = state("f8", "bubble", 3, unit="m", recorded="bubbles")
    _doing: np.ndarray = state("i8", "bubble", low=RISING, high=WAITING, begin=WAITING)
    _age: np.ndarray = state("f8", "bubble", unit="s")
    _due: np.ndarray = state("f8", "vent")  # bubbles that are due but not there yet

    def __init__(self, vents: tuple[Vent, ...], tank: WaterBox, obstacles: Obstacles, current: Current, seed: int):
        """Fills the water with bubbles, as if the vents had always been there.

        Args:
            vents: The vents.
            tank: Walls that keep them in, and the surface where they burst.
            obstacles: Pillars that they go around.
            current: Water that carries them.
            seed: Seed of the world.
        """
        self._tank, self._obstacles, self.current = tank, obstacles, current
        self._rate = np.array([vent.rate for vent in vents])
        self._at = np.array([vent.at for vent in vents]).reshape(-1, 3)
        counts, deep, slow = bubbles_of(vents, float(tank.size[2]))
        self.vent = np.repeat(np.arange(len(vents)), counts)
        numbers = [(row << 20) + own for row, count in enumerate(counts.tolist()) for own in range(count)]
        self.dice = Dice(seed, np.array(numbers, dtype=int), _PURPOSE)
        everyone = np.arange(len(numbers))
        self.size = np.array([vent.size for vent in vents])[self.vent] * self.dice.uniform(everyone, *BUBBLE_SIZES)
        self._spread = np.array([vent.spread for vent in vents])[self.vent]
        self._speed = terminal_speed(self.size)
        self._turn = 2.0 * np.pi * self._speed / (WINDING_PITCH_SIZES * self.size)  # rad/s around a winding path
        winds = (self.size > WINDING_METRES[0]) & (self.size < WINDING_METRES[1])
        self._swing = np.where(winds, WINDING_RADIUS_SIZES * self.size * self._turn, 0.0)
        self._phase = self.dice.uniform(everyone, 0.0, 2.0 * np.pi)
        self._life = BUBBLE_LIFE_RISES * deep[self.vent] / self._speed
        self._fill(bubble=len(everyone), vent=len(vents))
        self.place[:] = self._at[self.vent]
        if len(everyone):
            before = float((deep / slow).max())
            most = min(max(MOST_FILLED // len(everyone), LEAST_FILLING_STEPS), MOST_FILLING_STEPS)
            steps = int(np.clip(np.ceil(24.0 * before), 1, most))
            for step in range(steps):
                self.advance(before * (step / steps - 1.0), before / steps)

    def __len__(self) -> int:
        return len(self.place)

    @property
    def alive(self) -> np.ndarray:
        """Mask of bubbles that are there, (bubble,) bool."""
        return self._doing == RISING

    def advance(self, t: float, dt: float) -> None:
        """Moves on from `t` by `dt` seconds; some burst and some come anew."""
        new, age = self._born(dt)
        burst = self._doing == BURST
        self._doing[burst] = WAITING
        self.place[burst] = self._at[self.vent[burst]]
        rising = np.flatnonzero(self._doing == RISING)
        lasted = np.full(len(rising), dt)
        lasted[np.searchsorted(rising, new)] = age
        self._rise(rising, t, lasted)
        over = (self.place[rising, 2] >= self._tank.size[2]) | (self._age[rising] > self._life[rising])
        self._doing[rising[over]] = BURST
        self.place[rising, 2] = np.minimum(self.place[rising, 2], self._tank.size[2])

    def _rise(self, rows: np.ndarray, t: float, dt: np.ndarray) -> None:
        """Moves these bubbles (n,) on by dt (n,) seconds."""
        angle = self._phase[rows] + self._turn[rows] * self._age[rows]
        # The mean over the step of a velocity that turns, so that the path is the same at any rate of frames.
        half = 0.5 * self._turn[rows] * dt
        swing = self._swing[rows] * np.where(np.abs(half) > 1e-9, sin(half) / np.where(half == 0.0, 1.0, half), 1.0)
        velocity = self.current.velocity(self.place[rows], t)
        beside, ahead = sin_and_cos(angle + half)
        velocity[:, 0] += swing * ahead
        velocity[:, 1] += swing * beside
        velocity[:, 2] += self._speed[rows]
        place = self.place[rows] + dt[:, None] * velocity
        place[:, :2] = np.clip(place[:, :2], BUBBLE_GAP_METRES, self._tank.size[:2] - BUBBLE_GAP_METRES)
        place[:, 2] = np.maximum(place[:, 2], 0.0)
        self.place[rows] = self._obstacles.pushed_out(place, BUBBLE_GAP_METRES)
        self._age[rows] += dt

    def _born(self, dt: float) -> tuple[np.ndarray, np.ndarray]:
        """Lets bubbles come that are due; their rows, sorted, and seconds since they came, (n,) and (n,)."""
        self._due += dt * self._rate
        ready = np.flatnonzero(self._doing == WAITING)
        vent = self.vent[ready]
        rank = np.arange(len(ready)) - np.searchsorted(vent, vent)
        # The one that has been due longest comes first; whoever finds no bubble ready is not waited for.
        some = rank < np.floor(self._due[vent] + 1e-9)
        new, vent = ready[some], vent[some]
        age = np.clip((self._due[vent] - 1.0 - rank[some]) / self._rate[vent], 0.0, dt)
        self._due -= np.floor(self._due + 1e-9)
        azimuth, reach = self.dice.uniform(new, -np.pi, np.pi), self._spread[new] * np.sqrt(self.dice.uniform(new))
        self.place[new] = self._at[vent]
        beside, ahead = sin_and_cos(azimuth)
        self.place[new, 0] += reach * ahead
        self.place[new, 1] += reach * beside
        self._age[new], self._doing[new] = 0.0, RISING
        return new, age
