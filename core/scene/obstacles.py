"""Obstacles: upright pillars and closed meshes."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from math import hypot
from typing import Any

import numpy as np

from ..base.codec import OPTIONAL, REQUIRED, SceneError
from ..base.declaration import choice, number, text, vector
from ..geometry import triangles
from ..geometry.obj import FARTHEST_VERTEX, read_obj
from ..geometry.solids import Rock
from .limits import FARTHEST


@dataclass(frozen=True)
class Cylinder:
    """An upright pillar."""

    kind: str = choice(REQUIRED, ("cylinder",), "An upright pillar")
    at: tuple = vector(REQUIRED, 0.0, FARTHEST, "m", "Middle of its foot", shape=(3,))
    radius: float = number(0.3, 0.001, FARTHEST, "m", "Its radius")
    height: float = number(1.0, 0.001, FARTHEST, "m", "Its height above the foot")
    deflection: float = number(1.0, 0.0, 1.0, "", "Share of the current that goes around it; 0 lets the water through")
    outflow: float = number(0.0, 0.0, 10.0, "m/s", "Speed at its mantle of water that streams out of it")

    def holds(self, point: tuple[float, float, float]) -> bool:
        """Whether a point (x, y, z) in metres lies inside the pillar."""
        x, y, z = (p - a for p, a in zip(point, self.at, strict=True))
        return hypot(x, y) < self.radius and 0.0 <= z < self.height


@dataclass(frozen=True)
class MeshObstacle:
    """A solid of any form: a closed mesh, given as vertices and faces or read from a file, which then holds them."""

    kind: str = choice(REQUIRED, ("mesh",), "A closed mesh")
    at: tuple = vector(REQUIRED, 0.0, FARTHEST, "m", "Where the mesh's own origin is put", shape=(3,))
    scale: float = number(1.0, 1e-4, 1e4, "", "Factor on the mesh's own size")
    up: str = choice("z", ("z", "y"), "The mesh's own axis that points up; y in the .obj files of most programs")
    file: str | None = text(
        OPTIONAL, "An .obj file of up to 100,000 triangles in the scene's folder or below, where its path begins"
    )
    vertices: tuple | None = vector(
        OPTIONAL, -FARTHEST_VERTEX, FARTHEST_VERTEX, "", "Its vertices, if not from a file", shape=(None, 3)
    )
    faces: tuple | None = vector(
        OPTIONAL, 0, 1e6, "", "Vertices of each face, counted from 0, all faces turning alike", shape=(None, None)
    )

    def __post_init__(self) -> None:
        given = [self.file is not None, self.vertices is not None, self.faces is not None]
        if given not in ([True, False, False], [False, True, True]):
            names = [name for name, there in zip(("file", "vertices", "faces"), given, strict=True) if there]
            found = " and ".join(names) or "neither of them"
            raise SceneError(found, "either file or vertices and faces", key="file")
        faces: Sequence[Sequence[float]] = self.faces or ()
        vertices = np.array(self.vertices or (), dtype=float).reshape(-1, 3)
        try:
            if self.file is not None:
                vertices, faces = read_obj(self.file)
            solid = triangles.closed(vertices, faces)
        except SceneError as error:
            if self.file is None:
                raise
            origin = f" ({os.path.basename(self.file)}, {error.key})" if error.key else ""
            raise SceneError(f"{error.found}{origin}", error.allowed, "file") from None
        values: dict[str, Any] = {
            "file": None,
            "at": tuple(self.at),
            "vertices": tuple(map(tuple, vertices.tolist())),
            "_solid": solid,
        }
        values["faces"] = tuple(tuple(map(int, face)) for face in faces)
        for name, value in values.items():
            object.__setattr__(self, name, value)

    @cached_property
    def placed(self) -> tuple[np.ndarray, np.ndarray]:
        """Vertices in the tank in metres, (n, 3), and its triangles, which face outwards, (m, 3)."""
        vertices, faces = self._solid  # type: ignore[attr-defined]
        if self.up == "y":
            vertices = vertices[:, [0, 2, 1]] * (1.0, -1.0, 1.0)
        return vertices * self.scale + self.at, faces

    @cached_property
    def solid(self) -> Rock:
        """The field around the mesh, sampled once."""
        return Rock(*self.placed)

    @cached_property
    def _ends(self) -> tuple[np.ndarray, np.ndarray]:
        """Lowest and highest corner of the box around the mesh."""
        vertices, _ = self.placed
        return vertices.min(axis=0), vertices.max(axis=0)

    def holds(self, point: tuple[float, float, float]) -> bool:
        """Whether a point (x, y, z) in metres lies inside the mesh."""
        place, (low, high) = np.array(point, dtype=float), self._ends
        if (place < low).any() or (place > high).any():
            return False
        vertices, faces = self.placed
        return bool(abs(triangles.winding(place[None], vertices[faces])[0]) > 0.5)
