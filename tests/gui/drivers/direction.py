"""The Direction panel with a real mouse: a target, a way, a want that is keyed, food at a frame, and undo."""

import bpy
from driver import (
    capture,
    capture_panel,
    capture_region,
    centre,
    click,
    click_operator,
    find_button,
    inside,
    move,
    open_only,
    open_tab,
    press,
    region,
    result,
    wait_redraw,
)

PANEL = "ARTFISH_PT_direction"


def kinds() -> list[str]:
    """The kinds of all directions and events in the scene, sorted."""
    found = [obj.artfish for obj in bpy.context.scene.objects if obj.artfish.kind in ("DIRECTION", "EVENT")]
    return sorted(settings.direction.kind if settings.kind == "DIRECTION" else settings.event for settings in found)


def add(kind: str):
    """Clicks the button that adds a direction or event of this kind."""
    place = yield from find_button(f"artfish.add_direction(kind='{kind}'")
    yield from click(*place)
    yield from wait_redraw()


def main():
    """Adds directions and food by their buttons, moves the food to the playhead, keys a want, and undoes that."""
    open_only(PANEL, "ARTFISH_PT_selected")
    with inside():
        bpy.ops.artfish.add_shoal(species="clownfish", count=4)
    shoal = bpy.context.object
    name = shoal.name
    yield from open_tab("Artfish")
    yield from capture_region("empty")
    yield from add("target")
    result("after_target", kinds())
    result("leads", bpy.context.object.artfish.direction.fishes == shoal)
    yield from capture_region("target")
    yield from add("curve")
    yield from capture_region("curve")
    yield from add("region")
    yield from capture_region("region")
    yield from add("leader")
    yield from capture_region("leader")
    bpy.context.scene.frame_set(49)
    yield from add("food")
    yield from capture_region("food")
    result("food_time", bpy.context.object.artfish.food.time)
    bpy.context.scene.frame_set(25)
    yield from click_operator("artfish.time_here")
    result("food_time_then", bpy.context.object.artfish.food.time)
    result("kinds", kinds())
    with inside():
        bpy.ops.artfish.select(name=shoal.name)
    yield from wait_redraw()
    place = yield from find_button("artfish.wants.use_libido")
    yield from click(*place)
    result("use_libido", shoal.artfish.wants.use_libido)
    place = yield from find_button("artfish.wants.libido")
    yield from move(*place)
    yield from press("i")  # keys it
    curves = shoal.animation_data.action.layers[0].strips[0].channelbags[0].fcurves if shoal.animation_data else []
    result("keyed", [curve.data_path for curve in curves])
    yield from capture_region("wants")
    yield from capture("window")
    yield from move(*centre(region("WINDOW")))
    for _ in range(2):
        yield from press("ctrl+z")
    yield from wait_redraw()
    result("undone", bpy.data.objects[name].artfish.wants.use_libido)
    with inside():
        bpy.ops.artfish.select(name="Way")
    result("drawn", (yield from capture_panel("direction", PANEL)))
