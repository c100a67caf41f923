"""Remarks, in an artist's words, on meshes without a clear inside for the fishes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import bpy

from ..blender.words import Message, translated
from ..languages.sentences import understood

if TYPE_CHECKING:
    from ...core.base.codec import SceneError
    from ...core.geometry.triangles import Surface

SHEET: Message = "it is a sheet or full of gaps, with no inside: it counts as a thin shell. Say how thick, or close it"
"""Remark on an obstacle without an inside."""


def doubt_about(obj: bpy.types.Object, unit: float) -> str:
    """The remark on a mesh that is an obstacle or the tank, for `unit` metres in a scene unit; "" without one."""
    from ...core.base.codec import SceneError
    from ...core.geometry import triangles
    from .meshes import hull_of

    try:
        hull = hull_of(obj, unit)
        if not len(hull.triangles):
            return ""
        if obj.artfish.kind == "TANK":
            triangles.closed(hull.places.astype(float), hull.faces)
            return ""
        inside = obj.artfish.solid
        is_shell = inside.use_thickness or inside.weave > 0.0
        return doubt_of(triangles.surface(hull.places.astype(float), hull.faces), is_shell)
    except SceneError as error:
        return refusal(error)


def doubt_of(surface: Surface, is_shell: bool) -> str:
    """The remark on an obstacle's mesh; "" if its inside is clear or it is a shell."""
    if is_shell or not surface.doubtful:
        return ""
    if surface.sheet:
        return SHEET
    found = translated(
        "found {count:,} open edges, by which it is not clear what is inside", count=len(surface.open_edges)
    )
    return translated("{found}: fill its gaps, or let a closed form stand in", found=found)


def doubts_of_scene(obstacles: Any, names: list[str], own: list[bool]) -> dict[str, str]:
    """The remarks on a formed scene's obstacles, by the names of their objects.

    Args:
        obstacles: The scene's obstacles.
        names: Name of each one's object.
        own: Whether each is from an object's own mesh.
    """
    found = {}
    for obstacle, name, is_own in zip(obstacles, names, own, strict=True):
        if is_own and obstacle.kind == "mesh":
            line = doubt_of(obstacle.surface, obstacle.shell is not None)
            found |= {name: line} if line else {}
    return found


def refusal(error: SceneError) -> str:
    """The remark on a mesh that is refused."""
    return translated(
        "found {found}, allowed {allowed}. Convex Hull and Voxel Remesh make a mesh that will do",
        found=understood(str(error.found)),
        allowed=understood(str(error.allowed)),
    )
