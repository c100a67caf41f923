"""An animator's access through the viewport: keys that steer a fish, and places and fishes under the mouse."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import bpy
from bpy_extras import view3d_utils
from mathutils import Vector

from ..blender.words import Message, translated
from .runtime import session_of

if TYPE_CHECKING:
    from .session import Session

STEERED_SPEED = 0.5
"""Speed of a steered fish, unless keys change it; 1 is its top speed."""
TURN_RADIANS, CLIMB_RADIANS = 1.0, 0.7
"""Angles by which a fish turns and climbs while a key is down, radians."""
LEFT_KEYS, RIGHT_KEYS = {"A", "LEFT_ARROW"}, {"D", "RIGHT_ARROW"}
UP_KEYS, DOWN_KEYS = {"W", "UP_ARROW"}, {"S", "DOWN_ARROW"}
FAST_KEYS, BRAKE_KEYS, BACK_KEYS = {"LEFT_SHIFT", "RIGHT_SHIFT"}, {"SPACE"}, {"B"}
STEERING_KEYS = LEFT_KEYS | RIGHT_KEYS | UP_KEYS | DOWN_KEYS | FAST_KEYS | BRAKE_KEYS | BACK_KEYS
KEY_LINES: tuple[Message, ...] = (
    "A D  or  ← →   turn",
    "W S  or  ↑ ↓   climb and dive",
    "Shift   as fast as it can",
    "Space   brake",
    "B   back up",
    "Esc   leave the fish to itself",
)
"""Lines in the viewport while a fish is steered."""
LINE_PIXELS, MARGIN_PIXELS = 20, 24
"""Line spacing and margin of the text in the viewport, pixels."""


def helm_by_keys(down: set[str]) -> dict[str, Any]:
    """Orders to a fish while keys are down, as fields of `Helm`."""
    turn = TURN_RADIANS * (bool(down & LEFT_KEYS) - bool(down & RIGHT_KEYS))
    climb = CLIMB_RADIANS * (bool(down & UP_KEYS) - bool(down & DOWN_KEYS))
    swim = 1.0 if down & FAST_KEYS else STEERED_SPEED
    return {
        "swim": swim,
        "turn": turn,
        "climb": climb,
        "brake": bool(down & BRAKE_KEYS),
        "back": float(bool(down & BACK_KEYS)),
    }


def helm_of(fields: dict[str, Any]) -> Any:
    """The `Helm` of these fields."""
    from ...core import Helm

    return Helm(**fields)


def draw_hud(title: str, lines: Callable[[], Sequence[str]], area: bpy.types.Area) -> None:
    """Draws a title and lines in the corner of the viewport in which something is steered."""
    import blf

    if bpy.context.area != area:
        return
    below = [translated(line) for line in lines()]
    scale = bpy.context.preferences.system.ui_scale
    blf.enable(0, blf.SHADOW)
    blf.shadow(0, 3, 0.0, 0.0, 0.0, 0.8)
    blf.color(0, 1.0, 1.0, 1.0, 1.0)
    for number, line in enumerate(reversed((translated(title), *below))):
        blf.size(0, (15 if number == len(below) else 12) * scale)
        blf.position(0, MARGIN_PIXELS * scale, (MARGIN_PIXELS + LINE_PIXELS * number) * scale, 0)
        blf.draw(0, line)
    blf.disable(0, blf.SHADOW)


def place_under(scene: bpy.types.Scene, region: Any, view: Any, mouse: tuple[int, int]) -> Vector:
    """The point under the mouse at the depth of the fish nearest to it on the screen, or else of the 3D cursor."""
    session = session_of(scene)
    depth, nearest = scene.cursor.location, float("inf")
    for row, fish in enumerate(session.fishes if session else ()):
        if fish is None or fish.root.hide_viewport:
            continue
        place = session.puppets.place_of(row)
        seen = view3d_utils.location_3d_to_region_2d(region, view, place)
        if seen is not None and (seen - Vector(mouse)).length < nearest:
            depth, nearest = place, (seen - Vector(mouse)).length
    return view3d_utils.region_2d_to_location_3d(region, view, mouse, depth)


def region_under(context: bpy.types.Context, event: bpy.types.Event) -> tuple[Any, Any, tuple[int, int]] | None:
    """Region, its view and the mouse in it, if the mouse is over the window region of a 3D View."""
    for area in context.screen.areas:
        if area.type != "VIEW_3D":
            continue
        over = [
            region
            for region in area.regions
            if 0 <= event.mouse_x - region.x < region.width and 0 <= event.mouse_y - region.y < region.height
        ]
        if over and all(region.type == "WINDOW" for region in over):
            region = over[0]
            return region, area.spaces.active.region_3d, (event.mouse_x - region.x, event.mouse_y - region.y)
    return None


def fish_under(session: Session, drawn: bpy.types.Object, region: Any, view: Any, mouse: tuple[int, int]) -> int | None:
    """Row of the fish under or nearest to the mouse among those an object draws; None if it draws none."""
    puppets = session.puppets
    swarm = puppets.swarm_of(drawn) if puppets else None
    if puppets is None or swarm is None:
        return None
    inside = drawn.matrix_world.inverted_safe()
    begin = inside @ view3d_utils.region_2d_to_origin_3d(region, view, mouse)
    way = inside.to_3x3() @ view3d_utils.region_2d_to_vector_3d(region, view, mouse)
    hit, _, _, face = drawn.ray_cast(begin, way, depsgraph=bpy.context.evaluated_depsgraph_get())
    row = puppets.row_at(drawn, face) if hit else -1
    if row >= 0:
        return row
    away = {}  # a click may be slightly off it
    for row in swarm.rows.tolist():
        fish = session.fishes[row]
        seen = fish and view3d_utils.location_3d_to_region_2d(region, view, puppets.place_of(row))
        if seen and not fish.root.select_get():
            away[row] = (seen - Vector(mouse)).length
    return min(away, key=away.__getitem__, default=None)
