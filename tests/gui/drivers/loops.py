"""Loops in the window: made by the menu of the panel Species, and seen in an Asset Browser with their pictures."""

import bpy
from driver import area, box, capture, inside, region, result, wait_redraw

HIGH = 150  # pixels of a row of assets


def main():
    """Makes the loops of a blue tang, and photographs them in an Asset Browser."""
    for name in ("Cube", "Light", "Camera"):
        bpy.data.objects.remove(bpy.data.objects[name])
    with inside():
        bpy.ops.artfish.species_pick(name="blue_tang")
        bpy.ops.artfish.make_loops()
    yield from wait_redraw(1.0)
    loops = [each for each in bpy.data.actions if each.asset_data]
    result("loops", sorted(each.name for each in loops))
    browser = area()
    browser.ui_type = "ASSETS"
    yield from wait_redraw(1.0)
    browser.spaces.active.params.asset_library_reference = "LOCAL"
    yield from wait_redraw(4.0)
    left, top, width, _ = box(region("WINDOW", "FILE_BROWSER"))
    yield from capture("assets", (left, top, min(width, 720), HIGH))
