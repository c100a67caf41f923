"""The direction of fishes: targets, curves, regions and leaders, keyed wants, and timed events.

The mind stays in charge (Tu 1999, §11.6.1 wishes for such direction): each entry of a scene's `direction` has a
strength, and what that means is said in `behavior.director`. Times are seconds from the beginning of the film.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from ..base.codec import OPTIONAL, REQUIRED, SceneError, shown
from ..base.declaration import choice, flag, integer, keyed, number, text, vector
from ..geometry import triangles
from ..geometry.mesh_field import MeshField
from .limits import FARTHEST, LATEST, MOST_FISHES, refuse_zero

WAYS = ("straight", "planned", "sought")
"""Ways of fishes to a target or after others: straight ahead, by a planned way, or in search of it."""

SPEEDS = 0.001, 100.0
"""The least and the most that a speed may be, in metres a second."""


@dataclass(frozen=True, kw_only=True)
class Led:
    """The fishes that an entry leads: a group, or one fish of it."""

    fishes: int = integer(REQUIRED, 0, MOST_FISHES - 1, "", "Which group, counted from 0")
    member: int | None = integer(OPTIONAL, 0, MOST_FISHES - 1, "", "Which fish of the group, from 0; all if left out")


@dataclass(frozen=True, kw_only=True)
class Direction(Led):
    """An entry of a scene's direction."""

    strength: Any = keyed(
        1.0, 0.0, 1.0, "", "How strongly it leads: 0 not at all, 1 over all wants, though never into what is in the way"
    )


@dataclass(frozen=True, kw_only=True)
class Target(Direction):
    """A place to go to and to stay at; it may move."""

    kind: str = choice(REQUIRED, ("target",), "A place to go to")
    at: tuple | None = vector(OPTIONAL, -FARTHEST, FARTHEST, "m", "The place, if it does not move", shape=(3,))
    path: tuple | None = vector(
        *(
            OPTIONAL,
            -LATEST,
            LATEST,
            "",
            "Where it is when: rows of seconds, x, y and z in metres, straight between",
        ),
        shape=(None, 4),
    )
    radius: float = number(0.3, 0.01, FARTHEST, "m", "Within this distance a fish is there and swims about at ease")
    way: str = choice(
        "straight",
        WAYS,
        "How it goes there: straight, by a way planned through what it remembers, or looking for it until it sees it",
    )
    speed: float | None = number(
        OPTIONAL, *SPEEDS, "m/s", "How fast it goes there; if left out as fast as it cruises, and no faster"
    )
    name: str = text("", "What the event of an arrival calls it")

    def __post_init__(self) -> None:
        _refuse_both_or_neither(self.at, self.path)


@dataclass(frozen=True, kw_only=True)
class Arrival(Direction):
    """A place to be at in time: fishes set out, hurry and slow down so that they are."""

    kind: str = choice(REQUIRED, ("arrival",), "A place to be at in time")
    at: tuple = vector(REQUIRED, -FARTHEST, FARTHEST, "m", "The place; of a shoal that of its middle", shape=(3,))
    time: float = number(REQUIRED, 0.0, LATEST, "s", "When they are there")
    radius: float = number(
        0.5, 0.01, FARTHEST, "m", "Within this distance they are there, and may swim about while they stay"
    )
    heading: tuple | None = vector(
        OPTIONAL, -1e6, 1e6, "", "Direction that they swim in when they are there; any if left out", shape=(3,)
    )
    start: float | None = number(
        OPTIONAL, -3600.0, LATEST, "s", "From when on they may set out; if left out as late as they can and cruise"
    )
    stay: float = number(0.0, 0.0, LATEST, "s", "For how long they then stay there")
    name: str = text("", "What the event of their arrival calls it")

    def __post_init__(self) -> None:
        refuse_zero("heading", self.heading)
        if self.start is not None and self.start >= self.time:
            raise SceneError(f"{shown(self.start)} s", f"a start before the time, {shown(self.time)} s", key="start")


