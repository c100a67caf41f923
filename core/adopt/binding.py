"""The vertices of a model, moved by the control points of its species: each a fixed sum of them.

A vertex of the body lies in a cross-section of the fitted surfaces, which is flat at rest. At its height there, it is
shared between the left and the right half of the body, and the rest is carried by the section's own frame: its middle,
its breadth and its height, which are sums of control points as well. So a vertex goes with gill covers and the jaw as
the skin beside it does, and at rest nothing is left over at all. A vertex of a fin is bound to the fin's surface in the
same way, and near its root to both, so that the skin does not tear there; eyes are rigid. A model that has bones moves
as its maker weighted it: each bone is carried by the section in which it lies.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from scipy.sparse import csr_matrix, diags, vstack
from scipy.spatial import cKDTree

from ..base.elementary import smooth_step
from ..form.mesh import EYES, FINS, FLAT_LENGTHS, STILL_LENGTHS, BoundMesh, ControlNet
from ..form.nurbs import basis
from ..form.surfaces import BODY_COLUMNS, BODY_ROWS, Patch, column_stations
from .bones import JAW, Carriers
from .fins import parts
from .measure import measure
from .model import Model, shifted
from .tuning import (
    CHUNK_VERTICES,
    FIN_BLEND_LENGTHS,
    FRAME_STATIONS,
    RING_STATION,
    SECTION_LEAST_LENGTHS,
    WING_BLEND_LENGTHS,
)

PLACES = 181
"""Places along the body at which sections are looked up."""
HEIGHTS = 61
"""Places across each half of one."""
FARTHEST_OUT = 4.0
"""Largest reach of a model's fin out of its root, over the reach of the species' own."""
SPANS_V, SPANS_U = BODY_COLUMNS - 3.0, BODY_ROWS - 3.0


class AdoptedMesh(BoundMesh):
    """A model that moves with the control points of its species, as `form.mesh.FishMesh` does.

    Attributes:
        matrix: Shares of the control points in the vertices, (vertices, points of the `ControlNet`), sparse.
        groups: Vertices of "body", of each fin and eye by name, and of "mouth", those that it moves.
        count: Number of vertices.
        rest: Vertices at rest, (vertices, 3), in body lengths in the fish's own frame.
    """

    def __init__(
        self,
        net: ControlNet,
        rest: np.ndarray,
        matrix: csr_matrix,
        groups: Mapping[str, np.ndarray],
        carriers: Carriers | None,
    ) -> None:
        """Keeps the shares."""
        self._carriers = carriers
        self.matrix, self.groups, self.count, self.rest = matrix, dict(groups), len(rest), rest
        self.groups["mouth"] = np.flatnonzero(np.abs(matrix @ net.gape).max(axis=1) > STILL_LENGTHS)

    @property
    def worn(self) -> Callable[[Any, np.ndarray], np.ndarray] | None:
        """Function that gives the bones of a `form.rig.Rig` their shares, if the model came with weights; else None."""
        return None if self._carriers is None else self._carriers.worn


def bind(net: ControlNet, model: Model) -> AdoptedMesh:
    """Bind a model to the control points of its species.

    Args:
        net: The species' control net.
        model: Standing, as `pose.standing` has it. In the frame of the net it lies a little farther ahead or behind, as
            the species' second ring of nodes does.
    """
    model = shifted(model, np.array([net.coupling.species.body.stations[1] - RING_STATION, 0.0, 0.0]))
    measures = measure(model)
    found = parts(model, measures)
    found["caudal"] = _behind(net, model, found)
    weave = _Weave(net)
    matrix = weave.body(model.vertices)
    for name in FINS:
        if not weave.has(name):
            found[name] = found[name][:0]
        if len(found[name]):
            wing = float(measures.half_width.max()) if measures.winged and name.startswith("pectoral") else None
            matrix = weave.fin(matrix, name, model.vertices, found[name], wing)
    for name in EYES:
        if len(found[name]):
            matrix = weave.eye(matrix, name, model.vertices, found[name])
    own = np.ones(model.count, dtype=bool)
    for rows in found.values():
        own[rows] = False
    carriers = Carriers(net, model, found, matrix) if model.bones and model.weights is not None else None
    if carriers is not None and not carriers.bend:
        carriers = None
    if carriers is not None:
        matrix = weave.boned(matrix, model.vertices, carriers)
    return AdoptedMesh(net, model.vertices, matrix, {"body": np.flatnonzero(own), **found}, carriers)


def _behind(net: ControlNet, model: Model, found: Mapping[str, np.ndarray]) -> np.ndarray:
    """The vertices of the tail's fin, and all of the body that lies behind the last ring, where the surfaces end."""
    free = np.ones(model.count, dtype=bool)
    for name, rows in found.items():
        if name != "caudal":
            free[rows] = False
    last = net.coupling.species.body.stations[1] - net.coupling.species.body.stations[4]
    free &= model.vertices[:, 0] < last
    free[found["caudal"]] = True
    return np.flatnonzero(free)


