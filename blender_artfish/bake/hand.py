"""An artist's work on a baked fish with Blender's own tools: found by comparing it with what the bake left.

A bake notes on each object what it left: the name, modifiers, constraints and custom properties, the materials that
it wears, settings that are not Blender's default, and the paths that it keys. Whatever is there beside is the artist's:
other materials, a name, modifiers, constraints, custom properties, settings, drivers, keys, a parent, layers of
animation, and offsets that were moved. All of it is carried to the fish that takes the place at the next bake
(`carrying`).
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

import bpy
from mathutils import Quaternion, Vector

from ..blender.words import Message, translated
from ..identity import provenance
from ..identity.provenance import NO_ROW, row_of
from . import object_settings, own_curves
from .placement import NUDGE_LEAST, displace, displacement, is_animated, is_carrier
from .watching import watchers
from .whole_fish import WholeFish

LEFT = "artfish_left"
"""Property of a baked object: what the bake left on it, as JSON."""
WORN = "artfish_worn"
"""Property of a baked object: the materials that the bake, or Swap Look, has put on it, by slot."""
OFF_MATERIALS, OFF_NAME, OFF_OFFSET = "artfish_off_materials", "artfish_off_name", "artfish_off_offset"
"""Properties that remember what was switched off: materials by slot, a name, the move, turn and scale of an offset."""
PARTS_NAMED = 3
"""Most parts of a fish that a row names."""
NOT_ARTISTS = ("artfish", "_RNA_UI", "cycles")
"""Beginnings of names of properties that are no artist's."""


@dataclass(frozen=True)
class HandEdit:
    """Something that an artist has done to an object of a fish.

    Attributes:
        kind: One of `ICONS`.
        owner: The object; of a fish that is looked at the one that looks.
        name: Of the modifier, constraint, property, slot or layer; with its bone before it where it is on one. Of a
            setting or keys the path, of drivers that and its block.
        words: What it is, in an artist's words.
        on: Whether it shows.
        switched: Whether it can be switched off and on.
        others: Other objects of the fish on which the same was done.
    """

    kind: str
    owner: bpy.types.Object
    name: str
    words: str
    on: bool = True
    switched: bool = True
    others: tuple[bpy.types.Object, ...] = ()


ICONS = {
    "renamed": "SORTALPHA",
    "offset": "EMPTY_AXIS",
    "parent": "LINKED",
    "material": "MATERIAL",
    "modifier": "MODIFIER",
    "constraint": "CONSTRAINT",
    "property": "PROPERTIES",
    "setting": "OPTIONS",
    "driver": "DRIVER",
    "keys": "KEYFRAME",
    "layer": "NLA",
    "watched": "CON_TRACKTO",
}


# --- what the bake left -------------------------------------------------------------------------------------------


def leave(objects: Iterable[bpy.types.Object]) -> None:
    """Note what a bake leaves on objects."""
    for obj in objects:
        obj[LEFT] = json.dumps(
            {
                "name": obj.name,
                "modifiers": [each.name for each in obj.modifiers],
                "constraints": [each.name for each in _constraints(obj).values()],
                "properties": [name for name in obj.keys() if not name.startswith(NOT_ARTISTS)],  # noqa: SIM118
                "settings": object_settings.left_by_bake(obj),
                "keyed": own_curves.keyed_by_bake(obj),
            }
        )
        wear(obj)


def wear(obj: bpy.types.Object) -> None:
    """Note the materials of an object as those that Artfish has put on it."""
    if obj.material_slots:
        obj[WORN] = {str(place): slot.material for place, slot in enumerate(obj.material_slots) if slot.material}


def note_name(obj: bpy.types.Object, name: str = "") -> None:
    """Note the name of an object as that which the bake gave it."""
    left = left_of(obj)
    if left:
        obj[LEFT] = json.dumps(left | {"name": name or obj.name})


def left_of(obj: bpy.types.Object) -> dict[str, Any]:
    """The note of what a bake left on an object; empty if there is none."""
    try:
        data = json.loads(provenance.of(obj, LEFT))
    except (ValueError, RecursionError):
        return {}
    kinds = {"modifiers": list, "constraints": list, "properties": list, "name": str}
    sound = isinstance(data, dict) and all(isinstance(data.get(name), kind) for name, kind in kinds.items())
    return data if sound else {}


