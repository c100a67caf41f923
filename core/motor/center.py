"""The motor center: what turns commands into the parameters of muscles and fins, once a frame.

It adds what the book leaves to experiment: feedback. A turn goes on until the heading, averaged over a beat, is
where it was told to be, and that course is then held; the fins pitch the body to the path that was asked for and
keep it upright.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ..species import Species
from . import controllers
from .commands import Commands

PITCH_GAIN, PITCH_DAMPING = 3.0, 0.6  # fin angle asked for a radian off the path, and for a radian a beat
ROLL_GAIN, ROLL_DAMPING = 2.0, 0.5
PATH_SHARE = 0.7  # share of the path's own angle, over that of the body, in what the fins correct
AVERAGING = 0.35  # beats over which the heading is smoothed


@dataclass
class Drive:
    """What the muscles and fins of all fishes are to do until the next frame.

    Attributes:
        frequency: Tail beats a second, (fish,).
        amplitude: Share of the best contractions, (fish,).
        bend: Contraction of the two turning segments, left positive, (2, fish).
        rate: Full contractions of the turning segments a second, (fish,).
        gamma: Angles of the pectoral fins in radians, (2, fish).
        row: Rowing speed in body lengths a second, (fish,).
    """

    frequency: np.ndarray
    amplitude: np.ndarray
    bend: np.ndarray
    rate: np.ndarray
    gamma: np.ndarray
    row: np.ndarray


class MotorCenter:
    """Runs the nine motor controllers for all fishes of a world."""

    def __init__(self, species: Sequence[Species], kind: np.ndarray):
        """Begins at rest.

        Args:
            species: The species that occur.
            kind: Row of each fish's species, (fish,).
        """
        rhythms, steerings = [s.rhythm for s in species], [s.steering for s in species]
        self._beat = np.array([r.tail_beat for r in rhythms])[kind]
        self._slow_beat = np.array([r.slow_beat for r in rhythms])[kind]
        self._slow_amplitude = np.array([r.slow_amplitude for r in rhythms])[kind]
        self._steering = {name: np.array([getattr(s, name) for s in steerings])[kind] for name in ("front", "middle", "rate")}
        self._lead = np.array([s.lead for s in steerings])[kind]
        self._row = np.array([s.pectoral.row for s in species])[kind]
        self._course = np.full(len(kind), np.nan)
        self._asked = np.zeros(len(kind))
        self._heading = np.zeros(len(kind))
        self._yaw_rate, self._pitch_rate, self._roll_rate = (np.zeros(len(kind)) for _ in range(3))
        self._last: np.ndarray | None = None

    @property
    def course(self) -> np.ndarray:
        """Azimuth in radians that each fish steers, (fish,)."""
        return self._course

    def drive(self, commands: Commands, frames: np.ndarray, velocity: np.ndarray, length: np.ndarray, dt: float) -> Drive:
        """What muscles and fins are to do in the next `dt` seconds.

        Args:
            commands: One a fish.
            frames: Columns ahead, left, up of each fish's own frame, (fish, 3, 3).
            velocity: Velocity relative to the water in m/s, (fish, 3).
            length: Body lengths in metres, (fish,).
            dt: Seconds to the next call.
        """
        ahead, left = frames[:, :, 0], frames[:, :, 1]
        azimuth = np.arctan2(ahead[:, 1], ahead[:, 0])
        pitch = np.arcsin(np.clip(ahead[:, 2], -1.0, 1.0))
        roll = np.arctan2(left[:, 2], frames[:, 2, 2])
        self._sense(azimuth, pitch, roll, dt)

        back = np.clip(commands.back, 0.0, 1.0)
        stopped = np.asarray(commands.brake, dtype=bool) | (back > 0)
        speed = np.where(stopped, controllers.glide(len(back)), np.clip(commands.swim, 0.0, 1.0))
        frequency, amplitude = controllers.swim(speed, self._beat, self._slow_beat, self._slow_amplitude)
        bend, rate = self._steer(np.asarray(commands.turn, dtype=float))

        gamma = self._fins(np.asarray(commands.climb, dtype=float), pitch, roll, velocity, length)
        broadside, row = controllers.backward(back, self._row)
        gamma = np.where(stopped, broadside, gamma)
        return Drive(frequency, amplitude, bend, rate * self._beat, gamma, row)

    def _sense(self, azimuth: np.ndarray, pitch: np.ndarray, roll: np.ndarray, dt: float) -> None:
        """Follows the smoothed heading and the rates of yaw, pitch and roll, in radians a beat."""
        now = np.stack([azimuth, pitch, roll])
        if self._last is None:
            self._last, self._heading, self._course = now, azimuth.copy(), azimuth.copy()
        rates = wrap(now - self._last) / (dt * self._beat)
        self._last = now
        share = 1.0 - np.exp(-dt * self._beat / AVERAGING)
        self._heading += share * wrap(azimuth - self._heading)
        for smoothed, rate in zip((self._yaw_rate, self._pitch_rate, self._roll_rate), rates, strict=True):
            smoothed += share * (rate - smoothed)

    def _steer(self, turn: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Bend and rate for what is left of the turn; a change to a non-zero value begins a new one."""
        begun = (turn != 0) & (turn != self._asked)
        self._asked = turn.copy()
        self._course = np.where(begun, self._heading + turn, self._course)
        predicted = self._heading + (AVERAGING + self._lead) * self._yaw_rate
        # The course is not wrapped: a turn of 180 degrees and more goes the way that it was asked for.
        left = self._course - predicted
        contraction, rate = controllers.left_turn(np.abs(left), self._steering)
        return np.sign(left) * contraction, rate

    def _fins(
        self, climb: np.ndarray, pitch: np.ndarray, roll: np.ndarray, velocity: np.ndarray, length: np.ndarray
    ) -> np.ndarray:
        """Fin angles that lead the path to the angle asked for and the body to the upright."""
        level = np.hypot(velocity[:, 0], velocity[:, 1])
        speed = np.hypot(level, velocity[:, 2])
        path = np.arctan2(velocity[:, 2], level)
        trust = PATH_SHARE * np.minimum(speed / (0.3 * length), 1.0)  # a resting fish has no path
        steepness = climb - (1.0 - trust) * pitch - trust * path
        wanted = PITCH_GAIN * steepness - PITCH_DAMPING * self._pitch_rate
        gamma = np.where(wanted > 0, controllers.ascend(wanted), controllers.descend(-wanted))
        return controllers.balance(ROLL_GAIN * roll + ROLL_DAMPING * self._roll_rate, gamma)


def wrap(angle: np.ndarray) -> np.ndarray:
    """The same angles within -pi and pi."""
    return (angle + np.pi) % (2.0 * np.pi) - np.pi
