"""Editing of whole fishes after a bake: delete, hide, show and duplicate."""

from __future__ import annotations

from collections.abc import Sequence
from zlib import crc32

import bpy
from mathutils import Vector

from ..blender.keyframes import PRESENCE
from ..blender.versions import channelbags
from ..blender.words import translated
from ..fish.individuality import FISH_ID, INDIVIDUAL, individual
from ..fish.surfaces import first_number
from ..identity import provenance
from . import deleting, hand, history
from .cache_files import own_copies
from .whole_fish import AS_BAKED, HIDDEN, WholeFish, fishes_of, player_of


def delete(fishes: Sequence[WholeFish]) -> None:
    """Take fishes out of their scene; objects parented to them stay in place.

    Those of a bake are kept in the file, so that they can come back; copies are removed with the data only they use.
    The offset of a shoal without fishes left goes along.
    """
    own = [fish for fish in fishes if provenance.is_original(fish.root) and provenance.of(fish.root, provenance.BAKE)]
    for scene in bpy.data.scenes:
        deleting.put_away(scene, [fish for fish in own if fish.root.name in scene.objects])
    _remove([fish for fish in fishes if fish not in own])


def _remove(fishes: Sequence[WholeFish]) -> None:
    going = {obj for fish in fishes for obj in fish.objects}
    if not going:
        return
    shoals = {fish.offset.parent for fish in fishes if fish.offset is not None and fish.offset.parent is not None}
    used = {obj.parent for obj in bpy.data.objects if obj not in going}
    going |= {shoal for shoal in shoals if provenance.is_offset(shoal) and shoal not in used}
    history.remove_blocks(list(going))


def hide(fish: WholeFish) -> None:
    """Hide a fish in views and in renders, whatever its keys say."""
    if fish.is_hidden:
        return
    if any(_presence(obj) for obj in fish.body):
        own_actions(fish)
    for obj in fish.body:
        obj[HIDDEN] = [obj.hide_viewport, obj.hide_render]
        for curve in _presence(obj):
            curve.mute = True
        obj.hide_viewport = obj.hide_render = True


def show(fish: WholeFish, frame: float) -> None:
    """Show a hidden fish as before; where its presence is keyed, only at those frames.

    Args:
        fish: The fish.
        frame: The scene's current frame.
    """
    for obj in fish.body:
        before = obj.get(HIDDEN)
        if before is None:
            continue
        for path, was in zip(PRESENCE, before, strict=True):
            setattr(obj, path, bool(was))
        for curve in _presence(obj):
            curve.mute = False
            setattr(obj, curve.data_path, curve.evaluate(frame) > 0.5)
        del obj[HIDDEN]


def carry(fish: WholeFish, move: Sequence[float]) -> None:
    """Move a fish, and all of its way, by a vector of the scene.

    Raises:
        SceneError: It has no offset.
    """
    from ...core.base.codec import SceneError

    if fish.offset is None:
        raise SceneError(
            translated("{name} without an offset", name=fish.root.name), "a fish as bakes make them now: bake again"
        )
    above = fish.offset.parent
    turn = None if above is None else (above.matrix_world @ fish.offset.matrix_parent_inverse).to_3x3().inverted_safe()
    fish.offset.location += Vector(move) if turn is None else turn @ Vector(move)


def _presence(obj: bpy.types.Object) -> list[bpy.types.FCurve]:
    return [curve for bag in channelbags(obj) for curve in bag.fcurves if curve.data_path in PRESENCE]


def duplicate(fish: WholeFish, shared: bool = False, move: Sequence[float] = (0.0, 0.0, 0.0)) -> WholeFish:
    """Make a copy of a fish with the same motion, and a name, a number and an individual look of its own.

    It is the animator's: baking again leaves it alone.

    Args:
        fish: The fish.
        shared: Whether it shares keys and surfaces with the original, as linked duplicates do.
        move: Vector from the original's offset to its own, units of the scene.
    """
    copies = {obj: obj.copy() for obj in fish.objects}
    for obj, copy in copies.items():
        for home in obj.users_collection:
            home.objects.link(copy)
        if obj.parent in copies:
            inverse = obj.matrix_parent_inverse.copy()
            copy.parent, copy.matrix_parent_inverse = copies[obj.parent], inverse
        for modifier in copy.modifiers:
            if getattr(modifier, "object", None) in copies:
                modifier.object = copies[modifier.object]
        copy.name = f"{obj.name}.001"  # until it is settled
    parts = tuple(copies[part] for part in fish.parts)
    made = WholeFish(copies[fish.root], parts, copies[fish.offset] if fish.offset is not None else None)
    settle(made, fish.root.name)
    if made.offset is not None:
        carry(made, move)
    if not shared:
        own_actions(made)
    return made


