"""How the body moves on by one step: three integrators behind one interface (Tu 1999, §4.5).

All three advance a block of fishes in place by `step(x, v, muscles, water, pushes)`, in the book's units:
`x` and `v` are (23, 3, fish) float64, `muscles` the rest lengths of the muscles (12, fish), `water` the velocity
of the water (3, fish), and `pushes` the force on the two pectoral fins (2, 3, fish), handed on to the body's
nodes by the model's fin weights.

`Reference` is the book's scheme. `Production` is what everyone gets. `ExplicitEuler` is what the book compares
with. They evaluate the same forces.
"""

from __future__ import annotations

from typing import Protocol

import numpy as np

from .anatomy import FACES, NODES, RINGS, UNITS
from .dynamics import DIFFERENCES, BodyModel, UnitForces
from .hydrodynamics import CORNERS, EDGES, WaterForces

HALF_BANDWIDTH = 7


class Integrator(Protocol):
    """Anything that moves a block of fishes on by one step."""

    dt: float

    def step(
        self, x: np.ndarray, v: np.ndarray, muscles: np.ndarray, water: np.ndarray, pushes: np.ndarray
    ) -> None:
        """Moves positions and velocities on by `dt`, in place."""


class _Forces:
    """All forces on a block of fishes, gathered at the nodes."""

    def __init__(self, model: BodyModel, fishes: int, fin_weights: np.ndarray, dtype: type):
        self.units = UnitForces(model, fishes, dtype)
        self.skin = WaterForces(model, fishes, dtype)
        self.sources = np.zeros((len(UNITS) + len(FACES) + 2, 3, fishes), dtype)
        self.units_to_nodes = np.ascontiguousarray(-DIFFERENCES.T.astype(dtype))
        self.water_to_nodes = np.ascontiguousarray(np.concatenate([CORNERS, fin_weights]).T.astype(dtype))
        self.total, self.external = (np.empty((NODES, 3, fishes), dtype) for _ in range(2))

    def evaluate(
        self,
        x: np.ndarray,
        flow: np.ndarray,
        muscles: np.ndarray,
        ahead: np.ndarray,
        pushes: np.ndarray,
        compliance: np.ndarray | None = None,
        inertia: float = np.inf,
    ) -> np.ndarray:
        """The force on every node, (23, 3, fish), at velocities `flow` relative to the water.

        What the water alone does stays in `external`, (23, 3, fish).
        """
        units, water = self.sources[: len(UNITS)], self.sources[len(UNITS) :]
        self.units.evaluate(x, flow, muscles, units)
        self.skin.evaluate(x, flow, ahead, water[:-2], compliance, inertia)
        water[-2:] = pushes
        np.matmul(self.units_to_nodes, units.reshape(len(units), -1), out=self.total.reshape(NODES, -1))
        np.matmul(self.water_to_nodes, water.reshape(len(water), -1), out=self.external.reshape(NODES, -1))
        self.total += self.external
        return self.total


def fin_weights(lever: tuple[float, ...]) -> np.ndarray:
    """How a force on the left and the right pectoral fin is handed to the nodes, (2, 23).

    Args:
        lever: Share of each of the first three rings; a third each in the book, which spreads the force equally
            over the six midsection nodes of its side.
    """
    weights = np.zeros((2, NODES))
    for ring, share in zip(RINGS[:3], lever, strict=True):
        weights[0, ring[[0, 3]]] = share / 2
        weights[1, ring[[1, 2]]] = share / 2
    return weights


def _ahead(x: np.ndarray) -> np.ndarray:
    """Unit vectors along the fish, (3, fish): from the third ring to the first."""
    axis = x[1:5].sum(axis=0) - x[9:13].sum(axis=0)
    return axis / np.sqrt((axis * axis).sum(axis=0))


class ExplicitEuler:
    """Forces, then velocities, then positions, each from what was there before."""

    def __init__(self, model: BodyModel, fishes: int, dt: float, weights: np.ndarray):
        """Prepares for blocks of this many fishes and steps of `dt` book units."""
        self.model, self.dt = model, dt
        self._forces = _Forces(model, fishes, weights, np.float64)

    def step(
        self, x: np.ndarray, v: np.ndarray, muscles: np.ndarray, water: np.ndarray, pushes: np.ndarray
    ) -> None:
        """Moves positions and velocities on by `dt`, in place."""
        force = self._forces.evaluate(x, v - water, muscles, _ahead(x), pushes)
        x += self.dt * v
        v += self.dt * force / self.model.masses[:, None, None]


