"""The body that swims, by its traits: its masses and springs, its beat, its turns and its pectoral fins."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...base.elementary import power
from ..physique import TALLEST_RING, WIDEST_RING
from ..traits import Traits
from .curves import along, beat, burst, metres, row, short, within
from .plans import BodyPlan, Kin, half_height
from .tuning import BEAT_SPAN_HZ, BURST_SPAN_HZ, MOST_STRETCH, REST_BY_LENGTH, SWEPT_WATER

NIMBLE_RATES = (
    (0.35, 1.0, 0.6, 1.0, 0.8, 1.0),
    (0.35, 1.2, 0.6, 1.5, 0.8, 2.5),
    (0.35, 1.5, 0.6, 2.5, 0.8, 4.0),
    (0.35, 2.0, 0.6, 3.5, 0.8, 4.0),
)
"""Contractions in a beat by nimbleness, for turns of 30, 45, 60 and 90 degrees."""
SLENDER_BEATS = 0.0, 2.6, 0.1, 3.2, 0.25, 4.6, 0.5, 6.0
"""The quickest beats, by build: the slender roll over at quicker ones."""
PACED = {
    "flap": (0.0, 1.0),
    "row": (0.0, 1.0),
    "turn": (0.8, 4.0),
    "gait_speed": (0.2, 3.0),
    "stroke_rate": (0.5, 10.0),
}
"""Speeds and rates of pectoral fins that go by the beat, with their bounds."""


def tail_beat(kin: Kin) -> float:
    """Tail beats a second at full speed."""
    ratio = kin.over(lambda traits: beat(traits.size, traits.pace))
    low, high = BEAT_SPAN_HZ
    return within(
        float(kin.blend("rhythm", "tail_beat")) * ratio, low, min(high, along(kin.traits.build, row(SLENDER_BEATS)))
    )


def time_scale(kin: Kin) -> float:
    """Seconds in one of the book's units of time: the plans' beats in the book's time are kept."""

    def book_beat(plan: BodyPlan) -> float:
        return plan.numbers["time_scale"] * kin.value(plan, "rhythm", "tail_beat")

    return within(float(kin.mean(book_beat)) / tail_beat(kin), 0.005, 0.25)


def body(kin: Kin) -> dict[str, Any]:
    """Masses and springs."""
    made = {name: kin.blend("body", name) for name in kin.usual["body"]}
    stretch = within(kin.over(half_height), *MOST_STRETCH)
    heights = made["half_heights"] * np.array([stretch, stretch, stretch, stretch, 1.0])
    made["half_heights"] = np.clip(heights, 0.015, 0.3)
    least, most = 1.001 * made["half_heights"] / TALLEST_RING, 0.999 * WIDEST_RING * made["half_heights"]
    made["half_widths"] = np.clip(np.minimum(np.maximum(made["half_widths"], least), most), 0.01, 0.2)
    burden = float(made["fluid_viscosity"]) * (float(made["book_length"]) / 10.0) ** 3 / float(made["unit_mass"])
    swept = SWEPT_WATER / (burden * float(made["tail_half_height"]) ** 2)
    made["reaction"] = min(float(made["reaction"]), swept)
    muscles = int(kin.value(kin.nearest, "body", "peduncle_muscles"))
    return {name: short(value) for name, value in made.items()} | {"peduncle_muscles": muscles}


def rhythm(kin: Kin) -> dict[str, Any]:
    """The beat, steady and in a burst."""
    made = {name: float(kin.blend("rhythm", name)) for name in kin.usual["rhythm"]}
    made["tail_beat"] = tail_beat(kin)
    ratio = kin.over(lambda traits: burst(traits.size, traits.pace))
    made["burst_beat"] = max(within(made["burst_beat"] * ratio, *BURST_SPAN_HZ), made["tail_beat"])
    made["burst_seconds"] = within(made["burst_seconds"] * kin.over(_breath), 0.5, 300.0)
    made["rest_seconds"] = within(made["rest_seconds"] * kin.over(_rest), 1.0, 3600.0)
    return {name: short(value) for name, value in made.items()}


def steering(kin: Kin) -> dict[str, Any]:
    """Turns, sharper and quicker for the nimble."""
    made = {name: kin.blend("steering", name) for name in kin.usual["steering"]}
    rates = [kin.nimbler(row(points)) for points in NIMBLE_RATES]
    made["rate"] = np.clip(made["rate"] + np.array(rates), 0.5, 4.0)
    bends: dict[str, tuple[tuple[float, ...], float, float]] = {
        "release": ((0.35, 0.5, 0.6, 1.0), 0.05, 1.0),
        "contraction": ((0.2, 0.24, 0.35, 0.3, 0.6, 0.4), 0.2, 0.45),
        "lead": ((0.2, 0.6, 0.6, 0.4, 0.8, 0.3), 0.0, 4.0),
    }
    for name, (points, low, high) in bends.items():
        made[name] = kin.bent("steering", name, row(points), low, high)
    return {name: short(value) for name, value in made.items()}


def pectoral(kin: Kin) -> dict[str, Any]:
    """Pectoral fins: their strokes go with the beat, and they turn the nimble."""
    made = {name: kin.blend("pectoral", name) for name in kin.usual["pectoral"]}
    made["turn"] = kin.bent("pectoral", "turn", row((0.2, 2.5, 0.8, 4.0)), 0.8, 4.0)
    made["brake"] = kin.bent("pectoral", "brake", row((0.35, 0.2, 0.6, 0.6)), 0.0, 1.0)
    ratio = kin.over(lambda traits: beat(traits.size, traits.pace))
    for name, (low, high) in PACED.items():
        made[name] = within(float(made[name]) * ratio, low, high)
    made["stroke"] = kin.value(kin.nearest, "pectoral", "stroke")  # fins row, or the tail does all
    return {name: short(value) for name, value in made.items()}


def _breath(traits: Traits) -> float:
    """Seconds for which one can burst."""
    return 3.0 + 12.0 * traits.stamina


def _rest(traits: Traits) -> float:
    """The rest that one needs, over that of one a metre long."""
    return float(power(metres(traits.size), REST_BY_LENGTH))
