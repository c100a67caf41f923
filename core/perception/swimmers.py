"""All fishes as others see them: where their bodies are, how they lie and how they move."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from ..base.sums import mean
from ..body.anatomy import NOSE_NODE

NO_FISH = -1
"""In place of the row of a fish, where there is none."""


@dataclass(frozen=True)
class Swimmers:
    """All fishes at one moment.

    Attributes:
        nodes: Metres, (fish, 23, 3).
        place: Origins of their own frames in metres, (fish, 3).
        frames: Columns ahead, left and up, (fish, 3, 3).
        velocity: Velocities in m/s, over ground unless a routine says through the water, (fish, 3).
        reserve: Reserve of strength for bursts, 1 rested and 0 spent, (fish,); None where no fish tires.
    """

    nodes: np.ndarray
    place: np.ndarray
    frames: np.ndarray
    velocity: np.ndarray
    reserve: np.ndarray | None = None

    @property
    def ahead(self) -> np.ndarray:
        """Headings, (fish, 3)."""
        return self.frames[:, :, 0]

    def but(self, **others: np.ndarray) -> Swimmers:
        """The same fishes with other attributes, none of which are their nodes."""
        same = replace(self, **others)
        vars(same).update(nose=self.nose, middle=self.middle)
        return same

    @cached_property
    def nose(self) -> np.ndarray:
        """Tip of the nose, from which each sees, smells and eats, in metres, (fish, 3)."""
        return self.nodes[:, NOSE_NODE]

    @cached_property
    def middle(self) -> np.ndarray:
        """Means of their nodes in metres, (fish, 3)."""
        return mean(self.nodes, axis=1)
