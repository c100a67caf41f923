"""The motor center, which turns commands into the parameters of muscles and fins, once a frame.

It adds what the book leaves to experiment: feedback. A turn goes on until the heading, averaged over a beat, is
the commanded one, and the fish then stays on that course; the fins pitch the body to the commanded path and keep it
upright.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ..base.elementary import arcsin, arctan2, exp, hypot, sin_and_cos
from ..base.state import Stateful, state
from ..base.sums import mean, total
from ..base.vectors import dot, wrap
from ..compiled import stack
from ..scene.species import Species
from . import controllers
from .commands import Commands
from .drive import DRIVE, Drive, motor
from .learned import LearnedMotors
from .paddling import Paddles
from .sprint import Sprints
from .tuning import (
    BEAT_FADE_SPEED,
    BENT_HEAD,
    BRAKING_ROW,
    CSTART_RATE,
    FIN_LEVEL_ANGLE,
    FIN_TURN_LEAST,
    HEADING_BEATS,
    KICK_RESERVE,
    KICK_SHARE,
    KICK_SPEEDS,
    LEAN,
    LEANING_ANGLE,
    LEANING_SPEED,
    LONGEST_PUSH_SECONDS,
    MOST_DAMPING,
    MOST_SLOPE_TRIM,
    MOST_TRIM,
    MOVING_SPEED,
    ON_COURSE_ANGLE,
    PATH_SHARE,
    PITCH_DAMPING,
    PITCH_GAIN,
    REST_YAWING,
    RETREAT_YAW_ANGLE,
    RETREAT_YAW_GAIN,
    ROLL_DAMPING,
    ROLL_GAIN,
    SLOPE_TRIM_ERROR,
    SLOPE_TRIM_GAIN,
    STEADYING_SECONDS,
    SWAY_BENDING,
    SWAY_FRAMES,
    SWAY_NOTCH,
    SWIFT_FINS,
    TRIM_GAIN,
    TRIMMED_ANGLE,
    TURN_BRAKING_ANGLES,
    UNTRIM_GAIN,
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
        self._fluid, self._steadiness = fluid, np.ones(len(kind)) * steadiness
        self.sprints, self.paddles = Sprints(species, kind, slowness), Paddles(species, kind, slowness)
        self._learned = LearnedMotors(species, kind, slowness)
        rhythms, steerings = [s.rhythm for s in species], [s.steering for s in species]
        self._beat = np.array([r.tail_beat for r in rhythms])[kind] / slowness
        self._slow_beat = np.array([r.slow_beat for r in rhythms])[kind]
        self._slow_amplitude = np.array([r.slow_amplitude for r in rhythms])[kind]
        self._steering = {
            name: np.array([getattr(s, name) for s in steerings]).reshape(-1, 4)[kind]
            for name in ("front", "middle", "rate")
        }
        self._lead = np.array([s.lead for s in steerings])[kind]
        self._contraction = np.array([s.contraction for s in steerings])[kind]
        self._release = np.array([s.release for s in steerings])[kind]
        self._row = np.array([s.pectoral.row for s in species])[kind]
        self._turn = np.array([s.pectoral.turn for s in species])[kind]
        self._turn_angles = np.array([s.pectoral.turn_angles for s in species]).reshape(-1, 2)[kind].T
        self._turn_braking = np.array([s.pectoral.brake for s in species])[kind]
        self._lean = np.array([s.steering.lean for s in species])[kind]
        self._flap = np.array([s.pectoral.flap for s in species])[kind]
        self._spread = np.array([s.pectoral.spread for s in species])[kind]
        self._fill(fish=len(kind))
        self._fish = stack(
            DRIVE,
            "fish",
            beat=self._beat,
            slow_beat=self._slow_beat,
            slow_amplitude=self._slow_amplitude,
            lead=self._lead,
            row=self._row,
            turn=self._turn,
            flap=self._flap,
            turn_begin=self._turn_angles[0],
            turn_full=self._turn_angles[1],
            turn_braking=self._turn_braking,
            leans=self._lean,
            contraction=self._contraction,
            release=self._release,
            spread=self._spread,
            steadiness=self._steadiness,
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
        return self._driven(commands, frames, velocity, length, dt) or self._drive(
            commands, frames, velocity, length, dt
        )

    def _driven(
        self, commands: Commands, frames: np.ndarray, velocity: np.ndarray, length: np.ndarray, dt: float
    ) -> Drive | None:
        """The compiled form of `drive`; None where there is none, and at the first call."""
        if self._last is None:
            return None
        sprints, paddles, fishes = self.sprints, self.paddles, len(length)
        frequency, amplitude, rate, curl, fling = np.empty((5, fishes))
        bend, gamma, row, stroke = np.empty((4, 2, fishes))
        drive = Drive(frequency, amplitude, bend, rate, curl, fling, gamma, row, stroke)
        done = DRIVE(
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
        )
        return drive if done else None

    def _drive(
        self, commands: Commands, frames: np.ndarray, velocity: np.ndarray, length: np.ndarray, dt: float
    ) -> Drive:
        """The plain form of `drive`."""
        ahead, left = frames[:, :, 0], frames[:, :, 1]
        azimuth = arctan2(ahead[:, 1], ahead[:, 0])
        pitch = arcsin(np.clip(ahead[:, 2], -1.0, 1.0))
        roll = arctan2(left[:, 2], frames[:, 2, 2])
        self._sense(azimuth, pitch, roll, dt)

        back = np.clip(commands.back, 0.0, 1.0) + 0.0  # so that no zero has a sign
        stopped = np.asarray(commands.brake, dtype=bool) | (back > 0)
        along = dot(velocity, ahead) / length
        swim = np.where(stopped, controllers.glide(len(back)), self.sprints.pace(np.clip(commands.swim, 0.0, 1.0)))
        wish = np.maximum(np.asarray(commands.burst, dtype=float), self._steadiness * self._kick(swim, along))
        burst = self.sprints.burst(np.where(stopped, 0.0, wish), dt)
        speed = np.maximum(swim, burst)
        frequency, amplitude = self._swim(speed)
        frequency = frequency * self._learned.hurry(self._left)
        frequency += burst * (self.sprints.beat - frequency)
        # A fish that only gathers speed beats quicker, not wider.
        amplitude *= 1.0 + np.clip(commands.burst, 0.0, burst) * (self.sprints.width - 1.0)
        curl, flung = self.sprints.cstart(np.asarray(commands.cstart, dtype=float), self._left, dt)
        amplitude = np.where(curl != 0, 0.0, amplitude)
        push = self.paddles.advance(self.paddles.speed(speed, burst, frequency), along, dt)
        amplitude = amplitude * self.paddles.tail
        self._beating = np.stack([frequency, amplitude])
        moving = np.clip(along / MOVING_SPEED, 0.0, 1.0)
        level = self._steadiness * hypot(ahead[:, 0], ahead[:, 1])
        turn = np.where(flung, commands.cstart, np.asarray(commands.turn, dtype=float))
        bend, rate = self._steer(turn, level, moving, dt)
        bend = np.where(curl != 0, 0.0, bend)

        gamma = self._fins(np.asarray(commands.climb, dtype=float), moving, pitch, roll, velocity, length, dt)
        broadside, row = controllers.backward(back, self._row)
        row = row * (1.0 + RETREAT_YAW_GAIN * self._inner_yaw())
        # Fins that turn row against each other, whatever the flow along the fish.
        oars = self._oars() * (burst <= KICK_SHARE)  # in a burst they are folded
        turning = (oars != 0) & (back == 0) & (curl == 0)  # in a C-start the fins are folded
        begin, full = TURN_BRAKING_ANGLES
        braking = self._turn_braking * np.clip((np.abs(self._left) - begin) / (full - begin), 0.0, 1.0)
        row = np.where(turning, oars - (1.0 - braking) * along + BRAKING_ROW * stopped, row)
        strokes = self.paddles.sides(push, self._left)
        paddling = ~turning & ~stopped & (strokes > 0.0) & (curl == 0)
        row = np.where(paddling, -along - strokes, row)
        # In a glide they are held out, and give way: the water meets them at a share of its speed.
        idle = ~turning & ~stopped & (speed < BEAT_FADE_SPEED) & (strokes == 0.0) & (curl == 0)
        gliding = idle & (self._spread > 0.0) & (along > 0.0)
        row = np.where(gliding, (self._spread - 1.0) * along, row)
        # Broadside fins balance too: tilted off the flow, they lift as much as fins along it. Where they row forward,
        # or a fish is pushed backwards faster than its fins flap, the flow comes from behind and lifts the other way.
        flow = along + row
        behind = ~turning & (flow * np.abs(flow) + np.square(self._flap) < 0.0)
        tilt = np.where(turning, np.sign(oars), np.where(behind, -1.0, 1.0)) * (gamma - FIN_LEVEL_ANGLE)
        gamma = np.where(stopped | turning | paddling | gliding, broadside - tilt, FIN_LEVEL_ANGLE + tilt)
        rate = rate * np.maximum(self._beat, frequency)
        self._follow_bend(bend, rate, dt)
        stroke = np.stack([self.paddles.phase, self.paddles.reach])
        return Drive(frequency, amplitude, bend, rate, curl, CSTART_RATE * self.sprints.beat, gamma, row, stroke)

    def _swim(self, speed: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Beats and their widths at a share of full speed, (fish,) each, by hand-made or learned controllers."""
        made = controllers.swim(speed, self._beat, self._slow_beat, self._slow_amplitude)
        return self._learned.swim(speed, *made)

    def _kick(self, swim: np.ndarray, along: np.ndarray) -> np.ndarray:
        """Share of its burst that each fish gives to gather speed, (fish,): one that starts beats faster than it will.

        Args:
            swim: Share of full speed that it means to swim, (fish,).
            along: Speed ahead in lengths a second, (fish,).
        """
        beats, width = self._swim(swim)
        full, none = KICK_SPEEDS
        kick = KICK_SHARE * np.clip((none - along / self._learned.meant(swim, beats)) / (none - full), 0.0, 1.0)
        kicks = ~self.paddles.able & (width > 0.0) & (self.sprints.reserve > KICK_RESERVE)
        return np.where(kicks, np.minimum(width, 1.0) * kick, 0.0)

    def _sense(self, azimuth: np.ndarray, pitch: np.ndarray, roll: np.ndarray, dt: float) -> None:
        """Updates the smoothed heading, the rate of yaw in radians a beat and those of pitch and roll a second."""
        # A bent body turns its head, and the fish, who knows its bend, takes that for no turn either.
        azimuth = azimuth - BENT_HEAD * self._bent
        now = np.stack([azimuth, pitch, roll])
        if self._last is None:
            self._last, self._heading, self._course = now, azimuth.copy(), azimuth.copy()
        pitching, rolling = wrap(now[1:] - self._last[1:]) / dt
        self._last = now
        # With every beat the head sways; the fish, who knows its beat, takes that for no turn.
        self._phase, wave = self._wave(dt)
        ahead = wrap(azimuth - self._heading) - total(self._sway * wave, axis=0)
        self._sway += np.minimum(4.0 * np.pi * SWAY_NOTCH * self._beating[0] * dt, 1.0) * ahead * wave
        yawed = (1.0 - exp(-dt * self._beat / HEADING_BEATS)) * ahead
        self._heading += yawed
        self._yaw_rate = yawed / (dt * self._beat)
        share = 1.0 - exp(-dt / STEADYING_SECONDS)
        self._pitch_rate += share * (pitching - self._pitch_rate)
        self._roll_rate += share * (rolling - self._roll_rate)

    def _follow_bend(self, bend: np.ndarray, rate: np.ndarray, dt: float) -> None:
        """Updates the bend that the turning segments will have in `dt` seconds, as `Muscles` compute it."""
        to = mean(bend, axis=0) * self._contraction
        pace = rate * dt * self._contraction * np.where(np.abs(to) < np.abs(self._bent), self._release, 1.0)
        self._bent += np.clip(to - self._bent, -pace, pace)

    def _wave(self, dt: float) -> tuple[np.ndarray, np.ndarray]:
        """Phase of the beat in `dt` seconds, (fish,), and its sine and cosine with its amplitude, (2, fish)."""
        frequency, amplitude = self._beating
        phase = (self._phase + 2.0 * np.pi * frequency * dt) % (2.0 * np.pi)
        return phase, amplitude * np.stack(sin_and_cos(phase))

    def _steer(
        self, turn: np.ndarray, level: np.ndarray, moving: np.ndarray, dt: float
    ) -> tuple[np.ndarray, np.ndarray]:
        """Bend and rate for what is left of the turn; a change to a non-zero value begins a new one."""
        begun = (turn != 0) & (turn != self._turn_command)
        self._turn_command = turn.copy()
        self._course = np.where(begun, self.base + turn, self._course)
        # Neither course nor heading is wrapped: a turn of 180 degrees and more goes the way of the command.
        # A degree of azimuth is less of a turn for a fish that climbs.
        remainder = level * (self._course - self._heading)
        self._off = np.abs(remainder)
        self._left = remainder - level * (HEADING_BEATS + self._lead) * self._yaw_rate
        # A trim that has gone too far is taken back faster than it came.
        haste = np.where(remainder * self._trim < 0, UNTRIM_GAIN, TRIM_GAIN)
        gain = haste * dt * self._beat * remainder * (self._off < TRIMMED_ANGLE)
        self._trim = np.clip(np.where(begun, 0.0, self._trim + gain), -MOST_TRIM, MOST_TRIM)
        # To bend is of little use to a fish that rests or retreats: its head only wags the more.
        small = REST_YAWING * (1.0 - moving)
        bend = self._left - np.clip(self._left, -small, small) + self._trim
        # Against the part of its sway that it can foresee the fish bends, and so keeps its head still.
        _, wave = self._wave(dt)
        first, last = SWAY_FRAMES
        timely = np.clip((last - self._beating[0] * dt) / (last - first), 0.0, 1.0)
        bend -= SWAY_BENDING * self._steadiness * moving * timely * total(self._sway * wave, axis=0)
        contraction, rate = controllers.left_turn(np.abs(bend), self._steering)
        return np.sign(bend) * contraction, rate

    def _oars(self) -> np.ndarray:
        """Speed at which each fin meets the water to help a turn along, in lengths a second, (2, fish), left first."""
        begin, full = self._turn_angles
        left = np.abs(self._left)
        share = np.where(self._off > begin, np.clip(left / full, FIN_TURN_LEAST, 1.0), 0.0)
        speed = self._turn * share * np.sign(self._left)
        return np.stack([speed, -speed])

    def _inner_yaw(self) -> np.ndarray:
        """Remainder of the turn, at most half a radian, for the left fin and mirrored for the right, (2, fish)."""
        left = np.clip(self._left, -RETREAT_YAW_ANGLE, RETREAT_YAW_ANGLE)
        return np.stack([left, -left])

    def _fins(
        self,
        climb: np.ndarray,
        moving: np.ndarray,
        pitch: np.ndarray,
        roll: np.ndarray,
        velocity: np.ndarray,
        length: np.ndarray,
        dt: float,
    ) -> np.ndarray:
        """Fin angles that bring the path to the angle of the command and the body upright."""
        level = hypot(velocity[:, 0], velocity[:, 1])
        speed = hypot(level, velocity[:, 2])
        path = arctan2(velocity[:, 2], level)
        trust = PATH_SHARE * moving  # a resting or retreating fish has no path to follow
        off = climb - path
        self._slope_trim += SLOPE_TRIM_GAIN * dt * trust * np.clip(off, -SLOPE_TRIM_ERROR, SLOPE_TRIM_ERROR)
        np.clip(self._slope_trim, -MOST_SLOPE_TRIM, MOST_SLOPE_TRIM, out=self._slope_trim)
        # Nor does what its path was trimmed by tilt it: a fish that hovers is level.
        steepness = climb - (1.0 - trust) * pitch - trust * path + moving * self._slope_trim
        # However the water carries a fish, its body points about where it means to go.
        steepness = np.clip(pitch + steepness, climb - LEAN, climb + LEAN) - pitch
        # Fins push with the square of the flow, so a resting fish must be damped more than a swimming one.
        rest = 1.0 / (np.square(speed / length) + np.square(self._flap) + 1e-9)
        pitch_damping, roll_damping = (np.minimum(d * rest, MOST_DAMPING) for d in (PITCH_DAMPING, ROLL_DAMPING))
        calm, fast = self._steadiness * self._calm(dt), np.minimum(np.square(SWIFT_FINS) * rest, 1.0)
        angle = calm * (PITCH_GAIN * fast * steepness - pitch_damping * self._pitch_rate)
        gamma = np.where(angle > 0, controllers.ascend(angle), controllers.descend(-angle))
        # A fish that hardly moves does not lean: nothing would right it again once its fins rest.
        swings = np.clip(speed / (LEANING_SPEED * length), 0.0, 1.0) * self._lean
        upright = roll + swings * np.clip(self._left / LEANING_ANGLE, -1.0, 1.0)
        return controllers.balance(calm * (ROLL_GAIN * fast * upright + roll_damping * self._roll_rate), gamma)

    def _calm(self, dt: float) -> float:
        """Share of their angle that fins take: hard pushes, long before they are set anew, throw a fish over."""
        return min(LONGEST_PUSH_SECONDS / (max(self._fluid, 1.0) * dt), 1.0)
