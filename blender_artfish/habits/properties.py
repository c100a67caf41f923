"""Settings of habits and minds, of a shoal and of its single fishes.

The annotations of a property group are calls that Blender evaluates, so they are not postponed here.
"""

from typing import Any

import bpy

from ..blender.declarations import group

made_by: Any = bpy.props  # by the stubs its functions return nothing
ArtfishHabits = group("ArtfishHabits", "Habits", "What fishes like.")
ArtfishMind = group("ArtfishMind", "DrivesChange", "Where minds differ from their species.", defaults="Drives")
ArtfishMember = group(
    "ArtfishMember",
    "Member",
    "A fish of a shoal that differs from the others.",
    more={
        "number": made_by.IntProperty(
            name="Fish",
            description="Which fish of the shoal, counted from 1",
            min=1,
            max=100_000,
            soft_max=60,
            get=lambda member: member.index + 1,
            set=lambda member, number: setattr(member, "index", number - 1),
        ),
        "habits": made_by.PointerProperty(type=ArtfishHabits),
        "mind": made_by.PointerProperty(type=ArtfishMind),
    },
)


CLASSES = (
    ArtfishHabits,
    ArtfishMind,
    ArtfishMember,
)