def settle(fish: WholeFish, origin: str) -> None:
    """Give a copy of a fish a name, a number and an individual look of its own.

    Args:
        fish: The copy; its objects are called as those of the original, perhaps with Blender's suffix.
        origin: The name of the original.
    """
    name = _free_name(origin)
    numbers = [number for obj in bpy.data.objects if isinstance(number := obj.get(FISH_ID), int)]
    for obj in fish.objects:
        tail = provenance.plain(obj.name).removeprefix(provenance.plain(origin))
        obj.name = provenance.offset_name(name) if obj == fish.offset else name + tail
        for mark in (provenance.NAME, hand.OFF_NAME):
            if mark in obj.keys():  # noqa: SIM118
                del obj[mark]
        hand.note_name(obj)
        if INDIVIDUAL in obj.keys():  # noqa: SIM118
            obj[INDIVIDUAL] = individual(crc32(name.encode()))
        if FISH_ID in obj.keys():  # noqa: SIM118
            obj[FISH_ID] = 1 + max(numbers)


def _free_name(name: str) -> str:
    """The next free name of this kind: for "Clownfish 02" perhaps "Clownfish 07"."""
    stem, _, number = provenance.plain(name).rpartition(" ")
    stem = stem if stem and number.isdecimal() else provenance.plain(name)
    return f"{stem} {first_number(stem):02d}"


def own_actions(fish: WholeFish) -> None:
    """Give a fish its own actions and keyed data, unless it has them."""
    keyed = {each for moved in fish.animated.values() for each in moved}
    for obj in fish.body:
        if keyed.intersection((obj.data, getattr(obj.data, "shape_keys", None))) and obj.data.users > 1:
            obj.data = obj.data.copy()
            obj.data.name = obj.name
    own_copies(fish.body, keyed)
    for action, moved in fish.animated.items():
        if action.users - action.use_fake_user <= len(moved):
            continue
        own = action.copy()
        own.name = fish.root.name
        plain = own.get(AS_BAKED)
        if isinstance(plain, bpy.types.Action):
            own[AS_BAKED] = plain.copy()
        for each in moved:
            player = player_of(each)
            if player is None:
                continue
            slot = player.action_slot
            identifier = None if slot is None else slot.identifier
            player.action = own
            if identifier is not None:
                player.action_slot = own.slots[identifier]


def select(context: bpy.types.Context, fishes: Sequence[WholeFish], extend: bool = False) -> None:
    """Select all objects of fishes but their offsets; the root of the first becomes the active object."""
    if not extend:
        for obj in context.selected_objects:
            obj.select_set(False)
    layer = context.view_layer
    shown = set(layer.objects)
    for fish in fishes:
        for obj in fish.body:
            if obj in shown:
                obj.select_set(True)
    if fishes and fishes[0].root in shown:
        layer.objects.active = fishes[0].root


def select_offsets(context: bpy.types.Context, fishes: Sequence[WholeFish]) -> None:
    """Select the offsets of fishes, which the mouse moves; those without one stay selected as they are."""
    offsets = [fish.offset for fish in fishes if fish.offset is not None]
    if not offsets:
        return
    for obj in context.selected_objects:
        obj.select_set(False)
    for offset in offsets:
        offset.select_set(True)
    context.view_layer.objects.active = offsets[0]


def of_shoal(scene: bpy.types.Scene, fish: WholeFish) -> list[WholeFish]:
    """All fishes under the same shoal offset, or the fish alone."""
    above = fish.offset.parent if fish.offset is not None else None
    return fishes_of(scene, [above]) if provenance.is_offset(above) else [fish]
