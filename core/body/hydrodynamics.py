"""The water's forces on the skin (Tu 1999, §4.4)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.linalg import blas

from ..base.memory import Scratch, aligned
from .anatomy import FACES, LOWER_TIP_NODE, NODES, RING_NODES, TRUNK_FACES, UNITS, UPPER_TIP_NODE
from .dynamics import NODES_TO_UNITS, BodyModel
from .tuning import MOST_STOPPED_SHARE

NODES_TO_FACES = np.zeros((len(FACES), NODES))
"""The map from nodes to the middles of the triangles, (42, 23); transposed, it gives each corner a third."""
for _corner in range(3):
    NODES_TO_FACES[np.arange(len(FACES)), FACES[:, _corner]] += 1.0 / 3.0


NODES_TO_EDGES = np.zeros((2 * len(FACES), NODES))
"""The map from nodes to two edges of each triangle, (84, 23): first corner to second, then first to third."""
for _corner in (1, 2):
    _rows = np.arange(len(FACES)) + (_corner - 1) * len(FACES)
    NODES_TO_EDGES[_rows, FACES[:, _corner]] = 1.0
    NODES_TO_EDGES[_rows, FACES[:, 0]] = -1.0


def _sides() -> np.ndarray:
    """For each triangle the rows of two units whose cross product points out of the fish, (2, 42)."""
    rows = {(i, j): row for row, (i, j) in enumerate(UNITS.tolist())}
    sides = []
    for a, b, c in FACES.tolist():
        first, second = rows[min(a, b), max(a, b)], rows[min(a, c), max(a, c)]
        # Units point to the higher node: one that runs against its edge turns the product round.
        sides.append((first, second) if (a < b) == (a < c) else (second, first))
    return np.array(sides).T


FACE_UNITS = _sides()
"""Those edges as rows of UNITS, (2, 42), in the order in which first cross second points out of the fish."""

_AFTER = (np.array([[1, 2, 0], [2, 0, 1]]) * len(UNITS))[..., None]  # y z x and z x y
NORMAL_FACTORS = np.stack([FACE_UNITS[0] + _AFTER, FACE_UNITS[1] + _AFTER[::-1]], axis=1)
"""The factors of first cross second, (a_y, b_z) and so on and then (a_z, b_y), as rows of the units' vectors written
as (3 x 91), (2, 2, 3, 42)."""

NODES_TO_TAIL = np.zeros((1, NODES))
"""The map from nodes to the middle of the tail, (1, 23); transposed, it hands a force on to the tail."""
NODES_TO_TAIL[0, [*RING_NODES[-1], UPPER_TIP_NODE, LOWER_TIP_NODE]] = 1.0 / 6.0


def largest(values: np.ndarray) -> float:
    """The largest magnitude in a contiguous array; not a number where there is none."""
    flat = values.reshape(-1)
    return abs(float(flat[blas.isamax(flat) if flat.itemsize == 4 else blas.idamax(flat)]))


@dataclass(frozen=True, eq=False)
class Limits:
    """What keeps a step from overshooting; such forces do not occur in swimming.

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
    """The water's push on each triangle of the skin of a block of fishes, with its own working memory.

    The force is that of equation 4.3, with one documented term beside it. `streamlining`: water closes again
    behind a streamlined trunk and pushes it forward there, which a triangle that can only be pushed back cannot
    feel. So this share of the force's component along the fish is dropped on all triangles but the sides of the
    tail. At 0 the force is the book's.
    """

    ROWS = 13 * len(FACES) + 1
    """Numbers a fish that it needs while it works."""

    def __init__(
        self,
        model: BodyModel,
        fishes: int,
        dtype: type = np.float64,
        scratch: Scratch | None = None,
        limits: Limits | None = None,
    ):
        """Prepares for blocks of this many fishes in this precision, to work in this memory or its own."""
        faces = len(FACES)
        # The flow is measured so that half the viscosity is one.
        unit = np.sqrt(0.5 * model.fluid_viscosity)
        self._against_corners = (-unit * NODES_TO_FACES).astype(dtype)
        # Constants are spread over faces and fishes, for NumPy is fastest on arrays of one shape.
        self._nothing, self._streamlining, self._compliance = aligned((3, faces, fishes), dtype)
        self._streamlining[TRUNK_FACES] = model.streamlining
        self._limited = limits is not None
        if limits is not None:
            self._compliance[:] = unit * limits.faces
            self._stopping = np.full(faces, -unit / (MOST_STOPPED_SHARE * limits.inertia), dtype)
        scratch = scratch or Scratch(self.ROWS * fishes, dtype)
        vectors, scalars = (3, faces, fishes), (faces, fishes)
        self._vectors, self._squares, self._push, self._excess = scratch.arrays(
            (3, *vectors), (2, *scalars), scalars, (faces + 1, fishes)
        )
        self._normals, self._flow = self._vectors[:2]
        self._factors, (self._square, self._drag) = self._vectors[1:], self._squares

    def evaluate(
        self,
        x: np.ndarray,
        v: np.ndarray,
        ahead: np.ndarray,
        out: np.ndarray,
        spans: np.ndarray | None = None,
    ) -> None:
        """Fills `out` with the force on each triangle.

        Args:
            x: Positions, (23, 3, fish).
            v: Velocities relative to the water, (23, 3, fish).
            ahead: Unit vectors along the fish, (3, fish).
            out: (42, 3, fish).
            spans: Vectors of the units, (3, 91, fish), where they are known already.
        """
        normals, flow, square, drag, push = self._normals, self._flow, self._square, self._drag, self._push
        if spans is None:
            spans = np.matmul(NODES_TO_UNITS, x.swapaxes(0, 1), dtype=flow.dtype)
        self._measure_normals(spans)
        np.matmul(self._against_corners, v.swapaxes(0, 1), out=flow)  # the water's past the triangle, -v
        np.einsum("kcif,kcif->kif", self._vectors[:2], self._vectors[:2], out=self._squares)
        np.einsum("cif,cif->if", normals, flow, out=push)
        # min[0, -mu A |v| (n.v)] n, eq. 4.3, with N = 2 A n: the drag mu A |v|, times min[0, -N.v] / N.N, times N
        np.minimum(push, self._nothing, out=push)
        if self._limited:
            np.dot(self._stopping, push, out=self._excess[-1])
        drag *= square
        np.sqrt(drag, out=drag)
        push *= drag
        push /= square
        if self._limited:
            self._limit()
        if self._streamlining[TRUNK_FACES[0], 0]:
            self._streamline(ahead)
        np.multiply(normals, push, out=out.swapaxes(0, 1))

    def _measure_normals(self, spans: np.ndarray) -> None:
        """Takes the normals N = first side x second side, twice as long as their triangles' areas."""
        spans, normals, factors = spans.reshape(3 * len(UNITS), -1), self._normals, self._factors
        first, second = factors
        spans.take(NORMAL_FACTORS[0], axis=0, out=factors, mode="clip")
        np.multiply(first, second, out=normals)
        spans.take(NORMAL_FACTORS[1], axis=0, out=factors, mode="clip")
        first *= second
        normals -= first

    def _limit(self) -> None:
        """Weakens what would throw a triangle, or the fish, back within one step."""
        excess, push = self._excess, self._push
        np.multiply(self._drag, self._compliance, out=excess[:-1])
        if not largest(excess) <= 1:
            np.maximum(excess, 1, out=excess)
            push /= excess[:-1]
            push /= excess[-1]

    def _streamline(self, ahead: np.ndarray) -> None:
        """Drops the share `streamlining` of the normals' component along the fish."""
        normals, along, work = self._normals, self._drag, self._flow
        np.einsum("cif,cf->if", normals, ahead, out=along)
        along *= self._streamlining
        np.multiply(along, ahead[:, None], out=work)
        normals -= work


