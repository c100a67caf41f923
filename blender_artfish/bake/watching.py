"""A camera, a light or another object that is kept looking at a baked fish, by a Track To constraint.

The constraint is Blender's own, so that the artist may key its influence; the next bake aims it at the fish that takes
the place.
"""

from __future__ import annotations

import bpy

from ..blender.words import translated
from .whole_fish import ROOT_BONE, WholeFish, root_of

LOOK_NAME = "Look at Fish"
"""Name of the constraint of an object that looks at a fish."""
LOOKING = "TRACK_TO", "DAMPED_TRACK", "LOCKED_TRACK"
"""Constraints by which an object looks at another."""
BY_MINUS_Z = {"CAMERA", "LIGHT", "SPEAKER", "LIGHT_PROBE"}
"""Objects that look along their -Z."""


def watch(fish: WholeFish, by: bpy.types.Object) -> None:
    """Have an object look at a fish; it looks at nothing else any more that it was set to look at by this.

    Raises:
        SceneError: It is part of a baked fish, or linked from another file.
    """
    from ...core.base.codec import SceneError

    if root_of(by) is not None:
        raise SceneError(
            translated("{by}, part of a baked fish", by=by.name), "a camera, a light, or another object that is none"
        )
    if by.library is not None:
        raise SceneError(translated("{by}, linked from another file", by=by.name), "an object of this file")
    look = by.constraints.get(LOOK_NAME)
    if look is None or look.type != "TRACK_TO":
        look = by.constraints.new("TRACK_TO")
        look.name = LOOK_NAME
        along = by.type in BY_MINUS_Z
        look.track_axis, look.up_axis = ("TRACK_NEGATIVE_Z", "UP_Y") if along else ("TRACK_Y", "UP_Z")
    look.target, look.mute = fish.root, False
    _aim(fish, look)


def watchers(fish: WholeFish) -> list[tuple[bpy.types.Object, bpy.types.Constraint]]:
    """The objects that look at a fish, each with its constraint."""
    return [
        (obj, look)
        for scene in fish.root.users_scene
        for obj in scene.objects
        for look in obj.constraints
        if look.type in LOOKING and look.target == fish.root
    ]


def aim(fish: WholeFish) -> None:
    """Have those that look at a fish look at what moves in it, which depends on its form."""
    for _, look in watchers(fish):
        _aim(fish, look)


def _aim(fish: WholeFish, look: bpy.types.Constraint) -> None:
    """Names the bone that carries a fish with bones, unless another of its bones is named."""
    bones = fish.root.data.bones if fish.root.type == "ARMATURE" else {}
    if look.subtarget not in bones:
        look.subtarget = ROOT_BONE if ROOT_BONE in bones else ""
