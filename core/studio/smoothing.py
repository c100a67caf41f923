"""Smoothing over all of a shot at once, and interpolation between two frames."""

from __future__ import annotations

import math

import numpy as np
from scipy.linalg import solveh_banded

from ..base.constants import constant

THIRD_DIFFERENCE = constant(np.array([-1.0, 3.0, -3.0, 1.0]))


def smoothed(values: np.ndarray, span: float) -> np.ndarray:
    """Values (k, d) without what changes faster than over so many frames, by the least third differences.

    Nothing is delayed: each value goes by those after it as by those before (Whittaker 1923). A wave of `span` frames
    keeps a half of its height.
    """
    count = len(values)
    if count < 5 or span < 2.0:
        return np.array(values, dtype=float)
    stiffness = (span / (2.0 * math.pi)) ** 6
    band = np.zeros((4, count))  # the upper diagonals of the third differences' squares
    for apart in range(4):
        band[3 - apart, apart:] = stiffness * np.convolve(
            np.ones(count - 3), THIRD_DIFFERENCE[: 4 - apart] * THIRD_DIFFERENCE[apart:]
        )
    band[3] += 1.0
    return solveh_banded(band, np.asarray(values, dtype=float))


def between(values: np.ndarray, frames: np.ndarray) -> np.ndarray:
    """Values of a recording (frames, ...) at frames (k,) that may lie between two, (k, ...)."""
    low = np.clip(np.floor(frames).astype(int), 0, len(values) - 1)
    share = np.clip(frames - low, 0.0, 1.0).reshape(-1, *(1,) * (values.ndim - 1))
    high = np.minimum(low + 1, len(values) - 1)
    return values[low] * (1.0 - share) + values[high] * share