# --- what is beside it --------------------------------------------------------------------------------------------


OWN_OFFSET: Message = "Its offset"
SHOALS_OFFSET: Message = "Its shoal's offset"
WHOLE_BAKE: Message = "All of its bake"
"""The empties that are moved."""


def found(fish: WholeFish) -> list[HandEdit]:
    """All that an artist has done to a fish with Blender's own tools."""
    edits = list(_renamed(fish.root))
    for carrier, whose in carriers(fish):
        edits += _offset(carrier, whose)
    notes = {obj: left_of(obj) for obj in fish.objects}
    for obj, left in notes.items():
        if left:
            edits += _parent(obj)
            edits += _on_object(obj, left, _part(obj, fish))
    return [
        *edits,
        *_settings(fish, notes),
        *(
            HandEdit("watched", by, look.name, translated("Looked at by {by}", by=by.name), not look.mute)
            for by, look in watchers(fish)
        ),
    ]


def _part(obj: bpy.types.Object, fish: WholeFish) -> str:
    """The name of a part of a fish."""
    return obj.name.removeprefix(fish.root.name).strip() or translated("the fish")


def carriers(fish: WholeFish) -> Iterator[tuple[bpy.types.Object, Message]]:
    """The empties that carry a fish, from its own up to that of its whole bake, and what each is."""
    above = fish.root.parent
    while above is not None:
        if is_carrier(above):
            own = OWN_OFFSET if above == fish.offset else SHOALS_OFFSET
            yield above, own if provenance.is_offset(above) else WHOLE_BAKE
        above = above.parent


def _renamed(root: bpy.types.Object) -> Iterator[HandEdit]:
    name, off = left_of(root).get("name", ""), provenance.of(root, OFF_NAME)
    if off:
        yield HandEdit("renamed", root, off, translated("Renamed {off}", off=off), on=False)
    elif name and name != root.name and provenance.is_original(root):
        yield HandEdit(
            "renamed", root, root.name, translated("Renamed {root}, baked as {name}", root=root.name, name=name)
        )


def _offset(offset: bpy.types.Object, whose: str) -> Iterator[HandEdit]:
    if offset.get(OFF_OFFSET) is not None:
        yield HandEdit(
            "offset",
            offset,
            offset.name,
            translated("{offset} moved, turned or scaled", offset=translated(whose)),
            on=False,
        )
        return
    move, turn, scale = displacement(offset)
    parts = [translated("moved {length:.3g}", length=move.length)] if move.length > NUDGE_LEAST else []
    parts += ["turned"] if abs(turn.angle) > NUDGE_LEAST else []
    parts += ["scaled"] if (scale - Vector((1.0, 1.0, 1.0))).length > NUDGE_LEAST else []
    if is_animated(offset):
        yield HandEdit(
            "offset", offset, offset.name, translated("{offset} animated", offset=translated(whose)), switched=False
        )
    elif parts:
        yield HandEdit(
            "offset",
            offset,
            offset.name,
            f"{translated(whose)} {', '.join(parts)}",
        )


def foreign_parent(obj: bpy.types.Object) -> bpy.types.Object | None:
    """The object that an artist has parented a baked one to; None if it hangs where the bake has hung it."""
    above = obj.parent
    role = provenance.of(above, provenance.ROLE) if above is not None else ""
    own = provenance.of(obj, provenance.ROLE).startswith(f"{role} ") and row_of(above) != NO_ROW
    as_baked = above is None or own or role == provenance.ROOT or provenance.is_offset(above)
    return None if as_baked else above


def _parent(obj: bpy.types.Object) -> Iterator[HandEdit]:
    above = foreign_parent(obj)
    if above is not None:
        yield HandEdit(
            "parent",
            obj,
            above.name,
            translated("{obj} parented to {above}", obj=obj.name, above=above.name),
            switched=False,
        )


