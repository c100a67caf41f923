"""Menus that F3 searches, and Play in a second window with a second scene."""

import sys

import bpy
from driver import area, capture, inside, result, running, search, wait_redraw, wait_until, window


def pace():
    """The room that knows which scene plays."""
    return next(module for name, module in sys.modules.items() if name.endswith("blender_artfish.live.pace"))


def playing() -> str:
    """The scene whose animation plays; "" without one."""
    scene = pace().played()
    return scene.name if scene else ""


def press_play(of: bpy.types.Window):
    """The button Play, in a 3D View of a window."""
    view = next(each for each in of.screen.areas if each.type == "VIEW_3D")
    region = next(each for each in view.regions if each.type == "WINDOW")
    with bpy.context.temp_override(window=of, area=view, region=region):
        bpy.ops.artfish.live_play()


def main():
    """Loads a preset, bakes, reverts and plays, all by F3, then plays a second scene in a second window."""
    bpy.context.scene.frame_end = 4
    yield from search("presets mating")
    yield from wait_redraw(2.0)
    result("preset", sum(obj.artfish.kind == "SHOAL" for obj in bpy.context.scene.objects))
    bpy.context.scene.frame_end = 4
    area().spaces.active.region_3d.view_perspective = "CAMERA"
    yield from search("bake fishes")
    yield from wait_until(lambda: any("artfish_bake" in obj for obj in bpy.context.scene.objects), 100, "the bake")
    yield from wait_until(lambda: not running("ARTFISH_OT_bake"), 100, "its end")
    result("baked", sum("artfish_row" in obj for obj in bpy.context.scene.objects))
    overlay = area().spaces.active.overlay
    result("drawn", [overlay.show_relationship_lines, overlay.show_extras])
    yield from capture("through_the_camera")
    yield from search("revert last")
    yield from wait_redraw(1.0)
    result("reverted", sum("artfish_row" in obj for obj in bpy.context.scene.objects))
    yield from search("play fishes")
    yield from wait_until(playing, 30, "the animation")
    result("first", playing())
    first = bpy.context.scene.name
    with inside():
        bpy.ops.wm.window_new_main()
    second = bpy.context.window_manager.windows[1]
    with bpy.context.temp_override(window=second):
        bpy.ops.scene.new(type="FULL_COPY")
    yield 1.0
    result("scenes", [window().scene.name == first, second.scene.name != first, playing() == first])
    press_play(second)
    yield from wait_until(lambda: playing() == second.scene.name, 30, "the second")
    frames = second.scene.frame_current
    yield from wait_until(lambda: second.scene.frame_current != frames, 30, "a frame of the second")
    result("second", playing() == second.scene.name)
    press_play(second)
    yield 1.0
    result("stopped", not pace().playing())
