"""Solids as compiled functions know them (fields.c): distances, free paths and sight in one call each.

What these leave, since it needs a tree of triangles or groups of them, goes on in NumPy's form, which defines it all.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from ..base import compiled
from .solids import Solid

MESH, BASIN, BED = range(3)
PATHS_A_THREAD = 1000
"""Places or paths that are worth a thread of their own."""
_NOTHING = np.zeros(1)


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
class Form:
    """A solid as compiled functions take it.

    Attributes:
        kind: MESH, BASIN or BED.
        facets: How many triangles it has.
        arrays: In the order of fields.c.
    """

    kind: int
    facets: int
    arrays: tuple[np.ndarray, ...]

    @classmethod
    def of_mesh(
        cls, layout: Layout, samples: np.ndarray, cells: tuple[np.ndarray, ...], facets: tuple[np.ndarray, ...]
    ) -> Form:
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
        whole = compiled.laid(first, many, crossing, turns, kind=np.int64)
        arrays = (
            *_begun(layout, samples.shape, samples),
            *compiled.laid(rows, edged, kind=np.int32),
            *(*whole, *compiled.laid(crowded, kind=bool), *compiled.laid(middles)),
            *(*compiled.laid(owned, kind=np.int32), *compiled.laid(table, corners, normals)),
            *compiled.laid(flat, upward, kind=bool),
        )
        return cls(MESH, len(corners), arrays)

    @classmethod
    def of_bed(cls, layout: Layout, counts: tuple[int, ...], samples: np.ndarray) -> Form:
        """That of a bed with so many places along x and y, and the numbers of each, (nx ny, 4 + levels)."""
        begun = _begun(layout, counts, samples)
        return cls(BED, 0, (*begun, *[_NOTHING] * (17 - len(begun))))

    @cached_property
    def _addresses(self) -> tuple[int, ...]:
        """Of the arrays."""
        return tuple(compiled.address(array) for array in self.arrays)

    def __getstate__(self) -> dict[str, Any]:
        """All but the addresses, which a copy has others of."""
        return {name: value for name, value in vars(self).items() if name != "_addresses"}

    def turned(self) -> Form:
        """The walls of a basin that has this inside."""
        return Form(BASIN, self.facets, self.arrays)

    def distance(
        self, points: np.ndarray, plain: Callable[[np.ndarray], tuple[np.ndarray, np.ndarray]]
    ) -> tuple[np.ndarray, np.ndarray]:
        """`Solid.distance`, of which `plain` is NumPy's form."""
        (flat,) = compiled.laid(points.reshape(-1, 3))
        found, way, left = np.empty(len(flat)), np.empty(flat.shape), np.empty(len(flat), dtype=bool)
        arrays: tuple[np.ndarray | int, ...] = *self._addresses, flat, found, way, left
        if not compiled.share("solid_distance", arrays, len(flat), PATHS_A_THREAD, self.kind, self.facets):
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
        arrays: tuple[np.ndarray | int, ...] = *self._addresses, *paths, found, left
        if not compiled.share("solid_free_path", arrays, found.size, PATHS_A_THREAD, self.kind, self.facets):
            return plain(points, directions, margin, reach)
        if left.any():
            found[left] = plain(*[of[left] for of in paths])
        return found

    def blocks(
        self, start: np.ndarray, end: np.ndarray, plain: Callable[[np.ndarray, np.ndarray], np.ndarray]
    ) -> np.ndarray:
        """`Solid.blocks`, of which `plain` is NumPy's form."""
        start, end = compiled.laid(start, end)
        found, left = np.empty(len(start), dtype=bool), np.empty(len(start), dtype=bool)
        arrays: tuple[np.ndarray | int, ...] = *self._addresses, start, end, found, left
        if not compiled.share("solid_blocks", arrays, len(start), PATHS_A_THREAD, self.kind, self.facets):
            return plain(start, end)
        if left.any():
            found[left] = plain(start[left], end[left])
        return found


class Formed(Solid):
    """A solid that is asked in compiled form; what begins with an underscore is NumPy's form, which defines it."""

    @property
    @abstractmethod
    def form(self) -> Form:
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


def _begun(layout: Layout, counts: tuple[int, ...], samples: np.ndarray) -> tuple[np.ndarray, ...]:
    """The first arrays of any form."""
    numbers = np.concatenate([np.ravel(np.asarray(of, dtype=float)) for of in layout])
    return numbers, np.array(counts, dtype=np.int64), *compiled.laid(samples)
