"""The integrator in use: it does not explode, and moves many fishes at once."""

from __future__ import annotations

import numpy as np
from scipy.linalg import block_diag

from ..base.memory import Scratch, aligned, kept
from .anatomy import NODES
from .dynamics import BodyModel
from .forces import Fins, Forces
from .hydrodynamics import WaterForces, largest
from .integrators import Integrator
from .scheme import Scheme
from .spine import CYCLED_AXES, NODE_GROUPS, Spine

CROSS_PRODUCT = np.zeros((3, 3, 3))
"""The cross product, (a x b)_i = CROSS_ijk a_j b_k."""
for _i, _j, _k in ((0, 1, 2), (1, 2, 0), (2, 0, 1)):
    CROSS_PRODUCT[_i, _j, _k], CROSS_PRODUCT[_i, _k, _j] = 1.0, -1.0

MOMENTS_TO_INERTIA = np.multiply.outer(np.eye(3), np.eye(3)) - np.eye(9).reshape(3, 3, 3, 3)
"""The map from second moments S to the tensor of inertia I, tr S - S, (3, 3, 3, 3)."""
_NEXT, _LAST = CYCLED_AXES[1:4], CYCLED_AXES[2:]
MOMENTS_TO_FACTORS = np.stack(
    [
        MOMENTS_TO_INERTIA[row][:, column]
        for row, column in ((_NEXT, _NEXT), (_NEXT, _LAST), (_LAST, _LAST), (_LAST, _NEXT))
    ]
)
"""The map from S to the factors of I's cofactors, (4, 3, 3, 3, 3): the first times the third less the second times
the fourth."""


