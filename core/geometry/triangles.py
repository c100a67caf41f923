"""Closed meshes: how they are checked and cut into triangles, and where their inside is."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ..base.codec import SceneError
from .polygons import triangulate

MOST_TRIANGLES = 100_000  # triangles of one mesh


def closed(vertices: np.ndarray, faces: Sequence[Sequence[float]]) -> tuple[np.ndarray, np.ndarray]:
    """The triangles of a closed mesh, facing outwards.

    Vertices in exactly the same place count as one. Faces may be concave, and have corners along their edges. Closed is
    a mesh whose every edge is run along as often one way as the other, so that solids may share edges and faces.

    Args:
        vertices: Any unit, (n, 3).
        faces: Rows of the corners of each face, anticlockwise as seen from outside, or all of them clockwise.

    Returns:
        Vertices (k, 3) and their rows for each triangle (m, 3).

    Raises:
        SceneError: They are no closed mesh with something in it; with the key of one of the two.
    """
    if not np.isfinite(vertices).all():
        raise SceneError("one that is not finite", "finite numbers", key="vertices")
    corners, sizes = _corners(len(vertices), faces)
    places, same = np.unique(vertices, axis=0, return_inverse=True)
    corners = same.reshape(-1)[corners]
    triangles = triangulate(places, corners, sizes)
    # One that has shrunk to a line leaves its two neighbours sharing that line.
    triangles = triangles[(triangles != np.roll(triangles, 1, axis=1)).all(axis=1)]
    if not len(triangles):
        raise SceneError("all of them in a few places", "those of a closed mesh", key="vertices")
    _refuse_open(corners, sizes)
    a, b, c = (places - places.mean(axis=0))[triangles].transpose(1, 0, 2)
    volume = float(np.einsum("ni,ni", a, np.cross(b, c)) / 6.0)
    if not abs(volume) > 1e-9 * float(np.ptp(places, axis=0).max()) ** 3:
        raise SceneError("a mesh without volume", "one that encloses water's room", key="faces")
    return places, triangles if volume > 0 else triangles[:, ::-1].copy()


def winding(points: np.ndarray, corners: np.ndarray) -> np.ndarray:
    """How often a closed mesh goes around each point (Jacobson, Kavan and Sorkine-Hornung 2013, eq. 5 and 6).

    Args:
        points: (p, 3).
        corners: Of its triangles, (m, 3, 3).

    Returns:
        1 inside, 0 outside, give or take rounding, (p,).
    """
    turns = np.empty(len(points))
    for row, point in enumerate(points):
        a, b, c = (corners - point).transpose(1, 0, 2)
        la, lb, lc = (np.linalg.norm(arm, axis=1) for arm in (a, b, c))
        volume = np.einsum("ni,ni->n", a, np.cross(b, c))
        ab, bc, ca = (np.einsum("ni,ni->n", one, two) for one, two in ((a, b), (b, c), (c, a)))
        turns[row] = np.arctan2(volume, la * lb * lc + ab * lc + bc * la + ca * lb).sum() / (2 * np.pi)
    return turns


def split(corners: np.ndarray, edge: float) -> np.ndarray:
    """Triangles (m, 3, 3) cut in halves until no edge is longer than this, (k, 3, 3)."""
    done = []
    while len(corners):
        edges = np.linalg.norm(np.roll(corners, -1, axis=1) - corners, axis=2)
        long = edges.max(axis=1) > edge
        done.append(corners[~long])
        corners, first = corners[long], edges[long].argmax(axis=1)
        turned = np.take_along_axis(corners, ((first[:, None] + np.arange(3)) % 3)[..., None], axis=1)
        a, b, c = turned.transpose(1, 0, 2)
        middle = 0.5 * (a + b)
        corners = np.concatenate((np.stack((a, middle, c), axis=1), np.stack((middle, b, c), axis=1)))
    return np.concatenate(done)


def distance(points: np.ndarray, corners: np.ndarray) -> np.ndarray:
    """From each point to its own triangle.

    Args:
        points: (n, 3).
        corners: (n, 3, 3).

    Returns:
        (n,).
    """
    a, b, c = corners.transpose(1, 0, 2)
    normal = np.cross(b - a, c - a)
    area = np.einsum("ni,ni->n", normal, normal)
    nearest = np.full(len(points), np.inf)
    above = np.ones(len(points), dtype=bool)
    for start, end in ((a, b), (b, c), (c, a)):
        side, arm = end - start, points - start
        along = np.einsum("ni,ni->n", arm, side) / np.maximum(np.einsum("ni,ni->n", side, side), 1e-300)
        miss = arm - np.clip(along, 0.0, 1.0)[:, None] * side
        nearest = np.minimum(nearest, np.einsum("ni,ni->n", miss, miss))
        above &= np.einsum("ni,ni->n", np.cross(side, arm), normal) >= 0
    height = np.einsum("ni,ni->n", points - a, normal) ** 2 / np.maximum(area, 1e-300)
    return np.sqrt(np.where(above & (area > 0), np.minimum(height, nearest), nearest))


def _corners(vertices: int, faces: Sequence[Sequence[float]]) -> tuple[np.ndarray, np.ndarray]:
    """Rows of the corners of all polygons, one after the other, (c,), each checked; how many each has, (p,)."""
    sizes = np.array([len(face) for face in faces], dtype=int)
    if not len(sizes):
        raise SceneError("no face", "those of a closed mesh", key="faces")
    if sizes.min() < 3:
        row = int(sizes.argmin())
        raise SceneError(f"{sizes[row]} corners", "3 or more", key=f"faces[{row}]")
    if (sizes - 2).sum() > MOST_TRIANGLES:
        raise SceneError(f"{(sizes - 2).sum()} triangles", f"up to {MOST_TRIANGLES}", key="faces")
    corners = np.concatenate([np.asarray(face, dtype=float) for face in faces])
    wrong = (corners != np.floor(corners)) | (corners < 0) | (corners >= vertices)
    starts = np.cumsum(sizes) - sizes
    if wrong.any():
        where = int(wrong.argmax())
        row = int(np.searchsorted(starts, where, side="right")) - 1
        rows = f"rows of the {vertices} vertices, counted from 0"
        raise SceneError(f"the corner {corners[where]:.10g}", rows, f"faces[{row}]")
    return corners.astype(int), sizes


def _refuse_open(corners: np.ndarray, sizes: np.ndarray) -> None:
    """Every edge of the polygons must be run along as often in one direction as in the other."""
    starts, owner = np.cumsum(sizes) - sizes, np.repeat(np.arange(len(sizes)), sizes)
    end = corners[starts[owner] + (np.arange(len(corners)) - starts[owner] + 1) % sizes[owner]]
    start, end = corners[corners != end], end[corners != end]
    low, high = np.minimum(start, end), np.maximum(start, end)
    _, edge, uses = np.unique(low * (corners.max() + 1) + high, return_inverse=True, return_counts=True)
    net = np.bincount(edge, weights=np.where(start < end, 1.0, -1.0))
    open_ = uses[(net != 0) & (uses != 2)]
    if len(open_):
        what = f"an open mesh, with {len(open_)} edges such as one of {open_[0]} face{'s' if open_[0] > 1 else ''}"
        raise SceneError(what, "a closed one: every edge shared by two faces", key="faces")
    if net.any():
        what = f"{np.count_nonzero(net)} edges along which both faces run in one direction"
        raise SceneError(what, "faces that all turn alike as seen from outside", key="faces")
