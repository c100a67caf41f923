"""The moments of a recording that are worth filming: their events, their fishes, and the camera's moves."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from ..recording import Recording
from .film import FilmShot, Subject
from .subjects import find
from .tuning import CALM_WORTH, EVENT_WORTH, FLIGHT_WORTH, SAME_SHOT_SECONDS

LEAD_IN_SHARE = 0.6
"""Share of a shot that goes before its event."""
MOVES_OF = {
    "eaten": ("lead", "dolly", "follow"),
    "hooked": ("dolly", "lead"),
    "spawned": ("crane", "dolly"),
    "courtship": ("dolly", "follow"),
    "fright": ("reveal", "locked"),
    "food": ("reveal", "locked"),
    "arrived": ("lead", "crane"),
    "instructed": ("lead", "follow"),
    "fed": ("lead", "follow"),
    "browsed": ("dolly", "lead"),
    "entered": ("locked", "follow"),
}
PAIRS = "eaten", "spawned", "courtship"


@dataclass(frozen=True)
class Moment:
    """Something to film.

    Attributes:
        frame: Frame at which it comes.
        worth: Worth over that of a meal.
        subject: Fishes to film.
        kind: Kind of the event; "flight" or "calm" if there is none.
    """

    frame: float
    worth: float
    subject: Subject
    kind: str


def best_moments(recording: Recording, count: int = 10, seconds: float = 4.0) -> list[Moment]:
    """The best moments in the order of their times, no two within a shot's length of each other.

    Args:
        recording: The recording.
        count: The most that there may be.
        seconds: Duration of a shot.
    """
    found: list[Moment] = []
    half = 0.5 * seconds * recording.fps
    seen: dict[str, int] = {}
    for moment in sorted(_moments(recording), key=lambda one: (-one.worth, one.frame)):
        begin = moment.frame - LEAD_IN_SHARE * seconds * recording.fps
        inside = 0.0 <= begin <= recording.frames - 1 - seconds * recording.fps
        apart = all(abs(moment.frame - other.frame) >= 2.0 * half for other in found)
        if inside and apart and seen.get(moment.kind, 0) < max(2, count // 2):
            found.append(moment)
            seen[moment.kind] = seen.get(moment.kind, 0) + 1
        if len(found) == count:
            break
    return sorted(found, key=lambda one: one.frame)


def edit(recording: Recording, scene: str, seed: int, count: int = 10, seconds: float = 4.0) -> tuple[FilmShot, ...]:
    """Shots of the best moments, in their order, with varied camera moves.

    Args:
        recording: The recording.
        scene: Name of its scene in the shots.
        seed: Seed of the world.
        count: The most shots that there may be.
        seconds: Duration of each.
    """
    shots, used = [], dict.fromkeys(MOVES_OF, 0)
    for moment in best_moments(recording, count, seconds):
        moves = MOVES_OF.get(moment.kind, ("follow", "dolly", "lead", "crane"))
        move = moves[used.get(moment.kind, 0) % len(moves)]
        used[moment.kind] = used.get(moment.kind, 0) + 1
        start = -LEAD_IN_SHARE * seconds
        if moment.subject.event is None:
            start += moment.frame / recording.fps
        size = 0.5 if moment.subject.pair else 0.32
        shot = FilmShot(
            scene=scene, seed=seed, subject=moment.subject, start=start, seconds=seconds, move=move, size=size
        )
        shots.append(fitted(recording, shot))
    return tuple(shots)


def fitted(recording: Recording, shot: FilmShot) -> FilmShot:
    """The same shot earlier or later, and shorter if need be, so that it lies within a recording.

    Raises:
        SceneError: If there is no such fish or event.
    """
    moment = find(recording, shot.subject)[1] / recording.fps
    seconds = min(shot.seconds, recording.duration)
    begin = min(max(moment + shot.start, 0.0), recording.duration - seconds)
    return replace(shot, start=begin - moment, seconds=seconds)


def filled(recording: Recording, shots: Sequence[FilmShot]) -> tuple[FilmShot, ...]:
    """Shots, in the order of their times, without gaps: each goes on until the next begins, the first from frame 0.

    Raises:
        SceneError: If there is no such fish or event.
    """
    moments = [find(recording, shot.subject)[1] / recording.fps for shot in shots]
    cuts = [0.0, *(moment + shot.start for moment, shot in zip(moments[1:], shots[1:], strict=True))]
    ends = [*cuts[1:], recording.duration]
    return tuple(
        replace(shot, start=begin - moment, seconds=end - begin)
        for shot, moment, begin, end in zip(shots, moments, cuts, ends, strict=True)
    )


def _moments(recording: Recording) -> list[Moment]:
    """Everything that might be filmed."""
    found, counted = [], dict.fromkeys(EVENT_WORTH, 0)
    for event in recording.events:
        kind = event["kind"]
        nth = counted[kind]
        counted[kind] += 1
        subject = Subject(event=kind, nth=nth, pair=kind in PAIRS)
        found.append(Moment(float(event["frame"]), EVENT_WORTH[kind], subject, kind))
    return found + _flights(recording) + _calm(recording)


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
        found.append(Moment(float(frame), worth, Subject(fish=fish), "flight"))
        rise[max(0, frame - 3 * step) : frame + step] = 0.0
    return found


def _calm(recording: Recording) -> list[Moment]:
    """Now and then a fish that swims by itself, each of them once before any twice."""
    step = max(1, round(2.0 * SAME_SHOT_SECONDS * recording.fps))
    found = []
    for turn, frame in enumerate(range(step, recording.frames - step, step)):
        there = np.flatnonzero(recording.alive[max(0, frame - step) : frame + step].all(axis=0))
        if len(there):
            fish = int(there[(7 * turn) % len(there)])
            found.append(Moment(float(frame), CALM_WORTH, Subject(fish=fish), "calm"))
    return found
