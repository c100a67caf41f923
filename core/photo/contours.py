"""The contours of a grid: what holds them together, and what in a picture draws them (Tu 1999, app. A)."""

from __future__ import annotations

import numpy as np
from scipy.ndimage import gaussian_filter

from .view import ReducedPhotograph


def border(rows: int, columns: int, part: str) -> list[np.ndarray]:
    """The contours that edges in the picture draw: of the body back, belly and tail's root, of a fin all but its root.

    The body's nose is a point, where back and belly meet.
    """
    number = np.arange(rows * columns).reshape(rows, columns)
    if part == "body":
        return [number[0], number[-1]]
    if part == "caudal":
        return [number[0], number[-1], number[:, -1]]
    return [number[-1]]


def differences(rows: int, columns: int) -> tuple[np.ndarray, np.ndarray]:
    """First and second differences along all contours, as matrices (differences, nodes)."""
    number = np.arange(rows * columns).reshape(rows, columns)
    unit = np.eye(rows * columns)
    first, second = [], []
    for lines in (number, number.T):
        first.append(unit[lines[:, 1:].ravel()] - unit[lines[:, :-1].ravel()])
        ends = (lines[:, :-2].ravel(), lines[:, 1:-1].ravel(), lines[:, 2:].ravel())
        second.append(unit[ends[0]] - 2.0 * unit[ends[1]] + unit[ends[2]])
    return np.concatenate(first), np.concatenate(second)


def edge_force(view: ReducedPhotograph, blur: float) -> np.ndarray:
    """The force (2, h, w) towards edges, x and y: the gradient of P = G_sigma * |grad I|, at most about 1.

    Where it is known which edges may be the outline, only those draw, not those of markings.
    """
    strength = _slope(gaussian_filter(view.colour, (0.7, 0.7, 0.0)))
    # An edge that is strong compared with its surroundings draws, in shade as in light.
    strength = strength / (gaussian_filter(strength, 25.0) + 0.25 * strength.max() + 1e-9)
    if view.frontier is not None:
        strength = strength * view.frontier
    down, right = np.gradient(gaussian_filter(strength, blur))
    return np.stack([right, down]) / (np.percentile(np.hypot(right, down), 99.0) + 1e-9)


def _slope(picture: np.ndarray) -> np.ndarray:
    """The change of a picture (h, w, c) from pixel to pixel, (h, w)."""
    steps = [np.gradient(band) for band in np.moveaxis(picture, 2, 0)]
    return np.sqrt(sum(down**2 + right**2 for down, right in steps))
