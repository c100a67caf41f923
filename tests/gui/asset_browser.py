"""The asset library in a session: made by the workshop of the preferences' button, and shown below the view."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import bpy
from bpy_extras.view3d_utils import location_3d_to_region_2d
from driver import Wait, area, box, inside, module, region, result, wait_redraw, wait_until, window

TILE = 56, 66
"""The middle of the first asset in the browser, pixels from its corner."""


def off(place: Any, x: float, y: float) -> float:
    """Distance in pixels, as the view shows it, of a place from a pixel of the screen."""
    at = region("WINDOW")
    left, top, _, high = box(at)
    there = location_3d_to_region_2d(at, area().spaces.active.region_3d, place)
    return round(((there.x + left - x) ** 2 + (high - there.y + top - y) ** 2) ** 0.5, 2)


def make(folder: Path, seconds: float, **options: Any) -> Wait[None]:
    """Makes the library without pictures, with these options of the making."""
    shop = module("blender_artfish.blender.runtime").of(module("blender_artfish.assets.workshop").AssetWorkshop)
    shown = module("blender_artfish.assets.operators").show_library
    shop.begin(folder, shown, pixels=0, **options)
    tick = module("blender_artfish.assets.workshop").tick
    bpy.app.timers.register(tick, first_interval=0.5, persistent=True)
    yield from wait_until(lambda: not shop.busy, seconds, "a library")
    result("failed", shop.failed)


def browser_beside() -> Wait[bpy.types.Area]:
    """An Asset Browser of the library below the view, which looks from further away then."""
    with inside():
        bpy.ops.screen.area_split(direction="HORIZONTAL", factor=0.3)
    yield from wait_redraw(1.0)
    browser = min((each for each in window().screen.areas if each.type == "VIEW_3D"), key=lambda each: each.y)
    browser.ui_type = "ASSETS"
    yield from wait_redraw(1.0)
    browser.spaces.active.params.asset_library_reference = "Artfish"
    yield from wait_redraw(3.0)
    area().spaces.active.region_3d.view_distance = 11.0
    yield from wait_redraw()
    return browser
