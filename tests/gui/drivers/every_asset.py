"""The whole asset library is made, and every asset of it dragged out of the browser into the view, one by one."""

import bpy
from asset_browser import TILE, browser_beside, make, off
from driver import box, choose, drag, log, module, region, result, wait_redraw
from mathutils import Vector

PITCH = 112
"""Pixels from one asset in the browser to the next."""
GROUND = 0.05, -0.15
"""Where all but worlds are dropped, in shares of the view from its middle: the slab is there."""
KINDS = ("objects", "collections", "materials", "worlds", "node_groups")


def catalogued(folder) -> list[tuple[str, str, str]]:
    """Kind, name and catalog of every asset in the files of a folder."""
    found = []
    for path in sorted(folder.glob("*.blend")):
        with bpy.data.libraries.load(str(path), link=True, assets_only=True) as (there, here):
            for kind in KINDS:
                setattr(here, kind, list(getattr(there, kind)))
        for kind in KINDS:
            found += [(kind, each.name, each.asset_data.catalog_id) for each in getattr(here, kind)]
        bpy.data.batch_remove([each for each in bpy.data.libraries if each.filepath.endswith(path.name)])
    return found


def dropped(slab, kind: str, there: set[str], x: float, y: float) -> list:
    """The names of all that came with a drop, and the distance of the nearest of it from the mouse, pixels."""
    if kind == "materials":
        return [[slab.active_material.name if slab.active_material else ""], 0.0]
    if kind == "worlds":
        return [[bpy.context.scene.world.name], 0.0]
    if kind == "node_groups":
        return [[modifier.node_group.name for modifier in slab.modifiers if modifier.type == "NODES"], 0.0]
    bpy.context.view_layer.update()
    new = [obj for obj in bpy.context.scene.objects if obj.name not in there]
    names = [getattr(obj.instance_collection, "name", obj.name) for obj in new]
    return [names, min((off(foot(obj), x, y) for obj in new), default=-1.0)]


def foot(obj) -> list[float]:
    """The place on which an object stands: Blender sets the middle of a mesh's underside down, of others the origin."""
    corners = [obj.matrix_world @ Vector(corner) for corner in obj.bound_box] if obj.type == "MESH" else []
    if not corners:
        return obj.matrix_world.translation
    low, high = ([end(corner[axis] for corner in corners) for axis in range(3)] for end in (min, max))
    return [0.5 * (low[0] + high[0]), 0.5 * (low[1] + high[1]), low[2]]


def clear(slab, there: set[str]) -> None:
    """Take away what was dropped, so that the next falls on the slab."""
    bpy.data.batch_remove([obj for obj in bpy.context.scene.objects if obj.name not in there])
    slab.modifiers.clear()
    slab.data.materials.clear()


def main():
    """Makes and shows the library, and drags every asset into the view."""
    folder = module("blender_artfish.assets.operators").folder_now()
    yield from make(folder, 900)
    for name in ("Light", "Camera"):
        bpy.data.objects.remove(bpy.data.objects[name])
    slab = bpy.data.objects["Cube"]
    slab.scale, slab.location = (6.0, 6.0, 0.05), (0.0, 0.0, -0.05)
    assets = catalogued(folder)
    result("assets", [each[:2] for each in assets])
    browser = yield from browser_beside()
    left, top, width, high = box(region("WINDOW"))
    bx, by, _, _ = box(region("WINDOW", "FILE_BROWSER"))
    x, y = int(left + (0.5 + GROUND[0]) * width), int(top + (0.5 + GROUND[1]) * high)
    drops = []
    for kind, name, catalog in assets:
        params = browser.spaces.active.params
        params.catalog_id, params.filter_search = catalog, name
        yield from wait_redraw(0.8)
        there = {obj.name for obj in bpy.context.scene.objects}
        for tile in range(2):  # the search finds those, too, that have the word among their tags
            if kind == "node_groups":
                choose(slab)
            yield from drag(bx + TILE[0] + tile * PITCH, by + TILE[1], x, y, steps=12)
            yield from wait_redraw(0.8)
            came = dropped(slab, kind, there, x, y)
            clear(slab, there)
            yield 0.1
            if name in came[0]:
                break
        drops.append([kind, name, *came])
        log(drops[-1])
    result("drops", drops)
