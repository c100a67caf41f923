"""Wishes: what is to happen in a take, said in what happens, as a list of objects in a JSON file.

[{"event": "ate", "time": [4, 12], "weight": 1}] wishes that somebody eats somebody between 4 and 12 s. Each wish has
its own keys, and a weight. Cameras stand in the same list, by name, and wishes name them.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass, fields
from math import dist
from typing import Any

from ..base.codec import OPTIONAL, REQUIRED, Place, SceneError, decode, shown
from ..base.declaration import choice, flag, integer, number, text, vector
from ..base.files import read_any_json
from ..events import COURTSHIP_STAGES, EVENT_KINDS
from ..scene.direction import Arrival, goal_name, refuse_stranger
from ..scene.limits import FARTHEST, LATEST, LEAST_DIRECTION, MOST_FISHES
from ..scene.scene import Scene
from ..studio.film import SCHOOL_KINDS

EVENT_OF_WORD = {"ate": "eaten"}
"""Events by words that say who did it."""
WISHED_WORDS = (*EVENT_OF_WORD, *EVENT_KINDS, *SCHOOL_KINDS, *COURTSHIP_STAGES)
"""Events that may be wished: kinds of events, partings of schools, and stages of courtship."""
SCENE_CAMERA = "scene"
"""Name of the scene's own camera."""
WIDE_PICTURE = 16.0 / 9.0
TOUCHABLE = ("all", "obstacles", "fishes")
MOST_WISHES = 100


@dataclass(frozen=True, kw_only=True)
class Wished:
    """A wish."""

    weight: float = number(1.0, 0.0, 1000.0, "", "How much it counts beside the others")
    time: tuple | None = vector(
        OPTIONAL, 0.0, LATEST, "s", "From when to when; all of the film if left out", shape=(2,)
    )

    def __post_init__(self) -> None:
        if self.time is not None and self.time[0] > self.time[1]:
            raise SceneError(shown(self.time), "two times in order", key="time")


@dataclass(frozen=True, kw_only=True)
class WishOfFishes(Wished):
    """A wish that concerns some fishes."""

    fishes: int | None = integer(
        OPTIONAL, 0, MOST_FISHES - 1, "", "Group of fishes, counted from 0; any fish if left out"
    )
    member: int | None = integer(
        OPTIONAL, 0, MOST_FISHES - 1, "", "Which fish of that group, from 0; any of them if left out"
    )


@dataclass(frozen=True, kw_only=True)
class WishedEvent(WishOfFishes):
    """An event: who, whom, when, where, and in which picture."""

    kind: str = choice("event", ("event",), "An event; may be left out")
    event: str = choice(REQUIRED, WISHED_WORDS, "What happens")
    whom: int | None = integer(OPTIONAL, 0, MOST_FISHES - 1, "", "Group of the other; anybody if left out")
    whom_member: int | None = integer(
        OPTIONAL, 0, MOST_FISHES - 1, "", "Which fish of that group, from 0; any of them if left out"
    )
    at: tuple | None = vector(OPTIONAL, -FARTHEST, FARTHEST, "m", "Where; anywhere if left out", shape=(3,))
    radius: float = number(0.5, 0.01, FARTHEST, "m", "How near to that place")
    camera: str | None = text(OPTIONAL, "Name of the camera in whose picture it is to be; in any place if left out")
    size: float = number(0.0, 0.0, 3.0, "", "Least size of the fish there, over the picture's height")


@dataclass(frozen=True, kw_only=True)
class WishedPicture(WishOfFishes):
    """Somebody is in the picture of a camera for a share of the time."""

    kind: str = choice(REQUIRED, ("picture",), "Somebody is in the picture")
    camera: str = text(REQUIRED, "Name of the camera")
    share: float = number(0.5, 0.001, 1.0, "", "Of the time, for which one of them is at least")
    size: float = number(0.0, 0.0, 3.0, "", "Least size of the fish, over the picture's height")
    clear: bool = flag(False, "Whether no other fish is before or behind it in the picture")


