"""Settings of instructions: for each the numbers of all acts and conditions, of which those of its own count.

The annotations of a property group are calls that Blender evaluates, so they are not postponed here.
"""

from collections.abc import Iterable
from typing import Any

import bpy

from ..blender.declarations import DECLARATIONS, declared, group, title
from ..blender.handlers import notify
from ..blender.words import Message, translated
from ..identity.roles import objects_of
from .properties import flag, shoal_pointer, which_fish

made_by: Any = bpy.props  # by the stubs its functions return nothing
WHEN = "when_"
"""Prefix of the numbers of a condition."""
ALWAYS = "always"
"""In place of a condition."""
CONDITION_NAMES = ["Threatened", "SeenBy", "Sees", "Hungry", "Caught", "AtPlace", "AfterTime", "OtherAt", "Otherwise"]
WHOM = {"fishes": "member", "whom": "whom_member"}
"""Fields that name a group, and those that name a fish of it."""
CONDITION_LINES: dict[str, Message] = {
    "threatened": "{act} when threatened",
    "seen_by": "{act} when seen",
    "sees": "{act} when sees",
    "hungry": "{act} when hungry",
    "caught": "{act} when caught",
    "at": "{act} when at a place",
    "after": "{act} when it is time",
    "while_at": "{act} when another is at a place",
    "else": "{act} otherwise",
}
"""An instruction in words, by its condition."""
LISTED = ", "
"""Between the names of places in a text."""


def _words(key: str, names: Iterable[str]) -> dict[str, str]:
    """The classes of a declared union by the word in one of their fields."""
    found = {}
    for name in names:
        for field in DECLARATIONS[name]:
            if field["name"] == key:
                found[field["choices"][0]] = name
    return found


ACTS = _words("do", [name for name, of in DECLARATIONS.items() if any(field["name"] == "do" for field in of)])
"""Classes of acts by their words."""
CONDITIONS = _words("kind", CONDITION_NAMES)
"""Classes of conditions by their words."""


def fields_of(word: str, of: dict[str, str]) -> list[dict[str, Any]]:
    """The declared fields of an act or a condition that have numbers or names of their own."""
    left_out = "do", "kind", *WHOM.values()
    return [field for field in DECLARATIONS[of[word]] if field["name"] not in left_out] if word in of else []


def title_of(row: Any) -> str:
    """An instruction in words: "Hide while threatened"."""
    act = translated(title(row.do))
    return act if row.when == ALWAYS else translated(CONDITION_LINES[row.when], act=act)


def _help(word: str, of: dict[str, str]) -> str:
    key = "do" if of is ACTS else "kind"
    return next(field["help"] for field in DECLARATIONS[of[word]] if field["name"] == key)


def _items(of: dict[str, str]) -> list[tuple[str, str, str]]:
    return [(word, title(word), _help(word, of)) for word in of]


def _found(settings: bpy.types.PropertyGroup, context: bpy.types.Context, typed: str) -> list[str]:
    """Names of places that match what has been typed after the last comma, each after what is before that."""
    before, _, last = typed.rpartition(",")
    names = sorted(obj.name for obj in objects_of(context.scene, "SPOT", "OBSTACLE"))
    kept = before + LISTED if before else ""
    return [kept + name for name in names if last.strip().lower() in name.lower()]


def _all_fields(of: dict[str, str], prefix: str) -> dict[str, Any]:
    """Properties for the fields of all of a union."""
    made: dict[str, Any] = {}
    for word, name in of.items():
        for field in fields_of(word, of):
            own = prefix + field["name"]
            if field["name"] in WHOM:
                made |= _whom(own, prefix + WHOM[field["name"]], field["help"])
            elif field["kind"] in ("text", "words"):
                made[own] = made_by.StringProperty(
                    name="Places" if field["kind"] == "words" else "Place",
                    description=field["help"],
                    search=_found,
                    search_options={"SUGGESTION"},
                    update=notify,
                )
            elif own not in made:
                made[own] = declared(name, field["name"])
    return made


def _whom(group_name: str, member: str, help_text: str) -> dict[str, Any]:
    text = "For" if group_name == "fishes" else "Whom"
    return {
        group_name: shoal_pointer(text, help_text.partition(",")[0]),
        f"one_{member}": flag("One Fish", "One fish of it, not any"),
        member: which_fish("Fish", "Which fish of the shoal, counted from 0"),
    }


def _usual(row: bpy.types.PropertyGroup, context: bpy.types.Context) -> None:
    """Gives the numbers of an act or a condition their defaults once it is chosen."""
    for word, of, prefix in ((row.do, ACTS, ""), (row.when, CONDITIONS, WHEN)):
        for field in fields_of(word, of):
            if field["kind"] == "number" and field["default"] is not None:
                setattr(row, prefix + field["name"], field["default"])
    notify(row, context)


class ArtfishInstruction(bpy.types.PropertyGroup):
    """An instruction: who does what, and when."""

    __annotations__ = {
        "do": made_by.EnumProperty(name="Do", description="What they do", items=_items(ACTS), update=_usual),
        "when": made_by.EnumProperty(
            name="When",
            description="While this holds, unless an earlier instruction does",
            items=[(ALWAYS, "Always", "Whenever no earlier instruction holds"), *_items(CONDITIONS)],
            default=ALWAYS,
            update=_usual,
        ),
        **_all_fields(ACTS, ""),
        **_all_fields(CONDITIONS, WHEN),
    }


ArtfishSpot = group("ArtfishSpot", "Mark", "A place with a name.", only=("radius",))
CLASSES = (ArtfishInstruction, ArtfishSpot)
