"""Handles in the view with a real mouse: a school is made longer and moved, the tank made wider, and undone."""

import bpy
from bpy_extras.view3d_utils import location_3d_to_region_2d
from driver import capture_region, drag, inside, module, press, region, result, wait_redraw


def tip(name: str, label: str, at: int = 0) -> tuple[int, int]:
    """Where one of an object's handles of this label is on the screen."""
    handles = module("blender_artfish.scene.handles")
    obj = bpy.data.objects[name]
    handle = [one for one in handles.handles_of(obj) if one.name == label][at]
    base = handle.base(obj)
    place = base.translation + handle.get(obj) * base.col[2].xyz.normalized()
    view = region("WINDOW")
    x, y = location_3d_to_region_2d(view, view.data if hasattr(view, "data") else _region_data(), place)
    return round(view.x + x), round(bpy.context.window_manager.windows[0].height - view.y - y)


def _region_data():
    return next(
        area.spaces.active.region_3d
        for area in bpy.context.window_manager.windows[0].screen.areas
        if area.type == "VIEW_3D"
    )


def pull(name: str, label: str, dx: int, dy: int, at: int = 0, **more):
    """Drags a handle by so many pixels."""
    x, y = tip(name, label, at)
    yield from drag(x, y, x + dx, y + dy, **more)
    yield from wait_redraw()


def main():
    """Adds a shoal and a school, and drags their handles."""
    with inside():
        bpy.ops.artfish.add_shoal(species="sardine", count=20)
        bpy.ops.artfish.add_direction(kind="ball")
        school = bpy.context.object.name
        bpy.ops.view3d.view_axis(type="TOP")
        bpy.ops.view3d.view_all()
    yield from wait_redraw(1.0)
    obj = bpy.data.objects[school]
    result("before", [list(obj.scale), list(obj.location)])
    yield from capture_region("school", "WINDOW")
    yield from pull(school, "Length", 60, 0)
    result("longer", list(obj.scale))
    yield from capture_region("longer", "WINDOW")
    yield from pull(school, "Place", 0, -40)
    result("moved", list(obj.location))
    yield from pull(school, "Width", 0, -30, give_up=True)
    result("given_up", list(obj.scale))
    yield from press("ctrl+z")
    yield from wait_redraw()
    result("undone", list(bpy.data.objects[school].location))
    tank = next(each.name for each in bpy.context.scene.objects if each.artfish.kind == "TANK")
    with inside():
        bpy.ops.artfish.select(name=tank)
    yield from wait_redraw(1.0)
    obj = bpy.data.objects[tank]
    low = min((obj.matrix_world @ corner.co).x for corner in obj.data.vertices)
    result("tank_before", obj.scale.x)
    yield from capture_region("tank", "WINDOW")
    yield from pull(tank, "Side", 50, 0)
    obj = bpy.data.objects[tank]
    result("tank", obj.scale.x)
    result("side_across", min((obj.matrix_world @ corner.co).x for corner in obj.data.vertices) - low)
    yield from capture_region("wider", "WINDOW")
