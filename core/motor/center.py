"""The motor center, which turns commands into the parameters of muscles and fins, once a frame.

It adds what the book leaves to experiment: feedback. A turn goes on until the heading, averaged over a beat, is
the commanded one, and the fish then stays on that course; the fins pitch the body to the commanded path and keep it
upright.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ..base.state import Stateful, state
from ..compiled import stack
from ..scene.species import Species
from .commands import Commands
from .drive import DRIVE, Drive, motor
from .learned import LearnedMotors
from .paddling import Paddles
from .sprint import Sprints
from .tuning import (
    LONGEST_PUSH_SECONDS,
    ON_COURSE_ANGLE,
)


class MotorCenter(Stateful):
    """Runs the nine motor controllers for all fishes of a world."""

    _slope_trim: np.ndarray = state("f8", "fish")
    _course: np.ndarray = state("f8", "fish", unit="rad", unset=np.nan)
    _turn_command: np.ndarray = state("f8", "fish", key="_asked")
    _heading: np.ndarray = state("f8", "fish", unit="rad")
    _left: np.ndarray = state("f8", "fish")
    _off: np.ndarray = state("f8", "fish")
    _trim: np.ndarray = state("f8", "fish")
    _yaw_rate: np.ndarray = state("f8", "fish", unit="rad/s")
    _pitch_rate: np.ndarray = state("f8", "fish", unit="rad/s")
    _roll_rate: np.ndarray = state("f8", "fish", unit="rad/s")
    _beating: np.ndarray = state("f8", 2, "fish")  # frequency and amplitude
    _phase: np.ndarray = state("f8", "fish", unit="rad")
    _sway: np.ndarray = state("f8", 2, "fish")
    _last: np.ndarray | None = state("f8", 3, "fish", late=True)
    _bent: np.ndarray = state("f8", "fish")  # contraction of the turning segments, left positive

    def __init__(
        self,
        species: Sequence[Species],
        kind: np.ndarray,
        fluid: float = 1.0,
        slowness: np.ndarray | float = 1.0,
        steadiness: np.ndarray | float = 1.0,
    ):
        """Begins at rest.

        Args:
            species: The species that occur.
            kind: Row of each fish's species, (fish,).
            fluid: Factor on the forces of the water.
            slowness: Factor on the time that each takes for a beat or a stroke, over that of its kind, (fish,).
            steadiness: Share of the feedback that each applies, (fish,); without any it keeps no course.
        """
        self._fluid = fluid
        self.sprints, self.paddles = Sprints(species, kind, slowness), Paddles(species, kind, slowness)
        self._learned = LearnedMotors(species, kind, slowness)
        rhythms, steerings = [s.rhythm for s in species], [s.steering for s in species]
        turn_angles = np.array([s.pectoral.turn_angles for s in species]).reshape(-1, 2)[kind].T
        self._steering = {
            name: np.array([getattr(s, name) for s in steerings]).reshape(-1, 4)[kind]
            for name in ("front", "middle", "rate")
        }
        self._fill(fish=len(kind))
        self._fish = stack(
            DRIVE,
            "fish",
            beat=np.array([r.tail_beat for r in rhythms])[kind] / slowness,
            slow_beat=np.array([r.slow_beat for r in rhythms])[kind],
            slow_amplitude=np.array([r.slow_amplitude for r in rhythms])[kind],
            lead=np.array([s.lead for s in steerings])[kind],
            row=np.array([s.pectoral.row for s in species])[kind],
            turn=np.array([s.pectoral.turn for s in species])[kind],
            flap=np.array([s.pectoral.flap for s in species])[kind],
            turn_begin=turn_angles[0],
            turn_full=turn_angles[1],
            turn_braking=np.array([s.pectoral.brake for s in species])[kind],
            leans=np.array([s.lean for s in steerings])[kind],
            contraction=np.array([s.contraction for s in steerings])[kind],
            release=np.array([s.release for s in steerings])[kind],
            spread=np.array([s.pectoral.spread for s in species])[kind],
            steadiness=np.ones(len(kind)) * steadiness,
            **self.sprints.traits,
            **self.paddles.traits,
            **self._learned.traits,
        )

    @property
    def course(self) -> np.ndarray:
        """Azimuth in radians that each fish steers, (fish,)."""
        return self._course

    @property
    def base(self) -> np.ndarray:
        """Azimuth in radians from which a turn begun now counts, (fish,): the course of a fish that is nearly on it."""
        on_course = np.abs(self._course - self._heading) < ON_COURSE_ANGLE
        return np.where(on_course, self._course, self._heading)

    def follow(self, fishes: np.ndarray, course: np.ndarray, heading: np.ndarray) -> None:
        """Sets the courses (n,) of fishes (n,) that something else moves, by its count of their headings (n,)."""
        whole = 2.0 * np.pi * np.rint((self._heading[fishes] - heading) / (2.0 * np.pi))
        self._course[fishes], self._trim[fishes] = course + whole, 0.0

    def drive(
        self, commands: Commands, frames: np.ndarray, velocity: np.ndarray, length: np.ndarray, dt: float
    ) -> Drive:
        """Parameters of muscles and fins for the next `dt` seconds.

        Args:
            commands: One per fish.
            frames: Columns ahead, left, up of each fish's own frame, (fish, 3, 3).
            velocity: Velocity relative to the water in m/s, (fish, 3).
            length: Body lengths in metres, (fish,).
            dt: Seconds to the next call.
        """
        begins = self._last is None
        if self._last is None:
            self._last = np.empty((3, len(length)))
        sprints, paddles, fishes = self.sprints, self.paddles, len(length)
        frequency, amplitude, rate, curl, fling = np.empty((5, fishes))
        bend, gamma, row, stroke = np.empty((4, 2, fishes))
        drive = Drive(frequency, amplitude, bend, rate, curl, fling, gamma, row, stroke)
        DRIVE(
            motor=motor(dt, self._calm(dt)),
            fish=self._fish,
            hastes=self._learned.haste,
            learned=self._learned.frequency,
            fronts=self._steering["front"],
            middles=self._steering["middle"],
            bend_rates=self._steering["rate"],
            frames=frames,
            velocities=velocity,
            lengths=length,
            swim=commands.swim,
            turn=commands.turn,
            climb=commands.climb,
            back=commands.back,
            burst=commands.burst,
            cstart=commands.cstart,
            prolonged=commands.prolonged,
            brake=commands.brake,
            slope_trim=self._slope_trim,
            course=self._course,
            turn_command=self._turn_command,
            heading=self._heading,
            left=self._left,
            off=self._off,
            trim=self._trim,
            yaw_rate=self._yaw_rate,
            pitch_rate=self._pitch_rate,
            roll_rate=self._roll_rate,
            beating=self._beating,
            phase=self._phase,
            sway=self._sway,
            last=self._last,
            bent=self._bent,
            reserve=sprints.reserve,
            since=sprints._since,
            side=sprints._side,
            bends=sprints._bends,
            command=sprints._command,
            stroke=paddles.phase,
            reach=paddles.reach,
            tail=paddles.tail,
            push=paddles._push,
            wish=paddles._wish,
            frequency=drive.frequency,
            amplitude=drive.amplitude,
            bend=drive.bend,
            rate=drive.rate,
            curl=drive.curl,
            fling=drive.fling,
            gamma=drive.gamma,
            row=drive.row,
            strokes=drive.stroke,
            begins=begins,
        )
        return drive

    def _calm(self, dt: float) -> float:
        """Share of their angle that fins take: hard pushes, long before they are set anew, throw a fish over."""
        return min(LONGEST_PUSH_SECONDS / (max(self._fluid, 1.0) * dt), 1.0)
