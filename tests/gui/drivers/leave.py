"""A new file, another file and no add-on at all, each during a bake, which leaves nothing behind."""

import bpy
from driver import (
    EXTENSION,
    OUT,
    capture,
    click_operator,
    inside,
    move,
    open_only,
    open_tab,
    press,
    registered,
    result,
    running,
    ticks,
    wait_until,
    window,
)

BAKE = "ARTFISH_OT_bake"


def bake():
    """Begins to bake."""
    yield from open_tab("Artfish")
    yield from click_operator("artfish.bake")
    yield from wait_until(lambda: running(BAKE), what="the bake to begin")
    yield 0.5
    assert running(BAKE), "the bake was done too soon"


def bar(name):
    """The number of colours in a picture of the status bar, but for the version at its right end."""
    yield from move(800, 500)
    yield 0.3
    return (yield from capture(name, (0, window().height - 24, window().width - 400, 24)))


def show(name):
    """Shows a workspace."""
    window().workspace = bpy.data.workspaces[name]
    yield 0.6


def status():
    """Shows another workspace during a bake, and photographs the status bars of both before, meanwhile and after."""
    found = {}
    for name in ("Modeling", "Layout"):
        yield from show(name)
        found[f"{name} before"] = yield from bar(f"{name}-before")
    yield from bake()
    found["Layout meanwhile"] = yield from bar("Layout-meanwhile")
    yield from show("Modeling")
    yield 1.0
    found["Modeling meanwhile"] = yield from bar("Modeling-meanwhile")
    assert running(BAKE), "the bake was done too soon"
    yield from press("Escape")
    yield from wait_until(lambda: not running(BAKE), what="the bake to be given up")
    yield 6.0  # until the report in the status bar is gone
    for name in ("Modeling", "Layout"):
        yield from show(name)
        found[f"{name} after"] = yield from bar(f"{name}-after")
    result("status", found)


def main():
    """Interrupts bakes by another workspace, a new file, an opened file and a disabled add-on."""
    open_only("ARTFISH_PT_bake")
    enabled = registered()
    path = str(OUT / "saved.blend")
    with inside():
        bpy.ops.wm.save_as_mainfile(filepath=path)

    yield from status()

    yield from bake()
    with inside():
        bpy.ops.wm.read_homefile()
    yield 0.5
    shown = yield from bar("report")
    result("new", {"running": running(BAKE), "ticks": (yield from ticks()), "same": registered() == enabled})

    yield 10.0
    result("report", [shown, (yield from bar("report-gone"))])

    yield from bake()
    with inside():
        bpy.ops.wm.open_mainfile(filepath=path)
    yield 0.5
    result("open", {"running": running(BAKE), "ticks": (yield from ticks()), "same": registered() == enabled})

    bpy.ops.preferences.addon_disable(module=EXTENSION)
    disabled = registered()
    result("left", [name for name in disabled["names"] if "gui" not in name])
    bpy.ops.preferences.addon_enable(module=EXTENSION)
    result("came_back", registered() == enabled)

    yield from bake()
    bpy.ops.preferences.addon_disable(module=EXTENSION)
    yield 0.5
    result("disabled", {"running": running(BAKE), "ticks": (yield from ticks()), "same": registered() == disabled})
    bpy.ops.preferences.addon_enable(module=EXTENSION)

    yield from bake()
    result("bakes_again", running(BAKE))
