"""The compiled step of the body: kernel.c, built once for each width of a processor's registers.

The library also contains whatever else is worth compiling, such as the elementary functions of the ground floor: see
`compiled`.

All builds give the same bits. `production.Production` is the same scheme in NumPy, written to be read: it documents the
step, which is tested against it, to rounding.

Attributes:
    available: True if there is a library here that this processor can run.
    loaded: The library; None where there is none.
    name: The build that moves bodies: "avx512", "avx2", "sse2" or "neon"; empty where no library is. The environment
        variable `ARTFISH_KERNEL` chooses one of them when this package is imported.
    reason: Reason why there is no library, in a line; empty if there is one.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ...compiled.library import LANES, Library, use
from ..dynamics import BodyModel
from ..forces import Fins
from ..integrators import Integrator
from .integrator import BLOCK_MULTIPLE, Kernel
from .ranks import Columns, Ranks
from .tables import BLOCK, BODY, FRAME

__all__ = [
    "BLOCK_MULTIPLE",
    "Kernel",
    "available",
    "loaded",
    "mover",
    "name",
    "reason",
    "shoal_mover",
]
available: bool
loaded: Library | None
name: str
reason: str


def __getattr__(attribute: str) -> Any:
    """The attributes above, as they are now.

    Raises:
        AttributeError: There is no such attribute.
    """
    if attribute == "available":
        return use.loaded is not None
    if attribute in ("loaded", "name", "reason"):
        return getattr(use, attribute)
    raise AttributeError(f"{__name__} has no attribute {attribute}")


def mover(model: BodyModel, fishes: int, dt: float, fins: Fins) -> Integrator:
    """The integrator of a block of this many fishes, a multiple of `BLOCK_MULTIPLE`, for steps of `dt` book units.

    Raises:
        MissingLibraryError: There is no library.
    """
    return Kernel(model, fishes, dt, fins, use.required(BODY).builds[use.name])


def shoal_mover(
    blocks: Sequence[Columns], x: np.ndarray, v: np.ndarray, targets: np.ndarray, metres: np.ndarray
) -> Ranks:
    """The mover of a whole shoal in one call; the arguments are those of `Ranks`.

    Raises:
        MissingLibraryError: There is no library.
    """
    return Ranks((use.required(BLOCK, FRAME).swims[use.name], LANES[use.name]), blocks, x, v, targets, metres)
