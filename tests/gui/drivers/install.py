"""From Install from Disk to fishes that swim in light: the seconds and the clicks of somebody who begins."""

import shutil
import time
from pathlib import Path

import bpy
from driver import (
    EXTENSION,
    OUT,
    capture_region,
    click_operator,
    click_tab,
    inside,
    log,
    result,
    wait_redraw,
    wait_until,
    window,
)

FRAMES = 3
"""Frames that are seen of what moves."""
PLAIN_COLOURS = 5000
"""More than a view has whose materials are not compiled yet."""


def fishes():
    """The fishes of the scene that are seen."""
    return [obj for obj in bpy.context.scene.objects if "artfish_row" in obj and obj.visible_get()]


def taken_out():
    """Packs the extension that is here into a zip as it was installed from, and takes it out of Blender."""
    place = Path(bpy.utils.user_resource("EXTENSIONS")) / "user_default" / "artfish"
    archive = shutil.make_archive(str(OUT / "artfish"), "zip", place)
    with inside():
        bpy.ops.preferences.addon_disable(module=EXTENSION)
    shutil.rmtree(place)
    with inside():
        bpy.ops.wm.read_homefile()
    return archive


def seen_in_light():
    """The colours of the view once its materials are there, which EEVEE compiles while it draws plain ones."""
    begun, colours = time.monotonic(), 0
    while colours <= PLAIN_COLOURS and time.monotonic() - begun < 60:
        colours = yield from capture_region("seen", "WINDOW")
    log(f"in light after {time.monotonic() - begun:.1f} s")
    return colours


def main():
    """Installs the zip, and clicks the tab, Add Fishes and Quick Look."""
    archive = taken_out()
    yield from wait_redraw(1.0)
    result("before", hasattr(bpy.types, "ARTFISH_OT_bake"))
    begun = time.monotonic()
    with inside():
        bpy.ops.extensions.package_install_files(filepath=archive, repo="user_default", enable_on_install=True)
    installed = time.monotonic()
    yield from click_tab()
    yield from click_operator("artfish.add_shoal")
    yield from click_operator("artfish.quick_look")
    clicked = time.monotonic()
    yield from wait_until(lambda: len(fishes()) == 6, 60, "six fishes")
    seen = []
    note = lambda *_: seen.append([obj.matrix_world.translation.copy() for obj in fishes()])  # noqa: E731
    bpy.app.handlers.frame_change_post.append(note)
    yield from wait_until(lambda: len(seen) >= FRAMES, 60, "frames")
    bpy.app.handlers.frame_change_post.remove(note)
    until = time.monotonic()
    spent = {"install": installed - begun, "find and click": clicked - installed, "see": until - clicked}
    result("seconds", {name: round(seconds, 1) for name, seconds in spent.items()})
    log(f"{until - begun:.1f} s in all")
    ways = [(one - other).length for one, other in zip(seen[0], seen[-1], strict=True)]
    space = next(area for area in window().screen.areas if area.type == "VIEW_3D").spaces.active
    result("swam", max(ways))
    result("lit", [space.shading.type, (yield from seen_in_light())])
    yield from click_operator("artfish.quick_look")
    yield from wait_redraw(0.5)
    scene = bpy.context.scene
    result("after", [len(fishes()), scene.frame_current, window().screen.is_animation_playing, space.shading.type])