@dataclass(frozen=True, kw_only=True)
class Curve(Direction):
    """A curve to swim along, from wherever on it a fish is nearest."""

    kind: str = choice(REQUIRED, ("curve",), "A curve to follow")
    points: tuple = vector(
        REQUIRED, -FARTHEST, FARTHEST, "m", "Its points, 2 or more, straight between", shape=(None, 3)
    )
    closed: bool = flag(False, "Whether it leads from its last point back to its first, and so on round")
    start: float = number(0.0, -3600.0, LATEST, "s", "When it begins to lead; with a duration, to its first point")
    duration: float | None = number(
        OPTIONAL,
        0.1,
        LATEST,
        "s",
        "Time from its first to its last point, or once round; at their own pace if left out",
    )
    speed: float | None = number(OPTIONAL, *SPEEDS, "m/s", "How fast they follow it, in place of a duration")
    name: str = text("", "What the event calls it of their arrival at its end, if it is timed")

    def __post_init__(self) -> None:
        _refuse_standstill(self.points, self.closed)
        if self.duration is not None and self.speed is not None:
            raise SceneError("a duration and a speed", "one of them", key="speed")


@dataclass(frozen=True, kw_only=True)
class Region(Direction):
    """A box or a sphere to stay in, or to stay out of."""

    kind: str = choice(REQUIRED, ("region",), "A region to stay in or out of")
    at: tuple = vector(REQUIRED, -FARTHEST, FARTHEST, "m", "Its middle", shape=(3,))
    radius: float | None = number(OPTIONAL, 0.01, FARTHEST, "m", "Radius of a sphere")
    size: tuple | None = vector(OPTIONAL, 0.01, FARTHEST, "m", "Length, width and height of a box", shape=(3,))
    turn: float = number(0.0, -6.3, 6.3, "rad", "By how much a box is turned about the vertical")
    inside: bool = flag(True, "Whether to stay in it; else to stay out")

    def __post_init__(self) -> None:
        if (self.radius is None) == (self.size is None):
            found = "neither" if self.radius is None else "both"
            raise SceneError(f"{found} radius and size", "one of them", key="radius")


@dataclass(frozen=True, kw_only=True)
class Leader(Direction):
    """Somebody to follow: a fish, or the middle of a group."""

    kind: str = choice(REQUIRED, ("leader",), "A fish or a group to follow")
    leader: int = integer(REQUIRED, 0, MOST_FISHES - 1, "", "Group that is followed, counted from 0")
    leader_member: int | None = integer(
        OPTIONAL, 0, MOST_FISHES - 1, "", "Fish of that group, from 0; the middle of all of them if left out"
    )
    radius: float = number(0.4, 0.01, FARTHEST, "m", "Within this distance a fish is near enough")
    speed: float | None = number(
        OPTIONAL, *SPEEDS, "m/s", "How fast it catches up; if left out as fast as it cruises, and no faster"
    )
    way: str = choice(
        "straight",
        WAYS,
        "How it follows: straight, by a way planned through what it remembers, or looking for it where it has lost it",
    )


@dataclass(frozen=True, kw_only=True)
class Shape(Direction):
    """The shape of a school: fishes keep to it by their own swimming, and first of all to themselves.

    Several shapes for the same fishes part them into parties, by their shares.
    """

    density: Any = keyed(
        *(
            OPTIONAL,
            0.001,
            20.0,
            "fishes/length³",
            "How many of them in the cube of a body's length; it says how large",
        ),
    )
    order: Any = keyed(0.5, 0.0, 1.0, "", "How alike they head: 0 a swarm, each as it likes, 1 all as one")
    milling: Any = keyed(
        0.0, -1.0, 1.0, "", "How much they circle about its middle: 1 anticlockwise from above, -1 clockwise"
    )
    share: Any = keyed(1.0, 0.0, 1.0, "", "How many of them it has, over the shares of all shapes that lead them")


