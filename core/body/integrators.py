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

from .anatomy import FACES, LOWER_TIP, NODES, RINGS, UNITS, UPPER_TIP
from .dynamics import DIFFERENCES, BodyModel, UnitForces
from .hydrodynamics import CORNERS, EDGES, WaterForces

HALF_BANDWIDTH = 7


class Integrator(Protocol):
    """Anything that moves a block of fishes on by one step."""

    dt: float

    def step(self, x: np.ndarray, v: np.ndarray, muscles: np.ndarray, water: np.ndarray, pushes: np.ndarray) -> None:
        """Moves positions and velocities on by `dt`, in place."""


class _Forces:
    """All forces on a block of fishes, gathered at the nodes.

    Arrays that are ours have the three components first in memory, which lets NumPy run through them in one go,
    and the nodes first in shape where they are handed on.
    """

    def __init__(self, model: BodyModel, fishes: int, fin_weights: np.ndarray, dtype: type):
        self.units = UnitForces(model, fishes, dtype)
        self.skin = WaterForces(model, fishes, dtype)
        self._units_to_nodes = np.ascontiguousarray(-DIFFERENCES.T.astype(dtype))
        self._water_to_nodes = np.ascontiguousarray(np.concatenate([CORNERS, fin_weights]).T.astype(dtype))
        self._units = np.empty((3, len(UNITS), fishes), dtype)
        self._water = np.empty((3, len(FACES) + 2, fishes), dtype)
        self.total, self.external = (np.empty((3, NODES, fishes), dtype) for _ in range(2))

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

        What the water alone does stays in `external`, and this in `total`, (3, 23, fish) both.
        """
        water = self._water.swapaxes(0, 1)
        self.units.evaluate(x, flow, muscles, self._units.swapaxes(0, 1))
        self.skin.evaluate(x, flow, ahead, water[:-2], compliance, inertia, self.units.spans)
        water[-2:] = pushes
        np.matmul(self._units_to_nodes, self._units, out=self.total)
        np.matmul(self._water_to_nodes, self._water, out=self.external)
        self.total += self.external
        return self.total.swapaxes(0, 1)


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

    def step(self, x: np.ndarray, v: np.ndarray, muscles: np.ndarray, water: np.ndarray, pushes: np.ndarray) -> None:
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

    def step(self, x: np.ndarray, v: np.ndarray, muscles: np.ndarray, water: np.ndarray, pushes: np.ndarray) -> None:
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
    """The maps from nodes to the axes and to the up directions of the seven groups, (2, 7, 23)."""
    middles = np.array([(GROUPS == group) / np.sum(GROUPS == group) for group in range(7)])
    axes = np.array([middles[max(group - 1, 0)] - middles[min(group + 1, 6)] for group in range(7)])
    ups = np.zeros((7, NODES))
    for group, ring in enumerate(RINGS, start=1):
        ups[group, ring] = (1, 1, -1, -1)
    ups[0] = ups[1]
    ups[6, [UPPER_TIP, LOWER_TIP]] = (1, -1)
    return np.stack([axes, ups])


CYCLE = np.array([0, 1, 2, 0, 1])
"""The components x y z x y: a cross product of vectors written so is three operations on whole arrays, (5,)."""

CROSS = np.zeros((3, 3, 3))
"""The cross product, (a x b)_i = CROSS_ijk a_j b_k."""
for _i, _j, _k in ((0, 1, 2), (1, 2, 0), (2, 0, 1)):
    CROSS[_i, _j, _k], CROSS[_i, _k, _j] = 1.0, -1.0

INERTIA = (np.multiply.outer(np.eye(3), np.eye(3)) - np.eye(9).reshape(3, 3, 3, 3))[CYCLE][:, CYCLE]
"""The map from second moments S to the tensor of inertia, tr S - S, written x y z x y both ways, (5, 5, 3, 3)."""


class Production:
    """A linearly implicit Euler scheme with a constant matrix per species, that does not explode.

    With A = M + dt (C + D) + dt^2 K of the resting body,

        A dv = dt (f(x, v) - dt K v),   v' = v + dv,   x' = x + dt v'.

    C is the damping and K the stiffness of the units, and D the drag of the skin moving at `SWIFT` body lengths in
    a book unit of time, which is about the speed of a tail at full swim. None of them need be exact, for f is: what
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

    SWIFT = 0.03
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
        self._shares = (model.masses / model.mass)[None]
        self._axes = _group_axes()[:, None].astype(real)
        self._cross, self._inertia = CROSS.reshape(3, 9).astype(real), INERTIA.reshape(25, 9).astype(real)
        self._everywhere = np.ones((1, NODES), real)
        resting = _group_frames((_group_axes() @ model.rest)[..., None].swapaxes(1, 2))[..., GROUPS, 0]
        solve, hold = self._matrices(resting)
        self._solve = np.concatenate([solve, -hold], axis=1).astype(real)
        self._calm = 2.0 * self._part * DIFFERENCES.T @ (model.elasticity[:, None] * DIFFERENCES)
        self._rescue = self._part * np.linalg.inv(np.diag(model.masses) + self._part * self._calm)
        # Constants are spread over the fishes, for NumPy is fastest on arrays of one shape.
        self._compliance = np.repeat(self._face_compliance(resting, solve).astype(real), fishes, axis=1)
        self._natural = np.repeat(model.natural.astype(real)[:, None], fishes, axis=1)
        self._rates = np.tile((model.masses / self._part).astype(real)[:, None], (3, 1, fishes))
        shape = (3, NODES, fishes)
        self._x = np.empty((5, *shape[1:]), real)
        self._vectors, self._pair = (np.empty((2, *shape), real) for _ in range(2))
        self._forces.total, self._flow = self._vectors
        self._frames = np.empty((3, *shape), real)
        self._change, self._work = (np.empty(shape, real) for _ in range(2))
        self._exact, self._shrunk = np.empty(shape), np.empty_like(self._natural)

    def _matrices(self, frames: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """The matrices dt A^-1 and dt^2 A^-1 K in the groups' own frames, components first, (69, 69) each."""
        dt = self._part
        turn = np.einsum("acn,nm->anmc", frames, np.eye(NODES)).reshape(3 * NODES, 3 * NODES)
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
        local = np.einsum("fn,acn,fc->fan", CORNERS, frames, normals).reshape(len(FACES), -1)
        return self.OVERLAP * np.einsum("fi,ij,fj->f", local, solve, local)[:, None]

    def step(self, x: np.ndarray, v: np.ndarray, muscles: np.ndarray, water: np.ndarray, pushes: np.ndarray) -> None:
        """Moves positions and velocities on by `dt`, in place."""
        for _ in range(self._parts):
            self._advance(x, v, muscles, water, pushes)

    def _advance(
        self, x: np.ndarray, v: np.ndarray, muscles: np.ndarray, water: np.ndarray, pushes: np.ndarray
    ) -> None:
        dt, near, flow, exact = self._part, self._x[:3], self._flow, self._exact
        x, v = x.swapaxes(0, 1), v.swapaxes(0, 1)
        np.subtract(x, self._shares @ x, out=near, casting="same_kind")
        np.subtract(v, water[:, None], out=flow, casting="same_kind")
        frames = _group_frames(np.matmul(self._axes, near))
        nodes, inertia = near.swapaxes(0, 1), self.model.mass / dt
        self._forces.evaluate(nodes, flow.swapaxes(0, 1), muscles, frames[0, :, 2], pushes, self._compliance, inertia)
        self._deform(frames)
        self._rescue_unsound()
        self._restore_angular_momentum()
        exact[:] = self._change
        exact += (dt / self.model.mass) * (self._everywhere @ self._forces.external) - self._shares @ exact
        v += exact
        np.multiply(v, dt, out=exact)
        x += exact

    def _deform(self, frames: np.ndarray) -> None:
        """The change of velocity, solved in the groups' frames."""
        turned, local, solved = self._frames, self._pair, self._work
        frames.take(GROUPS, axis=2, out=turned, mode="clip")
        np.einsum("acnf,kcnf->kanf", turned, self._vectors, out=local)
        np.matmul(self._solve, local.reshape(6 * NODES, -1), out=solved.reshape(3 * NODES, -1))
        np.einsum("acnf,anf->cnf", turned, solved, out=self._change)

    def _rescue_unsound(self) -> None:
        """Solves anew for the fishes that are stretched or squeezed beyond `SOUND`."""
        shrunk = np.multiply(self._natural, self._forces.units.inverse, out=self._shrunk)
        shortest, longest = self.SOUND
        if shrunk.max() <= 1.0 / shortest and shrunk.min() >= 1.0 / longest:
            return
        unsound = (shrunk.max(axis=0) > 1.0 / shortest) | (shrunk.min(axis=0) < 1.0 / longest)
        load = self._forces.total[..., unsound] - self._calm @ self._flow[..., unsound]
        self._change[..., unsound] = self._rescue @ load

    def _restore_angular_momentum(self) -> None:
        """Adds the rotation with which the body's spin changes by exactly the torque of the water.

        As x' = x + dt v', the angular momentum changes by the sum of x cross m dv, whatever dv is.
        """
        arms, change, work = self._x[:3], self._change, self._work
        lacking, weighted = self._pair  # force that the change leaves out, and m arms / dt
        np.multiply(change, self._rates, out=work)
        np.subtract(self._forces.external, work, out=lacking)
        np.multiply(arms, self._rates, out=weighted)
        torque, spread = np.einsum("inf,kjnf->kijf", arms, self._pair)
        spin = self._solve_inertia(spread, self._cross @ torque.reshape(9, -1)).take(CYCLE, axis=0, mode="clip")
        self._x[3:] = arms[:2]
        change += np.multiply(spin[1:4, None], self._x[2:], out=work)
        change -= np.multiply(spin[2:, None], self._x[1:4], out=work)

    def _solve_inertia(self, spread: np.ndarray, torque: np.ndarray) -> np.ndarray:
        """Solves (tr S - S) w = L for S (3, 3, fish) and L (3, fish) by cofactors; w, (3, fish)."""
        tensor = (self._inertia @ spread.reshape(9, -1)).reshape(5, 5, -1)
        cofactors = tensor[1:4, 1:4] * tensor[2:, 2:] - tensor[1:4, 2:] * tensor[2:, 1:4]
        determinant = np.einsum("jf,jf->f", tensor[0, :3], cofactors[0])
        return np.einsum("ijf,jf->if", cofactors, torque) / determinant


def _group_frames(axes: np.ndarray) -> np.ndarray:
    """Unit vectors ahead, left and up of each group, (3, 3, 7, fish), from axes and ups (2, 3, 7, fish)."""
    frames = np.empty((3, *axes.shape[1:]), axes.dtype)
    level, left, up = frames[:2], frames[1], frames[2]
    level[0] = axes[0]
    _cross(axes[1], axes[0], out=left)
    level /= np.sqrt(np.einsum("acgf,acgf->agf", level, level))[:, None]
    _cross(level[0], left, out=up)
    return frames


def _cross(first: np.ndarray, second: np.ndarray, out: np.ndarray) -> None:
    """Fills `out` with first x second, (3, ...)."""
    first, second = first.take(CYCLE, axis=0, mode="clip"), second.take(CYCLE, axis=0, mode="clip")
    np.multiply(first[1:4], second[2:], out=out)
    out -= first[2:] * second[1:4]
