"""The panel Retinas with fishes that play live: photographs, and the time that it adds to a frame."""

import time
from statistics import median

import bpy
from driver import (
    area,
    capture_panel,
    centre,
    inside,
    leave_only,
    module,
    move,
    open_panels,
    open_tab,
    press,
    region,
    result,
    wait_redraw,
    wait_until,
    window,
)

FRAMES = 40


def played():
    """Plays for some frames; the median of seconds from one to the next."""
    times = []

    def after(*_):
        times.append(time.perf_counter())

    bpy.app.handlers.frame_change_post.append(after)
    yield from move(*centre(region("WINDOW")))
    yield from press("space")
    yield from wait_until(lambda: len(times) > FRAMES, 300, what="frames")
    yield from press("space")
    bpy.app.handlers.frame_change_post.remove(after)
    return median(later - before for before, later in zip(times, times[1:], strict=False))


def main():
    """Photographs the retinas of a fish at play, counts their pictures, and times play with the panel and without."""
    open_panels()
    others = leave_only("ARTFISH_PT_fish_view", "ARTFISH_PT_live")
    yield from open_tab("Artfish")
    bpy.data.objects.remove(bpy.data.objects["Cube"])
    for species, count in (("clownfish", 8), ("blue_tang", 6), ("sardine", 12)):
        bpy.ops.artfish.add_shoal(species=species, count=count)
        bpy.context.object.artfish.shoal.spread = 0.8
    session = module("blender_artfish.live.timer").begin(window().scene)
    yield from wait_until(lambda: session.shown >= 0, what="the first frame")
    root = session.fishes[8].root
    with inside():
        bpy.ops.object.select_all(action="DESELECT")
    bpy.context.view_layer.objects.active = root
    root.select_set(True)
    yield from wait_redraw(0.5)
    retinas, view = module("blender_artfish.fish_view.retinas"), bpy.context.scene.artfish_view
    drawn = module("blender_artfish.blender.runtime").of(retinas.DrawnEyes)
    made, frames = retinas._rendered, []

    def counted(observed, settings):
        frames.append(observed.frame)
        return made(observed, settings)

    retinas._rendered = counted
    playing = yield from played()
    yield from wait_redraw(0.5)
    result("shown", [len(set(frames)), max(frames), session.shown, drawn.retinas.key[-2]])
    result("milliseconds", round(1000 * drawn.took, 1))
    yield from capture_panel("retinas", "ARTFISH_PT_fish_view")
    view.eyes, view.maps, view.pan = "MIDDLE", {"IDENTITY"}, 0.9
    area().tag_redraw()
    yield from wait_redraw(0.5)
    yield from capture_panel("retinas-turned", "ARTFISH_PT_fish_view")
    view.eyes, view.maps, view.pan = "BOTH", {"PICTURE", "IDENTITY", "RANGE"}, 0.0
    bpy.utils.unregister_class(bpy.types.ARTFISH_PT_retinas)
    yield from wait_redraw(0.5)
    without = yield from played()
    result("frame", [round(1000 * playing, 1), round(1000 * without, 1)])
    bpy.utils.register_class(module("blender_artfish.fish_view.panel").ARTFISH_PT_retinas)
    for each in others:
        bpy.utils.register_class(each)
