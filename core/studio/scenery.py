"""Scenery: things in a film's picture that are no part of the simulation, for cameras to keep clear of.

Meshes of any kind, closed or not, become points all over their surfaces. A camera is inside of one that is closed
where the nearest points all look away from it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import product
from typing import NamedTuple

import numpy as np
from scipy.spatial import cKDTree

from ..base.vectors import LEAST_LENGTH
from ..recording import Recording
from .tuning import BEYOND_TANK_METRES, MOST_SCENERY_POINTS, SCENERY_CELL_METRES, SMALLEST_SCENERY_METRES

NEAREST_POINTS = 4
"""Number of points of the surface by which inside and outside are told apart."""
LOOKS_AWAY = -0.5
"""Mean cosine between their way out and the way to a place, below which that is inside."""


Box = tuple[np.ndarray, np.ndarray]
"""The lowest and the highest corner, (3,) each."""


class Mesh(NamedTuple):
    """A mesh that stands in one place or in many.

    Attributes:
        vertices: Vertices in its own coordinates, (n, 3).
        triangles: The vertices of each, (m, 3).
        matrices: Its poses, (k, 4, 4): from its own coordinates to metres.
    """

    vertices: np.ndarray
    triangles: np.ndarray
    matrices: np.ndarray


class ScenePoints:
    """Surfaces as points, about one in each cell of space.

    Attributes:
        points: Metres, (n, 3).
        out: Unit vectors out of a closed surface, or up from the ground; zeros where a surface has no inside, (n, 3).
        cell: Metres between points.
    """

    def __init__(self, points: np.ndarray, out: np.ndarray, cell: float = SCENERY_CELL_METRES) -> None:
        self.points, self.out, self.cell = points, out, cell
        self._tree = cKDTree(points) if len(points) else None

    @classmethod
    def of(cls, meshes: Iterable[Mesh], recording: Recording) -> ScenePoints:
        """The scenery of meshes near the water of a recording.

        Args:
            meshes: Meshes, whose matrices bring their vertices to metres in the recording's own places.
            recording: Recording with the fishes. A mesh that has all of them within it, such as the glass of an
                aquarium, is a wall and no rock.
        """
        noses = recording.nodes[:, :, 0][recording.alive]
        fishes = (noses.min(axis=0), noses.max(axis=0)) if len(noses) else None
        size = np.array(recording.scene.tank.size)
        box = -BEYOND_TANK_METRES * np.ones(3), size + BEYOND_TANK_METRES
        points, out = [np.empty((0, 3))], [np.empty((0, 3))]
        for mesh in meshes:
            if len(mesh.triangles):
                for places, ways in _placed(mesh, box, fishes):
                    points.append(places)
                    out.append(ways)
        every, ways = np.concatenate(points), np.concatenate(out)
        rows = _one_a_cell(every, box[0], SCENERY_CELL_METRES)
        return cls(every[rows], ways[rows])

    def __len__(self) -> int:
        return len(self.points)

    def distance(self, points: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Distance to the nearest surface.

        Args:
            points: Places in metres, (..., 3).

        Returns:
            Distance in metres, below 0 inside and within a surface, (...), and the unit direction in which it grows,
            (..., 3). Without any surface the distance is infinite and the direction up.
        """
        if self._tree is None:
            return np.full(points.shape[:-1], np.inf), np.broadcast_to((0.0, 0.0, 1.0), points.shape)
        many = min(NEAREST_POINTS, len(self.points))
        found = self._tree.query(points, k=range(1, many + 1))
        away, row = np.asarray(found[0]), np.asarray(found[1])
        ray = points[..., None, :] - self.points[row]
        ray /= np.maximum(away, 1e-9)[..., None]
        inside = np.sum(ray * self.out[row], axis=-1).mean(axis=-1) < LOOKS_AWAY
        side = np.where(inside, -1.0, 1.0)
        distance, way = side * away[..., 0], side[..., None] * ray[..., 0, :]
        out = self.out[row[..., 0]]
        near = (away[..., 0] < 1.5 * self.cell) & out.any(axis=-1)  # so near that the next point may be to the side
        distance = np.where(near, np.sum(ray[..., 0, :] * out, axis=-1) * away[..., 0], distance)
        return distance - 0.5 * self.cell, np.where(near[..., None], out, way)


