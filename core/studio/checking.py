"""Checking: what a scene asks of its fishes in time, and whether they can do it, before anything is simulated."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..base.keys import most
from ..base.vectors import norm
from ..behavior.timing import is_timed, seconds_along
from ..behavior.ways import WayCurve
from ..habitat.obstacles import Obstacles
from ..habitat.tank import WaterBox
from ..scene.direction import Arrival, Curve, Direction, Stream, Target
from ..scene.scene import Scene
from ..scene.species import Species
from ..world.assembly import models_of
from .paces import Paces, paces_of
from .tuning import CHECKED_METRES, CHECKED_SECONDS, UNSAID_METRES


@dataclass(frozen=True)
class TimedDirection:
    """The demands of an entry of a scene's direction on its fishes in time.

    Attributes:
        row: Row of the entry.
        whom: The fishes in words.
        what: The entry in words.
        metres: Length of the way in metres.
        seconds: Time for it.
        length: Length of a fish in metres.
        paces: The speeds that such fishes sustain.
        lasting: For how long they have to keep the speed, in seconds.
        waits: Whether they may go slower than that takes, or round about.
        fits: Whether a time and a length would make it possible, and not a speed.
        begin: Place in metres from which the way is counted.
    """

    row: int
    whom: str
    what: str
    metres: float
    seconds: float
    length: float
    paces: Paces
    lasting: float
    waits: bool
    fits: bool
    begin: tuple[float, float, float]

    @property
    def needed(self) -> float:
        """The speed that it needs, in lengths a second."""
        return self.metres / max(self.seconds, 1e-9) / self.length

    @property
    def possible(self) -> float:
        """The speed that they sustain for that time, in lengths a second."""
        return self.paces.kept(self.lasting)

    @property
    def feasible(self) -> bool:
        """True if they can do it."""
        return self.needed <= self.possible and (self.waits or self.needed >= self.paces.least)

    @property
    def fit_seconds(self) -> float:
        """The time in which they can do it, in seconds."""
        if self.needed < self.paces.least:
            return self.metres / self.length / self.paces.least
        lengths = self.metres / self.length
        return lengths / self.possible if self.lasting > self.seconds else self.paces.seconds_for(lengths)

    @property
    def fit_metres(self) -> float:
        """The length of the way that they can do in the time, in metres."""
        speed = self.paces.least if self.needed < self.paces.least else self.possible
        return speed * self.seconds * self.length

    def line(self) -> str:
        """Its need, their abilities, and times and lengths that would do, in a line."""
        slow = self.needed < self.paces.least and not self.waits
        can = f"they swim no slower than {self.paces.least:.2g}" if slow else f"they can do {self.possible:.2g}"
        asks = f"{self.whom}: {self.what} needs {self.needed:.2g} lengths/s for {_rounded(self.lasting)} s, {can}"
        if self.feasible:
            return asks
        if not self.fits:
            return f"{asks}: give it {self.fit_metres / max(self.seconds, 1e-9):.2g} m/s"
        return f"{asks}: give it {_rounded(_up(self.fit_seconds))} s or {_rounded(self.fit_metres)} m"


def timed_directions(scene: Scene, species: Mapping[str, Species] | None = None) -> list[TimedDirection]:
    """The demands of every timed entry of a scene's direction, in order.

    Args:
        scene: The scene.
        species: Species by name in place of presets.

    Raises:
        SceneError: A species cannot be read.
    """
    timed = [(row, entry) for row, entry in enumerate(scene.direction) if is_timed(entry)]
    models = models_of(scene, species or {}) if timed else {}
    found = []
    for row, entry in timed:
        group = scene.fishes[entry.fishes]
        model = models[group.species]
        metres, seconds, lasting, begin = _demand(scene, row, entry)
        found.append(
            TimedDirection(
                row=row,
                whom=_called(model.name, group.count if entry.member is None else 1),
                what=named(scene, row),
                metres=metres,
                seconds=seconds,
                length=model.length * group.size,
                paces=paces_of(model.alike),
                lasting=lasting,
                waits=not isinstance(entry, Curve),
                fits=isinstance(entry, Arrival) or getattr(entry, "duration", None) is not None,
                begin=begin,
            )
        )
    return found


def doubts(scene: Scene, species: Mapping[str, Species] | None = None) -> list[str]:
    """A line for each thing in a scene's direction that cannot come out as it says."""
    late = [one.line() for one in timed_directions(scene, species) if not one.feasible]
    return [*late, *_misplaced(scene), *_too_late(scene), *_bodiless(scene)]


def named(scene: Scene, row: int) -> str:
    """An entry of a scene's direction in words: "the curve 'Path'"."""
    entry: Any = scene.direction[row]
    name = getattr(entry, "name", "")
    return f"the {entry.kind} '{name}'" if name else f"the {entry.kind} direction[{row}]"


def _demand(scene: Scene, row: int, entry: Any) -> tuple[float, float, float, tuple[float, float, float]]:
    """The way of an entry in metres, the seconds for it, those for which its speed is kept, and its first place."""
    if isinstance(entry, Curve):
        length = WayCurve(entry.points, entry.closed).length
        seconds = seconds_along(entry, length)
        assert seconds is not None
        lasting = max(scene.duration - entry.start, seconds) if entry.closed else seconds
        return length, seconds, lasting, tuple(entry.points[0])
    begins, place = _before(scene, row, entry)
    x, y, z = place.tolist()
    if isinstance(entry, Arrival):
        begins = begins if entry.start is None else max(begins, entry.start)
        metres, seconds = float(norm(np.array(entry.at) - place)), entry.time - begins
        return metres, seconds, max(seconds, 1e-3), (x, y, z)
    if isinstance(entry, Target) and entry.at is not None and entry.speed is not None:
        metres = max(float(norm(np.array(entry.at) - place)), 1e-3)
        return metres, metres / entry.speed, metres / entry.speed, (x, y, z)
    return most(entry.speed) * CHECKED_SECONDS, CHECKED_SECONDS, CHECKED_SECONDS, (x, y, z)


