"""Identity from bake to bake: a fish is known by its shoal and its number within it, whatever it is called.

Earlier bakes knew it by its number within its species: they are brought up to date when another replaces them.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

import bpy

from ..identity import provenance, shoals
from ..identity.provenance import NO_ROW, row_of
from . import history
from .whole_fish import FISH

if TYPE_CHECKING:
    from ...core.recording import Recording

NO_SHOAL = 0
"""Stands for the shoal of fishes that have hatched."""


class ShoalRows(NamedTuple):
    """Fishes of a recording that swim together.

    Attributes:
        species: The name of their species.
        number: The number of their shoal among those of the species; `NO_SHOAL` for one that has hatched.
        first: The number of the first of them within it.
        rows: Their rows.
    """

    species: str
    number: int
    first: int
    rows: list[int]

    @property
    def name(self) -> str:
        """Its name in roles: the species and the number, and of one that has hatched its own number."""
        return f"{self.species} {self.number}" + (f".{self.first}" if self.number == NO_SHOAL else "")


def shoals_of(recording: Recording, numbers: Sequence[int] = ()) -> Iterator[ShoalRows]:
    """The fishes that swim together, shoal by shoal of the scene, and one by one those that have hatched.

    Where the scene's shoals are not those of the recording, all of a species are one.

    Args:
        recording: The recording.
        numbers: The number of each shoal of its scene among those of its species; their order if left out.
    """
    from ...core.scene.limits import LATEST

    scene, many = recording.scene, Counter[tuple[str, bool]]()
    if [group.species for group in scene.fishes for _ in range(group.count)] != list(recording.species):
        for name in dict.fromkeys(recording.species):
            yield ShoalRows(name, 1, 0, [row for row, own in enumerate(recording.species) if own == name])
        return
    for place, (group, rows) in enumerate(zip(scene.fishes, scene.rows, strict=True)):
        name, hatched = group.species, group.enters >= LATEST
        own = numbers[place] if place < len(numbers) else 1 + many[name, False]
        yield ShoalRows(name, NO_SHOAL if hatched else own, many[name, True] if hatched else 0, list(rows))
        many[name, hatched] += 1


def fish_roles(recording: Recording, numbers: Sequence[int] = ()) -> tuple[str, ...]:
    """The role of each fish of a recording; arguments as for `shoals_of`."""
    found = [""] * len(recording.species)
    for shoal in shoals_of(recording, numbers):
        for place, row in enumerate(shoal.rows, shoal.first):
            found[row] = provenance.fish_role(shoal.species, shoal.number, place)
    return tuple(found)


def counted(recording: Recording, numbers: Sequence[int]) -> dict[str, int]:
    """The number of fishes of each shoal, as records hold it; arguments as for `shoals_of`."""
    from ...core.studio.growing import born_only

    return _counts(fish_roles(born_only(recording), numbers))


def _counts(roles: Iterable[str]) -> dict[str, int]:
    return dict(Counter(role.rpartition(".")[0] for role in roles))


def roles_in(counts: Mapping[str, int]) -> set[str]:
    """The roles of all fishes of shoals that are so large."""
    return {f"{shoal}.{number}" for shoal, count in counts.items() for number in range(count)}


def numbering(
    scene: bpy.types.Scene, objects: Sequence[bpy.types.Object], last: history.Bake | None
) -> tuple[tuple[int, ...], Callable[[], None]]:
    """The numbers of the shoals of a scene, and a function that writes them on those that are still there.

    Args:
        scene: The scene.
        objects: The objects of the shoals, in its order.
        last: The last bake: where it wrote numbers, no new shoal gets one that it had.
    """
    species = [obj.artfish.shoal.species for obj in objects]
    taken: dict[str, set[int]] = defaultdict(set)
    if last is not None and last.record.get("numbered"):
        for shoal in last.record.get("shoals", {}):
            name, _, number = shoal.removeprefix(FISH).rpartition(" ")
            taken[name] |= {int(number)} if number.isdecimal() else set()
    numbers, marks = shoals.numbers_of(objects, species, taken), [obj.session_uid for obj in objects]

    def write() -> None:
        here = {obj.session_uid: obj for obj in scene.objects}
        for mark, name, number in zip(marks, species, numbers, strict=True):
            if mark in here:
                shoals.write(here[mark], name, number)

    return numbers, write


# --- bakes of before ----------------------------------------------------------------------------------------------


def bring_up_to_date(bake: history.Bake) -> None:
    """Give the fishes of a bake that knows them by their numbers within their species the roles of today.

    The shoals are those of its recording if that is kept, or else those on whose empties the fishes hang.
    """
    kin = bake.record.get("kin")
    if kin is None or bake.top is None:
        return
    own = [obj for obj in bpy.data.objects if provenance.of(obj, provenance.BAKE) == bake.id and obj.library is None]
    recording = history.recording(bake.id)
    roles = _by_recording(recording, kin) if recording is not None else {}
    roles = roles or _by_empties(own, kin)
    for obj in own:
        found = provenance.FISH_ROLE.fullmatch(provenance.of(obj, provenance.ROLE))
        role = None if found is None else roles.get((found[1], found[2]))
        if found is not None and role is not None:
            obj[provenance.ROLE] = f"{role} {found[3]}" if found[3] else role
    bake.write(kin=None, shoals=_counts(roles.values()))


Roles = dict[tuple[str, str], str]
"""Roles of today, by a species and a number within it."""


def _by_recording(recording: Recording, kin: Mapping[str, int]) -> Roles:
    """The roles by a recording; none if it is of other fishes."""
    if Counter(recording.species) != Counter(kin):
        return {}
    many: Counter[str] = Counter()
    found = {}
    for species, role in zip(recording.species, fish_roles(recording), strict=True):
        found[species, str(many[species])] = role
        many[species] += 1
    return found


def _by_empties(own: Sequence[bpy.types.Object], kin: Mapping[str, int]) -> Roles:
    """The roles by the empties of shoals: a fish that hangs on none is alone in its shoal.

    A fish that is gone counts to the shoal before it.
    """
    roots: dict[str, dict[int, int | None]] = defaultdict(dict)
    for obj in own:
        fish = provenance.FISH_ROLE.fullmatch(provenance.of(obj, provenance.ROLE))
        if fish is not None and fish[2].isdecimal() and row_of(obj) != NO_ROW:
            roots[fish[1]][int(fish[2])] = _shoal_above(obj)
    found = {}
    for species, count in kin.items():
        there, shoal, begin = roots[species], 0, 0
        for number in range(count):
            now = there.get(number)
            if now is None:
                later = next((there[other] for other in range(number, count) if there.get(other)), None)
                now = shoal + 1 if not shoal or number in there and later != shoal else shoal
            if now != shoal:
                shoal, begin = now, number
            found[species, str(number)] = provenance.fish_role(species, shoal, number - begin)
    return found


def _shoal_above(root: bpy.types.Object) -> int | None:
    """The number of the shoal on whose empty a fish hangs; None if it hangs on none."""
    offset = root.parent
    above = offset.parent if provenance.is_offset(offset) and offset is not None else None
    found = None if above is None else provenance.SHOAL_ROLE.fullmatch(provenance.of(above, provenance.ROLE))
    return None if found is None else int(found[1])
