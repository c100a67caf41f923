"""The chart of learning as a picture: the fall of each drill's objective with practice, best and latest."""

from __future__ import annotations

import numpy as np

from ..blender.painting import AXIS_GREY, GRID_GREY, PLOT_COLOUR, curve, dot_pixels, ground, kept, text_width, write
from .course import BEST_COLOUR, DRILL_TITLES, LATEST_COLOUR, PracticeProgress

LOW, HIGH = 0.1, 10.0
"""Range of the objective, in powers of ten: an idle fish has 4 or less."""


def painted(of: PracticeProgress, side: int) -> tuple[np.ndarray, bool]:
    """The chart as a square of so many pixels, and whether it differs from the last one painted."""
    key = (side, of.shoal, of.steps, *map(len, of.drills))
    return kept("learning", key, lambda: paint(of, side, side))


def paint(of: PracticeProgress, width: int, height: int) -> np.ndarray:
    """The chart of a practice: its drills side by side.

    Args:
        of: The course so far.
        width: Width in pixels.
        height: Height in pixels.

    Returns:
        Pixels from the bottom up, 0 to 1, (height, width, 4) float32.
    """
    scale = dot_pixels(width, height)
    left, right = 3 * scale + text_width("0.1", scale) + 2 * scale, width - 3 * scale
    low, high = 11 * scale, height - 4 * scale
    pixels = ground(width, height)
    pixels[low - 1 : high + 2, left:right, :3] = PLOT_COLOUR
    for value in (0.1, 0.3, 1.0, 3.0, 10.0):
        row = round(float(_row(value, low, high)))
        pixels[row, left:right, :3] = AXIS_GREY if value in (LOW, HIGH) else GRID_GREY
        if value in (0.1, 1.0, 10.0):
            text = f"{value:g}"
            bottom = min(max(row - 2 * scale, 0), height - 5 * scale)
            write(pixels, text, left - 2 * scale - text_width(text, scale), bottom, scale)
    drills = len(DRILL_TITLES)
    for drill in range(drills):
        begin, end = (left + share * (right - left) // drills for share in (drill, drill + 1))
        pixels[low:high, begin, :3] = AXIS_GREY
        text = str(of.steps)
        write(pixels, text, end - text_width(text, scale) - scale, 3 * scale, scale)
        if drill >= len(of.drills) or not of.drills[drill]:
            continue
        step, best, latest = np.array(of.drills[drill]).T
        across = begin + step / max(of.steps, 1) * (end - begin - 1)
        for values, colour in ((latest, LATEST_COLOUR), (best, BEST_COLOUR)):
            curve(pixels, (begin, end), across, _row(values, low, high), colour, scale)
    return pixels


def _row(values: float | np.ndarray, low: int, high: int) -> np.ndarray:
    """Rows of values, clamped to the chart."""
    power = np.log10(np.clip(values, LOW, HIGH) / LOW) / np.log10(HIGH / LOW)
    return np.asarray(low + power * (high - low))
