"""The species edited in the open file: the one in the panel, adding and renaming."""

from __future__ import annotations

import json
from contextlib import suppress
from typing import TYPE_CHECKING, Any

import bpy

from ..blender.handlers import together
from ..scene.properties import settings_of
from . import library, preview

if TYPE_CHECKING:
    from ...core.scene.species import Species


def active_species(context: bpy.types.Context) -> Any:
    """The edited species in the panel, or None."""
    settings = settings_of(context)
    there = 0 <= settings.active_species < len(settings.species)
    return settings.species[settings.active_species] if there else None


def take(context: bpy.types.Context, species: Species, name: str, origin: str) -> Any:
    """Adds a species to this file under this name, and shows it."""
    settings = settings_of(context)
    entry = settings.species.add()
    entry.name, entry.origin = name, origin
    with together(entry, context):
        library.fill(entry, species)
        settings.active_species = len(settings.species) - 1
    return entry


def rename(context: bpy.types.Context, entry: Any, name: str) -> None:
    """Renames an edited species; its shoals and its children follow."""
    before, entry.name = entry.name, name
    preview.rename(context.scene, before, name)
    for child in settings_of(context).species:
        child.ancestry = _with_parent_renamed(child.ancestry, before, name)
    for obj in context.scene.objects:
        if obj.artfish.kind == "SHOAL" and obj.artfish.shoal.species == before and obj.library is None:
            obj.artfish.shoal.species = name


def _with_parent_renamed(ancestry: str, before: str, name: str) -> str:
    """The text of an ancestry in which a parent has another name."""
    if before in ancestry:
        with suppress(ValueError, AttributeError):  # a file's text, of which nothing is certain
            said = json.loads(ancestry)
            renamed = {role: name for role in ("mother", "father") if said.get(role) == before}
            return json.dumps(said | renamed) if renamed else ancestry
    return ancestry


def users(name: str) -> list[bpy.types.Object]:
    """Shoals of this species."""
    shoals = [obj for obj in bpy.data.objects if obj.artfish.kind == "SHOAL"]
    return [obj for obj in shoals if obj.artfish.shoal.species == name]


def common_name(name: str) -> str:
    """Common name of a preset; "" if there is none."""
    return library.load(name).common_name if name in library.presets() else ""
