"""The production scheme, moved by the compiled library."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from ...base.threads import share
from ...compiled.library import LANES
from ..dynamics import BodyModel
from ..forces import Fins
from ..integrators import Integrator
from ..scheme import scheme_of
from .tables import laid_out

BLOCK_MULTIPLE = max(LANES.values())
"""Blocks of fishes are filled up to a multiple of this, whatever moves them: the most that a register holds."""
LEAST_FISHES = 64
"""A thread is not worth its beginning for fewer: a step of theirs takes some 50 microseconds."""


class Kernel(Integrator):
    """The scheme of `production.Production` by a build of the compiled library.

    Attributes:
        body: The species and its step, laid out for C.
    """

    def __init__(self, model: BodyModel, fishes: int, dt: float, fins: Fins, build: Callable[..., None]):
        """Prepares for blocks of this many fishes, a multiple of `BLOCK_MULTIPLE`, and steps of `dt` book units."""
        self.model, self.dt = model, dt
        self._fins, self._build, self.body = fins, build, laid_out(scheme_of(model, dt), fins)

    def step(self, x: np.ndarray, v: np.ndarray, muscles: np.ndarray, water: np.ndarray) -> None:
        """Moves positions and velocities on by `dt`, in place."""
        self.advance(x, v, muscles[None], water)

    def advance(self, x: np.ndarray, v: np.ndarray, muscles: np.ndarray, water: np.ndarray) -> None:
        """Moves on by a step for each of these rest lengths, (steps, m, fish), in place."""
        fishes = x.shape[2]
        muscles, water = np.ascontiguousarray(muscles, float), np.ascontiguousarray(water, float)
        fins = np.ascontiguousarray(self._fins.strokes, np.float32)
        if not (x.flags.c_contiguous and v.flags.c_contiguous and x.dtype == v.dtype == float):
            raise ValueError("x and v: found another layout, allowed float64 in C order")
        arrays = [a.ctypes.data for a in (x, v, muscles, water, fins)]

        def work(first: int, last: int) -> None:
            self._build(self.body.address, fishes, first, last, len(muscles), *arrays)

        share(work, fishes, grain=BLOCK_MULTIPLE, least=LEAST_FISHES)
