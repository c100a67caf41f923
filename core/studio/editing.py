"""Edits: cuts from shot to shot through a recording, so that the best of its moments are seen, and calm ones between.

Where a film is to be without gaps, all cuts are found at once: of all ways to cut a stretch into so many shots, each
about as long as the next, the one whose shots are worth most (Bellman 1957), of what happens in each and how well it
lies in it.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from ..recording import Recording
from .film import MOST_SHOTS, FilmShot, Subject
from .moments import LEAD_IN_SHARE, SHORTEST_SECONDS, Moment, moments_of
from .subjects import Attendance
from .tuning import (
    CALM_WORTH,
    CUT_SWAY,
    LAG_SHARE,
    LEAST_CALM_SHARE,
    LEAST_PRESENCE,
    MOST_OF_A_KIND,
    SHORTEST_EDIT_SECONDS,
    UNEVENNESS,
)

CALM = "calm"
MOVES_OF = {
    "eaten": ("lead", "dolly", "follow"),
    "hooked": ("dolly", "lead"),
    "spawned": ("crane", "dolly"),
    "courtship": ("dolly", "follow"),
    "fright": ("reveal", "locked"),
    "food": ("reveal", "locked"),
    "arrived": ("lead", "crane"),
    "instructed": ("lead", "follow"),
    "grudge": ("lead", "follow"),
    "hatched": ("lead", "follow"),
    "died": ("lead", "follow"),
    "fed": ("lead", "follow"),
    "browsed": ("dolly", "lead"),
    "entered": ("locked", "follow"),
}
OTHER_MOVES = ("follow", "dolly", "lead", "crane")
CUTS_A_SHOT = 8
"""Number of places, for each shot's share of a stretch, at which a cut may be."""
MOST_CALM = 1000
"""Number of calm moments that are looked at in a film that need not be filled."""

Span = tuple[int, int]
"""The first frame of a stretch of a recording, and the frame after its last."""


def edit(
    recording: Recording,
    scene: str,
    seed: int,
    count: int = 10,
    seconds: float = 4.0,
    fill: bool = False,
    spans: Iterable[Span] | None = None,
) -> tuple[FilmShot, ...]:
    """Shots of the best moments, in the order of time, with varied camera moves.

    No shot begins before its subject is there. Some are of events, some of fishes that swim by themselves.

    Args:
        recording: The recording.
        scene: Name of its scene in the shots.
        seed: Seed of the world.
        count: The most shots that there may be; with `fill` the fewest, of which each is shorter if need be, down to
            `SHORTEST_EDIT_SECONDS`.
        seconds: Duration of each; with `fill` about.
        fill: Whether each shot goes on until the next begins, so that whatever can be seen is seen.
        spans: Stretches to film, in order; the whole recording if left out.
    """
    attendance, found = Attendance(recording), moments_of(recording)
    seen = [each for span in spans or [(0, recording.frames)] for each in _peopled(attendance, span)]
    length = max(2.0, SHORTEST_SECONDS * recording.fps, seconds * recording.fps)
    if fill:
        cuts = _Cuts(recording, attendance, found)
        numbers = _shared_out([end - begin for begin, end in seen], count, length, recording.fps)
        takes = [take for span, number in zip(seen, numbers, strict=True) for take in cuts.takes(span, number)]
    else:
        takes = _best_takes(recording, attendance, found, seen, count, round(length))
    return _shots(recording, _cast(recording, attendance, takes), scene, seed)


@dataclass(frozen=True)
class _Take:
    """A stretch that is one shot, and what happens in it, the best first, with what it is worth there."""

    begin: int
    end: int
    events: tuple[tuple[float, Moment], ...]


def _peopled(attendance: Attendance, span: Span) -> list[Span]:
    """The stretches within one in which any fish is there."""
    there = np.zeros(span[1] - span[0] + 2, dtype=bool)
    there[1:-1] = attendance.alive[span[0] : span[1]].any(axis=1)
    edges = span[0] + np.flatnonzero(there[1:] != there[:-1])
    return [(int(begin), int(end)) for begin, end in edges.reshape(-1, 2)]


def _shared_out(lengths: Sequence[int], count: int, length: float, fps: float) -> list[int]:
    """Number of shots in stretches of so many frames: by their length, or more of them until they are enough."""
    least = max(2.0, SHORTEST_SECONDS * fps)
    numbers = [0 if frames < least else max(1, round(frames / length)) for frames in lengths]
    shortest = max(least, SHORTEST_EDIT_SECONDS * fps)
    while sum(numbers) < min(count, MOST_SHOTS):
        room = [frames / (number + 1) if number else 0.0 for frames, number in zip(lengths, numbers, strict=True)]
        if not room or max(room) < shortest - 1e-6:
            break
        numbers[room.index(max(room))] += 1
    while sum(numbers) > MOST_SHOTS and max(numbers) > 1:
        numbers[numbers.index(max(numbers))] -= 1
    return numbers


