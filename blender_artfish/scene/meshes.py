"""Meshes of the scene as Blender evaluates them, and the simulation's shapes made from them, made once."""

from __future__ import annotations

from collections.abc import Callable
from hashlib import blake2b
from typing import Any, NamedTuple
from weakref import WeakValueDictionary

import bpy
import numpy as np
from mathutils import Matrix, Vector

from ...core.base.codec import Place, SceneError, decode
from ..identity.roles import MESH_LIKE, is_evaluated, refuse_hidden
from ..identity.units import placed

_shapes: WeakValueDictionary[tuple[Any, ...], Any] = WeakValueDictionary()


class ShapeOfMeshes(NamedTuple):
    """A recipe for an object made from meshes: the same object while they are unchanged and it is referred to.

    Checking a mesh and sampling the water around it takes long, and is done once for the object.

    Attributes:
        of: The class of the object.
        key: Key of all it depends on.
        describe: Returns its description, as in JSON.
        own: Whether it is from an object's own mesh, not from instances.
    """

    of: type
    key: tuple[Any, ...]
    describe: Callable[[], dict[str, Any]]
    own: bool = True

    def made(self, place: Place) -> Any:
        """The object; error messages name its place.

        Raises:
            SceneError: The meshes are invalid.
        """
        key = self.of, self.key
        made = _shapes.get(key)
        if made is None:
            made = _shapes[key] = decode(self.of, self.describe(), place)
        return made


class Hull(NamedTuple):
    """An evaluated mesh, with modifiers, in Blender's own triangulation.

    Attributes:
        places: Positions of its vertices, (n, 3) float32; for an object, in metres in Blender's world.
        triangles: The vertices of each triangle, (m, 3) int32.
    """

    places: np.ndarray
    triangles: np.ndarray

    @property
    def key(self) -> bytes:
        """A key that is equal for equal meshes."""
        found = blake2b(digest_size=16)
        for array in self:
            found.update(np.int64(len(array)).tobytes() + array.tobytes())
        return found.digest()

    @property
    def faces(self) -> list[list[int]]:
        """The vertices of each triangle."""
        found: list[list[int]] = self.triangles.tolist()
        return found

    def moved(self, matrix: Matrix) -> Hull:
        """The mesh transformed by a matrix; its triangles keep their orientation under mirroring, too."""
        turning = self.triangles[:, ::-1] if matrix.determinant() < 0 else self.triangles
        return Hull(_moved(self.places, matrix), turning)


def hull_of(obj: bpy.types.Object, unit: float, matrix: Matrix | None = None) -> Hull:
    """The evaluated mesh of an object in metres, of which a unit of its scene has so many.

    It is at the object's place, or transformed by a matrix from its own coordinates.
    """
    if obj.type not in MESH_LIKE:
        raise SceneError(obj.type.lower(), "a mesh", key=obj.name)
    if not is_evaluated(obj) and any(each.show_viewport for each in obj.modifiers):
        refuse_hidden(obj, "modifiers")
    evaluated = obj.evaluated_get(bpy.context.evaluated_depsgraph_get())
    mesh = evaluated.to_mesh()
    try:
        own = hull_in(mesh)
    finally:
        evaluated.to_mesh_clear()
    if matrix is not None:
        return own.moved(matrix)
    return Hull(_moved(own.places, placed(obj, unit)), own.triangles)


def hull_in(mesh: bpy.types.Mesh) -> Hull:
    """A mesh's vertices and triangles, in its own coordinates."""
    mesh.calc_loop_triangles()
    places = np.empty((len(mesh.vertices), 3), dtype=np.float32)
    triangles = np.empty((len(mesh.loop_triangles), 3), dtype=np.int32)
    mesh.vertices.foreach_get("co", places.ravel())
    mesh.loop_triangles.foreach_get("vertices", triangles.ravel())
    return Hull(places, triangles)


def _moved(places: np.ndarray, matrix: Matrix) -> np.ndarray:
    """Positions (n, 3) float32 transformed by a matrix, to the bit as `mathutils` does it."""
    columns = np.array(matrix, dtype=np.float32)[:3].T
    moved = np.zeros((len(places), 3))
    for axis in range(3):
        moved += places[:, axis, None] * columns[axis]
    return (moved + columns[3]).astype(np.float32)


def all_rounded(places: np.ndarray, origin: Vector) -> list[list[float]]:
    """Positions (n, 3) float32 relative to an origin, each number as from `precision.short`.

    Scaling a single-precision number by a power of ten up to 1e11 is exact in double precision.
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
