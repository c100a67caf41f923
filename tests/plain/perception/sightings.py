"""Alarm at predators."""

from __future__ import annotations

import numpy as np

from artfish.core.base.vectors import dot, norm

Array = np.ndarray


def startle(
    *,
    rows: Array,
    foes: Array,
    middles: Array,
    noses: Array,
    alarming: Array,
    startling: Array,
    nearest: Array,
    alarms: Array,
) -> None:
    """The nearest of the foes of all, or of those of each, and which fishes it alarms and startles."""
    arm = middles[foes] - middles[rows][:, None]
    which = dot(arm, arm).argmin(axis=1)[:, None]
    nearest[:] = np.take_along_axis(np.broadcast_to(foes, arm.shape[:2]), which, axis=1)
    away = norm(middles[nearest[:, 0]] - noses[rows])
    alarms[0, rows] = away < alarming[rows]
    alarms[1, rows] = away < startling[rows]
