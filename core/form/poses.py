"""A table of poses: a few of a species that stand for all that its fishes do, where so many are that none is looked at.

Poses are clustered by where they put the vertices of a coarse mesh, on the principal axes of those. These follow from
the nodes, fins and looks of a fish in a straight line, near enough to find the nearest pose of millions in no time.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.spatial import cKDTree

from ..body.anatomy import body_frame
from .coupling import local_points
from .look import Look, gape
from .mesh import FINS, LEVELS, ControlNet, FishMesh
from .tuning import POSE_AXES_SHARE

CLUSTER_ROUNDS = 25
"""Most times that poses are moved into the middle of those for which they stand."""
SHOWN = "breath", "fold", "tail"
"""Fields of `Look` that show from afar."""
ERROR_SHARES = 50, 95, 100
"""Percentiles in which errors are said."""


@dataclass(frozen=True)
class Stances:
    """Stances of fishes at some moments, each of one fish.

    Attributes:
        nodes: Positions (moments, 23, 3) in metres.
        fins: Pectoral fins (moments, 2, 3), as a recording has them.
        body_length: (moments,) in metres.
        mouth: Opening of mouths, (moments,), 0 to 1.
        look: Looks of the fishes, (moments,).
    """

    nodes: np.ndarray
    fins: np.ndarray
    body_length: np.ndarray
    mouth: np.ndarray
    look: Look

    def __len__(self) -> int:
        return len(self.nodes)

    def some(self, rows: np.ndarray) -> Stances:
        """The stances of these rows."""
        look = Look(*(of[rows] for of in vars(self.look).values()))
        return Stances(self.nodes[rows], self.fins[rows], self.body_length[rows], self.mouth[rows], look)


class PoseTable:
    """A few poses of a species, and which of them a fish is nearest to.

    Attributes:
        points: Points of the `ControlNet` in each, (poses, points, 3) in body lengths in the fish's own frame.
        gape: Opening of the mouth in each, (poses,), 0 to 1.
        body_error: Error of a body's farthest vertex, in body lengths, if the nearest pose stands for the fish's own:
            no larger than this at each of `ERROR_SHARES` in a hundred of the given moments.
        fin_error: The same of fins.
    """

    def __init__(self, net: ControlNet, stances: Stances, most: int) -> None:
        """Chooses poses; the same ones for the same stances.

        Args:
            net: The species' control net.
            stances: Stances of its fishes. If there are more of them than poses, every second one is kept for judging.
            most: Most poses that there may be.
        """
        used = stances if len(stances) <= most else stances.some(np.arange(0, len(stances), 2))
        points, mesh = _points(net, used), FishMesh(net, len(LEVELS) - 1)
        vertices = mesh.vertices(points).reshape(len(used), -1)
        middle = vertices.mean(axis=0)
        axes = _axes(vertices - middle)
        places = (vertices - middle) @ axes
        self._slopes = np.linalg.lstsq(_features(used), places, rcond=None)[0].astype(np.float32)
        chosen = _chosen(places, most)
        self.points = points[chosen]
        self.gape = gape(net.coupling.species.bearing, used.mouth, used.look.breath)[chosen]
        self._tree = cKDTree(places[chosen])
        self._net, self._mesh = net, mesh
        self.body_error, self.fin_error = (np.percentile(of, ERROR_SHARES) for of in self.misses(stances))

    def nearest(self, stances: Stances) -> np.ndarray:
        """The number (moments,) of the pose that each fish is nearest to."""
        return np.asarray(self._tree.query(_features(stances) @ self._slopes)[1])

    def misses(self, stances: Stances) -> tuple[np.ndarray, np.ndarray]:
        """Most poses.

        Returns:
            Two arrays (moments,), in body lengths.
        """
        mesh = self._mesh
        true = mesh.vertices(_points(self._net, stances))
        off = np.linalg.norm(mesh.vertices(self.points)[self.nearest(stances)] - true, axis=-1)
        fins = np.concatenate([mesh.groups[name] for name in FINS])
        return off[:, mesh.groups["body"]].max(axis=1), off[:, fins].max(axis=1)


def _points(net: ControlNet, stances: Stances) -> np.ndarray:
    """The points of the net at moments, eyes straight, (moments, points, 3)."""
    seen = {name: of[None] for name, of in vars(stances.look).items()}
    look = Look(**(seen | {"gaze": np.zeros_like(seen["gaze"])}))
    nodes, fins, mouth = stances.nodes[None], stances.fins[None], stances.mouth[None]
    return net.poses(nodes, fins, stances.body_length, mouth, look)[0][0]


def _features(stances: Stances) -> np.ndarray:
    """The features of poses, (moments, n) float32."""
    nodes, count = np.asarray(stances.nodes, dtype=float), len(stances)
    origin, turn = body_frame(nodes)
    local = local_points(nodes[None], origin[None], turn[None])[0] / stances.body_length[:, None, None]
    flap, oar = stances.fins[..., 1], stances.fins[..., 2]
    seen = [getattr(stances.look, name).reshape(count, -1) for name in SHOWN]
    parts = [local.reshape(count, -1), flap, np.cos(oar), np.sin(oar), stances.mouth[:, None], *seen]
    return np.concatenate([*parts, np.ones((count, 1))], axis=1, dtype=np.float32)


def _axes(offsets: np.ndarray) -> np.ndarray:
    """The principal axes (n, k) of offsets (moments, n) that hold all but a little of their squares."""
    squares, axes = np.linalg.eigh(offsets.T @ offsets)
    kept = np.cumsum(squares[::-1]) / max(squares.sum(), np.finfo(float).tiny)
    return axes[:, ::-1][:, : 1 + int(np.searchsorted(kept, POSE_AXES_SHARE))]


def _chosen(places: np.ndarray, most: int) -> np.ndarray:
    """The rows of so many of some places (n, k) that each of them is near to one.

    The first ones are those that are farthest from all before; then each moves, time and again, to the place nearest
    to the middle of those to which it is nearest (k-medoids).
    """
    chosen, distance = [0], np.linalg.norm(places - places[0], axis=1)
    while len(chosen) < most and distance.max() > 0.0:
        chosen.append(int(distance.argmax()))
        distance = np.minimum(distance, np.linalg.norm(places - places[chosen[-1]], axis=1))
    rows, tree = np.array(chosen), cKDTree(places)
    for _ in range(CLUSTER_ROUNDS):
        nearest = cKDTree(places[rows]).query(places)[1]
        count = np.bincount(nearest, minlength=len(rows))
        middle = (
            np.stack([np.bincount(nearest, axis, len(rows)) for axis in places.T], axis=1)
            / np.maximum(count, 1)[:, None]
        )
        moved = np.unique(tree.query(middle)[1])
        if np.array_equal(moved, np.sort(rows)):
            break
        rows = moved
    return np.sort(rows)
