"""Meshes: checked, cut into triangles that turn alike, with their gaps found, filled and judged."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from scipy.sparse import coo_array
from scipy.sparse.csgraph import breadth_first_order

from ..base.codec import SceneError
from ..base.sums import mean, total
from ..base.vectors import cross, dot
from .facets import Facets
from .polygons import triangulate
from .rims import rims
from .tuning import AGREED, DOUBTFUL, NEAR_WHOLE, PROBES, SHEET_METRES, SHEETLIKE
from .winding import Winding, winding

MOST_TRIANGLES = 100_000  # triangles of one mesh
_PLASTIC = 1.2207440846057596
_PER_PLASTIC = 1.0 / np.array([_PLASTIC, _PLASTIC * _PLASTIC, _PLASTIC * _PLASTIC * _PLASTIC])


@dataclass(frozen=True, eq=False)
class Surface:
    """A mesh as triangles.

    Attributes:
        vertices: Any unit, (k, 3), no two in the same place.
        triangles: Their rows for each triangle, (m, 3), which face outwards if there is an outside.
        open_edges: Edges that not as many faces run along one way as the other, by the rows of their ends, (e, 2).
    """

    vertices: np.ndarray
    triangles: np.ndarray
    open_edges: np.ndarray

    @property
    def closed(self) -> bool:
        """True if the mesh parts an inside from an outside without a gap."""
        return not len(self.open_edges)

    @property
    def corners(self) -> np.ndarray:
        """Places of the corners of the triangles, (m, 3, 3)."""
        return self.vertices[self.triangles]

    @property
    def volume(self) -> float:
        """The enclosed volume in the unit's cube; of an open mesh, with its gaps closed towards their common middle."""
        origin = mean(self.vertices if self.closed else self.vertices[self.open_edges.ravel()], axis=0)
        a, b, c = (self.corners - origin).transpose(1, 0, 2)
        return float(total(dot(a, cross(b, c))) / 6.0)

    @property
    def doubt(self) -> float:
        """The share of the inside that is a matter of opinion: 0 of a closed mesh, 1 of a flat sheet.

        It is the share of the inside, where the generalised winding number is above one half, in which that is near no
        whole number. From `tuning.DOUBTFUL` on it should be asked whether the mesh is meant as a solid at all.
        """
        return self._judged[0]

    @property
    def doubtful(self) -> bool:
        """True if the doubt is large enough to ask."""
        return self.doubt >= DOUBTFUL

    @property
    def sheet(self) -> bool:
        """True if it has no inside to speak of, and is the shell that is seen."""
        doubt, agreed = self._judged
        return agreed < AGREED and doubt >= SHEETLIKE

    def holds(self, place: np.ndarray, thickness: float | None = None) -> bool:
        """True if a place, (3,), is inside; of a shell so thick, or of a sheet, within it."""
        if thickness is None and not self.sheet:
            return bool(abs(winding(place[None], (self.filled or self).corners)[0]) > 0.5)
        every = np.arange(len(self.triangles))
        squared = Facets(self.corners).squared(np.broadcast_to(place, (len(every), 3)), every)
        return bool(squared.min() < np.square(0.5 * (thickness or SHEET_METRES)))

    @cached_property
    def filled(self) -> Surface | None:
        """The same with each gap filled by a polygon; none where that has another inside than the winding number."""
        return None if self._judged[1] < AGREED else self._with_caps

    @property
    def caps(self) -> np.ndarray:
        """Corners of the triangles that would fill its gaps, (c, 3, 3)."""
        return self.vertices[self._with_caps.triangles[len(self.triangles) :]]

    @cached_property
    def _with_caps(self) -> Surface:
        if self.closed:
            return self
        corners, sizes = rims(self.open_edges[:, ::-1])
        caps = triangulate(self.vertices, corners, sizes)
        return Surface(self.vertices, np.concatenate((self.triangles, caps)), self.open_edges[:0])

    @cached_property
    def _judged(self) -> tuple[float, float]:
        """The doubt, and of what is inside by the winding number or with all gaps filled the share that is so by both.

        Asked at places spread evenly over the box around it (Roberts 2018, of the plastic number's sequence).
        """
        if self.closed:
            return 0.0, 1.0
        low, high = self.vertices.min(axis=0), self.vertices.max(axis=0)
        steps = np.arange(1, PROBES + 1)[:, None] * _PER_PLASTIC
        places = low + (high - low) * (steps % 1.0)
        turns = Winding(self.corners).at(places)
        whole = turns + (Winding(self.caps).at(places) if len(self.caps) else 0.0)
        inside, filled = np.abs(turns) > 0.5, np.abs(whole) > 0.5
        if not inside.any():
            return 1.0, 0.0
        unclear = np.abs(turns - np.rint(turns)) > NEAR_WHOLE
        return _share(unclear, inside), _share(inside & filled, inside | filled)


