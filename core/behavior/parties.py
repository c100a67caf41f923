"""Parties of a school about several shapes: parted by shares, the nearest going, and joined again."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from ..base.sums import total

_FREE = -1  # in place of the row of a shape, of who belongs to none


def part(
    shares: Sequence[float], along: np.ndarray, there: np.ndarray, gap: Callable[[int, np.ndarray], np.ndarray]
) -> None:
    """Has as many fishes belong to each of k shapes as its share says.

    Only those change that must: to where fishes are missing go the nearest of those that are too many elsewhere.

    Args:
        shares: Share of each shape, 0 or more; if all are 0, no fish belongs to any.
        along: NaN for each fish that does not belong to a shape, (k, fish); it becomes so, and 0 for fishes that join.
        there: Fishes to be parted, (fish,) bool; others belong to none.
        gap: Function of a shape's row and fishes' rows, (n,): their distances from the shape in metres, (n,).
    """
    along[:, ~there] = np.nan
    whole = total(np.array(shares, dtype=float))
    if whole <= 0.0:
        along[:] = np.nan
        return
    ends = np.floor(np.count_nonzero(there) * np.cumsum(shares) / whole + 0.5).astype(int)
    lack = np.diff(ends, prepend=0) - np.count_nonzero(~np.isnan(along), axis=1)
    for to in np.flatnonzero(lack > 0):
        fishes, source, nearer = _candidates(to, lack, along, there, gap)
        order = np.argsort(nearer, kind="stable")
        fishes, source = fishes[order], source[order]
        goes = source == _FREE
        for row in np.flatnonzero(lack < 0):
            own = source == row
            goes |= own & (np.cumsum(own) <= -lack[row])
        goes &= np.cumsum(goes) <= lack[to]
        along[:, fishes[goes]] = np.nan
        along[to, fishes[goes]] = 0.0
        lack += np.bincount(source[goes & (source != _FREE)], minlength=len(lack))
        lack[to] = 0


def _candidates(
    to: int, lack: np.ndarray, along: np.ndarray, there: np.ndarray, gap: Callable[[int, np.ndarray], np.ndarray]
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Fishes that may join a shape, (n,), the shape each comes from, (n,), and the extra distance from it, (n,)."""
    free = np.flatnonzero(there & np.isnan(along).all(axis=0))
    others = [gap(row, free) for row in np.flatnonzero(lack > 0) if row != to]
    found = [(free, np.full(len(free), _FREE), gap(to, free) - (np.min(others, axis=0) if others else 0.0))]
    for row in np.flatnonzero(lack < 0):
        fishes = np.flatnonzero(~np.isnan(along[row]))
        found.append((fishes, np.full(len(fishes), row), gap(to, fishes) - gap(row, fishes)))
    fishes, source, farther = (np.concatenate(parts) for parts in zip(*found, strict=True))
    return fishes, source, farther
