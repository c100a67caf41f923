"""The water's forces on the skin (Tu 1999, §4.4)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..base.constants import constant
from .anatomy import FACES, LOWER_TIP_NODE, NODES, RING_NODES, TRUNK_FACES, UPPER_TIP_NODE
from .dynamics import BodyModel
from .tuning import MOST_STOPPED_SHARE

NODES_TO_FACES = np.zeros((len(FACES), NODES))
"""The map from nodes to the middles of the triangles, (42, 23); transposed, it gives each corner a third."""
for _corner in range(3):
    NODES_TO_FACES[np.arange(len(FACES)), FACES[:, _corner]] += 1.0 / 3.0
constant(NODES_TO_FACES)


NODES_TO_EDGES = np.zeros((2 * len(FACES), NODES))
"""The map from nodes to two edges of each triangle, (84, 23): first corner to second, then first to third."""
for _corner in (1, 2):
    _rows = np.arange(len(FACES)) + (_corner - 1) * len(FACES)
    NODES_TO_EDGES[_rows, FACES[:, _corner]] = 1.0
    NODES_TO_EDGES[_rows, FACES[:, 0]] = -1.0
constant(NODES_TO_EDGES)


NODES_TO_TAIL = np.zeros((1, NODES))
"""The map from nodes to the middle of the tail, (1, 23); transposed, it hands a force on to the tail."""
NODES_TO_TAIL[0, [*RING_NODES[-1], UPPER_TIP_NODE, LOWER_TIP_NODE]] = 1.0 / 6.0
constant(NODES_TO_TAIL)


@dataclass(frozen=True, eq=False)
class Limits:
    """Bounds that keep a step from overshooting; such forces do not occur in swimming.

    No force is stronger than what stops a triangle or the tail within the step, and all together are no stronger than
    what stops the fish.

    Attributes:
        faces: The velocity that a force of one on each triangle gives it in a step, (42, 1).
        tail: The same of the tail, across it.
        inertia: Mass of a fish over the step.
    """

    faces: np.ndarray
    tail: float
    inertia: float


class WaterForces:
    """The water's push on each triangle of the skin of a block of fishes.

    The force is that of equation 4.3, with one documented term beside it. `streamlining`: water closes again
    behind a streamlined trunk and pushes it forward there, which a triangle that can only be pushed back cannot
    feel. So this share of the force's component along the fish is dropped on all triangles but the sides of the
    tail. At 0 the force is the book's.
    """

    def __init__(self, model: BodyModel, dtype: type = np.float64, limits: Limits | None = None):
        """Prepares for bodies in this precision."""
        # The flow is measured so that half the viscosity is one.
        unit = np.sqrt(0.5 * model.fluid_viscosity)
        self._against_corners = (-unit * NODES_TO_FACES).astype(dtype)
        self._streamlining = np.zeros((len(FACES), 1), dtype)
        self._streamlining[TRUNK_FACES] = model.streamlining
        self._limited = limits is not None
        if limits is not None:
            self._compliance = (unit * limits.faces).astype(dtype)
            self._stopping = dtype(-unit / (MOST_STOPPED_SHARE * limits.inertia))

    def evaluate(self, x: np.ndarray, v: np.ndarray, ahead: np.ndarray) -> np.ndarray:
        """The force on each triangle, (42, 3, fish).

        Args:
            x: Positions, (23, 3, fish).
            v: Velocities relative to the water, (23, 3, fish).
            ahead: Unit vectors along the fish, (3, fish).
        """
        a, b, c = (x[corner] for corner in FACES.T)
        normals = np.cross(b - a, c - a, axis=1)  # N = 2 A n
        flow = np.einsum("in,ncf->icf", self._against_corners, v)  # the water's past the triangle, -v
        square = (normals * normals).sum(axis=1)
        drag = np.sqrt((flow * flow).sum(axis=1) * square)
        # min[0, -mu A |v| (n.v)] n, eq. 4.3: the drag mu A |v|, times min[0, -N.v] / N.N, times N
        into = np.minimum((normals * flow).sum(axis=1), 0)
        push = into * drag / square
        if self._limited:
            push /= np.maximum(drag * self._compliance, 1)
            push /= np.maximum(self._stopping * into.sum(axis=0), 1)
        along = (normals * ahead).sum(axis=1) * self._streamlining
        return push[:, None] * (normals - along[:, None] * ahead)


class TailReaction:
    """The reactive force of the water that leaves the tail (Lighthill 1971, eq. 4), which the book has not.

    A tail that moves sideways at w gives the water that it sweeps the momentum m w a length, and leaves it behind as
    it moves ahead at u: F = m (w^2 / 2 ahead - u w left), along and across the tail, where m = reaction pi/4 mu s^2
    is the inertia of the water about a tail of the span s. Of Lighthill's force this is the part that has a mean;
    the rest, the rate of the momentum that the water beside the body has, averages to nothing over a beat and is
    left out. Tails that move backwards leave no wake. The work on the fish is -m w^2 |u| / 2 and never feeds it.
    """

    def __init__(self, model: BodyModel, limits: Limits | None = None):
        """Prepares for a body."""
        self._inertia = model.tail_inertia
        self._strength = limits.tail * model.tail_inertia if limits else 0.0

    def evaluate(self, flow: np.ndarray, ahead: np.ndarray, left: np.ndarray) -> np.ndarray:
        """The force on the tail, (3, fish).

        Args:
            flow: Velocity of the tail's middle relative to the water, (3, fish).
            ahead: Unit vectors along the tail, (3, fish).
            left: Unit vectors across it, (3, fish).
        """
        along, across = (flow * ahead).sum(axis=0), (flow * left).sum(axis=0)
        lost = -self._inertia * across  # momentum of the fish, lost to the wake
        lost = lost / np.maximum(self._strength * (np.abs(along) + np.abs(across)), 1)
        return lost * (np.maximum(along, 0) * left - 0.5 * across * ahead)
