"""Whether it is clear what is inside a mesh, as far as fishes go by it, in an artist's words."""

from __future__ import annotations

from typing import TYPE_CHECKING

import bpy

if TYPE_CHECKING:
    from ...core.base.codec import SceneError
    from ...core.geometry.triangles import Surface


def doubt_about(obj: bpy.types.Object, unit: float) -> str:
    """What is to be said of a mesh that is an obstacle or the tank, in units of so many metres; "" if nothing."""
    from ...core.base.codec import SceneError
    from ...core.geometry import triangles
    from .meshes import hull_of

    check = triangles.closed if obj.artfish.kind == "TANK" else triangles.surface
    try:
        hull = hull_of(obj, unit)
        return doubt_of(check(hull.places.astype(float), hull.faces)) if len(hull.triangles) else ""
    except SceneError as error:
        return refusal(error)


def doubt_of(surface: Surface) -> str:
    """What is to be said of a mesh that can be taken; "" if nothing."""
    if not surface.doubtful:
        return ""
    if surface.sheet:
        return "found a sheet, which is a thin shell to fishes: let a closed form stand in if it is meant as a solid"
    found = f"found {len(surface.open_edges)} open edges, by which it is not clear what is inside"
    return f"{found}: fill its gaps, or let a closed form stand in"


def refusal(error: SceneError) -> str:
    """What is to be said of a mesh that is refused."""
    return f"found {error.found}, open to water and fishes: fill its gaps, or let a closed form stand in"