@dataclass(frozen=True, kw_only=True)
class WishedView(WishOfFishes):
    """Nobody is in front of a subject while that is in the picture."""

    kind: str = choice(REQUIRED, ("unhidden",), "Nobody is in front of the subject")
    camera: str = text(REQUIRED, "Name of the camera")


@dataclass(frozen=True, kw_only=True)
class WishedShape(Wished):
    """The shape of a shoal, as bounds of figures; each that is left out may be anything."""

    kind: str = choice(REQUIRED, ("shape",), "A shoal's shape")
    fishes: int = integer(REQUIRED, 0, MOST_FISHES - 1, "", "Group of fishes, counted from 0")
    polarisation: tuple | None = vector(
        OPTIONAL, 0.0, 1.0, "", "Least and most of how much alike they head: 0 no way, 1 all one way", shape=(2,)
    )
    nearest: tuple | None = vector(
        OPTIONAL, 0.0, 1000.0, "lengths", "Least and most of the mean distance to the nearest", shape=(2,)
    )
    extent: tuple | None = vector(
        OPTIONAL, 0.0, FARTHEST, "m", "Least and most of the mean distance from their middle", shape=(2,)
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        bounds = {key: getattr(self, key) for key in ("polarisation", "nearest", "extent")}
        if not any(bounds.values()):
            raise SceneError("no bounds", f"one or more of {', '.join(bounds)}", key="shape")
        for key, bound in bounds.items():
            if bound is not None and bound[0] > bound[1]:
                raise SceneError(shown(bound), "the least and the most", key=key)


@dataclass(frozen=True, kw_only=True)
class WishedArrival(WishOfFishes):
    """Fishes come to a goal of the scene's direction, in time."""

    kind: str = choice(REQUIRED, ("arrival",), "An arrival in time")
    goal: str | None = text(OPTIONAL, "Name of the goal; any if left out")
    late: float = number(0.5, 0.0, 3600.0, "s", "How late or early one may be")
    share: float = number(1.0, 0.001, 1.0, "", "Of those that are to arrive, how many are to be in time")


@dataclass(frozen=True, kw_only=True)
class WishedClearance(WishOfFishes):
    """Fishes touch nothing."""

    kind: str = choice(REQUIRED, ("untouched",), "Nothing is touched")
    of: str = choice("all", TOUCHABLE, "What they are not to touch")
    gap: float = number(0.0, 0.0, 10.0, "m", "Least distance that does not count as a touch")


@dataclass(frozen=True, kw_only=True)
class WishedCamera:
    """A camera that stands still, by its name."""

    kind: str = choice(REQUIRED, ("camera",), "A camera")
    name: str = text(REQUIRED, "What wishes call it")
    at: tuple = vector(REQUIRED, -FARTHEST, FARTHEST, "m", "Its place", shape=(3,))
    look_at: tuple = vector(REQUIRED, -FARTHEST, FARTHEST, "m", "What it looks at", shape=(3,))
    lens: float = number(35.0, 1.0, 500.0, "mm", "Focal length on a sensor 36 mm wide")
    ratio: float = number(WIDE_PICTURE, 0.1, 10.0, "", "Width of its picture over the height")

    def __post_init__(self) -> None:
        if dist(self.at, self.look_at) < LEAST_DIRECTION:
            raise SceneError(shown(self.look_at), "another place than at", key="look_at")


AnyWish = WishedEvent | WishedPicture | WishedView | WishedShape | WishedArrival | WishedClearance
"""Any wish."""


@dataclass(frozen=True, kw_only=True)
class WishList:
    """Wishes, and the cameras that they name."""

    wishes: tuple[AnyWish | WishedCamera, ...] = ()

    @property
    def scored(self) -> tuple[Any, ...]:
        """The wishes, without cameras."""
        return tuple(one for one in self.wishes if not isinstance(one, WishedCamera))

    def until(self, scene: Scene) -> float:
        """Seconds of the film after which no wish looks."""
        ends = [scene.duration if one.time is None else one.time[1] for one in self.scored]
        return min(scene.duration, max(ends, default=scene.duration) + EVENT_SLACK)

    def first_camera(self, scene: Scene) -> WishedCamera | None:
        """The camera that the first of the wishes names that name one; None without."""
        names = [one.camera for one in self.scored if getattr(one, "camera", None)]
        return self.camera(names[0], scene) if names else None

    def camera(self, name: str, scene: Scene) -> WishedCamera:
        """The camera of a name."""
        if name == SCENE_CAMERA and scene.camera is not None:
            own = scene.camera
            return WishedCamera(kind="camera", name=name, at=own.at, look_at=own.look_at, lens=own.lens)
        return next(one for one in self.wishes if isinstance(one, WishedCamera) and one.name == name)


EVENT_SLACK = 2.0
"""Seconds after the last wished time, in which what comes too late is still worth something."""


def read_wishes(path: str | os.PathLike[str], scene: Scene) -> WishList:
    """The wishes of a file for a scene.

    Raises:
        SceneError: If it cannot be read, or is not as declared, or names what the scene does not have.
    """
    return wishes_of(read_any_json(path, "a JSON file of wishes"), scene, os.fspath(path))


def wishes_of(data: Any, scene: Scene, file: str = "wishes") -> WishList:
    """Wishes as JSON holds them: a list of objects; errors as of `read_wishes`."""
    if not isinstance(data, list) or not 1 <= len(data) <= MOST_WISHES:
        example = '[{"event": "ate", "time": [4, 12]}]'
        Place(file).refuse(shown(data), f"a list of 1 to {MOST_WISHES} wishes, such as {example}")
    items = [
        {"kind": "event", **one} if isinstance(one, dict) and "event" in one and "kind" not in one else one
        for one in data
    ]
    found = decode(WishList, {"wishes": items}, Place(file))
    if not found.scored:
        Place(file).refuse("cameras alone", "one wish or more")
    if not any(one.weight for one in found.scored):
        Place(file).refuse("weights that are all 0", "one weight or more above 0")
    try:
        _refuse_strangers(found, scene)
    except SceneError as error:
        raise error.within(Place(file)) from None
    return found


def _refuse_strangers(wishes: WishList, scene: Scene) -> None:
    """Refuses wishes that name fishes, goals or cameras that are not there."""
    cameras = [one.name for one in wishes.wishes if isinstance(one, WishedCamera)]
    cameras += [SCENE_CAMERA] if scene.camera is not None else []
    if len(set(cameras)) < len(cameras):
        twice = next(name for name in cameras if cameras.count(name) > 1)
        raise SceneError(f"two cameras named {shown(twice)}", "a name for each", key="wishes")
    goals = sorted({goal_name(entry, row) for row, entry in enumerate(scene.direction)})
    for row, one in enumerate(wishes.wishes):
        place, own = f"wishes[{row}]", {field.name for field in fields(one)}
        for group, member in (("fishes", "member"), ("whom", "whom_member")):
            if group in own:
                _refuse_group(scene, place, (group, getattr(one, group)), (member, getattr(one, member, None)))
        named = getattr(one, "camera", None)
        if named is not None and named not in cameras:
            some = ", ".join(map(shown, cameras)) or "none is there: add one to the wishes, of the kind camera"
            raise SceneError(shown(named), f"the name of a camera: {some}", key=f"{place}.camera")
        if isinstance(one, WishedArrival):
            _refuse_goal(one, scene, goals, place)
        if isinstance(one, Wished) and one.time is not None and one.time[0] >= scene.duration:
            raise SceneError(shown(one.time), f"times before {scene.duration:g} s, the film's end", key=f"{place}.time")


def _refuse_group(scene: Scene, place: str, group: tuple[str, Any], member: tuple[str, Any]) -> None:
    if group[1] is not None:
        refuse_stranger(scene, place, *group, *member)
    elif member[1] is not None:
        raise SceneError(f"{member[0]} without {group[0]}", "both, or the group alone", key=f"{place}.{member[0]}")


def _refuse_goal(one: WishedArrival, scene: Scene, goals: Sequence[str], place: str) -> None:
    if not any(isinstance(entry, Arrival) for entry in scene.direction):
        raise SceneError("an arrival", "a scene whose direction has one", key=place)
    if one.goal is not None and one.goal not in goals:
        raise SceneError(shown(one.goal), f"one of {', '.join(map(shown, goals))}", key=f"{place}.goal")
