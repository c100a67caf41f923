"""A bake of the form Cache with a real mouse: baked beside a saved file, played, undone, saved and opened elsewhere."""

import shutil

import bpy
import numpy as np
from driver import (
    OUT,
    capture,
    capture_panel,
    centre,
    click_operator,
    inside,
    move,
    open_only,
    open_tab,
    play,
    press,
    region,
    result,
    running,
    ticks,
    wait_redraw,
    wait_until,
)

BAKE = "ARTFISH_OT_bake"


def swimmers() -> list[bpy.types.Object]:
    """The baked fishes."""
    return sorted((obj for obj in bpy.context.scene.objects if "artfish_row" in obj), key=lambda obj: obj.name)


def places(frame: int) -> np.ndarray:
    """Vertices of the fishes at a frame, as the view has them, (vertex, 3) in metres."""
    bpy.context.scene.frame_set(frame)
    graph = bpy.context.evaluated_depsgraph_get()
    found = []
    for obj in swimmers():
        shown = obj.evaluated_get(graph)
        local = np.empty(3 * len(shown.data.vertices), np.float32)
        shown.data.vertices.foreach_get("co", local)
        world = np.array(shown.matrix_world)
        found.append(local.reshape(-1, 3) @ world[:3, :3].T + world[:3, 3])
    return np.concatenate(found)


def files(folder) -> list[str]:
    """Names of the cache's files beside a .blend."""
    return sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*.usd*"))


def main():
    """Bakes a school into a file beside the .blend and looks at it in the view, again once both were moved."""
    scene = bpy.context.scene
    scene.frame_end = 48
    with inside():
        bpy.ops.artfish.add_shoal(species="sardine", count=6)
        scene.artfish.bake.form = "cache"
    open_only("ARTFISH_PT_bake")
    yield from open_tab("Artfish")
    yield from wait_redraw()
    yield from capture_panel("unsaved", "ARTFISH_PT_bake")

    first = OUT / "first"
    first.mkdir()
    with inside():
        bpy.ops.wm.save_as_mainfile(filepath=str(first / "school.blend"))
    yield from wait_redraw()
    yield from click_operator("artfish.bake")
    yield from wait_until(lambda: bool(swimmers()) and not running(BAKE), 170, "the bake to end")
    yield from wait_redraw()
    result("fishes", len(swimmers()))
    result("files", files(first))
    begin, end = places(1), places(40)
    result("moved", float(np.linalg.norm(end - begin, axis=1).min()))
    shown = []
    for frame in (1, 20, 40):
        scene.frame_set(frame)
        yield from wait_redraw()
        shown.append((yield from capture(f"frame_{frame:02}")))
    result("frames_a_second", (yield from play(3.0)))

    yield from move(*centre(region("WINDOW")))
    yield from press("ctrl+z")
    yield from wait_redraw()
    result("fishes_undone", len(swimmers()))
    yield from press("ctrl+shift+z")
    yield from wait_redraw()
    result("fishes_redone", len(swimmers()))
    result("off_when_redone", float(np.abs(places(40) - end).max()))
    with inside():
        bpy.ops.wm.save_mainfile()

    second = OUT / "second"
    shutil.move(first, second)
    with inside():
        bpy.ops.wm.open_mainfile(filepath=str(second / "school.blend"))
    yield from wait_redraw(1.0)
    result("off_when_moved", float(np.abs(places(40) - end).max()))
    yield from capture("moved")
    result("ticks", (yield from ticks()))
