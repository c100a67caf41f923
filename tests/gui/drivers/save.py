"""Save Scene File where an obstacle is sampled through the film: a little at a time, by the File Browser, too."""

import json

import bpy
from driver import OUT, inside, press, result, running, wait_until

SAVE = "ARTFISH_OT_save_scene"


def browsers():
    """Windows with a File Browser, and its areas."""
    windows = bpy.context.window_manager.windows
    return [(window, area) for window in windows for area in window.screen.areas if area.type == "FILE_BROWSER"]


def main():
    """Gives up the saving of a scene file by Esc, then saves one through the File Browser."""
    scene, path = bpy.context.scene, OUT / "mine.json"
    guide = bpy.data.objects.new("Guide", None)
    scene.collection.objects.link(guide)
    for frame, x in ((1, -1.0), (60, -0.5)):
        guide.location = (x, 4.0, 0.5)
        guide.keyframe_insert("location", frame=frame)
    with inside():
        bpy.ops.artfish.add_shoal(species="clownfish", count=1)
        bpy.ops.mesh.primitive_cube_add(size=0.3)
        bpy.context.object.constraints.new("COPY_LOCATION").target = guide
        bpy.ops.artfish.mark(kind="OBSTACLE")
    scene.frame_set(25)
    scene.frame_end = 8000
    with inside():
        bpy.ops.artfish.save_scene("INVOKE_DEFAULT", filepath=str(path), chosen=True)
    yield 0.4
    result("at_work", [running(SAVE), path.exists()])
    yield from press("Escape")
    yield from wait_until(lambda: not running(SAVE), what="it to be given up")
    result("given_up", [path.exists(), scene.frame_current])

    scene.frame_end = 60
    with inside():
        bpy.ops.artfish.save_scene("INVOKE_DEFAULT", filepath=str(path))
    yield from wait_until(lambda: bool(browsers()), what="the File Browser")
    yield 1.5  # until Blender has drawn it: it knows no file before
    ((window, area),) = browsers()
    here = next(region for region in area.regions if region.type == "WINDOW")
    with bpy.context.temp_override(window=window, area=area, region=here):
        bpy.ops.file.execute("INVOKE_DEFAULT")
    yield from wait_until(path.exists, what="the file")
    yield from wait_until(lambda: not running(SAVE), what="the end of it")
    result("saved", [running(SAVE), len(browsers()), scene.frame_current])
    result("motion", len(json.loads(path.read_text())["obstacles"][0].get("motion", ())))