def _on_object(obj: bpy.types.Object, left: dict[str, Any], part: str) -> Iterator[HandEdit]:
    yield from _materials(obj, part)
    for each in obj.modifiers:
        if each.name not in left["modifiers"]:
            yield HandEdit(
                "modifier",
                obj,
                each.name,
                translated("Modifier {each} on {part}", each=each.name, part=part),
                each.show_viewport and each.show_render,
            )
    for name, constraint in _constraints(obj).items():
        if constraint.name not in left["constraints"]:
            yield HandEdit(
                "constraint",
                obj,
                name,
                translated("Constraint {name} on {part}", name=name, part=part),
                not constraint.mute,
            )
    for name in obj.keys():  # noqa: SIM118
        if not name.startswith(NOT_ARTISTS) and name not in left["properties"]:
            yield HandEdit(
                "property",
                obj,
                name,
                translated("Custom property {name} on {part}", name=name, part=part),
                switched=False,
            )
    for track in layers(obj):
        yield HandEdit(
            "layer",
            obj,
            track.name,
            translated("Animation layer {track} on {part}", track=track.name, part=part),
            not track.mute,
        )

    for name, curves in own_curves.drivers_of(obj).items():
        words = translated("Driver of {path} on {part}", path=curves[0].data_path, part=part)
        yield HandEdit("driver", obj, name, words, not all(curve.mute for curve in curves))
    for path, curves in own_curves.own_keys(obj, left).items():
        words = translated("Keys of {path} on {part}", path=path, part=part)
        yield HandEdit("keys", obj, path, words, not all(curve.mute for curve in curves))


def _settings(fish: WholeFish, notes: dict[bpy.types.Object, dict[str, Any]]) -> Iterator[HandEdit]:
    """Changed settings of a fish's objects, each once for all of them that have it."""
    owners: dict[tuple[str, bool], list[bpy.types.Object]] = {}
    for obj, left in notes.items():
        now, off = object_settings.changed(obj, left), object_settings.off(obj)
        for path in now | off:
            owners.setdefault((path, path in now), []).append(obj)
    for (path, on), every in owners.items():
        names = [_part(obj, fish) for obj in every]
        part = ", ".join(names) if len(names) <= PARTS_NAMED else translated("{count} parts", count=len(names))
        words = translated("{setting} of {part}", setting=object_settings.label_of(every[0], path), part=part)
        yield HandEdit("setting", every[0], path, words, on, others=tuple(every[1:]))


def _materials(obj: bpy.types.Object, part: str) -> Iterator[HandEdit]:
    off = obj.get(OFF_MATERIALS) or {}
    for place, slot in enumerate(obj.material_slots):
        kept = off.get(str(place))
        if kept is not None:
            yield HandEdit(
                "material",
                obj,
                str(place),
                translated("Material {kept} on {part}", kept=kept.name, part=part),
                on=False,
            )
        elif other_material(obj, place):
            name = slot.material.name if slot.material else "none"
            yield HandEdit("material", obj, str(place), translated("Material {name} on {part}", name=name, part=part))


def other_material(obj: bpy.types.Object, place: int) -> bool:
    """True if a slot has another material than Artfish has put on it."""
    worn = obj.get(WORN)
    return worn is not None and str(place) in worn and worn[str(place)] != obj.material_slots[place].material


def _constraints(obj: bpy.types.Object) -> dict[str, bpy.types.Constraint]:
    """An object's constraints and those of its bones, by name, with the bone's before it."""
    every = {each.name: each for each in obj.constraints}
    if obj.pose is not None:
        every |= {f"{bone.name}: {each.name}": each for bone in obj.pose.bones for each in bone.constraints}
    return every


def layers(obj: bpy.types.Object) -> list[bpy.types.NlaTrack]:
    """The layers of animation on an object, but for those that play what was baked."""
    data = obj.animation_data
    return [] if data is None else list(data.nla_tracks)


# --- switched off and on, and taken away --------------------------------------------------------------------------


def switch(edit: HandEdit, on: bool) -> None:
    """Switch something off, such that the object is as the bake left it, or on again."""
    obj = edit.owner
    if edit.kind == "renamed":
        _switch_name(obj, on)
    elif edit.kind == "offset":
        _switch_offset(obj, on)
    elif edit.kind == "material":
        _switch_material(obj, int(edit.name), on)
    elif edit.kind == "modifier":
        modifier = obj.modifiers[edit.name]
        modifier.show_viewport = modifier.show_render = on
    elif edit.kind in ("constraint", "watched"):
        _constraints(obj)[edit.name].mute = not on
    elif edit.kind == "layer":
        obj.animation_data.nla_tracks[edit.name].mute = not on
    elif edit.kind == "setting":
        for each in (obj, *edit.others):
            object_settings.switch(each, edit.name, on, left_of(each))
    elif edit.kind == "driver":
        _mute(obj, own_curves.drivers_of(obj)[edit.name], not on)
    elif edit.kind == "keys":
        _mute(obj, own_curves.own_keys(obj, left_of(obj))[edit.name], not on)


