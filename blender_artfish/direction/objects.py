"""Creation of objects that lead fishes, and of events."""

from __future__ import annotations

from typing import Any

import bpy

from ..identity.precision import short
from ..identity.units import extent_of, metres, set_extent
from ..scene.objects import add as add_object

DIRECTION_SHAPES: dict[str, Any] = {
    "target": "PLAIN_AXES",
    "arrival": "ARROWS",
    "region": "SPHERE",
    "ball": "SPHERE",
    "leader": "ARROWS",
    "food": "CIRCLE",
    "fright": "CONE",
}
"""Display type of empties of each kind."""
DIRECTION_NAMES = {
    "target": "Target",
    "arrival": "Arrival",
    "curve": "Way",
    "region": "Region",
    "leader": "Follow",
    "ball": "School",
    "fill": "Fill",
    "stream": "Stream",
    "food": "Food",
    "fright": "Fright",
}


def add(scene: bpy.types.Scene, kind: str, at: Any, data: bpy.types.ID | None = None) -> bpy.types.Object:
    """A new direction or event of a kind such as "target" or "food"."""
    event = kind in ("food", "fright")
    obj = add_object(scene, "EVENT" if event else "DIRECTION", at, data)
    obj.name = DIRECTION_NAMES[kind]
    if event:
        obj.artfish.event = kind
    else:
        obj.artfish.direction.kind = kind
        obj.artfish.school.order = 1.0 if kind == "stream" else 0.5
        if data is not None and kind == "fill":
            obj.display_type = "WIRE"
    if data is None:
        obj.empty_display_type = DIRECTION_SHAPES[kind]
        obj.artfish.dot = obj.empty_display_type == "SPHERE"
        extent = {"region": 0.5, "ball": 0.5, "leader": 0.2}.get(kind, 0.15)
        set_extent(obj, extent / metres(scene))
        obj.scale = (short(extent / metres(scene) / extent_of(obj)),) * 3  # 1, unless Blender has no such size
    return obj
