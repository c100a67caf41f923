"""Puppetry: fishes that do not live by their own minds and bodies alone, such as those that repeat a recording."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ..motor.commands import Commands
from .parts import Parts


class Puppetry:
    """Interventions of a world in its fishes' lives, stage by stage; this one does nothing."""

    def lead(self, t: float, commands: Commands) -> Commands:
        """The commands of all fishes from `t` seconds on, after minds or a pilot have decided."""
        return commands

    def contained(self, parts: Parts) -> None:
        """Follows after bodies have been kept in the tank and apart."""

    def gaped(self, parts: Parts, eaters: np.ndarray) -> np.ndarray:
        """Follows after mouths have opened and closed; the fishes that may swallow, of those that would (n,)."""
        return eaters

    def spared(self, fishes: np.ndarray) -> np.ndarray:
        """Mask of these fishes (n,) that no mouth swallows, whatever comes before it, (n,)."""
        return np.zeros(len(fishes), dtype=bool)

    def sucking(self, parts: Parts, fishes: np.ndarray, places: np.ndarray) -> None:
        """Comes before these fishes (n,), whose mouths are at (n, 3) metres, draw in plankton."""

    def fed(self, parts: Parts, events: Sequence[dict[str, Any]]) -> None:
        """Follows after all have eaten, with what happened there, as in `Recording.events` less the frame."""

    def ended(self, parts: Parts) -> None:
        """Follows at the end of the frame."""
