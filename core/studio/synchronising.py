"""Synchronising: "this courtship starts as the school passes here", by running ahead and shifting starts.

The book's wish (Tu 1999, §11.6.1): a trial simulation shows when events happen; what is too early is then started
later, or what is too late earlier, and it is tried again, since fishes that come at another time may act differently.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ..base.codec import OPTIONAL, REQUIRED, Place, SceneError, decode, shown
from ..base.declaration import choice, integer, number, vector, words
from ..events import COUNTING_KINDS, COURTSHIP_STAGES, EVENT_KINDS
from ..scene.direction import Arrival, Curve, Want
from ..scene.limits import FARTHEST, MOST_FISHES
from ..scene.scene import Scene
from ..scene.species import Species
from ..world.world import World

START_NAMES = "fishes[0].enters, wants[0], direction[0], hook.start or events[0].time, with a number that the scene has"


@dataclass(frozen=True, kw_only=True)
class Happens:
    """The first event of a kind, as `Recording.events` has it."""

    kind: str = choice(REQUIRED, ("event",), "An event")
    event: str = choice(REQUIRED, EVENT_KINDS, "Of this kind")
    stage: str | None = choice(
        OPTIONAL, COURTSHIP_STAGES, "Of a courtship, the stage that a couple comes to; any if left out"
    )
    fishes: int | None = integer(
        OPTIONAL, 0, MOST_FISHES - 1, "", "Group of which a fish takes part, from 0; any if left out"
    )


@dataclass(frozen=True, kw_only=True)
class Passes:
    """The first time that the middle of a group is near a place."""

    kind: str = choice(REQUIRED, ("passes",), "A group passes a place")
    fishes: int = integer(REQUIRED, 0, MOST_FISHES - 1, "", "Which group, counted from 0")
    at: tuple = vector(REQUIRED, -FARTHEST, FARTHEST, "m", "The place", shape=(3,))
    radius: float = number(0.5, 0.01, FARTHEST, "m", "How near")


@dataclass(frozen=True, kw_only=True)
class Crosses:
    """The first time that the middle of a group goes through a plane."""

    kind: str = choice(REQUIRED, ("crosses",), "A group crosses a plane")
    fishes: int = integer(REQUIRED, 0, MOST_FISHES - 1, "", "Which group, counted from 0")
    at: tuple = vector(REQUIRED, -FARTHEST, FARTHEST, "m", "A place on the plane", shape=(3,))
    direction: tuple = vector(REQUIRED, -1e6, 1e6, "", "The way through it", shape=(3,))

    def __post_init__(self) -> None:
        if not any(self.direction):
            raise SceneError(shown(self.direction), "a direction, not all zeros", key="direction")


@dataclass(frozen=True, kw_only=True)
class Cue:
    """One of two events that are to be at the same time."""

    moment: Happens | Passes | Crosses
    starts: tuple = words((), "What may begin at another time for it, such as fishes[0].enters or wants[0]")


@dataclass(frozen=True, kw_only=True)
class Cues:
    """Two events that are to be at the same time."""

    first: Cue
    second: Cue
    later: float = number(0.0, -3600.0, 3600.0, "s", "How long after the first the second is to be")
    tolerance: float = number(0.25, 0.001, 3600.0, "s", "How far off is near enough, but no less than a frame")


@dataclass(frozen=True)
class Synchronised:
    """The result of synchronising.

    Attributes:
        scene: The scene with its starts shifted, the best that was found.
        times: Seconds of both events in each run, in order; None where one did not happen.
        off: Seconds by which the second is too late in that scene, below 0 too early; None if one never happened.
        done: Whether that is within the tolerance.
    """

    scene: Scene
    times: tuple[tuple[float | None, float | None], ...]
    off: float | None
    done: bool

    def summary(self) -> str:
        """The result in a sentence."""
        runs = f"{len(self.times)} run{'' if len(self.times) == 1 else 's'}"
        if self.off is None:
            missing = [word for word, time in zip(("first", "second"), self.times[-1], strict=True) if time is None]
            return f"After {runs} the {' and the '.join(missing)} had not happened."
        what = "Synchronised" if self.done else "Not synchronised"
        return f"{what} after {runs}: the second is {abs(self.off):.2f} s {'late' if self.off > 0 else 'early'}."


def synchronise(
    scene: Scene,
    cues: Cues | Mapping[str, Any],
    seed: int = 0,
    rounds: int = 8,
    species: Mapping[str, Species] | None = None,
    progress: Callable[[int, float], None] | None = None,
    file: str = "cues",
) -> Synchronised:
    """Shifts starts in a scene until two events happen together when the scene is run ahead.

    The early event begins later by the difference, if anything may be shifted for it; else the late one begins earlier,
    though not before the film. The same scene, seed and cues give the same answer.

    Args:
        scene: The scene to run.
        cues: The two events and the starts that may be shifted for them, as `Cues` or as JSON holds them.
        seed: Seed of the world; the answer holds for this seed.
        rounds: Most runs.
        species: Species that win over the presets of the same name.
        progress: Called once a second of the story with the round, from 1, and the seconds that have gone by in it.
        file: Name of the cues' origin in messages.

    Raises:
        SceneError: If the cues are not as declared, or name what the scene does not have.
    """
    pair = cues if isinstance(cues, Cues) else decode(Cues, cues, Place(file))
    for name, cue in (("first", pair.first), ("second", pair.second)):
        _refuse_strangers(scene, f"{file}: {name}", cue)
    tolerance = max(pair.tolerance, 1.0 / scene.fps)
    times: list[tuple[float | None, float | None]] = []
    tried: list[Scene] = []
    best, off = scene, None
    for count in range(1, rounds + 1):
        tried.append(scene)
        times.append(_run(scene, pair, seed, species, count, progress))
        first, second = times[-1]
        if first is None or second is None:
            break
        now = second - first - pair.later
        if off is None or abs(now) < abs(off):
            best, off = scene, now
        if abs(now) <= tolerance:
            break
        shifted = _shifted_by(scene, pair, now)
        if shifted is None or shifted in tried:
            break
        scene = shifted
    return Synchronised(best, tuple(times), off, off is not None and abs(off) <= tolerance)


def shifted(scene: Scene, start: str, by: float) -> Scene:
    """A scene in which one start is later by some seconds, or earlier where they are below 0.

    Args:
        scene: Any.
        start: Start to shift: "fishes[0].enters", "wants[0]" with all its keys, "direction[0]" likewise and with the
            way of a target and the beginning of a curve, "hook.start" or "events[0].time".
        by: Seconds.

    Raises:
        SceneError: If there is no such start in the scene.
    """
    owner, _, key = start.partition(".")
    section, _, number = owner.rstrip("]").partition("[")
    if start == "hook.start" and scene.hook is not None:
        return replace(scene, hook=replace(scene.hook, start=scene.hook.start + by))
    keys = {"fishes": "enters", "events": "time", "wants": "", "direction": ""}
    items = list(getattr(scene, section)) if keys.get(section) == key else []
    if not number.isdecimal() or int(number) >= len(items):
        raise SceneError(shown(start), START_NAMES, key="starts")
    item = items[int(number)]
    items[int(number)] = replace(item, **(_moved(item, by) if not key else {key: getattr(item, key) + by}))
    changed: dict[str, Any] = {section: tuple(items)}
    return replace(scene, **changed)


def begins(scene: Scene, start: str) -> float:
    """Seconds at which it starts: `shifted` by less than minus this would begin before the film.

    Raises:
        SceneError: If there is no such start in the scene, or nothing in it has a time.
    """
    if shifted(scene, start, 1.0) == scene:
        raise SceneError(f"{shown(start)}, in which nothing has a time", "keys of seconds and value", key="starts")
    owner, _, key = start.partition(".")
    if owner == "hook":
        assert scene.hook is not None
        return scene.hook.start
    section, _, number = owner.rstrip("]").partition("[")
    item = getattr(scene, section)[int(number)]
    return getattr(item, key) if key else min(_times(item))


_TIMED = "keys", "strength", "path", "density", "order", "milling", "share", "radius", "width"
"""Fields of wants and directions that may be rows that begin with a time; of a region the radius is a number."""


def _moved(item: Any, by: float) -> dict[str, Any]:
    """The times of a want or a direction, by the names of its fields, later by some seconds."""
    found: dict[str, Any] = {}
    for name in _TIMED:
        rows = getattr(item, name, None)
        if isinstance(rows, tuple):
            found[name] = tuple((row[0] + by, *row[1:]) for row in rows)
    if isinstance(item, Want) and item.until is not None:
        found["until"] = item.until + by
    if isinstance(item, Curve) and (item.duration is not None or "strength" not in found):
        found["start"] = item.start + by
    if isinstance(item, Arrival):
        found["time"] = item.time + by
        found |= {} if item.start is None else {"start": item.start + by}
    return found


def _times(item: Any) -> list[float]:
    """All times of a want or a direction in seconds."""
    found = [row[0] for name in _TIMED for row in _rows(getattr(item, name, None))]
    if isinstance(item, Arrival):
        return [*found, item.time if item.start is None else item.start]
    return [*found, item.start] if isinstance(item, Curve) and "start" in _moved(item, 0.0) else found


def _rows(value: Any) -> tuple:
    return value if isinstance(value, tuple) else ()


def _shifted_by(scene: Scene, cues: Cues, late: float) -> Scene | None:
    """The scene with starts shifted against the second's being so late, or early; None where nothing may be."""
    early, tardy = (cues.first, cues.second) if late > 0 else (cues.second, cues.first)
    by = round(abs(late) * scene.fps) / scene.fps
    for cue, sign in ((early, 1.0), (tardy, -1.0)):
        if not cue.starts:
            continue
        room = by if sign > 0 else min(by, *(max(begins(scene, start), 0.0) for start in cue.starts))
        if room > 0:
            for start in cue.starts:
                scene = shifted(scene, start, sign * room)
            return scene
    return None


