"""References of an animator's data to fishes, such as parents and targets, handed to the fishes that replace them."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping

import bpy

from . import provenance
from .provenance import FISH_ROLE, NO_ROW, ROLE, ROW, row_of

MARK = "artfish_live"
"""Custom property of all that is removed when fishes come: live fishes, and empties that stand in for them."""
STANDS_FOR = "artfish_stands_for"
"""Property of an empty that stands in for a baked fish: the role of that, which is its own whatever else swims."""
Heirs = Mapping[int | str, bpy.types.Object]
"""Replacements of fishes by their roles, and by their rows for those that have no role."""
INDIFFERENT = bpy.types.Collection, bpy.types.Scene, bpy.types.Screen, bpy.types.WindowManager, bpy.types.WorkSpace
"""Users of an object that only hold or show it."""


def hand_over(
    scene: bpy.types.Scene,
    going: Collection[bpy.types.ID],
    heirs: Heirs,
    wait: bool = True,
    own: Collection[bpy.types.ID] = (),
) -> list[bpy.types.ID]:
    """Redirects references to fishes to those that take their places.

    Args:
        scene: Their scene.
        going: Objects about to be removed, including fishes and empties that stand in for some.
        heirs: Their replacements.
        wait: Whether an empty stands in for a fish that is still referred to and has no heir.
        own: Data whose references may stay.

    Returns:
        The objects to remove: all but the empties that still stand in.
    """
    leaving, gone = set(going), {*going, *own}
    fishes = [obj for obj in going if isinstance(obj, bpy.types.Object) and row_of(obj) != NO_ROW]
    for child in [each for each in bpy.data.objects if each.parent in leaving and each.parent_type != "OBJECT"]:
        heir = _heir(child.parent, heirs)
        if heir is None or heir.type != child.parent.type:
            _hang_whole(child)
    taken = {fish: heir for fish in fishes if (heir := _heir(fish, heirs)) is not None}
    referred = followed([fish for fish in fishes if wait and fish not in taken], gone)
    used = _used(list(taken), gone)
    for fish in fishes:
        if fish in taken:
            if fish in used:
                redirect(fish, taken[fish], gone | {scene.collection})
        elif fish in referred and not stands_in(fish):
            _stand_in(scene, fish, gone)
    return [obj for obj in going if obj not in referred or not stands_in(obj)]


def _role(obj: bpy.types.Object) -> str:
    """The role of a baked fish, or of that for which an empty stands in; "" for those that have only a row."""
    role = provenance.of(obj, ROLE)
    return provenance.of(obj, STANDS_FOR) or (role if FISH_ROLE.fullmatch(role) else "")


def heirs_of(roots: Iterable[bpy.types.Object]) -> dict[int | str, bpy.types.Object]:
    """Baked fishes as replacements, by the rows and the roles of their roots."""
    heirs: dict[int | str, bpy.types.Object] = {}
    for root in roots:
        heirs |= {row_of(root): root, provenance.of(root, ROLE): root}
    return heirs


def _heir(obj: bpy.types.Object, heirs: Heirs) -> bpy.types.Object | None:
    """The replacement of a fish: by its role if it has one, for rows change with every other shoal."""
    return heirs.get(_role(obj) or row_of(obj))


def followed(
    objects: Collection[bpy.types.Object], own: Collection[bpy.types.ID] = frozenset()
) -> set[bpy.types.Object]:
    """Those of the objects that anything is attached to or tracks, apart from their own data."""
    users = _users(objects, own)
    return {of for of in objects if any(not isinstance(by, INDIFFERENT) for by in users[of])}


def _used(objects: Collection[bpy.types.Object], own: Collection[bpy.types.ID]) -> set[bpy.types.Object]:
    """Those of the objects that anything refers to, apart from `own`: to ask is far quicker than to redirect them all.

    A scene is among the users of all that is in it; if it also refers to an object, that is counted or is its camera.
    """
    users, cameras = _users(objects, own), {scene.camera for scene in bpy.data.scenes}
    found = set()
    for obj in objects:
        others = any(not isinstance(by, bpy.types.Scene) for by in users[obj])
        if others or obj in cameras or obj.users > len(obj.users_collection):
            found.add(obj)
    return found


def _users(
    objects: Collection[bpy.types.Object], own: Collection[bpy.types.ID]
) -> dict[bpy.types.Object, set[bpy.types.ID]]:
    """All data that uses each of the objects, apart from `own`."""
    users = bpy.data.user_map(subset=list(objects)) if objects else {}
    return {of: users.get(of, set()).difference(own) for of in objects}


def stands_in(obj: bpy.types.ID) -> bool:
    """True if this is an empty in the place of a fish that will come back."""
    return isinstance(obj, bpy.types.Object) and obj.type == "EMPTY" and is_ours(obj)


def is_ours(obj: bpy.types.Object) -> bool:
    """True if live play has made an object; a copy is the animator's, unless it was copied with all of its scene."""
    if not obj.get(MARK):
        return False
    homes = (home for home in obj.users_collection if home.get(MARK))
    return provenance.is_original(obj) or any(not provenance.is_original(home) for home in homes)


