"""Motor controllers of the pectoral fins that replicas are seen by: ascend, descend and brake (Tu 1999, §4.6).

The motor center has all nine (drive.c). Four act on the muscles: swim, left turn, right turn and glide. Five act on the
pectoral fins: those here, balance and backward. Each maps the commands of many fishes at once to the parameters of
their muscles or fins. Contractions are shares of the most that a muscle can shorten, 1 - r in the book's terms, and
rates are contractions a second.
"""

from __future__ import annotations

import numpy as np

from .tuning import FIN_BRAKING_ANGLE, FIN_LEVEL_ANGLE


def ascend(angle: np.ndarray) -> np.ndarray:
    """Ascend-MC: an angle of ascent from 0 to pi/2 becomes gamma from pi/2 to 3 pi/4."""
    return FIN_LEVEL_ANGLE + 0.5 * np.clip(angle, 0.0, np.pi / 2)


def descend(angle: np.ndarray) -> np.ndarray:
    """Descend-MC: an angle of descent from 0 to pi/2 becomes gamma from pi/2 to pi/4."""
    return FIN_LEVEL_ANGLE - 0.5 * np.clip(angle, 0.0, np.pi / 2)


def brake(fishes: int) -> np.ndarray:
    """Brake-MC: both fins broadside to the flow, gamma = pi, (2, fish)."""
    return np.full((2, fishes), FIN_BRAKING_ANGLE)
