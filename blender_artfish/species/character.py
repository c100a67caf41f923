"""The character of a species edited in the open file: traits that its numbers follow, and the numbers of its own.

A species that has a character has one property a trait beside all its numbers. Moving a trait moves every number that
is as the traits gave it; a number that the animator has set is the species' own, and stays until it is given back.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import bpy

from ..blender.declarations import SIGNIFICANT_DIGITS
from ..blender.handlers import NUMBER_CHANGED, HandlerTurn, hears, together
from . import library
from .traits import TRAITS

if TYPE_CHECKING:
    from ...core.scene.traits import Traits

_PATH = re.compile(r"artfish\.species\[(\d+)\]\.traits$")


@hears(HandlerTurn.IDENTITY, NUMBER_CHANGED)
def follow(context: bpy.types.Context, group: Any) -> None:
    """Move the numbers of a species with a trait of it that has moved."""
    if not isinstance(group.id_data, bpy.types.Scene):
        return
    found = _PATH.match(group.path_from_id())
    if found and group.given:
        settle(context, group.id_data.artfish.species[int(found[1])])


def settle(context: bpy.types.Context, entry: Any) -> None:
    """Give a species the numbers of its traits, but for those of its own; inconsistent ones are left as they are."""
    from ...core.base.codec import SceneError
    from ...core.scene.species import Species

    data = library.json_of(entry)
    own = own_of(data, dict(zip(TRAITS, entry.traits.followed, strict=True)))
    try:
        species = Species.from_dict({**own, "name": entry.name, "traits": data["traits"]}, entry.name)
    except SceneError:
        return  # the panel says what is wrong
    with together(entry, context):
        library.fill(entry, species)


def own_of(data: dict[str, Any], traits: dict[str, float]) -> dict[str, Any]:
    """The part of a species' JSON that is not as these traits give it, with its names."""
    from ...core.scene.character.derivation import differing
    from ...core.scene.species import NAMED, Species

    names = {key: data[key] for key in NAMED if key in data}
    rest = {key: value for key, value in data.items() if key not in {*NAMED, "traits"}}
    return names | differing(rest, Species.given(_traits(traits)))


def own_keys(entry: Any) -> frozenset[str]:
    """Keys "part.field" of a species' own numbers; none without a character."""
    if not entry.traits.given:
        return frozenset()
    data = library.json_of(entry)
    own = own_of(data, data["traits"])
    return frozenset(
        f"{part}.{name}" if isinstance(value, dict) else f"about.{part}"
        for part, value in own.items()
        for name in (value if isinstance(value, dict) else ("",))
        if part not in ("name", "common_name", "latin_name", "visual_memory")
    )


def own_keys_shown(scene: bpy.types.Scene) -> frozenset[str]:
    """The same of the species that its panels show; none where they show none."""
    settings = scene.artfish
    shown = 0 <= settings.active_species < len(settings.species)
    return own_keys(settings.species[settings.active_species]) if shown else frozenset()


def give_back(context: bpy.types.Context, entry: Any, key: str) -> None:
    """Let a number of a species, "part.field", be as its traits give it; all of them for "".

    Raises:
        SceneError: Together with the others it makes no fish.
    """
    from ...core.scene.species import NAMED, Species

    data = library.json_of(entry)
    own = own_of(data, data["traits"])
    part, _, name = key.partition(".")
    if not key:
        own = {name: value for name, value in own.items() if name in {*NAMED, "visual_memory", "model"}}
    elif part == "about":
        own.pop(name, None)
    else:
        own.get(part, {}).pop(name, None)
    species = Species.from_dict({**own, "name": entry.name, "traits": data["traits"]}, entry.name)
    with together(entry, context):
        library.fill(entry, species)


def give(context: bpy.types.Context, entry: Any, keep: bool) -> None:
    """Give a species the traits that its numbers are likely to come from.

    Args:
        context: Blender's context.
        entry: The species.
        keep: Whether all numbers stay as they are; otherwise only its names, colours and markings do.

    Raises:
        SceneError: Its numbers are inconsistent.
    """
    from dataclasses import asdict

    from ...core.scene.species import NAMED, Species

    species = library.species_of(entry)
    data = species.to_dict()
    kept = data if keep else {key: data[key] for key in (*NAMED, "model", "looks", "visual_memory") if key in data}
    made = Species.from_dict({**kept, "traits": asdict(species.likely_traits())}, entry.name)
    with together(entry, context):
        library.fill(entry, made)


def take_away(context: bpy.types.Context, entry: Any) -> None:
    """Leave a species its numbers without the traits."""
    with together(entry, context):
        entry.traits.given = False


def _traits(values: dict[str, float]) -> Traits:
    from ...core.scene.traits import Traits

    return Traits(**{name: float(f"{value:.{SIGNIFICANT_DIGITS}g}") for name, value in values.items()})


CLASSES: tuple[type, ...] = ()
