"""Baked fishes as wholes, whichever of their objects is meant; looking for them loads no simulation."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass

import bpy
from mathutils import Vector

from ..identity import provenance
from ..identity.provenance import NO_ROW, ROLE, row_of

FISH, CROWD_ROLE = "fish ", "crowd "
"""How the roles of a fish's objects begin, and that of a crowd."""
HIDDEN = "artfish_hidden"
"""On the objects of a fish that is hidden: whether they were in views and in renders before."""
CAST = "artfish_cast"
"""On the root of a fish that has the body of another species: the name of that."""

NUDGE_LEAST = 1e-5
"""Metres, radians or scale by which an offset has been changed, more than rounding."""
RETIMED = "artfish_retimed"
"""On the action of a fish that was retimed: frames, speed, and the frame from which speed counts."""


@dataclass(frozen=True)
class WholeFish:
    """All objects of a baked fish, or of a copy of one.

    Attributes:
        root: The object that carries the others, or the only one.
        parts: What it carries.
        offset: The empty above it; None where it has none.
    """

    root: bpy.types.Object
    parts: tuple[bpy.types.Object, ...]
    offset: bpy.types.Object | None

    @property
    def body(self) -> tuple[bpy.types.Object, ...]:
        """All of it but the offset."""
        return (self.root, *self.parts)

    @property
    def objects(self) -> tuple[bpy.types.Object, ...]:
        """All of it."""
        return self.body if self.offset is None else (self.offset, *self.body)

    @property
    def species(self) -> str:
        """The name of the species whose body it has."""
        return species_of(self.root)

    @property
    def action(self) -> bpy.types.Action | None:
        """What moves its root, and all of it as it was baked."""
        data = self.root.animation_data
        return None if data is None else data.action

    @property
    def animated(self) -> dict[bpy.types.Action, list[bpy.types.ID]]:
        """What each of its actions moves: objects, their data, shape keys; Shift D makes an action of each."""
        found: dict[bpy.types.Action, list[bpy.types.ID]] = {}
        for obj in self.body:
            for each in (obj, obj.data, getattr(obj.data, "shape_keys", None)):
                data = getattr(each, "animation_data", None)
                if data is not None and data.action is not None and each not in found.setdefault(data.action, []):
                    found[data.action].append(each)
        return found

    @property
    def is_hidden(self) -> bool:
        """Whether it was hidden as a whole."""
        return HIDDEN in self.root.keys()  # noqa: SIM118


def species_of(root: bpy.types.Object) -> str:
    """The name of the species whose body a fish has, by its root; "" where that is none of a fish."""
    fish = provenance.fish_of(root)
    return provenance.of(root, CAST) or ("" if fish is None else fish.species)


def root_of(obj: bpy.types.Object | None) -> bpy.types.Object | None:
    """The root of the baked fish that an object is part of; None where it is of none."""
    while obj is not None and provenance.of(obj, ROLE).startswith(FISH) and not provenance.is_offset(obj):
        if row_of(obj) != NO_ROW:
            return obj
        obj = obj.parent
    return None


def fishes_of(scene: bpy.types.Scene, objects: Iterable[bpy.types.Object]) -> list[WholeFish]:
    """The fishes that objects of a scene are parts of, or offsets of them or of their shoal, each once."""
    below: dict[bpy.types.Object, list[bpy.types.Object]] = defaultdict(list)
    for obj in scene.objects:
        if obj.parent is not None:
            below[obj.parent].append(obj)
    roots: dict[bpy.types.Object, None] = {}
    for obj in objects:
        ahead = [obj]
        while ahead:
            each = ahead.pop()
            if provenance.is_offset(each):
                ahead += reversed(below[each])
            elif (root := root_of(each)) is not None:
                roots[root] = None
    return [
        WholeFish(
            root,
            tuple(part for part in below[root] if root_of(part) == root and row_of(part) == NO_ROW),
            root.parent if provenance.is_offset(root.parent) else None,
        )
        for root in roots
    ]


def meant(context: bpy.types.Context) -> list[bpy.types.Object]:
    """The objects that are selected, or else the active one."""
    return list(context.selected_objects) or ([context.object] if context.object else [])


def missing(context: bpy.types.Context) -> str:
    """Why there is no baked fish among what is meant, in a sentence; "" where there is one."""
    objects = meant(context)
    if any(provenance.is_offset(obj) or root_of(obj) is not None for obj in objects):
        return ""
    if any(provenance.of(obj, ROLE).startswith(CROWD_ROLE) for obj in objects):
        return "A crowd is one object: bake the form Mesh, Compact or Points to have single fishes"
    return "Select a baked fish first, by any of its parts"


def is_nudged(scene: bpy.types.Scene) -> bool:
    """Whether a fish or a shoal of a scene was moved by its offset, or retimed, since it was baked."""
    offsets = {above for above in {obj.parent for obj in scene.objects} if provenance.is_offset(above)}
    if any(_is_moved(obj, obj.parent) for obj in scene.objects if obj.parent in offsets):
        return True
    retimed = {action for action in bpy.data.actions if RETIMED in action.keys()}  # noqa: SIM118
    return bool(retimed) and any(getattr(obj.animation_data, "action", None) in retimed for obj in scene.objects)


def _is_moved(obj: bpy.types.Object, above: bpy.types.Object) -> bool:
    """Whether the offset that carries an object does not stand as it was made."""
    off = (obj.matrix_parent_inverse.translation + above.location).length
    turned, scaled = above.rotation_euler.to_quaternion().angle, (above.scale - Vector((1.0, 1.0, 1.0))).length
    return max(off, turned, scaled) > NUDGE_LEAST


def hidden(scene: bpy.types.Scene) -> list[WholeFish]:
    """The fishes of a scene that were hidden as wholes."""
    roots = [obj for obj in scene.objects if row_of(obj) != NO_ROW and HIDDEN in obj.keys()]  # noqa: SIM118
    return fishes_of(scene, roots) if roots else []
