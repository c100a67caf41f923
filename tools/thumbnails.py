"""The pictures of the preset scenes for the gallery: python tools/thumbnails.py [NAME ...].

Each preset is simulated for some seconds, baked with its stage, and rendered at the frame that shows most, into
presets/scenes/NAME.png: few colours, so that all of them together stay small. Takes about a minute a preset.
"""

from __future__ import annotations

import argparse
import struct
import sys
import tempfile
import zlib
from dataclasses import replace
from pathlib import Path

import bpy
import numpy as np

from artfish.blender_artfish.bake import bake
from artfish.blender_artfish.stage.render import render
from artfish.core import Scene, World

FOLDER = Path(__file__).resolve().parent.parent / "presets" / "scenes"
SIZE = 192, 144
SECONDS = 8.0
SAMPLES = 96
COLOURS = 128
ROUNDS = 12
"""In which the colours of a picture are found."""
SHOWN = {"diver": 170}
"""Frames at which scenes are seen through their own cameras, for who passes there."""
CROWD, HEROES = 500, 60
"""Fishes from which on a scene is shown as a crowd, by its own camera, and how many of them have surfaces."""
LARGEST_TOGETHER = 300_000
"""Bytes of all pictures."""


def main() -> int:
    """Makes the pictures that are named, or all; 1 where they are too large together."""
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
        scene = replace(scene, camera=None)  # what counts in small is fishes, near by
    recording = World(scene, seed=1).simulate(frames=min(scene.frames, round(SECONDS * scene.fps)))
    with tempfile.TemporaryDirectory() as place:
        blend, picture = Path(place, "film.blend"), Path(place, "still.png")
        bake(recording, blend, form="crowd" if crowd else "points", heroes=HEROES if crowd else 0)
        if frame is None:
            render(blend, place, still=picture, samples=SAMPLES, size=SIZE)
        else:
            (picture,) = render(blend, place, frames=(frame, frame), samples=SAMPLES, size=SIZE)
        image = bpy.data.images.load(str(picture))
        pixels = np.empty((SIZE[1], SIZE[0], 4), dtype=np.float32)
        image.pixels.foreach_get(pixels.ravel())  # type: ignore[attr-defined]
        write(FOLDER / f"{name}.png", pixels[::-1, :, :3])


def write(path: Path, pixels: np.ndarray) -> None:
    """Write a picture (rows, columns, 3), 0 to 1, as a PNG of few colours."""
    palette, which = few_colours(pixels.reshape(-1, 3).astype(float))
    rows = which.astype(np.uint8).reshape(pixels.shape[:2])
    lines = np.concatenate([np.zeros((len(rows), 1), dtype=np.uint8), rows], axis=1)  # no filter before each line
    header = struct.pack(">IIBBBBB", rows.shape[1], rows.shape[0], 8, 3, 0, 0, 0)
    colours = np.rint(255 * palette.clip(0, 1)).astype(np.uint8)
    image = zlib.compress(lines.tobytes(), 9)
    chunks = (b"IHDR", header), (b"PLTE", colours.tobytes()), (b"IDAT", image), (b"IEND", b"")
    body = b"".join(
        struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data)) for kind, data in chunks
    )
    path.write_bytes(b"\x89PNG\r\n\x1a\n" + body)


def few_colours(pixels: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """A palette (colours, 3) for pixels (n, 3), and the colour of each (n,): k-means, begun along brightness."""
    order = np.argsort(pixels.sum(axis=1), kind="stable")
    palette = pixels[order[np.linspace(0, len(pixels) - 1, COLOURS).astype(int)]]
    for _ in range(ROUNDS):
        which = nearest(pixels, palette)
        many = np.bincount(which, minlength=COLOURS)
        sums = np.stack([np.bincount(which, pixels[:, axis], COLOURS) for axis in range(3)], axis=1)
        palette = np.where(many[:, None] > 0, sums / np.maximum(many, 1)[:, None], palette)
        far = np.argsort(-((pixels - palette[which]) ** 2).sum(axis=1))
        idle = np.flatnonzero(many == 0)
        palette[idle] = pixels[far[: len(idle)]]
    return palette, nearest(pixels, palette)


def nearest(pixels: np.ndarray, palette: np.ndarray) -> np.ndarray:
    """The nearest colour of a palette to each pixel, (n,)."""
    return np.argmin((palette**2).sum(axis=1) - 2.0 * pixels @ palette.T, axis=1)


if __name__ == "__main__":
    sys.exit(main())
