"""Settings of a baked fish's objects that an artist changes in Blender's own panels, such as Holdout, Color or Scale.

A bake leaves Blender's defaults but for a few, which it notes; a setting that is neither is the artist's. One that is
animated is left to what animates it.
"""

from __future__ import annotations

import json
from array import array
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

import bpy

from ..blender.keyframes import PRESENCE, curves_on
from ..blender.words import in_blenders_words
from ..identity import provenance
from .placement import is_carrier
from .whole_fish import CAST, HIDDEN, ROOT_BONE

OFF_SETTINGS = "artfish_off_settings"
"""Property of an object: settings of an artist that were switched off, by their paths, as JSON."""
PLAIN = {"BOOLEAN", "INT", "FLOAT", "ENUM", "STRING"}
"""Kinds of properties that are settings."""
SETTING_GROUPS = ("display", "lineart", "cycles")
"""Groups of an object's settings."""
PLACEMENT = {"location", "scale", "rotation_mode", "rotation_euler", "rotation_quaternion", "rotation_axis_angle"}
"""Settings of place, turn and size; those of an empty that carries fishes are its displacement instead."""
RESOLUTIONS = ("resolution_u", "resolution_v", "render_resolution_u", "render_resolution_v")
"""Settings of a surface's data."""
PASSING = {
    *("name", "use_fake_user", "use_extra_user", "is_runtime_data", "tag", "parent_type", "parent_bone"),
    *("parent_vertices", "use_parent_final_indices", "use_camera_lock_parent", "track_axis", "up_axis"),
    *("active_material_index", "active_shape_key_index", "use_grease_pencil_lights", "empty_image_offset"),
    *("crease_threshold", "dimensions", "matrix_world", "matrix_local", "matrix_basis", "matrix_parent_inverse"),
}
"""Properties that are no settings, or whose default RNA does not know."""
Values = dict[str, Any]
Note = Mapping[str, Any]
"""The note of a bake on an object, as `hand` writes it; its "settings" are those that are not Blender's default."""


@dataclass(frozen=True)
class ObjectSetting:
    """A setting of an object, of its data, of a bone, or of a group of such.

    Attributes:
        name: Of the property.
        default: Blender's default.
        label: Its English label, and the context of its translation.
        shape: "array", "flags", or "" for a single value.
    """

    name: str
    default: Any
    label: tuple[str, str | None]
    shape: str = ""

    def read(self, owner: Any) -> Any:
        """Its value, as JSON has it."""
        value = getattr(owner, self.name)
        return list(value) if self.shape == "array" else sorted(value) if self.shape == "flags" else value

    def write(self, owner: Any, value: Any) -> None:
        """Set it, if the value fits."""
        try:
            setattr(owner, self.name, set(value) if self.shape == "flags" else value)
        except (AttributeError, TypeError, ValueError):
            return


ONE = [1.0, 1.0, 1.0]
BONE_SCALE = ObjectSetting("scale", ONE, ("Scale", None), "array")
BONE_PREFIX, BONE_SUFFIX = 'pose.bones["', '"].scale'
"""Path of the scale of a bone, around its name."""


def _declared(owner: Any) -> tuple[ObjectSetting, ...]:
    """All settings of a data block or group."""
    kind: Any = type(owner)
    return _of_kind(kind)


@cache
def _of_kind(kind: Any) -> tuple[ObjectSetting, ...]:
    """All settings of a kind of data block or group."""
    found = []
    for prop in kind.bl_rna.properties:
        if prop.type not in PLAIN or prop.is_readonly or prop.identifier in PASSING:
            continue
        array, flags = getattr(prop, "is_array", False), getattr(prop, "is_enum_flag", False)
        default = list(prop.default_array) if array else sorted(prop.default_flag) if flags else prop.default
        shape = "array" if array else "flags" if flags else ""
        found.append(ObjectSetting(prop.identifier, default, (prop.name, prop.translation_context), shape))
    return tuple(found)


def _settings(obj: bpy.types.Object) -> Iterator[tuple[str, Any, ObjectSetting]]:
    """The path, owner and declaration of each setting of an object, but for its bones."""
    skipped = PLACEMENT if is_carrier(obj) else ()
    yield from ((each.name, obj, each) for each in _declared(obj) if each.name not in skipped)
    for group in SETTING_GROUPS:
        owner = getattr(obj, group, None)
        if owner is not None:
            yield from ((f"{group}.{each.name}", owner, each) for each in _declared(owner))
    if obj.type == "SURFACE":
        data = _declared(obj.data)
        yield from ((f"data.{each.name}", obj.data, each) for each in data if each.name in RESOLUTIONS)


def _scaled_bones(obj: bpy.types.Object) -> Values:
    """The scale of each bone that is scaled, by its path; not that by which a fish has another body's length."""
    if obj.pose is None:
        return {}
    bones = obj.pose.bones
    scales = array("f", bytes(12 * len(bones)))
    bones.foreach_get("scale", scales)
    rows = [row for row in range(len(bones)) if scales[3 * row : 3 * row + 3] != array("f", ONE)]
    own = {ROOT_BONE} if provenance.of(obj, CAST) else set()
    return {
        f"{BONE_PREFIX}{bones[row].name}{BONE_SUFFIX}": scales[3 * row : 3 * row + 3].tolist()
        for row in rows
        if bones[row].name not in own
    }


def _found(obj: bpy.types.Object, path: str) -> tuple[Any, ObjectSetting] | None:
    """The owner and the declaration of a setting; None if the object has none such."""
    if path.startswith(BONE_PREFIX):
        bones = {} if obj.pose is None else obj.pose.bones
        bone = bones.get(path.removeprefix(BONE_PREFIX).removesuffix(BONE_SUFFIX))
        return None if bone is None else (bone, BONE_SCALE)
    return next(((owner, setting) for each, owner, setting in _settings(obj) if each == path), None)


