"""Constants of the production scheme for a species and a step: its matrices and its limits."""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from ..base.constants import constant
from ..base.matrices import inverse, product
from ..base.sums import total
from ..base.vectors import cross, dot, norm, unit
from ..scene.physique import Body
from .anatomy import FACES, MIRROR_NODES, NODES
from .dynamics import NODES_TO_UNITS, BodyModel
from .hydrodynamics import NODES_TO_EDGES, NODES_TO_FACES, NODES_TO_TAIL, Limits
from .spine import LEFT_AXIS, NODE_GROUPS, Spine
from .tuning import (
    BRACING,
    CREEP_LENGTHS,
    FACE_OVERLAP,
    JUMP_LENGTHS,
    MOST_SPIN_RADIANS,
    MOST_STOPPED_SHARE,
    SWIFT_SPEED,
)

MIRRORED = (3 * MIRROR_NODES[:, None] + np.arange(3)).ravel()
"""Row of the velocity that is each one's mirror image in the median plane, node by node, (69,)."""
MIRROR_SIGNS = np.tile([1.0, -1.0, 1.0], NODES)
constant(MIRRORED)
constant(MIRROR_SIGNS)


class Scheme:
    """The constants of `Production` for one species and one length of the step.

    Velocities and forces of the nodes are in their groups' own frames here, components first: (69,) is 23 times up,
    then ahead, then to the left. Left mirrors right in all of it.

    Attributes:
        model: The body.
        dt: The step in book units.
        solve: dt A^-1, (69, 69).
        hold: dt^2 A^-1 K, (69, 69).
        rescue: dt times the inverse of the matrix for the nodes of an unsound fish, (23, 23).
        limits: Bounds that keep the forces of the water from overshooting.
        most_change: Change of a node's velocity from which a fish is unsound.
        most_creep: Largest change of a node's velocity in an unsound fish.
        most_spin: The most that its spin changes in a step.
    """

    def __init__(self, model: BodyModel, dt: float):
        """Prepares for steps of `dt` book units."""
        self.model, self.dt = model, dt
        frames = Spine(model).frames[..., 0][:, NODE_GROUPS]
        laplacian = product(NODES_TO_UNITS.T, model.elasticity[:, None] * NODES_TO_UNITS)
        braced = model.stiffness + BRACING * np.kron(laplacian, np.eye(3))
        matrix = np.diag(np.repeat(model.masses, 3)) + dt * (model.damping + self._drag()) + dt * dt * braced
        self.solve = dt * inverse(_turned(frames, _turned(frames, matrix).T).T)
        behind = _sum_in_sequence(self.solve.reshape(-1, 3, NODES)[..., None] * frames, axis=1)
        self.hold = dt * _turned(frames, product(behind.reshape(-1, 3 * NODES), model.stiffness).T).T
        self.rescue = dt * inverse(np.diag(model.masses) + 2.0 * dt * dt * laplacian)
        sideways = np.kron(np.eye(3)[LEFT_AXIS], NODES_TO_TAIL)
        tail = float(product(sideways, self.solve, sideways.T)[0, 0] + dt / (MOST_STOPPED_SHARE * model.mass))
        self.limits = Limits(self._face_compliance(frames), tail, model.mass / dt)
        self.most_change = JUMP_LENGTHS * model.length / dt
        self.most_creep = CREEP_LENGTHS * model.length / dt
        self.most_spin = MOST_SPIN_RADIANS / dt

    def _resting_areas(self) -> np.ndarray:
        """Area times outward normal of each resting triangle, (42, 3)."""
        first, second = product(NODES_TO_EDGES, self.model.rest).reshape(2, len(FACES), 3)
        return 0.5 * cross(first, second)

    def _drag(self) -> np.ndarray:
        """Damping by the water of the resting skin at the speed `SWIFT_SPEED`, (69, 69), node by node.

        The diagonals of back and belly favour a side by a little; the mean with its mirror image does not.
        """
        areas = self._resting_areas()
        pushed = (NODES_TO_FACES[:, :, None] * areas[:, None]).reshape(len(FACES), -1)
        strength = self.model.fluid_viscosity * SWIFT_SPEED * self.model.length
        drag = product(pushed.T, strength / norm(areas)[:, None] * pushed)
        sideways = np.kron(NODES_TO_TAIL, [0.0, 1.0, 0.0])[0]
        drag += self.model.tail_inertia * SWIFT_SPEED * self.model.length * np.outer(sideways, sideways)
        image = np.outer(MIRROR_SIGNS, MIRROR_SIGNS) * drag[MIRRORED[:, None], MIRRORED]
        return 0.5 * (drag + image)

    def _face_compliance(self, frames: np.ndarray) -> np.ndarray:
        """Velocity along its normal that a unit force on each resting triangle gives it in a step, (42, 1)."""
        normals = unit(self._resting_areas())
        along = dot(frames, normals[:, None, None])  # components of each node's up, ahead and left along it
        local = (NODES_TO_FACES[:, None] * along).reshape(len(FACES), -1)
        return FACE_OVERLAP * total(product(local, self.solve) * local)[:, None]


def _turned(frames: np.ndarray, matrix: np.ndarray) -> np.ndarray:
    """Rows of a matrix (69, n), node by node, in the groups' frames (3, 23, 3), components first, (69, n)."""
    nodes = matrix.reshape(NODES, 3, -1)
    return _sum_in_sequence(frames[..., None] * nodes, axis=2).reshape(3 * NODES, -1)


def _sum_in_sequence(terms: np.ndarray, axis: int) -> np.ndarray:
    """The sum of three terms along an axis, one after the other, as `product` has it."""
    first, second, third = np.moveaxis(terms, axis, 0)
    return (first + 0.0) + second + third


def scheme_of(model: BodyModel, dt: float) -> Scheme:
    """The constants of a body for steps of `dt` book units, which worlds of its species share."""
    return _scheme(model.body, model.fluid, dt)


@lru_cache(maxsize=32)
def _scheme(body: Body, fluid: float, dt: float) -> Scheme:
    return Scheme(BodyModel(body, fluid), dt)
