"""Obstacles: upright pillars, and meshes of any form."""

from __future__ import annotations

import os
from collections.abc import Sequence
from copy import copy
from dataclasses import dataclass, fields, replace
from functools import cached_property
from math import hypot
from typing import Any

import numpy as np

from ..base.attitude import normalised, rotated
from ..base.codec import OPTIONAL, REQUIRED, SceneError
from ..base.declaration import choice, number, text, vector
from ..base.vectors import norm
from ..geometry import triangles
from ..geometry.deforming import Deforming
from ..geometry.mesh_field import Extent, MeshField
from ..geometry.moving import Moving, Rigid
from ..geometry.obj import FARTHEST_VERTEX, read_obj
from ..geometry.pillar import Pillar
from ..geometry.tuning import SHEET_METRES
from .limits import FARTHEST
from .motion import Movable

GROWTH = "Tufts of algae, polyps and sponge on a square metre of it, for fishes that bite at them, if it stands"


@dataclass(frozen=True)
class Cylinder(Movable):
    """An upright pillar."""

    kind: str = choice(REQUIRED, ("cylinder",), "An upright pillar")
    at: tuple = vector(REQUIRED, 0.0, FARTHEST, "m", "Middle of its foot", shape=(3,))
    radius: float = number(0.3, 0.001, FARTHEST, "m", "Its radius")
    height: float = number(1.0, 0.001, FARTHEST, "m", "Its height above the foot")
    deflection: float = number(1.0, 0.0, 1.0, "", "Share of the current that goes around it; 0 lets the water through")
    outflow: float = number(0.0, 0.0, 10.0, "m/s", "Speed at its mantle of water that streams out of it")
    growth: float = number(60.0, 0.0, 400.0, "1/m²", GROWTH)

    def __post_init__(self) -> None:
        self._check_motion()
        for row, key in enumerate(self.motion or ()):
            if key.vertices is not None:
                raise SceneError("vertices of a pillar", "those of a mesh", key=f"motion[{row}].vertices")

    @cached_property
    def solid(self) -> Pillar:
        """Its form as a solid."""
        return Pillar(self.at, self.radius, self.height)

    @property
    def sphere(self) -> tuple[np.ndarray, float]:
        """Middle (3,) and radius of a sphere around it in axes of its own, in metres."""
        return np.array((0.0, 0.0, 0.5 * self.height)), hypot(self.radius, 0.5 * self.height)

    def moving(self) -> Rigid:
        """Its form as it moves, at rest."""
        return Rigid(Pillar((0.0, 0.0, 0.0), self.radius, self.height), *self.sphere)

    def holds(self, point: tuple[float, float, float]) -> bool:
        """True if a point (x, y, z) in metres lies inside the pillar."""
        x, y, z = (p - a for p, a in zip(point, self.at, strict=True))
        return hypot(x, y) < self.radius and 0.0 <= z < self.height


def alike_but_for_motion(one: Sequence[Any], other: Sequence[Any]) -> bool:
    """True if obstacles are the same, one by one, except for the places of those that move and keep their forms."""
    if len(one) != len(other):
        return False
    return all(a is b or a == b or _moved_alone(a, b) for a, b in zip(one, other, strict=True))


def _moved_alone(one: Movable, other: Movable) -> bool:
    if type(one) is not type(other) or one.motion is None or other.motion is None:
        return False
    if any(key.vertices is not None for key in (*one.motion, *other.motion)):
        return False
    names = [field.name for field in fields(one) if field.name not in ("at", "motion")]
    return all(getattr(one, name) == getattr(other, name) for name in names)


