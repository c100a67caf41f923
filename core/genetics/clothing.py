"""Surfaces for a body that has evolved: the outlines of its species, as much higher and wider as the body is."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from ..base.elementary import interpolated
from ..scene.species import Form, Species


def clothed(base: Species, made: Species) -> Species:
    """A species whose body is another than that of its base, with the base's outlines drawn out as the body is.

    Args:
        base: The species whose surfaces fit its body.
        made: The same with another body.
    """
    form, old, new = base.form, base.body, made.body
    at = np.concatenate([[0.0], old.stations, [1.0]])
    high, wide = (_ratio(getattr(new, key), getattr(old, key)) for key in ("half_heights", "half_widths"))
    tail = new.tail_half_height / old.tail_half_height
    drawn: dict[str, Any] = {
        "back": _drawn(form.back, at, high),
        "belly": _drawn(form.belly, at, high),
        "half_width": _drawn(form.half_width, at, wide),
        "caudal": tuple((station, height * tail, *others) for station, height, *others in form.caudal),
    }
    drawn["belly"] = ((drawn["belly"][0][0], drawn["back"][0][1]), *drawn["belly"][1:])
    declared = Form.__dataclass_fields__
    for key, rows in drawn.items():
        span = declared[key].metadata["declared"]
        drawn[key] = tuple(tuple(min(max(value, span.low), span.high) for value in row) for row in rows)
    return replace(made, form=replace(form, **drawn))


def _ratio(new: tuple, old: tuple) -> np.ndarray:
    ratio = np.array(new) / np.array(old)
    return np.concatenate([ratio[:1], ratio, ratio[-1:]])


def _drawn(rows: tuple, at: np.ndarray, ratio: np.ndarray) -> tuple:
    return tuple(
        (station, float(height * interpolated(station, at, ratio)), *others) for station, height, *others in rows
    )
