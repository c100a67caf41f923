"""The tank and its bed: where the water is, and the hills below it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ..base.codec import OPTIONAL, SceneError, shown
from ..base.declaration import integer, number, vector
from ..geometry import triangles
from ..geometry.basin import Basin
from .limits import FARTHEST


@dataclass(frozen=True)
class Tank:
    """The water, a box from the origin to `size`, or what a closed mesh within that box holds."""

    size: tuple = vector((10.0, 8.0, 4.0), 0.1, FARTHEST, "m", "Length, width and depth of the water, along x, y and z")
    vertices: tuple | None = vector(
        OPTIONAL, -FARTHEST, FARTHEST, "m", "Vertices of its walls, where it is no box", shape=(None, 3)
    )
    faces: tuple | None = vector(
        OPTIONAL, 0, 1e6, "", "Vertices of each face of its walls, counted from 0, all turning alike", (None, None)
    )

    def __post_init__(self) -> None:
        if self.vertices is None and self.faces is None:
            return
        if self.vertices is None or self.faces is None:
            there, missing = ("vertices", "faces") if self.faces is None else ("faces", "vertices")
            raise SceneError(f"nothing beside {there}", "both or neither", key=missing)
        vertices = np.array(self.vertices, dtype=float).reshape(-1, 3)
        surface = triangles.closed(vertices, self.faces)
        over = max(0.0, -float(vertices.min()), float((vertices - self.size).max()))
        if over > 1e-3 * max(self.size):
            raise SceneError(f"one {over:.3g} m outside", f"in the box up to {shown(self.size)}", key="vertices")
        object.__setattr__(self, "vertices", tuple(map(tuple, vertices.tolist())))
        object.__setattr__(self, "faces", tuple(tuple(map(int, face)) for face in self.faces))
        object.__setattr__(self, "_surface", surface)

    @property
    def placed(self) -> tuple[np.ndarray, np.ndarray]:
        """Vertices of the walls in metres, (n, 3), and triangles, (m, 3), which face out of the water."""
        return self._surface.vertices, self._surface.triangles  # type: ignore[attr-defined]

    @cached_property
    def basin(self) -> Basin:
        """The walls of a tank that is no box, sampled once."""
        return Basin(self._surface)  # type: ignore[attr-defined]

    def holds(self, point: tuple[float, float, float]) -> bool:
        """True if a point (x, y, z) in metres is in the water."""
        if any(not 0.0 <= place <= size for place, size in zip(point, self.size, strict=True)):
            return False
        if self.faces is None:
            return True
        return bool(self._surface.holds(np.array(point, dtype=float)))  # type: ignore[attr-defined]


@dataclass(frozen=True)
class Terrain:
    """Hills on the bed of the sea, in place of the tank's flat floor."""

    relief: float = number(0.0, 0.0, FARTHEST, "m", "Height of the highest random hills")
    scale: float = number(1.5, 0.01, FARTHEST, "m", "From a random hill to the valley beside it, about")
    seed: int = integer(0, 0, 2**31 - 1, "", "Which random hills")
    heights: tuple | None = vector(
        *(
            OPTIONAL,
            0.0,
            FARTHEST,
            "m",
            "Heights under the hills: rows along x over all the tank, the first at y = 0",
        ),
        shape=(None, None),
    )

    def __post_init__(self) -> None:
        if self.heights is None:
            return
        rows, columns = len(self.heights), {len(row) for row in self.heights}
        if not 2 <= rows <= 512 or len(columns) != 1 or not 2 <= min(columns) <= 512:
            found = f"{rows} rows of {', '.join(map(str, sorted(columns)[:3])) or 'no'} numbers"
            raise SceneError(found, "2 to 512 rows, all of the same 2 to 512 numbers", key="heights")
        object.__setattr__(self, "heights", tuple(tuple(map(float, row)) for row in self.heights))