class TailReaction:
    """The reactive force of the water that leaves the tail (Lighthill 1971, eq. 4), which the book has not.

    A tail that moves sideways at w gives the water that it sweeps the momentum m w a length, and leaves it behind as
    it moves ahead at u: F = m (w^2 / 2 ahead - u w left), along and across the tail, where m = reaction pi/4 mu s^2
    is the inertia of the water about a tail of the span s. Of Lighthill's force this is the part that has a mean;
    the rest, the rate of the momentum that the water beside the body has, averages to nothing over a beat and is
    left out. Tails that move backwards leave no wake. The work on the fish is -m w^2 |u| / 2 and never feeds it.
    """

    def __init__(self, model: BodyModel, fishes: int, dtype: type = np.float64, limits: Limits | None = None):
        """Prepares for blocks of this many fishes in this precision."""
        # Constants are spread over the fishes, for NumPy is fastest on arrays of one shape.
        self._lost, self._half, self._nothing = (np.full(fishes, a, dtype) for a in (-model.tail_inertia, -0.5, 0.0))
        self._strength = limits.tail * model.tail_inertia if limits else 0.0

    def evaluate(self, flow: np.ndarray, frames: np.ndarray, out: np.ndarray) -> None:
        """Fills `out` with the force on the tail.

        Args:
            flow: Velocity of the tail's middle relative to the water, (3, fish).
            frames: Unit vectors along and across the tail, (2, 3, fish).
            out: (3, fish).
        """
        shares = np.einsum("acf,cf->af", frames, flow)
        along, across = shares
        momentum = self._lost * across  # of the fish, lost to the wake
        if not self._strength * largest(shares) <= 0.5:
            momentum /= np.maximum(self._strength * np.abs(shares).sum(axis=0), 1)
        across *= self._half
        np.maximum(along, self._nothing, out=along)
        shares *= momentum
        np.einsum("af,acf->cf", shares[::-1], frames, out=out)
