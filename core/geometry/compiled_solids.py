"""Solids as compiled functions know them (compiled_solids.c): distances, free paths and sight in one call each.

What these leave, since it needs a tree of triangles or groups of them, goes on in NumPy's form, which defines it all.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from ..compiled import Kept, compiled, integer, keep, part, reads, reals, record, takes, values, writes
from .solids import Solid

MESH, BASIN, BED = range(3)
PATHS_A_THREAD = 1000
"""Places or paths that are worth a thread of their own."""

LAYOUT = record(
    "Layout", **reals("low:3 cell half grain middle:3 radius shell gaping step:2 top depth diagonal levels")
)
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
    table=takes("f8", 17, "facets"),
    corners=takes("f8", "facets", 3, 3),
    normals=takes("f8", "facets", 3),
    flat=takes("?", "facets"),
    upward=takes("?", "facets", 3),
)
"""A mesh: samples at the corners of cells; of all cells the rows of close and of edged ones; of close ones where their
triangles begin among those owned, how many they are, how many cross it, how often the mesh goes around its middle,
whether it is crowded, and its middle; and of all triangles table, corners, normals, whether they are flat, and which
sides are upward. A bed: samples of so many places along x and y."""
SOLID_DISTANCE = compiled(
    "solid_distance",
    over="n",
    least=PATHS_A_THREAD,
    field=part(FIELD),
    points=takes("f8", "n", 3),
    distance=writes("f8", "n"),
    direction=writes("f8", "n", 3),
    left=writes("?", "n"),
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
    left=writes("?", "*n"),
)
SOLID_BLOCKS = compiled(
    "solid_blocks",
    over="n",
    least=PATHS_A_THREAD,
    field=part(FIELD),
    starts=takes("f8", "n", 3),
    ends=takes("f8", "n", 3),
    blocked=writes("?", "n"),
    left=writes("?", "n"),
)


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
        cls, layout: Layout, samples: np.ndarray, cells: tuple[np.ndarray, ...], facets: tuple[np.ndarray, ...]
    ) -> CompiledSolid:
        """That of a mesh.

        Args:
            layout: Its numbers.
            samples: Distances at the corners of cells, (nx, ny, nz).
            cells: Of all cells the rows of close and of edged ones; of close ones the first of their triangles, how
                many they are, how many cross it, how often the mesh goes around its middle, whether it is crowded,
                and its middle; and rows of triangles.
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
        no_cells = dict.fromkeys(("rows", "edged", "first", "many", "crossing", "turns", "crowded", "owned"), none)
        no_facets = {"table": np.zeros((17, 0)), "corners": np.zeros((0, 3, 3)), "flat": none}
        nothing = dict.fromkeys(("middles", "normals", "upward"), cells)
        given = {"counts": np.array(counts), "samples": samples, **no_cells, **no_facets, **nothing}
        return cls(keep(FIELD, kind=BED, layout=numbers, **given))

    def turned(self) -> CompiledSolid:
        """The walls of a basin that has this inside."""
        return CompiledSolid(keep(FIELD, **{**self.field.values, "kind": BASIN}))

    def distance(
        self, points: np.ndarray, plain: Callable[[np.ndarray], tuple[np.ndarray, np.ndarray]]
    ) -> tuple[np.ndarray, np.ndarray]:
        """`Solid.distance`, of which `plain` is NumPy's form."""
        flat = points.reshape(-1, 3)
        found, way, left = np.empty(len(flat)), np.empty(flat.shape), np.empty(len(flat), dtype=bool)
        if not SOLID_DISTANCE(field=self.field, points=flat, distance=found, direction=way, left=left):
            return plain(points)
        if left.any():
            found[left], way[left] = plain(flat[left])
        return found.reshape(points.shape[:-1]), way.reshape(points.shape)

    def free_path(
        self,
        points: np.ndarray,
        directions: np.ndarray,
        margin: ArrayLike,
        reach: ArrayLike,
        plain: Callable[..., np.ndarray],
    ) -> np.ndarray:
        """`Solid.free_path`, of which `plain` is NumPy's form."""
        shape = np.broadcast(points[..., 0], directions[..., 0], margin, reach).shape
        paths = np.empty((*shape, 3)), np.empty((*shape, 3)), np.empty(shape), np.empty(shape)
        for path, of in zip(paths, (points, directions, margin, reach), strict=True):
            path[...] = of
        found, left = np.empty(shape), np.empty(shape, dtype=bool)
        given = dict(zip(("points", "ways", "margins", "reaches"), paths, strict=True))
        if not SOLID_FREE_PATH(field=self.field, **given, free=found, left=left):
            return plain(points, directions, margin, reach)
        if left.any():
            found[left] = plain(*[of[left] for of in paths])
        return found

    def blocks(
        self, start: np.ndarray, end: np.ndarray, plain: Callable[[np.ndarray, np.ndarray], np.ndarray]
    ) -> np.ndarray:
        """`Solid.blocks`, of which `plain` is NumPy's form."""
        found, left = np.empty(len(start), dtype=bool), np.empty(len(start), dtype=bool)
        if not SOLID_BLOCKS(field=self.field, starts=start, ends=end, blocked=found, left=left):
            return plain(start, end)
        if left.any():
            found[left] = plain(start[left], end[left])
        return found


class Formed(Solid):
    """A solid that is asked in compiled form; what begins with an underscore is NumPy's form, which defines it."""

    @property
    @abstractmethod
    def form(self) -> CompiledSolid:
        """As compiled functions take it."""

    def distance(self, points: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """See Solid."""
        return self.form.distance(points, self._distance)

    def free_path(
        self, points: np.ndarray, directions: np.ndarray, margin: ArrayLike, reach: ArrayLike = np.inf
    ) -> np.ndarray:
        """See Solid."""
        return self.form.free_path(points, directions, margin, reach, self._free_path)

    def blocks(self, start: np.ndarray, end: np.ndarray) -> np.ndarray:
        """See Solid."""
        return self.form.blocks(start, end, self._blocks)

    @abstractmethod
    def _distance(self, points: np.ndarray) -> tuple[np.ndarray, np.ndarray]: ...

    def _free_path(
        self, points: np.ndarray, directions: np.ndarray, margin: ArrayLike, reach: ArrayLike = np.inf
    ) -> np.ndarray:
        return super().free_path(points, directions, margin, reach)

    def _blocks(self, start: np.ndarray, end: np.ndarray) -> np.ndarray:
        return super().blocks(start, end)
