"""Some of the fishes of a recording, by themselves."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from ..recording import ARRAYS, STROKE_ARRAYS, Recording

OF_MINDS = ("target", "food", "memory_time", "memory_fish", "way", "frontier", "way_fish")
"""Arrays that say what fishes have in mind, which names others by their rows."""


def cast(recording: Recording, rows: Sequence[int]) -> Recording:
    """The same with these fishes alone, as they moved and looked; without events, and without their thoughts.

    Args:
        recording: The recording.
        rows: The fishes that stay, in the order that they have then.
    """
    some = list(rows)
    changes: dict[str, Any] = dict.fromkeys(OF_MINDS)
    for name, one in ARRAYS.items():
        if "fish" in one.shape and name not in OF_MINDS:
            changes[name] = getattr(recording, name).take(some, axis=one.shape.index("fish"))
    number = np.full(len(recording.species), -1)
    number[some] = np.arange(len(some))
    kept = number[recording.stroke_fish] >= 0
    changes |= {name: getattr(recording, name)[kept] for name in STROKE_ARRAYS}
    changes["stroke_fish"] = number[changes["stroke_fish"]].astype(np.int32)
    changes |= {name: tuple(getattr(recording, name)[row] for row in some) for name in ("species", "sex")}
    return replace(recording, **changes, events=[])
