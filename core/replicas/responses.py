"""The changes of a fish from one motion to another, measured as the fishes of a programme change over."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ..base.elementary import arctan2, hypot
from ..base.vectors import dot
from ..body.anatomy import body_frame
from .cycle import unwrapped
from .programme import ProgrammeItem
from .trial import TrialTrack
from .tuning import CLIMBS, PACES, TURNS

RISEN = 0.632
"""Share of a change after which its time has passed, 1 - 1/e."""
SMOOTHED_SECONDS = 0.15
"""Over which speeds and slopes are means: what the beat makes of them hides little of how they come."""
BACKED_TIMES = 0.745
"""artanh of that: v' = (V^2 - v^2)/L from rest is v = V tanh(V t/L)."""


def measured(items: Sequence[ProgrammeItem], track: TrialTrack, begin: float) -> dict[str, float]:
    """The numbers of `RESPONSES`.

    A fish speeds up to the speed of the command, V, by v' = (V - v)/T, kicks and all. It slows down and backs up by
    v' = (V^2 - v^2)/L, drag against thrust; L is measured by when the speed has halved, or has come most of the way.

    Args:
        items: The programme.
        track: Track of its fishes.
        begin: Time at which they changed over, in seconds.
    """
    at = int(round(begin / track.step))

    def row(*values: object) -> int:
        return list(items).index(ProgrammeItem(*values))  # type: ignore[arg-type]

    found: dict[str, float] = {}
    speed = _speed(track, row("swim", PACES[-1], 0.0, 0.0, PACES[-1]))[:at]
    found["surge"] = _until(speed >= RISEN * speed[-1], track.step)
    for name, gait in (("coast", "glide"), ("brake", "brake")):
        slowed = _speed(track, row(gait, 0.0, 0.0, 0.0, 1.0))[at - 1 :]
        found[name] = speed[-1] * _until(slowed <= 0.5 * speed[-1], track.step)
    backed = _speed(track, row("retreat"))[at - 1 :]
    found["back"] = max(-backed[-1], 0.0) * _until(backed <= RISEN * backed[-1], track.step) / BACKED_TIMES
    turning = _azimuth(track, row("swim", PACES[-2], TURNS[-1], 0.0, PACES[-2]))[at - 1 :]
    beats = _beat(track, row("swim", PACES[-2], TURNS[-1], 0.0, PACES[-2]))
    rate = (turning[-1] - turning[-1 - 4 * beats]) / (4 * beats)
    # A rate that comes up as 1 - exp(-t/T) leaves the angle behind rate t by rate T.
    late = np.arange(len(turning)) - (turning - turning[0]) / rate
    found["turn"] = max(float(late[min(2 * beats, len(late) - 1)]), 0.0) * track.step
    slopes = [_slope(track, row("swim", 0.5, 0.0, climb, 0.5))[at - 1 :] for climb in CLIMBS]
    shares = [slope[-1] / climb for slope, climb in zip(slopes, CLIMBS, strict=True)]
    found["slope"] = 0.5 * (shares[0] + shares[1])
    risen = [_until(slope / slope[-1] >= RISEN, track.step) for slope in slopes]
    found["climb"] = 0.5 * (risen[0] + risen[1])
    return found


def _until(done: np.ndarray, step: float) -> float:
    """Seconds until something is done for the first time, (samples,) bool; to the end where it never is."""
    return float(np.argmax(done) if done.any() else len(done)) * step


def _beat(track: TrialTrack, row: int) -> int:
    """Samples in a beat of a fish."""
    return max(int(round(1.0 / (float(track.frequency[-1, row]) * track.step))), 1)


def _smooth(values: np.ndarray, span: int) -> np.ndarray:
    """Means over so many samples up to each, (n,)."""
    sums = np.concatenate(([0.0], np.cumsum(values)))
    first = np.maximum(np.arange(1, len(sums)) - span, 0)
    return (sums[1:] - sums[first]) / (np.arange(1, len(sums)) - first)


def _speed(track: TrialTrack, row: int) -> np.ndarray:
    """Speed ahead in lengths a second, smoothed, (samples,)."""
    origin, frames = body_frame(track.nodes[:, row])
    ahead = dot(np.diff(origin, axis=0, prepend=origin[:1]), frames[:, :, 0]) / track.step
    return _smooth(ahead, max(int(round(SMOOTHED_SECONDS / track.step)), 1))


def _azimuth(track: TrialTrack, row: int) -> np.ndarray:
    """Heading in radians, unwrapped, (samples,)."""
    _, frames = body_frame(track.nodes[:, row])
    return unwrapped(arctan2(frames[:, 1, 0], frames[:, 0, 0]))


def _slope(track: TrialTrack, row: int) -> np.ndarray:
    """Angle of the path in radians, smoothed, (samples,)."""
    origin, _ = body_frame(track.nodes[:, row])
    way = np.diff(origin, axis=0, prepend=origin[:1])
    along, level, up = (_smooth(values, max(int(round(SMOOTHED_SECONDS / track.step)), 1)) for values in way.T)
    return arctan2(up, hypot(along, level) + 1e-12)
