"""The time of a fish's motion against that of the film: delay, speed, and holds, at which it stops for a while.

A hold is bound to a moment of the motion, not to a frame of the film: what delays or quickens the fish moves its holds
along. The fish slows down before it and gets going after it over a few frames, such that all that comes later is late
by the frames of the hold, and no more.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

SLOWEST, FASTEST = 0.01, 100.0
"""Limits of the speed factor."""
EASE_FRAMES = 6.0
"""Most frames over which a fish slows down before it stops, and gets going after; half of a short hold."""
LEAST_HOLD, MOST_HOLD = 1, 100_000
"""Frames of the shortest and of the longest hold."""


@dataclass(frozen=True)
class Timing:
    """The timing of a fish's motion.

    Attributes:
        frames: Delay after the bake's timing, frames.
        speed: Speed factor.
        first: Frame from which speed counts: the first of the film.
    """

    frames: float = 0.0
    speed: float = 1.0
    first: float = 1.0

    @property
    def as_baked(self) -> bool:
        """True if the timing is the bake's."""
        return self.frames == 0.0 and self.speed == 1.0

    def shift(self, times: np.ndarray) -> np.ndarray:
        """Times in the film, from those as baked, float64."""
        if self.as_baked:
            return times.astype(float)
        return (times.astype(float) - self.first) / self.speed + self.first + self.frames

    def shift_back(self, times: np.ndarray) -> np.ndarray:
        """Times as baked, from those in the film, float64."""
        if self.as_baked:
            return times.astype(float)
        return (times.astype(float) - self.first - self.frames) * self.speed + self.first


@dataclass(frozen=True)
class Hold:
    """A stop of a fish.

    Attributes:
        moment: Frame of the motion as baked at which it stops.
        frames: Frames for which it stops, of the film.
    """

    moment: float
    frames: float


@dataclass(frozen=True)
class Stop:
    """A hold in the film, once it is known what comes before it.

    Attributes:
        moment: Frame of the motion as baked.
        frames: Frames for which the fish stops.
        begin: Frame of the film at which it begins.
        ease: Frames over which it slows down about `begin`, and gets going about the end.
    """

    moment: float
    frames: float
    begin: float
    ease: float

    @property
    def end(self) -> float:
        """The frame of the film at which the fish goes on."""
        return self.begin + self.frames

    @property
    def window(self) -> tuple[float, float]:
        """Frames of the film within which it moves otherwise than as baked."""
        return self.begin - self.ease / 2, self.end + self.ease / 2

    def passed(self, times: np.ndarray) -> np.ndarray:
        """Frames of the film for which the fish has gone on since `begin`, negative before it, at times in the film.

        The rate falls from 1 to 0 over the first ease, and rises again over the second.
        """
        half = self.ease / 2
        slowing, starting = (
            np.clip(times - begin + half, 0.0, self.ease) if self.ease else np.zeros_like(times)
            for begin in (self.begin, self.end)
        )
        before = np.minimum(times - self.begin, -half)
        after = np.maximum(times - self.end, half)
        if not self.ease:
            return np.where(times < self.begin, before, np.where(times > self.end, after, 0.0))
        braked = -half + slowing - slowing**2 / (2 * self.ease)
        gone = starting**2 / (2 * self.ease)
        found = braked + gone
        return np.where(times < self.begin - half, before, np.where(times > self.end + half, after, found))

    def rate(self, times: np.ndarray) -> np.ndarray:
        """The pace of the fish as a share of its pace without the hold, 0 to 1."""
        if not self.ease:
            return np.where((times < self.begin) | (times > self.end), 1.0, 0.0)
        half = self.ease / 2
        falling = np.clip((self.begin + half - times) / self.ease, 0.0, 1.0)
        rising = np.clip((times - self.end + half) / self.ease, 0.0, 1.0)
        return np.maximum(falling, rising)


@dataclass(frozen=True)
class Course:
    """The course of a fish's motion in the film.

    Attributes:
        timing: Delay and speed.
        stops: Its stops, one after another.
    """

    timing: Timing
    stops: tuple[Stop, ...] = ()

    @classmethod
    def of(cls, timing: Timing, holds: Sequence[Hold]) -> Course:
        """The course by these holds; those at one moment are one."""
        long: dict[float, float] = {}
        for hold in sorted(holds, key=lambda hold: hold.moment):
            long[hold.moment] = long.get(hold.moment, 0.0) + hold.frames
        moments = np.array(list(long), dtype=float)
        begins = timing.shift(moments)
        gaps = np.concatenate([[np.inf], np.diff(begins), [np.inf]])
        stops, late = [], 0.0
        for place, (moment, frames) in enumerate(long.items()):
            ease = min(EASE_FRAMES, frames / 2, gaps[place], gaps[place + 1])
            stops.append(Stop(moment, frames, float(begins[place]) + late, float(ease)))
            late += frames
        return cls(timing, tuple(stops))

    def film(self, times: np.ndarray) -> np.ndarray:
        """Times in the film, from those as baked: at a hold the frame at which it begins; float64."""
        found = self.timing.shift(times)
        for stop in self.stops:
            found = found + np.where(times > stop.moment, stop.frames, 0.0)
        return found

    def baked_at(self, frame: float) -> float:
        """The frame as baked that a frame of the film shows."""
        return float(self.baked(np.array([frame]))[0])

    def baked(self, times: np.ndarray) -> np.ndarray:
        """Times as baked, from those in the film: within a hold that at which the fish stops; float64."""
        left = np.asarray(times, dtype=float)
        late = sum((np.clip(left - stop.begin, 0.0, stop.frames) for stop in self.stops), np.zeros_like(left))
        found = self.timing.shift_back(left - late)
        for stop in self.stops:
            found = np.where((left > stop.begin) & (left < stop.end), stop.moment, found)
        return found

    def margin(self, stop: Stop) -> float:
        """Frames as baked before and after the moment of a stop at which the fish slows down and gets going."""
        return stop.ease / 2 * self.timing.speed

    def cuts(self, times: np.ndarray) -> np.ndarray:
        """True for times as baked that lie where the fish slows down for a stop, or gets going after."""
        found = np.zeros(times.shape, dtype=bool)
        for stop in self.stops:
            found |= np.abs(times - stop.moment) <= self.margin(stop) + CLOSE
        return found


CLOSE = 1e-3
"""Frames within which two keys are one."""
