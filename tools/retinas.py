"""The picture of a reef fish's sight, after figure 6.9 of Tu 1999: python tools/retinas.py [-o FILE.png].

The left and the right eye side by side: their images, below them as identity maps, below these as range maps.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

import numpy as np

from artfish.core import Scene, World
from artfish.core.farm.png import write
from artfish.core.perception.retina import pictures, render, table

FILE = Path(__file__).resolve().parent.parent / "docs" / "retinas.png"
SCENE, FRAME, FISH = "reef", 60, 6
SIZE, FINER = 300, 3
"""Pixels across an eye in the picture, and the rendered pixels averaged into each, per side."""
GAP = 12
LARGEST = 300_000
"""Most bytes of the picture."""


def main() -> int:
    """Makes the picture; returns 1 if it is too large."""
    parser = argparse.ArgumentParser(description="What a fish of the reef sees, after figure 6.9 of Tu 1999.")
    parser.add_argument("-o", dest="file", type=Path, default=FILE, help=f"where to; {FILE.name} in docs if left out")
    file = parser.parse_args().file
    world = World(Scene.load(SCENE), seed=1)
    for _ in range(FRAME):
        world.step()
    images = render(world, FISH, "both", SIZE * FINER)
    grey = pictures.greys(images.range, float(world.shoal.length[FISH]))
    maps = (
        pictures.lit(images.colour),
        pictures.false_colours(table(world))[images.identity],
        np.repeat(grey[..., None], 3, -1),
    )
    write(file, np.concatenate([row(each) for each in maps]))
    size = file.stat().st_size
    print(f"{file}: {size} bytes of {LARGEST}")
    return int(size > LARGEST)


def row(eyes: np.ndarray) -> np.ndarray:
    """Pictures of eyes (eyes, size, size, 3) side by side, with a margin, downsampled."""
    coarse = eyes.reshape(len(eyes), SIZE, FINER, SIZE, FINER, 3).mean(axis=(2, 4))
    return np.concatenate(np.pad(coarse, ((0, 0), (GAP // 2, GAP // 2), (GAP // 2, GAP // 2), (0, 0))), axis=1)


if __name__ == "__main__":
    sys.exit(main())
