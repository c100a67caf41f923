"""What an animator has made ride on fishes or look at them: it goes over to the fishes that come in their place."""

from __future__ import annotations

from collections.abc import Collection, Mapping

import bpy

from .marks import ROW

MARK = "artfish_live"
"""Custom property of all that gives way when fishes come: of live ones, and of empties that stand in for them."""
INDIFFERENT = bpy.types.Collection, bpy.types.Scene, bpy.types.Screen, bpy.types.WindowManager, bpy.types.WorkSpace
"""What holds or shows an object, whichever it is."""


def hand_over(
    scene: bpy.types.Scene, going: Collection[bpy.types.ID], heirs: Mapping[int, bpy.types.Object], wait: bool
) -> None:
    """Has what refers to fishes refer to others of the same rows.

    Args:
        scene: Where they are.
        going: What is about to be removed, fishes among it.
        heirs: Those that come in their place, by rows.
        wait: Whether an empty stands in for a fish that something stays referring to, where there is no heir.
    """
    gone = set(going)
    fishes = [thing for thing in going if isinstance(thing, bpy.types.Object) and isinstance(thing.get(ROW), int)]
    stood_in = {fish for fish in fishes if fish.type == "EMPTY"}
    for child in [each for each in bpy.data.objects if each.parent in gone and each.parent_type != "OBJECT"]:
        heir = heirs.get(child.parent.get(ROW))
        if heir is None or heir.type != child.parent.type:
            _hang_whole(child)
    lone = [fish for fish in fishes if wait and fish[ROW] not in heirs and fish not in stood_in]
    users = bpy.data.user_map(subset=lone) if lone else {}
    for fish in fishes:
        if fish[ROW] in heirs:
            fish.user_remap(heirs[fish[ROW]])
        elif any(user not in gone and not isinstance(user, INDIFFERENT) for user in users.get(fish, ())):
            _stand_in(scene, fish, gone)


def _hang_whole(child: bpy.types.Object) -> None:
    """Hangs an object on a whole fish, where it hung on single vertices, which the next one does not have."""
    fish, place = child.parent, child.matrix_world.copy()
    child.parent_type = "OBJECT"
    child.matrix_parent_inverse = fish.matrix_world.inverted_safe() @ place @ child.matrix_basis.inverted_safe()


def _stand_in(scene: bpy.types.Scene, fish: bpy.types.Object, going: Collection[bpy.types.ID]) -> None:
    """Puts an empty in the place of a fish, with its name."""
    name, fish.name = fish.name, "Artfish former"
    empty = bpy.data.objects.new(name, None)
    empty[MARK], empty[ROW] = True, fish[ROW]
    empty.empty_display_type, empty.empty_display_size = "ARROWS", 0.25 * fish.dimensions.x
    empty.rotation_mode = "QUATERNION"
    empty.matrix_basis = fish.matrix_world
    fish.user_remap(empty)
    for home in empty.users_collection:
        if home in going:
            home.objects.unlink(empty)
    if not empty.users_collection:
        scene.collection.objects.link(empty)


def set_down(going: Collection[bpy.types.ID]) -> None:
    """Takes an animator's objects off those that are about to be removed, and leaves them where they are."""
    gone = {thing for thing in going if isinstance(thing, bpy.types.Object)}
    for child in [each for each in bpy.data.objects if each.parent in gone and each not in gone]:
        place, eye = child.matrix_world.copy(), getattr(child, "artfish_eye", None)  # none without the add-on
        child.parent = None
        if eye is None or eye.side == "NONE":
            child.matrix_world = place
        else:  # whose rotation is pan and tilt alone
            child.location = place.translation
            turn = place.to_quaternion() @ child.rotation_euler.to_quaternion().inverted()
            child.delta_rotation_euler = turn.to_euler("XYZ")