def _share(some: np.ndarray, of: np.ndarray) -> float:
    """The share of these that are those too, both (n,) bool."""
    return np.count_nonzero(some & of) / np.count_nonzero(of)


def surface(vertices: np.ndarray, faces: Sequence[Sequence[float]], kind: str = "a mesh") -> Surface:
    """The surface of a mesh, closed or open, of polygons of any form.

    Vertices in exactly the same place count as one. Faces that turn otherwise than their neighbours are turned as most
    of these; a mesh that faces inwards as a whole is turned inside out.

    Args:
        vertices: Any unit, (n, 3).
        faces: Rows of the corners of each face.
        kind: The kind of mesh allowed, in words.

    Raises:
        SceneError: If they are no faces of these vertices, or without extent; with the key of one of the two.
    """
    if not np.isfinite(vertices).all():
        raise SceneError("one that is not finite", "finite numbers", key="vertices")
    corners, sizes = _corners(len(vertices), faces, kind)
    places, same = np.unique(vertices + 0.0, axis=0, return_inverse=True)  # of zeros there is one
    corners, sizes = _without_repeats(same.reshape(-1)[corners], sizes)
    if not len(sizes):
        raise SceneError("all of them in a few places", f"those of {kind}", key="vertices")
    corners = _turned_alike(corners, sizes)
    made = Surface(places, triangulate(places, corners, sizes), _open_edges(corners, sizes))
    sides = made.corners[:, 1:] - made.corners[:, :1]
    if not cross(sides[:, 0], sides[:, 1]).any():
        raise SceneError("all of them on a line", f"those of {kind}", key="vertices")
    if made.volume < 0:
        made = replace(made, triangles=made.triangles[:, ::-1].copy(), open_edges=made.open_edges[:, ::-1].copy())
    return made


def closed(vertices: np.ndarray, faces: Sequence[Sequence[float]]) -> Surface:
    """The surface of a mesh that must be closed.

    Closed is a mesh whose every edge is run along as often one way as the other, so that solids may share edges and
    faces, and faces may have corners along their edges where their neighbours have the same.

    Args:
        vertices: Any unit, (n, 3).
        faces: Rows of the corners of each face.

    Raises:
        SceneError: If they are no closed mesh with something in it; with the key of one of the two.
    """
    made = surface(vertices, faces, "a closed mesh")
    if not made.closed:
        faces_there = _faces_at(made)
        what = f"an open mesh, with {len(faces_there)} edges such as one of {faces_there[0]} face"
        what += "s" if faces_there[0] > 1 else ""
        raise SceneError(what, "a closed one: every edge shared by two faces", key="faces")
    extent = float(np.ptp(made.vertices, axis=0).max())
    if not made.volume > 1e-9 * extent * extent * extent:
        raise SceneError("a mesh without volume", "one that encloses water's room", key="faces")
    return made


def _faces_at(made: Surface) -> np.ndarray:
    """The number of triangles at each open edge, (e,)."""
    rows, many = made.triangles, len(made.vertices)
    sides = np.sort(np.stack((rows, np.roll(rows, -1, axis=1)), axis=-1), axis=-1).reshape(-1, 2)
    ends = np.sort(made.open_edges, axis=1)
    sides, gaps = many * sides[:, 0] + sides[:, 1], np.unique(many * ends[:, 0] + ends[:, 1])
    return np.bincount(np.searchsorted(gaps, sides[np.isin(sides, gaps)]))


