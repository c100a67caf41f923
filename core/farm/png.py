"""Pictures as PNG files, in full colour or with few colours, without Blender."""

from __future__ import annotations

import struct
import zlib
from pathlib import Path

import numpy as np

PALETTE_COLOURS = 128
PALETTE_ROUNDS = 12
"""Iterations that find the colours of a picture."""


def write(path: Path, pixels: np.ndarray) -> None:
    """Write a picture (rows, columns, 3), 0 to 1, in full colour."""
    path.write_bytes(png_bytes(pixels))


def png_bytes(pixels: np.ndarray) -> bytes:
    """The file of a picture (rows, columns, 3), 0 to 1, in full colour."""
    rows = bytes_of(pixels)
    above = np.concatenate([np.zeros_like(rows[:1]), rows[:-1]])
    lines = (rows - above).reshape(len(rows), -1)  # each line as the difference to the one above, which is filter 2
    return file_of(pixels.shape[:2], 2, np.concatenate([np.full((len(rows), 1), 2, np.uint8), lines], axis=1))


def write_small(path: Path, pixels: np.ndarray) -> None:
    """Write a picture (rows, columns, 3), 0 to 1, in few colours."""
    palette, which = few_colours(pixels.reshape(-1, 3).astype(float))
    rows = which.astype(np.uint8).reshape(pixels.shape[:2])
    lines = np.concatenate([np.zeros((len(rows), 1), dtype=np.uint8), rows], axis=1)  # no filter before each line
    path.write_bytes(file_of(pixels.shape[:2], 3, lines, (b"PLTE", bytes_of(palette).tobytes())))


def bytes_of(colours: np.ndarray) -> np.ndarray:
    """Colours of 0 to 1 as 0 to 255."""
    return np.rint(255 * colours.clip(0, 1)).astype(np.uint8)


def grey_bytes(values: np.ndarray) -> bytes:
    """The file of whole numbers (rows, columns) uint16 as a grey picture of 16 bits."""
    rows = values.astype(">u2").view(np.uint8).reshape(len(values), -1)
    above = np.concatenate([np.zeros_like(rows[:1]), rows[:-1]])
    lines = np.concatenate([np.full((len(rows), 1), 2, np.uint8), rows - above], axis=1)
    return file_of(values.shape, 0, lines, bits=16)


def file_of(shape: tuple[int, ...], kind: int, lines: np.ndarray, *more: tuple[bytes, bytes], bits: int = 8) -> bytes:
    """A file of this colour type: its header, more chunks, and lines with their filter bytes."""
    header = struct.pack(">IIBBBBB", shape[1], shape[0], bits, kind, 0, 0, 0)
    chunks = (b"IHDR", header), *more, (b"IDAT", zlib.compress(lines.tobytes(), 9)), (b"IEND", b"")
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
