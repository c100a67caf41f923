"""Make the preset scenes' pictures for the gallery: python tools/thumbnails.py [NAME ...].

Each preset is simulated for some seconds, baked with its stage, and rendered at its best frame, into
presets/scenes/NAME.png: few colours, so that all of them together stay small. Takes about a minute a preset.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from dataclasses import replace
from pathlib import Path

import bpy
import numpy as np

from artfish.blender_artfish.bake import bake
from artfish.blender_artfish.stage.render import render
from artfish.core import Scene, World
from artfish.core.farm.png import write_small

FOLDER = Path(__file__).resolve().parent.parent / "presets" / "scenes"
SIZE = 192, 144
SECONDS = 8.0
SAMPLES = 96
SHOWN = {"buoys": 72, "diver": 170, "generations": 780, "maze": 120, "race": 190, "wreck": 180}
"""Frames at which scenes are shown through their own cameras, for the fishes passing there."""
CROWD, HEROES = 500, 60
"""Number of fishes from which on a scene is shown as a crowd, by its own camera, and number of those with surfaces."""
LARGEST_TOGETHER = 330_000
"""Most bytes of all pictures together."""


def main() -> int:
    """Makes the named pictures, or all; returns 1 if they are too large together."""
    parser = argparse.ArgumentParser(description="The pictures of the preset scenes for the gallery.")
    parser.add_argument("names", nargs="*", metavar="NAME", help="presets; all if left out")
    for name in parser.parse_args().names or Scene.names():
        take(name)
        print(f"{name}.png: {(FOLDER / f'{name}.png').stat().st_size} bytes", flush=True)
    together = sum(path.stat().st_size for path in FOLDER.glob("*.png"))
    print(f"{together} bytes of {LARGEST_TOGETHER}")
    return int(together > LARGEST_TOGETHER)


def take(name: str) -> None:
    """Makes the picture of a preset."""
    scene = Scene.load(name)
    crowd, frame = scene.count > CROWD, SHOWN.get(name)
    if not crowd and frame is None:
        scene = replace(scene, camera=None)  # in a small picture fishes close by count
    recording = World(scene, seed=1).simulate(frames=min(scene.frames, max(round(SECONDS * scene.fps), frame or 0)))
    with tempfile.TemporaryDirectory() as place:
        blend, picture = Path(place, "film.blend"), Path(place, "still.png")
        bake(recording, blend, form="crowd" if crowd else "points", heroes=HEROES if crowd else 0)
        if frame is None:
            render(blend, place, still=picture, samples=SAMPLES, size=SIZE)
        else:
            (picture,) = render(blend, place, frames=(frame, frame), samples=SAMPLES, size=SIZE)
        keep_small(picture, FOLDER / f"{name}.png")


def keep_small(picture: Path, path: Path) -> None:
    """Writes a rendered picture with few colours."""
    image = bpy.data.images.load(str(picture))
    pixels = np.empty((image.size[1], image.size[0], 4), dtype=np.float32)
    image.pixels.foreach_get(pixels.ravel())  # type: ignore[attr-defined]
    write_small(path, pixels[::-1, :, :3])


if __name__ == "__main__":
    sys.exit(main())
