"""Roles of the objects in the water, their order and place; registering this loads no simulation."""

from __future__ import annotations

from typing import Any

import bpy
from mathutils import Matrix

from ..blender import keyframes
from ..blender.handlers import HandlerTurn, hears
from ..blender.words import Message, translated

LINKED: Message = "This scene is linked from another file: make it local, or go to one of this file"
MESH_LIKE = {"MESH", "CURVE", "SURFACE", "META", "FONT"}
"""Types of objects that Blender converts to meshes."""
SINGLE = ("TANK", "PLANKTON", "HOOK", "CAMERA")
"""Kinds of which only the oldest object counts."""


def objects_of(scene: bpy.types.Scene, *kinds: str) -> list[bpy.types.Object]:
    """Objects of these kinds in a scene, or of any kind, the oldest first; a copy follows its original."""
    found = [obj for obj in scene.objects if obj.artfish.kind != "NONE"]
    chosen = [obj for obj in found if not kinds or obj.artfish.kind in kinds]
    return sorted(chosen, key=lambda obj: (obj.artfish.order, obj.session_uid))


def spare(scene: bpy.types.Scene) -> list[bpy.types.Object]:
    """Objects that do not count, since an older one of their kind does."""
    return [obj for kind in SINGLE for obj in objects_of(scene, kind)[1:]]


def linked(found: list[bpy.types.Object]) -> str:
    """Why linked objects cannot be marked here, in words; "" if none is linked."""
    names = ", ".join(obj.name for obj in found if obj.library or obj.override_library)
    return names and translated(
        "{names}: linked from another file, which keeps no mark made here: make it local first", names=names
    )


def choose(context: bpy.types.Context, obj: bpy.types.Object) -> None:
    """Make this the only selected object, and the active one."""
    for other in context.selected_objects:
        other.select_set(False)
    if obj in context.view_layer.objects.values():  # a linked one may have the same name
        obj.select_set(True)
        context.view_layer.objects.active = obj


def is_linked(scene: bpy.types.Scene | None) -> bool:
    """True if a scene belongs to another file, so that nothing can be added to it or changed in it."""
    return scene is not None and scene.library is not None


def next_order(scene: bpy.types.Scene) -> int:
    """The order of the next object put into the water."""
    return 1 + max((other.artfish.order for other in objects_of(scene)), default=0)


def world(obj: bpy.types.Object) -> Matrix:
    """The matrix from an object's own coordinates to Blender's, whether Blender evaluates the object or not.

    An object placed by F-curves, its own or its parents', is read at the frame of
    `keyframes.reading_at`. Blender does not evaluate what is disabled in viewports, or in a collection that is or that
    is excluded; its `matrix_world` is then out of date, and unset after a file was opened.

    Raises:
        SceneError: Only Blender's evaluation could place it.
    """
    frame = keyframes.moment()
    if frame is not None and is_keyed(obj):
        own = keyframes.basis(obj, keyframes.moves(obj), frame)
        return world(obj.parent) @ obj.matrix_parent_inverse @ own if obj.parent else own
    if is_evaluated(obj):
        return obj.matrix_world
    if any(not each.mute for each in obj.constraints):
        refuse_hidden(obj, "its constraints")
    if obj.parent is None:
        return obj.matrix_basis
    if obj.parent_type != "OBJECT":
        refuse_hidden(obj, "its parent")
    return world(obj.parent) @ obj.matrix_parent_inverse @ obj.matrix_basis


def is_keyed(obj: bpy.types.Object) -> bool:
    """True if F-curves alone, an object's or its parents', place it."""
    if keyframes.unread(obj):
        return False
    return bool(keyframes.moves(obj)) or obj.parent is not None and is_keyed(obj.parent)


def is_evaluated(obj: bpy.types.Object) -> bool:
    """True if Blender evaluates an object in any view layer; those hidden by the eye icon are."""
    if obj.hide_viewport:
        return False
    homes = set(obj.users_collection)
    return any(not homes.isdisjoint(_shown(layer)) for scene in obj.users_scene for layer in scene.view_layers)


def _shown(layer: bpy.types.ViewLayer) -> set[bpy.types.Collection]:
    """The collections of a view layer that are neither excluded nor disabled in viewports."""
    found, ahead = set(), [layer.layer_collection]
    while ahead:
        each = ahead.pop()
        if not each.collection.hide_viewport:
            ahead += each.children
            found |= set() if each.exclude else {each.collection}
    return found


def makes_instances(obj: bpy.types.Object) -> bool:
    """True if an object may make instances."""
    nodes = any(each.type == "NODES" and each.show_viewport for each in obj.modifiers)
    return nodes or obj.is_instancer or len(obj.particle_systems) > 0


def refuse_hidden(obj: bpy.types.Object, what: Message) -> None:
    """Refuses an object that is hidden in such a way that Blender does not evaluate it.

    Raises:
        SceneError: Always.
    """
    from ...core.base.codec import SceneError

    found = translated(
        "{what} while it is disabled in viewports or excluded, so that Blender does not reckon them",
        what=translated(what),
    )
    raise SceneError(found, "hidden by the eye, or made plain first (Object > Apply)", obj.name)


@hears(HandlerTurn.IDENTITY, "save_pre")
def _number(*_: Any) -> None:
    """Before saving: give copies, which have the order of their original, their own.

    Until then the order of creation distinguishes them; Blender does not save that.
    """
    for scene in bpy.data.scenes:
        last = 0
        for obj in objects_of(scene):
            if obj.library is None and obj.artfish.order <= last:
                obj.artfish.order = last + 1
            last = max(last, obj.artfish.order)


CLASSES = ()
