"""The comfort of fishes in light and warmth, and the direction of improvement (Tu 1999, §7.3 and §7.5)."""

from __future__ import annotations

import numpy as np

from ..base.state import Stateful, state
from ..base.vectors import norm, unit
from ..habitat.ambient import Ambient, around
from .character import Characters
from .intention import ENABLED, LEAVE
from .tuning import (
    DIMMEST_BRIGHTNESS,
    HAVEN_STEPS,
    LIGHT_EASE_SHARE,
    LIGHT_STEP_SHARE,
    WARMTH_EASE_DEGREES,
    WARMTH_STEP_DEGREES,
)


class Comfort(Stateful):
    """Contentment of all fishes.

    A fish that has become uneasy stays so until it is somewhat better than it must be, or it would dither at the
    border. A fish that does not care, or by its type never leaves, is content everywhere. A fish remembers where it was
    last at ease.

    Attributes:
        content: Fishes that are content, (fish,) bool.
        cares: Fishes that mind light or warmth, (fish,) bool.
        haven: Place where each was last at ease in metres, NaN before it ever was, (fish, 3).
    """

    content: np.ndarray = state("?", "fish", begin=True)
    haven: np.ndarray = state("f8", "fish", 3, unit="m", unset=np.nan)

    def __init__(self, characters: Characters, ambient: Ambient, length: np.ndarray):
        """Begins with everybody content.

        Args:
            characters: Characters with the fishes' preferences in light and warmth, and drives with the strength of
                these.
            ambient: Light and warmth of the water.
            length: Metres, (fish,).
        """
        self._fields, self._length = (ambient.brightness, ambient.temperature), length
        leaves = ENABLED[characters.types, LEAVE]
        self._likes = np.stack((characters.light, characters.warmth), axis=1) * leaves[:, None]
        drives = characters.drives
        self._bounds = np.stack(
            (
                np.where(characters.light > 0, drives["bright"], drives["dark"]),
                np.where(characters.warmth > 0, drives["warm"], drives["cold"]),
            ),
            axis=1,
        )
        room = np.where(characters.light > 0, 1.0 - self._bounds[:, 0], self._bounds[:, 0])
        self._ease = np.stack((LIGHT_EASE_SHARE * room, np.full(len(length), WARMTH_EASE_DEGREES)), axis=1)
        self.cares = (self._likes != 0).any(axis=1)
        self._fill(fish=len(length))

    def judge(self, fishes: np.ndarray, place: np.ndarray) -> np.ndarray:
        """Mask of the fishes (n,) that are content at their places (n, 3) in metres, (n,) bool; they remember it."""
        minding = np.flatnonzero(self.cares[fishes])
        if not len(minding):
            return self.content[fishes]
        some = fishes[minding]
        lack = self._lack(some, place[minding])
        at_ease = (lack <= -self._ease[some]).all(axis=1)
        self.content[some] = np.where(self.content[some], (lack <= 0.0).all(axis=1), at_ease)
        self.haven[some[at_ease]] = place[minding[at_ease]]
        return self.content[fishes]

    def better(self, fishes: np.ndarray, place: np.ndarray) -> np.ndarray:
        """The direction of improvement, by what each fish can tell across its own length, and remembers.

        Args:
            fishes: Rows of n distinct fishes, (n,).
            place: Metres, (n, 3).

        Returns:
            A vector whose length counts the steps that it can just tell apart, with `HAVEN_STEPS` of them towards its
            haven; nothing where it neither feels nor remembers, (n, 3).
        """
        felt = np.zeros(place.shape)
        for column, field in enumerate(self._fields):
            mind = np.flatnonzero(self._likes[fishes, column])
            who = fishes[mind]
            value, change = around(field, place[mind], self._length[who])
            step = WARMTH_STEP_DEGREES if column else LIGHT_STEP_SHARE * np.maximum(value, DIMMEST_BRIGHTNESS)
            likes, ease = self._likes[who, column], self._ease[who, column]
            wanting = likes * (self._bounds[who, column] - value) > -ease  # comfort pulls no farther
            felt[mind] += (wanting * likes / step)[:, None] * change
        back = self.haven[fishes] - place
        recalled = np.where(np.isnan(back), 0.0, HAVEN_STEPS * unit(back))
        return np.where(norm(felt)[:, None] < 1.0, 0.0, felt) + recalled

    def _lack(self, fishes: np.ndarray, place: np.ndarray) -> np.ndarray:
        """The shortfall of brightness and warmth from what each bears, -inf where it does not care, (n, 2)."""
        likes, bounds = self._likes[fishes], self._bounds[fishes]
        lack = np.full(likes.shape, -np.inf)
        for column, field in enumerate(self._fields):
            mind = np.flatnonzero(likes[:, column])
            lack[mind, column] = likes[mind, column] * (bounds[mind, column] - field(place[mind]))
        return lack
