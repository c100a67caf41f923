"""The scheme in use: it does not explode. This is its definition; kernel/ has it compiled."""

from __future__ import annotations

import numpy as np

from .anatomy import NODES
from .dynamics import BodyModel
from .forces import Fins, Forces
from .integrators import Integrator
from .scheme import Scheme
from .spine import NODE_GROUPS, Spine

FORCE_PRECISION = np.float32
"""The precision of forces and the solve."""


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
    3. Its effect on the momenta is undone: after the solve, a rigid motion is added so that linear and angular
       momentum change by exactly the impulse and torque of the water. Internal forces conserve both.
    4. A fish of which a node is to change its way by more than `JUMP_LENGTHS` in one step, which no command brings to a
       shipped species, loses all motion but the rigid and creeps back towards its shape.

    It holds up to steps of `LONGEST_BOOK_STEP`; a mover takes a longer one as several.

    Positions, velocities and linear momentum are float64. Forces and the solve, which only enter multiplied by the
    step, are float32. kernel/kernel.c is the same scheme, compiled.
    """

    def __init__(self, model: BodyModel, fishes: int, dt: float, fins: Fins):
        """Prepares for bodies and steps of `dt` book units."""
        self.model, self.dt = model, dt
        self._scheme = Scheme(model, dt)
        self._solve, self._hold, self._rescue = (
            matrix.astype(FORCE_PRECISION) for matrix in (self._scheme.solve, self._scheme.hold, self._scheme.rescue)
        )
        self._forces = Forces(model, fins, FORCE_PRECISION, self._scheme.limits)
        self._spine = Spine(model, FORCE_PRECISION)
        self._shares = (model.masses / model.mass)[:, None, None]
        self._rates = (model.masses / dt).astype(FORCE_PRECISION)[:, None, None]

    def step(self, x: np.ndarray, v: np.ndarray, muscles: np.ndarray, water: np.ndarray) -> None:
        """Moves positions and velocities on by `dt`, in place."""
        arms = (x - (self._shares * x).sum(axis=0)).astype(FORCE_PRECISION)
        flow = (v - water).astype(FORCE_PRECISION)
        frames = self._spine.measure(arms)
        total, external = self._forces.evaluate(arms, flow, muscles, frames)
        change = self._deform(total, flow, frames)
        change = self._rescue_unsound(change, total - external, flow)
        change = change + self._restoring_spin(arms, external, change)
        exact = change.astype(float)
        impulse = external.sum(axis=0) * FORCE_PRECISION(self.dt / self.model.mass)
        v += exact + (impulse - (self._shares * exact).sum(axis=0))
        x += self.dt * v

    def _deform(self, total: np.ndarray, flow: np.ndarray, frames: np.ndarray) -> np.ndarray:
        """The change of velocity, (23, 3, fish), solved in the groups' frames."""
        turned = frames[:, NODE_GROUPS]
        force, moving = (np.einsum("ancf,ncf->anf", turned, values) for values in (total, flow))
        force = self._spine.unfold_force(force).reshape(3 * NODES, -1)
        moving = self._spine.unfold(moving).reshape(3 * NODES, -1)
        solved = (self._solve @ force - self._hold @ moving).reshape(3, NODES, -1)
        return np.einsum("ancf,anf->ncf", turned, self._spine.fold(solved))

    def _rescue_unsound(self, change: np.ndarray, pulled: np.ndarray, flow: np.ndarray) -> np.ndarray:
        """The change of velocity, solved anew for the fishes that jump.

        Twice the unit stiffnesses in all directions are more than any unit can have, so what is stretched creeps back,
        by `CREEP_LENGTHS` a step at most. Momentum and spin are restored afterwards.
        """
        sound = np.abs(change).max(axis=(0, 1)) <= self._scheme.most_change
        if sound.all():
            return change
        creep = np.einsum("nm,mcf->ncf", self._rescue, pulled)
        creep = creep / np.maximum(np.abs(creep).max(axis=(0, 1)) / FORCE_PRECISION(self._scheme.most_creep), 1)
        return np.where(sound, change, creep - flow)

    def _restoring_spin(self, arms: np.ndarray, external: np.ndarray, change: np.ndarray) -> np.ndarray:
        """The rotation with which the body's spin changes by exactly the torque of the water, (23, 3, fish).

        As x' = x + dt v', the angular momentum changes by the sum of x cross m dv, whatever dv is.
        """
        lacking = np.cross(arms, external - self._rates * change, axis=1).sum(axis=0)
        moments = np.einsum("nif,njf->fij", arms, self._rates * arms)
        inertia = np.trace(moments, axis1=1, axis2=2)[:, None, None] * np.eye(3, dtype=FORCE_PRECISION) - moments
        spin = _solve_symmetric(inertia, lacking.T)
        spin = np.clip(spin, -self._scheme.most_spin, self._scheme.most_spin).astype(FORCE_PRECISION)
        return np.cross(spin.T[None], arms, axis=1)


def _solve_symmetric(matrix: np.ndarray, vector: np.ndarray) -> np.ndarray:
    """Solves M w = b by cofactors, (fish, 3); for M = 0, a body without size, no numbers."""
    first, second, third = matrix.swapaxes(0, 1)
    cofactors = np.stack([np.cross(second, third), np.cross(third, first), np.cross(first, second)], axis=1)
    determinant = (first * cofactors[:, 0]).sum(axis=1)
    return np.einsum("fij,fj->fi", cofactors, vector) / determinant[:, None]
