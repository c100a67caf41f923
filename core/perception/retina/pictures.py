"""Eyes' images as pictures for a screen: colours, false colours of objects, greys of distances."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ...base.elementary import power
from ..tuning import FALSE_COLOURS, GREY_LENGTHS, UNKNOWN_COLOUR
from .scenery import SeenIdentity

PLACE_STEPS = (5.0**0.5 - 1.0) / 2.0, 2.0**0.5 - 1.0
"""Steps from one object of a kind to the next in brightness and in paleness, around a circle: no two come to the same.
"""
DIMMEST_SHADE, PALEST_SHADE = 0.55, 0.4
"""Brightness of an object over that of its kind at the least, and share of white in it at the most."""


def lit(colour: np.ndarray) -> np.ndarray:
    """Linear colours (..., 3) as a screen shows them, 0 to 1 (sRGB)."""
    clipped = np.clip(colour, 0.0, 1.0)
    return np.where(clipped <= 0.0031308, 12.92 * clipped, 1.055 * power(clipped, 1.0 / 2.4) - 0.055)


def false_colours(table: Sequence[SeenIdentity]) -> np.ndarray:
    """A colour for each identity of a table, and black for 0, which is nothing.

    Every object has its own, and those of a kind are shades of one: all fishes are reds, all obstacles blues.

    Returns:
        As a screen shows them, 0 to 1, (1 + identities, 3).
    """
    counts: dict[str, int] = {}
    colours = np.zeros((1 + len(table), 3))
    for seen in table:
        number = counts[seen.kind] = counts.get(seen.kind, 0) + 1
        bright, pale = (number * step % 1.0 for step in PLACE_STEPS)
        pure = (1.0 - (1.0 - DIMMEST_SHADE) * bright) * np.array(FALSE_COLOURS.get(seen.kind, UNKNOWN_COLOUR))
        colours[seen.identity] = pure + PALEST_SHADE * pale * (1.0 - pure)
    return colours


def greys(range_: np.ndarray, length: float) -> np.ndarray:
    """Ranges (...) in metres as greys 0 to 1: the farther the darker, black where nothing is.

    Args:
        range_: Ranges as in `Images.range`.
        length: Length of the fish that looks, in metres.
    """
    near = GREY_LENGTHS * length
    return near / (near + range_)
