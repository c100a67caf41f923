"""Every panel of Artfish, photographed: in a new file, with the reef at play, and where fishes have been baked.

The pictures of the reef are those of the manual, see tools/manual.py.
"""

import bpy
from driver import (
    area,
    capture_panel,
    capture_region,
    choose,
    family,
    inside,
    module,
    open_panels,
    open_tab,
    panels,
    region,
    result,
    wait_redraw,
    wait_until,
)

BIG = ("VIEW_3D", "IMAGE_EDITOR")
FRAMES = 48
FAMILIES = {}
"""Sub-panels with the panels inside them, by name."""
OF_SHOALS = ("ARTFISH_PT_scene", "ARTFISH_PT_habits", "ARTFISH_PT_learning")
TALL = ("species", "habits")
"""Panels of which each sub-panel has a picture of its own."""


def photograph(state, prepare=None):
    """Photographs all tabs as they are, then every panel by itself; returns the panels drawn of each."""
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
            called = name.removeprefix("ARTFISH_PT_")
            drawn[name] = yield from capture_panel(f"{called}-{state}", name, where)
            for child in panels(name) if called in TALL and drawn[name][1:] else ():  # what is too tall, bit by bit
                hidden = [other for other in panels(name) if other != child]
                _register(False, hidden)
                part = child.__name__.removeprefix("ARTFISH_PT_")
                drawn[child.__name__] = yield from capture_panel(f"{part}-{state}", name, where)
                _register(True, hidden)
        room.type = BIG[0]
        yield from wait_redraw(0.5)
    return drawn


def _register(there, tops):
    """Puts panels in, with those inside them, or takes them out."""
    everything = [each for top in tops for each in FAMILIES[top.__name__]]
    for each in everything if there else reversed(everything):
        (bpy.utils.register_class if there else bpy.utils.unregister_class)(each)


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
        result("framed", frame_of_view())
        bpy.ops.artfish.species_pick(name=shoal().artfish.shoal.species)
        choose(shoal())
        bpy.ops.artfish.member_add()
        bpy.ops.artfish.add_direction(kind="food")
        bpy.ops.artfish.add_instruction()
        bpy.ops.artfish.add_direction(kind="target")
        bpy.ops.artfish.live_play()
    yield 0.1
    with inside():
        bpy.ops.artfish.live_play()  # paused: a jump needs no redraw of every frame
    scene.frame_set(FRAMES)
    session = module("blender_artfish.live.runtime").session_of(scene)
    yield from wait_until(lambda: session.rehearsal.frames >= FRAMES and session.goal is None, 240, "the reef to play")


def frame_of_view():
    """The view's aim off the middle of the tank in metres, and its distance over that which would fill its width."""
    tank = next(obj for obj in bpy.context.scene.objects if obj.artfish.kind == "TANK")
    view, room = area().spaces.active.region_3d, region("WINDOW")
    filling = max(tank.dimensions) * max(room.height / room.width, 1.0)
    return [(view.view_location - tank.location).length, view.view_distance / filling]


def seen():
    """The settings of the 3D View, and the camera, world and objects of the scene."""
    space, scene = area().spaces.active, bpy.context.scene
    view, shading = space.region_3d, space.shading
    shown = [shading.type, space.overlay.show_overlays, space.use_local_camera, view.view_perspective]
    place = [round(number, 4) for number in (*view.view_location, *view.view_rotation, view.view_distance)]
    return [*shown, place, scene.camera.name, scene.world.name, sorted(obj.name for obj in scene.objects)]


def look():
    """Quick Look, on and off again; a redraw in between would only make it slow."""
    yield from open_tab("Artfish")
    before = seen()
    with inside():
        bpy.ops.artfish.quick_look()
        during = seen()
        bpy.ops.artfish.quick_look()
    result("look", [before, during, seen()])


def prepare(panel):
    """Makes the object or image active that a panel is about; opens the gallery for its own."""
    bpy.context.window_manager.artfish_gallery.shown = panel == "ARTFISH_PT_gallery"
    if "snake" in panel:
        area("IMAGE_EDITOR").spaces.active.image = bpy.data.images.get("Fish") or picture()
    elif panel == "ARTFISH_PT_direction":
        choose(next(obj for obj in bpy.context.scene.objects if obj.artfish.kind == "DIRECTION"))
    else:
        choose(shoal() if panel in OF_SHOALS else fish())


def picture():
    """A pale fish before a dark ground, with its grid."""
    wide, high = 200, 100
    image = bpy.data.images.new("Fish", wide, high)
    lit = [((x - 100) / 80) ** 2 + ((y - 50) / 30) ** 2 < 1 for y in range(high) for x in range(wide)]
    image.pixels = [level for each in lit for level in ((0.9, 0.9, 0.9, 1.0) if each else (0.0, 0.0, 0.0, 1.0))]
    bpy.ops.artfish.fit_grid(image=image.name)
    return image


def main():
    """Photographs every panel in a new file, with the reef at play, and beside baked fishes."""
    open_panels()
    FAMILIES.update({child.__name__: family(child) for top in panels() for child in panels(top.__name__)})
    result("panels", [each.__name__ for top in panels() for each in family(top)])
    bake = bpy.context.scene.artfish.bake
    bake.form = "crowd"  # which has a panel of its own
    new = yield from photograph("new")
    bake.form = "compact"
    yield from play_reef()
    yield from look()
    reef = yield from photograph("reef", prepare)
    scene = bpy.context.scene
    with inside():
        bpy.ops.artfish.live_end()
    scene.frame_start, scene.frame_end = 1, 12
    with inside():
        bpy.ops.artfish.bake()
    yield from wait_redraw(1.0)
    choose(fish())
    with inside():
        bpy.ops.artfish.look_through()
    yield from wait_redraw(1.0)
    baked = yield from photograph("baked")
    result("drawn", sorted({name for state in (new, reef, baked) for shown in state.values() for name in shown}))
