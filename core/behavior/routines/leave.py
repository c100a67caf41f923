"""Leaving a place where it is too bright, too dark, too cold or too warm (Tu 1999, §7.8: similar to wandering).

A fish feels how light and warmth change across its own body and goes where it gets better; the less it feels, the
more it turns at random, faster and more steeply than when it wanders.
"""

from __future__ import annotations

import numpy as np

from ...base.dice import Dice
from ...base.elementary import arctan2, hypot, sin_and_cos
from ...base.state import Stateful, state
from ...base.vectors import norm, vector, wrap
from .chase import sigma_for
from .tuning import LEAVING_SPELL_SECONDS, LEAVING_TURN_ANGLE, STEEPEST_LEAVING

LEAVING_DICE = 1 << 40  # purpose of its dice


class Leave(Stateful):
    """The courses of fishes away from an uncomfortable place.

    Attributes:
        course: Azimuth of its random way in radians, (fish,).
        slope: Angle of that above the horizontal in radians, (fish,).
    """

    course: np.ndarray = state("f8", "fish", unit="rad")
    slope: np.ndarray = state("f8", "fish", unit="rad")
    _left: np.ndarray = state("f8", "fish", unit="s")

    def __init__(self, dice: Dice):
        """Begins without a course; each fish takes one when it leaves.

        Args:
            dice: A stream for each fish.
        """
        self.dice = dice
        self._fill(fish=len(dice.keys))

    def wish(self, fishes: np.ndarray, better: np.ndarray, azimuth: np.ndarray, elapsed: np.ndarray) -> np.ndarray:
        """The wishes of these fishes.

        Args:
            fishes: Rows of n distinct fishes, (n,).
            better: Direction of improvement, its length in steps that each can just tell apart, (n, 3).
            azimuth: Azimuths of their headings in radians, (n,).
            elapsed: Seconds since each last took thought, (n,).

        Returns:
            Unit vectors, (n, 3).
        """
        self._left[fishes] -= elapsed
        self._turn_over(fishes[self._left[fishes] <= 0], azimuth[self._left[fishes] <= 0])
        strength = norm(better)
        trust = strength / (1.0 + strength)
        level = hypot(better[:, 0], better[:, 1]) / np.maximum(strength, 1e-9)
        bearing = arctan2(better[:, 1], better[:, 0])
        # A goal about ahead needs no steering (§7.8.2).
        close = np.abs(wrap(bearing - azimuth)) <= sigma_for("leave", strength, np.ones(len(fishes)))
        bearing = np.where(close, azimuth, bearing)
        along, own = trust * level, self.course[fishes]
        (sine, cosine), (own_sine, own_cosine) = sin_and_cos(bearing), sin_and_cos(own)
        x = along * cosine + (1.0 - along) * own_cosine
        y = along * sine + (1.0 - along) * own_sine
        slope = (
            trust * STEEPEST_LEAVING * better[:, 2] / np.maximum(strength, 1e-9) + (1.0 - trust) * self.slope[fishes]
        )
        return vector(arctan2(y, x), slope)

    def _turn_over(self, fishes: np.ndarray, azimuth: np.ndarray) -> None:
        """Another random course and slope for these fishes."""
        throw = self.dice.uniform
        self._left[fishes] = throw(fishes, *LEAVING_SPELL_SECONDS)
        self.course[fishes] = azimuth + LEAVING_TURN_ANGLE * throw(fishes, -1.0, 1.0)
        self.slope[fishes] = STEEPEST_LEAVING * throw(fishes, -1.0, 1.0)
