"""Arrays where the processor reads them fastest."""

from __future__ import annotations

from typing import Any

import numpy as np

CACHE_LINE_BYTES = 64
"""Bytes that a processor moves at once: a line of its cache, and the widest of its registers."""


def aligned(shape: tuple[int, ...], dtype: Any = float) -> np.ndarray:
    """An array of zeros that begins with a line of the cache.

    NumPy's own begin 16 bytes into one, so that every wide read touches two: sums and products of arrays that fit
    the cache take two to four times as long on them.
    """
    dtype = np.dtype(dtype)
    size = int(np.prod(shape)) * dtype.itemsize
    room = np.zeros(size + CACHE_LINE_BYTES, np.uint8)
    begin = -room.ctypes.data % CACHE_LINE_BYTES
    return room[begin : begin + size].view(dtype).reshape(shape)


def kept(values: np.ndarray, dtype: Any = None) -> np.ndarray:
    """A copy of these values in such an array, in C order."""
    out = aligned(values.shape, values.dtype if dtype is None else dtype)
    out[...] = values
    return out


class Scratch:
    """Memory of which the parts of a step make use in turns: small enough, it never leaves the processor's cache."""

    def __init__(self, size: int, dtype: Any):
        """Memory for this many numbers in up to sixteen arrays."""
        self._memory = aligned((size + 16 * CACHE_LINE_BYTES,), dtype)

    def arrays(self, *shapes: tuple[int, ...]) -> list[np.ndarray]:
        """Arrays of these shapes beside each other. Each call begins anew: what others hold there is overwritten."""
        per_line = CACHE_LINE_BYTES // self._memory.itemsize
        found, begin = [], 0
        for shape in shapes:
            size = int(np.prod(shape))
            if begin + size > len(self._memory):
                raise ValueError(f"scratch: found {begin + size} numbers, allowed {len(self._memory)}")
            found.append(self._memory[begin : begin + size].reshape(shape))
            begin += -(-size // per_line) * per_line
        return found
