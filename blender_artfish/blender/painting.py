"""Charts as pixels: curves and small letters painted with NumPy, since panels can show only pictures.

Pictures are (height, width, 4) float32, 0 to 1, rows from the bottom up.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache

import numpy as np
from numpy.typing import ArrayLike

from . import runtime

GROUND_COLOUR, PLOT_COLOUR = (0.11, 0.11, 0.12), (0.075, 0.075, 0.085)
GRID_GREY, AXIS_GREY, LETTER_GREY, CURSOR_GREY = 0.16, 0.30, 0.62, 0.92
GLYPHS = {
    "0": "69996", "1": "26227", "2": "6924f", "3": "e161e", "4": "99f11", "5": "f8e1e", "6": "68e96", "7": "f1244",
    "8": "69696", "9": "69716", ".": "00002", "s": "07c3e", "-": "00f00",
}  # fmt: skip
"""Letters four pixels wide and five high: rows from the top, as hexadecimal digits."""


class Painted:
    """The last painted charts and their data, by the place they are shown."""

    def __init__(self) -> None:
        """Start with no charts."""
        self.charts: dict[str, tuple[tuple[int, ...], np.ndarray]] = {}


def kept(where: str, of: tuple[int, ...], paint: Callable[[], np.ndarray]) -> tuple[np.ndarray, bool]:
    """The chart shown at a place, and whether it differs from the last one shown there.

    Args:
        where: The place it is shown.
        of: The data it depends on.
        paint: Makes it; called only if the data has changed.
    """
    charts = runtime.of(Painted).charts
    before = charts.get(where)
    if before is not None and before[0] == of:
        return before[1], False
    charts[where] = of, paint()
    return charts[where][1], True


def dot_pixels(width: int, height: int) -> int:
    """Pixels per dot of a letter in a picture of this size."""
    return max(1, round(min(width, height) / 170))


def ground(width: int, height: int) -> np.ndarray:
    """An empty picture."""
    pixels = np.empty((height, width, 4), np.float32)
    pixels[...] = (*GROUND_COLOUR, 1.0)
    return pixels


def curve(
    pixels: np.ndarray,
    columns: tuple[int, int],
    across: ArrayLike,
    heights: ArrayLike,
    colour: tuple[float, float, float],
    scale: int,
) -> None:
    """A line through points, smooth at its edge.

    Args:
        pixels: The picture.
        columns: The first column it may use, and the one after the last.
        across: Columns of the points, rising, (n,).
        heights: Rows of the points, (n,).
        colour: Colour of the line.
        scale: Its width in pixels.
    """
    places, rows_of = np.asarray(across, float), np.asarray(heights, float)
    edges = np.arange(columns[0], columns[1] + 1) - 0.5
    seen = (edges[:-1] < places[-1] + 1.0) & (edges[1:] > places[0] - 1.0)
    column = np.arange(*columns)[seen]
    if not len(column):
        return
    height = np.interp(np.append(column - 0.5, column[-1] + 0.5), places, rows_of)
    low, high = np.minimum(height[:-1], height[1:]), np.maximum(height[:-1], height[1:])
    bottom, top = max(int(low.min()) - 2 * scale, 0), min(int(high.max()) + 2 * scale + 2, len(pixels))
    rows = np.arange(bottom, top, dtype=np.float32)[:, None]
    away = np.maximum(np.maximum(low.astype(np.float32) - rows, rows - high.astype(np.float32)), 0.0)
    cover = np.clip(0.5 * scale + 1.0 - away, 0.0, 1.0)[..., None]
    part = pixels[bottom:top, column[0] : column[-1] + 1, :3]
    part += cover * (np.array(colour, np.float32) - part)


def text_width(text: str, scale: int) -> int:
    """Width in pixels of letters at this scale."""
    return (5 * len(text) - 1) * scale


def write(pixels: np.ndarray, text: str, left: int, bottom: int, scale: int) -> None:
    """Write small letters starting at a pixel; what does not fit is cut off."""
    for place, letter in enumerate(text):
        dots = _dots(letter, scale)
        x = left + 5 * place * scale
        part = pixels[bottom : bottom + dots.shape[0], x : x + dots.shape[1], :3]
        part[dots[: part.shape[0], : part.shape[1]]] = LETTER_GREY


@lru_cache(64)
def _dots(letter: str, scale: int) -> np.ndarray:
    """The set pixels of a letter, rows from the bottom up, bool."""
    bits = np.array([[int(row, 16) >> (3 - x) & 1 for x in range(4)] for row in GLYPHS[letter][::-1]], bool)
    return np.kron(bits, np.ones((scale, scale), bool))
