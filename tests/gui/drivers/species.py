"""A species is picked from the menu, shown, and made higher by dragging a slider."""

import os

import bpy
from driver import (
    EXTENSION,
    area,
    box,
    capture,
    capture_region,
    click,
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

MENU = 45
"""Pixels from the top of the sidebar to the one button that the panel Species begins with."""
PLACE = (1.0, -2.0, 0.5)
SHOWN = "artfish_preview"


def entry():
    """The species that is edited."""
    return bpy.context.scene.artfish.species[0]


def highest():
    """The highest point of the preview's body as it is drawn, in metres above its middle."""
    body = next(obj for obj in bpy.data.objects if obj.get(SHOWN) == "body_left")
    return max(corner[2] for corner in body.evaluated_get(bpy.context.evaluated_depsgraph_get()).bound_box)


def main():
    """Picks a preset from the menu, previews it, drags a slider of its height, and undoes that."""
    for name in ("Cube", "Light", "Camera"):
        bpy.data.objects.remove(bpy.data.objects[name])
    bpy.context.preferences.inputs.use_mouse_continuous = False  # xdotool does not know of a pointer that is held
    open_panels()
    others = leave_only("ARTFISH_PT_species")  # so that what is dragged can be seen
    yield from open_tab("Artfish")
    left, top, _, _ = box(region("UI"))
    yield from click(left + 120, top + MENU)  # Blender does not say of a menu's button what it does
    yield from capture("menu")
    yield from press("Down", "Down", "Down", "Down", "Return")
    yield from wait_until(lambda: len(bpy.context.scene.artfish.species) == 1, what="a species")
    result("picked", entry().name)
    bpy.context.scene.cursor.location = PLACE
    yield from click_operator("artfish.preview")
    yield from wait_until(lambda: any(obj.get(SHOWN) == "fish" for obj in bpy.data.objects), what="a preview")
    yield from wait_redraw(1.0)
    result("looked_at", list(area("VIEW_3D").spaces.active.region_3d.view_location))
    yield from capture("preview")

    updates = []
    changes = __import__("sys").modules[type(entry()).__module__.replace("species.properties", "blender.handlers")]
    listeners = list(changes.listeners)

    def counted(context, group):
        for listener in listeners:
            listener(context, group)
        bpy.context.view_layer.update()
        updates.append(group)

    changes.listeners[:] = [counted]
    before, seen = entry().form.body_height, highest()
    x, y = yield from find_button("form.body_height")
    yield from drag(x, y, x + 40, y, steps=20)
    yield from wait_redraw(0.5)
    result("before", [before, seen])
    result("after", [entry().form.body_height, highest()])
    left, top, width, height = box(region("WINDOW"))
    yield from capture("shaping", (left, top, width + box(region("UI"))[2], height))
    yield from capture_region("sidebar")
    x, y = yield from find_button("form.bluntness")
    yield from drag(x, y, x - 20, y, steps=10)
    result("blunt", entry().form.bluntness)
    yield from press("ctrl+z")
    result("blunt_undone", entry().form.bluntness)
    yield from press("ctrl+z")
    yield from wait_redraw(0.5)
    result("undone", [entry().form.body_height, highest()])
    result("form_updates", len(updates))
    updates.clear()
    for step in range(20):
        entry().looks.side = (0.05 * step, 0.3, 0.1)
        yield 0.02
    result("colour_updates", len(updates))
    changes.listeners[:] = listeners
    yield from capture("coloured")
    bpy.ops.artfish.species_save_as(name="Nemo")
    result("saved", sorted(os.listdir(bpy.utils.extension_path_user(EXTENSION, path="species"))))
    yield from wait_redraw(0.5)
    for each in others:
        bpy.utils.register_class(each)
