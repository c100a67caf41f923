"""Whether it is clear what is inside a mesh, as far as fishes go by it, in an artist's words."""

from __future__ import annotations

from typing import TYPE_CHECKING

import bpy

if TYPE_CHECKING:
    from ...core.base.codec import SceneError
    from ...core.geometry import triangles
    from .meshes import hull_of

    tank = obj.artfish.kind == "TANK"
    try:
        hull = hull_of(obj, unit)
        if len(hull.triangles):
            surface = (triangles.closed if tank else triangles.surface)(hull.places.astype(float), hull.faces)
            return doubt_of(surface)
    except SceneError as error:
        return refusal(error)
    return ""


def doubt_of(surface: Surface) -> str:
    """What is to be said of a mesh that is taken; "" if nothing."""
    if not surface.doubtful:
        return ""
    if surface.sheet:
        return "found a sheet, which fishes take for a thin shell: let a closed form stand in if it is a solid"
    return (
        f"found {len(surface.open_edges)} open edges that leave open what is inside: fill them, or let a form stand in"
    )


def refusal(error: SceneError) -> str:
    """What is to be said of a mesh that is refused."""
    return f"found {error.found}, open to water and fishes: fill its gaps, or let a closed form stand in"
