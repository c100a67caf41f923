"""Meshes of the scene as Blender evaluates them, and what the simulation makes of them, made once."""

from __future__ import annotations

from collections.abc import Callable
from hashlib import blake2b
from typing import Any, NamedTuple
from weakref import WeakValueDictionary

import bpy
import numpy as np
from mathutils import Matrix, Vector

from ...core.base.codec import Place, SceneError, decode
from ..identity.roles import is_evaluated, refuse_hidden
from ..identity.units import placed

_shapes: WeakValueDictionary[tuple[Any, ...], Any] = WeakValueDictionary()


class Shape(NamedTuple):
    """What is made of meshes: the same object again as long as these stay as they are and anybody holds it.

    To check a mesh and to sample the water around it takes long, and is done once for the object made of it.

    Attributes:
        of: The class of what is made.
        key: What it depends on.
        describe: Describes it as JSON would hold it.
    """

    of: type
    key: tuple[Any, ...]
    describe: Callable[[], dict[str, Any]]

    def made(self, place: Place) -> Any:
        """What is made, of which messages say that it stands at a place.

        Raises:
            SceneError: The meshes are not as they must be.
        """
        key = self.of, self.key
        made = _shapes.get(key)
        if made is None:
            made = _shapes[key] = decode(self.of, self.describe(), place)
        return made


class Hull(NamedTuple):
    """A mesh as Blender evaluates it, modifiers and all.

    Attributes:
        places: Of its vertices in metres in Blender's world, (n, 3) float32.
        sizes: How many corners each face has, (m,).
        corners: The vertices of all faces, one face after the other.
    """

    places: np.ndarray
    sizes: np.ndarray
    corners: np.ndarray

    @property
    def key(self) -> bytes:
        """The same for the same mesh."""
        found = blake2b(digest_size=16)
        for array in self:
            found.update(np.int64(len(array)).tobytes() + array.tobytes())
        return found.digest()

    @property
    def faces(self) -> list[list[int]]:
        """The vertices of each face."""
        corners, ends = self.corners.tolist(), np.cumsum(self.sizes).tolist()
        return [corners[first:end] for first, end in zip([0, *ends], ends, strict=False)]


def hull_of(obj: bpy.types.Object, unit: float) -> Hull:
    """The mesh of an object as it is evaluated, in metres; a unit of its scene has so many."""
    if obj.type not in {"MESH", "CURVE", "SURFACE", "META", "FONT"}:
        raise SceneError(obj.type.lower(), "a mesh", key=obj.name)
    if not is_evaluated(obj) and any(each.show_viewport for each in obj.modifiers):
        refuse_hidden(obj, "modifiers")
    evaluated = obj.evaluated_get(bpy.context.evaluated_depsgraph_get())
    mesh = evaluated.to_mesh()
    try:
        places = np.empty((len(mesh.vertices), 3), dtype=np.float32)
        sizes, corners = (np.empty(len(of), dtype=np.int32) for of in (mesh.polygons, mesh.loops))
        mesh.vertices.foreach_get("co", places.ravel())
        mesh.polygons.foreach_get("loop_total", sizes)
        mesh.loops.foreach_get("vertex_index", corners)
    finally:
        evaluated.to_mesh_clear()
    return Hull(_moved(places, placed(obj, unit)), sizes, corners)


def _moved(places: np.ndarray, matrix: Matrix) -> np.ndarray:
    """Places (n, 3) float32 where a matrix moves them, to the bit as `mathutils` does it."""
    columns = np.array(matrix, dtype=np.float32)[:3].T
    moved = np.zeros((len(places), 3))
    for axis in range(3):
        moved += places[:, axis, None] * columns[axis]
    return (moved + columns[3]).astype(np.float32)


def all_rounded(places: np.ndarray, origin: Vector) -> list[list[float]]:
    """Places (n, 3) float32 as seen from an origin, each number as `precision.short` has it.

    To scale a number of single precision by a power of ten up to 1e11 loses nothing of it in double precision.
    """
    numbers = (places - np.array(origin, dtype=np.float32)).astype(float)
    size = np.abs(numbers)
    none = size < 1e-6
    size[none] = 1.0
    power = np.floor(np.log10(size)).astype(int)
    power += size >= 10.0 ** (power + 1)
    power -= size < 10.0**power
    scale = 10.0 ** (5 - power)
    return np.where(none, 0.0, np.rint(numbers * scale) / scale).tolist()