class Reference:
    """The book's semi-implicit Euler scheme (eq. 4.6-4.14): A v' = G, A = dt B + M/dt, by A = L D L^T."""

    def __init__(self, model: BodyModel, fishes: int, dt: float, weights: np.ndarray):
        """Prepares for blocks of this many fishes and steps of `dt` book units."""
        self.model, self.dt = model, dt
        self._forces = _Forces(model, fishes, weights, np.float64)

    def step(
        self, x: np.ndarray, v: np.ndarray, muscles: np.ndarray, water: np.ndarray, pushes: np.ndarray
    ) -> None:
        """Moves positions and velocities on by `dt`, in place."""
        inertia = (self.model.masses / self.dt)[:, None, None]
        # F - B x is the sum of all forces (4.11): the internal force is -B x.
        load = self._forces.evaluate(x, v - water, muscles, _ahead(x), pushes) + inertia * v
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


GROUPS = np.array([0] + [1] * 4 + [2] * 4 + [3] * 4 + [4] * 4 + [5] * 4 + [6] * 2)
"""The seven groups of nodes that turn as one: nose, five rings, tips of the tail, (23,)."""


def _group_axes() -> np.ndarray:
    """The map from nodes to the axes and the up directions of the seven groups, (14, 23)."""
    middles = np.array([(GROUPS == group) / np.sum(GROUPS == group) for group in range(7)])
    axes = np.array([middles[max(group - 1, 0)] - middles[min(group + 1, 6)] for group in range(7)])
    ups = np.zeros((7, NODES))
    for group, ring in enumerate(RINGS, start=1):
        ups[group, ring] = (1, 1, -1, -1)
    ups[0] = ups[1]
    ups[6] = ups[5]
    return np.concatenate([axes, ups])


