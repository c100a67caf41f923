"""Takes with a real mouse: a wish and a number are added, takes are run, one is clicked, and a run is ended."""

import bpy
from driver import (
    capture,
    capture_panel,
    click,
    click_operator,
    enter,
    find_button,
    inside,
    module,
    open_only,
    open_tab,
    press,
    result,
    running,
    type_text,
    wait_redraw,
    wait_until,
)

PANEL, RUNS = "ARTFISH_PT_takes", "ARTFISH_OT_run_takes"


def seeds():
    """Seeds of the best takes."""
    return [take.seed for take in bpy.context.scene.artfish_takes.found]


def shoal():
    """The shoal."""
    return next(obj for obj in bpy.context.scene.objects if obj.artfish.kind == "SHOAL")


def taken():
    """The number of the second best take, as a scene file has it."""
    return bpy.context.scene.artfish_takes.found[1].numbers[1].value


def at_work():
    """The operators at work."""
    return module("blender_artfish.blender.jobs").at_work()


def ended():
    """True once no takes are run."""
    return not running(RUNS)


def main():
    """Adds a wish and a number that varies, runs four takes, clicks the second best, undoes that, ends a long run."""
    scene = bpy.context.scene
    scene.frame_end = 48
    open_only(PANEL)
    with inside():
        bpy.ops.artfish.add_shoal(species="clownfish", count=6)
        bpy.ops.artfish.vary_add(number="Clownfish|mind.hunger")  # so that the list is open
    yield from open_tab("Artfish")
    yield from capture("empty")
    yield from click_operator("artfish.wish_add")
    yield from wait_redraw()
    settings = scene.artfish_takes
    result("wishes", len(settings.wishes))
    settings.wishes[0].kind, settings.wishes[0].touched, settings.wishes[0].gap = "untouched", "fishes", 0.25
    yield from wait_redraw()
    with inside():
        bpy.ops.wm.call_menu(name="ARTFISH_MT_vary")
    yield from wait_redraw()
    yield from capture("vary_menu")
    yield from press("Return")
    yield from wait_redraw()
    yield from type_text("pace")
    yield from wait_redraw()
    yield from capture("vary_search")
    yield from press("Return")
    yield from wait_redraw()
    result("varied", [[row.owner.name, row.path] for row in settings.varied])
    yield from enter("artfish_takes.varied[1].low", "0.6")
    yield from enter("artfish_takes.varied[1].high", "1.8")
    result("range", [round(settings.varied[1].low, 3), round(settings.varied[1].high, 3)])
    yield from enter("artfish_takes.count", "4")
    yield from enter("artfish_takes.seed", "3")
    yield from enter("artfish_takes.best", "2")
    yield from click_operator("artfish.run_takes")
    yield from wait_until(lambda: running(RUNS), 60, "takes to begin")
    yield from capture("running")
    yield from wait_until(ended, 240, "the takes")
    yield from wait_redraw(1.5)
    result("found", seeds())
    result("colours", (yield from capture("found")))
    place = yield from find_button("artfish.use_take(row=1")
    yield from click(*place)
    yield from wait_redraw()
    result("used", [scene.artfish.seed == seeds()[1], scene.artfish.seed])
    result("set", [round(shoal().artfish.shoal.pace, 4), round(float(taken()), 4)])
    yield from press("ctrl+z")
    yield from wait_redraw()
    scene = bpy.context.scene
    result("undone", [scene.artfish.seed, seeds(), round(shoal().artfish.shoal.pace, 4)])
    scene.artfish_takes.count = 500
    yield from click_operator("artfish.run_takes")
    begun = lambda: any(each.bl_idname == RUNS for each in bpy.context.window_manager.windows[0].modal_operators)  # noqa: E731
    yield from wait_until(begun, 60, "takes to begin")
    yield from wait_until(lambda: any(work.job.made for work in at_work()), 120, "a take")
    yield from wait_redraw()
    yield from capture("at_work")
    yield from click_operator("artfish.end_takes")
    yield from wait_until(ended, 20, "the end")
    yield from wait_redraw(1.5)
    result("given_up", [len(seeds()), max(seeds()) < 503])
    yield from capture_panel("panel", PANEL)
    scene, wish = bpy.context.scene, bpy.context.scene.artfish_takes.wishes[0]
    wish.camera = bpy.data.objects.new("Close", bpy.data.cameras.new("Close"))
    scene.collection.objects.link(wish.camera)
    drawn = []
    for kind in ("event", "picture", "unhidden", "shape", "arrival"):
        wish.kind = kind
        drawn += yield from capture_panel(f"wish_{kind}", PANEL)
    result("drawn", drawn)
