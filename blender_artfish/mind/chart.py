"""The chart of a fish's mind as a picture: effort, hunger, libido and fear over time, and below them its intentions.

Painted with NumPy, since Blender's panels can show only pictures.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ...core.recording import Recording
from ..blender.painting import (
    AXIS_GREY,
    CURSOR_GREY,
    GRID_GREY,
    PLOT_COLOUR,
    curve,
    dot_pixels,
    ground,
    kept,
    text_width,
    write,
)
from .source import Observation
from .swatches import INTENTIONS, MOODS

SPAN_SECONDS = 20.0
"""Seconds shown of a longer film."""
LEAD_SHARE = 0.75
"""Position of the current frame in a section of a longer film, over the chart's width."""


@dataclass(frozen=True)
class Frame:
    """Layout of a chart, in pixels from the bottom left.

    Attributes:
        width: Width of the picture.
        height: Height of the picture.
        left: Left edge of the plot.
        right: Its right edge.
        low: Height of value 0.
        high: Height of value 1.
        band: Bottom and top of the band of intentions.
        scale: Pixels of a letter's dot.
    """

    width: int
    height: int
    left: int
    right: int
    low: int
    high: int
    band: tuple[int, int]
    scale: int

    @classmethod
    def of(cls, width: int, height: int) -> Frame:
        """The layout for a picture of this size."""
        scale = dot_pixels(width, height)
        text, gap = 5 * scale, 3 * scale
        band = text + 2 * gap, text + 2 * gap + max(6, height // 11)
        return cls(width, height, 4 * scale + 2 * gap, width - gap, band[1] + 2 * gap, height - 2 * gap, band, scale)

    def column(self, frame: float, shown: tuple[int, int]) -> float:
        """Column of a frame of the recording when the shown frames fill the plot."""
        first, last = shown
        return self.left + (frame - first) / max(last - first, 1) * (self.right - 1 - self.left)

    def row(self, value: float) -> float:
        """Row of a value, 0 to 1."""
        return self.low + value * (self.high - self.low)


def painted(where: str, observed: Observation, width: int, height: int) -> tuple[np.ndarray, bool]:
    """The chart of the active fish, from `paint`, and whether it differs from the last one shown there."""
    key = (width, height, observed.frame, observed.recording.frames, observed.fingerprint)
    return kept(where, key, lambda: paint(observed.recording, observed.row, observed.frame, width, height))


def shown(frames: int, frame: int, fps: float, span: float = SPAN_SECONDS) -> tuple[int, int]:
    """The first and the last frame of a chart: all, or a section of a longer film around the current one."""
    width = max(2, round(span * fps))
    if frames <= width:
        return 0, max(frames - 1, 1)
    first = min(max(round(frame - LEAD_SHARE * width), 0), frames - width)
    return first, first + width - 1


def paint(
    recording: Recording, fish: int, frame: int, width: int, height: int, span: float = SPAN_SECONDS
) -> np.ndarray:
    """The chart of a fish.

    Args:
        recording: The recording so far.
        fish: Its row.
        frame: The current frame, marked by a line.
        width: Width in pixels.
        height: Height in pixels.
        span: Most seconds shown.

    Returns:
        Pixels from the bottom up, 0 to 1, (height, width, 4) float32.
    """
    at = Frame.of(width, height)
    ends = shown(recording.frames, frame, recording.fps, span)
    pixels = ground(width, height)
    pixels[at.low - 1 : at.high + 2, at.left : at.right, :3] = PLOT_COLOUR
    _grid(pixels, at, ends, recording.fps)
    last = min(ends[1], recording.frames - 1)
    frames = np.arange(ends[0], last + 1)
    _band(pixels, at, ends, recording.intention[frames, fish])
    for mood, colour in MOODS.items():
        _curve(pixels, at, ends, getattr(recording, mood)[frames, fish], colour)
    column = round(at.column(frame, ends))
    half = at.scale // 2
    pixels[at.band[0] : at.high + at.scale, column - half : column + at.scale - half, :3] = CURSOR_GREY
    return pixels


def _grid(pixels: np.ndarray, at: Frame, ends: tuple[int, int], fps: float) -> None:
    """Lines at each quarter and at round seconds, with their numbers."""
    for value in (0.0, 0.25, 0.5, 0.75, 1.0):
        row = round(at.row(value))
        pixels[row, at.left : at.right, :3] = AXIS_GREY if value in (0.0, 1.0) else GRID_GREY
    for value in (0, 1):
        write(pixels, str(value), 3 * at.scale, round(at.row(value)) - 2 * at.scale, at.scale)
    seconds = (ends[1] - ends[0]) / fps
    step = next((step for step in (0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100, 200, 500) if seconds / step <= 4), 1000)
    for number in range(int(np.ceil(ends[0] / fps / step)), int(ends[1] / fps / step) + 1):
        column = round(at.column(number * step * fps, ends))
        pixels[at.low : at.high, column, :3] = np.maximum(pixels[at.low : at.high, column, :3], GRID_GREY)
        text = f"{number * step:g}s"
        wide = text_width(text, at.scale)
        write(pixels, text, min(max(column - wide // 2, 0), at.width - wide), 3 * at.scale, at.scale)


def _band(pixels: np.ndarray, at: Frame, ends: tuple[int, int], intention: np.ndarray) -> None:
    """The fish's intentions as a band of colours."""
    pixels[at.band[0] : at.band[1], at.left : at.right, :3] = PLOT_COLOUR
    column = np.arange(at.left, at.right)
    frame = np.round(np.interp(column, [at.left, at.right - 1], ends) - ends[0]).astype(int)
    there = frame < len(intention)
    colours = np.array(list(INTENTIONS.values()), np.float32)
    pixels[at.band[0] : at.band[1], column[there], :3] = colours[intention[frame[there]]]


def _curve(
    pixels: np.ndarray, at: Frame, ends: tuple[int, int], values: np.ndarray, colour: tuple[float, float, float]
) -> None:
    """A line through the values of the shown frames, smooth at its edge."""
    frames = ends[0] + np.arange(len(values))
    columns = at.column(frames, ends)  # type: ignore[arg-type]
    curve(pixels, (at.left, at.right), columns, at.row(values), colour, at.scale)  # type: ignore[arg-type]
