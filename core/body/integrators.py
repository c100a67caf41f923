"""One time step of the body: three integrators behind one interface (Tu 1999, §4.5).

All three advance a block of fishes in place by `step(x, v, muscles, water)`, in the book's units: `x` and `v` are
(23, 3, fish) float64, `muscles` the rest lengths of the m muscles (m, fish), and `water` the velocity of the water
(3, fish). The push of the two pectoral fins comes from `Fins`.

`Reference` is the book's scheme. `Production` is the one in use. `ExplicitEuler` is what the book compares
with. They evaluate the same forces.
"""

from __future__ import annotations

from typing import Protocol

import numpy as np

from .anatomy import NODES, UNITS
from .dynamics import BodyModel
from .forces import Fins, Forces
from .spine import Spine

HALF_BANDWIDTH = 7


class Integrator(Protocol):
    """Anything that moves a block of fishes on by one step."""

    dt: float

    def step(self, x: np.ndarray, v: np.ndarray, muscles: np.ndarray, water: np.ndarray) -> None:
        """Moves positions and velocities on by `dt`, in place."""

    def advance(self, x: np.ndarray, v: np.ndarray, muscles: np.ndarray, water: np.ndarray) -> None:
        """Moves on by a step for each of these rest lengths, (steps, m, fish), in place."""
        for lengths in muscles:
            self.step(x, v, lengths, water)


class ExplicitEuler(Integrator):
    """Forces, then velocities, then positions, each from the values before."""

    def __init__(self, model: BodyModel, fishes: int, dt: float, fins: Fins):
        """Prepares for blocks of this many fishes and steps of `dt` book units."""
        self.model, self.dt = model, dt
        self._forces, self._spine = Forces(model, fins), Spine(model)

    def step(self, x: np.ndarray, v: np.ndarray, muscles: np.ndarray, water: np.ndarray) -> None:
        """Moves positions and velocities on by `dt`, in place."""
        force, _ = self._forces.evaluate(x, v - water, muscles, self._spine.measure(x))
        x += self.dt * v
        v += self.dt * force / self.model.masses[:, None, None]


class Reference(Integrator):
    """The book's semi-implicit Euler scheme (eq. 4.6-4.14): A v' = G, A = dt B + M/dt, by A = L D L^T."""

    def __init__(self, model: BodyModel, fishes: int, dt: float, fins: Fins):
        """Prepares for blocks of this many fishes and steps of `dt` book units."""
        self.model, self.dt = model, dt
        self._forces, self._spine = Forces(model, fins), Spine(model)

    def step(self, x: np.ndarray, v: np.ndarray, muscles: np.ndarray, water: np.ndarray) -> None:
        """Moves positions and velocities on by `dt`, in place."""
        inertia = (self.model.masses / self.dt)[:, None, None]
        # F - B x is the sum of all forces (4.11): the internal force is -B x.
        force, _ = self._forces.evaluate(x, v - water, muscles, self._spine.measure(x))
        load = force + inertia * v
        v[:] = solve_banded_ldl(self._system(), load)
        x += self.dt * v

    def _system(self) -> np.ndarray:
        """A of eq. 4.10 as diagonals, (8, 23, fish): row k holds the entries (i + k, i)."""
        eta = self._forces.units.effective_stiffness * self.dt
        bands = np.zeros((HALF_BANDWIDTH + 1, NODES, eta.shape[1]))
        bands[0] = (self.model.masses / self.dt)[:, None]
        for unit, (i, j) in enumerate(UNITS):
            bands[0, i] += eta[unit]
            bands[0, j] += eta[unit]
            bands[j - i, i] -= eta[unit]
        return bands


def solve_banded_ldl(bands: np.ndarray, load: np.ndarray) -> np.ndarray:
    """Solves A X = G for a block of symmetric banded matrices by A = L D L^T (eq. 4.12-4.14).

    Args:
        bands: Lower diagonals, (half-bandwidth + 1, n, fish), overwritten by L with D in row 0.
        load: G, (n, 3, fish).

    Returns:
        X, (n, 3, fish).
    """
    width, n = bands.shape[0] - 1, bands.shape[1]
    for i in range(n):
        below = min(width, n - 1 - i)
        column = bands[1 : below + 1, i].copy()
        bands[1 : below + 1, i] /= bands[0, i]
        for k in range(below):
            bands[: below - k, i + 1 + k] -= bands[1 + k, i] * column[k:]
    solution = load.copy()
    for i in range(n):  # L Q = G
        for k in range(1, min(width, n - 1 - i) + 1):
            solution[i + k] -= bands[k, i] * solution[i]
    solution /= bands[0][:, None]
    for i in reversed(range(n)):  # L^T X = D^-1 Q
        for k in range(1, min(width, n - 1 - i) + 1):
            solution[i] -= bands[k, i] * solution[i + k]
    return solution
