"""The traits that a species is likely to have, read from its numbers: the other way from what traits give."""

from __future__ import annotations

from dataclasses import fields
from typing import Any

import numpy as np

from ...base.elementary import LN2, log, power
from ..traits import Traits
from . import manner
from .curves import Points, row, within
from .swimming import NIMBLE_RATES
from .tuning import (
    BEAT_BY_LENGTH,
    DEEPEST,
    FLATTEST_SHARE,
    HUNTER_TEMPER,
    PACE_DOUBLINGS,
    SIZE_SPAN,
    SLENDEREST,
    SMALLEST_METRES,
    WIDEST_SHARE,
)

BURSTING: tuple[float, ...] = (0.0, 3.0, 1.0, 15.0)
"""Seconds for which one can burst, by stamina."""
FARTHEST_ROAMING = 0.9
"""Boldness of one that roams everywhere."""
OPEN = 0.8
"""Depth of one that keeps to no ground."""


def likely(data: dict[str, Any]) -> Traits:
    """The traits of a species whose numbers, all of them, are these as JSON holds them; each of two digits."""
    tall, wide = _extent(data["form"])
    temperament, mind = data["temperament"], data["mind"]
    paces = data["rhythm"]["tail_beat"] / (2.8 * float(power(data["length"] / 0.15, BEAT_BY_LENGTH)))
    ground = _back_along(temperament["hug"], row(manner.TEMPERAMENT_CURVES["hug"][1]))
    free = _back_along(temperament["roam"], row(manner.TEMPERAMENT_CURVES["roam"][1]))
    found = {
        "size": float(log(data["length"] / SMALLEST_METRES) / log(SIZE_SPAN)),
        "build": (tall - SLENDEREST) / (DEEPEST - SLENDEREST),
        "flatness": (WIDEST_SHARE - wide / max(tall, 1e-3)) / (WIDEST_SHARE - FLATTEST_SHARE),
        "pace": 0.5 + float(log(max(paces, 1e-3))) / (LN2 * PACE_DOUBLINGS),
        "stamina": _back_along(data["rhythm"]["burst_seconds"], row(BURSTING)),
        "nimbleness": _back_along(data["steering"]["rate"][2], row(NIMBLE_RATES[2])),
        "boldness": free if temperament["roam"] else FARTHEST_ROAMING,
        "wariness": _back_along(mind["D0"], row(manner.DRIVE_CURVES["D0"][1])),
        "sociability": _back_along(temperament["schooling"], row(manner.TEMPERAMENT_CURVES["schooling"][1])),
        "temper": _temper(data),
        "appetite": _back_along(mind["p0"], row(manner.DRIVE_CURVES["p0"][1])),
        "activity": mind["nocturnal"],
        "depth": ground if temperament["hug"] else OPEN,
    }
    return Traits(**{field.name: round(within(float(found[field.name]), 0.0, 1.0), 2) for field in fields(Traits)})


def _temper(data: dict[str, Any]) -> float:
    if data["type"] == "predator":
        return 0.5 + 0.5 * HUNTER_TEMPER
    return _back_along(data["mind"]["browse"], row(manner.GRAZING)) if data["mind"]["browse"] else 0.5


def _extent(form: dict[str, Any]) -> tuple[float, float]:
    """Half the height and half the width of a body."""
    back, belly, width = (np.array(form[name], dtype=float) for name in ("back", "belly", "half_width"))
    stations = np.union1d(back[:, 0], belly[:, 0])
    tall = np.interp(stations, back[:, 0], back[:, 1]) - np.interp(stations, belly[:, 0], belly[:, 1])
    return 0.5 * float(tall.max()), float(width[:, 1].max())


def _back_along(value: float, points: Points) -> float:
    """The place of a curve that rises or falls throughout where its value is this, or the nearest."""
    ordered = points if points[0][1] <= points[-1][1] else points[::-1]
    places, values = zip(*ordered, strict=True)
    return float(np.interp(value, values, places))