class _Weave:
    """Shares of a net's control points in places given at rest."""

    def __init__(self, net: ControlNet) -> None:
        self._net, species = net, net.coupling.species
        self._left, self._right = net.coupling.rest["body_left"], net.coupling.rest["body_right"]
        self._v = np.linspace(0.0, SPANS_V, PLACES)
        along = basis(BODY_COLUMNS, 3, self._v)
        self._station = along @ column_stations(species)
        self._u = np.linspace(0.0, SPANS_U, HEIGHTS)
        sheet = np.einsum("ur,vc,rcd->vud", basis(BODY_ROWS, 3, self._u), along, self._left.points)
        self._across, self._height = sheet[..., 1], sheet[..., 2]
        self._nose = float(net.rest[net.blocks["body_left"]][0, 0])
        self._lay_out_frames()

    def _lay_out_frames(self) -> None:
        """Lay out the shares of a middle at each place along the body, and of vectors ahead, left and up, 1 at rest.

        Near the nose and the root of the tail, sections are too small to have a direction: there it is that of
        the nearest one that is not.
        """
        count, v = self._net.count, self._v
        own = basis(BODY_COLUMNS, 3, v)
        tall = self._height[:, 0] - self._height[:, -1]
        wide = 2.0 * self._across.max(axis=1)
        low, high = FRAME_STATIONS
        fit = (tall > SECTION_LEAST_LENGTHS) & (wide > SECTION_LEAST_LENGTHS)
        inner = np.flatnonzero(fit)
        first, last = (v[inner[0]], v[inner[-1]]) if len(inner) else (low * SPANS_V, high * SPANS_V)
        steady = basis(BODY_COLUMNS, 3, np.clip(v, first, last))
        middle, up, left, ahead = (np.zeros((len(v), count)) for _ in range(4))
        for block in ("body_left", "body_right"):
            grid = np.zeros((len(v), BODY_ROWS, BODY_COLUMNS))
            grid[:, 0] = grid[:, -1] = 0.25 * own
            middle[:, self._net.blocks[block]] += grid.reshape(len(v), -1)
            grid[:, 0], grid[:, -1] = 0.5 * steady, -0.5 * steady
            up[:, self._net.blocks[block]] += grid.reshape(len(v), -1)
            grid[:, 0] = grid[:, -1] = 0.0
            grid[:, BODY_ROWS // 2] = steady * (1.0 if block == "body_left" else -1.0)
            left[:, self._net.blocks[block]] += grid.reshape(len(v), -1)
        before, after = np.clip(v - 1.0, 0.0, None), np.clip(v + 1.0, None, SPANS_V)
        for places, sign in ((before, 1.0), (after, -1.0)):
            grid = np.zeros((len(v), BODY_ROWS, BODY_COLUMNS))
            grid[:, 0] = grid[:, -1] = 0.25 * sign * basis(BODY_COLUMNS, 3, places)
            for block in ("body_left", "body_right"):
                ahead[:, self._net.blocks[block]] += grid.reshape(len(v), -1)
        rest = self._net.rest
        self._middle = csr_matrix(middle)
        frame = [of / np.maximum((of @ rest)[:, axis], 1e-6)[:, None] for axis, of in enumerate((ahead, left, up))]
        self._frames = csr_matrix(np.concatenate(frame))
        self._axes = np.stack([of @ rest for of in frame], axis=-1)  # (places, 3, 3), columns the vectors at rest

    def body(self, x: np.ndarray) -> csr_matrix:
        """Shares of all control points in places (n, 3) of the body."""
        chunks = [self._some(x[begin : begin + CHUNK_VERTICES]) for begin in range(0, len(x), CHUNK_VERTICES)]
        return vstack(chunks, format="csr") if chunks else csr_matrix((0, self._net.count))

    def _some(self, x: np.ndarray) -> csr_matrix:
        station = self._nose - x[:, 0]
        v = np.interp(station, self._station, self._v)
        at = v / SPANS_V * (PLACES - 1)
        row = np.clip(at.astype(int), 0, PLACES - 2)
        part = (at - row)[:, None]
        heights = (1.0 - part) * self._height[row] + part * self._height[row + 1]
        widths = (1.0 - part) * self._across[row] + part * self._across[row + 1]
        place = _place_of(-heights, -x[:, 2])
        column = np.clip(place.astype(int), 0, HEIGHTS - 2)
        every, rest = np.arange(len(x)), place - column
        width = (1.0 - rest) * widths[every, column] + rest * widths[every, column + 1]
        left = np.clip((x[:, 1] + width) / np.maximum(2.0 * width, 1e-9), 0.0, 1.0)
        left = np.where(width > 1e-9, left, 0.5)
        u = place / (HEIGHTS - 1) * SPANS_U
        shares = self._halves(u, v, left)
        return self._carried(shares, x, at)

    def _halves(self, u: np.ndarray, v: np.ndarray, left: np.ndarray) -> csr_matrix:
        """Shares of points between the same place of the left and the right half."""
        rows, across = _local_basis(BODY_ROWS, 3, u)
        columns, along = _local_basis(BODY_COLUMNS, 3, v)
        own = (across[:, :, None] * along[:, None]).reshape(len(u), -1)
        number = (rows[:, :, None] * BODY_COLUMNS + columns[:, None]).reshape(len(u), -1)
        begins = self._net.blocks["body_left"].start, self._net.blocks["body_right"].start
        data = np.concatenate([left[:, None] * own, (1.0 - left)[:, None] * own], axis=1)
        where = np.concatenate([begins[0] + number, begins[1] + number], axis=1)
        return _rows(where, data, self._net.count)

    def _carried(self, shares: csr_matrix, x: np.ndarray, at: np.ndarray) -> csr_matrix:
        """These shares, and the rest of places (n, 3) in the frames at `at` along the body."""
        over = x - shares @ self._net.rest
        row = np.clip(np.round(at).astype(int), 0, PLACES - 1)
        parts = np.linalg.solve(self._axes[row], over[..., None])[..., 0]
        where = row[:, None] + PLACES * np.arange(3)
        return csr_matrix(shares + _rows(where, parts, 3 * PLACES) @ self._frames)

    def boned(self, matrix: csr_matrix, x: np.ndarray, carriers: Carriers) -> csr_matrix:
        """The bones' part of the shares of all vertices: with the section, the fin, the eye or the chin.

        Args:
            matrix: Shares by the shape alone.
            x: Places of all vertices, (n, 3).
            carriers: Carriers of the model's bones.
        """
        body = np.array([not kind or kind == JAW for kind in carriers.kinds], dtype=float)
        own = csr_matrix(carriers.shares @ diags(body))
        at = np.interp(carriers.stations, self._station, self._v) / SPANS_V * (PLACES - 1)
        row = np.clip(np.round(at).astype(int), 0, PLACES - 1)
        anchor = self._middle[row].toarray()
        chin = np.array([kind == JAW for kind in carriers.kinds])
        anchor[chin] = self._chin()
        found = own @ csr_matrix(anchor)
        inverse = np.linalg.inv(self._axes[row])
        where = own.tocoo()
        away = x[where.row] - (anchor @ self._net.rest)[where.col]
        parts = np.einsum("nij,nj->ni", inverse[where.col], away)
        for axis in range(3):
            share = csr_matrix((where.data * parts[:, axis], (where.row, where.col)), shape=own.shape)
            found = found + share @ self._frames[axis * PLACES + row]
        rest = 1.0 - np.asarray(own.sum(axis=1)).ravel()
        return csr_matrix(found + diags(rest) @ matrix)

    def _chin(self) -> np.ndarray:
        """Shares of the point of the skin that the mouth moves most, (points,)."""
        found = np.zeros(self._net.count)
        found[int(np.linalg.norm(self._net.gape, axis=1).argmax())] = 1.0
        return found

    def has(self, name: str) -> bool:
        """True if a fin of the species has any height."""
        points = self._net.coupling.rest[name].points
        return bool(np.linalg.norm(points - points[:1], axis=-1).max() > FLAT_LENGTHS)

    def fin(
        self, matrix: csr_matrix, name: str, x: np.ndarray, rows: np.ndarray, wing: float | None = None
    ) -> csr_matrix:
        """The shares of all vertices, with those of a fin bound to its surface, near its root to both.

        Args:
            matrix: Shares of all vertices bound so far.
            name: Name of the fin.
            x: Places of all vertices, (n, 3).
            rows: Vertices of the fin.
            wing: Distance from the mid-plane at which a ray's wing begins, which bends over all of its inner half; else
                None.
        """
        patch, own = self._net.coupling.rest[name], x[rows]
        u, v = _nearest(patch, own)
        m, n = patch.points.shape[:2]
        across, along = _local_basis(m, patch.degree_u, u), _local_basis(n, patch.degree_v, v)
        data = (across[1][:, :, None] * along[1][:, None]).reshape(len(own), -1)
        where = (across[0][:, :, None] * n + along[0][:, None]).reshape(len(own), -1) + self._net.blocks[name].start
        shares = _rows(where, data, self._net.count)
        station = self._nose - own[:, 0]
        at = np.interp(station, self._station, self._v) / SPANS_V * (PLACES - 1)
        bound = self._carried(shares, own, at)
        if wing is None:
            blend = smooth_step(self._reach(name, patch, own, u, v) / FIN_BLEND_LENGTHS)
        else:
            blend = smooth_step((np.abs(own[:, 1]) - wing) / WING_BLEND_LENGTHS)
        mixed = diags(blend) @ bound + diags(1.0 - blend) @ matrix[rows]
        return _replaced(matrix, rows, csr_matrix(mixed))

    def _reach(self, name: str, patch: Patch, own: np.ndarray, u: np.ndarray, v: np.ndarray) -> np.ndarray:
        """Distances of a fin's vertices from its root, in body lengths."""
        m, n = patch.points.shape[:2]
        if name == "caudal":
            root = v * 0.0, u
            line = np.einsum("ir,rd->id", basis(m, patch.degree_u, root[1]), patch.points[:, 0])
        else:
            line = basis(n, patch.degree_v, v) @ patch.points[0]
        return np.linalg.norm(own - line, axis=1)

    def eye(self, matrix: csr_matrix, name: str, x: np.ndarray, rows: np.ndarray) -> csr_matrix:
        """The shares of all vertices, with those of an eye carried by its four points."""
        block = self._net.blocks[name]
        centre, *tips = self._net.rest[block]
        parts = np.linalg.solve(np.stack(tips, axis=1) - centre[:, None], (x[rows] - centre).T).T
        data = np.column_stack([1.0 - parts.sum(axis=1), parts])
        where = np.broadcast_to(np.arange(block.start, block.stop), data.shape)
        return _replaced(matrix, rows, _rows(where, data, self._net.count))


def _place_of(rising: np.ndarray, value: np.ndarray) -> np.ndarray:
    """Place of a value in each row of rising ones (n, k), from 0 to k - 1; 0 in rows that do not rise."""
    k = rising.shape[1]
    column = np.clip((rising <= value[:, None]).sum(axis=1) - 1, 0, k - 2)
    column[rising[:, -1] - rising[:, 0] < FLAT_LENGTHS] = 0  # the nose goes with the upper jaw
    every = np.arange(len(value))
    low, high = rising[every, column], rising[every, column + 1]
    return column + np.clip((value - low) / np.maximum(high - low, 1e-12), 0.0, 1.0)


def _local_basis(count: int, degree: int, at: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The few control points that bear on each place, (n, degree + 1), and their shares."""
    span = np.clip(at.astype(int), 0, count - degree - 1)
    where = span[:, None] + np.arange(degree + 1)
    return where, np.take_along_axis(basis(count, degree, at), where, axis=1)


def _rows(where: np.ndarray, data: np.ndarray, count: int) -> csr_matrix:
    n, k = data.shape
    return csr_matrix((data.ravel(), where.ravel(), np.arange(n + 1) * k), shape=(n, count))


def _replaced(matrix: csr_matrix, rows: np.ndarray, shares: csr_matrix) -> csr_matrix:
    """A matrix with other rows in the place of some."""
    order = np.arange(matrix.shape[0])
    order[rows] = matrix.shape[0] + np.arange(len(rows))
    return csr_matrix(vstack([matrix, shares], format="csr")[order])


def _nearest(patch: Patch, x: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Places u and v (n,) of a surface that are nearest to points (n, 3).

    A fin of straight rays goes on beyond its edge as far as the points do.
    """
    m, n = patch.points.shape[:2]
    ruled = patch.degree_u == 1
    most = FARTHEST_OUT if ruled else m - patch.degree_u
    us, vs = np.linspace(0.0, m - patch.degree_u, 41), np.linspace(0.0, n - patch.degree_v, 161)
    sheet = np.einsum(
        "ur,vc,rcd->uvd", basis(m, patch.degree_u, us), basis(n, patch.degree_v, vs), patch.points, optimize=True
    )
    found = cKDTree(sheet.reshape(-1, 3)).query(x)[1]
    u, v = us[found // len(vs)], vs[found % len(vs)]
    for _ in range(2):
        place, du, dv = (_on(patch, u, v, *order) for order in ((0, 0), (1, 0), (0, 1)))
        off = x - place
        a, b, c = (du * du).sum(1), (du * dv).sum(1), (dv * dv).sum(1)
        p, q = (du * off).sum(1), (dv * off).sum(1)
        whole = np.maximum(a * c - b * b, 1e-12)
        step = (c * p - b * q) / whole
        u = np.clip(u + (step if ruled else np.clip(step, -0.1, 0.1)), 0.0, most)
        v = np.clip(v + np.clip((a * q - b * p) / whole, -0.1, 0.1), 0.0, n - patch.degree_v)
    return u, v


def _on(patch: Patch, u: np.ndarray, v: np.ndarray, du: int, dv: int) -> np.ndarray:
    m, n = patch.points.shape[:2]
    return np.einsum(
        "ir,ic,rcd->id",
        basis(m, patch.degree_u, u, du),
        basis(n, patch.degree_v, v, dv),
        patch.points,
        optimize=True,
    )
