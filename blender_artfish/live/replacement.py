"""Replacement and removal of live fishes."""

from __future__ import annotations

from collections.abc import Set
from typing import Any

import bpy
from mathutils import Vector

from ...core.recording import Recording
from ..identity import provenance, references
from ..identity.references import MARK
from .puppets import Puppets, delete

FORMER_NAME = "Artfish former"
"""Name of objects about to be removed."""


def stale(scene: bpy.types.Scene) -> list[bpy.types.Collection]:
    """Collections of live play in a scene, whoever made them."""
    found = scene.collection.children_recursive
    return [collection for collection in found if collection.get(MARK) and collection.library is None]


def remove(scene: bpy.types.Scene, others: Set[int], heirs: references.Heirs, wait: bool = True) -> None:
    """Removes live play from a scene, with its meshes; objects an animator has put into its collection stay.

    Args:
        scene: Its scene.
        others: Session numbers of live objects of other scenes, which a copied scene only unlinks.
        heirs: Replacements of the removed fishes; a reference to any other, to ride on it
            or to track it, is redirected to an empty until the fish is back.
        wait: Whether empties that already stand in for fishes stay, too, if nothing else is removed.
    """
    going = _made(scene, others)
    wait = wait or any(isinstance(obj, bpy.types.Object) and not references.stands_in(obj) for obj in going)
    delete(references.hand_over(scene, going, heirs, wait))


def make(scene: bpy.types.Scene, recording: Recording, origin: Vector, others: Set[int]) -> Puppets:
    """Makes puppets in place of those in a scene; see `Puppets` and `remove`."""
    former = _made(scene, others)
    bodies = [obj.data for obj in former if isinstance(obj, bpy.types.Object) and obj.data is not None]
    meshes = [mesh for mesh in bodies if mesh.users == 1]
    names = {obj: obj.name for obj in former if provenance.row_of(obj) != provenance.NO_ROW}
    for obj in (*former, *meshes):
        obj.name = FORMER_NAME  # its own name is free now
    made = Puppets(scene, recording, origin)
    heirs: references.Heirs = {row: fish.root for row, fish in enumerate(made.fishes) if fish is not None}
    for obj, name in names.items():
        if provenance.row_of(obj) not in heirs:
            obj.name = name
    delete(references.hand_over(scene, former, heirs))
    return made


def _made(scene: bpy.types.Scene, others: Set[int]) -> list[bpy.types.ID]:
    """Live objects of a scene, whoever made them; objects an animator has put into its collection are taken out."""
    for collection in scene.collection.children.values():
        if collection.session_uid in others:
            scene.collection.children.unlink(collection)
    marked = [obj for obj in scene.objects if obj.get(MARK) and obj.library is None]
    made = [obj for obj in marked if references.is_ours(obj)]
    for obj in set(marked).difference(made):
        del obj[MARK]  # a copy is the animator's from now on, whatever its name
    ours: list[bpy.types.ID] = [obj for obj in made if obj.session_uid not in others]
    for collection in stale(scene):
        if collection.session_uid in others:
            continue
        _keep(collection.objects, scene.collection.objects)
        _keep(collection.children, scene.collection.children)
        ours.append(collection)
    return ours


def _keep(members: Any, home: Any) -> None:
    """Moves an animator's objects or collections from ours to where they stay, unless they are there already."""
    there = set(home)
    for each in members:
        if not each.get(MARK) and each not in there:
            home.link(each)
