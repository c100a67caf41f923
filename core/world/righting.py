"""Righting: a fish that is thrown on its side or back comes upright again, whatever its fins can do about it.

Fins hold a fish upright that swims (`MotorCenter`), but push with the square of the flow: one that lies on its back in
slack or thin water would stay there. A living fish rights itself by swim bladder and reflex (von Holst 1935, on the
upright posture of fishes), which the book has not. Here a fish that has its back lower than `UPRIGHT_COSINE` allows
turns back at `RIGHTING_RATE`, about the level axis across its back, as a rigid body and without any push.
"""

from __future__ import annotations

import numpy as np

from ..base.sums import total
from ..base.vectors import cross, dot, norm
from .shoal import MASS_SHARES, Shoal
from .tuning import RIGHTING_RATE, RIGHTING_SECONDS, UPRIGHT_COSINE

LEAST_TILT = 1e-6
"""Sine of the angle below which a fish that is on its back may turn either way."""


def right(shoal: Shoal, fishes: np.ndarray, up: np.ndarray, period: float) -> None:
    """Turns those of some fishes back that are thrown over.

    Args:
        shoal: Shoal of all fishes.
        fishes: Fishes that can right themselves, (n,), each once.
        up: Unit vectors up of all fishes, (fish, 3).
        period: Seconds of a frame.
    """
    over = fishes[up[fishes, 2] < UPRIGHT_COSINE]
    if not len(over):
        return
    up, velocity = up[over], shoal.node_velocities[over] - shoal.velocity[over, None]
    arm = shoal.nodes[over] - shoal.center_of_mass[over, None]
    axis = np.stack([up[:, 1], -up[:, 0], np.zeros(len(over))], axis=1)  # up cross z
    tilt = norm(axis)
    axis = np.where(tilt[:, None] > LEAST_TILT, axis / np.maximum(tilt, LEAST_TILT)[:, None], (1.0, 0.0, 0.0))
    turning = cross(axis[:, None], arm)
    inertia = total(MASS_SHARES * dot(turning, turning))
    rate = total(MASS_SHARES * dot(turning, velocity)) / inertia
    share = min(period / RIGHTING_SECONDS, 1.0)
    lacking = np.maximum(share * (RIGHTING_RATE - rate), 0.0)
    shoal.push(over, lacking[:, None, None] * turning)
