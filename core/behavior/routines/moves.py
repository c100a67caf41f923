"""What a routine makes fishes do."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class Moves:
    """What some fishes, n of them, do by one routine.

    Attributes:
        wish: Unit vector where each would go, (n, 3).
        pace: Share of full speed, (n,).
        hold: Whether it hovers on the spot, (n,) bool.
        back: Speed of a retreat, 0 to 1, (n,).
    """

    wish: np.ndarray
    pace: np.ndarray
    hold: np.ndarray
    back: np.ndarray
