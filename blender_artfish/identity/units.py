"""Length of a unit in Blender: the simulation counts in metres, a scene in its own units.

All conversions go through here. Numbers of the add-on's own panels are metres in any
scene; positions, sizes and meshes are in the scene's units, and so is what Blender shows.
"""

from __future__ import annotations

import bpy
from mathutils import Matrix, Vector

from .roles import world

SCALE_DIGITS = 7
"""Significant digits of a unit scale, which Blender stores in single precision."""
DOT_SHARE = 0.0625
"""Size of the dot as which an extent is drawn that is not selected, over that extent."""
SMALLEST_EMPTY_METRES = 0.05
"""Size below which an empty would hardly be seen."""
SMALLEST_DOT_METRES = 0.025
"""Size below which a dot would hardly be seen."""
SHOWN_SIZES = 1e-4, 1000.0
"""The smallest and the largest display size of an empty in Blender, in units."""


def metres(scene: bpy.types.Scene) -> float:
    """Metres in a unit of a scene, as in Blender's own panels: its Unit Scale, or 1 without a unit system."""
    settings = scene.unit_settings
    return 1.0 if settings.system == "NONE" else float(f"{settings.scale_length:.{SCALE_DIGITS}g}")


def metres_of(obj: bpy.types.Object) -> float:
    """Metres in a unit of an object's scene, 1 without one."""
    return next((metres(scene) for scene in obj.users_scene), 1.0)


def placed(obj: bpy.types.Object, unit: float) -> Matrix:
    """The matrix from an object's own coordinates to metres in Blender's world, for units of so many metres.

    Raises:
        SceneError: Only Blender's evaluation could place it; see `roles.world`.
    """
    return in_metres(world(obj), unit)


def in_metres(matrix: Matrix, unit: float) -> Matrix:
    """A matrix into Blender's world converted into one to metres."""
    return matrix if unit == 1.0 else Matrix.Scale(unit, 4) @ matrix


def from_metres(origin: Vector, unit: float) -> Matrix:
    """The matrix from a world in metres with this origin, also in metres, to Blender's units."""
    return Matrix.Scale(1.0 / unit, 4) @ Matrix.Translation(origin)


def dot_share(obj: bpy.types.Object) -> float:
    """Display size of an empty over the extent that it stands for: that of a dot is drawn only where it is selected."""
    return DOT_SHARE if obj.artfish.dot else 1.0


def display_size(obj: bpy.types.Object, across: float, unit: float) -> float:
    """Display size of an empty of this spread or radius in metres, for `unit` metres in a scene unit."""
    least = SMALLEST_DOT_METRES if obj.artfish.dot else SMALLEST_EMPTY_METRES
    return shown_size(max(dot_share(obj) * across, least) / unit)


def extent_of(obj: bpy.types.Object) -> float:
    """Half the width that an empty stands for, in units, along an axis that is not scaled."""
    return obj.empty_display_size / dot_share(obj)


def set_extent(obj: bpy.types.Object, extent: float) -> None:
    """Has an empty stand for an extent, or the nearest that Blender can show."""
    obj.empty_display_size = shown_size(extent * dot_share(obj))


def shown_size(across: float) -> float:
    """The nearest display size in units that an empty can have."""
    least, most = SHOWN_SIZES
    return min(max(across, least), most)
