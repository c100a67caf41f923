"""The panel Baked Fishes with a real mouse: a fish is taken by a part, changed and deleted, and all is undone."""

import bpy
from driver import (
    capture,
    capture_panel,
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

PANEL = "ARTFISH_PT_baked_fish"


def fishes() -> list[str]:
    """Fishes in the scene."""
    return sorted(obj.name for obj in bpy.context.scene.objects if "artfish_row" in obj)


def chosen() -> list[str]:
    """Names of the selected objects, the active one first."""
    layer = bpy.context.view_layer
    names = sorted(obj.name for obj in layer.objects if obj.select_get())
    active = layer.objects.active.name
    return [active, *(name for name in names if name != active)]


def span(name: str) -> list[float]:
    """Frames at which the keys of a fish begin and end."""
    return list(bpy.data.objects[name].animation_data.action.curve_frame_range)


def main():
    """Selects a whole fish by its eye, retimes, duplicates, hides and deletes fishes, and undoes it step by step."""
    scene = bpy.context.scene
    scene.frame_start, scene.frame_end, scene.artfish.bake.form = 1, 13, "compact"
    open_only(PANEL, "ARTFISH_PT_selected")
    yield from open_tab("Artfish")
    with inside():
        bpy.ops.artfish.add_shoal(species="clownfish", count=3)
        bpy.ops.artfish.bake("EXEC_DEFAULT", True)
        bpy.ops.object.select_all(action="DESELECT")
    yield from wait_redraw()
    yield from capture_panel("nothing", PANEL)
    part = bpy.data.objects["Clownfish 02 eye left"]
    part.select_set(True)
    bpy.context.view_layer.objects.active = part
    with inside():
        bpy.ops.ed.undo_push(message="A part is selected")
    before = fishes()

    yield from click(*(yield from find_button("artfish.select_whole_fish(shoal=False")))
    result("whole", chosen())
    yield from click_operator("artfish.retime_fish")
    yield from wait_redraw()
    yield from capture("retime")
    yield from press("Escape")
    result("span", span("Clownfish 02"))
    with inside():
        bpy.ops.artfish.retime_fish("EXEC_DEFAULT", True, frames=4.0, speed=1.5)
    result("span_retimed", span("Clownfish 02"))
    yield from capture_panel("panel", "ARTFISH_PT_selected")
    yield from click_operator("artfish.duplicate_fish")
    yield from wait_redraw()
    result("duplicated", fishes())
    result("chosen", chosen()[0])
    yield from capture("duplicated")
    yield from click_operator("artfish.hide_fish")
    yield from wait_redraw()
    result("hidden", [obj.name for obj in bpy.context.scene.objects if obj.hide_render and "artfish_row" in obj])
    yield from capture_panel("hidden", PANEL)
    yield from click_operator("artfish.show_fishes")
    yield from wait_redraw()
    result("hidden_then", [obj.name for obj in bpy.context.scene.objects if obj.hide_render])
    with inside():
        bpy.ops.object.select_all(action="DESELECT")
    bpy.data.objects["Clownfish 01 body left"].select_set(True)
    yield from wait_redraw()
    yield from click_operator("artfish.delete_fish")
    yield from wait_redraw()
    result("left", fishes())
    yield from move(*centre(region("WINDOW")))
    for _ in range(7):  # deleted, deselected, shown, hidden, duplicated, retimed, selected
        yield from press("ctrl+z")
    yield from wait_redraw()
    result("undone", fishes() == before)
    result("span_undone", span("Clownfish 02"))