class Production:
    """A linearly implicit Euler scheme with a constant matrix per species, that does not explode.

    With A = M + dt (C + D) + dt^2 K of the resting body,

        A dv = dt (f(x, v) - dt K v),   v' = v + dv,   x' = x + dt v'.

    C is the damping and K the stiffness of the units, and D the drag of the skin moving at `SWIFT` body lengths in
    a book unit of time, which is about three times the speed of a tail. None of them need be exact, for f is: what
    they lack or have in excess vanishes with the step, which is of first order. Five things make the scheme robust
    and true where the body is bent.

    1. Each of seven groups of nodes (nose, rings, tail) is turned by its own frame into the resting pose before
       the solve and back after it: stiff directions stay stiff however far the tail is turned.
    2. `BRACE` adds a share of the unit stiffnesses in all directions to K in A, for units turned within a group.
    3. What that does to the momenta is undone: after the solve, a rigid motion is added so that linear and angular
       momentum change by exactly the impulse and torque of the water. Internal forces conserve both.
    4. A fish with a unit outside `SOUND` of its natural length, which no swimming brings about, is solved with all
       unit stiffnesses in all directions and a strong viscosity until it is sound again.
    5. A step longer than `LONGEST` book units is taken as several.

    Positions, velocities and linear momentum are float64. Forces and the solve, which only enter multiplied by the
    step, are float32.
    """

    SWIFT = 0.1
    BRACE = 0.005
    SOUND = (0.7, 1.3)
    LONGEST = 1.0
    OVERLAP = 4.0

    def __init__(self, model: BodyModel, fishes: int, dt: float, weights: np.ndarray):
        """Prepares for blocks of this many fishes and steps of `dt` book units."""
        self.model, self.dt = model, dt
        self._parts = max(1, int(np.ceil(dt / self.LONGEST - 1e-9)))
        self._part = dt / self._parts
        real = np.float32
        self._forces = _Forces(model, fishes, weights, real)
        self._axes = _group_axes().astype(real)
        self._masses = model.masses[:, None, None].astype(real)
        self._natural = model.natural.astype(real)[:, None]
        resting = _group_frames((_group_axes() @ model.rest)[:, :, None])[..., 0][:, GROUPS]
        solve, hold = self._matrices(resting)
        self._solve = np.concatenate([solve, -hold], axis=1).astype(real)
        self._compliance = self._face_compliance(resting, solve).astype(real)
        self._calm = 2.0 * self._part * DIFFERENCES.T @ (model.elasticity[:, None] * DIFFERENCES)
        self._rescue = self._part * np.linalg.inv(np.diag(model.masses) + self._part * self._calm)
        shape = (NODES, 3, fishes)
        self._x, self._flow, self._work = (np.empty(shape, real) for _ in range(3))
        self._local = np.empty((2, *shape), real)
        self._turned = np.empty((3, *shape), real)

    def _matrices(self, frames: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """dt A^-1 and dt^2 A^-1 K in the groups' own frames, (69, 69) each."""
        dt = self._part
        turn = np.zeros((3 * NODES, 3 * NODES))
        for node in range(NODES):
            turn[3 * node : 3 * node + 3, 3 * node : 3 * node + 3] = frames[:, node]
        laplacian = DIFFERENCES.T @ (self.model.elasticity[:, None] * DIFFERENCES)
        braced = self.model.stiffness + self.BRACE * np.kron(laplacian, np.eye(3))
        damping = self.model.damping + self._drag()
        matrix = np.diag(np.repeat(self.model.masses, 3)) + dt * damping + dt**2 * braced
        solve = dt * np.linalg.inv(turn @ matrix @ turn.T)
        return solve, dt * solve @ turn @ self.model.stiffness @ turn.T

    def _resting_areas(self) -> np.ndarray:
        """Area times outward normal of each resting triangle, (42, 3)."""
        first, second = (EDGES @ self.model.rest).reshape(2, len(FACES), 3)
        return 0.5 * np.cross(first, second)

    def _drag(self) -> np.ndarray:
        """Damping by the water of the resting skin at the speed `SWIFT`, (69, 69)."""
        areas = self._resting_areas()
        pushed = np.einsum("fn,fc->fnc", CORNERS, areas).reshape(len(FACES), -1)
        strength = self.model.fluid_viscosity * self.SWIFT * self.model.length
        return pushed.T @ (strength / np.linalg.norm(areas, axis=1)[:, None] * pushed)

    def _face_compliance(self, frames: np.ndarray, solve: np.ndarray) -> np.ndarray:
        """Velocity along its normal that a unit force on each resting triangle gives it in a step, (42, 1)."""
        normals = self._resting_areas()
        normals /= np.linalg.norm(normals, axis=1, keepdims=True)
        local = np.einsum("fn,anc,fc->fna", CORNERS, frames, normals).reshape(len(FACES), -1)
        return self.OVERLAP * np.einsum("fi,ij,fj->f", local, solve, local)[:, None]

    def step(
        self, x: np.ndarray, v: np.ndarray, muscles: np.ndarray, water: np.ndarray, pushes: np.ndarray
    ) -> None:
        """Moves positions and velocities on by `dt`, in place."""
        for _ in range(self._parts):
            self._advance(x, v, muscles, water, pushes)

    def _advance(
        self, x: np.ndarray, v: np.ndarray, muscles: np.ndarray, water: np.ndarray, pushes: np.ndarray
    ) -> None:
        dt, near, flow = self._part, self._x, self._flow
        np.subtract(x, x[5:9].mean(axis=0), out=near, casting="same_kind")
        np.subtract(v, water, out=flow, casting="same_kind")
        frames = _group_frames(np.matmul(self._axes, near.reshape(NODES, -1)).reshape(14, 3, -1))
        inertia = self.model.mass / dt
        force = self._forces.evaluate(near, flow, muscles, frames[0, 2], pushes, self._compliance, inertia)
        change = self._deform(force, frames)
        self._rescue_unsound(change, force)
        self._restore_angular_momentum(change)
        exact = change.astype(np.float64)
        impulse = dt * self._forces.external.sum(axis=0, dtype=np.float64)
        exact += (impulse - self.model.momentum(exact)) / self.model.mass
        v += exact
        np.multiply(v, dt, out=exact)
        x += exact

    def _rescue_unsound(self, change: np.ndarray, force: np.ndarray) -> None:
        """Solves anew for the fishes that are stretched or squeezed beyond `SOUND`."""
        shrunk = self._natural * self._forces.units.inverse
        shortest, longest = self.SOUND
        fishes = np.flatnonzero((shrunk.max(axis=0) > 1.0 / shortest) | (shrunk.min(axis=0) < 1.0 / longest))
        if len(fishes):
            load = force[:, :, fishes] - np.tensordot(self._calm, self._flow[:, :, fishes], axes=1)
            change[:, :, fishes] = np.tensordot(self._rescue, load, axes=1)

    def _deform(self, force: np.ndarray, frames: np.ndarray) -> np.ndarray:
        """The change of velocity, solved in the groups' frames, (23, 3, fish)."""
        turned, local, work = self._turned, self._local, self._work
        np.take(frames, GROUPS, axis=1, out=turned)
        for axis in range(3):
            for vectors, components in zip((force, self._flow), local, strict=True):
                np.multiply(turned[axis], vectors, out=work)
                np.add(work[:, 0], work[:, 1], out=components[:, axis])
                components[:, axis] += work[:, 2]
        np.matmul(self._solve, local.reshape(6 * NODES, -1), out=work.reshape(3 * NODES, -1))
        turned *= work.transpose(1, 0, 2)[:, :, None]
        change = local[0]
        np.add(turned[0], turned[1], out=change)
        change += turned[2]
        return change

    def _restore_angular_momentum(self, change: np.ndarray) -> None:
        """Adds the rotation with which the body's spin changes by exactly the torque of the water.

        As x' = x + dt v', the angular momentum changes by the sum of x cross m dv, whatever dv is.
        """
        masses, arms, weighted = self._masses, self._x, self._work
        arms -= np.tensordot(masses[:, 0, 0], arms, axes=1) / np.float32(self.model.mass)
        np.multiply(change, masses, out=weighted)
        wanted = np.float32(self._part) * _cross_sum(arms, self._forces.external) - _cross_sum(arms, weighted)
        np.multiply(arms, masses, out=weighted)
        spin = _solve_symmetric(*_inertia(arms, weighted), wanted)
        for i, j, k in ((0, 1, 2), (1, 2, 0), (2, 0, 1)):
            change[:, i] += spin[j] * arms[:, k] - spin[k] * arms[:, j]


def _cross_sum(arms: np.ndarray, vectors: np.ndarray) -> np.ndarray:
    """The sum over nodes of arms x vectors, (3, fish)."""
    return np.stack(
        [
            (arms[:, j] * vectors[:, k] - arms[:, k] * vectors[:, j]).sum(axis=0)
            for j, k in ((1, 2), (2, 0), (0, 1))
        ]
    )


def _inertia(arms: np.ndarray, weighted: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Moments (xx, yy, zz) and products (yz, zx, xy) of inertia, each (3, fish)."""
    squares = (arms * weighted).sum(axis=0)
    products = np.stack([(arms[:, j] * weighted[:, k]).sum(axis=0) for j, k in ((1, 2), (2, 0), (0, 1))])
    return squares.sum(axis=0) - squares, -products


def _solve_symmetric(diagonal: np.ndarray, off: np.ndarray, right: np.ndarray) -> np.ndarray:
    """Solves symmetric 3 x 3 systems, (3, fish) each: diagonal (00, 11, 22), off-diagonal (12, 20, 01)."""
    after, last = np.roll(diagonal, -1, axis=0), np.roll(diagonal, -2, axis=0)
    near, far = np.roll(off, -1, axis=0), np.roll(off, -2, axis=0)
    minors = after * last - off * off  # cofactors 00, 11, 22
    mixed = near * far - diagonal * off  # cofactors 12, 20, 01
    determinant = diagonal[0] * minors[0] + off[2] * mixed[2] + off[1] * mixed[1]
    crossed = np.roll(mixed, -2, axis=0) * np.roll(right, -1, axis=0) + np.roll(mixed, -1, axis=0) * np.roll(
        right, -2, axis=0
    )
    return (minors * right + crossed) / determinant


def _group_frames(axes: np.ndarray) -> np.ndarray:
    """Unit vectors ahead, left and up of each group, (3, 7, 3, fish), from axes and ups (14, 3, fish)."""
    ahead, up = axes[:7], axes[7:]
    frames = np.empty((3, *ahead.shape), ahead.dtype)
    frames[0] = ahead / np.sqrt((ahead * ahead).sum(axis=1, keepdims=True))
    for i, j, k in ((0, 1, 2), (1, 2, 0), (2, 0, 1)):
        frames[1, :, i] = up[:, j] * frames[0, :, k] - up[:, k] * frames[0, :, j]
    frames[1] /= np.sqrt((frames[1] * frames[1]).sum(axis=1, keepdims=True))
    for i, j, k in ((0, 1, 2), (1, 2, 0), (2, 0, 1)):
        frames[2, :, i] = frames[0, :, j] * frames[1, :, k] - frames[0, :, k] * frames[1, :, j]
    return frames
