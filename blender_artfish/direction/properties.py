"""Settings of directions, wants and events, and of two events to bring together.

The annotations of a property group are calls that Blender evaluates, so they are not postponed here.
"""

from typing import Any

import bpy

from ..blender.declarations import declared, group
from ..blender.handlers import notify
from ..blender.words import composed
from ..identity.film_frames import shown_in_frames, span

made_by: Any = bpy.props  # by the stubs its functions return nothing
DIRECTIONS = (
    ("target", "Target", "A place to go to and to stay at; it may move"),
    ("arrival", "Arrival", "A place to be at in time"),
    ("curve", "Curve", "A curve to swim along"),
    ("region", "Region", "A sphere or a box to stay in or out of"),
    ("leader", "Leader", "A shoal, or a fish of it, to follow"),
    ("ball", "School", "A school as one: its middle, spread, shape, heading, speed and order; all may be keyed"),
    ("fill", "Fill", "A closed mesh that fishes fill; it may move"),
    ("stream", "Stream", "A curve along which fishes stream"),
)
EVENT_ITEMS = (
    ("food", "Food", "Food that is dropped into the water"),
    ("fright", "Fright", "A disturbance that frightens whoever is near, as a predator there would"),
)


def is_shoal(owner: Any, obj: bpy.types.Object) -> bool:
    return obj.artfish.kind == "SHOAL"


def shoal_pointer(name: str, description: str) -> Any:
    return made_by.PointerProperty(
        type=bpy.types.Object, name=name, description=description, poll=is_shoal, update=notify
    )


def which_fish(name: str, description: str) -> Any:
    return made_by.IntProperty(name=name, description=description, min=0, max=99_999, update=notify)


def flag(name: str, description: str, default: bool = False) -> Any:
    return made_by.BoolProperty(name=name, description=description, default=default, update=notify)


FIRST_SPEED = {"speed": 0.5}
"""Metres a second that a direction asks for at first."""
ArtfishDirection = group(
    "ArtfishDirection",
    "Target",
    "Who is led, how strongly, and by what.",
    only=("strength",),
    more={
        "kind": made_by.EnumProperty(name="Kind", description="What leads", items=DIRECTIONS, update=notify),
        "fishes": shoal_pointer("Leads", "The shoal that is led; every shoal if left empty"),
        "one_fish": flag("One Fish", "Lead one fish of the shoal, not all of it"),
        "member": which_fish("Fish", "Which fish of the shoal, counted from 0"),
        "inside": flag("Stay Inside", "Whether to stay in it; off, to stay out of it", True),
        "leader": shoal_pointer("Follow", "The shoal that is followed"),
        "one_leader": flag("One Leader", "Follow one fish of the shoal, not its middle"),
        "leader_member": which_fish("Leader", "Which fish of the shoal is followed, counted from 0"),
    },
)
ArtfishTarget = group(
    "ArtfishTarget", "Target", "A place to go to.", only=("radius", "way", "speed"), defaults=FIRST_SPEED
)
ArtfishArrival = group(
    "ArtfishArrival",
    "Arrival",
    "A place to be at in time.",
    only=("time", "radius", "start", "stay"),
    defaults={"time": 5.0},
    more={
        "use_heading": flag("Headed", "Have them arrive heading where the object's X axis points"),
        **shown_in_frames("Arrival"),
    },
)
ArtfishCurve = group(
    "ArtfishCurve",
    "Curve",
    "When a curve leads.",
    only=("start", "duration", "speed"),
    defaults=FIRST_SPEED,
    more=shown_in_frames("Curve"),
)
ArtfishFollow = group(
    "ArtfishFollow",
    "Leader",
    "How near a leader, and how to come there.",
    only=("radius", "way", "speed"),
    defaults=FIRST_SPEED,
)
ArtfishSchool = group(
    "ArtfishSchool",
    "Ball",
    "The shape of a school.",
    only=("density", "order", "milling", "share", "headed", "speed"),
    defaults={"density": 0.7, **FIRST_SPEED},
    more={
        "width": declared("Stream", "width"),
        "bounded": flag("Within the Sphere", "Whether the empty's sphere is the most that the ball has of room", True),
    },
)
ArtfishFood = group(
    "ArtfishFood", "Food", "Food that is dropped.", without=("kind", "at"), more=shown_in_frames("Food")
)
ArtfishFright = group(
    "ArtfishFright", "Fright", "A disturbance.", without=("kind", "at"), more=shown_in_frames("Fright")
)


RELATION_ITEMS = (
    ("fear", "Fears", "Who is feared is fled from as a predator is, and kept away from wherever it is in sight"),
    ("trust", "Trusts", "Who is trusted frightens it no more, though it may be a predator"),
    ("like", "Likes", "Who is liked is kept near: nearer the more it is liked"),
    ("dislike", "Dislikes", "Who is disliked is driven off: from farther the more it is disliked"),
)
ArtfishRelation = group(
    "ArtfishRelation",
    "Relation",
    "What a shoal, or a fish of it, feels for another.",
    only=("kind", "strength"),
    more={
        "kind": made_by.EnumProperty(
            name="Feels", description="What it feels for the other", items=RELATION_ITEMS, update=notify
        ),
        "who": shoal_pointer("Who", "The shoal that feels so"),
        "one_fish": flag("One Fish", "One fish of the shoal feels so, not all of it"),
        "member": which_fish("Fish", "Which fish of the shoal feels so, counted from 0"),
        "whom": shoal_pointer("For", "The shoal that it is felt for"),
        "one_toward": flag("For One", "It is felt for one fish of that shoal, not for all of it"),
        "toward_member": which_fish("Other", "Which fish of that shoal, counted from 0"),
    },
)


