"""The panel Learning with a real mouse: a species practises while its chart grows, and its shoal swims so."""

import sys

import bpy
from driver import (
    capture_panel,
    click_operator,
    inside,
    open_only,
    open_tab,
    press,
    result,
    running,
    wait_redraw,
    wait_until,
)

LEARN = "ARTFISH_OT_learn"
STEPS = 400  # as many as take longer than to draw the panel
LONG = 400  # seconds that a slow machine may take to what a quick one does in ten


def noted():
    """The notes of the practice at work, or of the last one."""
    found = next(
        found for full, found in sys.modules.items() if full.endswith("artfish.blender_artfish.learning.course")
    )
    return found.course()


def main():
    """Gives up a practice by Esc, has a sardine practise to the end, and undoes that."""
    scene = bpy.context.scene
    with inside():
        bpy.ops.artfish.add_shoal(species="sardine", count=6)
        bpy.ops.ed.undo_push(message="A shoal")
    shoal = bpy.context.view_layer.objects.active.name
    open_only("ARTFISH_PT_learning")
    yield from open_tab("Artfish")
    scene.artfish_learning.steps = 2000
    yield from click_operator("artfish.learn")
    yield from wait_until(lambda: running(LEARN), LONG)
    yield from wait_until(lambda: noted().drills and len(noted().drills[0]) > 3, LONG)
    yield from press("Escape")
    yield from wait_until(lambda: not running(LEARN), LONG)
    result("given_up", [len(noted().drills[0]) < 2000, bpy.data.objects[shoal].artfish.shoal.controller])
    scene.artfish_learning.steps = STEPS
    yield from wait_redraw()
    yield from click_operator("artfish.learn")
    yield from wait_until(lambda: running(LEARN) and noted().drills and len(noted().drills[0]) > 40, LONG)
    yield from capture_panel("learning", "ARTFISH_PT_learning")
    result("running", running(LEARN))
    yield from wait_until(lambda: not running(LEARN), LONG)
    result("steps", [len(drill) for drill in noted().drills])
    result("learned", bool(bpy.data.objects[shoal].artfish.shoal.controller))
    yield from wait_redraw()
    yield from press("ctrl+z")
    yield from wait_redraw()
    result("undone", bpy.data.objects[shoal].artfish.shoal.controller)