def label_of(obj: bpy.types.Object, path: str) -> str:
    """The label of a setting, in Blender's language, with its bone's name if it has one."""
    found = _found(obj, path)
    if found is None:
        return path
    label = in_blenders_words(*found[1].label)
    return f"{found[0].name}: {label}" if path.startswith(BONE_PREFIX) else label


# --- what an artist has changed -----------------------------------------------------------------------------------


def left_by_bake(obj: bpy.types.Object) -> Values:
    """The settings of an object that are not Blender's default, by their paths: what a bake notes."""
    return _differing(obj, {})


def changed(obj: bpy.types.Object, left: Note) -> Values:
    """The settings that an artist has changed, by their paths; none where the note is of an earlier version."""
    baked = left.get("settings")
    return _differing(obj, baked) if isinstance(baked, dict) else {}


def off(obj: bpy.types.Object) -> Values:
    """The settings of an artist that were switched off, by their paths."""
    try:
        data = json.loads(provenance.of(obj, OFF_SETTINGS))
    except (ValueError, RecursionError):
        return {}
    return data if isinstance(data, dict) else {}


def _differing(obj: bpy.types.Object, baked: Mapping[str, Any]) -> Values:
    """The settings that are neither of what was baked nor the default; those that are animated are left out."""
    unhidden = _unhidden(obj)
    found = _scaled_bones(obj)
    for path, owner, setting in _settings(obj):
        value = unhidden[path] if path in unhidden else setting.read(owner)
        if value != baked.get(path, setting.default):
            found[path] = value
    if found:
        moved = animated_paths(obj)
        found = {path: value for path, value in found.items() if path not in moved}
    return found


def _unhidden(obj: bpy.types.Object) -> Values:
    """Its presence from before a fish was hidden as a whole, by path; empty if it is not hidden."""
    before = obj.get(HIDDEN)
    return {} if before is None else dict(zip(PRESENCE, map(bool, before), strict=False))


def animated_paths(obj: bpy.types.Object) -> set[str]:
    """Data paths of an object that keys, layers or drivers change; all ways of turning, if one of them."""
    data = obj.animation_data
    if data is None:
        return set()
    curves = curves_on(obj)
    for strip in (strip for track in data.nla_tracks for strip in track.strips):
        if strip.action is not None and strip.action_slot is not None:
            pieces = (each for layer in strip.action.layers for each in layer.strips)
            bags = [bag for each in pieces if (bag := each.channelbag(strip.action_slot)) is not None]
            curves += [curve for bag in bags for curve in bag.fcurves]
    paths = {curve.data_path for curve in curves}
    turned = any(path.startswith("rotation_") for path in paths)
    return paths | ({path for path in PLACEMENT if path.startswith("rotation_")} if turned else set())


# --- set, switched off, carried -----------------------------------------------------------------------------------


def _write(obj: bpy.types.Object, path: str, value: Any) -> None:
    """Set a setting, if the object has it; of a hidden fish for when it is shown."""
    found = _found(obj, path)
    if found is None:
        return
    before = _unhidden(obj)
    if path in before:
        obj[HIDDEN] = [bool(value) if each == path else was for each, was in before.items()]
        return
    owner, setting = found
    setting.write(owner, value)
    obj.update_tag()


def _baked(obj: bpy.types.Object, path: str, left: Note) -> Any:
    """The value of a setting as baked."""
    found, noted = _found(obj, path), left.get("settings") or {}
    return noted.get(path, None if found is None else found[1].default)


def reset(obj: bpy.types.Object, path: str, left: Note) -> None:
    """Set a setting to what the bake left."""
    _write(obj, path, _baked(obj, path, left))


def switch(obj: bpy.types.Object, path: str, on: bool, left: Note) -> None:
    """Switch a setting of an artist off, such that it is as baked, or on again."""
    kept = off(obj)
    if on and path in kept:
        _write(obj, path, kept.pop(path))
    elif not on:
        kept |= {each: value for each, value in changed(obj, left).items() if each == path}
        reset(obj, path, left)
    _keep(obj, kept)


def remove(obj: bpy.types.Object, path: str, left: Note) -> None:
    """Take a setting of an artist away for good."""
    if path not in off(obj):
        reset(obj, path, left)
    _keep(obj, {each: value for each, value in off(obj).items() if each != path})


def _keep(obj: bpy.types.Object, values: Values) -> None:
    if values:
        obj[OFF_SETTINGS] = json.dumps(values)
    elif OFF_SETTINGS in obj.keys():  # noqa: SIM118
        del obj[OFF_SETTINGS]


def carry(one: bpy.types.Object, other: bpy.types.Object, left: Note, new: Note) -> None:
    """Carry an artist's settings over to the object that takes another's place.

    Args:
        one: The object of the bake before.
        other: That of the new bake.
        left: What the bake before left on its object.
        new: What the new one left on its object.
    """
    moved = animated_paths(other)
    for path, value in changed(one, left).items():
        if path not in moved:
            _write(other, path, _as_large(path, value, left, new))
    _keep(other, {path: _as_large(path, value, left, new) for path, value in off(one).items()})


def _as_large(path: str, value: Any, left: Note, new: Note) -> Any:
    """A setting for a new bake: a scale is as many times the baked one as it was; all others are as they were."""
    if path != "scale":
        return value
    try:
        one, other = (each["settings"].get(path, ONE) for each in (left, new))
        return [float(number) / was * now for number, was, now in zip(value, one, other, strict=True)]
    except (AttributeError, KeyError, TypeError, ValueError, ZeroDivisionError):
        return value
