"""What stands in the water: which objects, in which order, and where; registering this loads no simulation."""

from __future__ import annotations

from typing import Any

import bpy
from mathutils import Matrix

from ..blender import keyframes
from ..blender.handlers import Stage, hears

LINKED = "This scene is linked from another file: make it local, or go to one of this file"
MESH_LIKE = {"MESH", "CURVE", "SURFACE", "META", "FONT"}
"""Types of objects that Blender makes meshes of."""
SINGLE = ("TANK", "PLANKTON", "HOOK", "CAMERA")
"""Kinds of which the oldest counts and no other."""


def objects_of(scene: bpy.types.Scene, *kinds: str) -> list[bpy.types.Object]:
    """Objects of these kinds in a scene, or of any, the oldest first; a copy comes right after what it was made of."""
    found = [obj for obj in scene.objects if obj.artfish.kind != "NONE"]
    chosen = [obj for obj in found if not kinds or obj.artfish.kind in kinds]
    return sorted(chosen, key=lambda obj: (obj.artfish.order, obj.session_uid))


def spare(scene: bpy.types.Scene) -> list[bpy.types.Object]:
    """Objects that do not count, since an older one of their kind does."""
    return [obj for kind in SINGLE for obj in objects_of(scene, kind)[1:]]


def linked(found: list[bpy.types.Object]) -> str:
    """Why what is linked from another file cannot be marked here, in words; "" if nothing is."""
    names = ", ".join(obj.name for obj in found if obj.library or obj.override_library)
    return names and f"{names}: linked from another file, which keeps no mark made here: make it local first"


def choose(context: bpy.types.Context, obj: bpy.types.Object) -> None:
    """Make this the only selected object and the active one."""
    for other in context.selected_objects:
        other.select_set(False)
    if obj in context.view_layer.objects.values():  # a linked one may have the same name
        obj.select_set(True)
        context.view_layer.objects.active = obj


def is_linked(scene: bpy.types.Scene | None) -> bool:
    """Whether a scene is another file's, so that nothing can be put into it or changed in it."""
    return scene is not None and scene.library is not None


def next_order(scene: bpy.types.Scene) -> int:
    """The order of what is put into the water next."""
    return 1 + max((other.artfish.order for other in objects_of(scene)), default=0)


def world(obj: bpy.types.Object) -> Matrix:
    """The matrix from an object's own coordinates to Blender's, whether Blender evaluates the object or not.

    What F-curves place, its own or those of what it hangs on, is where they place it at the frame that
    `keyed.reading_at` says. Blender does not evaluate what is disabled in viewports, or in a collection that is or that
    is excluded; its `matrix_world` is what it was when it last did, and nothing after a file was opened.

    Raises:
        SceneError: Nobody but Blender could tell where it stands.
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
    """Whether nothing but F-curves, of an object or of what it hangs on, says where it stands."""
    if keyframes.unread(obj):
        return False
    return bool(keyframes.moves(obj)) or obj.parent is not None and is_keyed(obj.parent)


def is_evaluated(obj: bpy.types.Object) -> bool:
    """Whether Blender keeps an object up to date in any view layer; one hidden by the eye it does."""
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
    """Whether there may be instances that an object makes."""
    nodes = any(each.type == "NODES" and each.show_viewport for each in obj.modifiers)
    return nodes or obj.is_instancer or len(obj.particle_systems) > 0


def refuse_hidden(obj: bpy.types.Object, what: str) -> None:
    """Says that an object is hidden in such a way that Blender does not reckon something of it.

    Raises:
        SceneError: Always.
    """
    from ...core.base.codec import SceneError

    found = f"{what} while it is disabled in viewports or excluded, so that Blender does not reckon them"
    raise SceneError(found, "hidden by the eye, or made plain first (Object > Apply)", obj.name)


@hears(Stage.IDENTITY, "save_pre")
def _number(*_: Any) -> None:
    """Before saving: a copy, which has the order of what it was made of, gets its own.

    Until then the order of their making tells them apart; Blender does not save that.
    """
    for scene in bpy.data.scenes:
        last = 0
        for obj in objects_of(scene):
            if obj.library is None and obj.artfish.order <= last:
                obj.artfish.order = last + 1
            last = max(last, obj.artfish.order)


CLASSES = ()
