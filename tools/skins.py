"""Make docs/skins.jpg, every species close up and from afar: python tools/skins.py [NAME ...].

A fish of each swims alone before a plain ground, in the light of a cloudy day. A camera sees its flank three times: its
head, its dorsal fin, and all of it from five lengths away. Takes a quarter of a minute a species.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path
from typing import Any

import bpy
import numpy as np
from mathutils import Vector

from artfish.blender_artfish.bake.writer import bake
from artfish.blender_artfish.blender.versions import use_cycles, write_picture
from artfish.blender_artfish.dataset.pictures import read_pixels, write_jpeg
from artfish.blender_artfish.fish.surfaces import refine
from artfish.blender_artfish.identity import provenance
from artfish.blender_artfish.stage.render import render_shown
from artfish.blender_artfish.stage.view import SENSOR_MM
from artfish.core import Scene, World
from artfish.core.body.anatomy import body_frame
from artfish.core.body.spine import NODES_TO_MIDDLES
from artfish.core.recording import Recording
from artfish.core.scene.species import Species

PATH = Path(__file__).resolve().parent.parent / "docs" / "skins.jpg"
NAMES = tuple(name for name in Species.names() if name != "thesis")
"""Every species but the book's fish, which is plain."""
COLUMNS, SAMPLES, QUALITY = 3, 48, 85
HEAD, FIN, WHOLE = (0.12, 0.0, 0.36, 1.5, 352, 196), (0.42, 0.12, 0.36, 1.5, 176, 98), (0.5, 0.0, 1.5, 5.0, 176, 98)
"""Of each picture: its middle along the fish and above it, its width and the camera's distance in lengths, and its size
in pixels."""
GROUND, CLOUDS, SUN = (0.1, 0.24, 0.3), 1.0, 4.0
"""Colour of the ground, and strengths of the light from all around and of the sun."""
LARGEST = 300_000
"""Most bytes of the picture."""


def main() -> int:
    """Makes the picture; returns 1 if it is too large."""
    parser = argparse.ArgumentParser(description="The picture of all species.")
    parser.add_argument("names", nargs="*", metavar="NAME", help="species; all but the book's fish if left out")
    cells = []
    for name in parser.parse_args().names or NAMES:
        cells.append(cell(name))
        print(name, flush=True)
    cells += [np.full_like(cells[0], cells[0][0, 0])] * (-len(cells) % COLUMNS)
    rows = [np.concatenate(cells[begin : begin + COLUMNS], axis=1) for begin in range(0, len(cells), COLUMNS)]
    write_jpeg(PATH, np.concatenate(rows), QUALITY)
    print(f"{PATH.name}: {PATH.stat().st_size} bytes of {LARGEST}")
    return int(PATH.stat().st_size > LARGEST)


def cell(name: str) -> np.ndarray:
    """The pictures of a species side by side, (rows, columns, 3), 0 to 1."""
    fish = {"species": name, "at": [20.0, 20.0, 16.0], "heading": [-1, 0, 0], "mind": {"hunger": 0.0}}
    recording = World(Scene.from_dict({"tank": {"size": [40, 40, 20]}, "fishes": [fish]}), seed=1).simulate(frames=24)
    with tempfile.TemporaryDirectory() as place:
        bake(recording.part(22, 24), Path(place, "fish.blend"), stage=False)
    scene: Any = bpy.context.scene
    for root in scene.objects:
        if provenance.row_of(root) != provenance.NO_ROW:
            refine(root, 1.0)
    camera = light(scene)
    scene.frame_set(scene.frame_start)
    head, fin, whole = (shot(recording, scene, camera, *one) for one in (HEAD, FIN, WHOLE))
    return np.concatenate([head, np.concatenate([fin, whole])], axis=1)


def light(scene: Any) -> bpy.types.Object:
    """Lights a scene from all around and by a sun, before a ground of one colour; its new camera."""
    use_cycles(scene)
    write_picture(scene.render)
    scene.cycles.device, scene.cycles.samples, scene.cycles.use_denoising = "CPU", SAMPLES, True
    scene.render.use_persistent_data, scene.render.resolution_percentage = True, 100
    world: Any = bpy.data.worlds.new("Ground")
    world.use_nodes = True
    ground = world.node_tree.nodes["Background"]
    ground.inputs["Color"].default_value, ground.inputs["Strength"].default_value = (*GROUND, 1.0), CLOUDS
    scene.world = world
    lamp: Any = bpy.data.lights.new("Sun", "SUN")
    lamp.energy, lamp.angle = SUN, 0.3
    sun = bpy.data.objects.new("Sun", lamp)
    sun.rotation_euler = Vector((-0.2, -0.6, -1.0)).to_track_quat("-Z", "Y").to_euler()
    lens = bpy.data.cameras.new("Camera")
    lens.sensor_fit, lens.sensor_width, lens.clip_start = "HORIZONTAL", SENSOR_MM, 0.01
    camera = bpy.data.objects.new("Camera", lens)
    for obj in (sun, camera):
        scene.collection.objects.link(obj)
    scene.camera = camera
    return camera


def shot(
    recording: Recording,
    scene: Any,
    camera: Any,
    along: float,
    above: float,
    wide: float,
    away: float,
    across: int,
    high: int,
) -> np.ndarray:
    """A picture of the fish's left flank in the frame before the last, nose to the left, (rows, columns, 3)."""
    nodes, length = recording.nodes[-2, 0].astype(float), float(recording.body_length[0])
    axes, line = body_frame(nodes)[1], NODES_TO_MIDDLES @ nodes
    stations = np.append(0.0, np.cumsum(np.linalg.norm(np.diff(line, axis=0), axis=1)))
    target = np.array([np.interp(along * stations[-1], stations, line[:, axis]) for axis in range(3)])
    target += above * length * axes[:, 2]
    at = target + away * length * axes[:, 1]
    camera.location = at
    camera.rotation_euler = Vector(target - at).to_track_quat("-Z", "Y").to_euler()
    camera.data.lens = SENSOR_MM * away / wide
    scene.render.resolution_x, scene.render.resolution_y = across, high
    with tempfile.TemporaryDirectory() as place:
        picture = Path(place, "shot.png")
        render_shown(scene, picture)
        return read_pixels(picture)


if __name__ == "__main__":
    sys.exit(main())
