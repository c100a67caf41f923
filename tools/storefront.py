"""The icon and the feature picture with which a shop of extensions shows Artfish: docs/site/icon.png and feature.jpg.

    python tools/storefront.py [icon] [feature]

The icon is a clownfish, clear enough to be known at 32 pixels; the feature picture is the best frame of the preset
scene "reef". Needs bpy; the feature picture takes some minutes.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path
from typing import Any

import bpy
import numpy as np

from artfish.blender_artfish.bake import bake
from artfish.blender_artfish.dataset.pictures import read_pixels, write_jpeg
from artfish.blender_artfish.export.portrait import studio
from artfish.blender_artfish.loops.making import loop_file
from artfish.blender_artfish.stage.render import render
from artfish.core import Scene, Species, World
from artfish.core.farm.png import png_bytes

FOLDER = Path(__file__).resolve().parent.parent / "docs" / "site"
ICON, FEATURE = FOLDER / "icon.png", FOLDER / "feature.jpg"
ICON_PIXELS = 256
FEATURE_SIZE, FEATURE_SAMPLES, FEATURE_SEED = (1920, 1080), 16, 1
MOST_BYTES = 300_000
BELOW, ABOVE = (0.03, 0.20, 0.36), (0.20, 0.70, 0.78)
"""Colours of the water behind the icon's fish, as a screen has them."""
ICON_FRAME = 9
"""Frame at which its tail is to one side."""


def main() -> int:
    """Makes both pictures, or those that are named."""
    parser = argparse.ArgumentParser(description="The pictures with which a shop shows Artfish.")
    parser.add_argument("names", nargs="*", metavar="icon|feature", help="both if left out")
    names = parser.parse_args().names or ["icon", "feature"]
    for name, make in (("icon", icon), ("feature", feature)):
        if name in names:
            path = make()
            print(f"{path.name}: {path.stat().st_size} bytes")
    return 0


def icon() -> Path:
    """Makes the icon: a clownfish before water that is light above."""
    with tempfile.TemporaryDirectory() as place:
        blend = Path(place, "loop.blend")
        loop_file(Species.load("clownfish"), "swim", blend)
        bpy.ops.wm.open_mainfile(filepath=str(blend))
    fishes = list(bpy.data.objects)
    with studio(fishes, ICON_PIXELS) as shot:
        shot.portray(fishes[0], ICON_FRAME)
    colours = np.empty(4 * ICON_PIXELS**2, np.float32)
    picture: Any = fishes[0].preview
    picture.image_pixels_float.foreach_get(colours)
    fish = colours.reshape(ICON_PIXELS, ICON_PIXELS, 4)[::-1]
    share = np.linspace(1.0, 0.0, ICON_PIXELS)[:, None, None]
    water = np.array(BELOW) + (np.array(ABOVE) - BELOW) * share**1.5 + np.zeros((1, ICON_PIXELS, 1))
    ICON.write_bytes(png_bytes(fish[..., :3] * fish[..., 3:] + water * (1.0 - fish[..., 3:])))
    return ICON


def feature() -> Path:
    """Makes the feature picture, as good a JPEG as is small enough."""
    recording = World(Scene.load("reef"), seed=FEATURE_SEED).simulate(192)
    with tempfile.TemporaryDirectory() as place:
        blend, picture = Path(place, "film.blend"), Path(place, "still.png")
        bake(recording, blend)
        render(blend, place, still=picture, samples=FEATURE_SAMPLES, size=FEATURE_SIZE)
        pixels = read_pixels(picture)
    for quality in range(92, 40, -4):
        write_jpeg(FEATURE, pixels, quality)
        if FEATURE.stat().st_size < MOST_BYTES:
            break
    return FEATURE


if __name__ == "__main__":
    sys.exit(main())