class _Cuts:
    """The ways to cut stretches of a recording."""

    def __init__(self, recording: Recording, attendance: Attendance, found: Sequence[Moment]) -> None:
        self._fps, self._attendance, self._found = recording.fps, attendance, found
        frames = np.minimum([int(each.frame) for each in found], recording.frames - 1).astype(int)
        rows = np.array([each.row for each in found], dtype=int)
        at = attendance.last(frames, rows)
        self._frame = np.array([each.frame for each in found])
        self._worth = np.array([each.worth for each in found])
        self._since, self._until = attendance.since[at, rows], attendance.until[at, rows]

    def takes(self, span: Span, number: int) -> list[_Take]:
        """A stretch cut into so many shots."""
        if number == 0:
            return []
        cuts = self._cut(span, number)
        return [self.take(int(begin), int(end)) for begin, end in zip(cuts, cuts[1:], strict=False)]

    def take(self, begin: int, end: int) -> _Take:
        """The shot from a frame to before another."""
        some, worths = self._events(begin, end)
        order = np.lexsort((some, -worths))
        return _Take(begin, end, tuple((float(worths[each]), self._found[some[each]]) for each in order))

    def _events(self, begin: int, end: int) -> tuple[np.ndarray, np.ndarray]:
        """The moments that can be seen in a shot, and what each is worth there."""
        length = end - begin
        low, high = np.searchsorted(self._frame, (begin, end - LAG_SHARE * length), side="left")
        some = np.arange(low, high)
        stays = (np.minimum(self._until[some], end) - begin) / length
        some, stays = some[chosen := (self._since[some] <= begin) & (stays >= LEAST_PRESENCE)], stays[chosen]
        off = np.abs((self._frame[some] - begin) / length - LEAD_IN_SHARE) / LEAD_IN_SHARE
        return some, self._worth[some] * (1.0 - 0.5 * off) * stays

    def _worth_of(self, begin: int, end: int, share: float) -> float:
        """The worth of a shot, of whose length its share of the stretch is so many frames."""
        calm = bool((self._attendance.until[begin] >= end).any())
        best = self._events(begin, end)[1].max(initial=CALM_WORTH if calm else -1.0)
        return float(best) - UNEVENNESS * CALM_WORTH * abs((end - begin) / share - 1.0)

    def _cut(self, span: Span, number: int) -> list[int]:
        """The frames of the cuts, and of both ends, of a stretch in so many shots that are worth most."""
        begin, end = span
        share = (end - begin) / number
        shortest = max(2.0, SHORTEST_SECONDS * self._fps)
        step = max(1, round(share / CUTS_A_SHOT))
        places = [*range(begin, end - step + 1, step), end]
        worth = np.full((len(places), number + 1), -np.inf)
        before = np.zeros((len(places), number + 1), dtype=int)
        worth[0, 0] = 0.0
        for place, at in enumerate(places):
            if not np.isfinite(worth[place]).any():
                continue
            for later in range(place + 1, len(places)):
                length = places[later] - at
                if length > (1.0 + CUT_SWAY) * share:
                    break
                if length < max(shortest, (1.0 - CUT_SWAY) * share):
                    continue
                sums = worth[place, :-1] + self._worth_of(at, places[later], share)
                better = sums > worth[later, 1:]
                worth[later, 1:][better], before[later, 1:][better] = sums[better], place
        if not np.isfinite(worth[-1, number]):
            return [round(each) for each in np.linspace(begin, end, number + 1)]
        path = [len(places) - 1]
        for left in range(number, 0, -1):
            path.append(int(before[path[-1], left]))
        return [places[place] for place in reversed(path)]


