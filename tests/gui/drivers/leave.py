"""A new file, another file and no add-on at all, each while it bakes: what is left behind?"""

import bpy
from driver import OUT, click_operator, inside, open_only, open_tab, registered, result, running, ticks, wait_until

MODULE = "bl_ext.user_default.artfish"
BAKE = "ARTFISH_OT_bake"


def bake():
    """Begin to bake."""
    yield from open_tab("Artfish")
    yield from click_operator("artfish.bake")
    yield from wait_until(lambda: running(BAKE), what="the bake to begin")
    yield 0.5
    assert running(BAKE), "the bake was done too soon"


def main():
    """What the test of the same name asks about."""
    open_only("ARTFISH_PT_bake")
    enabled = registered()
    path = str(OUT / "saved.blend")
    with inside():
        bpy.ops.wm.save_as_mainfile(filepath=path)

    yield from bake()
    with inside():
        bpy.ops.wm.read_homefile()
    yield 0.5
    result("new", {"running": running(BAKE), "ticks": (yield from ticks()), "same": registered() == enabled})

    yield from bake()
    with inside():
        bpy.ops.wm.open_mainfile(filepath=path)
    yield 0.5
    result("open", {"running": running(BAKE), "ticks": (yield from ticks()), "same": registered() == enabled})

    bpy.ops.preferences.addon_disable(module=MODULE)
    disabled = registered()
    result("left", [name for name in disabled["names"] if "gui" not in name])
    bpy.ops.preferences.addon_enable(module=MODULE)
    result("came_back", registered() == enabled)

    yield from bake()
    bpy.ops.preferences.addon_disable(module=MODULE)
    yield 0.5
    result("disabled", {"running": running(BAKE), "ticks": (yield from ticks()), "same": registered() == disabled})
    bpy.ops.preferences.addon_enable(module=MODULE)

    yield from bake()
    result("bakes_again", running(BAKE))
