"""A species is given a character, and a trait of it is dragged, given back and undone."""

import bpy
from driver import (
    box,
    capture,
    capture_region,
    click_operator,
    drag,
    find_button,
    leave_only,
    open_panels,
    open_tab,
    press,
    region,
    result,
    wait_redraw,
    wait_until,
)


def entry():
    """The species that is edited."""
    return bpy.context.scene.artfish.species[0]


def highest():
    """The highest point of the preview's body as it is drawn, in metres above its middle."""
    body = next(obj for obj in bpy.data.objects if obj.get("artfish_preview") == "body_left")
    return max(corner[2] for corner in body.evaluated_get(bpy.context.evaluated_depsgraph_get()).bound_box)


def main():
    """Gives a clownfish a character, drags its build, undoes that, and gives a number back."""
    for name in ("Cube", "Light", "Camera"):
        bpy.data.objects.remove(bpy.data.objects[name])
    bpy.context.preferences.inputs.use_mouse_continuous = False  # xdotool does not know of a pointer that is held
    open_panels()
    others = leave_only("ARTFISH_PT_species")
    yield from open_tab("Artfish")
    bpy.ops.artfish.species_pick(name="clownfish")
    bpy.ops.artfish.species_no_character.poll() and bpy.ops.artfish.species_no_character()
    yield from click_operator("artfish.preview")
    yield from wait_redraw(1.0)
    yield from capture("before")
    yield from click_operator("artfish.species_character")
    yield from wait_until(lambda: entry().traits.given, what="a character")
    yield from wait_redraw(0.5)
    result("given", [entry().traits.build, highest()])
    x, y = yield from find_button("traits.build")
    yield from drag(x, y, x - 40, y, steps=20)
    yield from wait_redraw(0.5)
    result("dragged", [entry().traits.build, highest()])
    left, top, width, height = box(region("WINDOW"))
    yield from capture("character", (left, top, width + box(region("UI"))[2], height))
    yield from capture_region("sidebar")
    yield from press("ctrl+z")
    yield from wait_redraw(0.5)
    result("undone", [entry().traits.build, highest()])
    entry().about.length = 0.5
    yield from wait_redraw(0.5)
    yield from capture_region("own")
    yield from click_operator("artfish.species_as_traits")
    yield from wait_until(lambda: entry().about.length < 0.2, what="its length back")
    result("length", entry().about.length)
    for each in others:
        bpy.utils.register_class(each)
