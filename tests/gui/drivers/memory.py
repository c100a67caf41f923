"""The overlays of memory and way over a fish that finds its way: photographs."""

import bpy
import numpy as np
from driver import area, capture_region, inside, module, result, wait_redraw
from mathutils import Euler, Vector

FRAMES = 240
PILLARS = [(1.6 + 0.8 * i, 0.7 + 0.65 * j) for i in range(5) for j in range(5)]
SCENE = {
    "name": "remembers",
    "fps": 24,
    "duration": 10.0,
    "tank": {"size": [6.0, 4.0, 1.5]},
    "obstacles": [
        *({"kind": "cylinder", "at": [x, y, 0.0], "radius": 0.12, "height": 1.5} for x, y in PILLARS),
        {
            "kind": "cylinder",
            "at": [5.6, 0.4, 0.0],
            "radius": 0.15,
            "height": 1.2,
            "motion": [{"time": 2.0, "at": [0.8, 0.4, 0.0]}, {"time": 6.0, "at": [5.6, 0.4, 0.0]}],
        },
    ],
    "fishes": [
        {
            "species": "clownfish",
            "at": [0.7, 2.0, 0.7],
            "heading": [1, 0, 0],
            "visual_memory": {"model": "basic"},
        },
        {"species": "sardine", "count": 4, "at": [3.0, 1.0, 0.8], "spread": 0.4},
    ],
}


def main():
    """Bakes a fish that finds its way, and photographs its memory at three frames."""
    for obj in list(bpy.data.objects):
        bpy.data.objects.remove(obj)
    core, known = module("core"), module("blender_artfish.mind.source")
    recording = core.World(core.Scene.from_dict(SCENE), seed=3).simulate(frames=FRAMES)
    module("blender_artfish.bake").bake(recording, form="compact", stage=True)
    root = next(obj for obj in bpy.data.objects if known.root_of(obj) == obj and obj.name.startswith("Clown"))
    name = root.name

    def source(context):
        return known.of_recording(context, recording, {0: bpy.data.objects[name]})

    known.offer(source)
    with inside():
        bpy.ops.object.select_all(action="DESELECT")
    bpy.context.view_layer.objects.active = root
    overlays = bpy.context.scene.artfish_overlays
    overlays.memory = overlays.way = True
    view = area().spaces.active.region_3d
    view.view_perspective = "PERSP"
    view.view_location, view.view_distance = Vector((3.0, 1.9, 0.5)), 6.5
    view.view_rotation = Euler(np.radians([52, 0, 20]).tolist()).to_quaternion()
    area().spaces.active.overlay.show_relationship_lines = False
    memories = []
    for frame in (2, 100, FRAMES):
        bpy.context.scene.frame_set(frame)
        yield from wait_redraw(0.7)
        seen = known.of_recording(bpy.context, recording, {0: root}).known
        memories.append([len(seen.boxes), len(seen.unknown), len(seen.way), len(seen.frontier)])
        yield from capture_region(f"memory-{frame}", "WINDOW")
    result("memories", memories)
    known.withdraw(source)
