"""A contact sheet: one still per shot, in rows, in one small picture."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

import bpy
import numpy as np

from ...core.base.files import replacing
from ..blender.pixels import loaded, pixels_of

A_ROW, WIDE, SEAM = 4, 240, 4
"""Stills in a row, width of each in pixels, and pixels between them."""


def contact_sheet(pictures: Sequence[Path], out: str | os.PathLike[str]) -> None:
    """Writes a sheet of pictures of one size, row by row, as PNG or, by the file's ending, JPEG."""
    stills = [_shrunk(picture) for picture in pictures]
    high = stills[0].shape[0]
    columns = min(A_ROW, len(stills))
    rows = -(-len(stills) // columns)
    sheet = np.zeros(
        (rows * (high + SEAM) + SEAM, columns * (WIDE + SEAM) + SEAM, 4),
        dtype=np.float32,
    )
    sheet[..., 3] = 1.0
    for number, still in enumerate(stills):
        row, column = divmod(number, columns)
        top = sheet.shape[0] - SEAM - row * (high + SEAM)  # Blender's rows go up
        left = SEAM + column * (WIDE + SEAM)
        sheet[top - high : top, left : left + WIDE] = still
    image = bpy.data.images.new("Contact sheet", sheet.shape[1], sheet.shape[0])
    try:
        image.pixels.foreach_set(sheet.ravel())
        image.file_format = "JPEG" if str(out).lower().endswith((".jpg", ".jpeg")) else "PNG"
        with replacing(out) as part:
            image.save(filepath=str(part), quality=85)
    finally:
        bpy.data.images.remove(image)


def _shrunk(picture: Path) -> np.ndarray:
    """A picture scaled to the width of a still, (h, WIDE, 4)."""
    with loaded(picture) as image:
        wide, high = image.size
        image.scale(WIDE, max(1, round(high * WIDE / wide)))
        return pixels_of(image)