@dataclass(frozen=True, kw_only=True)
class Ball(Shape):
    """A school as one: where its middle is, how large it is, long, flat and turned, where it heads, and how fast."""

    kind: str = choice(REQUIRED, ("ball",), "A ball of fishes, or a long or flat school; it may move")
    at: tuple | None = vector(OPTIONAL, -FARTHEST, FARTHEST, "m", "Its middle, if it does not move", shape=(3,))
    path: tuple | None = vector(
        *(OPTIONAL, -LATEST, LATEST, "", "Where its middle is when: rows of seconds, x, y and z in metres"),
        shape=(None, 4),
    )
    radius: Any = keyed(OPTIONAL, 0.01, FARTHEST, "m", "Its radius; with a density the most of it")
    elongation: Any = keyed(1.0, 0.2, 5.0, "", "Its length over its width; its volume stays that of the ball")
    flatness: Any = keyed(1.0, 0.2, 5.0, "", "Its width over its height")
    turn: Any = keyed(0.0, -1000.0, 1000.0, "rad", "By how much its length is turned about the vertical, from x")
    climb: Any = keyed(0.0, -1.5, 1.5, "rad", "By how much its length points up")
    headed: bool = flag(False, "Whether they head where its length points, as far as they are in order")
    speed: Any = keyed(
        OPTIONAL, *SPEEDS, "m/s", "How fast they swim in it; where its middle moves faster, as fast as that"
    )

    def __post_init__(self) -> None:
        _refuse_both_or_neither(self.at, self.path)
        if self.radius is None and self.density is None:
            raise SceneError("neither radius nor density", "one of them or both", key="radius")


@dataclass(frozen=True, kw_only=True)
class Fill(Shape):
    """A closed mesh that fishes fill, evenly, or as far inside as their density leads; it may move."""

    kind: str = choice(REQUIRED, ("fill",), "A closed mesh to fill")
    vertices: tuple = vector(REQUIRED, -FARTHEST, FARTHEST, "m", "Its vertices", shape=(None, 3))
    faces: tuple = vector(REQUIRED, 0, 1e6, "", "Vertices of each face, counted from 0", shape=(None, None))
    path: tuple | None = vector(
        *(OPTIONAL, -LATEST, LATEST, "", "How far it is moved when: rows of seconds, x, y and z in metres"),
        shape=(None, 4),
    )

    def __post_init__(self) -> None:
        if self.path is not None:
            _refuse_disorder("path", self.path)
        surface = triangles.closed(np.array(self.vertices, dtype=float).reshape(-1, 3), self.faces)
        object.__setattr__(self, "faces", tuple(tuple(map(int, face)) for face in self.faces))
        object.__setattr__(self, "_surface", surface)

    @property
    def field(self) -> MeshField:
        """Distances from its surface, sampled anew."""
        return MeshField(self._surface)  # type: ignore[attr-defined]


@dataclass(frozen=True, kw_only=True)
class Stream(Shape):
    """A curve along which fishes stream, as wide as is said, and as long as their density needs."""

    kind: str = choice(REQUIRED, ("stream",), "A curve to stream along")
    points: tuple = vector(
        REQUIRED, -FARTHEST, FARTHEST, "m", "Its points, 2 or more, straight between", shape=(None, 3)
    )
    closed: bool = flag(False, "Whether it leads from its last point back to its first, and so on round")
    width: Any = keyed(1.0, 0.01, FARTHEST, "m", "From one side of the stream to the other")
    order: Any = keyed(1.0, 0.0, 1.0, "", "How alike they head: 0 a swarm, each as it likes, 1 all along the curve")

    def __post_init__(self) -> None:
        _refuse_standstill(self.points, self.closed)


@dataclass(frozen=True, kw_only=True)
class Want(Led):
    """Hunger, libido or fear that is what keys say, in place of what is felt."""

    want: str = choice(REQUIRED, ("hunger", "libido", "fear"), "Which of the three")
    keys: Any = keyed(REQUIRED, 0.0, 1.0, "", "How much: from the first key on, and after the last as it says")
    until: float | None = number(OPTIONAL, -3600.0, LATEST, "s", "When nature takes over again; never if left out")

    @property
    def begins(self) -> float:
        """Seconds from which on it counts."""
        return self.keys[0][0] if isinstance(self.keys, tuple) else -float("inf")


