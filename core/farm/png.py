"""Pictures as PNG files, in full colour or with few colours, without Blender."""

from __future__ import annotations

import struct
import zlib
from pathlib import Path

import numpy as np

PACKING = 9
"""Zlib's level where nothing is said."""
GREY, FULL_COLOUR, INDEXED = 0, 2, 3
"""PNG's types of colour."""
PALETTE_COLOURS = 128
PALETTE_ROUNDS = 12
"""Iterations that find the colours of a picture."""


def write(path: Path, pixels: np.ndarray) -> None:
    """Write a picture (rows, columns, 3), 0 to 1, in full colour."""
    path.write_bytes(png_bytes(pixels))


def png_bytes(pixels: np.ndarray, bits: int = 8, packing: int = PACKING) -> bytes:
    """The file of a picture (rows, columns, 3), 0 to 1, in full colour, from the top.

    Args:
        pixels: The picture.
        bits: Of a channel, 8 or 16.
        packing: Zlib's level, 1 to 9.
    """
    samples = bytes_of(pixels) if bits == 8 else np.rint(65535 * pixels.clip(0, 1))
    return file_of(pixels.shape[:2], FULL_COLOUR, _differences(samples, bits), bits=bits, packing=packing)


def write_small(path: Path, pixels: np.ndarray) -> None:
    """Write a picture (rows, columns, 3), 0 to 1, in few colours."""
    palette, which = few_colours(pixels.reshape(-1, 3).astype(float))
    rows = which.astype(np.uint8).reshape(pixels.shape[:2])
    lines = np.concatenate([np.zeros((len(rows), 1), dtype=np.uint8), rows], axis=1)  # no filter before each line
    path.write_bytes(file_of(pixels.shape[:2], INDEXED, lines, (b"PLTE", bytes_of(palette).tobytes())))


def bytes_of(colours: np.ndarray) -> np.ndarray:
    """Colours of 0 to 1 as 0 to 255."""
    return np.rint(255 * colours.clip(0, 1)).astype(np.uint8)


def grey_bytes(values: np.ndarray) -> bytes:
    """The file of whole numbers (rows, columns) uint16 as a grey picture of 16 bits."""
    return file_of(values.shape, GREY, _differences(values, 16), bits=16)


def _differences(samples: np.ndarray, bits: int) -> np.ndarray:
    """Lines of samples (rows, ...) as bytes, each the difference to the one above, which is PNG's filter 2."""
    rows = samples.astype(f">u{bits // 8}").reshape(len(samples), -1).view(np.uint8)
    above = np.concatenate([np.zeros_like(rows[:1]), rows[:-1]])
    return np.concatenate([np.full((len(rows), 1), 2, np.uint8), rows - above], axis=1)


def file_of(
    shape: tuple[int, ...],
    kind: int,
    lines: np.ndarray,
    *more: tuple[bytes, bytes],
    bits: int = 8,
    packing: int = PACKING,
) -> bytes:
    """A file of this colour type: its header, more chunks, and lines with their filter bytes."""
    header = struct.pack(">IIBBBBB", shape[1], shape[0], bits, kind, 0, 0, 0)
    chunks = (b"IHDR", header), *more, (b"IDAT", zlib.compress(lines.tobytes(), packing)), (b"IEND", b"")
    body = b"".join(
        struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data)) for name, data in chunks
    )
    return b"\x89PNG\r\n\x1a\n" + body


def few_colours(pixels: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """A palette (colours, 3) for pixels (n, 3), and the index of each (n,): k-means, started along brightness."""
    order = np.argsort(pixels.sum(axis=1), kind="stable")
    palette = pixels[order[np.linspace(0, len(pixels) - 1, PALETTE_COLOURS).astype(int)]]
    for _ in range(PALETTE_ROUNDS):
        which = nearest(pixels, palette)
        many = np.bincount(which, minlength=PALETTE_COLOURS)
        sums = np.stack([np.bincount(which, pixels[:, axis], PALETTE_COLOURS) for axis in range(3)], axis=1)
        palette = np.where(many[:, None] > 0, sums / np.maximum(many, 1)[:, None], palette)
        far = np.argsort(-((pixels - palette[which]) ** 2).sum(axis=1))
        idle = np.flatnonzero(many == 0)
        palette[idle] = pixels[far[: len(idle)]]
    return palette, nearest(pixels, palette)


def nearest(pixels: np.ndarray, palette: np.ndarray) -> np.ndarray:
    """The nearest colour of a palette to each pixel, (n,)."""
    return np.argmin((palette**2).sum(axis=1) - 2.0 * pixels @ palette.T, axis=1)
