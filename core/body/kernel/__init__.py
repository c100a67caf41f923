"""The compiled step of the body: kernel.c, built once for each width of a processor's registers.

It also contains whatever else is worth compiling, such as the elementary functions of the ground floor (elementary.c),
with the bits of NumPy's form: see `compiled`.

All builds give the same bits; NumPy's form of the same scheme, `production.Production`, agrees with them to rounding
and moves bodies where no library can be loaded.

Attributes:
    available: True if there is a library here that this processor can run.
    missing: True if there is none, although there is one for this kind of machine.
    loaded: The library; None where there is none.
    name: Name of what moves bodies: "avx512", "avx2", "sse2", "neon", or "numpy". The environment variable
        `ARTFISH_KERNEL` chooses one of them when this package is imported.
    reason: Reason why there is no library, in a line; empty if there is one.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ...compiled.library import LANES, PLAIN, Library, is_built_for_here, use
from ..dynamics import BodyModel
from ..forces import Fins
from ..integrators import Integrator
from ..production import Production
from .integrator import BLOCK_MULTIPLE, Kernel
from .ranks import Columns, Ranks

__all__ = [
    "BLOCK_MULTIPLE",
    "Kernel",
    "available",
    "in_use",
    "loaded",
    "missing",
    "mover",
    "name",
    "reason",
    "shoal_mover",
]
available: bool
missing: bool
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
    if attribute == "missing":
        return use.loaded is None and is_built_for_here()
    if attribute in ("loaded", "name", "reason"):
        return getattr(use, attribute)
    raise AttributeError(f"{__name__} has no attribute {attribute}")


def in_use() -> bool:
    """True if the library moves bodies."""
    return use.loaded is not None and use.name != PLAIN


def mover(model: BodyModel, fishes: int, dt: float, fins: Fins) -> Integrator:
    """The integrator of a block of this many fishes, a multiple of `BLOCK_MULTIPLE`, for steps of `dt` book units."""
    if use.loaded is None or not in_use():
        return Production(model, fishes, dt, fins)
    return Kernel(model, fishes, dt, fins, use.loaded.builds[use.name])


def shoal_mover(
    blocks: Sequence[Columns], x: np.ndarray, v: np.ndarray, targets: np.ndarray, metres: np.ndarray
) -> Ranks | None:
    """The mover of a whole shoal in one call, None where no library is in use; the arguments are those of `Ranks`."""
    if use.loaded is None or not in_use():
        return None
    return Ranks((use.loaded.swims[use.name], LANES[use.name]), blocks, x, v, targets, metres)
