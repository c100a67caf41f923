"""The numbers of a species that a fit may change, and their ranges, from their declarations."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ..adopt.nature import paced, stroked
from ..scene.species import Rhythm, Species
from ..scene.temperament import Temperament
from .tuning import QUICKEST

HABITS = (
    "schooling",
    "alignment",
    "attention",
    "accord",
    "comfort",
    "comfort_school",
    "cruise",
    "variation",
    "coast_school",
    "coast",
    "coast_time",
    "kick",
    "whim",
    "turn",
    "sharp",
    "meander",
    "rest",
    "rest_time",
    "wall_following",
    "wall_distance",
    "caution",
    "foresight",
)
"""Numbers of a temperament that shape how fishes move that neither hunt, flee nor court; first those without which
others say nothing, as what one coasts in company is nothing to who never does."""
MANNERS = (
    {"schooling": 0.0},
    {"alignment": 0.2, "accord": 0.2},
    {"wall_following": 1.0, "wall_distance": 0.6, "caution": 0.7, "foresight": 0.3},
    {"coast_school": 1.0, "coast": 0.8, "coast_time": 0.7, "kick": 1.0},
)
"""Manners of real fish, whose numbers say little one by one: of loners, of swarms that head every way, of those that
follow walls (Collignon et al. 2016), and of those that kick and glide (Weihs 1974; Calovi et al. 2018)."""
QUICKNESS = "quickness"
"""Factor on all that a body does in time: its beats, its strokes and its springs."""
DIGITS_KEPT = 5
"""Significant digits of numbers that are found, so that a species' file reads well."""
FASTEST_BURST = Rhythm.__dataclass_fields__["burst_beat"].metadata["declared"].high
"""Beats a second beyond which no species bursts, however quick it is else."""
ROUNDING = 1e-9
"""Share of a bound by which products with it may miss it."""
WIDE_RANGE = 10.0
"""Most over least of a range from which on it is searched by its logarithm."""


@dataclass(frozen=True)
class FitNumber:
    """A number that a fit may change.

    Attributes:
        key: Its name in the temperament, or `QUICKNESS`.
        low: Least value.
        high: Most value.
    """

    key: str
    low: float
    high: float

    @property
    def _is_wide(self) -> bool:
        return self.key == QUICKNESS or (self.low > 0.0 and self.high / self.low > WIDE_RANGE)

    def share(self, value: float) -> float:
        """The share of the range at which a value is, 0 to 1."""
        if self._is_wide:
            return math.log(value / self.low) / math.log(self.high / self.low)
        return (value - self.low) / (self.high - self.low)

    def at(self, share: float) -> float:
        """The value at a share of the range, which goes back and forth beyond 0 and 1."""
        back = abs((share + 1.0) % 2.0 - 1.0)
        value = self.low * (self.high / self.low) ** back if self._is_wide else self.low + back * (self.high - self.low)
        return min(max(float(f"{value:.{DIGITS_KEPT}g}"), self.low), self.high)


def fit_numbers(species: Species) -> tuple[FitNumber, ...]:
    """The numbers that a fit of a species may change."""
    found = []
    for key in HABITS:
        declared = Temperament.__dataclass_fields__[key].metadata["declared"]
        found.append(FitNumber(key, declared.low, declared.high))
    rhythm = species.rhythm
    low = max(1.0 / QUICKEST, 0.1 / rhythm.tail_beat, species.time_scale / 0.25)
    high = min(QUICKEST, 10.0 / rhythm.tail_beat, species.time_scale / 0.005)
    return (*found, FitNumber(QUICKNESS, low * (1.0 + ROUNDING), high * (1.0 - ROUNDING)))


def begin(species: Species, numbers: Sequence[FitNumber]) -> np.ndarray:
    """The shares of their ranges at which a species' own numbers are, (number,)."""
    own = [1.0 if one.key == QUICKNESS else getattr(species.temperament, one.key) for one in numbers]
    return np.array([one.share(value) for one, value in zip(numbers, own, strict=True)])


def values_at(numbers: Sequence[FitNumber], shares: np.ndarray) -> dict[str, float]:
    """The values at shares of the ranges, (number,)."""
    return {one.key: one.at(float(share)) for one, share in zip(numbers, shares, strict=True)}


def species_with_habits(species: Species, values: Mapping[str, float]) -> Species:
    """A species with other values of some numbers.

    Raises:
        SceneError: With these it is none.
    """
    habits: dict[str, Any] = {key: value for key, value in values.items() if key != QUICKNESS}
    made = replace(species, temperament=replace(species.temperament, **habits))
    pace = values.get(QUICKNESS, 1.0)
    if pace == 1.0:
        return made
    rhythm = paced(made.rhythm, pace)
    return replace(
        made,
        time_scale=made.time_scale / pace,
        rhythm=replace(rhythm, burst_beat=min(rhythm.burst_beat, FASTEST_BURST)),
        pectoral=stroked(made.pectoral, pace),
    )
