"""The whole asset library is made, and every asset of it dragged out of the browser into the view, one by one."""

import bpy
from bpy_extras.view3d_utils import location_3d_to_region_2d
from driver import area, box, choose, drag, inside, log, module, region, result, wait_redraw, wait_until, window
from mathutils import Vector

TILE, PITCH = (56, 66), 112
"""The middle of the first asset in the browser, pixels from its corner; and from one to the next."""
GROUND = 0.05, -0.15
"""Where all but worlds are dropped, in shares of the view from its middle: the slab is there."""
KINDS = ("objects", "collections", "materials", "worlds", "node_groups")


def off(place: list[float], x: float, y: float) -> float:
    """Distance in pixels, as the view shows it, of a place from a pixel of the screen."""
    at = region("WINDOW")
    left, top, _, high = box(at)
    there = location_3d_to_region_2d(at, area().spaces.active.region_3d, place)
    return round(((there.x + left - x) ** 2 + (high - there.y + top - y) ** 2) ** 0.5, 2)


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


def make(folder):
    """The library, by the workshop of the preferences' button but without pictures."""
    shop = module("blender_artfish.blender.runtime").of(module("blender_artfish.assets.workshop").AssetWorkshop)
    shop.begin(folder, module("blender_artfish.assets.operators").show_library, pixels=0)
    bpy.app.timers.register(module("blender_artfish.assets.workshop").tick, first_interval=0.5, persistent=True)
    yield from wait_until(lambda: not shop.busy, 900, "a library")
    result("failed", shop.failed)


def browser_beside():
    """An Asset Browser of the library below the view."""
    with inside():
        bpy.ops.screen.area_split(direction="HORIZONTAL", factor=0.3)
    yield from wait_redraw(1.0)
    browser = min((each for each in window().screen.areas if each.type == "VIEW_3D"), key=lambda each: each.y)
    browser.ui_type = "ASSETS"
    yield from wait_redraw(1.0)
    browser.spaces.active.params.asset_library_reference = "Artfish"
    yield from wait_redraw(3.0)
    return browser


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
    yield from make(folder)
    for name in ("Light", "Camera"):
        bpy.data.objects.remove(bpy.data.objects[name])
    slab = bpy.data.objects["Cube"]
    slab.scale, slab.location = (6.0, 6.0, 0.05), (0.0, 0.0, -0.05)
    assets = catalogued(folder)
    result("assets", [each[:2] for each in assets])
    browser = yield from browser_beside()
    area().spaces.active.region_3d.view_distance = 11.0
    yield from wait_redraw()
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
