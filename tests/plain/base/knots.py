"""Fewest knots: the shortest path over the stretches that fit."""

from __future__ import annotations

import numpy as np

Array = np.ndarray


def _fits(value: Array, slope: Array, time: Array, bound: float) -> bool:
    """True if the cubic from the first moment to the last is within the bound at those between, and half way."""
    span, rise = time[-1] - time[0], value[-1] - value[0]
    begin, end = span * slope[0], span * slope[-1]
    bend, twist = 3.0 * rise - 2.0 * begin - end, begin + end - 2.0 * rise
    gap = np.diff(time)
    half = 0.5 * (value[:-1] + value[1:]) + 0.125 * gap * (slope[:-1] - slope[1:])
    for at, true in ((time[1:-1], value[1:-1]), (time[:-1] + 0.5 * gap, half)):
        s = (at - time[0]) / span
        found = value[0] + s * (begin + s * (bend + s * twist))
        if not (np.abs(found - true) <= bound).all():
            return False
    return True


def knots(*, values: Array, slopes: Array, times: Array, bounds: Array, longest: int, knotted: Array) -> None:
    """The moments with a knot; of equally few the path whose last stretches are the longest."""
    moments = values.shape[1]
    knotted[:] = 0
    for curve, (value, slope, bound) in enumerate(zip(values, slopes, bounds, strict=True)):
        few, last = [0], [0]
        for at in range(1, moments):
            best, before = few[at - 1] + 1, at - 1
            for start in range(max(at - longest, 0), at - 1):
                own = slice(start, at + 1)
                if few[start] + 1 < best and _fits(value[own], slope[own], times[own], bound):
                    best, before = few[start] + 1, start
            few.append(best)
            last.append(before)
        at = moments - 1
        while at > 0:
            knotted[curve, at] = 1
            at = last[at]
        knotted[curve, :1] = 1
