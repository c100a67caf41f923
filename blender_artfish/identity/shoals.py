"""The number of a shoal among those of its species, by which its fishes are known from bake to bake.

It is written on the shoal's object, and so is the same whatever comes, goes or is renamed beside it. A copy of a shoal
is another one, and a shoal that has become one of another species, too.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence

import bpy

SHOAL_MARK = "artfish_shoal"
"""Property of a shoal's object: its species and its number."""
LINKED_FROM = 1_000_000
"""Numbers of shoals that no mark can be written on begin above this, in their order."""


def numbers_of(
    shoals: Sequence[bpy.types.Object], species: Sequence[str], taken: Mapping[str, Collection[int]]
) -> tuple[int, ...]:
    """The numbers of shoals, from 1; nothing is written.

    Args:
        shoals: Their objects in the order of the scene, an original before its copies.
        species: The species of each.
        taken: Numbers of each species that no new shoal gets.
    """
    used: dict[str, set[int]] = defaultdict(set)
    found = []
    for obj, name in zip(shoals, species, strict=True):
        number = _written(obj, name)
        if not obj.is_editable:
            number = 1 + max((one for one in used[name] if one > LINKED_FROM), default=LINKED_FROM)
        found.append(0 if number in used[name] else number)
        used[name].add(number)
    for place, name in enumerate(species):
        if not found[place]:
            every = {one for one in {*used[name], *taken.get(name, ())} if one <= LINKED_FROM}
            found[place] = 1 + max(every, default=0)
            used[name].add(found[place])
    return tuple(found)


def write(shoal: bpy.types.Object, species: str, number: int) -> None:
    """Write the number of a shoal on its object, if it can be written on."""
    if shoal.is_editable and _written(shoal, species) != number:
        shoal[SHOAL_MARK] = f"{species} {number}"


def _written(obj: bpy.types.Object, species: str) -> int:
    """The number on a shoal of this species; 0 if it has none."""
    said = obj.get(SHOAL_MARK)
    name, _, number = said.rpartition(" ") if isinstance(said, str) else ("", "", "")
    sound = name == species and number.isdecimal() and len(number) < len(str(LINKED_FROM))
    return int(number) if sound else 0
