"""Every panel of Artfish, photographed: in a new file, with the reef at play, and where fishes have been baked.

The pictures of the reef are those of the manual, see tools/manual.py.
"""

import bpy
from driver import (
    area,
    capture_panel,
    capture_region,
    inside,
    open_panels,
    open_tab,
    panels,
    result,
    wait_redraw,
    wait_until,
)

BIG = ("VIEW_3D", "IMAGE_EDITOR")
FRAMES = 48


def photograph(state, prepare=None):
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
            if prepare is not None:
                prepare(name)
            drawn[name] = yield from capture_panel(f"{name.removeprefix('ARTFISH_PT_')}-{state}", name, where)
        room.type = BIG[0]
        yield from wait_redraw(0.5)
    return drawn


def choose(thing):
    """Makes an object the only selected and the active one."""
    for other in bpy.context.selected_objects:
        other.select_set(False)
    bpy.context.view_layer.objects.active = thing
    thing.select_set(True)


def shoal():
    """The first shoal of the scene."""
    return min((t for t in bpy.context.scene.objects if t.artfish.kind == "SHOAL"), key=lambda t: t.artfish.order)


def fish():
    """A fish that is live, or baked."""
    return next(t for t in bpy.context.scene.objects if "artfish_row" in t and not t.hide_viewport)


def play_reef():
    """Loads the reef, shapes a species of it, and plays its first frames."""
    scene = bpy.context.scene
    with inside():
        bpy.ops.artfish.load_preset(preset="reef")
        bpy.ops.artfish.species_pick(name=shoal().artfish.shoal.species)
        bpy.ops.artfish.live_play()
    yield from wait_until(lambda: scene.frame_current >= FRAMES, 240, "the reef to play")
    with inside():
        bpy.ops.artfish.live_play()
    scene.frame_set(FRAMES)
    yield from wait_until(lambda: any("artfish_row" in thing for thing in scene.objects), 60, "fishes")


def main():
    """What the test of the same name asks about."""
    open_panels()
    result("panels", [name for name in dir(bpy.types) if name.startswith("ARTFISH_PT_")])
    new = yield from photograph("new")
    yield from play_reef()
    reef = yield from photograph("reef", lambda name: choose(shoal() if name == "ARTFISH_PT_scene" else fish()))
    scene = bpy.context.scene
    with inside():
        bpy.ops.artfish.live_end()
    scene.frame_start, scene.frame_end = 1, 12
    scene.artfish.frames = 12
    with inside():
        bpy.ops.artfish.bake()
    yield from wait_redraw(1.0)
    choose(fish())
    with inside():
        bpy.ops.artfish.look_through()
    yield from wait_redraw(1.0)
    baked = yield from photograph("baked")
    result("drawn", sorted({name for state in (new, reef, baked) for shown in state.values() for name in shown}))