@dataclass(frozen=True, kw_only=True)
class Food:
    """Food that is dropped into the water."""

    kind: str = choice(REQUIRED, ("food",), "Food that is dropped")
    time: float = number(REQUIRED, 0.0, LATEST, "s", "When")
    at: tuple = vector(REQUIRED, 0.0, FARTHEST, "m", "Where", shape=(3,))
    count: int = integer(12, 1, 10_000, "", "How many particles")
    spread: float = number(0.15, 0.0, FARTHEST, "m", "Radius within which they come")


@dataclass(frozen=True, kw_only=True)
class Fright:
    """A disturbance that frightens fishes near it, as a predator there would."""

    kind: str = choice(REQUIRED, ("fright",), "A disturbance")
    time: float = number(REQUIRED, 0.0, LATEST, "s", "When")
    at: tuple = vector(REQUIRED, 0.0, FARTHEST, "m", "Where", shape=(3,))
    radius: float = number(1.5, 0.01, FARTHEST, "m", "Distance at which a fish is just afraid enough to act")


def goal_name(entry: Direction, row: int) -> str:
    """The name in events of the goal of an entry, which is in a row of its scene's direction."""
    return getattr(entry, "name", "") or f"direction[{row}]"


def refuse_strangers(scene: Any) -> None:
    """Refuses entries of a Scene that name a group or a fish that it does not have.

    Raises:
        SceneError: The first of them.
    """
    for section in ("direction", "wants"):
        for row, entry in enumerate(getattr(scene, section)):
            refuse_stranger(scene, f"{section}[{row}]", "fishes", entry.fishes, "member", entry.member)
            if isinstance(entry, Leader):
                leader = entry.leader, "leader_member", entry.leader_member
                refuse_stranger(scene, f"{section}[{row}]", "leader", *leader)


def refuse_stranger(scene: Any, place: str, key: str, group: int, of: str, member: int | None) -> None:
    """Refuses the number of a group, or of a fish of it, that a Scene does not have; keys are of the entry at a place.

    Raises:
        SceneError: It has no such group, or no such fish in it.
    """
    groups = len(scene.fishes)
    if group >= groups:
        span = f"0 to {groups - 1}, a group of the scene" if groups else "a group of the scene, which has none"
        raise SceneError(str(group), span, key=f"{place}.{key}")
    count = scene.fishes[group].count
    if member is not None and member >= count:
        raise SceneError(str(member), f"0 to {count - 1}, a fish of the group", key=f"{place}.{of}")


def _refuse_both_or_neither(at: tuple[float, ...] | None, path: tuple[tuple[float, ...], ...] | None) -> None:
    """Refuses an entry that is in one place and moves, or is nowhere."""
    if (at is None) == (path is None):
        found = "neither" if at is None else "both"
        raise SceneError(f"{found} at and path", "one of them", key="at")
    if path is not None:
        _refuse_disorder("path", path)


def _refuse_standstill(points: tuple[tuple[float, ...], ...], closed: bool) -> None:
    """Refuses a curve that leads nowhere, from any of its points."""
    if len(points) < 2:
        raise SceneError(str(len(points)), "2 or more", key="points")
    ends = zip(points, (*points[1:], points[0]) if closed else points[1:], strict=False)
    for row, (one, other) in enumerate(ends):
        if one == other:
            raise SceneError("the same place as the next", "another", key=f"points[{row}]")


def _refuse_disorder(key: str, rows: tuple[tuple[float, ...], ...]) -> None:
    if not rows:
        raise SceneError("no rows", "1 or more", key=key)
    for row, (now, after) in enumerate(zip(rows, rows[1:], strict=False), 1):
        if after[0] < now[0]:
            raise SceneError(f"{shown(after[0])} s after {shown(now[0])} s", "times in order", key=f"{key}[{row}]")
