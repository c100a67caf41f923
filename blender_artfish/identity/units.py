"""How long a unit of Blender is: the simulation counts in metres, a scene in units of its own.

Whatever crosses from the one to the other goes through here. Numbers of the add-on's own panels are metres in any
scene; places, sizes and meshes are in the scene's units, and so is what Blender shows.
"""

from __future__ import annotations

import bpy
from mathutils import Matrix, Vector

from .roles import world

SCALE_DIGITS = 7
"""Significant digits of a unit scale, which Blender stores in single precision."""
SHOWN_SIZES = 1e-4, 1000.0
"""The smallest and the largest display size that Blender lets an empty have, in units."""


def metres(scene: bpy.types.Scene) -> float:
    """Metres in a unit of a scene, as Blender's own panels count: its Unit Scale, or 1 where it has no unit system."""
    settings = scene.unit_settings
    return 1.0 if settings.system == "NONE" else float(f"{settings.scale_length:.{SCALE_DIGITS}g}")


def metres_of(obj: bpy.types.Object) -> float:
    """Metres in a unit of the scene that an object is in, 1 where it is in none."""
    return next((metres(scene) for scene in obj.users_scene), 1.0)


def placed(obj: bpy.types.Object, unit: float) -> Matrix:
    """The matrix from an object's own coordinates to metres in Blender's world, in units of so many metres.

    Raises:
        SceneError: Nobody but Blender could tell where it stands; see `roles.world`.
    """
    return in_metres(world(obj), unit)


def in_metres(matrix: Matrix, unit: float) -> Matrix:
    """A matrix to Blender's world as one to metres."""
    return matrix if unit == 1.0 else Matrix.Scale(unit, 4) @ matrix


def from_metres(origin: Vector, unit: float) -> Matrix:
    """The matrix from a world that counts in metres from an origin, itself in metres, to Blender's units."""
    return Matrix.Scale(1.0 / unit, 4) @ Matrix.Translation(origin)


def shown_size(across: float) -> float:
    """The display size nearest to one in units that Blender lets an empty have."""
    least, most = SHOWN_SIZES
    return min(max(across, least), most)
