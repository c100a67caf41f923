"""Deleted fishes: out of every scene, kept in the file, so that they can come back and stay deleted at the next bake.

A deleted fish has a mark on its root, and lies in a collection that is in no scene. While bakes are exchanged all of
them are in the scene for a moment, such that each is known with what replaces it.
"""

from __future__ import annotations

from collections.abc import Iterable

import bpy

from ..identity import provenance, references
from ..identity.provenance import NO_ROW, row_of
from .whole_fish import WholeFish, fishes_of

DELETED = "artfish_deleted"
"""Property of the root of a deleted fish."""
FORMER_HOME = "artfish_home"
"""Property of its objects: the collection in which they were."""
STORE = "deleted"
"""Role of the collection of deleted fishes."""


def put_away(scene: bpy.types.Scene, fishes: Iterable[WholeFish]) -> None:
    """Take fishes out of a scene; what hangs on them stays in place.

    The offset of a shoal without fishes left goes along.
    """
    gone = list(fishes)
    if not gone:
        return
    going = {obj for fish in gone for obj in fish.objects}
    shoals = {fish.offset.parent for fish in gone if fish.offset is not None}
    carried = {obj.parent for obj in scene.objects if obj not in going}
    going |= {shoal for shoal in shoals if provenance.is_offset(shoal) and shoal not in carried}
    references.set_down(list(going))
    store = _store()
    for fish in gone:
        fish.root[DELETED] = True
    for obj in going:
        homes = obj.users_collection
        if homes:
            obj[FORMER_HOME] = homes[0]
        for home in homes:
            home.objects.unlink(obj)
        store.objects.link(obj)


def stored(bake: str) -> list[bpy.types.Object]:
    """The objects of the deleted fishes of a bake."""
    store = _stored_in()
    return [] if store is None else [obj for obj in store.objects if provenance.of(obj, provenance.BAKE) == bake]


def deleted(scene: bpy.types.Scene) -> list[bpy.types.Object]:
    """The roots of the deleted fishes of a scene, in the order of their names."""
    store = _stored_in()
    if store is None or not store.objects:
        return []
    bakes = set(provenance.of(scene, provenance.MADE).split())
    roots = [obj for obj in store.objects if row_of(obj) != NO_ROW and provenance.of(obj, provenance.BAKE) in bakes]
    return sorted(roots, key=lambda obj: obj.name)


def restore(scene: bpy.types.Scene, roots: Iterable[bpy.types.Object]) -> list[WholeFish]:
    """Bring deleted fishes back into a scene, as they were."""
    back = list(roots)
    store = _stored_in()
    for root in back:
        del root[DELETED]
        above = [root.parent, root.parent.parent] if root.parent is not None else []
        own = {root, *root.children, *(obj for obj in above if obj is not None)}
        _link(scene, [obj for obj in own if store is not None and obj in store.objects.values()])
    scene.view_layers[0].update()
    return fishes_of(scene, back)


def bring_back(scene: bpy.types.Scene, bake: str) -> None:
    """Put the deleted fishes of a bake into its scene for the time of an exchange; their marks stay."""
    _link(scene, stored(bake))


def put_marked_away(scene: bpy.types.Scene, bake: str) -> None:
    """Take those fishes of a bake out of its scene whose roots are marked as deleted."""
    marked = [obj for obj in provenance.objects(scene, bake) if row_of(obj) != NO_ROW and obj.get(DELETED)]
    put_away(scene, fishes_of(scene, marked) if marked else ())


def _link(scene: bpy.types.Scene, objects: Iterable[bpy.types.Object]) -> None:
    """Link objects out of the store to the collections in which they were, or else to that of their bake."""
    homes = {scene.collection, *scene.collection.children_recursive}
    store = _stored_in()
    for obj in objects:
        home = obj.get(FORMER_HOME)
        bake = provenance.of(obj, provenance.BAKE)
        if home not in homes:
            tops = (each for each in homes if provenance.of(each, provenance.ROLE) == provenance.TOP)
            home = next((each for each in tops if provenance.of(each, provenance.BAKE) == bake), scene.collection)
        home.objects.link(obj)
        if store is not None:
            store.objects.unlink(obj)
        if FORMER_HOME in obj.keys():  # noqa: SIM118
            del obj[FORMER_HOME]


def _stored_in() -> bpy.types.Collection | None:
    """The collection of deleted fishes, if there is one."""
    return next(
        (
            each
            for each in bpy.data.collections
            if each.library is None and provenance.of(each, provenance.ROLE) == STORE
        ),
        None,
    )


def _store() -> bpy.types.Collection:
    found = _stored_in()
    if found is None:
        found = bpy.data.collections.new("Artfish deleted")
        found[provenance.ROLE] = STORE
        found.use_fake_user = True
    return found
