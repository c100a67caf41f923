"""The surfaces of a species as one welded, unwrapped mesh of quads, at several levels of geometry.

A NURBS surface is a fixed sum of its control points wherever it is sampled, so all vertices of a fish are one sparse
matrix times its control points, and a pose is one product. The halves of the body are sewn together all around and
closed at the nose and at the root of the tail; fins are sheets whose roots stand in the skin, and eyes are balls that
are sunk into the head, of which the back is left out.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.sparse import csr_matrix, diags, vstack

from ..body.anatomy import body_frame, rest_nodes
from ..scene.species import Species
from .coupling import coupling_of, local_points
from .look import Look, eye_turns
from .nurbs import basis
from .relief import eyeball, over
from .surfaces import MIRROR, Patch, eyes

MESH_MATERIALS = "skin", "dorsal", "ventral", "caudal", "pectoral", "eye"
"""Materials of faces, in the order of their numbers."""
FINS = "dorsal", "ventral", "caudal", "pectoral_left", "pectoral_right"
EYES = "eye_left", "eye_right"
EYE_POINTS = 4
"""Control points of an eye: its centre, and the tips of its three axes."""
FLAT_LENGTHS = 1e-4
"""Height of a fin that is none."""
STILL_LENGTHS = 1e-6
"""Motion below which a vertex does not belong to the mouth as it opens."""


@dataclass(frozen=True)
class Level:
    """The fineness of a fish's mesh.

    Attributes:
        body: Vertices across and along each half of the body; across an odd number, as of median fins:
            where a column is one vertex, two triangles make a quad.
        median: Across and along dorsal and ventral fin.
        caudal: Across and along the caudal fin.
        pectoral: Across and along a pectoral fin.
        rings: Angles from the middle of the pupil at which an eye has a ring of vertices.
        spokes: Vertices of each ring, an even number.
    """

    body: tuple[int, int]
    median: tuple[int, int]
    caudal: tuple[int, int]
    pectoral: tuple[int, int]
    rings: tuple[float, ...]
    spokes: int


LEVELS = (
    Level((17, 61), (3, 34), (15, 9), (3, 9), (0.4, 0.75, 1.05, 1.3, 1.6, 2.3), 16),
    Level((9, 27), (3, 18), (9, 5), (2, 6), (0.55, 1.1, 1.6, 2.3), 8),
    Level((5, 13), (3, 8), (5, 3), (2, 4), (0.8, 1.8), 6),
)
"""Levels from the finest to the coarsest, each with about a quarter of the vertices of the one before."""


class ControlNet:
    """All control points of a species in one array, in body lengths in the fish's own frame.

    Attributes:
        coupling: The surfaces, as the body moves them.
        blocks: Rows of the points of each surface and of each eye in it.
        count: Number of points.
        rest: Points at rest, (count, 3).
        gape: Their motion from there when the mouth opens wide, (count, 3).
    """

    def __init__(self, species: Species) -> None:
        """Lays the surfaces out one after the other."""
        self.coupling = coupling_of(species)
        sizes = {name: len(patch.points.reshape(-1, 3)) for name, patch in self.coupling.rest.items()}
        sizes |= dict.fromkeys(EYES, EYE_POINTS)
        ends = np.cumsum(list(sizes.values())).tolist()
        self.blocks = {name: slice(end - sizes[name], end) for name, end in zip(sizes, ends, strict=True)}
        self.count = ends[-1]
        _, radius, self._outward = eyes(species)
        out = self._outward[0]
        side = np.cross([0.0, 0.0, 1.0], out)
        side /= np.linalg.norm(side)
        left = radius * np.stack([side, np.cross(out, side), out])
        self._axes = np.stack([left, left * MIRROR])
        nodes, still = np.tile(rest_nodes(species.body), (2, 1, 1, 1)), np.zeros((2, 1, 2, 3))
        self.rest, opened = self.poses(nodes, still, np.ones(1), np.array([[0.0], [1.0]]))[0][:, 0]
        self.gape = opened - self.rest

    def poses(
        self,
        nodes: np.ndarray,
        fins: np.ndarray,
        body_length: np.ndarray,
        mouth: np.ndarray,
        look: Look | None = None,
    ) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """The poses of fishes, apart from their places.

        Args:
            nodes: Positions (frames, fish, 23, 3) in metres.
            fins: Pectoral fins (frames, fish, 2, 3), as a recording has them.
            body_length: (fish,) in metres.
            mouth: Opening of mouths, (frames, fish), 0 to 1.
            look: Looks of the fishes, (frames, fish); none if left out.

        Returns:
            Points (frames, fish, count, 3) in body lengths; origins (frames, fish, 3) in metres and rotations
            (frames, fish, 3, 3), columns ahead, left and up, of the frames that they are in.
        """
        nodes = np.asarray(nodes, dtype=float)
        length = np.asarray(body_length, dtype=float)
        origin, turn = body_frame(nodes)
        points = self.coupling.control_points(local_points(nodes, origin, turn), fins, length, mouth, look)
        axes = self._axes
        if look is not None and np.any(look.gaze):
            axes = axes @ np.swapaxes(eye_turns(np.asarray(look.gaze, dtype=float), self._outward), -1, -2)
        found = np.empty((*nodes.shape[:2], self.count, 3))
        size = length[:, None, None]
        for name in self.coupling.rest:
            found[..., self.blocks[name], :] = points[name].reshape(*nodes.shape[:2], -1, 3) / size
        for eye, name in enumerate(EYES):
            centre = points["eyes"][..., eye, None, :] / size
            found[..., self.blocks[name], :] = np.concatenate([centre, centre + axes[..., eye, :, :]], axis=-2)
        return found, origin, turn


class BoundMesh:
    """Vertices that follow the control points of a species: those of its own surfaces, or of a model that it wears.

    Attributes:
        matrix: Shares of the control points in the vertices, (vertices, points of the `ControlNet`), sparse.
        groups: Vertices of "body", of each of `FINS` and `EYES`, and of "mouth", those that it moves.
        count: Number of vertices.
    """

    matrix: csr_matrix
    groups: dict[str, np.ndarray]
    count: int

    @property
    def worn(self) -> Callable[[Any, np.ndarray], np.ndarray] | None:
        """The function that gives bones their shares in the vertices, if somebody has weighted it; else None.

        It is called with the bones of a `rig.Rig`, and the shares that they have by the shape alone.
        """
        return None

    def vertices(self, points: np.ndarray) -> np.ndarray:
        """The vertices, (..., vertices, 3), by control points (..., points, 3) of a `ControlNet`."""
        many = np.moveaxis(points.reshape(-1, *points.shape[-2:]), 0, 1)
        found = self.matrix @ many.reshape(len(many), -1)
        return np.moveaxis(found.reshape(self.count, -1, 3), 0, 1).reshape(*points.shape[:-2], self.count, 3)


class FishMesh(BoundMesh):
    """The mesh of one species at one level of geometry.

    Attributes:
        matrix: Shares of the control points in the vertices, (vertices, points of the `ControlNet`), sparse.
        faces: Vertices of each quad, (faces, 4), counter-clockwise seen from outside, from the left of a fin on the
            mid-plane, or from the outer side of a pectoral fin.
        uv: Places (faces, 4, 2) of their corners on the surfaces, 0 to 1, as a NURBS surface has them: u across, v
            along; of an eye, where they are seen from straight ahead of it.
        material: Material of each face, index into `MESH_MATERIALS`.
        groups: Vertices of "body", of each surface and each eye by name, and of "mouth", those that it moves.
        mirror: The vertex on the other side of each, itself on the mid-plane, (vertices,).
        count: Number of vertices.
    """

    def __init__(self, net: ControlNet, level: int = 0) -> None:
        """Lays out vertices and faces.

        Args:
            net: The species' control net.
            level: Row of `LEVELS`.
        """
        self._net, self._level = net, LEVELS[level]
        self._rows: list[csr_matrix] = []
        self._faces: list[np.ndarray] = []
        self._uvs: list[np.ndarray] = []
        self._materials: list[np.ndarray] = []
        self.groups: dict[str, np.ndarray] = {}
        self.count = 0
        sides = [self._body(net.coupling.rest)]
        for name in FINS:
            self._fin(name, net.coupling.rest[name])
        for name in EYES:
            self._eye(name)
        self.matrix: csr_matrix = vstack(self._rows, format="csr")
        self.faces, self.uv = np.concatenate(self._faces), np.concatenate(self._uvs)
        self.material = np.concatenate(self._materials)
        sides += [(self.groups[f"{part}_left"], self.groups[f"{part}_right"]) for part in ("pectoral", "eye")]
        self.mirror = np.arange(self.count)
        for left, right in sides:
            self.mirror[left], self.mirror[right] = right, left
        self.groups["mouth"] = np.flatnonzero(np.abs(self.matrix @ net.gape).max(axis=1) > STILL_LENGTHS)

    def _body(self, patches: Mapping[str, Patch]) -> tuple[np.ndarray, np.ndarray]:
        """Sew the halves together; their vertices (m n,), those of left and right in the same order."""
        m, n = self._level.body
        left = np.arange(m * n).reshape(m, n)
        right = m * n + left
        for edge in (np.s_[0], np.s_[-1], np.s_[:, -1]):  # back, belly and the root of the tail
            right[edge] = left[edge]
        left[:, 0] = right[:, 0] = left[0, 0]  # the nose
        names = "body_left", "body_right"
        rows = self._raised(vstack([self._sheet(name, patches[name], m, n) for name in names], format="csr"), m, n)
        left, right = self._new("body", np.stack([left, right]), rows)
        for name, grid in zip(names, (left, right), strict=True):
            self.groups[name] = np.unique(grid)
            self._strips(grid, patches[name].outward, "skin")
        return left.ravel(), right.ravel()

    def _raised(self, rows: csr_matrix, m: int, n: int) -> csr_matrix:
        """The halves' shares (2 m n, points) with the relief of the body: offsets along normals that turn with it.

        A normal is written in three directions that are sums of the half's own control points: ahead, out and up there.
        """
        height = over(self._net.coupling.species, np.linspace(0.0, 1.0, m), np.linspace(0.0, 1.0, n))
        halves = rows[: m * n], rows[m * n :]
        axes = [_directions(half, m, n) for half in halves]
        rest = np.stack([axis @ self._net.rest for axis in axes[0]], axis=1)  # (n, axes, 3)
        surface = (halves[0] @ self._net.rest).reshape(m, n, 3)
        normal = np.cross(np.gradient(surface, axis=0), np.gradient(surface, axis=1))
        normal[[0, -1], :, 1] = 0.0  # on the mid-plane
        size = np.linalg.norm(normal, axis=-1)
        height[:, np.linalg.norm(rest, axis=-1).min(axis=1) < FLAT_LENGTHS] = 0.0  # where the body is a line
        normal *= (height / np.where(size > 0.0, size, 1.0))[..., None]
        shares = np.einsum("mnx,nxa->mna", normal, np.linalg.pinv(rest)).reshape(m * n, -1)
        moved = [
            sum(diags(share) @ vstack([axis] * m) for share, axis in zip(shares.T, of, strict=True)) for of in axes
        ]
        return csr_matrix(rows + vstack(moved))

    def _fin(self, name: str, patch: Patch) -> None:
        """A sheet, whose rows are one vertex where it has no height."""
        part = name.partition("_")[0]
        m, n = getattr(self._level, "median" if part in ("dorsal", "ventral") else part)
        rows = self._sheet(name, patch, m, n)
        numbers = np.arange(m * n).reshape(m, n)
        rest = (rows @ self._net.rest)[numbers]
        flat = np.linalg.norm(rest - rest[0], axis=-1).max(axis=0) < FLAT_LENGTHS
        numbers[:, flat] = numbers[0, flat]
        bare = flat & np.append(flat[1:], True) & np.insert(flat[:-1], 0, True)  # nothing is between two such
        grid = np.full((m, n), -1)
        grid[:, ~bare] = self._new(name, numbers[:, ~bare], rows)
        self._strips(grid, patch.outward, part)

    def _strips(self, grid: np.ndarray, outward: int, part: str) -> None:
        """Quads between vertices (m, n), strip by strip; two triangles make a quad at a column of one vertex."""
        m, n = grid.shape
        point = grid[0] == grid[-1]
        rows, middle = np.arange(m - 1), np.arange(1, m - 1, 2)
        for column in range(n - 1):
            ahead, behind = column, column + 1
            if point[ahead] and point[behind]:
                continue
            if point[ahead]:
                corners = [(middle, ahead), (middle + 1, behind), (middle, behind), (middle - 1, behind)]
            elif point[behind]:
                corners = [(middle - 1, ahead), (middle, ahead), (middle + 1, ahead), (middle, behind)]
            else:
                corners = [(rows, ahead), (rows + 1, ahead), (rows + 1, behind), (rows, behind)]
            corners = corners[::outward]
            places = [np.stack([row / (m - 1), np.full(len(row), at / (n - 1))], axis=-1) for row, at in corners]
            self._keep(np.stack([grid[row, at] for row, at in corners], axis=1), np.stack(places, axis=1), part)

    def _sheet(self, name: str, patch: Patch, m: int, n: int) -> csr_matrix:
        """Shares of all control points in a surface sampled (m, n) times, rows one after the other."""
        rows, columns = patch.points.shape[:2]
        across = basis(rows, patch.degree_u, np.linspace(0.0, rows - patch.degree_u, m))
        along = basis(columns, patch.degree_v, np.linspace(0.0, columns - patch.degree_v, n))
        return self._shares(name, np.kron(across, along))

    def _shares(self, name: str, own: np.ndarray) -> csr_matrix:
        """Shares (n, points) in all control points, of those (n, own points) in the control points of one block."""
        shares = np.zeros((len(own), self._net.count))
        shares[:, self._net.blocks[name]] = own
        return csr_matrix(shares)

    def _eye(self, name: str) -> None:
        """A ball without its back: rings about a vertex in the middle of the pupil."""
        spokes, angles = self._level.spokes, np.array(self._level.rings)[:, None]
        around = np.arange(spokes) * 2 * np.pi / spokes
        x, y = np.sin(angles) * np.cos(around), np.sin(angles) * np.sin(around)
        ball = np.stack([x, y, np.broadcast_to(np.cos(angles), x.shape)], axis=-1).reshape(-1, 3)
        ball = np.vstack([[0.0, 0.0, 1.0], ball])
        flat = ball[:, :2]
        ball = ball * eyeball(np.arccos(ball[:, 2].clip(-1.0, 1.0)))[:, None]
        shares = self._shares(name, np.column_stack([1.0 - ball.sum(axis=1), ball]))
        ring = np.arange(spokes)
        middle = np.arange(0, spokes, 2)
        quads = [np.stack([np.zeros_like(middle), 1 + middle, 2 + middle, 1 + (middle + 2) % spokes], axis=1)]
        for inner in 1 + spokes * np.arange(len(angles) - 1):
            after = (ring + 1) % spokes
            quads.append(np.stack([inner + ring, inner + spokes + ring, inner + spokes + after, inner + after], axis=1))
        faces = np.concatenate(quads)[:, :: 1 if name == EYES[0] else -1]  # the right one is a mirror image
        self._keep(self._new(name, np.arange(len(ball)), shares)[faces], 0.5 + 0.5 * flat[faces], "eye")

    def _new(self, name: str, rows: np.ndarray, shares: csr_matrix) -> np.ndarray:
        """Make a vertex of each of these rows of shares that differs; its number in the place of each."""
        kept, numbers = np.unique(rows, return_inverse=True)
        self._rows.append(shares[kept])
        self.groups[name] = self.count + np.arange(len(kept))
        self.count += len(kept)
        return self.groups[name][numbers.reshape(rows.shape)]

    def _keep(self, faces: np.ndarray, uv: np.ndarray, part: str) -> None:
        self._faces.append(faces)
        self._uvs.append(uv)
        self._materials.append(np.full(len(faces), MESH_MATERIALS.index(part)))


def _directions(half: csr_matrix, m: int, n: int) -> list[csr_matrix]:
    """Shares (n, points) that are ahead, out and up at each column, of those (m n, points) of half a body."""
    back, middle, belly = (half[row * n : (row + 1) * n] for row in (0, m // 2, m - 1))
    edges = 0.5 * (back + belly)
    ahead, behind = np.clip(np.arange(n) - 1, 0, None), np.clip(np.arange(n) + 1, None, n - 1)
    return [csr_matrix(edges[ahead] - edges[behind]), csr_matrix(middle - edges), csr_matrix(back - belly)]