def _placed(mesh: Mesh, box: Box, fishes: Box | None) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """Points on a mesh and the ways out there, (n, 3) each, at those of its places that are in a box."""
    corners = np.asarray(mesh.vertices, dtype=float)[mesh.triangles]
    across = _cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    out = across / np.maximum(_length(across)[:, None], LEAST_LENGTH)
    closed = _is_closed(mesh.triangles, len(mesh.vertices))
    if closed and np.sum(corners[:, 0] * _cross(corners[:, 1], corners[:, 2])) < 0.0:
        out = -out
    flat = corners.reshape(-1, 3)
    ends = flat.min(axis=0), flat.max(axis=0)
    if len(mesh.matrices) == 1:  # only its part in the box need be scattered
        corners = corners @ mesh.matrices[0, :3, :3].T + mesh.matrices[0, :3, 3]
        points, rows = _scattered(corners, SCENERY_CELL_METRES, box)
    else:
        widest = float(np.linalg.norm(mesh.matrices[:, :3, :3], axis=1).max())
        points, rows = _scattered(corners, SCENERY_CELL_METRES / max(widest, 1e-9))
    for matrix in mesh.matrices:
        turn, place = matrix[:3, :3], matrix[:3, 3]
        there = np.array(list(product(*zip(*ends, strict=True)))) @ turn.T + place
        low, high = there.min(axis=0), there.max(axis=0)
        if (high - low).max() < SMALLEST_SCENERY_METRES or (high < box[0]).any() or (low > box[1]).any():
            continue
        ways = out[rows] @ np.linalg.pinv(turn)
        ways /= np.maximum(_length(ways)[:, None], LEAST_LENGTH)
        holds = fishes is not None and (low < fishes[0]).all() and (high > fishes[1]).all()
        if holds if closed else (ways[:, 2] < 0.0).any():
            ways = np.zeros_like(ways)
        moved = points if len(mesh.matrices) == 1 else points @ turn.T + place
        near = _all((moved > box[0]) & (moved < box[1]))
        yield moved[near], ways[near]


def _is_closed(triangles: np.ndarray, vertices: int) -> bool:
    """True if each edge of triangles (m, 3) is that of two of them."""
    edges = np.sort(triangles[:, [[0, 1], [1, 2], [2, 0]]].reshape(-1, 2).astype(np.int64), axis=1)
    _, faces = np.unique(edges[:, 0] * vertices + edges[:, 1], return_counts=True)
    return bool((faces == 2).all())


def _scattered(corners: np.ndarray, cell: float, box: Box | None = None) -> tuple[np.ndarray, np.ndarray]:
    """Points over triangles (m, 3, 3) within a box, one in each cell, and the triangle that each is of.

    Triangles are halved until they are no wider than a cell.
    """
    areas = 0.5 * _length(_cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]))
    cell = max(cell, float(np.sqrt(areas.sum() / MOST_SCENERY_POINTS)))
    low = corners.reshape(-1, 3).min(axis=0)
    done, rows_done, rows = [np.empty((0, 3))], [np.empty(0, dtype=int)], np.arange(len(corners))
    while len(corners):
        if box is not None:
            one, two, three = corners[:, 0], corners[:, 1], corners[:, 2]
            highest, lowest = np.maximum(np.maximum(one, two), three), np.minimum(np.minimum(one, two), three)
            near = _all((highest > box[0]) & (lowest < box[1]))
            corners, rows = corners[near], rows[near]
        sides = np.stack([_length(corners[:, at] - corners[:, (at + 1) % 3]) for at in range(3)], axis=1)
        small = _all(sides <= cell)
        own = corners[small]
        done.append((own[:, 0] + own[:, 1] + own[:, 2]) / 3.0)
        rows_done.append(rows[small])
        wide, longest, rows = corners[~small], sides[~small].argmax(axis=1), rows[~small]
        turned = np.take_along_axis(wide, (longest[:, None, None] + np.arange(3)[:, None]) % 3, axis=1)
        middle = turned[:, :2].mean(axis=1)  # of its longest side, through which it is halved
        first = np.stack((turned[:, 0], middle, turned[:, 2]), axis=1)
        second = np.stack((middle, turned[:, 1], turned[:, 2]), axis=1)
        corners, rows = np.concatenate((first, second)), np.concatenate((rows, rows))
    points, owners = np.concatenate(done), np.concatenate(rows_done)
    chosen = _one_a_cell(points, low, cell)
    return points[chosen], owners[chosen]


def _length(vectors: np.ndarray) -> np.ndarray:
    """Lengths of vectors (n, 3): a sum over three is slow in NumPy where there are millions of them."""
    x, y, z = vectors.T
    return np.sqrt(x * x + y * y + z * z)


def _cross(one: np.ndarray, other: np.ndarray) -> np.ndarray:
    """Cross products of vectors (n, 3), likewise."""
    (a, b, c), (x, y, z) = one.T, other.T
    return np.stack((b * z - c * y, c * x - a * z, a * y - b * x), axis=1)


def _all(masks: np.ndarray) -> np.ndarray:
    """True for each row of masks (n, 3) that is true throughout, (n,)."""
    return masks[:, 0] & masks[:, 1] & masks[:, 2]


def _one_a_cell(points: np.ndarray, low: np.ndarray, cell: float) -> np.ndarray:
    """Rows of points (n, 3), one of those in each cell of space from a corner on."""
    x, y, z = np.maximum(np.floor((points - low) / cell), 0.0).astype(np.int64).T
    return np.unique((x << 42) + (y << 21) + z, return_index=True)[1]
