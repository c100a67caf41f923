"""Alarm that passes through a school."""

from __future__ import annotations

import numpy as np

from artfish.core.base.vectors import dot, norm

Array = np.ndarray


def heard(
    *,
    ordinals: Array,
    listeners: Array,
    foes: Array,
    nearest: Array,
    alarmed: Array,
    sighted: Array,
    school: Array,
    reaches: Array,
    places: Array,
    aheads: Array,
    known: Array,
    cosine: float,
) -> None:
    """Foes that mates in sight see with their own eyes, known to the listeners in these rows of all who look around."""
    mates = alarmed[nearest]
    offset = places[mates] - places[listeners][:, None]
    gap = norm(offset)
    in_sight = (gap <= reaches[listeners, None]) & (dot(offset, aheads[listeners][:, None]) >= cosine * gap)
    in_sight &= (school[mates] == school[listeners, None]) & (mates != listeners[:, None])
    shown = (foes[ordinals][:, :, None] == sighted[mates][:, None]) & in_sight[:, None]
    known[ordinals] |= shown.any(axis=2)
