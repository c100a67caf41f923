"""Family trees of species that were bred, as far as their ancestors are known to the file."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import lru_cache

import bpy

from ..species import library

GENERATIONS_SHOWN = 3
"""Generations of ancestors in a family tree."""


@dataclass(frozen=True)
class Relative:
    """A species in a family tree.

    Attributes:
        name: Its name.
        role: "mother" or "father" of the one that the tree goes on from; "" for whose tree it is.
        generation: Generations above that one.
    """

    name: str
    role: str = ""
    generation: int = 0


def tree(scene: bpy.types.Scene, name: str) -> list[Relative]:
    """A species and its ancestors, each followed by its own: mother first."""
    return _above(scene, Relative(name))


def _above(scene: bpy.types.Scene, of: Relative) -> list[Relative]:
    found = [of]
    if of.generation < GENERATIONS_SHOWN:
        for role, parent in zip(("mother", "father"), parents(scene, of.name), strict=False):
            found += _above(scene, Relative(parent, role, of.generation + 1))
    return found


def parents(scene: bpy.types.Scene, name: str) -> tuple[str, ...]:
    """Names of the mother and the father of a species; empty if it was not bred, or is not known any more."""
    from ...core.base.codec import SceneError

    for entry in scene.artfish.species:
        if entry.name == name:
            return _named(entry.ancestry)
    if name not in library.own():
        return ()
    try:
        ancestry = library.load(name).ancestry
    except SceneError:
        return ()  # its file is damaged, as the panel of species says
    return (ancestry.mother, ancestry.father) if ancestry else ()


@lru_cache(maxsize=64)  # a panel asks at every redraw
def _named(text: str) -> tuple[str, ...]:
    """The parents in the text of an ancestry, of which nothing is certain."""
    try:
        said = json.loads(text) if text else {}
    except ValueError:
        return ()
    found = [said.get(role) for role in ("mother", "father")] if isinstance(said, dict) else []
    return tuple(found) if found and all(isinstance(each, str) for each in found) else ()
