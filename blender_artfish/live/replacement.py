"""What plays live gives way: to what comes in its place, or to nothing."""

from __future__ import annotations

from collections.abc import Mapping, Set
from typing import Any

import bpy
from mathutils import Vector

from ...core.recording import Recording
from ..identity import provenance, references
from ..identity.references import MARK
from .puppets import Puppets, delete

FORMER_NAME = "Artfish former"
"""What is called so is about to go."""


def stale(scene: bpy.types.Scene) -> list[bpy.types.Collection]:
    """Collections of live play in a scene, whoever made them."""
    found = scene.collection.children_recursive
    return [collection for collection in found if collection.get(MARK) and collection.library is None]


def remove(scene: bpy.types.Scene, others: Set[int], heirs: Mapping[int, bpy.types.Object], wait: bool = True) -> None:
    """Takes what plays live out of a scene, with its meshes; what an animator has put into its collection stays.

    Args:
        scene: Where it is.
        others: Numbers of what plays in other scenes: of that, a copied scene only lets go.
        heirs: Fishes that come in the place of those that go, by rows; what refers to one of the others, to ride on it
            or to look at it, refers to an empty until there is one again.
        wait: Whether empties that stand so in the place of fishes already stay, too, where nothing else goes.
    """
    going = _made(scene, others)
    wait = wait or any(isinstance(obj, bpy.types.Object) and not references.stands_in(obj) for obj in going)
    delete(references.hand_over(scene, going, heirs, wait))


def make(scene: bpy.types.Scene, recording: Recording, origin: Vector, others: Set[int]) -> Puppets:
    """Makes puppets in the place of those that are in a scene; see `Puppets` and `remove`."""
    former = _made(scene, others)
    bodies = [obj.data for obj in former if isinstance(obj, bpy.types.Object) and obj.data is not None]
    meshes = [mesh for mesh in bodies if mesh.users == 1]
    names = {obj: obj.name for obj in former if provenance.row_of(obj) != provenance.NO_ROW}
    for obj in (*former, *meshes):
        obj.name = FORMER_NAME  # its own is free now
    made = Puppets(scene, recording, origin)
    heirs = {row: fish.root for row, fish in enumerate(made.fishes) if fish is not None}
    for obj, name in names.items():
        if provenance.row_of(obj) not in heirs:
            obj.name = name
    delete(references.hand_over(scene, former, heirs))
    return made


def _made(scene: bpy.types.Scene, others: Set[int]) -> list[bpy.types.ID]:
    """What plays live in a scene, whoever made it; what an animator has put into its collection is taken out."""
    for collection in scene.collection.children.values():
        if collection.session_uid in others:
            scene.collection.children.unlink(collection)
    marked = [obj for obj in scene.objects if obj.get(MARK) and obj.library is None]
    made = [obj for obj in marked if references.is_ours(obj)]
    for obj in set(marked).difference(made):
        del obj[MARK]  # a copy is the animator's from now on, whatever they call it
    ours: list[bpy.types.ID] = [obj for obj in made if obj.session_uid not in others]
    for collection in stale(scene):
        if collection.session_uid in others:
            continue
        _keep(collection.objects, scene.collection.objects)
        _keep(collection.children, scene.collection.children)
        ours.append(collection)
    return ours


def _keep(members: Any, home: Any) -> None:
    """Puts what an animator has among ours, objects or collections, where it stays, unless it is there already."""
    there = set(home)
    for each in members:
        if not each.get(MARK) and each not in there:
            home.link(each)
