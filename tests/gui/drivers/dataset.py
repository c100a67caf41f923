"""The Data Set panel with a real mouse: two pictures are labelled, and a longer run is given up by Esc."""

import json
from pathlib import Path

import bpy
from driver import (
    OUT,
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

PANEL, MAKES = "ARTFISH_PT_dataset", "ARTFISH_OT_make_dataset"
LONG = 240  # seconds that a slow machine may take to what a quick one does in ten


def files(folder: str) -> dict[str, int]:
    """The number of files of each kind."""
    names = "pictures", "masks", "depth", "labels"
    found = {name: len([path for path in Path(folder, name).rglob("*.*") if path.is_file()]) for name in names}
    return found | {name: int(Path(folder, name).exists()) for name in ("index.html", "coco.json", "README.md")}


def frames_listed(path: Path) -> int:
    """The number of frames that the description of a data set lists; 0 where there is none."""
    return len(json.loads(path.read_text())["films"][0]["frames"]) if path.exists() else 0


def settings() -> list:
    """All that a data set might leave otherwise."""
    scene, image = bpy.context.scene, bpy.context.scene.render.image_settings
    render = scene.render
    return [
        *(scene.camera.name, scene.frame_current, render.engine, render.filepath, image.file_format, image.color_mode),
        *(render.resolution_x, render.resolution_y, render.resolution_percentage, scene.cycles.samples),
        sorted(obj.name for obj in bpy.data.objects),
    ]


def ended() -> bool:
    """True once no data set is made."""
    return not running(MAKES)


def main():
    """Makes a data set of two pictures by a click, and gives up one of many."""
    scene = bpy.context.scene
    scene.frame_end = 24
    with inside():
        bpy.ops.artfish.add_shoal(species="clownfish", count=3)
        shoal = bpy.context.object
        scene.artfish.bake.form = "mesh"
        bpy.ops.artfish.bake()
    scene.render.engine = "CYCLES"
    scene.cycles.samples = 1
    scene.render.resolution_x, scene.render.resolution_y = 64, 36
    scene.camera.matrix_world = bpy.data.objects[shoal.name].matrix_world.Translation(shoal.location)
    scene.camera.location.y -= 1.2
    scene.camera.rotation_euler = (1.5708, 0.0, 0.0)
    scene.frame_set(5)
    with inside():
        bpy.ops.wm.save_as_mainfile(filepath=str(OUT / "reef.blend"))
    open_only(PANEL)
    yield from open_tab("Artfish")
    yield from wait_redraw()
    yield from capture_panel("before", PANEL)
    before = settings()

    yield from click_operator("artfish.make_dataset")
    yield from wait_until(
        lambda: running(MAKES) or (OUT / "dataset" / "index.html").exists(), 60, "the data set to begin"
    )
    yield from wait_until(lambda: ended() and (OUT / "dataset" / "index.html").exists(), LONG, "the data set")
    yield from wait_redraw(1.5)
    result("made", files(str(OUT / "dataset")))
    result("kept", settings() == before)
    scene.render.resolution_x, scene.render.resolution_y = 640, 360
    yield from wait_redraw()
    yield from capture_panel("panel", PANEL)
    scene.render.resolution_x, scene.render.resolution_y = 64, 36

    choice = scene.artfish_dataset
    choice.folder, choice.every = str(OUT / "more"), 1
    yield from wait_redraw()
    yield from click_operator("artfish.make_dataset")
    yield from wait_until(lambda: files(str(OUT / "more"))["labels"] >= 2, LONG, "two pictures")
    yield from press("Escape")
    yield from wait_until(ended, LONG, "the end")
    yield from wait_redraw()
    stopped = files(str(OUT / "more"))
    result("stopped", stopped)
    result("listed", frames_listed(OUT / "more" / "dataset.json"))
    result("kept_when_stopped", settings() == before)