def _corners(vertices: int, faces: Sequence[Sequence[float]], kind: str) -> tuple[np.ndarray, np.ndarray]:
    """Rows of the corners of all polygons, one after the other, (c,), each checked; how many each has, (p,)."""
    sizes = np.array([len(face) for face in faces], dtype=int)
    if not len(sizes):
        raise SceneError("no face", f"those of {kind}", key="faces")
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


def _without_repeats(corners: np.ndarray, sizes: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Polygons without corners that are the same as the one before, and without those that have fewer than three."""
    while True:
        owner = np.repeat(np.arange(len(sizes)), sizes)
        starts = np.cumsum(sizes) - sizes
        place = np.arange(len(corners)) - starts[owner]
        before = corners[starts[owner] + (place - 1) % sizes[owner]]
        kept = (corners != before) & (sizes[owner] >= 3)
        if kept.all():
            return corners, sizes
        corners, owner = corners[kept], owner[kept]
        sizes = np.bincount(owner, minlength=len(sizes))
        sizes = sizes[sizes > 0]


def _directed(corners: np.ndarray, sizes: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Each corner's edge to the next: its face, its number, and whether it runs up, (c,); ends of all edges (e, 2)."""
    owner = np.repeat(np.arange(len(sizes)), sizes)
    starts = np.cumsum(sizes) - sizes
    after = corners[starts[owner] + (np.arange(len(corners)) - starts[owner] + 1) % sizes[owner]]
    many = int(corners.max()) + 1
    codes, edge = np.unique(np.minimum(corners, after) * many + np.maximum(corners, after), return_inverse=True)
    return owner, edge.reshape(-1), corners < after, np.stack((codes // many, codes % many), axis=1)


def _turned_alike(corners: np.ndarray, sizes: np.ndarray) -> np.ndarray:
    """Corners of polygons, each turned as its neighbours are: of what hangs together, the fewer turn round."""
    owner, edge, up, ends = _directed(corners, sizes)
    order = np.argsort(edge, kind="stable")
    uses = np.bincount(edge, minlength=len(ends))
    first = (np.cumsum(uses) - uses)[uses == 2]
    one, two = order[first], order[first + 1]
    if not (up[one] == up[two]).any():
        return corners
    faces = len(sizes)
    pairs, clash = np.stack((owner[one], owner[two]), axis=1), up[one] == up[two]
    links = coo_array((np.ones(len(pairs)), (pairs[:, 0], pairs[:, 1])), shape=(faces, faces)).tocsr()
    unlike = {(a, b): bad for (a, b), bad in zip(pairs.tolist(), clash.tolist(), strict=True)}
    turned, seen = np.zeros(faces, dtype=bool), np.zeros(faces, dtype=bool)
    for root in np.unique(pairs[clash]).tolist():  # pieces without a clash stay as they are
        if seen[root]:
            continue
        reached, before = breadth_first_order(links, root, directed=False)
        for face, parent in zip(reached[1:].tolist(), before[reached[1:]].tolist(), strict=True):
            turned[face] = turned[parent] ^ unlike.get((parent, face), unlike.get((face, parent), False))
        seen[reached] = True
        if 2 * np.count_nonzero(turned[reached]) > len(reached):
            turned[reached] = ~turned[reached]
    starts = np.cumsum(sizes) - sizes
    place = np.arange(len(corners)) - starts[owner]
    return corners[starts[owner] + np.where(turned[owner], sizes[owner] - 1 - place, place)]


def _open_edges(corners: np.ndarray, sizes: np.ndarray) -> np.ndarray:
    """Edges that are run along more often one way than the other, that way and as often, (e, 2)."""
    _, edge, up, ends = _directed(corners, sizes)
    net = np.bincount(edge, weights=np.where(up, 1.0, -1.0), minlength=len(ends)).astype(int)
    gaps = np.repeat(np.flatnonzero(net), np.abs(net[net != 0]))
    return np.where((net[gaps] > 0)[:, None], ends[gaps], ends[gaps, ::-1])
