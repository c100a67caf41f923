"""Steering: from where a fish would like to go to a course, a pace and motor commands that carry them out.

Turns are given once, and go on until they have reached their aim; pace and climb ease towards what was decided.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ..base.elementary import exp
from ..base.state import Stateful, state
from ..base.vectors import wrap
from ..compiled import changes, compiled, laid, reads, real, reals, record, takes, values, writes
from ..motor.commands import Commands
from ..motor.tuning import BEAT_FADE_SPEED, STRIDE_LENGTHS, TURNING_RATE
from ..perception.collision import Antenna, berths_of
from ..perception.focuser import SKILL_LEFT, SKILL_RIGHT, compromised
from ..perception.swimmers import Swimmers
from ..perception.tuning import NOSE_END_LENGTHS
from .tuning import (
    ABOUT_FACE_ANGLE,
    ABOUT_FACE_PACE,
    AT_REST_SPEED,
    BRAKING_SPEED,
    BURST_FADE_SECONDS,
    CSTART_PAUSE_SECONDS,
    EASE_SECONDS,
    HOVERING_SPEED,
    LEAST_ROOM_PACE,
    LEAST_TURN_ANGLE,
    LEEWAY_LENGTHS,
    MOST_RAMMING_CLIMB,
    OFF_AIM_ANGLE,
    OFF_COURSE_ANGLE,
    RAMMING_CLIMB,
    RAMMING_LENGTHS,
    SAME_AIM_ANGLE,
    SCRAPE_LENGTHS,
    STARTING_GAIN,
    TURN_SECONDS,
    TURNING_AWAY_PACE,
    WINDING_SECONDS,
)

GLANCES_A_THREAD = 1000
"""Fishes whose glances, or paces, are worth a thread of their own."""

PACING = record(
    "Pacing",
    **reals("least_room ramming off_course fade_speed starting stride turning_away at_rest about_pace about_angle"),
    **reals("nose braking hovering off_aim"),
)
_PACING = values(
    PACING,
    least_room=LEAST_ROOM_PACE,
    ramming=RAMMING_LENGTHS,
    off_course=OFF_COURSE_ANGLE,
    fade_speed=BEAT_FADE_SPEED,
    starting=STARTING_GAIN,
    stride=STRIDE_LENGTHS,
    turning_away=TURNING_AWAY_PACE,
    at_rest=AT_REST_SPEED,
    about_pace=ABOUT_FACE_PACE,
    about_angle=ABOUT_FACE_ANGLE,
    nose=NOSE_END_LENGTHS,
    braking=BRAKING_SPEED,
    hovering=HOVERING_SPEED,
    off_aim=OFF_AIM_ANGLE,
)
GLANCE = compiled(
    "glance",
    over="fishes",
    least=GLANCES_A_THREAD,
    frames=takes("f8", "fishes", 3, 3),
    velocities=takes("f8", "fishes", 3),
    waters=takes("f8", "fishes", 3),
    cautions=takes("f8", "fishes"),
    foresights=takes("f8", "fishes"),
    lengths=takes("f8", "fishes"),
    before=takes("f8", "fishes"),
    aims=changes("f8", "fishes"),
    wound=changes("f8", "fishes"),
    turning=changes("f8", "fishes"),
    pitches=writes("f8", "fishes"),
    azimuths=writes("f8", "fishes"),
    speeds=writes("f8", "fishes"),
    sights=writes("f8", "fishes"),
    onwards=writes("f8", "fishes", 3),
    downstreams=writes("f8", "fishes", 3),
    unseen=real(),
    lasting=real(),
    half_turn=real(),
)
_PACE = compiled(
    "pace",
    over="fishes",
    least=GLANCES_A_THREAD,
    pacing=reads(PACING),
    azimuths=takes("f8", "fishes"),
    speeds=takes("f8", "fishes"),
    sights=takes("f8", "fishes"),
    aheads=takes("f8", "fishes"),
    frees=takes("f8", "fishes"),
    lees=takes("f8", "fishes"),
    grazed=takes("f8", "fishes"),
    downstreams=takes("f8", "fishes", 3),
    drifts=takes("f8", "fishes", 3),
    velocities=takes("f8", "fishes", 3),
    frames=takes("f8", "fishes", 3, 3),
    lengths=takes("f8", "fishes"),
    owns=takes("f8", "fishes"),
    breathing=takes("f8", "fishes"),
    kicks=takes("f8", "fishes"),
    beats=takes("f8", "fishes"),
    slow_beats=takes("f8", "fishes"),
    slow_widths=takes("f8", "fishes"),
    aims=takes("f8", "fishes"),
    paces=takes("f8", "fishes"),
    hurries=takes("f8", "fishes"),
    walled=reads("?", "fishes"),
    rams=reads("?", "fishes"),
    holds=reads("?", "fishes"),
    checks=reads("?", "fishes"),
    bursts=changes("f8", "fishes"),
    swims=changes("f8", "fishes"),
    rows=changes("f8", "fishes"),
    brakes=changes("?", "fishes"),
    fading=real(),
)


@dataclass(frozen=True)
class Outlook:
    """The surroundings ahead of all fishes, taken in at one glance.

    Attributes:
        azimuth: Azimuths of their headings in radians, (fish,).
        drift: Velocity of the water in m/s, (fish, 3); 0 where it stands still.
        speed: Speed through the water in m/s, (fish,).
        sight: Distance ahead within which each heeds obstacles in metres, (fish,).
        free_ahead: Distance to obstacles straight ahead in metres, (fish,).
        grazed: Distance to those that it would touch rather than graze, (fish,).
        free: As `free_ahead`, along its way over ground, (fish,).
        downstream: Unit vector along the drift, (fish, 3).
        lee: Nearness to what the stream would carry it to, from 0 to 1 where it is hardly clear of that, (fish,).
    """

    azimuth: np.ndarray
    drift: np.ndarray
    speed: np.ndarray
    sight: np.ndarray
    free_ahead: np.ndarray
    grazed: np.ndarray
    free: np.ndarray
    downstream: np.ndarray
    lee: np.ndarray


def breathing_pace(speed: np.ndarray | float, beat: np.ndarray | float, slow_beat: np.ndarray | float) -> np.ndarray:
    """The least pace, over full speed, of fishes that swim to breathe, (fish,); 0 of those that need not.

    Args:
        speed: The slowest speed at which each can, in lengths a second, 0 where it may rest, (fish,).
        beat: Tail beats a second at full speed, (fish,).
        slow_beat: Share of these that is left at the slowest, (fish,).
    """
    meant = speed / (STRIDE_LENGTHS * np.asarray(beat))
    return np.clip((meant - slow_beat) / np.maximum(1.0 - np.asarray(slow_beat), 1e-9), 0.0, 1.0) * (meant > 0.0)


class TurnHistory(Stateful):
    """Courses of all fishes.

    Attributes:
        aim: Azimuth of the last turn in radians, NaN before there is one, (fish,).
        wound: Angle that each has lately turned by in radians, left positive, (fish,).
        hurry: Factor on its pace of wandering, (fish,).
        pace: Share of full speed, and of a burst above 1, with which it carries out a plan, NaN where it goes at its
            own pace, (fish,).
        climb: Angle above the horizontal that was decided on, in radians, (fish,).
        hold: True where it hovers, (fish,) bool.
        back: Speed of a retreat, 0 to 1, (fish,).
        cstart: Angle in radians, left positive, by which it is to fling itself round at once, (fish,).
        check: True where it must brake for a fish in front, (fish,) bool.
        picks: True where it is close to what it would eat, (fish,) bool.
        rams: True where it strikes, and heeds obstacles beyond its prey no sooner than the prey, (fish,) bool.
        berth: Lengths that each keeps between its place and what stands, (fish,).
    """

    aim: np.ndarray = state("f8", "fish", unit="rad", unset=np.nan, key="_aim")
    wound: np.ndarray = state("f8", "fish", unit="rad", key="_wound")
    hurry: np.ndarray = state("f8", "fish", begin=1, key="_zeal")
    pace: np.ndarray = state("f8", "fish", unset=np.nan, key="_haste")
    climb: np.ndarray = state("f8", "fish", unit="rad", key="_climb")
    hold: np.ndarray = state("?", "fish", key="_hold")
    back: np.ndarray = state("f8", "fish", key="_back")
    cstart: np.ndarray = state("f8", "fish", unit="rad")
    check: np.ndarray = state("?", "fish", key="_check")
    picks: np.ndarray = state("?", "fish", key="_picks")
    rams: np.ndarray = state("?", "fish")
    _turning: np.ndarray = state("f8", "fish", unit="s")  # since the last turn began
    _azimuth: np.ndarray = state("f8", "fish", unit="rad", unset=np.nan)  # of its heading at the last glance
    _swim: np.ndarray = state("f8", "fish")  # decided on
    _burst: np.ndarray = state("f8", "fish")
    _calm: np.ndarray = state("f8", "fish", unit="s", begin=CSTART_PAUSE_SECONDS)  # since the last C-start
    _eased_swim: np.ndarray = state("f8", "fish")  # done
    _eased_climb: np.ndarray = state("f8", "fish", unit="rad")
    _brake: np.ndarray = state("?", "fish")
    _row: np.ndarray = state("f8", "fish")  # speed at which a hovering fish rows against its way, to stay in place

    def __init__(self, antenna: Antenna, temperaments: np.ndarray, length: np.ndarray, rhythm: Sequence[np.ndarray]):
        """Begins with every fish on its course.

        Args:
            antenna: The antenna that feels obstacles.
            temperaments: (fish,) with the fields of `species.Temperament`.
            length: Metres, (fish,).
            rhythm: Beats a second at full speed, and the shares of beats and contractions that are left at the
                slowest, (fish,) each.
        """
        fishes, (beat, slow_beat, _) = len(length), rhythm
        self._breathing = breathing_pace(temperaments["ram_breathing"], beat, slow_beat)
        *self._looks, self._kicks = laid(*(temperaments[name] for name in ("caution", "foresight", "kick")))
        self.berth = berths_of(temperaments)
        self._antenna, self._traits, self._length, self._rhythm = antenna, temperaments, length, rhythm
        self._fill(fish=fishes)
        self._swim[:] = self._eased_swim[:] = temperaments["cruise"]
        self._pitch = np.zeros(fishes)  # radians above the horizontal, at the last glance

    def look_ahead(self, swimmers: Swimmers, drift: np.ndarray | None, unseen: float) -> Outlook:
        """Glances ahead.

        Args:
            swimmers: All fishes, with velocities over ground.
            drift: Velocity of the water in m/s, (fish, 3); None where it stands still.
            unseen: Seconds since the last glance.
        """
        place, ahead = swimmers.place, swimmers.ahead
        water = np.zeros(place.shape) if drift is None else drift
        azimuth, speed, sight, onward, downstream = self._glance(swimmers, water, unseen)
        reach = np.maximum(sight, self._length)
        berths = np.stack((self.berth, np.full(len(self.berth), SCRAPE_LENGTHS)))
        free_ahead, grazed = self._antenna.free_at_each(place, ahead, self._length, reach, berths)
        free = free_ahead if drift is None else self._free_path(place, onward, sight)
        lee = np.zeros(len(place)) if drift is None else self._lee(place, downstream, sight)
        return Outlook(azimuth, water, speed, sight, free_ahead, grazed, free, downstream, lee)

    def _glance(self, swimmers: Swimmers, water: np.ndarray, unseen: float) -> tuple[np.ndarray, ...]:
        """Takes in headings and motion in water of a velocity in m/s, (fish, 3), `unseen` seconds after the last time.

        Returns:
            Azimuths of headings, speeds and distances within which each heeds obstacles, (fish,) each, and unit vectors
            of ways over ground and downstream, (fish, 3) both.
        """
        (fishes, _), lasting = water.shape, exp(-unseen / WINDING_SECONDS)
        found = (*np.empty((3, fishes)), *np.empty((2, fishes, 3)))
        GLANCE(
            frames=swimmers.frames,
            velocities=swimmers.velocity,
            waters=water,
            cautions=self._looks[0],
            foresights=self._looks[1],
            lengths=self._length,
            before=self._azimuth,
            aims=self.aim,
            wound=self.wound,
            turning=self._turning,
            pitches=self._pitch,
            azimuths=found[0],
            speeds=found[1],
            sights=found[2],
            onwards=found[3],
            downstreams=found[4],
            unseen=unseen,
            lasting=lasting,
            half_turn=np.pi / TURNING_RATE,
        )
        self._azimuth = found[0]
        return found

    def begin_turns(self, fishes: np.ndarray, way: np.ndarray, turn: np.ndarray) -> np.ndarray:
        """Begins turns, but lets one that is under way to the same aim go on.

        Args:
            fishes: Rows, (n,).
            way: Azimuth to which each turns in radians, (n,).
            turn: Angle to that from its heading, (n,).

        Returns:
            Radians, 0 for no new turn, (n,).
        """
        other_aim = np.abs(wrap(way - self.aim[fishes])) > SAME_AIM_ANGLE
        astray = (self._turning[fishes] > TURN_SECONDS) & (np.abs(turn) > OFF_AIM_ANGLE)
        begin = other_aim | astray
        self.aim[fishes[begin]] = way[begin]
        self._turning[fishes[begin]] = 0.0
        # A turn by nothing would not end the one that is under way.
        least = np.where(np.abs(turn) < LEAST_TURN_ANGLE, LEAST_TURN_ANGLE, turn)
        return np.where(begin, least, 0.0)

    def resolve_pace(self, dt: float, outlook: Outlook, swimmers: Swimmers, own_pace: np.ndarray) -> None:
        """Sets the speed of all fishes, and which of them brake, in the next frame.

        Args:
            dt: Seconds that it lasts.
            outlook: Their outlook.
            swimmers: All fishes, with velocities over ground.
            own_pace: Share of full speed with which each wanders, (fish,).
        """
        place, ahead, length, speed = swimmers.place, swimmers.ahead, self._length, outlook.speed
        walled = self._antenna.walled(place, ahead, length, self.berth)
        beat, slow_beat, slow_width = self._rhythm
        _PACE(
            pacing=_PACING,
            azimuths=outlook.azimuth,
            speeds=speed,
            sights=outlook.sight,
            aheads=outlook.free_ahead,
            frees=outlook.free,
            lees=outlook.lee,
            grazed=outlook.grazed,
            downstreams=outlook.downstream,
            drifts=outlook.drift,
            velocities=swimmers.velocity,
            frames=swimmers.frames,
            lengths=length,
            owns=own_pace,
            breathing=self._breathing,
            kicks=self._kicks,
            beats=beat,
            slow_beats=slow_beat,
            slow_widths=slow_width,
            aims=self.aim,
            paces=self.pace,
            hurries=self.hurry,
            walled=walled,
            rams=self.rams,
            holds=self.hold,
            checks=self.check,
            bursts=self._burst,
            swims=self._swim,
            rows=self._row,
            brakes=self._brake,
            fading=dt / BURST_FADE_SECONDS,
        )

    def command(self, turn: np.ndarray, alive: np.ndarray, dt: float) -> Commands:
        """Commands for the next `dt` seconds, with turns (fish,) that begin; those not alive, (fish,), glide."""
        share = 1 - exp(-dt / EASE_SECONDS)
        self._eased_swim += share * (self._swim - self._eased_swim)
        self._eased_climb += share * (self.climb - self._eased_climb)
        # The first beats of a burst press the nose down, which a striking fish is quick to make up for.
        steep = self.climb + RAMMING_CLIMB * (self.climb - self._pitch)
        climb = np.where(self.rams, np.clip(steep, -MOST_RAMMING_CLIMB, MOST_RAMMING_CLIMB), self._eased_climb)
        swim = np.where(alive, self._eased_swim, 0.0)
        back = np.where(alive & (self._breathing == 0.0), np.maximum(self.back, self._row), 0.0)
        flung = np.where(alive & (self._calm >= CSTART_PAUSE_SECONDS), self.cstart, 0.0)
        self.cstart[:] = 0.0
        self._calm = np.where(flung != 0.0, 0.0, np.minimum(self._calm + dt, CSTART_PAUSE_SECONDS))
        burst = np.where(alive, self._burst, 0.0)
        return Commands(swim, turn, climb, self._brake.copy(), back, burst, flung)

    def _free_path(self, place: np.ndarray, way: np.ndarray, sight: np.ndarray) -> np.ndarray:
        """Free distance in metres along each fish's way (fish, 3) from its place (fish, 3), within sight, (fish,)."""
        reach = np.maximum(sight, self._length)[:, None]
        starts, ways = place[:, None], way[:, None]
        return self._antenna.free_path(place, starts, ways, self._length, reach, overtaking=False)[:, 0]

    def _lee(self, place: np.ndarray, downstream: np.ndarray, sight: np.ndarray) -> np.ndarray:
        """Nearness of each fish to what the stream would carry it to, from 0 to 1 where it is hardly clear, (fish,)."""
        leeway = LEEWAY_LENGTHS * self._length
        reach = np.maximum(sight, 2 * LEEWAY_LENGTHS * self._length)
        room = self._free_path(place, downstream, reach) - leeway
        return np.clip(1.0 - room / (reach - leeway), 0.0, 1.0)


def compromise(way: np.ndarray, azimuth: np.ndarray, preferences: np.ndarray, free: np.ndarray) -> np.ndarray:
    """Courses of fishes that mean to turn to `way` against their preferences (Tu 1999, §6.5.3).

    Args:
        way: Azimuth that is meant in radians, (n,).
        azimuth: Azimuth of their headings, (n,).
        preferences: M of the focuser, (n, 6).
        free: Mask of those that compromise, (n,) bool: none that must go round obstacles, where every turn is weighed.

    Returns:
        Azimuth in radians, (n,).
    """
    turn = wrap(way - azimuth)
    less = compromised(turn, -np.where(turn > 0, preferences[:, SKILL_LEFT], preferences[:, SKILL_RIGHT]))
    return np.where(free & (less != turn), wrap(azimuth + less), way)