@dataclass(frozen=True)
class MeshObstacle(Movable):
    """A solid of any form: a mesh, given as vertices and faces or read from a file, which then holds them.

    Where it is open, it counts as if its gaps were filled. A mesh that encloses nothing is a shell.
    """

    kind: str = choice(REQUIRED, ("mesh",), "A mesh")
    at: tuple = vector(REQUIRED, 0.0, FARTHEST, "m", "Where the mesh's own origin is put", shape=(3,))
    scale: float = number(1.0, 1e-4, 1e4, "", "Factor on the mesh's own size")
    up: str = choice("z", ("z", "y"), "The mesh's own axis that points up; y in the .obj files of most programs")
    thickness: float | None = number(
        OPTIONAL, 1e-4, 100.0, "m", "Of a mesh that is a shell with water on both sides; solid inside if left out"
    )
    weave: float = number(
        0.0, 0.0, 10.0, "m", "Width of its meshes where it is a net, which one sees through; 0 is no net"
    )
    growth: float = number(60.0, 0.0, 400.0, "1/m²", GROWTH)
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
            self._check_motion()
            self._check_vertices(len(vertices))
            surface = triangles.surface(vertices, faces)
        except SceneError as error:
            if self.file is None:
                raise
            origin = f" ({os.path.basename(self.file)}, {error.key})" if error.key else ""
            raise SceneError(f"{error.found}{origin}", error.allowed, "file") from None
        values: dict[str, Any] = {
            "file": None,
            "at": tuple(self.at),
            "vertices": tuple(map(tuple, vertices.tolist())),
            "_surface": surface,
            "_fields": {},
        }
        values["faces"] = tuple(tuple(map(int, face)) for face in faces)
        for name, value in values.items():
            object.__setattr__(self, name, value)

    def within(self, size: tuple[float, float, float]) -> MeshObstacle:
        """The same in a tank of this size in metres, in which alone anybody asks how far it is."""
        other = self if getattr(self, "_size", size) == size else copy(self)
        object.__setattr__(other, "_size", size)
        return other

    @property
    def surface(self) -> triangles.Surface:
        """The mesh in its own place and size."""
        return self._surface  # type: ignore[attr-defined]

    @cached_property
    def _placed(self) -> triangles.Surface:
        """The mesh in the tank in metres."""
        return replace(self.surface, vertices=self.upright(self.surface.vertices) + self.at)

    def upright(self, vertices: np.ndarray) -> np.ndarray:
        """Vertices as the mesh has them, (..., 3), upright and in metres about its own origin."""
        if self.up == "y":
            vertices = vertices[..., [0, 2, 1]] * (1.0, -1.0, 1.0)
        return vertices * self.scale

    @property
    def placed(self) -> tuple[np.ndarray, np.ndarray]:
        """Vertices in the tank in metres, (n, 3), and its triangles, which face outwards, (m, 3)."""
        return self._placed.vertices, self._placed.triangles

    @property
    def shell(self) -> float | None:
        """Thickness in metres of a shell, as a net is one; None of what is solid inside."""
        return SHEET_METRES if self.thickness is None and self.weave > 0.0 else self.thickness

    @property
    def solid(self) -> MeshField:
        """The field around the mesh within the tank, sampled once for each size of that."""
        size = getattr(self, "_size", None)
        fields: dict[tuple[float, float, float] | None, MeshField] = self._fields  # type: ignore[attr-defined]
        if size not in fields:
            region = None if size is None else Extent(np.zeros(3), np.array(size, dtype=float))
            field = MeshField(self._placed, region, self.shell)
            field.sheer = self.weave > 0.0
            fields.clear()
            fields[size] = field
        return fields[size]

    @property
    def sphere(self) -> tuple[np.ndarray, float]:
        """Middle (3,) and radius of a sphere around it in axes of its own, in metres."""
        vertices = self.upright(self.surface.vertices)
        low, high = vertices.min(axis=0), vertices.max(axis=0)
        return 0.5 * (low + high), 0.5 * float(norm(high - low)) + 0.5 * (self.shell or SHEET_METRES)

    @property
    def _form(self) -> MeshField:
        """The field around the mesh in axes of its own, sampled once."""
        fields: dict[Any, MeshField] = self._fields  # type: ignore[attr-defined]
        if "own" not in fields:
            fields.clear()
            own = replace(self.surface, vertices=self.upright(self.surface.vertices))
            fields["own"] = MeshField(own, None, self.shell)
            fields["own"].sheer = self.weave > 0.0
        return fields["own"]

    @cached_property
    def rows(self) -> np.ndarray:
        """Rows of the vertices of its surface among those given, (n,)."""
        given = {place: row for row, place in enumerate(map(tuple, np.array(self.vertices) + 0.0))}
        return np.array([given[place] for place in map(tuple, self.surface.vertices)])

    def moving(self) -> Moving:
        """Its form as it moves, at its first key."""
        keys = self.motion or ()
        if not keys or keys[0].vertices is None:
            return Rigid(self._form, *self.sphere)
        turns = normalised(np.array([key.turn for key in keys]))
        feet = np.array([self.at if key.at is None else key.at for key in keys])[:, None]
        own = self.upright(np.array([key.vertices for key in keys])[:, self.rows])
        thickness = SHEET_METRES if self.shell is None and self.surface.sheet else self.shell
        vertices = feet + rotated(turns[:, None], own)
        return Deforming(self.surface, np.array([key.time for key in keys]), vertices, thickness)

    @property
    def rough(self) -> bool:
        """True if it has been sampled, and has more surface than is measured triangle by triangle."""
        return any(not field.exact for field in self._fields.values())  # type: ignore[attr-defined]

    @cached_property
    def ends(self) -> tuple[np.ndarray, np.ndarray]:
        """Lowest and highest corner of the box around the mesh."""
        vertices, _ = self.placed
        return vertices.min(axis=0), vertices.max(axis=0)

    def holds(self, point: tuple[float, float, float]) -> bool:
        """True if a point (x, y, z) in metres lies inside the mesh."""
        place, (low, high) = np.array(point, dtype=float), self.ends
        if (place < low).any() or (place > high).any():
            return False
        return self._placed.holds(place, self.shell)
