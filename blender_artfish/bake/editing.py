"""The edits of a fish's list, done and undone.

What is done to keys is done anew from those as baked whenever the list changes.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from math import ceil
from typing import Any

import bpy
from mathutils import Matrix, Vector

from ...core.base.codec import SceneError
from ..blender.words import translated
from ..identity import provenance
from ..species import library
from . import hand, handling, recasting
from .cache_files import key_moment
from .edits import EDIT_KINDS, FishEdit, of, write
from .key_edits import KeyEdits, edits_of, first_frame, rekey
from .nudging import Nudge
from .timing import Course, Hold, Timing
from .whole_fish import CAST, ROOT_BONE, WholeFish, player_of


def put(fish: WholeFish, scene: bpy.types.Scene, edit: FishEdit) -> None:
    """Add an edit to a fish's list, and do it; of a kind of which a fish has only one it takes the other's place.

    Raises:
        SceneError: It cannot be done to this fish.
    """
    before = of(fish.root)
    same = [each for each in before if each.kind == edit.kind and EDIT_KINDS[edit.kind].alone]
    after = [each for each in before if each not in same] + [edit]
    do = DO.get(edit.kind)
    if do is not None:
        do(fish, scene, edit.values, edit.on)
    write(fish.root, after)
    if EDIT_KINDS[edit.kind].keys:
        apply_keys(fish)


def switch(fish: WholeFish, scene: bpy.types.Scene, place: int, on: bool) -> None:
    """Switch an edit on or off by its place in the list.

    Raises:
        SceneError: It cannot be done.
    """
    every = of(fish.root)
    edit = every[place]
    if edit.on != on:
        do = DO.get(edit.kind)
        if do is not None:
            do(fish, scene, edit.values, on)
    every[place] = replace(edit, on=on, trouble="")
    write(fish.root, every)
    if EDIT_KINDS[edit.kind].keys:
        apply_keys(fish)


def remove(fish: WholeFish, scene: bpy.types.Scene, place: int) -> None:
    """Undo an edit and take it off the list."""
    switch(fish, scene, place, False)
    every = of(fish.root)
    write(fish.root, every[:place] + every[place + 1 :])


def apply_all(fish: WholeFish, scene: bpy.types.Scene) -> None:
    """Do all edits of a list to a fish that is as baked; what cannot be done is noted in its row."""
    done = []
    for edit in of(fish.root):
        do, trouble = DO.get(edit.kind), ""
        if edit.kind == "look":
            edit = replace(edit, values={**edit.values, "was": recasting.number_of(fish)})
        if do is not None and edit.on:
            try:
                do(fish, scene, edit.values, True)
            except SceneError as error:
                trouble = str(error)
        done.append(replace(edit, trouble=trouble))
    write(fish.root, done)
    if any(EDIT_KINDS[edit.kind].keys for edit in done):
        apply_keys(fish)


# --- what is done to keys -----------------------------------------------------------------------------------------


def timing_in(edits: Sequence[FishEdit], first: float) -> Timing:
    """The timing that edits ask for."""
    for edit in edits:
        if edit.kind == "retimed" and edit.on:
            return Timing(edit.values["frames"], edit.values["speed"], first)
    return Timing(first=first)


def key_edits(fish: WholeFish) -> KeyEdits:
    """The edits of keys that a fish's list asks for."""
    edits, action = of(fish.root), fish.action
    if action is None:
        return KeyEdits()
    turn = _into_channels(fish)
    on = [edit for edit in edits if edit.on]
    holds = [Hold(edit.values["moment"], edit.values["frames"]) for edit in on if edit.kind == "held"]
    nudges = [
        Nudge(edit.values["moment"], edit.values["falloff"], _three(turn @ Vector(edit.values["move"])))
        for edit in on
        if edit.kind == "nudged"
    ]
    return KeyEdits(timing_in(edits, first_frame(action)), tuple(holds), tuple(nudges))


def _three(vector: Vector) -> tuple[float, float, float]:
    return vector.x, vector.y, vector.z


def course_of(fish: WholeFish) -> Course:
    """The course of a fish's motion in the film now."""
    return edits_of(fish.action).course


