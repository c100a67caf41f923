"""Selection of the fishes to export: all of a scene, the selected ones, or those of a name."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import ceil, floor

import bpy

from ...core.base.codec import SceneError, shown
from ..blender import scenes
from ..blender.versions import modifier_value
from ..blender.words import translated
from ..crowd.playing import modifier_of
from ..identity import provenance
from .doubles import bones_of, carriers

ALL, SELECTED = "all", "selected"


def fishes(scene: bpy.types.Scene, select: str = ALL) -> list[bpy.types.Object]:
    """The meshes of baked fishes of a scene.

    Args:
        scene: The scene.
        select: "all", "selected", or the name of a fish, of a parent of it, or of a collection.
    """
    return [obj for obj in _bodies(scene) if _is_chosen(obj, select)]


def missing(scene: bpy.types.Scene, select: str = ALL) -> SceneError:
    """The error for a choice without fishes and crowds."""
    some = [*_bodies(scene), *crowds(scene)]
    if not some:
        if there := scenes.others(scene, lambda each: bool(_bodies(each) or crowds(each))):
            return SceneError(
                translated("no baked fishes in the scene {name}", name=shown(scene.name)),
                translated("a scene that has: {there}", there=there),
                key="scene",
            )
        others = any(provenance.of(obj, provenance.ROLE) for obj in scene.objects)
        return SceneError("fishes that are surfaces" if others else "no baked fishes", "a bake of the form Mesh")
    if select == SELECTED:
        return SceneError("no fish selected", translated("one or more, such as {fish}", fish=_fish(some[0])))
    return SceneError(shown(select), "the name of a fish or of a species' collection, such as " + _fish(some[0]))


def _fish(obj: bpy.types.Object) -> str:
    """Name of the fish an object is the mesh of, or of a crowd."""
    parent = obj.parent
    return parent.name if parent is not None and parent.type == "ARMATURE" else obj.name


def crowds(scene: bpy.types.Scene, select: str = ALL) -> list[bpy.types.Object]:
    """The crowds of a scene; `select` as for `fishes`."""
    return [obj for obj in scene.objects if modifier_of(obj) is not None and _is_chosen(obj, select)]


def film(scene: bpy.types.Scene, some: Sequence[bpy.types.Object]) -> tuple[int, int]:
    """First and last frame of a scene together with all keys of these fishes and crowds."""
    spans = [(scene.frame_start, scene.frame_end), *(span for obj in some for span in _keyed(obj))]
    return floor(min(begin for begin, _ in spans)), ceil(max(end for _, end in spans))


def _keyed(obj: bpy.types.Object) -> Iterator[tuple[float, float]]:
    """First and last frame of each action and strip that moves a fish, and of a crowd's table."""
    if (modifier := modifier_of(obj)) is not None:
        first = modifier_value(modifier, "First")
        yield first, first + modifier_value(modifier, "Frames") - 1
    for data in {obj, *carriers(obj), bones_of(obj)}:
        if data is None or data.animation_data is None:
            continue
        if data.animation_data.action is not None:
            span = data.animation_data.action.frame_range
            yield span[0], span[1]
        yield from (
            (strip.frame_start, strip.frame_end) for track in data.animation_data.nla_tracks for strip in track.strips
        )


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
        if obj.type == "MESH" and (fish := provenance.fish_of(obj)) is not None and fish.part in ("", "mesh")
    ]
