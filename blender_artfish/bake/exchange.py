"""A bake in place of another: the collections stay, and their old contents are swapped for the new ones.

Two exchanges restore everything, so the same code serves baking again, a bake that fails at the end, and reverting.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import Any

import bpy

from ..fish.surfaces import first_number
from ..identity import provenance, references
from ..identity.selection import Selection
from .whole_fish import player_of


def exchange(
    scene: bpy.types.Scene,
    present: bpy.types.Collection,
    absent: bpy.types.Collection,
    stay: Collection[bpy.types.Object] = (),
) -> None:
    """Swap a bake that is in no scene with one that is.

    Objects that others have put into the collections stay in them, and references to an object of the bake, to follow
    or to track it, are redirected to its replacement; where it was selected, active or hidden by the eye, that is.

    Args:
        scene: The scene of the present bake.
        present: The collection of the bake in the scene.
        absent: The collection of the other bake.
        stay: Objects of the present bake that the other is to be beside; then its collections stay, too.
    """
    here, there = provenance.of(present, provenance.BAKE), provenance.of(absent, provenance.BAKE)
    selection = Selection.of(scene)
    kept = set(stay)
    old = [obj for obj in provenance.objects(scene, here) if obj not in kept]
    new = [obj for obj in absent.all_objects if provenance.of(obj, provenance.BAKE) == there]
    roles = {provenance.of(obj, provenance.ROLE): obj for obj in new}
    pairs = {obj: roles.pop(role) for obj in old if (role := provenance.of(obj, provenance.ROLE)) in roles}
    alone = [obj for obj in old if obj not in pairs]
    if alone:
        scene.view_layers[0].update()  # only then is the place of a new fish known
    ours, theirs = _by_role(present, here), _by_role(absent, there)
    _trade(present, absent, ours, theirs, partly=bool(kept))
    _trade_alone(alone, ours, theirs)
    _trade_alone(list(roles.values()), theirs, ours)
    for one, other in pairs.items():
        left, right = tuple(one.users_collection), tuple(other.users_collection)
        _move(one, left, right)
        _move(other, right, left)
    _redirect(pairs, {*old, *new})
    _swap_names(pairs)
    _hand_over(scene, alone, list(roles.values()), {*old, *new})
    number_anew(scene, list(roles.values()))
    _name_slots([*old, *new])
    selection.restore({one.session_uid: other for one, other in pairs.items()})


def hand_on(scene: bpy.types.Scene, top: bpy.types.Collection, stay: Collection[bpy.types.Object], bake: str) -> None:
    """Has objects that stay, and the collections and the world of their bake, belong to another bake of the scene."""
    before = {provenance.of(obj, provenance.BAKE) for obj in stay}
    for obj in stay:
        obj[provenance.BAKE] = bake
    for each in (top, *top.children_recursive, scene.world):
        if each is not None and each.library is None and provenance.of(each, provenance.BAKE) in before:
            each[provenance.BAKE] = bake


def made_before(objects: Iterable[bpy.types.Object], bake: str) -> set[bpy.types.Object]:
    """Those objects of a bake of some fishes that were there before it."""
    return {obj for obj in objects if provenance.of(obj, provenance.OF_PART) != bake}


def _hand_over(
    scene: bpy.types.Scene, going: list[bpy.types.Object], coming: list[bpy.types.Object], bakes: set[bpy.types.Object]
) -> None:
    """Replace fishes that leave without a counterpart by empties, and let those that come take such empties' place."""
    waiting = [obj for obj in scene.objects if references.stands_in(obj) and obj.library is None and obj not in bakes]
    heirs = references.heirs_of(obj for obj in coming if provenance.row_of(obj) != provenance.NO_ROW)
    own = bakes.union(*(obj.users_collection for obj in going))
    gone = set(references.hand_over(scene, [*going, *waiting], heirs, own=own))
    bpy.data.batch_remove([obj for obj in waiting if obj in gone])


def _by_role(top: bpy.types.Collection, bake: str) -> dict[str, bpy.types.Collection]:
    """A bake's collections by their roles."""
    made = [
        each for each in top.children_recursive if provenance.of(each, provenance.BAKE) == bake and each.library is None
    ]
    return {provenance.of(each, provenance.ROLE): each for each in made} | {provenance.TOP: top}


def _trade(
    present: bpy.types.Collection,
    absent: bpy.types.Collection,
    ours: dict[str, bpy.types.Collection],
    theirs: dict[str, bpy.types.Collection],
    partly: bool,
) -> None:
    """Hand over collections without a counterpart, and swap the contents of the others.

    Where only a part of the present bake goes, its collections stay.
    """
    both = ((present, absent, ours, theirs), (absent, present, theirs, ours))
    for source, goal, own, others in both[1:] if partly else both:
        alone = own.keys() - others.keys()
        parents = {role: _parent(own[role], source) for role in alone}
        for role, parent in parents.items():
            if provenance.of(parent, provenance.ROLE) in alone:
                continue  # it goes with its parent
            home = others.get(provenance.of(parent, provenance.ROLE), goal)
            parent.children.unlink(own[role])
            if own[role] not in home.children.values():
                home.children.link(own[role])
    for role in ours.keys() & theirs.keys():
        one, other = ours[role], theirs[role]
        for mark in (provenance.BAKE, provenance.RECORD, *(() if partly else (provenance.SKY,))):
            kind = bpy.types.World if mark == provenance.SKY else str
            # A property group would be gone by the time it is written.
            values = tuple(value if isinstance(value := each.get(mark), kind) else None for each in (one, other))
            for each, value in zip((other, one), values, strict=True):
                if value is not None:
                    each[mark] = value
                elif mark in each.keys():  # noqa: SIM118
                    del each[mark]


