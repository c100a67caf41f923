"""Times that are kept: arrivals in time and curves followed, at up to four fifths of what species sustain."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..core.behavior.ways import WayCurve
from ..core.scene.scene import Scene
from ..core.scene.species import Species
from ..core.studio.paces import paces_of
from ..core.world.world import World
from .finding import Finding, counted, each
from .swimming import SHIPPED

SPECIES = tuple(SHIPPED)
AMONG_PILLARS = "sardine", "blue_tang", "reef_shark"
SHOALS = "sardine", "sardinella", "striped_cardinalfish"
SHOAL = 8
"""Fishes of a shoal."""
FPS = 24.0
SHARES, SECONDS = (0.3, 0.8), (5.0, 20.0)
"""Speeds over that which is sustained, and times in seconds, from which those of a trial are drawn."""
LATE, OFF, FOLLOWED = 0.25, 1.0, 1.5
"""Seconds and lengths within which an arrival is in time, and lengths within which a curve is followed."""
BREATHING = 1.2
"""Least speed asked over that at which a fish has to swim to breathe."""
BEARING = np.radians(50.0)
"""The most that a place lies off the heading with which fishes begin."""
ROOM = 12.0
"""Lengths of water around all ways."""


@dataclass(frozen=True)
class TimedArrival:
    """An arrival: the median of how late fishes were in seconds, and how far off their middle was in lengths."""

    late: float
    off: float

    @property
    def in_time(self) -> bool:
        """True if it is within the bounds."""
        return abs(self.late) <= LATE and self.off <= OFF


def asked(name: str, seed: int) -> tuple[np.random.Generator, float, float, float]:
    """Dice, a time in seconds, a way in metres for it, and the length of a fish of a species in metres."""
    dice, species = np.random.default_rng([seed, SPECIES.index(name)]), Species.load(name)
    seconds, share = float(dice.uniform(*SECONDS)), float(dice.uniform(*SHARES))
    paces = paces_of(species.alike)
    speed = max(share * paces.kept(seconds), BREATHING * paces.least)
    return dice, seconds, speed * seconds * species.length, species.length


def scene(name: str, count: int, way: np.ndarray, length: float, seconds: float, entry: dict, pillars: list) -> Scene:
    """A sea with room around a way, (n, 3) in metres from the origin, where fishes begin at its first place."""
    room = ROOM * length
    low, high = way.min(axis=0) - room, way.max(axis=0) + room
    group = {"species": name, "count": count, "at": (way[0] - low).tolist(), "heading": [1, 0, 0]}
    group |= {"spread": 1.5 * length} if count > 1 else {}
    calm = {"hunger": 0.0, "libido": 0.0}
    told: dict[str, Any] = {
        "name": "timing",
        "duration": seconds + 3.0,
        "fps": FPS,
        "tank": {"size": (high - low).tolist()},
        "fishes": [{**group, "mind": calm}],
        "direction": [{"fishes": 0, **entry, **_moved(entry, -low)}],
        "obstacles": [{**pillar, "at": (np.array(pillar["at"]) - low).tolist()} for pillar in pillars],
    }
    for pillar in told["obstacles"]:
        pillar["at"][2], pillar["height"] = 0.0, float((high - low)[2])
    return Scene.from_dict(told)


def _moved(entry: dict, by: np.ndarray) -> dict:
    return {key: (np.array(entry[key]) + by).tolist() for key in ("at", "points") if key in entry}


def arrival(name: str, count: int, pillars: bool, seed: int) -> TimedArrival:
    """An arrival of fishes of a species after a drawn time and way, perhaps with pillars in it."""
    dice, seconds, metres, length = asked(name, seed)
    turn, slope = dice.uniform(-BEARING, BEARING), dice.uniform(-0.1, 0.1)
    goal = metres * np.array([np.cos(turn) * np.cos(slope), np.sin(turn) * np.cos(slope), np.sin(slope)])
    entry = {"kind": "arrival", "at": goal.tolist(), "time": seconds, "radius": max(0.5, length)}
    stands = _pillars(dice, goal, length) if pillars else []
    world = World(scene(name, count, np.stack([0.0 * goal, goal]), length, seconds, entry, stands), seed)
    at, middle = np.array(world.scene.direction[0].at), np.zeros(3)  # type: ignore[union-attr]
    for frame in range(round((seconds + 2.0) * FPS)):
        world.step()
        if frame + 1 == round(seconds * FPS):
            middle = world.parts.bodies.shoal.frames()[0].mean(axis=0)
    late = [event["late"] for event in world.events if event["kind"] == "arrived"]
    missing = [np.inf] * (count - len(late))
    return TimedArrival(float(np.median(late + missing)), float(np.linalg.norm(middle - at) / length))


def _pillars(dice: np.random.Generator, goal: np.ndarray, length: float) -> list[dict]:
    """Pillars on and beside the way, off its ends, with room to pass between them."""
    found: list[dict] = []
    across = np.array([-goal[1], goal[0], 0.0]) / np.linalg.norm(goal[:2])
    reach = float(np.linalg.norm(goal))
    for share in np.arange(5.0 * length, reach - 5.0 * length, 6.0 * length):
        at = share / reach * goal + dice.uniform(-1.5, 1.5) * length * across
        found.append({"kind": "cylinder", "at": at.tolist(), "radius": 0.5 * length, "height": 1.0})
    return found[:40]


def curve(name: str, count: int, seed: int) -> float:
    """Median distance in lengths of the middle of fishes from where a winding curve is, over the last half of it."""
    dice, seconds, metres, length = asked(name, seed)
    bend = dice.uniform(12.0, 24.0) * length  # radius, by turns to either side
    heading, points = 0.0, [np.zeros(3)]
    steps = max(round(metres / length), 2)
    side = dice.choice((-1.0, 1.0))
    for step in range(steps):
        heading += side * metres / steps / bend * (1.0 if (step * metres / steps) % (2.0 * bend) < bend else -1.0)
        points.append(points[-1] + metres / steps * np.array([np.cos(heading), np.sin(heading), 0.0]))
    way = np.array(points)
    entry = {"kind": "curve", "points": way.tolist(), "start": 0.5, "duration": seconds}
    world = World(scene(name, count, way, length, seconds, entry, []), seed)
    line, off = WayCurve(world.scene.direction[0].points, False), []  # type: ignore[union-attr]
    for frame in range(round((seconds + 0.5) * FPS)):
        world.step()
        if (frame + 1) / FPS - 0.5 > 0.5 * seconds:
            there = line.at(np.array([line.length * ((frame + 1) / FPS - 0.5) / seconds]))[0]
            off.append(np.linalg.norm(world.parts.bodies.shoal.frames()[0].mean(axis=0) - there) / length)
    return float(np.median(off))


def findings(seeds: range = range(20)) -> Iterator[Finding]:
    """Arrivals and curves of every species in open water, of three among pillars, and of shoals."""
    for claim, names, count, pillars in (
        ("every species in open water", SPECIES, 1, False),
        ("three species among pillars", AMONG_PILLARS, 1, True),
        ("shoals of eight, by their middles", SHOALS, SHOAL, False),
    ):
        found = each(arrival, names, [count], [pillars], seeds)
        worst = _worst(names, [one.in_time for one in found])
        late, off = np.array([one.late for one in found]), np.array([one.off for one in found])
        note = f"{np.median(np.abs(late)):.2f} s and {np.median(off):.2f} lengths in the middle; {worst}"
        yield counted(f"{claim}: within 0.25 s and one length", [one.in_time for one in found], 0.95, note)
    for claim, names, count in (
        ("every species in open water", SPECIES, 1),
        ("shoals of eight, by their middles", SHOALS, SHOAL),
    ):
        off = np.array(each(curve, names, [count], seeds))
        worst = _worst(names, (off <= FOLLOWED).tolist())
        note = f"{np.median(off):.2f} lengths in the middle; {worst}"
        yield counted(f"{claim}: a timed curve is followed within 1.5 lengths", off <= FOLLOWED, 0.95, note)


def _worst(names: tuple[str, ...], held: list[bool]) -> str:
    """The species of which the fewest trials came out, in words."""
    shares = np.array(held).reshape(len(names), -1).mean(axis=1)
    return f"{shares.min():.0%} of {names[int(shares.argmin())]} at the least"
