"""Settings of takes, kept with the scene: what is wished, which seeds are tried, and the best that were found."""

from __future__ import annotations

import os
from typing import Any

import bpy

from ..blender.declarations import declared, group
from . import numbers

made_by: Any = bpy.props  # by the stubs its functions return nothing
WISH_ITEMS = (
    ("event", "Event", "Something happens, such as that somebody eats somebody"),
    ("picture", "In the Picture", "Somebody is in the picture of a camera for a share of the time"),
    ("unhidden", "Nobody in Front", "Nobody is in front of the subject while that is in the picture of a camera"),
    ("shape", "Shape", "A shoal has a shape: how alike its fishes head, how near they keep, how far they spread"),
    ("arrival", "Arrival", "Fishes come to an arrival of the direction in time"),
    ("untouched", "Untouched", "Fishes touch nothing"),
)
SEEN_BY: dict[str, bool] = {"event": False, "picture": True, "unhidden": True}
"""The kinds of wishes that may name a camera; True for those that need one."""
MOST_TAKES, MOST_BEST, LARGEST_TAKE_SEED = 1000, 12, 2**30
MOST_PROCESSES = os.cpu_count() or 1


def is_camera(settings: Any, obj: bpy.types.Object) -> bool:
    """True for a camera of the open scene."""
    return obj.type == "CAMERA" and obj.name in bpy.context.scene.objects


def is_shoal(settings: Any, obj: bpy.types.Object) -> bool:
    """True for a shoal of the open scene."""
    return obj.artfish.kind == "SHOAL" and obj.name in bpy.context.scene.objects


ArtfishEventWish = group("ArtfishEventWish", "WishedEvent", "What is to happen.", only=("event",))
ArtfishPictureWish = group(
    "ArtfishPictureWish", "WishedPicture", "How somebody is to be in the picture.", only=("share", "size", "clear")
)
ArtfishShapeWish = group(
    "ArtfishShapeWish",
    "WishedShape",
    "Bounds of a shape.",
    only=("polarisation", "nearest", "extent"),
    defaults={"polarisation": (0.5, 1.0), "nearest": (0.0, 2.0), "extent": (0.0, 1.0)},
)
ArtfishArrivalWish = group("ArtfishArrivalWish", "WishedArrival", "How many are to be in time.", only=("late", "share"))


class ArtfishWish(bpy.types.PropertyGroup):
    """A wish: what, who, when, and how much it counts."""

    kind: made_by.EnumProperty(name="Wish", description="What is wished for", items=WISH_ITEMS)
    event: made_by.PointerProperty(type=ArtfishEventWish)
    picture: made_by.PointerProperty(type=ArtfishPictureWish)
    shape: made_by.PointerProperty(type=ArtfishShapeWish)
    arrival: made_by.PointerProperty(type=ArtfishArrivalWish)
    touched: declared("WishedClearance", "of")
    gap: declared("WishedClearance", "gap")
    fishes: made_by.PointerProperty(
        type=bpy.types.Object, name="Who", description="The shoal that does it; any fish if left out", poll=is_shoal
    )
    whom: made_by.PointerProperty(
        type=bpy.types.Object, name="Whom", description="The shoal of the other; anybody if left out", poll=is_shoal
    )
    place: made_by.PointerProperty(
        type=bpy.types.Object, name="Where", description="The object near which it is to be; anywhere if left out"
    )
    radius: declared("WishedEvent", "radius")
    camera: made_by.PointerProperty(
        type=bpy.types.Object,
        name="Camera",
        description="The camera in whose picture it is to be, as it stands now and as if it were level",
        poll=is_camera,
    )
    size: declared("WishedEvent", "size")
    use_time: made_by.BoolProperty(name="When", description="Whether it is to be within some frames")
    begin: made_by.IntProperty(name="From", description="First frame at which it counts", default=1, min=-100_000)
    end: made_by.IntProperty(name="To", description="Last frame at which it counts", default=120, min=-100_000)
    weight: declared("WishedEvent", "weight")


