"""Numbers of ours that an animator does not set: each with its unit, its reason and its source, in one table a room.

A room's numbers stand in its `tuning.py`, and are plain numbers to the code that uses them. `TABLES` has what was said
of each, from which `make reference` writes docs/tuning.md.
"""

from __future__ import annotations

import sys
from typing import Any, NamedTuple, TypeVar

import numpy as np

from .constants import constant

T = TypeVar("T")
OURS = "ours"


class Tuned(NamedTuple):
    """A tuned number with its unit, its reason and its source.

    Attributes:
        value: The number, or a tuple of some that belong together.
        unit: Unit; "" for a pure number.
        why: Its effect and the reason for its value, in one line.
        source: "ours", or where it stands: "Tu 1999, §7.4".
    """

    value: Any
    unit: str
    why: str
    source: str


TABLES: dict[str, list[Tuned]] = {}
"""Tables by the name of the module that holds them, in its own order."""


def tuned(value: T, unit: str, why: str, source: str = OURS) -> T:
    """A number of the table of the module that calls this; returned as it is."""
    if isinstance(value, np.ndarray):
        constant(value)
    TABLES.setdefault(sys._getframe(1).f_globals["__name__"], []).append(Tuned(value, unit, why, source))
    return value
