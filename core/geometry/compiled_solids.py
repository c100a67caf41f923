"""Solids as compiled functions know them (compiled_solids.c): distances, free paths and sight in one call each."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from ..base.nearest import TREE, Points
from ..compiled import Kept, compiled, integer, keep, part, reads, reals, record, takes, values, writes
from .solids import Solid

MESH, BASIN, BED = range(3)
PATHS_A_THREAD = 1000
"""Places or paths that are worth a thread of their own."""

LAYOUT = record(
    "Layout", **reals("low:3 cell half grain middle:3 radius shell gaping step:2 top depth diagonal levels")
)
TRIANGLE_GROUPS = record(
    "Groups",
    starts=takes("i8", "bounds"),
    middles=takes("f8", "groups", 3),
    radii=takes("f8", "groups"),
    areas=takes("f8", "groups", 3),
    corners=takes("f8", "leaves", 3, 3),
)
"""Triangles in groups, by levels from the smallest up, which begin at `starts`, whose last is the number of groups."""
FIELD = record(
    "Field",
    kind=integer(),
    layout=takes(LAYOUT),
    counts=takes("i8", "dimensions"),
    samples=takes("f8", "*sampled"),
    rows=takes("i4", "cells"),
    edged=takes("i4", "cells"),
    first=takes("i8", "close"),
    many=takes("i8", "close"),
    crossing=takes("i8", "close"),
    turns=takes("i8", "close"),
    crowded=takes("?", "close"),
    middles=takes("f8", "close", 3),
    owned=takes("i4", "ownings"),
    pieces=part(TREE),
    owners=takes("i8", "cuttings"),
    groups=part(TRIANGLE_GROUPS),
    table=takes("f8", 17, "facets"),
    corners=takes("f8", "facets", 3, 3),
    normals=takes("f8", "facets", 3),
    flat=takes("?", "facets"),
    upward=takes("?", "facets", 3),
)
"""A mesh: samples at the corners of cells; of all cells the rows of close and of edged ones; of close ones where their
triangles begin among those owned, how many they are, how many cross it, how often the mesh goes around its middle,
whether it is crowded, and its middle; the middles of pieces of triangles in a tree, and the triangle that each is of;
all triangles in groups, where it needs these; and of all triangles table, corners, normals, whether they are flat, and
which sides are upward. A bed: samples of so many places along x and y."""
SOLID_DEPTH = compiled(
    "solid_depth",
    over="n",
    least=PATHS_A_THREAD,
    field=part(FIELD),
    points=takes("f8", "*n", 3),
    depth=writes("f8", "*n"),
)
SOLID_DISTANCE = compiled(
    "solid_distance",
    over="n",
    least=PATHS_A_THREAD,
    field=part(FIELD),
    points=takes("f8", "*n", 3),
    distance=writes("f8", "*n"),
    direction=writes("f8", "*n", 3),
)
SOLID_FREE_PATH = compiled(
    "solid_free_path",
    over="n",
    least=PATHS_A_THREAD,
    field=part(FIELD),
    points=reads("f8", "*n", 3),
    ways=reads("f8", "*n", 3),
    margins=reads("f8", "*n"),
    reaches=reads("f8", "*n"),
    free=writes("f8", "*n"),
)
SOLID_BLOCKS = compiled(
    "solid_blocks",
    over="n",
    least=PATHS_A_THREAD,
    field=part(FIELD),
    starts=takes("f8", "n", 3),
    ends=takes("f8", "n", 3),
    blocked=writes("?", "n"),
)
SOLID_NEAREST = compiled(
    "solid_nearest",
    over="n",
    least=PATHS_A_THREAD,
    field=part(FIELD),
    points=takes("f8", "n", 3),
    nearest=writes("i8", "n"),
    places=writes("f8", "n", 3),
)

NO_GROUPS = keep(
    TRIANGLE_GROUPS,
    starts=np.zeros(1, dtype=np.int64),
    middles=np.zeros((0, 3)),
    radii=np.zeros(0),
    areas=np.zeros((0, 3)),
    corners=np.zeros((0, 3, 3)),
)
"""Of a mesh that needs none."""


class Layout(NamedTuple):
    """Numbers of a form, 0 where they say nothing of its kind; metres where nothing else is said.

    Attributes:
        low: First corner of the grid of samples, (3,).
        cell: Along a cell.
        half: Half the thickness of a shell.
        grain: See Solid.
        middle: Of the sphere around it, (3,).
        radius: Of that.
        shell: Whether it is a shell.
        gaping: Whether it has gaps.
        step: From place to place of a bed, (2,).
        top: Of the highest hill.
        depth: Of the tank.
        diagonal: From corner to corner of the tank.
        levels: How many heights above the bed are sampled.
    """

    low: ArrayLike = (0.0, 0.0, 0.0)
    cell: float = 1.0
    half: float = 0.0
    grain: float = 0.0
    middle: ArrayLike = (0.0, 0.0, 0.0)
    radius: float = 0.0
    shell: bool = False
    gaping: bool = False
    step: ArrayLike = (1.0, 1.0)
    top: float = 0.0
    depth: float = 0.0
    diagonal: float = 0.0
    levels: int = 0


@dataclass(frozen=True)
class CompiledSolid:
    """A solid as compiled functions take it.

    Attributes:
        field: Its `FIELD`, which is kept.
    """

    field: Kept

    @classmethod
    def of_mesh(
        cls,
        layout: Layout,
        samples: np.ndarray,
        cells: tuple[np.ndarray, ...],
        pieces: tuple[Kept, np.ndarray],
        groups: Kept,
        facets: tuple[np.ndarray, ...],
    ) -> CompiledSolid:
        """That of a mesh.

        Args:
            layout: Its numbers.
            samples: Distances at the corners of cells, (nx, ny, nz).
            cells: Of all cells the rows of close and of edged ones; of close ones the first of their triangles, how
                many they are, how many cross it, how often the mesh goes around its middle, whether it is crowded,
                and its middle; and rows of triangles.
            pieces: The middles of pieces of triangles in a tree, and the triangle that each is of.
            groups: All triangles in groups, or `NO_GROUPS`.
            facets: Their table, corners, normals, whether they are flat, and which sides are upward.
        """
        rows, edged, first, many, crossing, turns, crowded, middles, owned = cells
        table, corners, normals, flat, upward = facets
        return cls(
            keep(
                FIELD,
                kind=MESH,
                layout=values(LAYOUT, **layout._asdict()),
                counts=np.array(samples.shape),
                samples=samples,
                rows=rows,
                edged=edged,
                first=first,
                many=many,
                crossing=crossing,
                turns=turns,
                crowded=crowded,
                middles=middles,
                owned=owned,
                pieces=pieces[0],
                owners=pieces[1],
                groups=groups,
                table=table,
                corners=corners,
                normals=normals,
                flat=flat,
                upward=upward,
            )
        )

    @classmethod
    def of_bed(cls, layout: Layout, counts: tuple[int, ...], samples: np.ndarray) -> CompiledSolid:
        """That of a bed with so many places along x and y, and the numbers of each, (nx ny, 4 + levels)."""
        numbers, none, cells = values(LAYOUT, **layout._asdict()), np.zeros(0, dtype=bool), np.zeros((0, 3), dtype=bool)
        names = "rows", "edged", "first", "many", "crossing", "turns", "crowded", "owned", "owners"
        no_cells = dict.fromkeys(names, none)
        no_facets = {"table": np.zeros((17, 0)), "corners": np.zeros((0, 3, 3)), "flat": none}
        nothing = dict.fromkeys(("middles", "normals", "upward"), cells)
        whole = {"pieces": Points(np.zeros((0, 3))).tree, "groups": NO_GROUPS}
        given = {"counts": np.array(counts), "samples": samples, **no_cells, **whole, **no_facets, **nothing}
        return cls(keep(FIELD, kind=BED, layout=numbers, **given))

    def turned(self) -> CompiledSolid:
        """The walls of a basin that has this inside."""
        return CompiledSolid(keep(FIELD, **{**self.field.values, "kind": BASIN}))


class Formed(Solid):
    """A solid that compiled functions answer for."""

    @property
    @abstractmethod
    def form(self) -> CompiledSolid:
        """As compiled functions take it."""

    def depth(self, points: np.ndarray) -> np.ndarray:
        """See Solid."""
        found = np.empty(points.shape[:-1])
        SOLID_DEPTH(field=self.form.field, points=points, depth=found)
        return found

    def distance(self, points: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """See Solid."""
        found, way = np.empty(points.shape[:-1]), np.empty(points.shape)
        SOLID_DISTANCE(field=self.form.field, points=points, distance=found, direction=way)
        return found, way

    def free_path(
        self, points: np.ndarray, directions: np.ndarray, margin: ArrayLike, reach: ArrayLike = np.inf
    ) -> np.ndarray:
        """See Solid."""
        shape = np.broadcast(points[..., 0], directions[..., 0], margin, reach).shape
        paths = np.empty((*shape, 3)), np.empty((*shape, 3)), np.empty(shape), np.empty(shape)
        for path, of in zip(paths, (points, directions, margin, reach), strict=True):
            path[...] = of
        found, given = np.empty(shape), dict(zip(("points", "ways", "margins", "reaches"), paths, strict=True))
        SOLID_FREE_PATH(field=self.form.field, **given, free=found)
        return found

    def blocks(self, start: np.ndarray, end: np.ndarray) -> np.ndarray:
        """See Solid."""
        found = np.empty(len(start), dtype=bool)
        SOLID_BLOCKS(field=self.form.field, starts=start, ends=end, blocked=found)
        return found
