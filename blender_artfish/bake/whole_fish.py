"""Whole baked fishes, found from any of their objects; finding them loads no simulation."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass

import bpy

from ..blender.words import Message
from ..identity import provenance
from ..identity.provenance import NO_ROW, ROLE, row_of
from .cache_files import caches_of
from .placement import is_displaced

FISH, CROWD_ROLE = "fish ", "crowd "
"""Prefixes of the roles of a fish's objects, and of a crowd's."""
HIDDEN = "artfish_hidden"
"""Property of a hidden fish's objects: whether they were in views and in renders before."""
CAST = "artfish_cast"
"""Property of the root of a fish with another species' body: the name of that species."""
ROOT_BONE = "root"
"""The bone that carries all others; its scale has no keys."""
RETIMED = "artfish_retimed"
"""Property of a retimed fish's action: frames, speed, and the frame from which speed counts."""
AS_BAKED = "artfish_as_baked"
"""Property of an action whose keys were edited: a copy of the action from before."""


@dataclass(frozen=True)
class WholeFish:
    """All objects of a baked fish, or of a copy of one.

    Attributes:
        root: The object that carries the others, or the only object.
        parts: The objects it carries.
        offset: The empty above it, if any.
    """

    root: bpy.types.Object
    parts: tuple[bpy.types.Object, ...]
    offset: bpy.types.Object | None

    @property
    def body(self) -> tuple[bpy.types.Object, ...]:
        """All objects but the offset."""
        return (self.root, *self.parts)

    @property
    def objects(self) -> tuple[bpy.types.Object, ...]:
        """All objects."""
        return self.body if self.offset is None else (self.offset, *self.body)

    @property
    def species(self) -> str:
        """The name of its body's species."""
        return species_of(self.root)

    @property
    def action(self) -> bpy.types.Action | None:
        """The action of its root, which as baked moves all of it."""
        player = player_of(self.root)
        return None if player is None else player.action

    @property
    def animated(self) -> dict[bpy.types.Action, list[bpy.types.ID]]:
        """The data that each action moves: objects, their data, shape keys, caches; Shift D makes an action of each."""
        found: dict[bpy.types.Action, list[bpy.types.ID]] = {}
        for obj in self.body:
            for each in (obj, obj.data, getattr(obj.data, "shape_keys", None), *caches_of([obj])):
                player = None if each is None else player_of(each)
                if player is not None and player.action and each not in found.setdefault(player.action, []):
                    found[player.action].append(each)
        return found

    @property
    def is_hidden(self) -> bool:
        """True if it was hidden as a whole."""
        return HIDDEN in self.root.keys()  # noqa: SIM118


def player_of(block: bpy.types.ID) -> bpy.types.AnimData | bpy.types.NlaStrip | None:
    """The player of the baked action of a data block: itself, or a layer into which an artist has put the action."""
    data = getattr(block, "animation_data", None)
    if data is None:
        return None
    if data.action is not None and provenance.of(data.action, provenance.BAKE):
        return data
    strips = [strip for track in data.nla_tracks for strip in track.strips if strip.action is not None]
    return next(
        (strip for strip in strips if provenance.of(strip.action, provenance.BAKE)), data if data.action else None
    )


def species_of(root: bpy.types.Object) -> str:
    """The name of the species of a fish's body, by its root; "" if that is no fish's root."""
    fish = provenance.fish_of(root)
    return provenance.of(root, CAST) or ("" if fish is None else fish.species)


def root_of(obj: bpy.types.Object | None) -> bpy.types.Object | None:
    """The root of the baked fish that an object is part of; None if it is part of none."""
    while obj is not None and provenance.of(obj, ROLE).startswith(FISH) and not provenance.is_offset(obj):
        if row_of(obj) != NO_ROW:
            return obj
        obj = obj.parent
    return None


def fishes_of(scene: bpy.types.Scene, objects: Iterable[bpy.types.Object]) -> list[WholeFish]:
    """The fishes, each once, that objects of a scene are parts of, or offsets of them or of their shoal."""
    below: dict[bpy.types.Object, list[bpy.types.Object]] = defaultdict(list)
    for obj in scene.objects:
        if obj.parent is not None:
            below[obj.parent].append(obj)
    roots: dict[bpy.types.Object, None] = {}
    for obj in objects:
        ahead = [obj]
        while ahead:
            each = ahead.pop()
            if provenance.is_offset(each):
                ahead += reversed(below[each])
            elif (root := root_of(each)) is not None:
                roots[root] = None
    return [
        WholeFish(
            root,
            tuple(part for part in below[root] if root_of(part) == root and row_of(part) == NO_ROW),
            root.parent if provenance.is_offset(root.parent) else None,
        )
        for root in roots
    ]


def meant(context: bpy.types.Context) -> list[bpy.types.Object]:
    """The selected objects, or else the active one."""
    return list(context.selected_objects) or ([context.object] if context.object else [])


def missing(context: bpy.types.Context) -> Message:
    """Why there is no baked fish among the selection, in a sentence; "" if there is one."""
    objects = meant(context)
    if any(provenance.is_offset(obj) or root_of(obj) is not None for obj in objects):
        return ""
    if any(provenance.of(obj, ROLE).startswith(CROWD_ROLE) for obj in objects):
        return "A crowd is one object: bake the form Mesh, Compact or Points to have single fishes"
    return "Select a baked fish first, by any of its parts"


def is_nudged(scene: bpy.types.Scene) -> bool:
    """True if a fish or shoal of a scene was moved by its offset, or its keys were edited, since it was baked."""
    offsets = {above for above in {obj.parent for obj in scene.objects} if provenance.is_offset(above)}
    if any(is_displaced(offset) for offset in offsets):
        return True
    edited = {action for action in bpy.data.actions if AS_BAKED in action.keys()}  # noqa: SIM118
    return bool(edited) and any(getattr(obj.animation_data, "action", None) in edited for obj in scene.objects)


def hidden(scene: bpy.types.Scene) -> list[WholeFish]:
    """The fishes of a scene that are hidden as wholes."""
    roots = [obj for obj in scene.objects if row_of(obj) != NO_ROW and HIDDEN in obj.keys()]  # noqa: SIM118
    return fishes_of(scene, roots) if roots else []
