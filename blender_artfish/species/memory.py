"""How fishes remember what they have seen, of a shoal or of a species: what is set of it, and how it is shown.

The annotations of a property group are calls that Blender evaluates, so they are not postponed here.
"""

from typing import Any

import bpy

from ..blender import declarations
from ..blender.declarations import group
from ..blender.handlers import notify
from ..blender.layout import draw_optional

made_by: Any = bpy.props  # whose functions return nothing, say the stubs
LONGEST_ROCKS = 600.0
"""Seconds that stand where rocks are remembered for ever, until that is changed."""
SPANS = {
    "obstacle": "Obstacles",
    "fish": "Fishes",
    "food": "Food",
    "movable": "What can move",
    "predator": "Predators",
}
"""What a panel calls each of the times after which something is forgotten."""
SIMPLE_SPANS = ("obstacle", "fish", "food")
"""Those of them that the temporal model knows."""
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
    """The key `visual_memory` of a group or a species, nothing where it has no such memory."""
    if not memory.remembers:
        return {}
    rules = declarations.json_of(memory) | {"forget": declarations.json_of(memory.forget)}
    return {"visual_memory": rules}


def fill(memory: Any, data: dict[str, Any]) -> None:
    """Sets a memory to what the JSON of a group or a species says."""
    rules = data.get("visual_memory")
    memory.remembers = rules is not None
    declarations.fill(memory, rules or {})
    declarations.fill(memory.forget, (rules or {}).get("forget", {}))


def draw(layout: bpy.types.UILayout, memory: Any) -> None:
    """The model, and after how long it forgets what."""
    layout.active = memory.remembers
    layout.prop(memory, "model")
    if memory.model == "basic":
        return
    column = layout.column(align=True)
    for name in SPANS if memory.model == "logical" else SIMPLE_SPANS:
        draw_optional(column, memory.forget, name, SPANS[name])


CLASSES = (ArtfishForgetting, ArtfishMemory)
