"""The Bake panel with a real mouse: given up by Esc, done, done again in the same place, reverted and undone."""

import time

import bpy
from driver import (
    OUT,
    capture,
    centre,
    click,
    click_operator,
    enter,
    inside,
    log,
    move,
    open_only,
    open_tab,
    press,
    region,
    result,
    running,
    ticks,
    wait_redraw,
    wait_until,
)

BAKE = "ARTFISH_OT_bake"


def names() -> list[str]:
    """Everything in the file."""
    kinds = [kind.identifier for kind in bpy.data.bl_rna.properties if kind.type == "COLLECTION"]
    kinds = [kind for kind in kinds if kind not in ("brushes", "screens", "workspaces", "window_managers")]
    return sorted(f"{kind}/{obj.name}" for kind in kinds for obj in getattr(bpy.data, kind))


def fishes() -> list[str]:
    """Fishes in the scene."""
    return sorted(obj.name for obj in bpy.context.scene.objects if "artfish_row" in obj)


def collections() -> list[str]:
    """Collections of the scene itself."""
    return [collection.name for collection in bpy.context.scene.collection.children]


def done(words="the bake to end"):
    """Wait for the end of a bake, and count the seconds."""
    return (yield from wait_until(lambda: not running(BAKE), 170, words))


def main():
    """Gives up a bake by Esc, bakes twice, reverts both bakes, undoes it all, and reverts a bake that was saved."""
    module = next(m for name, m in __import__("sys").modules.items() if name.endswith("blender_artfish.bake.operators"))
    work = module.ARTFISH_OT_bake.modal
    longest = {"seconds": 0.0, "doing": ""}
    steps = []

    def timed(self, context, event):
        begun = time.perf_counter()
        doing = self.job.text
        try:
            return work(self, context, event)
        finally:
            seconds = time.perf_counter() - begun
            steps.append(seconds)
            if seconds > 0.15:
                print(f"a step of {seconds:.2f} s after: {doing}", flush=True)
            if seconds > longest["seconds"]:
                longest.update(seconds=seconds, doing=doing)

    module.ARTFISH_OT_bake.modal = timed
    bpy.context.scene.frame_end = 480
    open_only("ARTFISH_PT_bake")
    yield from open_tab("Artfish")
    with inside():
        bpy.ops.artfish.add_shoal(species="clownfish", count=3)
    yield from capture("new_file")
    before = names()

    yield from click_operator("artfish.bake")
    yield from wait_until(lambda: running(BAKE), what="the bake to begin")
    yield from wait_until(lambda: module.at_work() and module.at_work()[0].job.share > 0.03, 60, "some progress")
    result("progress_seen", running(BAKE))
    yield from capture("baking")
    yield from press("Escape")
    yield from wait_until(lambda: not running(BAKE), what="the bake to end")
    result("changed_when_given_up", sorted(set(before) ^ set(names())))
    result("ticks_when_given_up", (yield from ticks()))

    def whole(words):
        """A whole bake, so short that it may be over before anybody looks."""
        steps.clear()
        place = yield from click_operator("artfish.bake")
        yield 5.0 if not steps else 0.0
        if not steps:  # a window that is far behind may take the click for another's
            log(f"clicked once more; Bake can be clicked: {bpy.ops.artfish.bake.poll()}")
            yield from click(*place)
        yield from wait_until(lambda: bool(steps), what="the bake to begin")
        result(words, (yield from done()))

    yield from enter("frame_end", "12")
    result("frames", bpy.context.scene.frame_end)
    yield from whole("seconds")
    yield from capture("baked")
    result("collections", collections())
    result("fishes", fishes())
    result("animated", sum(obj.animation_data is not None for obj in bpy.data.objects))
    keys = [obj.shape_keys for obj in bpy.data.curves if obj.shape_keys]  # of the compact form
    result("curves", sum(key.animation_data is not None for key in keys))
    result("ticks_when_baked", (yield from ticks()))
    with inside():
        bpy.ops.wm.save_as_mainfile(filepath=str(OUT / "baked.blend"))

    bpy.context.scene.collection.children["Artfish"].name = "My fishes"
    yield from enter("artfish.seed", "5")
    yield from whole("seconds_again")
    yield from capture("baked_again")
    result("collections_again", collections())
    result("fishes_again", fishes())

    yield from click_operator("artfish.revert_bake")
    yield from capture("reverted")
    result("fishes_reverted", fishes())
    yield from click_operator("artfish.revert_bake")
    result("fishes_reverted_twice", fishes())
    yield from capture("reverted_twice")
    yield from move(*centre(region("WINDOW")))
    yield from press("ctrl+z")
    yield from wait_redraw()
    result("fishes_undone", fishes())
    for _ in range(4):  # the other revert, the other bake, the seed, the first bake
        yield from press("ctrl+z")
    yield from wait_redraw()
    result("fishes_undone_wholly", fishes())
    result("collections_undone", collections())

    with inside():
        bpy.ops.wm.open_mainfile(filepath=str(OUT / "baked.blend"))
    yield from wait_redraw(1.0)
    yield from open_tab("Artfish")
    yield from click_operator("artfish.revert_bake")
    result("fishes_reverted_after_open", fishes())
    bpy.context.scene.artfish.bake.form = "cache"
    yield from wait_redraw()
    with inside():
        result("caches", [bpy.app.build_options.usd, bpy.ops.artfish.bake.poll()])
    yield from capture("cache")
    result("longest", longest)
    result("ticks_in_the_end", (yield from ticks()))