def _want(name: str, description: str) -> dict[str, Any]:
    return {
        f"use_{name}": flag(
            composed("Direct {what}", what=name.capitalize()),
            composed("Say what {what} is, in place of what is felt", what=name.capitalize()),
        ),
        name: made_by.FloatProperty(
            name=name.capitalize(), description=description, min=0.0, max=1.0, subtype="FACTOR", update=notify
        ),
    }


class ArtfishWants(bpy.types.PropertyGroup):
    """Wants of a shoal's fishes by direction; may be keyed."""

    __annotations__ = {
        **_want("hunger", "How hungry they are; may be keyed"),
        **_want("libido", "How amorous they are; may be keyed"),
        **_want("fear", "How much they fear, of what is right behind them; may be keyed"),
        "use_until": flag("Ends", "Nature takes over again at some frame"),
        "until": made_by.IntProperty(
            name="Until",
            description="Frame from which on nature takes over again",
            default=100,
            options=set(),
            update=notify,
        ),
    }


MOMENTS = (
    ("event", "Event", "Something befalls a fish for the first time"),
    ("passes", "Passes", "The middle of a shoal comes near a place for the first time"),
    ("crosses", "Crosses", "The middle of a shoal goes through a plane, along the place's own Z, for the first time"),
)
HAPPENINGS = (
    ("courtship", "Courtship", "A couple comes to a stage of its courtship"),
    ("spawned", "Spawned", "A couple has come to the end"),
    ("eaten", "Eaten", "A fish is eaten"),
    ("fed", "Fed", "A fish eats"),
    ("browsed", "Browsed", "A fish bites at what grows on rock or coral"),
    ("hooked", "Hooked", "A fish takes the bait"),
    ("entered", "Entered", "A shoal has entered"),
    ("food", "Food", "Food is dropped"),
    ("fright", "Fright", "A fright happens"),
)
STAGE_ITEMS = [("ANY", "Any", "Whichever comes first")] + [
    (word, word.capitalize(), composed("The couple begins {stage}", stage=word.capitalize()))
    for word in ("looping", "circling", "ascending", "nuzzling")
]


def _may_start(owner: Any, obj: bpy.types.Object) -> bool:
    return obj.artfish.kind in ("SHOAL", "HOOK", "DIRECTION", "EVENT")


class ArtfishCue(bpy.types.PropertyGroup):
    """One of two things that are to be at the same time."""

    kind: bpy.props.EnumProperty(name="When", description="What is waited for", items=MOMENTS)
    event: bpy.props.EnumProperty(name="Event", description="Which event", items=HAPPENINGS)
    stage: bpy.props.EnumProperty(
        name="Stage", description="Of the courtship", items=STAGE_ITEMS, translation_context="Courtship"
    )
    fishes: bpy.props.PointerProperty(
        type=bpy.types.Object, name="Shoal", description="Whose; any if left empty and it is an event", poll=is_shoal
    )
    place: bpy.props.PointerProperty(type=bpy.types.Object, name="Place", description="An object that stands there")
    radius: bpy.props.FloatProperty(name="Radius (m)", description="How near", default=0.5, min=0.01, soft_max=5.0)
    start: bpy.props.PointerProperty(
        type=bpy.types.Object,
        name="Shift",
        description="What may begin at another time for it: a shoal's entering, the hook, a direction or an event",
        poll=_may_start,
    )
    wants: bpy.props.BoolProperty(name="Its Wants", description="Shift the shoal's keyed wants, not its entering")


class ArtfishSync(bpy.types.PropertyGroup):
    """Two things that are to be at the same time."""

    first: bpy.props.PointerProperty(type=ArtfishCue)
    second: bpy.props.PointerProperty(type=ArtfishCue)
    later: bpy.props.FloatProperty(
        name="Later",
        description="How long after the first the second is to be",
        min=-3600.0,
        max=3600.0,
        soft_min=-10.0,
        soft_max=10.0,
        subtype="TIME_ABSOLUTE",
        unit="TIME_ABSOLUTE",
    )
    tolerance: bpy.props.FloatProperty(
        name="Tolerance",
        description="How far off is near enough, but no less than a frame",
        default=0.25,
        min=0.001,
        max=3600.0,
        soft_max=5.0,
        subtype="TIME_ABSOLUTE",
        unit="TIME_ABSOLUTE",
    )
    later_in_frames: span("later", "Later", "How long after the first the second is to be")
    tolerance_in_frames: span("tolerance", "Tolerance", "How far off is near enough, but no less than one of them")


class ArtfishMark(bpy.types.PropertyGroup):
    """An event with a marker on the timeline: its number, and the `name`, frame and time on which both agreed last."""

    number: bpy.props.IntProperty(name="Number", description="Of the event and its marker")
    frame: bpy.props.IntProperty(name="Frame", description="At which the marker stood")
    seconds: bpy.props.FloatProperty(name="Seconds", description="At which it happened")


CLASSES = (
    ArtfishDirection,
    ArtfishTarget,
    ArtfishArrival,
    ArtfishCurve,
    ArtfishFollow,
    ArtfishSchool,
    ArtfishFood,
    ArtfishFright,
    ArtfishRelation,
    ArtfishWants,
    ArtfishCue,
    ArtfishSync,
    ArtfishMark,
)
