"""Which fishes are exported: all of a scene, those that are selected, or those of a name."""

from __future__ import annotations

import re
from collections.abc import Iterator

import bpy

from ...core.base.codec import SceneError, shown
from ..crowd.playing import modifier_of
from ..identity import provenance

ALL, SELECTED = "all", "selected"


def fishes(scene: bpy.types.Scene, select: str = ALL) -> list[bpy.types.Object]:
    """The meshes of baked fishes of a scene.

    Args:
        scene: The scene.
        select: "all", "selected", or the name of a fish, of what it hangs on, or of a collection.
    """
    return [obj for obj in _bodies(scene) if _is_chosen(obj, select)]


def missing(scene: bpy.types.Scene, select: str) -> SceneError:
    """Why there is no fish and no crowd of a choice."""
    some = [*_bodies(scene), *crowds(scene)]
    if not some:
        others = any(provenance.of(obj, provenance.ROLE) for obj in scene.objects)
        return SceneError("fishes that are surfaces" if others else "no baked fishes", "a bake of the form Mesh")
    if select == SELECTED:
        return SceneError("no fish selected", f"one or more, such as {_fish(some[0])}")
    return SceneError(shown(select), "the name of a fish or of a species' collection, such as " + _fish(some[0]))


def _fish(obj: bpy.types.Object) -> str:
    """What the fish whose mesh an object is, or a crowd, is called."""
    parent = obj.parent
    return parent.name if parent is not None and parent.type == "ARMATURE" else obj.name


def crowds(scene: bpy.types.Scene, select: str = ALL) -> list[bpy.types.Object]:
    """The crowds of a scene; `select` as for `fishes`."""
    return [obj for obj in scene.objects if modifier_of(obj) is not None and _is_chosen(obj, select)]


def carriers(obj: bpy.types.Object) -> Iterator[bpy.types.Object]:
    """What an object hangs on, the nearest first."""
    while obj.parent is not None:
        obj = obj.parent
        yield obj


def _is_chosen(obj: bpy.types.Object, select: str) -> bool:
    whole = (obj, *carriers(obj))
    if select == ALL:
        return True
    if select == SELECTED:
        return any(part.select_get() for part in whole)
    within = bpy.data.collections.get(select)
    return select in [part.name for part in whole] or (within is not None and obj in set(within.all_objects))


def _bodies(scene: bpy.types.Scene) -> list[bpy.types.Object]:
    """All fishes that are one mesh each."""
    return [
        obj
        for obj in scene.objects
        if obj.type == "MESH" and re.fullmatch(r"fish \S+ \d+( mesh)?", provenance.of(obj, provenance.ROLE))
    ]
