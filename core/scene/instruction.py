"""The instructions of fishes: what each does by itself, and when (Tu 1999, §11.6.1, after Funge 1999, ch. 12).

An instruction is an act with its own keys, the fishes that it is for, and a condition. Of those of a fish the first
whose condition holds is followed; how it is done the fish finds out by itself, in `behavior.instructions`. Places are
named: by marks of the scene and by the names of obstacles, where a name stands for all that are called so but for a
number at the end, such as "rock" for "rock 1" and "rock.002".
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import Any, get_args

from ..base.codec import OPTIONAL, REQUIRED, SceneError, shown
from ..base.declaration import choice, integer, number, text, vector, words
from .direction import Led, refuse_stranger
from .limits import FARTHEST, LATEST, MOST_FISHES

VISITING_ORDERS = ("unvisited", "nearest", "listed")
"""Orders in which places are visited: the nearest of those longest not visited, the nearest other one, as listed."""


@dataclass(frozen=True, kw_only=True)
class Mark:
    """A place with a name, for instructions."""

    name: str = text(REQUIRED, "What instructions call it")
    at: tuple = vector(REQUIRED, 0.0, FARTHEST, "m", "Its middle", shape=(3,))
    radius: float = number(0.3, 0.01, FARTHEST, "m", "Within this distance a fish is there")


@dataclass(frozen=True, kw_only=True)
class Threatened:
    """The fish knows of somebody whom it fears, or did a moment ago."""

    kind: str = choice(REQUIRED, ("threatened",), "It is threatened")
    fear: float = number(0.1, 0.001, 1.0, "", "Fear of one foe from which on it is; it flees from f0 or f1 on")
    seconds: float = number(6.0, 0.0, LATEST, "s", "For how long it still is when it has lost the foe")


@dataclass(frozen=True, kw_only=True)
class OfOthers:
    """A condition of other fishes."""

    whom: int = integer(REQUIRED, 0, MOST_FISHES - 1, "", "Group of these others, counted from 0")
    whom_member: int | None = integer(
        OPTIONAL, 0, MOST_FISHES - 1, "", "Which fish of that group, from 0; any of them if left out"
    )


@dataclass(frozen=True, kw_only=True)
class SeenBy(OfOthers):
    """Another sees the fish."""

    kind: str = choice(REQUIRED, ("seen_by",), "Another sees it")


@dataclass(frozen=True, kw_only=True)
class Sees(OfOthers):
    """The fish sees another."""

    kind: str = choice(REQUIRED, ("sees",), "It sees another")


@dataclass(frozen=True, kw_only=True)
class Hungry:
    """The fish is hungrier than its r, from which on it acts for food."""

    kind: str = choice(REQUIRED, ("hungry",), "It is hungry")


@dataclass(frozen=True, kw_only=True)
class Caught:
    """Somebody hangs on the hook, or has been eaten."""

    kind: str = choice(REQUIRED, ("caught",), "Somebody is caught")
    whom: int | None = integer(
        OPTIONAL, 0, MOST_FISHES - 1, "", "Group of which one is; any other fish of its own group if left out"
    )
    whom_member: int | None = integer(OPTIONAL, 0, MOST_FISHES - 1, "", "Which fish of that group; any if left out")


@dataclass(frozen=True, kw_only=True)
class AtPlace:
    """The fish is at a place."""

    kind: str = choice(REQUIRED, ("at",), "It is at a place")
    place: str = text(REQUIRED, "Name of marks or obstacles")


@dataclass(frozen=True, kw_only=True)
class AfterTime:
    """A time has come."""

    kind: str = choice(REQUIRED, ("after",), "A time has come")
    time: float = number(REQUIRED, -3600.0, LATEST, "s", "From when on")


@dataclass(frozen=True, kw_only=True)
class OtherAt(OfOthers):
    """Another is at a place."""

    kind: str = choice(REQUIRED, ("while_at",), "Another is at a place")
    place: str = text(REQUIRED, "Name of marks or obstacles")


@dataclass(frozen=True, kw_only=True)
class Otherwise:
    """No earlier instruction of the fish has its condition fulfilled."""

    kind: str = choice(REQUIRED, ("else",), "Nothing earlier is to be done")


Condition = Threatened | SeenBy | Sees | Hungry | Caught | AtPlace | AfterTime | OtherAt | Otherwise
"""The conditions that an instruction may have."""


@dataclass(frozen=True, kw_only=True)
class Instruction(Led):
    """An instruction; without a condition it always holds."""

    when: Condition | None = None


@dataclass(frozen=True, kw_only=True)
class Paced(Instruction):
    """An act that has a pace."""

    pace: float = number(0.6, 0.0, 2.0, "", "How fast, over full speed; what exceeds 1 is the share of a burst")


@dataclass(frozen=True, kw_only=True)
class Hide(Instruction):
    """Hide from who threatens: behind an obstacle, out of its sight, and keep so as it moves."""

    do: str = choice(REQUIRED, ("hide",), "Hide behind obstacles")
    among: tuple[str, ...] = words(
        (), "Names of the obstacles to hide behind; all that it knows if left out", alone=True
    )


@dataclass(frozen=True, kw_only=True)
class Visit(Paced):
    """Visit places, one after the other."""

    do: str = choice(REQUIRED, ("visit",), "Visit places in turn")
    among: tuple[str, ...] = words(REQUIRED, "Names of marks and obstacles to visit", alone=True)
    order: str = choice(
        "unvisited", VISITING_ORDERS, "Which comes next: one not yet visited, the nearest other, or as listed"
    )
    stay: float = number(2.0, 0.0, LATEST, "s", "For how long it stays at each")


@dataclass(frozen=True, kw_only=True)
class WaitAt(Paced):
    """Wait where it is, or at a place."""

    do: str = choice(REQUIRED, ("wait",), "Stay")
    place: str | None = text(OPTIONAL, "Name of marks or obstacles; where it is if left out")


@dataclass(frozen=True, kw_only=True)
class OfSomebody(Paced):
    """An act for the sake of other fishes."""

    whom: int = integer(REQUIRED, 0, MOST_FISHES - 1, "", "Group of these others, counted from 0")
    whom_member: int | None = integer(
        OPTIONAL, 0, MOST_FISHES - 1, "", "Which fish of that group, from 0; the nearest of them if left out"
    )


@dataclass(frozen=True, kw_only=True)
class FollowOther(OfSomebody):
    """Follow another."""

    do: str = choice(REQUIRED, ("follow",), "Follow another")
    radius: float = number(0.6, 0.01, FARTHEST, "m", "Within this distance it is near enough")


@dataclass(frozen=True, kw_only=True)
class LeadOther(OfSomebody):
    """Lead another to a place: ahead of it, and no farther than it follows."""

    do: str = choice(REQUIRED, ("lead",), "Lead another to a place")
    place: str = text(REQUIRED, "Name of marks or obstacles to lead it to")
    radius: float = number(1.5, 0.01, FARTHEST, "m", "Farther ahead than this it waits; farther off it goes back")


@dataclass(frozen=True, kw_only=True)
class GuardPlace(Paced):
    """Guard a place or another: stay about, and drive off who comes near."""

    do: str = choice(REQUIRED, ("guard",), "Guard a place or another")
    place: str | None = text(OPTIONAL, "Name of marks or obstacles to guard, in place of another fish")
    whom: int | None = integer(OPTIONAL, 0, MOST_FISHES - 1, "", "Group to guard, in place of a place")
    whom_member: int | None = integer(
        OPTIONAL, 0, MOST_FISHES - 1, "", "Which fish of that group, from 0; the nearest of them if left out"
    )
    radius: float = number(1.5, 0.01, FARTHEST, "m", "Who comes nearer than this to what is guarded is driven off")

    def __post_init__(self) -> None:
        if (self.place is None) == (self.whom is None):
            raise SceneError("neither place nor whom" if self.place is None else "both", "one of them", key="place")


@dataclass(frozen=True, kw_only=True)
class SwapSides(OfSomebody):
    """Go to where another was when this began, round it and not through it."""

    do: str = choice(REQUIRED, ("swap_sides",), "Change places with another")


@dataclass(frozen=True, kw_only=True)
class OfPlace(Paced):
    """An act at a place."""

    place: str = text(REQUIRED, "Name of marks or obstacles")


@dataclass(frozen=True, kw_only=True)
class EnterPlace(OfPlace):
    """Go into a place, as far as its middle, and stay there."""

    do: str = choice(REQUIRED, ("enter",), "Go into a place")


@dataclass(frozen=True, kw_only=True)
class LeavePlace(OfPlace):
    """Go away from a place, until it is at a distance."""

    do: str = choice(REQUIRED, ("leave",), "Go away from a place")
    distance: float = number(3.0, 0.01, FARTHEST, "m", "How far from its border")


@dataclass(frozen=True, kw_only=True)
class GoTo(OfPlace):
    """Go to a place, and stay about it."""

    do: str = choice(REQUIRED, ("go_to",), "Go to a place")


Act = Hide | Visit | WaitAt | FollowOther | LeadOther | GuardPlace | SwapSides | EnterPlace | LeavePlace | GoTo
"""The acts that an instruction may be."""
ACT_WORDS = tuple(act.__dataclass_fields__["do"].metadata["declared"].choices[0] for act in get_args(Act))
"""Their words in `do`."""
NO_ACT = "nothing"
"""In place of such a word, of a fish that follows no instruction."""


def stem(name: str) -> str:
    """A name without a number at its end."""
    return name.rstrip("0123456789").rstrip(" ._-") or name


def called(name: str, names: Sequence[str | None]) -> list[int]:
    """Rows of the names that a name stands for: those that are it, or it and a number."""
    return [row for row, other in enumerate(names) if other is not None and name in (other, stem(other))]


def refuse_unknown(scene: Any) -> None:
    """Refuses instructions of a Scene that name fishes or places that it does not have.

    Raises:
        SceneError: The first of them.
    """
    obstacles = [one.name for one in scene.obstacles]
    marks = [one.name for one in scene.marks]
    for row, entry in enumerate(scene.instructions):
        place = f"instructions[{row}]"
        refuse_stranger(scene, place, "fishes", entry.fishes, "member", entry.member)
        for part, where in ((entry, place), (entry.when, f"{place}.when")):
            if part is None:
                continue
            own = {field.name for field in fields(part)}
            if "whom" in own and part.whom is not None:
                refuse_stranger(scene, where, "whom", part.whom, "whom_member", part.whom_member)
            named = [("place", part.place)] if "place" in own and part.place is not None else []
            named += [(f"among[{at}]", name) for at, name in enumerate(part.among)] if "among" in own else []
            allowed = obstacles if isinstance(part, Hide) else [*marks, *obstacles]
            for key, name in named:
                if not called(name, allowed):
                    words = sorted({shown(stem(one)) for one in allowed if one})
                    of = "an obstacle" if isinstance(part, Hide) else "a mark or an obstacle"
                    listed = f": {', '.join(words)}" if words else ", of which none has one"
                    raise SceneError(shown(name), f"the name of {of}{listed}", key=f"{where}.{key}")
        if isinstance(entry, Visit) and not entry.among:
            raise SceneError("no names", "one or more", key=f"{place}.among")
