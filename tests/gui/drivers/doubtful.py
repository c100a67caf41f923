"""An obstacle that is a sheet is named in its panel, with a remedy."""

import bpy
from driver import capture_region, click, click_operator, find_button, inside, open_tab, result, wait_redraw


def main():
    """Marks a board as an obstacle, makes it a shell, and photographs the panels."""
    with inside():
        bpy.ops.artfish.add_shoal(species="clownfish", count=2)
        bpy.ops.mesh.primitive_grid_add(x_subdivisions=6, y_subdivisions=6, size=1, location=(0.5, 0.5, 1.0))
    bpy.context.view_layer.objects.active.name = "Board"
    yield from open_tab("Artfish")
    place = yield from find_button("artfish.mark(kind='OBSTACLE'")
    yield from click(*place)
    yield from wait_redraw()
    yield from capture_region("doubtful")
    yield from click_operator("artfish.shell")
    yield from wait_redraw()
    yield from capture_region("shell")
    result("shell", bpy.data.objects["Board"].artfish.solid.use_thickness)
