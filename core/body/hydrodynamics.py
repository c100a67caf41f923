"""The water's forces on the skin (Tu 1999, §4.4)."""

from __future__ import annotations

import numpy as np

from .anatomy import FACES, NODES, TRUNK_FACES
from .dynamics import BodyModel

CORNERS = np.zeros((len(FACES), NODES))
"""The map from nodes to the middles of the triangles, (42, 23); transposed, it gives each corner a third."""
for _corner in range(3):
    CORNERS[np.arange(len(FACES)), FACES[:, _corner]] += 1.0 / 3.0

EDGES = np.zeros((2 * len(FACES), NODES))
"""The map from nodes to two edges of each triangle, (84, 23): first corner to second, then first to third."""
for _corner in (1, 2):
    _rows = np.arange(len(FACES)) + (_corner - 1) * len(FACES)
    EDGES[_rows, FACES[:, _corner]] = 1.0
    EDGES[_rows, FACES[:, 0]] = -1.0


STOPPING = 0.5
"""Share of a fish's motion that its skin may stop in one step."""


class WaterForces:
    """The water's push on each triangle of the skin of a block of fishes, with its own working memory.

    The force is that of equation 4.3, with one documented term beside it. `streamlining`: water closes again
    behind a streamlined trunk and pushes it forward there, which a triangle that can only be pushed back cannot
    feel. So this share of the force's component along the fish is dropped on all triangles but the sides of the
    tail. At 0 the force is the book's.
    """

    def __init__(self, model: BodyModel, fishes: int, dtype: type = np.float64):
        """Prepares for blocks of this many fishes in this precision."""
        faces = len(FACES)
        self._edges_map, self._corners = EDGES.astype(dtype), CORNERS.astype(dtype)
        self._half_viscosity = dtype(0.5 * model.fluid_viscosity)
        self._streamlining = dtype(model.streamlining)
        self._edges = np.empty((2, faces, 3, fishes), dtype)
        self._flow, self._work = (np.empty((faces, 3, fishes), dtype) for _ in range(2))
        self._area, self._speed, self._push, self._term = (np.empty((faces, fishes), dtype) for _ in range(4))

    def evaluate(
        self,
        x: np.ndarray,
        v: np.ndarray,
        ahead: np.ndarray,
        out: np.ndarray,
        compliance: np.ndarray | None = None,
        inertia: float = np.inf,
    ) -> None:
        """Fills `out` with the force on each triangle.

        Args:
            x: Positions, (23, 3, fish).
            v: Velocities relative to the water, (23, 3, fish).
            ahead: Unit vectors along the fish, (3, fish).
            out: (42, 3, fish).
            compliance: (42, 1), the velocity that a force of one on a triangle gives it in one step. Where
                given, no force is stronger than what stops the triangle within the step, and all together are no
                stronger than what stops the fish; such forces do not occur in swimming.
            inertia: Mass of the fish over the step.
        """
        edges, flow, work = self._edges, self._flow, self._work
        area, speed, push, term = self._area, self._speed, self._push, self._term
        np.matmul(self._edges_map, x.reshape(NODES, -1), out=edges.reshape(2 * len(FACES), -1))
        np.matmul(self._corners, v.reshape(NODES, -1), out=flow.reshape(len(FACES), -1))
        first, second = edges
        for i, j, k in ((0, 1, 2), (1, 2, 0), (2, 0, 1)):  # out = first x second, twice the area times n
            np.multiply(first[:, j], second[:, k], out=out[:, i])
            np.multiply(first[:, k], second[:, j], out=term)
            out[:, i] -= term
        _norm(out, work, area)
        _norm(flow, work, speed)
        flow *= out
        np.add(flow[:, 0], flow[:, 1], out=push)
        push += flow[:, 2]
        push /= area
        np.maximum(push, 0, out=push)  # n.v where the triangle moves outwards, else no force
        outwards = push.copy() if compliance is not None else push
        # min[0, -mu A |v| (n.v)] n, eq. 4.3
        speed *= area
        speed *= self._half_viscosity
        push *= speed
        if compliance is not None:
            speed *= compliance
            np.maximum(speed, 1, out=speed)
            push /= speed
            np.multiply(outwards, area, out=term)
            total = term.sum(axis=0)
            total *= self._half_viscosity / np.float32(STOPPING * inertia)
            np.maximum(total, 1, out=total)
            push /= total
        push /= area
        out *= -push[:, None]
        if self._streamlining:
            trunk, drag = out[TRUNK_FACES[0] : TRUNK_FACES[-1] + 1], term[: len(TRUNK_FACES)]
            along = work[: len(TRUNK_FACES)]
            np.multiply(trunk, ahead, out=along)
            np.add(along[:, 0], along[:, 1], out=drag)
            drag += along[:, 2]
            drag *= self._streamlining
            np.multiply(drag[:, None], ahead, out=along)
            trunk -= along


def _norm(vectors: np.ndarray, work: np.ndarray, out: np.ndarray) -> None:
    """Fills `out` (n, fish) with the lengths of vectors (n, 3, fish)."""
    np.multiply(vectors, vectors, out=work)
    np.add(work[:, 0], work[:, 1], out=out)
    out += work[:, 2]
    np.sqrt(out, out=out)
