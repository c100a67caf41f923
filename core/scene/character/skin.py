"""The skin by traits: scales, gloss and fins as the body plans have them, and colours by where and when it lives."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..traits import Traits
from .curves import short
from .plans import Kin

COLOURS_OF_WATERS = {
    "bottom": {"back": (0.09, 0.065, 0.035), "side": (0.26, 0.19, 0.1), "belly": (0.6, 0.52, 0.38)},
    "open": {"back": (0.015, 0.045, 0.09), "side": (0.4, 0.46, 0.5), "belly": (0.82, 0.84, 0.84)},
    "day": {"back": (0.12, 0.2, 0.3), "side": (0.75, 0.55, 0.06), "belly": (0.85, 0.75, 0.35)},
    "night": {"back": (0.2, 0.03, 0.015), "side": (0.5, 0.11, 0.05), "belly": (0.7, 0.4, 0.3)},
}
"""Colours of who lives at the bottom, in open water, between them by day, and there by night; linear."""
CLEAR_FINS = 0.5
"""Share of the flank's colour in that of the fins; the rest is the back's."""


def looks(kin: Kin) -> dict[str, Any]:
    """Colours, and whatever of the skin the body plans say."""
    said = {name for plan in kin.plans for name in plan.numbers.get("looks", {})}
    made = {name: short(kin.blend("looks", name)) for name in sorted(said)}
    colours = _colours(kin.traits)
    fins = CLEAR_FINS * colours["side"] + (1.0 - CLEAR_FINS) * colours["back"]
    made |= {name: short(colour) for name, colour in colours.items()}
    return made | dict.fromkeys(("dorsal", "ventral", "caudal", "pectoral"), short(fins))


def _colours(traits: Traits) -> dict[str, np.ndarray]:
    """Linear red, green and blue of back, side and belly."""
    open_water = min(max(2.0 * traits.depth - 1.0, 0.0), 1.0)
    ground = min(max(1.0 - 2.0 * traits.depth, 0.0), 1.0)
    between = 1.0 - open_water - ground
    shares = {
        "bottom": ground,
        "open": open_water,
        "day": between * (1.0 - traits.activity),
        "night": between * traits.activity,
    }
    mixed = {}
    for part in ("back", "side", "belly"):
        colour = np.zeros(3)
        for name, share in shares.items():
            colour = colour + share * np.array(COLOURS_OF_WATERS[name][part])
        mixed[part] = colour
    return mixed
