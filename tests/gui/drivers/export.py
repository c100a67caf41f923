"""The Export panel with a real mouse: a baked fish goes into a file, is given up by Esc, and goes into another."""

import json
import struct

import bpy
from driver import (
    OUT,
    capture,
    capture_panel,
    click,
    click_operator,
    enter,
    find_button,
    inside,
    open_only,
    open_tab,
    press,
    result,
    running,
    ticks,
    wait_redraw,
    wait_until,
)

EXPORT = "ARTFISH_OT_export"
LONG = 240  # seconds that a slow machine may take to what a quick one does in ten


def names() -> list[str]:
    """Everything in the file."""
    kinds = [kind.identifier for kind in bpy.data.bl_rna.properties if kind.type == "COLLECTION"]
    kinds = [kind for kind in kinds if kind not in ("brushes", "screens", "workspaces", "window_managers")]
    return sorted(f"{kind}/{each.name}" for kind in kinds for each in getattr(bpy.data, kind))


def wears() -> list[list[str]]:
    """The materials of each fish, slot by slot."""
    return [[slot.material.name for slot in obj.material_slots] for obj in bpy.context.scene.objects]


def content(path) -> dict:
    """The JSON chunk of a .glb."""
    data = path.read_bytes()
    length = struct.unpack("<I", data[12:16])[0]
    return json.loads(data[20 : 20 + length])


def main():
    """Gives up an export by Esc, then exports baked fishes with their pictures and without."""
    module = next(m for name, m in __import__("sys").modules.items() if name.endswith("blender_artfish.blender.jobs"))
    scene = bpy.context.scene
    scene.frame_end = 12
    with inside():
        bpy.ops.artfish.add_shoal(species="clownfish", count=2)
        scene.artfish.bake.form = "mesh"
        bpy.ops.artfish.bake()
    scene.frame_set(5)
    with inside():
        bpy.ops.wm.save_as_mainfile(filepath=str(OUT / "reef.blend"))
    open_only("ARTFISH_PT_export")
    yield from open_tab("Artfish")
    yield from wait_redraw()
    yield from capture("before")
    yield from capture_panel("panel", "ARTFISH_PT_export")
    before, worn = names(), wears()

    yield from click_operator("artfish.export")
    yield from wait_until(lambda: running(EXPORT), what="the export to begin")
    yield from wait_until(lambda: module.at_work() and module.at_work()[0].job.share > 0.02, LONG, "some progress")
    yield from wait_redraw()
    yield from capture("exporting")
    result("progress_seen", running(EXPORT))
    yield from press("Escape")
    yield from wait_until(lambda: not running(EXPORT), LONG, "the export to end")
    result("changed_when_given_up", sorted(set(before) ^ set(names())))
    result("worn_when_given_up", wears() == worn)
    result("files_when_given_up", sorted(path.name for path in OUT.glob("fishes*")))
    result("ticks_when_given_up", (yield from ticks()))

    yield from click_operator("artfish.export")
    yield from wait_until(lambda: (OUT / "fishes.glb").exists() and not running(EXPORT), LONG, "a file")
    yield from capture("exported")
    said = content(OUT / "fishes.glb")
    result("skins", len(said["skins"]))
    result("pictures", len(said["images"]) > 0)
    result("changed_when_exported", sorted(set(before) ^ set(names())))
    result("worn_when_exported", wears() == worn)
    result("frame", scene.frame_current)

    yield from click(*(yield from find_button("export.textures")))
    yield from enter("export.file", "//plain")
    yield from click_operator("artfish.export")
    yield from wait_until(lambda: (OUT / "plain.glb").exists() and not running(EXPORT), LONG, "a file")
    result("plain_pictures", "images" in content(OUT / "plain.glb"))
    result("smaller", (OUT / "plain.glb").stat().st_size < (OUT / "fishes.glb").stat().st_size)
    scene.artfish.export.format = ".fbx"
    bpy.ops.object.select_all(action="DESELECT")
    scene.artfish.export.who = "selected"
    yield from wait_redraw()
    yield from capture("obstacle")
    result("ticks_in_the_end", (yield from ticks()))
