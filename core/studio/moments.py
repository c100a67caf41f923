"""The moments of a recording that are worth filming, and shots that lie within it."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np

from ..recording import Recording
from .film import FilmShot, Subject
from .subjects import doer, find
from .tuning import EVENT_WORTH, FLIGHT_WORTH, SAME_SHOT_SECONDS

LEAD_IN_SHARE = 0.6
"""Share of a shot that goes before its event."""
PAIRS = "eaten", "spawned", "courtship"
SHORTEST_SECONDS = 0.1
"""The shortest that a shot can be."""


@dataclass(frozen=True)
class Moment:
    """Something to film.

    Attributes:
        frame: Frame at which it comes.
        worth: Worth over that of a meal.
        subject: Fishes to film.
        kind: Kind of the event; "flight" or "calm" if there is none.
        row: The fish that does it.
    """

    frame: float
    worth: float
    subject: Subject
    kind: str
    row: int


def fitted(recording: Recording, shot: FilmShot) -> FilmShot:
    """The same shot earlier or later, and shorter if need be: in a recording, and not before its subject is there.

    Raises:
        SceneError: If there is no such fish or event.
    """
    rows, frame = find(recording, shot.subject)
    moment, seconds = frame / recording.fps, min(shot.seconds, recording.duration)
    begin = min(max(moment + shot.start, 0.0), recording.duration - seconds)
    at = min(math.ceil(begin * recording.fps - 1e-6), recording.frames - 1)
    comes = np.flatnonzero(recording.alive[at:, rows[0]])
    if len(comes) and comes[0] > 0:
        begin = float(at + comes[0]) / recording.fps
        seconds = max(min(seconds, recording.duration - begin), SHORTEST_SECONDS)
        begin = min(begin, recording.duration - seconds)
    return replace(shot, start=begin - moment, seconds=seconds)


def moments_of(recording: Recording) -> list[Moment]:
    """Everything that happens and might be filmed, in the order of frames."""
    found, counted = [], dict.fromkeys(EVENT_WORTH, 0)
    for event in recording.events:
        kind = event["kind"]
        nth = counted[kind]
        counted[kind] += 1
        subject = Subject(event=kind, nth=nth, pair=kind in PAIRS)
        row = doer(recording, event)
        found.append(Moment(float(event["frame"]), EVENT_WORTH[kind], subject, kind, row))
    return sorted(found + _flights(recording), key=lambda one: one.frame)


def _flights(recording: Recording) -> list[Moment]:
    """The moments at which most begin to flee, of the fish that fears most then."""
    if not recording.fear.size:
        return []
    afraid = (recording.fear * recording.alive).sum(axis=1)
    step = max(1, round(SAME_SHOT_SECONDS * recording.fps))
    rise = np.maximum(afraid[step:] - afraid[:-step], 0.0)
    found = []
    while len(found) < 20 and rise.max(initial=0.0) > 0.5:
        frame = int(rise.argmax()) + step
        fish = int((recording.fear[frame] * recording.alive[frame]).argmax())
        worth = FLIGHT_WORTH * min(1.0, float(rise[frame - step]) / 4.0)
        found.append(Moment(float(frame), worth, Subject(fish=fish), "flight", fish))
        rise[max(0, frame - 3 * step) : frame + step] = 0.0
    return found