def _before(scene: Scene, row: int, entry: Any) -> tuple[float, np.ndarray]:
    """When the fishes of an entry are free for it, in seconds, and where they then are, in metres, (3,)."""
    group = scene.fishes[entry.fishes]
    begins, place = group.enters, np.array(group.at, dtype=float)
    until = entry.time if isinstance(entry, Arrival) else np.inf
    for other in scene.direction[:row] + scene.direction[row + 1 :]:
        if other.fishes != entry.fishes or other.member not in (None, entry.member):
            continue
        if isinstance(other, Arrival) and begins <= other.time + other.stay < until:
            begins, place = other.time + other.stay, np.array(other.at, dtype=float)
        elif isinstance(other, Curve) and is_timed(other) and not other.closed:
            length = WayCurve(other.points, False).length
            end = other.start + (seconds_along(other, length) or 0.0)
            if begins <= end < until:
                begins, place = end, np.array(other.points[-1], dtype=float)
    return begins, place


def _misplaced(scene: Scene) -> Iterator[str]:
    """Places and curves that are inside what stands in the water, or out of it."""
    somewhere = [(row, entry) for row, entry in enumerate(scene.direction) if len(_places(entry)[0])]
    if not somewhere:  # what stands takes time to be sampled
        return
    tank, solids = WaterBox.from_scene(scene), Obstacles.from_scene(scene, movers=None)
    for row, entry in somewhere:
        places, spare = _places(entry)
        outside = -tank.distance(places)[0] - spare
        inside = -solids.distance(places)[0] - spare if len(solids) else np.full(len(places), -np.inf)
        for depth, where in ((outside, "out of the water"), (inside, "inside what stands there")):
            worst = int(depth.argmax())
            if depth[worst] > 0.0:
                at = ", ".join(f"{x:.2f}" for x in places[worst])
                by = f"{depth[worst] + spare:.2f} m {where}"
                leads = "leads" if isinstance(entry, Curve | Stream) else "is"
                yield f"{named(scene, row)} {leads} {by} at {at}: fishes come no nearer than its border"
                break


def _places(entry: Direction) -> tuple[np.ndarray, float]:
    """Where an entry leads to in metres, (n, 3), and by how much fishes need not come near, in metres."""
    if isinstance(entry, Curve | Stream):
        way = WayCurve(entry.points, entry.closed)
        return way.at(np.arange(0.0, way.length, CHECKED_METRES)), UNSAID_METRES
    if isinstance(entry, Arrival | Target) and entry.at is not None:
        return np.array([entry.at], dtype=float), entry.radius
    if isinstance(entry, Target) and entry.path is not None:
        return np.array(entry.path, dtype=float)[:, 1:], entry.radius
    return np.zeros((0, 3)), 0.0


def _too_late(scene: Scene) -> Iterator[str]:
    """Entries that begin, and groups that enter, after the last frame."""
    last = scene.duration
    for row, entry in enumerate(scene.direction):
        begins = entry.start if isinstance(entry, Curve) else entry.time if isinstance(entry, Arrival) else -np.inf
        if isinstance(entry.strength, tuple):
            begins = max(begins, min((t for t, value in _leading(entry.strength) if value > 0.0), default=np.inf))
        if begins > last:
            verb = "is due" if isinstance(entry, Arrival) and entry.time > last else "begins"
            when = f"at {_rounded(begins)} s" if np.isfinite(begins) else "never"
            yield f"{named(scene, row)} {verb} {when}, after the last frame, at {_rounded(last)} s"
    for row, group in enumerate(scene.fishes):
        if group.enters > last:
            yield f"fishes[{row}], {group.species}, enters at {_rounded(group.enters)} s, after the last frame"


def _leading(keys: tuple[tuple[float, float], ...]) -> Iterator[tuple[float, float]]:
    """The times from which keys lead on, each with the most that they come to by the next."""
    for (t, value), (_, after) in zip(keys, (*keys[1:], keys[-1]), strict=True):
        yield t, max(value, after)


def _bodiless(scene: Scene) -> Iterator[str]:
    """Timed entries whose fishes are more than may have bodies."""
    if scene.detail is None:
        return
    for row, entry in enumerate(scene.direction):
        count = 1 if entry.member is not None else scene.fishes[entry.fishes].count
        if is_timed(entry) and count > scene.detail.dynamic:
            have = f"{scene.detail.dynamic} of {count} fishes have bodies at once"
            yield f"{named(scene, row)} leads replicas, which keep no times: {have}"


def _called(name: str, count: int) -> str:
    """Fishes of a species in words."""
    word = name.replace("_", " ")
    return word if count == 1 or word.endswith("fish") else f"{word}s"


def _up(seconds: float) -> float:
    """A time rounded up to two figures."""
    digit = 10.0 ** (np.floor(np.log10(max(seconds, 1e-9))) - 1.0)
    return float(np.ceil(seconds / digit - 1e-9) * digit)


def _rounded(value: float) -> str:
    """A number to two figures, without an exponent."""
    return f"{float(f'{value:.2g}'):g}"
