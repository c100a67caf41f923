"""Events on the timeline with a real mouse: shown by the panel, dragged, given up, deleted, undone, switched off."""

import bpy
from driver import (
    EXTENSION,
    box,
    capture,
    capture_panel,
    centre,
    click,
    drag,
    find_button,
    inside,
    module,
    move,
    open_only,
    open_tab,
    press,
    region,
    result,
    type_text,
    wait_redraw,
    window,
)

PANEL = "ARTFISH_PT_direction"
TIMELINE = "DOPESHEET_EDITOR"
ABOVE = 20  # pixels from the bottom of the timeline to the middle of its markers
AWAY = 30  # pixels to the left, where the field's arrow is out of the way


def food() -> bpy.types.Object:
    """The food, looked up anew, since undo makes it another object."""
    return bpy.data.objects["Food"]


def state() -> list:
    """The food's time in hundredths of a second, True if it shall be on the timeline, and all markers."""
    event = food().artfish
    markers = [[marker.name, marker.frame] for marker in bpy.context.scene.timeline_markers]
    return [round(100 * event.food.time), event.on_timeline, sorted(markers)]


def place(frame: float) -> tuple[float, float]:
    """The place of a marker at a frame, on the screen."""
    where = region("WINDOW", TIMELINE)
    left, top, _, height = box(where)
    return left + where.view2d.view_to_region(frame, 0, clip=False)[0], top + height - ABOVE


def settled():
    """Waits until markers and numbers agree again; returns them."""
    yield 1.0
    return state()


def undo(*keys):
    """Presses keys over the 3D view, and waits until markers and numbers agree again; returns them."""
    yield from move(*centre(region("WINDOW")))
    yield from press(*(keys or ("ctrl+z",)))
    return (yield from settled())


def main():
    """Shows food on the timeline, then drags, renames, deletes and undoes its marker, and hides it again."""
    markers = module("blender_artfish.direction.markers")
    scene = bpy.context.scene
    scene.frame_end = 100
    open_only(PANEL, "ARTFISH_PT_selected")
    next(each for each in window().screen.areas if each.type == "PROPERTIES").ui_type = "TIMELINE"
    with inside():
        bpy.ops.artfish.add_shoal(species="clownfish", count=4)
        scene.frame_set(49)
        bpy.ops.artfish.add_direction(kind="food")
        scene.timeline_markers.new("Mine", frame=10).select = False
    yield from open_tab("Artfish")
    yield from wait_redraw()
    with inside(TIMELINE):
        bpy.ops.action.view_all()
    with inside():
        bpy.ops.ed.undo_push(message="before")
    result("idle", bpy.app.timers.is_registered(markers._tick))
    yield from click(*(yield from find_button("artfish.timeline")))
    result("shown", (yield from settled()))
    result("watched", bpy.app.timers.is_registered(markers._tick))
    result("hidden", (yield from undo()))
    result("again", (yield from undo("ctrl+shift+z")))

    yield from drag(*place(49), *place(73))
    result("dragged", (yield from settled()))
    yield from capture("dragged")
    result("undragged", (yield from undo()))
    result("redragged", (yield from undo("ctrl+shift+z")))
    with inside():
        bpy.ops.mesh.primitive_cube_add()
        bpy.ops.ed.undo_push(message="something else")
    result("undone_else", (yield from undo()))
    result("undragged_again", (yield from undo()))

    yield from drag(*place(49), *place(73), give_up=True)
    result("given_up", (yield from settled()))

    x, y = yield from find_button("artfish.food.time_in_frames")
    yield from click(x - AWAY, y, times=2)
    yield from press("ctrl+a")
    yield from type_text("25")
    yield from press("Return")
    result("typed", state())
    result("untyped", (yield from undo()))

    food().name = "Crumb"
    yield 1.0
    result("renamed", sorted(marker.name for marker in bpy.context.scene.timeline_markers))
    bpy.data.objects["Crumb"].name = "Food"
    yield 1.0

    yield from click(*place(49))
    yield from press("Delete")
    yield from press("Return")
    result("deleted", (yield from settled()))
    result("undeleted", (yield from undo()))
    result("redeleted", (yield from undo("ctrl+shift+z")))
    food().artfish.on_timeline = True
    result("put_back", (yield from settled()))

    result("drawn", (yield from capture_panel("panel", PANEL)))
    tick = markers._tick
    bpy.ops.preferences.addon_disable(module=EXTENSION)
    result("left", bpy.app.timers.is_registered(tick))
    result("plain", sorted([marker.name, marker.frame] for marker in bpy.context.scene.timeline_markers))
    bpy.ops.preferences.addon_enable(module=EXTENSION)