def redirect(one: bpy.types.Object, other: bpy.types.Object, own: Collection[bpy.types.ID]) -> None:
    """Redirects references from one object to another, but for its own parts and its own collections."""
    parts = [(child, child.matrix_parent_inverse.copy()) for child in one.children if child in own]
    homes = [home for home in one.users_collection if home in own]
    theirs = set(other.users_collection)
    one.user_remap(other)
    for home in homes:
        if home not in theirs:
            home.objects.unlink(other)
        home.objects.link(one)
    for child, inverse in parts:
        child.parent = one
        child.matrix_parent_inverse = inverse


def _hang_whole(child: bpy.types.Object) -> None:
    """Parents an object to a whole fish instead of single vertices, which the next fish does not have."""
    fish, place = child.parent, child.matrix_world.copy()
    child.parent_type = "OBJECT"
    child.matrix_parent_inverse = fish.matrix_world.inverted_safe() @ place @ child.matrix_basis.inverted_safe()


def _stand_in(scene: bpy.types.Scene, fish: bpy.types.Object, going: Collection[bpy.types.ID]) -> None:
    """Puts an empty in the place of a fish, with its name."""
    empty = bpy.data.objects.new(fish.name, None)
    swap_names(fish, empty)
    empty[MARK], empty[ROW] = True, fish[ROW]
    if _role(fish):
        empty[STANDS_FOR] = _role(fish)
    provenance.sign([empty])
    across = 0.25 * fish.dimensions.x / max(abs(fish.scale.x), 1e-9)
    size = 5.0 * fish.empty_display_size if fish.type == "EMPTY" else across
    empty.empty_display_type, empty.empty_display_size = "ARROWS", size
    empty.rotation_mode = "QUATERNION"
    empty.matrix_basis = fish.matrix_world
    redirect(fish, empty, going)
    if not empty.users_collection:
        scene.collection.objects.link(empty)


def swap_names(one: bpy.types.ID, other: bpy.types.ID) -> None:
    """Swaps the names of two data blocks."""
    name, instead = one.name, other.name
    one.name = "Artfish exchange"
    other.name, one.name = name, instead


def set_down(going: Collection[bpy.types.ID]) -> None:
    """Unparents an animator's objects from those about to be removed, and keeps them in place."""
    gone = {obj for obj in going if isinstance(obj, bpy.types.Object)}
    for child in [each for each in bpy.data.objects if each.parent in gone and each not in gone]:
        place, eye = child.matrix_world.copy(), getattr(child, "artfish_eye", None)  # none without the add-on
        child.parent = None
        if eye is None or eye.side == "NONE":
            child.matrix_world = place
        else:  # whose rotation is pan and tilt alone
            child.location = place.translation
            turn = place.to_quaternion() @ child.rotation_euler.to_quaternion().inverted()
            child.delta_rotation_euler = turn.to_euler("XYZ")
