"""Grids of samples: which cells boxes cover, and what a mesh goes around."""

from __future__ import annotations

import numpy as np

from ..base.sums import total

CHUNK_PAIRS = 100_000  # pairs that are in memory at once, which the processor's caches hold


def refined(values: np.ndarray, axis: int) -> np.ndarray:
    """Values with their means between them along an axis."""
    values = np.moveaxis(values, axis, 0)
    fine = np.empty((2 * len(values) - 1, *values.shape[1:]))
    fine[::2] = values
    fine[1::2] = 0.5 * (values[1:] + values[:-1])
    return np.ascontiguousarray(np.moveaxis(fine, 0, axis))


def of_corners(samples: np.ndarray, most: np.ufunc) -> np.ndarray:
    """The least or the most of the eight corners of each cell, (nx - 1, ny - 1, nz - 1)."""
    for axis in range(3):
        low, high = (np.take(samples, range(k, samples.shape[axis] - 1 + k), axis=axis) for k in (0, 1))
        samples = most(low, high)
    return samples


def chunks(sizes: np.ndarray) -> list[slice]:
    """Runs of items whose sizes come to about `CHUNK_PAIRS`."""
    group = (np.cumsum(sizes) - sizes) // CHUNK_PAIRS
    starts = np.flatnonzero(np.diff(group, prepend=-1))
    return [slice(start, end) for start, end in zip(starts, [*starts[1:], len(sizes)][: len(starts)], strict=True)]


def boxes(wide: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """All samples of boxes (n, axes) samples wide: the row of their box, (k,), and their place in it, (k, axes)."""
    sizes = wide.prod(axis=1)
    owner = np.repeat(np.arange(len(wide)), sizes)
    rest = np.arange(len(owner)) - np.repeat(np.cumsum(sizes) - sizes, sizes)
    steps = []
    for axis in range(wide.shape[1] - 1, -1, -1):
        steps.append(rest % wide[owner, axis])
        rest //= wide[owner, axis]
    return owner, np.stack(steps[::-1], axis=1)


def crossings(corners: np.ndarray, low: np.ndarray, cell: float, counts: np.ndarray) -> np.ndarray:
    """The winding number of the mesh at each sample, (nx, ny, nz): crossings of a line from below, in less out.

    An edge tells the two columns of samples beside it apart in the same way for either of its triangles, whichever
    direction it is run along, so that no line slips through between them.
    """
    a, b, c = corners.transpose(1, 0, 2)
    flat = corners[..., :2]
    first = np.maximum(np.ceil((flat.min(axis=1) - low[:2]) / cell), 0).astype(int)
    last = np.minimum(np.floor((flat.max(axis=1) - low[:2]) / cell), counts[:2] - 1).astype(int)
    owner, step = boxes(np.maximum(last - first + 1, 0))
    column = first[owner] + step
    place = low[:2] + cell * column
    a, b, c = a[owner], b[owner], c[owner]
    sides = np.stack([side(start, end, place) for start, end in ((b, c), (c, a), (a, b))])
    left, right = (sides > 0).all(axis=0), (sides < 0).all(axis=0)
    through = np.flatnonzero(left | right)
    share = sides[:, through] / total(sides[:, through], axis=0)
    height = share[0] * a[through, 2] + share[1] * b[through, 2] + share[2] * c[through, 2]
    above = np.ceil((height - low[2]) / cell).astype(int)  # the first sample above it
    turns = np.zeros((counts[0], counts[1], counts[2] + 1), dtype=int)
    # A face that looks down is the way in for who comes from below; it is seen clockwise from above.
    np.add.at(turns, (*column[through].T, np.clip(above, 0, counts[2])), np.where(right[through], 1, -1))
    return turns.cumsum(axis=2)[:, :, :-1]


def side(start: np.ndarray, end: np.ndarray, place: np.ndarray) -> np.ndarray:
    """On which side of an edge, as seen from above, a place lies: positive left, never 0, (n,)."""
    swap = (start[:, 0] > end[:, 0]) | ((start[:, 0] == end[:, 0]) & (start[:, 1] > end[:, 1]))
    one, two = np.where(swap[:, None], end, start), np.where(swap[:, None], start, end)
    side = (two[:, 0] - one[:, 0]) * (place[:, 1] - one[:, 1]) - (two[:, 1] - one[:, 1]) * (place[:, 0] - one[:, 0])
    side = np.where(side == 0, 1e-300, side)
    return np.where(swap, -side, side)