def _run(
    scene: Scene,
    cues: Cues,
    seed: int,
    species: Mapping[str, Species] | None,
    count: int,
    progress: Callable[[int, float], None] | None,
) -> tuple[float | None, float | None]:
    """The times of both events, in seconds; no longer than the film lasts."""
    world = World(scene, seed, species=species)
    while world.frame < 0:
        world.step()
    watchers = [_Watcher(cue.moment, scene) for cue in (cues.first, cues.second)]
    found: list[float | None] = [None, None]
    for frame in range(scene.frames):
        for row, watcher in enumerate(watchers):
            if found[row] is None and watcher.sees(world):
                found[row] = world.t
        if None not in found:
            break
        if progress is not None and frame % max(1, round(scene.fps)) == 0:
            progress(count, world.t)
        world.step()
    return found[0], found[1]


class _Watcher:
    """Waits for a moment."""

    def __init__(self, moment: Happens | Passes | Crosses, scene: Scene):
        self._moment = moment
        self._rows = np.arange(scene.count) if moment.fishes is None else np.array(scene.rows_of(moment.fishes))
        self._seen = 0  # events
        self._before: float | None = None  # metres to the plane

    def sees(self, world: World) -> bool:
        """True if its moment is in the frame at which the world stands."""
        moment = self._moment
        if isinstance(moment, Happens):
            new, self._seen = world.events[self._seen :], len(world.events)
            return any(self._is_it(event) for event in new if event["frame"] >= 0)
        there = self._rows[world.alive[self._rows]]
        if not len(there):
            return False
        arm = world.nodes[there].mean(axis=(0, 1)) - np.array(moment.at)
        if isinstance(moment, Passes):
            return bool(np.linalg.norm(arm) <= moment.radius)
        before, self._before = self._before, float(arm @ np.array(moment.direction))
        return before is not None and before <= 0.0 < self._before

    def _is_it(self, event: Mapping[str, Any]) -> bool:
        moment = self._moment
        assert isinstance(moment, Happens)
        if event["kind"] != moment.event or (moment.stage is not None and event.get("stage") != moment.stage):
            return False
        others = [] if event["kind"] in COUNTING_KINDS else [event["other"]]
        return moment.fishes is None or bool(np.isin([event["fish"], *others], self._rows).any())


def _refuse_strangers(scene: Scene, name: str, cue: Cue) -> None:
    group = cue.moment.fishes
    if group is not None and group >= len(scene.fishes):
        span = f"0 to {len(scene.fishes) - 1}, a group of the scene"
        raise SceneError(str(group), span, key=f"{name}.moment.fishes")
    for start in cue.starts:
        try:
            begins(scene, start)
        except SceneError as error:
            raise error.within(Place("", name)) from None
