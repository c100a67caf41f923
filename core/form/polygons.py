"""The surfaces of a species as one mesh of polygons, for code that moves many fishes at once.

A NURBS surface is a fixed sum of its control points wherever it is sampled, so the vertices of all fishes are a few
products of matrices. The halves of the body share the vertices of back and belly, so that shading has no seam.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from ..compiled import Kept, compiled, integer, keep, part, reads, reals, record, takes, values, writes
from ..scene.species import Species
from .coupling import coupling_of
from .look import Look, eye_axes
from .nurbs import basis
from .surfaces import Patch, eyes
from .tuning import FOLDED_ANGLE, JAW_DROP_REACHES, JAW_THRUST_REACHES

POLYGON_PARTS = "skin", "dorsal", "ventral", "caudal", "pectoral", "iris", "pupil"
"""Parts to which faces belong."""
SURFACE_VERTICES = {"body": (9, 27), "dorsal": (2, 18), "ventral": (2, 18), "caudal": (7, 6), "pectoral": (2, 6)}
"""Vertices across and along a surface; of the body, of each half."""
COARSE_VERTICES = {"body": (5, 9), "dorsal": (2, 5), "ventral": (2, 5), "caudal": (3, 3), "pectoral": (2, 2)}
"""The same for fishes far away, which have no eyes."""
EYE_RING_RADIANS, EYE_SPOKES = (0.55, 1.0, 1.57, 2.3), 8
"""Angles from the middle of the pupil at which an eye has rings of vertices, and how many vertices in each."""
POLYGONS_A_THREAD = 30
"""Fewest fishes that are worth a thread of their own."""
POINTS_AT_ONCE = 8
"""Control points that polygons.c takes at a time."""

_LOOKS = record(
    "Looks",
    **reals("fold give breath sip tuck flat thrust drop rays:4x3 lengths:4 tucked:4x3 normal:3 axis:3 rest:2x9"),
    **reals("outward:2x3 ahead:2x3 up:2x3"),
)
SHAPE = record(
    "Shape",
    looks=reads(_LOOKS),
    shares=takes("f4", "ways", "count"),
    median=takes("f4", "median_controls", "median_room"),
    caudal=takes("f4", "caudal_controls", "caudal_room"),
    pectoral=takes("f4", "pectoral_controls", "pectoral_room"),
    balls=takes("f8", 2, "places", 3),
    body=integer(),
    median_vertices=integer(),
    caudal_vertices=integer(),
    pectoral_vertices=integer(),
)
"""A species: shares of body, fins and eyes in ways to move, those of control points in vertices of sheets, eyeballs,
and how many vertices there are of each."""
POLYGONS = compiled(
    "polygons",
    over="fishes",
    least=POLYGONS_A_THREAD,
    shape=part(SHAPE),
    nodes=takes("f8", "fishes", 23, 3),
    fins=takes("f8", "fishes", 2, 3),
    lengths=takes("f8", "fishes"),
    mouths=takes("f8", "fishes"),
    breaths=takes("f8", "fishes", 2),
    folds=takes("f8", "fishes", 2),
    tails=takes("f8", "fishes"),
    gazes=takes("f8", "fishes", 2, 2),
    found=writes("f4", "fishes", "vertices", 3),
)


@dataclass(frozen=True)
class _Sheet:
    """A surface that is sampled.

    Attributes:
        across: Shares of the rows of control points in the rows of vertices, (m, rows).
        along: The same of columns, (n, columns).
    """

    across: np.ndarray
    along: np.ndarray

    @property
    def shares(self) -> np.ndarray:
        """Share of each control point in each vertex, (m n, rows columns)."""
        return np.kron(self.across, self.along)


@lru_cache(maxsize=64)
def polygons_of(species: Species, coarse: bool = False) -> Polygons:
    """The mesh of a species, laid out once; see `Polygons`."""
    return Polygons(species, coarse)


class Polygons:
    """The mesh of one species.

    Attributes:
        faces: Vertices of each face, (faces, 4), counter-clockwise seen from outside; of a triangle the last twice.
        uv: Places (faces, 4, 2) of their corners on the surfaces, as a NURBS surface has them: u across, v along.
        part: Index into `POLYGON_PARTS` of each face.
        count: Number of vertices.
    """

    def __init__(self, species: Species, coarse: bool = False) -> None:
        """Lays out vertices and faces, those of `COARSE_VERTICES` or all."""
        self._coupling = coupling_of(species)
        self._sizes = COARSE_VERTICES if coarse else SURFACE_VERTICES
        rest = self._coupling.rest
        self._sheets: dict[str, _Sheet] = {}
        self._faces: list[np.ndarray] = []
        self._uvs: list[np.ndarray] = []
        self._parts: list[np.ndarray] = []
        self.count = 0
        self._body(rest["body_left"])
        for name in ("dorsal", "ventral", "caudal", "pectoral_left", "pectoral_right"):
            self._fin(name, rest[name])
        self._eyes(species, () if coarse else EYE_RING_RADIANS)
        self.faces, self.uv = np.concatenate(self._faces), np.concatenate(self._uvs)
        self.part = np.concatenate(self._parts)
        self._shape = self._lay_out()

    def placed(
        self, nodes: np.ndarray, fins: np.ndarray, body_length: np.ndarray, mouth: np.ndarray, look: Look
    ) -> np.ndarray:
        """Where the vertices of all fishes are in the world.

        Args:
            nodes: (fish, 23, 3) in metres.
            fins: Pectoral fins (fish, 2, 3), as a recording has them.
            body_length: (fish,) in metres.
            mouth: How far mouths are open, (fish,), 0 to 1.
            look: What else is seen of them, (fish,).

        Returns:
            (fish, count, 3) float32 in metres.
        """
        found = np.empty((len(nodes), self.count, 3), np.float32)
        POLYGONS(
            shape=self._shape,
            nodes=nodes,
            fins=fins,
            lengths=body_length,
            mouths=mouth,
            breaths=look.breath,
            folds=look.fold,
            tails=look.tail,
            gazes=look.gaze,
            found=found,
        )
        return found

    def _lay_out(self) -> Kept:
        """The species as polygons.c has it."""
        rows = self._coupling.flank_rows()
        body, jaw, gill = [], [], []
        for name, inner, side in (("body_left", slice(None), 1.0), ("body_right", slice(1, -1), -1.0)):
            sheet = self._sheets[name].shares.reshape(*self._sizes["body"], -1)[inner]
            sheet = sheet.reshape(-1, sheet.shape[-1])
            body.append(sheet @ rows.pop(name))
            jaw.append(sheet @ self._coupling.jaw_swing.ravel())
            gill.append(side * sheet @ self._coupling.gill_cover.ravel())
        vertices = np.concatenate(body)
        moved = np.column_stack([vertices, np.concatenate(jaw), np.concatenate(gill)])
        others = np.concatenate(list(rows.values()))
        points = np.concatenate([moved, np.pad(others, ((0, 0), (0, 2)))])
        sheets = [self._sheets[name].shares for name in ("dorsal", "caudal", "pectoral_left")]
        shares, *fins = (np.pad(of.T, ((0, 0), (0, -len(of) % POINTS_AT_ONCE))) for of in (points, *sheets))
        numbers = zip(("median_vertices", "caudal_vertices", "pectoral_vertices"), map(len, sheets), strict=True)
        return keep(
            SHAPE,
            looks=self._looks(),
            shares=shares,
            **dict(zip(("median", "caudal", "pectoral"), fins, strict=True)),
            balls=self._ball,
            body=len(vertices),
            **dict(numbers),
        )

    def _looks(self) -> np.ndarray:
        """The numbers of `LOOKS`."""
        bearing, fin, tucked, rest = self._coupling.species.bearing, *self._coupling.pectoral_rest
        ahead, up = eye_axes(self._outward)
        return values(
            _LOOKS,
            fold=bearing.fold,
            give=bearing.give,
            breath=bearing.breath > 0.0,
            sip=bearing.sip,
            tuck=bearing.tuck,
            flat=FOLDED_ANGLE,
            thrust=JAW_THRUST_REACHES,
            drop=JAW_DROP_REACHES,
            rays=fin.rays,
            lengths=np.linalg.norm(fin.rays, axis=-1),
            tucked=tucked,
            normal=fin.normal,
            axis=fin.axis,
            rest=rest,
            outward=self._outward,
            ahead=ahead,
            up=up,
        )

    def _body(self, patch: Patch) -> None:
        """Two halves with common edges."""
        m, n = self._sizes["body"]
        for side in ("body_left", "body_right"):
            self._sheets[side] = _sheet(patch, m, n)
        left = np.arange(m * n).reshape(m, n)
        right = np.concatenate([left[:1], m * n + np.arange((m - 2) * n).reshape(m - 2, n), left[-1:]])
        self.count = (2 * m - 2) * n
        for own, outward in ((left, patch.outward), (right, -patch.outward)):
            self._add(own, outward, "skin")

    def _fin(self, name: str, patch: Patch) -> None:
        part = name.partition("_")[0]
        m, n = self._sizes[part]
        self._sheets[name] = _sheet(patch, m, n)
        self._add(self.count + np.arange(m * n).reshape(m, n), patch.outward, part)
        self.count += m * n

    def _add(self, grid: np.ndarray, outward: int, part: str) -> None:
        """Faces between vertices (m, n)."""
        u, v = np.meshgrid(*(np.linspace(0.0, 1.0, count) for count in grid.shape), indexing="ij")
        uv = np.stack([u, v], axis=-1)
        corners = [(slice(None, -1), slice(None, -1)), (slice(1, None), slice(None, -1))]
        corners += [(slice(1, None), slice(1, None)), (slice(None, -1), slice(1, None))]
        faces, places = (np.stack([of[corner] for corner in corners[::outward]], axis=2) for of in (grid, uv))
        self._keep(faces, places, part)

    def _keep(self, faces: np.ndarray, uv: np.ndarray, part: str) -> None:
        faces = faces.reshape(-1, 4)
        self._faces.append(faces)
        self._uvs.append(uv.reshape(-1, 4, 2))
        self._parts.append(np.full(len(faces), POLYGON_PARTS.index(part)))

    def _eyes(self, species: Species, rings_at: tuple[float, ...]) -> None:
        """Two balls with rings at these angles from the middle of the pupil; without any, none."""
        _, radius, outward = eyes(species)
        self._outward = outward
        if not rings_at:
            self._ball = np.zeros((2, 0, 3))
            return
        angle = np.arange(EYE_SPOKES) * 2 * np.pi / EYE_SPOKES
        rings = np.array(rings_at)[:, None]
        flat = np.stack([np.sin(rings) * np.cos(angle), np.sin(rings) * np.sin(angle)], axis=-1).reshape(-1, 2)
        ball = np.vstack([[0.0, 0.0, 1.0], np.column_stack([flat, np.cos(rings).repeat(EYE_SPOKES)])])
        side = np.cross([0.0, 0.0, 1.0], outward)
        side /= np.linalg.norm(side, axis=1, keepdims=True)
        axes = np.stack([side, np.cross(outward, side), outward], axis=1)
        self._ball = radius * ball @ axes
        ring = np.arange(EYE_SPOKES)
        after = np.roll(ring, -1)
        pupil = np.stack([np.zeros(EYE_SPOKES, int), 1 + ring, 1 + after, 1 + after], axis=1)
        iris = [
            np.stack([inner + ring, inner + EYE_SPOKES + ring, inner + EYE_SPOKES + after, inner + after], axis=1)
            for inner in 1 + EYE_SPOKES * np.arange(len(rings_at) - 1)
        ]
        for _ in range(2):
            for name, faces in (("pupil", pupil), ("iris", np.concatenate(iris))):
                self._keep(self.count + faces, np.full((len(faces), 4, 2), 0.5), name)
            self.count += len(ball)


def _sheet(patch: Patch, m: int, n: int) -> _Sheet:
    rows, columns = patch.points.shape[:2]
    across = basis(rows, patch.degree_u, np.linspace(0.0, rows - patch.degree_u, m))
    return _Sheet(across, basis(columns, patch.degree_v, np.linspace(0.0, columns - patch.degree_v, n)))
