"""Fewest knots of a curve of cubics that stays within a bound of what it follows.

Between two knots the curve is the cubic with the values and the slopes that are given there (Hermite's), so whether a
stretch fits depends on its two ends alone, and the fewest knots are a shortest path from the first moment to the last
(Bellman 1957).
"""

from __future__ import annotations

import numpy as np

from ..compiled import compiled, integer, reads, writes

CURVES_A_THREAD = 50
"""Fewest curves that are worth a thread of their own."""

FEWEST_KNOTS = compiled(
    "knots",
    over="curves",
    least=CURVES_A_THREAD,
    values=reads("f8", "curves", "moments"),
    slopes=reads("f8", "curves", "moments"),
    times=reads("f8", "moments"),
    bounds=reads("f8", "curves"),
    longest=integer(),
    knotted=writes("u1", "curves", "moments"),
)


def fewest_knots(
    values: np.ndarray, slopes: np.ndarray, times: np.ndarray, bounds: np.ndarray, longest: int
) -> np.ndarray:
    """The moments at which curves need a knot, (curves, moments) bool; the first and the last are always among them.

    Args:
        values: Values at every moment, (curves, moments).
        slopes: Slopes there, per unit of time, (curves, moments).
        times: The moments, rising, (moments,).
        bounds: Largest error of each curve, (curves,), from that with a knot at every moment; it holds at moments and
            half way between them.
        longest: Most moments from one knot to the next, 1 or more.
    """
    knotted = np.zeros(values.shape, dtype=np.uint8)
    values, slopes, times, bounds = (
        np.ascontiguousarray(each, dtype=float) for each in (values, slopes, times, bounds)
    )
    FEWEST_KNOTS(values=values, slopes=slopes, times=times, bounds=bounds, longest=longest, knotted=knotted)
    return knotted.astype(bool)
