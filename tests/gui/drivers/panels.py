"""Every panel of Artfish, photographed: in a new file, and where fishes have been baked."""

import bpy
from driver import area, capture_panel, capture_region, open_panels, open_tab, panels, result, wait_redraw

BIG = ("VIEW_3D", "IMAGE_EDITOR")


def photograph(state):
    """All tabs as they are, then every panel by itself; what was drawn of each."""
    drawn = {}
    for where in sorted({panel.bl_space_type for panel in panels() if panel.bl_region_type == "UI"}):
        room = area(BIG[0])
        room.type = where
        yield from wait_redraw(0.5)
        here = [panel for panel in panels() if panel.bl_space_type == where and panel.bl_region_type == "UI"]
        for tab in sorted({panel.bl_category for panel in here}):
            yield from open_tab(tab, where)
            yield from capture_region(f"{state}-{where}-{tab}".lower(), "UI", where)
        for panel in here:
            name = panel.__name__
            drawn[name] = yield from capture_panel(f"{name.removeprefix('ARTFISH_PT_')}-{state}", name, where)
        room.type = BIG[0]
        yield from wait_redraw(0.5)
    return drawn


def main():
    """What the test of the same name asks about."""
    open_panels()
    result("panels", [name for name in dir(bpy.types) if name.startswith("ARTFISH_PT_")])
    new = yield from photograph("new")
    bpy.context.scene.frame_end = 12
    bpy.ops.artfish.bake()
    bpy.ops.artfish.species_pick(name="clownfish")
    bpy.ops.artfish.add_shoal()
    bpy.ops.artfish.member_add()
    yield from wait_redraw(1.0)
    baked = yield from photograph("baked")
    result("drawn", sorted({name for state in (new, baked) for shown in state.values() for name in shown}))