def _bounded(row: Any, context: bpy.types.Context) -> None:
    """Puts the ends of a range back to where the number that varies may be."""
    number = numbers.found(context.scene, row.owner, row.path)
    if number is None or number.field["kind"] in ("choice", "flag"):
        return
    for name in ("first", "last") if number.field["kind"] == "integer" else ("low", "high"):
        end = getattr(row, name)
        allowed = min(max(end, number.field["low"]), number.field["high"])
        if end != allowed:
            setattr(row, name, int(allowed) if number.field["kind"] == "integer" else allowed)


class ArtfishVariedChoice(bpy.types.PropertyGroup):
    """A value that a choice may have, its `name`, and whether takes try it."""

    use: made_by.BoolProperty(name="Tried", description="Whether takes may have it so", default=True)


class ArtfishVariedNumber(bpy.types.PropertyGroup):
    """A number that differs from take to take."""

    owner: made_by.PointerProperty(
        type=bpy.types.Object, name="Object", description="Whose number it is; the scene's if left out"
    )
    path: made_by.StringProperty(name="Number", description="Which of its numbers")
    low: made_by.FloatProperty(name="From", description="The least that it may be in a take", update=_bounded)
    high: made_by.FloatProperty(name="To", description="The most that it may be in a take", update=_bounded)
    first: made_by.IntProperty(name="From", description="The least that it may be in a take", update=_bounded)
    last: made_by.IntProperty(name="To", description="The most that it may be in a take", update=_bounded)
    choices: made_by.CollectionProperty(type=ArtfishVariedChoice)


class ArtfishTakenNumber(bpy.types.PropertyGroup):
    """A number that a take has of its own."""

    owner: made_by.PointerProperty(
        type=bpy.types.Object, name="Object", description="Whose number it is; the scene's if left out"
    )
    path: made_by.StringProperty(name="Number", description="Which of its numbers")
    value: made_by.StringProperty(name="Value", description="What it is in this take, as a scene file has it")


class ArtfishTake(bpy.types.PropertyGroup):
    """One of the best takes that were found."""

    seed: made_by.IntProperty(name="Seed", description="Seed with which this scene is this take")
    score: made_by.FloatProperty(name="Score", description="How far the wishes are fulfilled, from 0 to 1")
    moment: made_by.IntProperty(name="Frame", description="Frame of what was wished; 0 without")
    key: made_by.StringProperty(name="Key", description="What the scene was when it was made")
    numbers: made_by.CollectionProperty(type=ArtfishTakenNumber)


class ArtfishTakes(bpy.types.PropertyGroup):
    """Wishes, numbers that vary, seeds, and the best takes."""

    wishes: made_by.CollectionProperty(type=ArtfishWish)
    active: made_by.IntProperty(name="Wish", description="The wish that is shown, counted from 0")
    varied: made_by.CollectionProperty(type=ArtfishVariedNumber)
    active_varied: made_by.IntProperty(
        name="Number That Varies", description="The number that is shown, counted from 0"
    )
    processes: made_by.IntProperty(
        name="Processors",
        description="How many takes are made at a time, each on a processor of this machine",
        default=MOST_PROCESSES,
        min=1,
        max=MOST_PROCESSES,
    )
    count: made_by.IntProperty(
        name="Takes", description="How many seeds are tried", default=20, min=1, max=MOST_TAKES, soft_max=100
    )
    seed: made_by.IntProperty(name="First Seed", description="Seed of the first take", min=0, max=LARGEST_TAKE_SEED)
    best: made_by.IntProperty(
        name="Keep", description="How many of the best are shown", default=4, min=1, max=MOST_BEST
    )
    found: made_by.CollectionProperty(type=ArtfishTake)


CLASSES = (
    ArtfishEventWish,
    ArtfishPictureWish,
    ArtfishShapeWish,
    ArtfishArrivalWish,
    ArtfishWish,
    ArtfishVariedChoice,
    ArtfishVariedNumber,
    ArtfishTakenNumber,
    ArtfishTake,
    ArtfishTakes,
)


def register() -> None:
    """Adds the settings to each scene."""
    bpy.types.Scene.artfish_takes = made_by.PointerProperty(type=ArtfishTakes)


def unregister() -> None:
    """Removes the settings; saved values stay in the file."""
    del bpy.types.Scene.artfish_takes
