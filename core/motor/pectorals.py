"""The push of the pectoral fins (Tu 1999, §4.6.2, eq. 4.16), and the motion that they are seen to make (app. B)."""

from __future__ import annotations

import numpy as np

from ..body.dynamics import BodyModel
from ..body.integrators import fin_weights
from ..species import Species


class PectoralForces:
    """The water's push on the two fins of a block of fishes, in the book's units.

    F = -mu A |w| (n.w) n, eq. 4.16 with the fluid viscosity that it lacks. The flow w is that at the nodes which
    carry the fin, so that a rolling or heaving fish is steadied, plus one documented term that is not in the
    book, switched off by `flap` = 0: fins that beat all the time, as in appendix B, meet water even while the
    fish rests. A fin that rows backwards meets the water at its rowing speed.
    """

    def __init__(self, species: Species, model: BodyModel, fishes: int):
        """Prepares for blocks of this many fishes."""
        fins = species.pectoral
        self._strength = model.fluid_viscosity * fins.area * model.length**2
        self._flap = fins.flap * model.length * species.time_scale
        self.weights = fin_weights(fins.lever)
        self._flow = np.empty((2, 3, fishes))

    def push(
        self, x: np.ndarray, v: np.ndarray, water: np.ndarray, gamma: np.ndarray, row: np.ndarray
    ) -> np.ndarray:
        """The force on the left and the right fin, (2, 3, fish).

        Args:
            x: Positions, (23, 3, fish).
            v: Velocities, (23, 3, fish).
            water: Velocity of the water, (3, fish).
            gamma: Angles of the fins in radians, (2, fish).
            row: Rowing speed, 0 or more, (fish,).
        """
        ahead = x[1:5].sum(axis=0) - x[9:13].sum(axis=0)
        ahead /= np.sqrt((ahead * ahead).sum(axis=0))
        up = x[5] + x[6] - x[7] - x[8]
        up -= (up * ahead).sum(axis=0) * ahead
        up /= np.sqrt((up * up).sum(axis=0))
        flow = self._flow
        np.matmul(self.weights, v.reshape(len(v), -1), out=flow.reshape(2, -1))
        flow += (self._flap + row) * ahead - water
        normal = np.cos(gamma)[:, None] * ahead + np.sin(gamma)[:, None] * up
        across = (normal * flow).sum(axis=1)
        across *= np.sqrt((flow * flow).sum(axis=1))
        across *= -self._strength
        return across[:, None] * normal


FLAP_BEAT, FLAP_BEAT_MORE = 1.2, 2.5
FLAP_REACH, FLAP_REACH_MORE = 0.12, 0.5
OAR_BEAT, OAR_BEAT_MORE = 0.7, 1.1


class FinMotion:
    """What the fins are seen to do: flapping and oaring (Tu 1999, app. B).

    Amplitude and rate of the flapping grow with |gamma - pi/2| and are never zero; the rate of the oaring grows
    with the speed. In a turn the two sides oar against each other; in a brake or a retreat both oar backwards.

    Attributes:
        flap_phase: Phase of the flapping, left and right, (2, fish).
        oar: Angle of the oaring in radians, (2, fish).
    """

    def __init__(self, oaring: np.ndarray, start: np.ndarray):
        """Begins at any phase, so that fishes do not flap in step.

        Args:
            oaring: How far each fish's fins are seen oaring rather than flapping, (fish,).
            start: Phase that each fish begins at in radians, (fish,).
        """
        self._oaring = oaring
        self.flap_phase = np.stack([start, start])
        self.oar = np.zeros((2, len(start)))
        self._effort = np.zeros((2, len(start)))

    def advance(self, dt: float, gamma: np.ndarray, speed: np.ndarray, turn: np.ndarray, back: np.ndarray) -> None:
        """Moves on by `dt` seconds.

        Args:
            dt: Seconds.
            gamma: Angles of the fins, (2, fish).
            speed: Speed in body lengths a second, (fish,).
            turn: Bend of the body, left positive, -1 to 1, (fish,).
            back: Whether the fins row backwards, (fish,) bool.
        """
        effort = np.minimum(np.abs(gamma - np.pi / 2) / (np.pi / 4), 1.0)
        self._effort += (1.0 - np.exp(-dt / 0.15)) * (effort - self._effort)
        self.flap_phase += 2 * np.pi * dt * (FLAP_BEAT + FLAP_BEAT_MORE * self._effort)
        rate = self._oaring * (OAR_BEAT + OAR_BEAT_MORE * np.minimum(speed, 3.0))
        inner = np.clip(2.0 * np.abs(turn), 0.0, 2.0)  # 1 stops the inner fin, 2 lets it oar backwards
        sides = np.stack([np.where(turn > 0, 1.0 - inner, 1.0), np.where(turn < 0, 1.0 - inner, 1.0)])
        sides = np.where(back, -1.0, sides)
        rate = np.where(back, np.maximum(rate, OAR_BEAT + OAR_BEAT_MORE), rate)
        self.oar += 2 * np.pi * dt * rate * sides

    def fins(self, gamma: np.ndarray) -> np.ndarray:
        """What a recording keeps of the fins, (fish, 2, 3): gamma, flap and oar of left and right."""
        reach = FLAP_REACH + FLAP_REACH_MORE * self._effort
        return np.stack([gamma, reach * np.sin(self.flap_phase), self.oar], axis=-1).transpose(1, 0, 2)