def _parent(child: bpy.types.Collection, top: bpy.types.Collection) -> bpy.types.Collection:
    return next(each for each in (top, *top.children_recursive) if child in each.children.values())


def _trade_alone(
    objects: list[bpy.types.Object],
    own: dict[str, bpy.types.Collection],
    others: dict[str, bpy.types.Collection],
) -> None:
    """Hand over objects without a counterpart, to the collection with the same role as theirs."""
    for obj in objects:
        homes = obj.users_collection
        _move(obj, homes, [others.get(provenance.of(home, provenance.ROLE), others[provenance.TOP]) for home in homes])


def _move(obj: bpy.types.Object, homes: Iterable[bpy.types.Collection], goals: Iterable[bpy.types.Collection]) -> None:
    for home in homes:
        home.objects.unlink(obj)
    for goal in dict.fromkeys(goals):
        goal.objects.link(obj)


def _redirect(pairs: dict[bpy.types.Object, bpy.types.Object], bakes: set[bpy.types.Object]) -> None:
    """Redirect what others have made to the new objects."""
    users = bpy.data.user_map(subset=list(pairs)) if pairs else {}
    for one, other in pairs.items():
        ours = (bpy.types.Collection, bpy.types.Scene)  # linked there already
        if all(user in bakes or isinstance(user, ours) for user in users.get(one, ())):
            continue
        hung = [child for child in one.children if child not in bakes] if provenance.is_offset(one) else []
        references.redirect(one, other, {*bakes, *one.users_collection})
        for child in hung:  # others' children of an offset stay in place
            there = other.matrix_basis.inverted_safe() @ one.matrix_basis
            child.matrix_parent_inverse = there @ child.matrix_parent_inverse


def _swap_names(pairs: dict[bpy.types.Object, bpy.types.Object]) -> None:
    """Give the objects now in the scene, and their data, the names a person reads."""
    done: set[bpy.types.ID] = set()
    for pair in pairs.items():
        named: list[tuple[Any, ...]] = [pair, tuple(each.data for each in pair)]
        named.append(tuple(_baked_action(each) for each in pair))
        for one, other in named:
            if one and other and one != other and not {one, other} & done:
                done |= {one, other}
                references.swap_names(one, other)


def _baked_action(obj: bpy.types.Object) -> bpy.types.Action | None:
    """The baked action that moves an object, itself or in a layer; an artist's own is none."""
    player = player_of(obj)
    action = None if player is None else player.action
    return action if action is not None and provenance.of(action, provenance.BAKE) else None


def _name_slots(objects: Iterable[bpy.types.Object]) -> None:
    """Name the slots of baked actions after what they move, by which Blender finds them for a new layer."""
    for obj in objects:
        for block in (obj, obj.data, getattr(obj.data, "shape_keys", None)):
            player = None if block is None else player_of(block)
            slot = None if player is None or player.action is None else player.action_slot
            if slot is not None and provenance.of(player.action, provenance.BAKE) and slot.name_display != block.name:
                slot.name_display = block.name


def number_anew(scene: bpy.types.Scene, alone: list[bpy.types.Object]) -> None:
    """Number added fishes on from those already there; parts are named after their fish."""
    roots = [obj for obj in alone if obj.get(provenance.ROW) is not None]
    taken = [obj.name for obj in scene.objects if obj not in alone and not references.stands_in(obj)]
    for root in roots:
        stem = root.name.rpartition(" ")[0]
        name = f"{stem} {first_number(stem, taken):02d}"
        taken.append(name)
        _take(scene, root, name)
    carried = {root.parent: root for root in roots if provenance.is_offset(root.parent)}
    for obj in alone:
        if obj in roots:
            continue
        if obj in carried:
            _take(scene, obj, provenance.offset_name(carried[obj].name))
            continue
        parent, part = obj.parent, provenance.of(obj, provenance.ROLE).rpartition(" ")[2]
        of_fish = parent is not None and parent.get(provenance.ROW) is not None
        name = f"{parent.name} {part.replace('_', ' ')}" if of_fish else provenance.plain(obj.name)
        _take(scene, obj, name)


def _take(scene: bpy.types.Scene, obj: bpy.types.Object, name: str) -> None:
    """Give an object a name, unless another in the scene has it."""
    other = bpy.data.objects.get(name)
    if other is None:
        obj.name = name
    elif other != obj and other.name not in scene.objects:
        references.swap_names(obj, other)
