"""F-curves that an artist has added to baked objects: drivers, and keys of what the bake has not keyed.

A bake notes which paths of an object it keys itself; places of bones and all that deforms a body go without saying.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

import bpy

from ..blender.versions import channelbag, channelbags
from ..identity import provenance
from .object_settings import Note

BONE_MOVES = re.compile(r'pose\.bones\["[^"]*"\]\.(location|rotation_quaternion)')
"""Paths of bones that bakes key."""
Twins = Mapping[bpy.types.ID, bpy.types.ID]


def blocks_of(obj: bpy.types.Object) -> tuple[bpy.types.ID | None, ...]:
    """An object, its data and its shape keys; None where there is none."""
    return obj, obj.data, getattr(obj.data, "shape_keys", None)


def keyed_by_bake(obj: bpy.types.Object) -> list[str]:
    """The paths of an object that a bake has keyed, as it notes them."""
    paths = {curve.data_path for bag in channelbags(obj) for curve in bag.fcurves}
    return sorted(path for path in paths if not BONE_MOVES.fullmatch(path) and not path.startswith("["))


# --- drivers ------------------------------------------------------------------------------------------------------


def drivers_of(obj: bpy.types.Object) -> dict[str, list[bpy.types.FCurve]]:
    """The drivers on an object and its data, by the block's place and the data path."""
    found: dict[str, list[bpy.types.FCurve]] = {}
    for place, block in enumerate(blocks_of(obj)):
        data = getattr(block, "animation_data", None)
        for driver in () if data is None else data.drivers:
            found.setdefault(f"{place} {driver.data_path}", []).append(driver)
    return found


def carry_drivers(one: bpy.types.Object, other: bpy.types.Object, twins: Twins) -> None:
    """Copy the drivers of an object and its data to another; those that look at old objects look at the new ones."""
    for block, twin in zip(blocks_of(one), blocks_of(other), strict=True):
        data = getattr(block, "animation_data", None)
        if data is None or twin is None or block == twin:
            continue
        for driver in data.drivers:
            if not _has(twin, driver.data_path) or _is_driven(twin, driver):
                continue
            made = twin.animation_data_create().drivers.from_existing(src_driver=driver)
            for target in (target for variable in made.driver.variables for target in variable.targets):
                if target.id in twins:
                    target.id = twins[target.id]


def _has(block: bpy.types.ID, path: str) -> bool:
    """True if there is something to animate at a path."""
    try:
        block.path_resolve(path)
    except ValueError:
        return False
    return True


def _is_driven(block: bpy.types.ID, driver: bpy.types.FCurve) -> bool:
    data = block.animation_data
    return data is not None and data.drivers.find(driver.data_path, index=driver.array_index) is not None


# --- keys ---------------------------------------------------------------------------------------------------------


def own_keys(obj: bpy.types.Object, left: Note) -> dict[str, list[bpy.types.FCurve]]:
    """The F-curves with an artist's keys on an object, by data path; none where the note is of an earlier version."""
    data, baked = obj.animation_data, left.get("keyed")
    if data is None or data.action is None or data.nla_tracks or not isinstance(baked, list):
        return {}
    found: dict[str, list[bpy.types.FCurve]] = {}
    for curve in (curve for bag in channelbags(obj) for curve in bag.fcurves):
        path = curve.data_path
        if path not in baked and not BONE_MOVES.fullmatch(path) and not _of_bake(path, left):
            found.setdefault(path, []).append(curve)
    return found


def _of_bake(path: str, left: Note) -> bool:
    """True for the path of a custom property that the bake has made."""
    return path.startswith('["') and path[2:-2] in left.get("properties", [])


def remove_drivers(obj: bpy.types.Object, name: str) -> None:
    """Remove an artist's drivers, by their name."""
    block = blocks_of(obj)[int(name.partition(" ")[0])]
    for driver in drivers_of(obj)[name]:
        block.animation_data.drivers.remove(driver)


def remove_keys(obj: bpy.types.Object, path: str, left: Note) -> None:
    """Remove an artist's keys, by their path."""
    (bag,) = channelbags(obj)
    for curve in own_keys(obj, left)[path]:
        bag.fcurves.remove(curve)


def carry_keys(one: bpy.types.Object, other: bpy.types.Object, left: Note) -> None:
    """Copy an artist's keys to the object that takes another's place, where that has none; an own action is shared."""
    from .key_table import KeyTable

    found = own_keys(one, left)
    if not found:
        return
    data, theirs = other.animation_data_create(), one.animation_data.action
    if data.action is None and data.nla_tracks:
        return
    if data.action is None and not provenance.of(theirs, provenance.BAKE):
        data.action, data.action_slot = theirs, one.animation_data.action_slot
        return
    bag = channelbag(data.action or bpy.data.actions.new(other.name), other)
    for path, curves in found.items():
        for curve in curves:
            if not _has(other, path) or bag.fcurves.find(path, index=curve.array_index) is not None:
                continue
            made, name = bag.fcurves.new(path, index=curve.array_index), (0, path, curve.array_index)
            KeyTable.read({name: curve}).write({name: made})
            made.extrapolation, made.mute = curve.extrapolation, curve.mute
