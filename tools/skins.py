"""Make docs/skins.jpg, every species close up and from afar: python tools/skins.py.

A fish of each swims alone in open water. Three cameras see its flank: its head, its dorsal fin, and all of it from five
lengths away. Takes half a minute a species.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

import numpy as np
from mathutils import Vector

from artfish.blender_artfish.bake.writer import bake
from artfish.blender_artfish.dataset.pictures import read_pixels, write_jpeg
from artfish.blender_artfish.fish.surfaces import refine
from artfish.blender_artfish.identity import provenance
from artfish.blender_artfish.stage.render import open_to_render, render_picture
from artfish.blender_artfish.stage.view import SENSOR_MM
from artfish.core import Scene, World
from artfish.core.body.anatomy import body_frame
from artfish.core.body.spine import NODES_TO_MIDDLES
from artfish.core.recording import Recording
from artfish.core.scene.species import Species

PATH = Path(__file__).resolve().parent.parent / "docs" / "skins.jpg"
COLUMNS, CELL_HIGH, SAMPLES, QUALITY = 3, 196, 96, 88
SHOTS = ((0.12, 0.34, 0.6, 176), (0.42, 0.34, 0.6, 176), (0.5, 1.2, 5.0, 176))
"""Of each picture: its middle's place along the fish, its width and the camera's distance in lengths, and its pixels."""
LARGEST = 300_000
"""Most bytes of the picture."""


def main() -> int:
    """Makes the picture; returns 1 if it is too large."""
    names = [name for name in Species.names() if name != "thesis"]
    cells = []
    for name in names:
        cells.append(cell(name))
        print(name, flush=True)
    blank = np.zeros_like(cells[0])
    cells += [blank] * (-len(cells) % COLUMNS)
    rows = [np.concatenate(cells[begin : begin + COLUMNS], axis=1) for begin in range(0, len(cells), COLUMNS)]
    write_jpeg(PATH, np.concatenate(rows), QUALITY)
    print(f"{PATH.name}: {PATH.stat().st_size} bytes of {LARGEST}")
    return int(PATH.stat().st_size > LARGEST)


def cell(name: str) -> np.ndarray:
    """The pictures of a species side by side, (rows, columns, 3), 0 to 1."""
    length = Species.load(name).length
    fish = {"species": name, "at": [20.0, 20.0, 16.0], "heading": [1, 0, 0], "mind": {"hunger": 0.0}}
    water = {"tank": {"size": [40, 40, 20]}, "stage": {"scenery": "open", "snow": 0}, "light": {"brightness": 0.9}}
    camera = {"at": [20.0, 20.0 - 5.0 * length, 16.0], "look_at": [20.0, 20.0, 16.0], "lens": 50}
    recording = World(Scene.from_dict({**water, "fishes": [fish], "camera": camera}), seed=1).simulate(frames=36)
    with tempfile.TemporaryDirectory() as place:
        blend = Path(place, "fish.blend")
        bake(recording, blend)
        return np.concatenate([shot(recording, blend, *one) for one in SHOTS], axis=1)


def shot(recording: Recording, blend: Path, along: float, wide: float, away: float, pixels: int) -> np.ndarray:
    """A picture of the fish's left flank in the last frame, (rows, columns, 3)."""
    scene = open_to_render(blend, SAMPLES, (pixels, CELL_HIGH))
    for root in scene.objects:
        if provenance.row_of(root) != provenance.NO_ROW:
            refine(root, 1.0 / wide)
    nodes, length = recording.nodes[-2, 0].astype(float), float(recording.body_length[0])
    axes = body_frame(nodes)[1]
    line = NODES_TO_MIDDLES @ nodes
    stations = np.append(0.0, np.cumsum(np.linalg.norm(np.diff(line, axis=0), axis=1)))
    target = np.array([np.interp(along * stations[-1], stations, line[:, axis]) for axis in range(3)])
    if 0.3 < along < 0.5 and wide < 1.0:
        target += 0.12 * length * axes[:, 2]
    camera = scene.camera
    camera.animation_data_clear()
    camera.data.animation_data_clear()
    camera.constraints.clear()
    at = target + away * length * (axes[:, 1] + 0.05 * axes[:, 2])
    camera.location = at
    camera.rotation_euler = Vector(target - at).to_track_quat("-Z", "Y").to_euler()
    camera.data.sensor_fit, camera.data.sensor_width = "HORIZONTAL", SENSOR_MM
    camera.data.lens, camera.data.dof.use_dof = SENSOR_MM * away / wide, False
    camera.data.clip_start = 0.01
    with tempfile.TemporaryDirectory() as place:
        picture = Path(place, "shot.png")
        render_picture(scene, scene.frame_end - 1, picture)
        return read_pixels(picture)


if __name__ == "__main__":
    sys.exit(main())
