"""Visual memory of a shoal or a species: its settings, and their display.

The annotations of a property group are calls that Blender evaluates, so they are not postponed here.
"""

from typing import Any

import bpy

from ..blender import declarations
from ..blender.declarations import group
from ..blender.handlers import notify
from ..blender.layout import draw_optional
from ..blender.words import Message

made_by: Any = bpy.props  # by the stubs its functions return nothing
LONGEST_ROCKS = 600.0
"""Seconds first shown where rocks are remembered for ever."""
SPANS: dict[str, Message] = {
    "obstacle": "Obstacles",
    "fish": "Fishes",
    "food": "Food",
    "movable": "What can move",
    "predator": "Predators",
}
"""Panel label of each time after which something is forgotten."""
SIMPLE_SPANS = ("obstacle", "fish", "food")
"""Those of the temporal model."""
ArtfishForgetting = group(
    "ArtfishForgetting",
    "Forgetting",
    "After how long what was seen is forgotten.",
    defaults={"obstacle": LONGEST_ROCKS},
)
ArtfishMemory = group(
    "ArtfishMemory",
    "MemoryRules",
    "How fishes remember what they have seen.",
    more={
        "remembers": made_by.BoolProperty(
            name="Visual Memory",
            description="They remember what they saw where, and miss what has gone from there",
            update=notify,
        ),
        "forget": made_by.PointerProperty(type=ArtfishForgetting),
    },
)


def json_of(memory: Any) -> dict[str, Any]:
    """The key `visual_memory` of a shoal or a species; empty without such a memory."""
    if not memory.remembers:
        return {}
    rules = declarations.json_of(memory) | {"forget": declarations.json_of(memory.forget)}
    return {"visual_memory": rules}


def fill(memory: Any, data: dict[str, Any]) -> None:
    """Sets a memory from the JSON of a shoal or a species."""
    rules = data.get("visual_memory")
    memory.remembers = rules is not None
    declarations.fill(memory, rules or {})
    declarations.fill(memory.forget, (rules or {}).get("forget", {}))


def draw(layout: bpy.types.UILayout, memory: Any) -> None:
    """The model, and its times of forgetting."""
    layout.active = memory.remembers
    layout.prop(memory, "model")
    if memory.model == "basic":
        return
    column = layout.column(align=True)
    for name in SPANS if memory.model == "logical" else SIMPLE_SPANS:
        draw_optional(column, memory.forget, name, SPANS[name])


CLASSES = (ArtfishForgetting, ArtfishMemory)