def apply_keys(fish: WholeFish) -> None:
    """Make a fish's keys as its list says; keys that it shares with others become its own."""
    handling.own_actions(fish)
    now = key_edits(fish)
    if fish.action is None:
        return
    if now.course != course_of(fish):
        baked = fish.action.curve_frame_range
        for obj in fish.body:
            key_moment(obj, fish.action, float(ceil(baked.x)), baked.y)
    for action, moved in fish.animated.items():
        players = [player for each in moved if (player := player_of(each)) is not None]
        carrier = players[moved.index(fish.root)].action_slot if fish.root in moved else None
        before = action.curve_frame_range.to_tuple()
        rekey(action, now, None if carrier is None else carrier.handle)
        for player in players:
            if isinstance(player, bpy.types.NlaStrip):
                _fit(player, before, action.curve_frame_range.to_tuple())
        for each in moved:
            each.update_tag()


def _fit(strip: bpy.types.NlaStrip, before: Sequence[float], after: Sequence[float]) -> None:
    """Let a layer that plays all of a fish's keys play all of them as they are now."""
    if (strip.action_frame_start, strip.action_frame_end, strip.frame_start) == (*before, before[0]):
        strip.action_frame_start, strip.action_frame_end = after
        strip.frame_start, strip.frame_end = after


def span(fish: WholeFish) -> tuple[int, int]:
    """The first and the last frame of the film at which a fish moves."""
    if fish.action is None:
        return 0, 0
    frames = fish.action.curve_frame_range
    return ceil(frames.x), int(frames.y)


def into_water(fish: WholeFish) -> Matrix:
    """The turn of a direction of the scene into one of the water in which a fish was baked, 3 by 3."""
    root = fish.root
    if root.parent is None:
        return Matrix.Identity(3)
    return (root.parent.matrix_world @ root.matrix_parent_inverse).to_3x3().inverted_safe()


def _into_channels(fish: WholeFish) -> Matrix:
    """The turn of a direction of the water into one of the channels that move a fish, 3 by 3."""
    root = fish.root
    if root.type != "ARMATURE" or ROOT_BONE not in root.data.bones:
        return Matrix.Identity(3)
    rest = root.data.bones[ROOT_BONE].matrix_local.to_3x3()
    return (Matrix.Diagonal(root.scale) @ rest).inverted_safe()


# --- what is done to all else -------------------------------------------------------------------------------------


def _hide(fish: WholeFish, scene: bpy.types.Scene, values: Mapping[str, Any], on: bool) -> None:
    if on:
        handling.hide(fish)
    else:
        handling.show(fish, scene.frame_current)


def _look(fish: WholeFish, scene: bpy.types.Scene, values: Mapping[str, Any], on: bool) -> None:
    """The materials of another species, and another individual number; or those as baked."""
    if values["species"]:
        own = provenance.fish_of(fish.root)
        recasting.paint(fish, model_of(scene, values["species"] if on or own is None else own.species), scene)
        _wear(fish)
    if values["dice"]:
        recasting.set_number(fish, values["number"] if on else values["was"])


def _body(fish: WholeFish, scene: bpy.types.Scene, values: Mapping[str, Any], on: bool) -> None:
    """The body of another species, or its own."""
    own = provenance.fish_of(fish.root)
    if on or own is None:
        recasting.recast(fish, model_of(scene, values["species"]), scene, values["own_length"])
    else:
        recasting.recast(fish, model_of(scene, own.species), scene)
        del fish.root[CAST]
    _wear(fish)


def _wear(fish: WholeFish) -> None:
    for obj in fish.body:
        hand.wear(obj)


def model_of(scene: bpy.types.Scene, name: str) -> Any:
    """A species by its name.

    Raises:
        SceneError: There is none.
    """
    known = library.models(scene)
    if name not in known:
        raise SceneError(
            translated("no species {name}", name=name), translated("one of {names}", names=", ".join(sorted(known)))
        )
    return known[name]


DO: dict[str, Callable[[WholeFish, bpy.types.Scene, Mapping[str, Any], bool], None]] = {
    "hidden": _hide,
    "body": _body,
    "look": _look,
}
"""Functions that do edits of a kind that changes no keys, and undo them if the last argument is False."""