def _mute(obj: bpy.types.Object, curves: list[bpy.types.FCurve], mute: bool) -> None:
    """Mute an artist's drivers or keys, such that what they moved is as the bake left it, or let them move it again."""
    for curve in curves:
        curve.mute = mute
    if mute:
        object_settings.reset(obj, curves[0].data_path, left_of(obj))
    obj.update_tag()


def remove(edit: HandEdit) -> None:
    """Take something away for good."""
    obj = edit.owner
    if edit.kind == "modifier":
        obj.modifiers.remove(obj.modifiers[edit.name])
    elif edit.kind in ("constraint", "watched"):
        bone, colon, _ = edit.name.partition(": ")
        owner = obj.pose.bones[bone] if colon and obj.pose is not None and bone in obj.pose.bones else obj
        owner.constraints.remove(_constraints(obj)[edit.name])
    elif edit.kind == "property":
        del obj[edit.name]
    elif edit.kind == "layer":
        obj.animation_data.nla_tracks.remove(obj.animation_data.nla_tracks[edit.name])
    elif edit.kind == "parent":
        _hang_as_baked(obj)
    elif edit.kind == "setting":
        for each in (obj, *edit.others):
            object_settings.remove(each, edit.name, left_of(each))
    elif edit.kind == "driver":
        switch(edit, False)
        own_curves.remove_drivers(obj, edit.name)
    elif edit.kind == "keys":
        switch(edit, False)
        own_curves.remove_keys(obj, edit.name, left_of(obj))
    else:
        if edit.on:
            if edit.kind == "offset" and is_animated(obj):
                obj.animation_data_clear()
            switch(edit, False)
        for mark in (OFF_NAME, OFF_OFFSET):
            if mark in obj.keys():  # noqa: SIM118
                del obj[mark]
        if edit.kind == "material":
            _forget_material(obj, edit.name)


def _switch_name(root: bpy.types.Object, on: bool) -> None:
    if on:
        root.name = root[OFF_NAME]
        del root[OFF_NAME]
    else:
        root[OFF_NAME], root.name = root.name, left_of(root)["name"]


def _switch_offset(offset: bpy.types.Object, on: bool) -> None:
    if on:
        numbers = [float(number) for number in offset[OFF_OFFSET]]
        displace(offset, Vector(numbers[:3]), Quaternion(numbers[3:7]), Vector(numbers[7:]))
        del offset[OFF_OFFSET]
    else:
        move, turn, scale = displacement(offset)
        offset[OFF_OFFSET] = [*move[:], *turn[:], *scale[:]]
        displace(offset, Vector(), Quaternion(), Vector((1.0, 1.0, 1.0)))


def _switch_material(obj: bpy.types.Object, place: int, on: bool) -> None:
    slot, name = obj.material_slots[place], str(place)
    if on:
        slot.material = obj[OFF_MATERIALS][name]
        _forget_material(obj, name)
    else:
        off = dict(obj.get(OFF_MATERIALS) or {})
        obj[OFF_MATERIALS] = off | ({name: slot.material} if slot.material else {})
        if slot.link == "DATA" and obj.data.users > 1:
            obj.data = obj.data.copy()
            slot = obj.material_slots[place]
        slot.material = obj[WORN][name]


def _forget_material(obj: bpy.types.Object, name: str) -> None:
    off = {place: material for place, material in (obj.get(OFF_MATERIALS) or {}).items() if place != name}
    if off:
        obj[OFF_MATERIALS] = off
    elif OFF_MATERIALS in obj.keys():  # noqa: SIM118
        del obj[OFF_MATERIALS]


def _hang_as_baked(obj: bpy.types.Object) -> None:
    """Hang an object on the empty that carries its bake."""
    bake = provenance.of(obj, provenance.BAKE)
    roots = (each for each in bpy.data.objects if provenance.of(each, provenance.ROLE) == provenance.ROOT)
    obj.parent = next((each for each in roots if provenance.of(each, provenance.BAKE) == bake), None)
    obj.parent_type = "OBJECT"
    obj.matrix_parent_inverse.identity()