class Production(Integrator):
    """A linearly implicit Euler scheme with a constant matrix per species, that does not explode.

    With A = M + dt (C + D) + dt^2 K of the resting body,

        A dv = dt (f(x, v) - dt K v),   v' = v + dv,   x' = x + dt v'.

    C is the damping and K the stiffness of the units, and D the drag of the skin moving at `SWIFT_SPEED`, about the
    speed of a tail at full swim. None of them need be exact, for f is: what they lack or have in excess goes with the
    step, which is of first order. Four measures make the scheme robust and true where the body is bent.

    1. The solve is one for the straight body: each of seven groups of nodes (nose, rings, tail) is turned by its own
       frame into the resting pose before it and back after it, and the bend between them is unfolded and folded again
       (`Spine`). So stiff motions are stiff and soft ones soft however far the body is bent. Unfolding keeps work, not
       inertia: that of a bending motion is the straight body's, which is off by the square of the bend and is the one
       error that does not vanish with the step. It moves the path of a swimming or turning fish by less than a
       hundredth (tests/core/body/test_production.py).
    2. `BRACING` adds a share of the unit stiffnesses in all directions to K in A, for units turned within a group.
    3. What that does to the momenta is undone: after the solve, a rigid motion is added so that linear and angular
       momentum change by exactly the impulse and torque of the water. Internal forces conserve both.
    4. A fish of which a node is to change its way by more than `JUMP_LENGTHS` in one step, which no command brings to a
       shipped species, loses all motion but the rigid and creeps back towards its shape.

    It holds up to steps of `LONGEST_BOOK_STEP`; whoever moves a body takes a longer one as several.

    Positions, velocities and linear momentum are float64. Forces and the solve, which only enter multiplied by the
    step, are float32.
    """

    def __init__(self, model: BodyModel, fishes: int, dt: float, fins: Fins):
        """Prepares for blocks of this many fishes and steps of `dt` book units."""
        self.model, self.dt = model, dt
        real = np.float32
        scratch = Scratch(max(WaterForces.ROWS, 9 * 3 * NODES) * fishes, real)
        self._shares = (model.masses / model.mass)[None]
        self._spine = Spine(model, fishes, real)
        inertias = np.concatenate([MOMENTS_TO_INERTIA[:1], *MOMENTS_TO_FACTORS]).reshape(39, 9)
        self._moments = block_diag(CROSS_PRODUCT.reshape(3, 9), inertias).astype(real)
        self._impulse = np.full((1, NODES), dt / model.mass, real)
        # As two products of a size for which libraries have a faster way than for one of twice the size.
        self._scheme = scheme = Scheme(model, dt)
        self._solve = np.stack([scheme.solve, -scheme.hold]).astype(real)
        self._forces = Forces(model, fishes, fins, real, scratch, scheme.limits)
        # Constants are spread over the fishes, for NumPy is fastest on arrays of one shape.
        self._rates = kept(np.tile((model.masses / self.dt)[:, None], (3, 1, fishes)), real)
        shape = (3, NODES, fishes)
        self._x = aligned((5, *shape[1:]), real)
        self._vectors = aligned((2, *shape), real)
        self._forces.total, self._flow = self._vectors
        self._frames, self._pair, self._solved, self._change, self._work = scratch.arrays(
            (3, *shape), (2, *shape), (2, 3 * NODES, fishes), shape, shape
        )
        self._exact = self._solved.reshape(-1).view(float).reshape(shape)  # the same memory, in turns

    def step(self, x: np.ndarray, v: np.ndarray, muscles: np.ndarray, water: np.ndarray) -> None:
        """Moves positions and velocities on by `dt`, in place."""
        dt, near, flow, exact = self.dt, self._x[:3], self._flow, self._exact
        x, v = x.swapaxes(0, 1), v.swapaxes(0, 1)
        np.subtract(x, self._shares @ x, out=near, casting="same_kind")
        np.subtract(v, water[:, None], out=flow, casting="same_kind")
        frames = self._spine.measure(near)
        self._forces.evaluate(near.swapaxes(0, 1), flow.swapaxes(0, 1), muscles, frames)
        self._deform(frames)
        self._rescue_unsound()
        self._restore_angular_momentum()
        exact[:] = self._change
        exact += self._impulse @ self._forces.external - self._shares @ exact
        v += exact
        np.multiply(v, dt, out=exact)
        x += exact

    def _deform(self, frames: np.ndarray) -> None:
        """The change of velocity, solved in the groups' frames."""
        turned, local, solved = self._frames, self._pair, self._work
        frames.take(NODE_GROUPS, axis=2, out=turned, mode="clip")
        np.einsum("acnf,kcnf->kanf", turned, self._vectors, out=local)
        self._spine.unfold_force(local[0])
        self._spine.unfold(local[1])
        np.matmul(self._solve, local.reshape(2, 3 * NODES, -1), out=self._solved)
        np.add(self._solved[0], self._solved[1], out=solved.reshape(3 * NODES, -1))
        self._spine.fold(solved)
        np.einsum("acnf,anf->cnf", turned, solved, out=self._change)

    def _rescue_unsound(self) -> None:
        """Solves anew for the fishes that jump.

        Twice the unit stiffnesses in all directions are more than any unit can have, so what is stretched creeps back,
        by `CREEP_LENGTHS` a step at most. Momentum and spin are restored afterwards.
        """
        change, most = self._change, self._scheme.most_change
        if largest(change) <= most:
            return
        unsound = ~(np.abs(change).max(axis=(0, 1)) <= most)
        load = self._forces.total[..., unsound] - self._forces.external[..., unsound]
        creep = self._scheme.rescue @ load
        creep /= np.maximum(np.abs(creep).max(axis=(0, 1)) * (1.0 / self._scheme.most_creep), 1.0)
        self._change[..., unsound] = creep - self._flow[..., unsound]

    def _restore_angular_momentum(self) -> None:
        """Adds the rotation with which the body's spin changes by exactly the torque of the water.

        As x' = x + dt v', the angular momentum changes by the sum of x cross m dv, whatever dv is.
        """
        arms, change, work = self._x[:3], self._change, self._work
        lacking, weighted = self._pair  # force that the change leaves out, and m arms / dt
        np.multiply(change, self._rates, out=work)
        np.subtract(self._forces.external, work, out=lacking)
        np.multiply(arms, self._rates, out=weighted)
        moments = np.einsum("inf,kjnf->kijf", arms, self._pair)
        spin = self._spin(np.dot(self._moments, moments.reshape(18, -1)))
        most = self._scheme.most_spin
        if not largest(spin) <= most:
            np.minimum(spin, most, out=spin)
            np.maximum(spin, -most, out=spin)
        spin = spin.take(CYCLED_AXES, axis=0, mode="clip")
        self._x[3:] = arms[:2]
        change += np.multiply(spin[1:4, None], self._x[2:], out=work)
        change -= np.multiply(spin[2:, None], self._x[1:4], out=work)

    def _spin(self, moments: np.ndarray) -> np.ndarray:
        """Solves I w = L by cofactors; w, (3, fish), for L, the first row of I and the factors, (3 + 3 + 36, fish)."""
        first, second = moments[6:].reshape(2, 2, 3, 3, -1)
        products = first * second
        cofactors = products[0] - products[1]
        # L and the first row of I lie together; the latter times its own cofactors is the determinant.
        along, determinants = np.einsum("ijf,kjf->kif", cofactors, moments[:6].reshape(2, 3, -1))
        return along / determinants[0]
