"""Edits of baked fishes, carried to the fishes that take their places at the next bake.

A fish is known by its role, whatever it is called. The lists of edits are done anew to the new keys; what an artist has
added with Blender's own tools is copied as it is.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import bpy

from ..identity import provenance
from ..identity.provenance import NO_ROW, row_of
from . import deleting, editing, edits, hand, object_settings, own_curves, watching
from .edits import FishEdit
from .identities import roles_in
from .own_curves import blocks_of
from .placement import displace_alike, is_animated, is_carrier, pivot_of
from .whole_fish import CROWD_ROLE, FISH, HIDDEN, fishes_of, player_of


@dataclass(frozen=True)
class Carried:
    """All that goes over from one bake to the next.

    Attributes:
        pairs: New objects by those that they replace.
        fresh: New objects, all of them.
        lost: Roles of fishes that somebody has deleted with Blender's own tools.
    """

    pairs: Mapping[bpy.types.Object, bpy.types.Object]
    fresh: tuple[bpy.types.Object, ...]
    lost: frozenset[str]

    @classmethod
    def of(
        cls,
        old: Iterable[bpy.types.Object],
        made: Iterable[bpy.types.Object],
        stay: Collection[bpy.types.Object],
        kin: Mapping[str, int],
    ) -> Carried:
        """All that goes over.

        Args:
            old: Objects of the bake that is replaced, the deleted ones, too.
            made: Objects of the new one.
            stay: Objects of the old one that stay.
            kin: Number of fishes that the old one had in each shoal.
        """
        fresh = tuple(made)
        there = {provenance.of(obj, provenance.ROLE): obj for obj in old}
        pairs = {
            there[role]: obj
            for obj in fresh
            if (role := provenance.of(obj, provenance.ROLE)) in there and there[role] not in stay
        }
        crowd = any(role.startswith(CROWD_ROLE) for role in there)  # whose fishes were no objects that one can delete
        lost = set() if crowd else roles_in(kin) - {_fish_in(role) for role in there}
        return cls(pairs, fresh, frozenset(lost))

    @cached_property
    def twins(self) -> dict[bpy.types.ID, bpy.types.ID]:
        """The new objects, data and shape keys by those that they replace."""
        every = (zip(blocks_of(one), blocks_of(other), strict=True) for one, other in self.pairs.items())
        return {one: other for pairs in every for one, other in pairs if one is not None and other is not None}

    def put(self, scene: bpy.types.Scene) -> None:
        """Carry it over, once the new objects are in the scene in place of the old."""
        for obj in self.fresh:
            hand.leave([obj])
            hand.wear(obj)
        for one, other in self.pairs.items():
            self._hand(one, other)
        roots = {other: one for one, other in self.pairs.items() if row_of(other) != NO_ROW}
        for fish in fishes_of(scene, roots):
            one = roots[fish.root]
            if edits.EDITS in one.keys():  # noqa: SIM118
                fish.root[edits.EDITS] = one[edits.EDITS]
            listed = edits.of(fish.root)
            if HIDDEN in one.keys() and not any(edit.kind == "hidden" for edit in listed):  # noqa: SIM118
                edits.write(fish.root, [*listed, FishEdit("hidden")])
            if edits.of(fish.root):
                editing.apply_all(fish, scene)
            watching.aim(fish)
            if one.get(deleting.DELETED):
                fish.root[deleting.DELETED] = True
        for one, other in self.pairs.items():  # what was done to keys as baked is done to no others
            if not is_carrier(one):
                own_curves.carry_keys(one, other, hand.left_of(one))
        for obj in self.fresh:
            if row_of(obj) != NO_ROW and provenance.of(obj, provenance.ROLE) in self.lost:
                obj[deleting.DELETED] = True

    def _hand(self, one: bpy.types.Object, other: bpy.types.Object) -> None:
        """Carry over what an artist has done to an object."""
        left = hand.left_of(one)
        if not left:
            return
        hand.note_name(other, left["name"])
        for mark in (hand.OFF_NAME, hand.OFF_OFFSET):
            if mark in one.keys():  # noqa: SIM118
                other[mark] = one[mark]
        if is_carrier(one):
            _carrier(one, other)
        above = hand.foreign_parent(one)
        if above is not None:
            other.parent, other.parent_type, other.parent_bone = above, one.parent_type, one.parent_bone
            other.matrix_parent_inverse = one.matrix_parent_inverse.copy()
        self._modifiers(one, other, left["modifiers"])
        self._constraints(one, other, left["constraints"])
        for name in one.keys():  # noqa: SIM118
            if not name.startswith(hand.NOT_ARTISTS) and name not in left["properties"]:
                other[name] = one[name]
        _materials(one, other)
        object_settings.carry(one, other, left, hand.left_of(other))
        for block, twin in zip(blocks_of(one), blocks_of(other), strict=True):
            if block is not None and twin is not None:
                _layers(block, twin)
        if not is_carrier(one):
            own_curves.carry_drivers(one, other, self.twins)

    def _modifiers(self, one: bpy.types.Object, other: bpy.types.Object, left: list[str]) -> None:
        for modifier in one.modifiers:
            if modifier.name in left:
                continue
            before = len(other.modifiers)
            with bpy.context.temp_override(
                object=one, active_object=one, selected_objects=[other], selected_editable_objects=[other]
            ):
                bpy.ops.object.modifier_copy_to_selected(modifier=modifier.name)
            for made in list(other.modifiers)[before:]:
                self._point(made)

    def _constraints(self, one: bpy.types.Object, other: bpy.types.Object, left: list[str]) -> None:
        owners: list[tuple[Any, Any]] = [(one, other)]
        if one.pose is not None and other.pose is not None:
            owners += [(bone, other.pose.bones[bone.name]) for bone in one.pose.bones if bone.name in other.pose.bones]
        for source, goal in owners:
            for constraint in source.constraints:
                if constraint.name not in left:
                    self._point(goal.constraints.copy(constraint))

    def _point(self, made: bpy.types.Modifier | bpy.types.Constraint) -> None:
        """Point a copied modifier or constraint to the new objects, where it pointed to old ones."""
        for prop in made.bl_rna.properties:
            if prop.type == "POINTER" and not prop.is_readonly:
                other = self.pairs.get(getattr(made, prop.identifier))
                if other is not None:
                    setattr(made, prop.identifier, other)


def _fish_in(role: str) -> str:
    """The role of the root of the fish of which a role is part."""
    found = provenance.FISH_ROLE.fullmatch(role.removesuffix(f" {provenance.OFFSET}"))
    return "" if found is None else f"{FISH}{found[1]} {found[2]}"


def _carrier(one: bpy.types.Object, other: bpy.types.Object) -> None:
    """Move an empty that carries fishes as the one before it was moved; one with keys stands where that stood."""
    if not is_animated(one):
        displace_alike(one, other)
        return
    if provenance.is_offset(one):
        pivot = pivot_of(one)
        for child in other.children:
            child.matrix_parent_inverse.translation = -pivot
    displace_alike(one, other)
    twin, data = other.animation_data_create(), one.animation_data
    twin.action = data.action
    if data.action is not None and data.action_slot is not None:
        twin.action_slot = data.action_slot
    for driver in data.drivers:
        twin.drivers.from_existing(src_driver=driver)


def _materials(one: bpy.types.Object, other: bpy.types.Object) -> None:
    """Give an object the materials of an artist, and those that were switched off to remember."""
    slots = min(len(one.material_slots), len(other.material_slots))
    for place in range(slots):
        if hand.other_material(one, place):
            link = one.material_slots[place].link
            other.material_slots[place].link = link
            other.material_slots[place].material = one.material_slots[place].material
    off = dict(one.get(hand.OFF_MATERIALS) or {})
    if off:
        other[hand.OFF_MATERIALS] = {place: material for place, material in off.items() if int(place) < slots}


def _layers(one: bpy.types.ID, other: bpy.types.ID) -> None:
    """Copy the layers of animation of a data block; where they play what was baked, they play the new bake."""
    data, player = getattr(one, "animation_data", None), player_of(one)
    if data is None or not data.nla_tracks:
        return
    twin = other.animation_data_create()
    baked, slot = twin.action, twin.action_slot
    for track in data.nla_tracks:
        made = twin.nla_tracks.new(prev=twin.nla_tracks[-1] if twin.nla_tracks else None)
        made.name, made.mute, made.is_solo, made.lock = track.name, track.mute, track.is_solo, track.lock
        for strip in track.strips:
            if strip.action is not None:
                _strip(strip, made, baked if strip == player else None, slot)
    if player != data and player is not None:  # what was baked is in a layer: on top is what the artist put there
        twin.action = data.action
        if data.action is not None and data.action_slot is not None:
            twin.action_slot = data.action_slot
    twin.action_blend_type, twin.action_influence = data.action_blend_type, data.action_influence
    twin.action_extrapolation, twin.use_nla = data.action_extrapolation, data.use_nla


COPIED = (
    *("blend_type", "extrapolation", "blend_in", "blend_out", "use_auto_blend", "mute", "use_reverse", "repeat"),
    *("scale", "use_sync_length", "use_animated_influence", "influence"),
)
"""Settings of a layer's strip."""
ALL_OF_IT = 1.0
"""Frames by which a strip may begin or end beside its action, and still play all of it."""


def _strip(
    strip: bpy.types.NlaStrip,
    track: bpy.types.NlaTrack,
    baked: bpy.types.Action | None,
    slot: bpy.types.ActionSlot | None,
) -> None:
    """Copy a strip; it plays another action, if one is given."""
    action = baked or strip.action
    made = track.strips.new(strip.name, int(strip.frame_start), action)
    own = slot if baked is not None else strip.action_slot
    if own is not None:
        made.action_slot = own
    for name in COPIED:
        setattr(made, name, getattr(strip, name))
    played: tuple[float, ...] = strip.action_frame_start, strip.action_frame_end
    frames = strip.frame_start, strip.frame_end
    whole = strip.action.curve_frame_range.to_tuple()
    if baked is not None and max(abs(at - edge) for at, edge in zip(played, whole, strict=True)) <= ALL_OF_IT:
        played = baked.curve_frame_range.to_tuple()
        begin = strip.frame_start + played[0] - whole[0]
        frames = begin, begin + (played[1] - played[0]) * strip.scale * strip.repeat
    made.action_frame_end = played[1]  # a strip ends after it begins, at any time
    made.action_frame_start = played[0]
    made.frame_end = max(frames[1], made.frame_end)
    made.frame_start, made.frame_end = frames
