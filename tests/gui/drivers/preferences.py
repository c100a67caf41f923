"""Keys, the pie menu that one opens, and the page in Blender's preferences."""

import bpy
from driver import (
    EXTENSION,
    capture,
    centre,
    click,
    inside,
    log,
    module,
    move,
    press,
    region,
    result,
    wait_redraw,
    wait_until,
)

PAGE = 282, 92, 690, 343
"""Left, top, width and height of the page on a screen of 1280 x 800."""

WHEEL = 1
"""Turns of the mouse's wheel before the page is photographed."""


def keys():
    """The keys of the add-on, in Blender's own keymap, as the preferences show them."""
    keymap = bpy.context.window_manager.keyconfigs.user.keymaps["Object Mode"]
    names = ("ARTFISH_MT_pie", "artfish.live_play", "artfish.quick_look")
    found = [(item.idname, item.to_string(), getattr(item.properties, "name", "")) for item in keymap.keymap_items]
    return [each for each in found if each[0] in names or each[2] in names]


def main():
    """Opens the pie, adds fishes with it, plays and pauses by a key, and shows the page."""
    result("keys", keys())
    x, y = centre(region("WINDOW"))
    yield from move(x, y)
    yield from press("shift+f")
    yield from wait_redraw(1.0)
    yield from capture("pie", (x - 230, y - 150, 430, 300))
    yield from click(x, y - 100)  # the uppermost
    yield from wait_redraw(1.0)
    result("shoals", sum(obj.artfish.kind == "SHOAL" for obj in bpy.context.scene.objects))
    session_of = module("blender_artfish.live.runtime").session_of
    plays = module("blender_artfish.live.pace").plays
    yield from move(x, y)
    yield from press("alt+f")
    yield from wait_until(lambda: session_of(bpy.context.scene) is not None, 60, "fishes to play")
    result("plays", bool(plays(bpy.context.scene)))
    yield from press("alt+f")
    yield from wait_redraw(1.0)
    result("paused", not plays(bpy.context.scene))
    with inside():
        bpy.ops.preferences.addon_show(module=EXTENSION)
    yield from wait_redraw(2.0)
    yield from click(PAGE[0] + PAGE[2] // 3, PAGE[1] + 20, 5, WHEEL)  # down to its last key
    yield from wait_redraw(1.0)
    result("page", (yield from capture("page", PAGE)))
    with inside():
        bpy.ops.preferences.addon_disable(module=EXTENSION)
    yield 1.0
    result("left", keys())
    log(keys())
