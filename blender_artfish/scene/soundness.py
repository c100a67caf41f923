"""Whether it is clear what is inside a mesh, as far as fishes go by it, in an artist's words."""

from __future__ import annotations

from typing import TYPE_CHECKING

import bpy

if TYPE_CHECKING:
    from ...core.base.codec import SceneError


def doubt_about(obj: bpy.types.Object, unit: float) -> str:
    """What is to be said of a mesh that is an obstacle or the tank, in units of so many metres; "" if nothing."""
    from ...core.base.codec import SceneError
    from ...core.geometry import triangles
    from .meshes import hull_of

    try:
        hull = hull_of(obj, unit)
        if len(hull.triangles):
            triangles.closed(hull.places.astype(float), hull.faces)
    except SceneError as error:
        return refusal(error)
    return ""


def refusal(error: SceneError) -> str:
    """What is to be said of a mesh that is refused."""
    return f"found {error.found}, open to water and fishes: fill its gaps, or let a closed form stand in"