def _best_takes(
    recording: Recording,
    attendance: Attendance,
    found: Sequence[Moment],
    spans: Sequence[Span],
    count: int,
    length: int,
) -> list[_Take]:
    """Shots of the best moments, so many at most, each of so many frames and none over another."""
    calm = [
        Moment(frame, CALM_WORTH, Subject(), CALM, -1)
        for frame in np.linspace(0.0, recording.frames, min(MOST_CALM, recording.frames // max(1, length // 4)))
    ]
    cuts, taken, kinds = _Cuts(recording, attendance, found), list[_Take](), Counter[str]()
    most = {CALM: count, None: max(1, count - _least_calm(count))}
    for moment in sorted((*found, *calm), key=lambda one: (-one.worth, one.frame)):
        if len(taken) == count:
            break
        of_kind = most[CALM] if moment.kind == CALM else max(2, round(MOST_OF_A_KIND * count))
        eventful = len(taken) - kinds[CALM]
        if kinds[moment.kind] >= of_kind or moment.kind != CALM and eventful >= most[None]:
            continue
        take = _take_of(attendance, cuts, moment, spans, length)
        if take is not None and all(take.end <= other.begin or other.end <= take.begin for other in taken):
            taken.append(take)
            kinds[moment.kind] += 1
    return sorted(taken, key=lambda take: take.begin)


def _take_of(attendance: Attendance, cuts: _Cuts, moment: Moment, spans: Sequence[Span], length: int) -> _Take | None:
    """The shot of a moment of so many frames within one of the stretches; None if there is no room for it."""
    begin = round(moment.frame - LEAD_IN_SHARE * length)
    if moment.row >= 0:
        there = attendance.last(np.array([min(int(moment.frame), len(attendance.alive) - 1)]), moment.row)
        begin = max(begin, int(attendance.since[there[0], moment.row]))
    span = next((each for each in spans if each[0] <= moment.frame < each[1] and each[0] + length <= each[1]), None)
    if span is None:
        return None
    begin = min(max(begin, span[0]), span[1] - length)
    if moment.kind == CALM:
        calm = bool((attendance.until[begin] >= begin + length).any())
        return _Take(begin, begin + length, ()) if calm else None
    own = [each for each in cuts.take(begin, begin + length).events if each[1] is moment]
    return _Take(begin, begin + length, tuple(own)) if own else None


def _least_calm(count: int) -> int:
    """Number of shots of so many that show fishes that swim by themselves."""
    return math.ceil(LEAST_CALM_SHARE * count) if count >= 4 else 0


def _cast(recording: Recording, attendance: Attendance, takes: Sequence[_Take]) -> list[tuple[_Take, Moment]]:
    """The moment of each take: its best event if that is not one too many, or else a calm fish."""
    chosen: dict[int, Moment] = {}
    kinds: Counter[str] = Counter()
    most, of_kind = len(takes) - _least_calm(len(takes)), max(2, round(MOST_OF_A_KIND * len(takes)))
    worth = [max((value for value, _ in take.events), default=0.0) for take in takes]
    for place in sorted(range(len(takes)), key=lambda place: (-worth[place], place)):
        if len(chosen) >= most:
            break
        best = next((event for _, event in takes[place].events if kinds[event.kind] < of_kind), None)
        if best is not None:
            chosen[place] = best
            kinds[best.kind] += 1
    shown, species = Counter(each.row for each in chosen.values()), Counter[str]()
    for row, times in shown.items():
        species[recording.species[row]] += times
    found = []
    for number, take in enumerate(takes):
        moment = chosen.get(number)
        calm = None if moment is not None else _calm_row(recording, attendance, take, shown, species)
        if calm is not None:
            moment = Moment(float(take.begin), CALM_WORTH, Subject(fish=calm), CALM, calm)
            shown[calm] += 1
            species[recording.species[calm]] += 1
        found.append((take, moment or take.events[0][1]))
    return found


def _calm_row(
    recording: Recording, attendance: Attendance, take: _Take, shown: Counter[int], species: Counter[str]
) -> int | None:
    """A fish that is there for all of a take: of a species, and a fish, that has been seen least.

    Without one it is who stays longest of those there at its beginning; None if the take has an event instead.
    """
    until = np.where(attendance.alive[take.begin], attendance.until[take.begin], 0)
    rows = np.flatnonzero(until >= take.end)
    if not len(rows):
        return None if take.events else int(until.argmax())
    return int(min(rows, key=lambda row: (species[recording.species[row]], shown[int(row)], row)))


def _shots(recording: Recording, cast: Sequence[tuple[_Take, Moment]], scene: str, seed: int) -> tuple[FilmShot, ...]:
    """The takes as shots, with moves that change."""
    shots: list[FilmShot] = []
    used: Counter[str] = Counter()
    for take, moment in cast:
        moves = MOVES_OF.get(moment.kind, OTHER_MOVES)
        move = moves[used[moment.kind] % len(moves)]
        if shots and move == shots[-1].move:
            used[moment.kind] += 1
            move = moves[used[moment.kind] % len(moves)]
        used[moment.kind] += 1
        zero = moment.frame if moment.subject.event is not None else 0.0
        shots.append(
            FilmShot(
                scene=scene,
                seed=seed,
                subject=moment.subject,
                start=(take.begin - zero) / recording.fps,
                seconds=(take.end - take.begin) / recording.fps,
                move=move,
                size=0.5 if moment.subject.pair else 0.32,
            )
        )
    return tuple(shots)
