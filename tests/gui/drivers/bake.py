"""The Bake panel with a real mouse: given up by Esc, then done, then undone."""

import bpy
from driver import (
    capture,
    centre,
    click_operator,
    enter,
    move,
    open_tab,
    press,
    region,
    result,
    running,
    ticks,
    wait_until,
)

BAKE = "ARTFISH_OT_bake"


def names() -> list[str]:
    """Everything in the file."""
    kinds = [kind.identifier for kind in bpy.data.bl_rna.properties if kind.type == "COLLECTION"]
    kinds = [kind for kind in kinds if kind not in ("brushes", "screens", "workspaces", "window_managers")]
    return sorted(f"{kind}/{thing.name}" for kind in kinds for thing in getattr(bpy.data, kind))


def main():
    """What the test of the same name asks about."""
    yield from open_tab("Artfish")
    yield from capture("new_file")
    before = names()

    yield from click_operator("artfish.bake")
    yield from wait_until(lambda: running(BAKE), what="the bake to begin")
    yield 1.0
    result("progress_seen", running(BAKE))
    yield from capture("baking")
    yield from press("Escape")
    yield from wait_until(lambda: not running(BAKE), what="the bake to end")
    result("changed_when_given_up", sorted(set(before) ^ set(names())))
    result("ticks_when_given_up", (yield from ticks()))

    yield from enter("artfish.frames", "12")
    result("frames", bpy.context.scene.artfish.frames)
    yield from click_operator("artfish.bake")
    yield from wait_until(lambda: running(BAKE), what="the bake to begin")
    result("seconds", (yield from wait_until(lambda: not running(BAKE), 120, "the bake to end")))
    yield from capture("baked")
    result("end", bpy.context.scene.frame_end)
    result("collections", [collection.name for collection in bpy.context.scene.collection.children])
    result("animated", sum(thing.animation_data is not None for thing in bpy.data.objects))
    result("ticks_when_baked", (yield from ticks()))

    yield from move(*centre(region("WINDOW")))
    yield from press("ctrl+z")
    yield from capture("undone")
    result("collections_when_undone", [collection.name for collection in bpy.context.scene.collection.children])
