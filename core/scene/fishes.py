"""Groups of fishes: the fishes of a scene, and the differences of some of them."""

from __future__ import annotations

from dataclasses import dataclass, field, fields, make_dataclass, replace
from typing import Any

from ..base.codec import OPTIONAL, REQUIRED, SceneError
from ..base.declaration import Declared, choice, declared, flag, integer, number, text, vector
from .controller import Controller
from .limits import FARTHEST, MOST_FISHES, refuse_zero
from .memory import MemoryRules
from .species import TYPES, VISIONS
from .temperament import Drives


def _optional(cls: type, doc: str) -> type:
    """A dataclass with the fields of another, all of them free to be left out."""
    own = [(f.name, float | None, declared(OPTIONAL, f.metadata["declared"])) for f in fields(cls)]
    made = make_dataclass(f"{cls.__name__}Change", own, frozen=True)
    made.__doc__, made.__module__ = doc, __name__
    return made


DrivesChange: Any = _optional(Drives, "Numbers of the mind in which these fishes differ from their species.")


@dataclass(frozen=True)
class Habits:
    """Innate likes (Tu 1999, §7.3). A fish that likes both of an opposed pair, or neither, does not care."""

    brightness: bool | None = declared(OPTIONAL, Declared("flag", "Whether it likes bright places; no if left out"))
    darkness: bool | None = declared(OPTIONAL, Declared("flag", "Whether it likes dark places; no if left out"))
    cold: bool | None = declared(OPTIONAL, Declared("flag", "Whether it likes cold water; no if left out"))
    warmth: bool | None = declared(OPTIONAL, Declared("flag", "Whether it likes warm water; no if left out"))
    schooling: bool | None = declared(OPTIONAL, Declared("flag", "Whether it likes company; the species' if left out"))


@dataclass(frozen=True, kw_only=True)
class Member:
    """One fish of a group, and its differences from the others."""

    index: int = integer(REQUIRED, 0, MOST_FISHES - 1, "", "Which fish of the group, counted from 0")
    type: str | None = choice(OPTIONAL, TYPES, "Predator, prey or pacifist; the group's if left out")
    sex: str | None = choice(OPTIONAL, ("male", "female"), "Its sex; as the group says if left out")
    leader: bool | None = declared(
        OPTIONAL, Declared("flag", "Whether its own kind follow it; as the group says if left out")
    )
    habits: Habits = field(default_factory=Habits)
    mind: DrivesChange = field(default_factory=DrivesChange)


@dataclass(frozen=True, kw_only=True)
class FishGroup:
    """Fishes of one species that begin near each other."""

    species: str = text(REQUIRED, "Species, as the stem of its file in presets/species")
    count: int = integer(1, 1, MOST_FISHES, "", "How many fishes")
    at: tuple = vector(REQUIRED, 0.0, FARTHEST, "m", "Middle of the places where they begin", shape=(3,))
    spread: float = number(
        0.0, 0.0, FARTHEST, "m", "Radius around that within which places clear of all else are drawn"
    )
    heading: tuple | None = vector(OPTIONAL, -1e6, 1e6, "", "Direction they begin in; any if left out", shape=(3,))
    pace: float = number(1.0, 0.0, 5.0, "lengths/s", "How fast they swim when they begin, or come")
    size: float = number(1.0, 0.05, 20.0, "", "Factor on the length of the species")
    variety: float = number(
        1.0, 0.0, 2.0, "", "How much they differ from each other in length and beat, over what their species has"
    )
    steadiness: float = number(
        1.0, 0.0, 1.0, "", "How far they correct course, sway and tilt; at 0 muscles do just what they learned"
    )
    type: str | None = choice(OPTIONAL, TYPES, "Predator, prey or pacifist; the species' if left out")
    sex: str = choice("mixed", ("male", "female", "mixed"), "Sex of these fishes")
    females: float = number(0.5, 0.0, 1.0, "", "Share of females among them, on average, where the sexes are mixed")
    seed: int = integer(0, 0, 2**20 - 1, "", "Another seed gives these fishes other places, looks and whims")
    leader: bool = flag(False, "Whether its own kind follow these fishes, which zigzag ahead of them")
    enters: float = number(0.0, 0.0, 36_000.0, "s", "When they come; until then they are not there")
    habits: Habits = field(default_factory=Habits)
    mind: DrivesChange = field(default_factory=DrivesChange)
    members: tuple[Member, ...] = ()
    controller: Controller | None = None
    visual_memory: MemoryRules | None = None
    vision: str | None = choice(OPTIONAL, VISIONS, "By rays, or by images on retinas; the species' if left out")

    def __post_init__(self) -> None:
        refuse_zero("heading", self.heading)
        seen: set[int] = set()
        for row, member in enumerate(self.members):
            if member.index >= self.count:
                span = f"0 to {self.count - 1}, a fish of the group"
                raise SceneError(str(member.index), span, key=f"members[{row}].index")
            if member.index in seen:
                raise SceneError(f"{member.index} twice", "each fish once", key=f"members[{row}].index")
            seen.add(member.index)

    def alone(self, index: int) -> FishGroup:
        """A group of this one fish, with what its member says in the group's place."""
        only = replace(self, count=1, members=())
        for member in self.members:
            if member.index == index:
                own = {name: getattr(member, name) for name in ("type", "sex", "leader")}
                said = {name: value for name, value in own.items() if value is not None}
                return replace(
                    only, **said, habits=_overlaid(self.habits, member.habits), mind=_overlaid(self.mind, member.mind)
                )
        return only


def _overlaid(below: Any, above: Any) -> Any:
    """A dataclass with the values of another wherever that has any."""
    values = {field.name: getattr(above, field.name) for field in fields(above)}
    return replace(below, **{name: value for name, value in values.items() if value is not None})
