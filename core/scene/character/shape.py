"""The surfaces by traits: outlines and fins between those of the body plans, as high and as wide as the build says."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from scipy.interpolate import PchipInterpolator

from ...base.constants import constant
from ...base.elementary import power
from ..traits import Traits
from .curves import metres, short, within
from .plans import BodyPlan, Kin, half_height, half_width
from .tuning import BREATH_BY_LENGTH, EYE_BY_LENGTH, EYE_SHARE, NIGHT_EYES

OUTLINE_PLACES = constant(np.array([0.0, 0.012, 0.045, 0.1, 0.18, 0.28, 0.4, 0.52, 0.64, 0.76, 0.88, 1.0]))
"""Places of an outline's points between plans, as shares of the way from the nose to the root of the tail."""
ROWS_BETWEEN_PLANS = {"dorsal": 13, "ventral": 12, "caudal": 9}
"""Rows of a fin between plans."""
BODY_LINES = "back", "belly", "half_width"
LIFTED = "pectoral_height", "eye_height"
"""Heights that go with the height of the body."""


def form(kin: Kin) -> dict[str, Any]:
    """Outlines, fins and eyes."""
    tall, wide = kin.over(half_height), kin.over(half_width)
    usual = kin.usual["form"]
    made: dict[str, Any] = {name: kin.blend("form", name) for name in usual if not isinstance(usual[name], list)}
    for name in BODY_LINES:
        made[name] = _stretched(_outline(kin, name), wide if name == "half_width" else tall)
    made["belly"][0] = [0.0, made["back"][0][1]]
    fins = float(np.sqrt(tall))
    for name in ROWS_BETWEEN_PLANS:
        made[name] = _stretched(_rows(kin, name), 1.0 if name == "caudal" else fins)
    for name in LIFTED:
        made[name] = float(made[name]) * tall
    made["eye_radius"] = _eye(kin, made)
    return {name: short(value) for name, value in made.items()}


def relief(kin: Kin) -> dict[str, Any]:
    """Numbers that stand out of the surfaces; those that are counted are as the nearest plan has them."""
    usual = kin.usual["relief"]
    counted = {name for name, value in usual.items() if isinstance(value, int)}
    return {
        name: int(kin.value(kin.nearest, "relief", name)) if name in counted else short(kin.blend("relief", name))
        for name in usual
    }


def bearing(kin: Kin) -> dict[str, Any]:
    """Gaze, breath and fins that fold; small fishes breathe quickly."""
    made = {name: kin.blend("bearing", name) for name in kin.usual["bearing"]}
    quick = kin.over(lambda traits: float(power(metres(traits.size), BREATH_BY_LENGTH)))
    made["breath"] = within(float(made["breath"]) * quick, 0.0, 3.0)
    return {name: short(value) for name, value in made.items()}


def _outline(kin: Kin, name: str) -> np.ndarray:
    """Points of an outline, (n, 2): a plan's own, or those at fixed shares of the way to the tail's root."""

    def at_places(rows: np.ndarray) -> np.ndarray:
        stations = rows[-1, 0] * OUTLINE_PLACES
        return np.column_stack([stations, PchipInterpolator(rows[:, 0], rows[:, 1])(stations)])

    return _between(kin, name, at_places)


def _rows(kin: Kin, name: str) -> np.ndarray:
    """Rows of a fin, (n, 2 or 3): a plan's own, or those at even distances along each."""
    even = np.linspace(0.0, 1.0, ROWS_BETWEEN_PLANS[name])
    return _between(kin, name, lambda own: PchipInterpolator(np.linspace(0.0, 1.0, len(own)), own)(even))


def _between(kin: Kin, name: str, sampled: Callable[[np.ndarray], np.ndarray]) -> np.ndarray:
    """Rows of the form: a plan's own at its place, else the mean of those that are sampled of each plan."""

    def own(plan: BodyPlan) -> np.ndarray:
        return np.array(kin.value(plan, "form", name), dtype=float)

    return own(kin.nearest) if len(kin.plans) == 1 else kin.mean(lambda plan: sampled(own(plan)))


def _stretched(rows: np.ndarray, factor: float) -> np.ndarray:
    """Rows with their second column, a height or width, times a factor."""
    rows = rows.copy()
    rows[:, 1] *= factor
    return rows


def _eye(kin: Kin, made: dict[str, Any]) -> float:
    """Radius of the eyes: those of small fishes and of the night are larger, within what the head has room for."""
    station = float(made["eye_station"])
    back, belly, width = (np.interp(station, made[name][:, 0], made[name][:, 1]) for name in BODY_LINES)
    room = EYE_SHARE * min(float(back - belly), 2.0 * float(width))
    wished = float(made["eye_radius"]) * kin.over(_sight)
    return max(min(wished, max(room, float(kin.blend("form", "eye_radius")) if len(kin.plans) == 1 else room)), 0.002)


def _sight(traits: Traits) -> float:
    """The size of eyes, over that of a fish of a metre that is about at all hours."""
    small = float(power(metres(traits.size), EYE_BY_LENGTH))
    return small * (1.0 + NIGHT_EYES * (traits.activity - 0.5))
