"""All that follows from a character: the numbers that a species with traits leaves out, and what it has of its own."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..traits import Traits
from . import manner, shape, skin, swimming
from .curves import metres, short
from .plans import Kin
from .tuning import LARGE_METRES

VARIETY = 0.1
"""Share by which the fishes of a species that has traits differ in length and in their rates."""


def derived(traits: Traits, usual: dict[str, Any]) -> dict[str, Any]:
    """All that traits say of a species, as its JSON holds it; numbers that depend on no trait are not in it.

    Args:
        traits: The character.
        usual: The defaults of a species as JSON, by which body plans and sections are completed.
    """
    kin = Kin(traits, usual)
    length = metres(traits.size)
    rhythm = swimming.rhythm(kin)
    return {
        "kind": "large" if length >= LARGE_METRES else "reef",
        "length": length,
        "size_variety": VARIETY,
        "gait_variety": VARIETY,
        "time_scale": short(swimming.time_scale(kin)),
        "body": swimming.body(kin),
        "rhythm": rhythm,
        "steering": swimming.steering(kin),
        "pectoral": swimming.pectoral(kin),
        "form": shape.form(kin),
        "relief": shape.relief(kin),
        "looks": skin.looks(kin),
        "bearing": shape.bearing(kin),
        "temperament": manner.temperament(traits, rhythm["tail_beat"]),
        "type": "predator" if manner.hunts(traits) else "prey",
        "mind": manner.mind(traits),
    }


def completed(said: Mapping[str, Any], given: Mapping[str, Any]) -> dict[str, Any]:
    """All that a species' file says, and beside it what its traits give, key by key within each section."""
    made = dict(said)
    for key, value in given.items():
        own = made.get(key)
        if isinstance(value, dict) and isinstance(own, Mapping):
            made[key] = {**value, **own}
        elif key not in made:
            made[key] = value
    return made


def differing(full: Mapping[str, Any], given: Mapping[str, Any]) -> dict[str, Any]:
    """The part of a species that differs from what its traits give, or from the usual where they give nothing."""
    own: dict[str, Any] = {}
    for key, value in full.items():
        if isinstance(value, dict) and isinstance(given.get(key), Mapping):
            within = differing(value, given[key])
            own |= {key: within} if within else {}
        elif key not in given or given[key] != value:
            own[key] = value
    return own
