"""The asset library is made by the preferences' button, shown in an Asset Browser, and one of each kind dragged out."""

import bpy
from asset_browser import TILE, browser_beside, make, off
from driver import box, capture, choose, drag, inside, log, module, region, result, wait_redraw

ASSETS = {
    "Clownfish": "SWIMMING",
    "Clownfish still": "STILL",
    "Sardine school of 24": "SCHOOLS",
    "Coral patch 1": "CORALS",
    "Boulder 1": "ROCKS",
    "Kelp 1": "WEEDS",
    "Reef": "STAGES",
    "Rust": "GROUNDS",
    "Sea": "WATERS",
    "Artfish crowd": "NODE_GROUPS",
}
"""One asset of each kind, and its catalog."""
PLACES = [(-0.3, -0.1), (-0.15, -0.25), (0.05, 0.05), (0.25, -0.1), (0.1, -0.3), (0.35, 0.1), (-0.02, -0.05)]
"""Where collections and objects are dropped, in shares of the view from its middle."""


def seen() -> dict[str, list]:
    """Objects of the scene: type, place, size, and what each instances."""
    bpy.context.view_layer.update()
    return {
        obj.name: [
            obj.type,
            [round(value, 4) for value in obj.matrix_world.translation],
            [round(value, 4) for value in obj.dimensions],
            getattr(obj.instance_collection, "name", None),
        ]
        for obj in bpy.context.scene.objects
    }


def heights(name: str, frame: int) -> list[float]:
    """Least and largest height of what an instance shows at a frame, and a number that changes as it moves."""
    bpy.context.scene.frame_set(frame)
    low, high, way = 1e9, -1e9, 0.0
    for each in bpy.context.evaluated_depsgraph_get().object_instances:
        if each.is_instance and each.parent.original.name == name and each.object.type == "MESH":
            for vertex in each.object.data.vertices:
                place = each.matrix_world @ vertex.co
                low, high, way = min(low, place.z), max(high, place.z), way + place.y * (1 + vertex.index % 7)
    return [round(low, 4), round(high, 4), round(way, 4)]


def main():
    """Makes and shows the library, and drags an asset of each kind into the view."""
    operators, catalogs = module("blender_artfish.assets.operators"), module("blender_artfish.assets.catalogs")
    folder = operators.folder_now()
    yield from make(folder, 200, species=["clownfish", "sardine"])
    result("libraries", [each.name for each in bpy.context.preferences.filepaths.asset_libraries])
    for name in ("Light", "Camera"):
        bpy.data.objects.remove(bpy.data.objects[name])
    slab = bpy.data.objects["Cube"]
    slab.scale, slab.location = (6.0, 6.0, 0.05), (0.0, 0.0, -0.05)
    browser = yield from browser_beside()
    left, top, width, high = box(region("WINDOW"))
    bx, by, _, _ = box(region("WINDOW", "FILE_BROWSER"))
    drops, places = {}, iter(PLACES)
    for name, catalog in ASSETS.items():
        params = browser.spaces.active.params
        params.catalog_id, params.filter_search = catalogs.uuid_of(catalogs.Catalog[catalog]), name
        yield from wait_redraw(1.0)
        x, y = next(places, (0.0, 0.02))
        x, y = int(left + (0.5 + x) * width), int(top + (0.5 + y) * high)
        there = set(seen())
        if name == "Artfish crowd":
            choose(slab)
        yield from drag(bx + TILE[0], by + TILE[1], x, y, steps=16)
        yield from wait_redraw(1.0)
        new = {key: value for key, value in seen().items() if key not in there}
        drops[name] = {"new": new, "off": [off(place, x, y) for _, place, _, _ in new.values()]}
        log(name, drops[name])
        if name == "Reef":
            stage = next(iter(new))
            bpy.data.objects[stage].hide_set(True)
    browser.spaces.active.params.filter_search = ""
    browser.spaces.active.params.catalog_id = catalogs.uuid_of(catalogs.Catalog.CORALS)
    yield from wait_redraw(1.0)
    yield from capture("browser")
    result("drops", drops)
    result("worlds", [bpy.context.scene.world.name, slab.active_material.name])
    result("modifiers", [modifier.node_group.name for modifier in slab.modifiers])
    result("scripts", len(bpy.data.texts))
    for name in ("Clownfish", "Sardine school of 24"):
        result(f"{name} moves", [heights(name, frame) for frame in (1, 20)])
    with inside():
        bpy.ops.object.select_all(action="DESELECT")
    bpy.data.objects["Clownfish"].select_set(True)
    with inside():
        bpy.ops.object.duplicates_make_real()
    result("real", sorted(obj.type for obj in bpy.context.selected_objects))
    browser.spaces.active.params.import_method = "APPEND"  # as Blender before 5.2 does
    own = {}
    for name, place in (("Sardine", (-0.1, 0.1)), ("Sardine school of 24", (0.2, 0.15))):
        browser.spaces.active.params.catalog_id = catalogs.uuid_of(catalogs.Catalog[ASSETS.get(name, "SWIMMING")])
        browser.spaces.active.params.filter_search = name
        yield from wait_redraw(1.0)
        x, y, there = int(left + (0.5 + place[0]) * width), int(top + (0.5 + place[1]) * high), set(seen())
        yield from drag(bx + TILE[0], by + TILE[1], x, y, steps=16)
        yield from wait_redraw(1.0)
        new = [obj for obj in bpy.context.scene.objects if obj.name not in there and obj.visible_get()]
        own[name] = [[obj.type, bool(obj.library), off(obj.matrix_world.translation, x, y)] for obj in new]
    result("appended", own)
    bpy.context.scene.frame_set(1)
    slab.modifiers.clear()
    for name in ("Clownfish", "Sardine school of 24"):
        choose(bpy.data.objects[name])
        with inside():
            bpy.ops.view3d.view_selected()
        yield from wait_redraw(1.0)
        yield from capture(name.replace(" ", "_").lower())
    with inside():
        bpy.ops.artfish.show_assets()
    result("after", [each.name for each in bpy.context.preferences.filepaths.asset_libraries])
