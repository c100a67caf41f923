"""Live play with a real mouse and keyboard: first fish, space bar, going back, feeding, steering, undo, sixty fishes."""

import sys

import bpy
from driver import (
    capture,
    click_operator,
    inside,
    open_tab,
    press,
    registered,
    result,
    wait_redraw,
    wait_until,
    window,
)

LIVE = next(name for name in sys.modules if name.endswith("blender_artfish.live")) if False else None


def live():
    """The module of the extension."""
    return next(module for name, module in sys.modules.items() if name.endswith("blender_artfish.live"))


def held():
    """What plays live."""
    return live().session(bpy.context.window.scene if bpy.context.window else bpy.data.scenes[0])


def frame() -> int:
    return window().scene.frame_current


def main():
    """What the test of the same name asks about."""
    enabled = registered()
    yield from open_tab("Artfish")
    yield from click_operator("artfish.add_shoal")
    yield from click_operator("artfish.live_play")
    yield from wait_until(lambda: held() is not None and held().rehearsal.frames > 30, what="fishes to swim")
    with inside():
        bpy.ops.view3d.view_all()
    yield from wait_redraw(0.5)
    yield from capture("playing")
    result("fishes", len(held().fishes))
    yield from press("space")
    yield 0.5
    paused = held().rehearsal.frames
    yield 0.5
    result("paused", held().rehearsal.frames == paused)
    yield from capture("paused")
