"""Blender properties from the declarations in core/, the only source of ranges, units, defaults and help.

Registering must not load the simulation, so the declarations come from the add-on's declarations.json, which
`make reference` writes from core/ and a test holds to be true. A declared object and a property group say the same:
`fill` puts JSON into a group, `json_of` takes it out again.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

import bpy

from . import keyframes
from .handlers import notify
from .words import Message, composed

DECLARATIONS: dict[str, list[dict[str, Any]]] = json.loads(
    (Path(__file__).resolve().parents[1] / "declarations.json").read_text(encoding="utf-8")
)
"""Fields by the name of their dataclass: name, kind, help, low, high, unit, choices, shape, default, optional, endless.

For an endless field, unset is null: it never ends.
"""
UNSET = "UNSET"
"""The choice that leaves a word or a flag unset."""
USE_PREFIX = "use_"
"""Prefix of an optional number's name for the property that says whether it is set."""
BLENDER_UNITS: dict[str, dict[str, Any]] = {
    "rad": {"subtype": "ANGLE", "unit": "ROTATION"},
    "s": {"subtype": "TIME_ABSOLUTE", "unit": "TIME_ABSOLUTE"},
    "mm": {"subtype": "DISTANCE_CAMERA", "unit": "CAMERA"},
}
"""Properties for the units that Blender displays itself."""
NAMED_UNITS = {"°C", "m", "m/s", "m/s²"}
"""Units shown in a number's name: Blender would display a temperature in kelvins by a scene's own units, and scale a
length by the scene's unit scale."""
CONTEXTS = {"direction": "Way", "stage": "Courtship"}
"""Contexts of fields whose names mean something else elsewhere: what leads fishes, and what stands in the water."""
WITH_UNIT: Message = "{text} ({unit})"
"""A text with a unit behind it."""
made_by: Any = bpy.props  # by the stubs its functions return nothing
SIGNIFICANT_DIGITS = 7
"""Significant digits that single precision keeps."""


def group(
    name: str,
    of: str,
    doc: str,
    only: Iterable[str] = (),
    without: Iterable[str] = (),
    defaults: Mapping[str, Any] | str = {},
    more: Mapping[str, Any] | None = None,
    update: Callable[[Any, bpy.types.Context], None] = notify,
) -> type[bpy.types.PropertyGroup]:
    """A property group with the fields of a declared dataclass.

    Args:
        name: Name of the class.
        of: Name of the dataclass.
        doc: Its docstring.
        only: Names of its fields; all if left out.
        without: Names of fields to leave out.
        defaults: Values of optional fields before they are set: by name, or the name of another dataclass.
        more: Further properties, by name; one of a field's name takes its place.
        update: Called when a number changes, with the group and the context.
    """
    if isinstance(defaults, str):
        defaults = {field["name"]: field["default"] for field in DECLARATIONS[defaults]}
    properties: dict[str, Any] = {}
    for field in DECLARATIONS[of]:
        if field["name"] not in set(without) and (not only or field["name"] in set(only)):
            properties |= _properties(field, defaults.get(field["name"]), update)
    return type(
        name, (bpy.types.PropertyGroup,), {"__doc__": doc, "__annotations__": properties | dict(more or {}), "of": of}
    )


def declared(of: str, name: str, default: Any = None) -> Any:
    """The property of one declared number of a dataclass, for an operator that takes it."""
    field = next(field for field in DECLARATIONS[of] if field["name"] == name)
    return _properties(field | {"optional": False}, default, notify)[name]


def json_of(group: bpy.types.PropertyGroup) -> dict[str, Any]:
    """The values of a group as JSON; unset optional fields are left out."""
    data = {}
    for field in fields(group):
        value = keyframes.value(group, field["name"])
        if field["kind"] in ("flag", "choice") and field["optional"]:
            if value != UNSET:
                data[field["name"]] = {"YES": True, "NO": False}[value] if field["kind"] == "flag" else value
        elif not field["optional"] or getattr(group, USE_PREFIX + field["name"]):
            data[field["name"]] = _plain(value, field)
        elif field.get("endless"):
            data[field["name"]] = None
    return data


def fill(group: bpy.types.PropertyGroup, data: Mapping[str, Any]) -> None:
    """Sets a group from JSON; fields missing there go back to their defaults."""
    for field in fields(group):
        name, usual = field["name"], field["default"] if field.get("endless") else None
        given = data.get(field["name"], usual) is not None
        value = data.get(name, usual) if given else field["default"]
        if field["kind"] in ("flag", "choice") and field["optional"]:
            word = {True: "YES", False: "NO"}.get(value, value) if field["kind"] == "flag" else value
            setattr(group, name, word if given else UNSET)
            continue
        if field["kind"] == "keyed" and isinstance(value, list | tuple):
            value = value[0][1]  # its keys are for the F-curve
        if field["optional"]:
            setattr(group, USE_PREFIX + name, given)
        if value is None:
            group.property_unset(name)
        elif _rows(field):
            rows = getattr(group, name)
            rows.clear()
            for row in value:
                rows.add().values = row
        else:
            setattr(group, name, value)


def fields(group: bpy.types.PropertyGroup | type) -> list[dict[str, Any]]:
    """The declared fields that a group has, without the name Blender gives every group."""
    own = (group if isinstance(group, type) else type(group)).__annotations__
    found = [field for field in DECLARATIONS[group.of] if field["name"] in own]
    return [field for field in found if not _has_switch(field) or USE_PREFIX + field["name"] in own]


def title(name: str) -> str:
    """A field's name as shown in a panel."""
    return name if len(name) == 2 else name.replace("_", " ").capitalize()


def _plain(value: Any, field: Mapping[str, Any]) -> Any:
    """A property's value for JSON, within its range in spite of single precision."""
    if _rows(field):
        return [[_shortest(number, field) for number in row.values] for row in value]
    if field["kind"] in ("vector", "colour"):
        return [_shortest(number, field) for number in value]
    return _shortest(value, field) if field["kind"] in ("number", "keyed") else value


def _shortest(value: float, field: Mapping[str, Any]) -> float:
    return min(max(float(f"{value:.{SIGNIFICANT_DIGITS}g}"), field["low"]), field["high"])


def _has_switch(field: Mapping[str, Any]) -> bool:
    """True if a separate property says whether the field is set."""
    return field["optional"] and field["kind"] not in ("flag", "choice")


def _rows(field: Mapping[str, Any]) -> bool:
    """True if the field is a list of any number of rows."""
    return field["kind"] == "vector" and field["shape"][0] is None


def _properties(
    field: Mapping[str, Any], instead: Any, update: Callable[[Any, bpy.types.Context], None]
) -> dict[str, Any]:
    """The property of a field, and for an optional number the one that says whether it is set."""
    name, kind, optional = field["name"], field["kind"], field["optional"]
    words = composed(WITH_UNIT, text=title(name), unit=field["unit"]) if field["unit"] in NAMED_UNITS else title(name)
    common: dict[str, Any] = {"name": words, "description": _description(field), "update": update}
    if name in CONTEXTS:
        common["translation_context"] = CONTEXTS[name]
    default = instead if field["default"] is None else field["default"]
    if kind in ("flag", "choice") and optional:
        usual = (UNSET, "As usual", composed("Not said here: {help}", help=field["help"]))
        others = [("YES", "Yes", field["help"]), ("NO", "No", field["help"])] if kind == "flag" else _words(field)
        return {name: made_by.EnumProperty(**common, items=[usual, *others], default=UNSET)}
    made: dict[str, Any] = {}
    if optional:
        pattern = "Off is for ever: {help}" if field.get("endless") else "Set here: {help}"
        hint = composed(pattern, help=_description(field))
        made[USE_PREFIX + name] = made_by.BoolProperty(
            name=composed("Set {name}", name=words),
            description=hint,
            default=field["default"] is not None,
            update=update,
        )
    made[name] = _MAKERS[kind](field, common, default)
    return made


def _description(field: Mapping[str, Any]) -> str:
    """The help, and the unit unless Blender displays it itself."""
    unit = field["unit"]
    shown = unit and unit not in BLENDER_UNITS
    return composed(WITH_UNIT, text=field["help"], unit=unit) if shown else field["help"]


def _words(field: Mapping[str, Any]) -> list[tuple[str, str, str]]:
    return [(word, title(word), field["help"]) for word in field["choices"]]


def _number(field: Mapping[str, Any], common: dict[str, Any], default: float | None) -> Any:
    value = min(max(0.0, field["low"]), field["high"]) if default is None else default
    reach = 10.0 * max(abs(value), 0.1)  # a practical slider range
    soft: dict[str, Any] = {"soft_min": max(field["low"], -reach), "soft_max": min(field["high"], reach)}
    wide = field["high"] - field["low"] > 100.0 * reach
    precision = 5 if 0 < abs(value) < 0.01 else 3
    return made_by.FloatProperty(
        **common,
        default=value,
        min=field["low"],
        max=field["high"],
        precision=precision,
        **(soft if wide else {}),
        **BLENDER_UNITS.get(field["unit"], {}),
    )


def _integer(field: Mapping[str, Any], common: dict[str, Any], default: int | None) -> Any:
    value = int(field["low"]) if default is None else default
    low, high = int(field["low"]), int(min(field["high"], 2**31 - 1))
    soft = min(high, max(20, 10 * value))
    return made_by.IntProperty(**common, default=value, min=low, max=high, soft_max=soft)


def _vector(field: Mapping[str, Any], common: dict[str, Any], default: Any) -> Any:
    if _rows(field):
        return made_by.CollectionProperty(
            type=ROWS[field["shape"][1]], name=common["name"], description=common["description"]
        )
    (size,) = field["shape"]
    kind: dict[str, Any] = {"subtype": "XYZ"} if field["unit"] == "m" and size == 3 else {}
    ends = {"min": max(field["low"], -1e6), "max": min(field["high"], 1e6)}
    return made_by.FloatVectorProperty(
        **common, size=size, default=default or (max(0.0, field["low"]),) * size, precision=3, **ends, **kind
    )


def _colour(field: Mapping[str, Any], common: dict[str, Any], default: Any) -> Any:
    return made_by.FloatVectorProperty(
        **common, size=3, default=default or (0.5, 0.5, 0.5), min=0.0, max=1.0, subtype="COLOR"
    )


def _choice(field: Mapping[str, Any], common: dict[str, Any], default: str | None) -> Any:
    return made_by.EnumProperty(**common, items=_words(field), default=default or field["choices"][0])


def _text(field: Mapping[str, Any], common: dict[str, Any], default: str | None) -> Any:
    return made_by.StringProperty(**common, default=default or "")


def _flag(field: Mapping[str, Any], common: dict[str, Any], default: bool | None) -> Any:
    return made_by.BoolProperty(**common, default=bool(default))


_MAKERS: dict[str, Callable[..., Any]] = {
    "number": _number,
    "keyed": _number,  # its F-curve holds the keys
    "integer": _integer,
    "vector": _vector,
    "colour": _colour,
    "choice": _choice,
    "text": _text,
    "flag": _flag,
}


def _row(size: int) -> type[bpy.types.PropertyGroup]:
    help_text = "One of the numbers of this row; its column says which"
    row = {
        "values": made_by.FloatVectorProperty(name="Row", description=help_text, size=size, precision=3, update=notify)
    }
    doc = f"One row of {size} numbers."
    return type(f"ArtfishRow{size}", (bpy.types.PropertyGroup,), {"__doc__": doc, "__annotations__": row})


ROWS = {size: _row(size) for size in (2, 3, 4, 6)}
"""Property group for one row of a list, by the row's length."""
CLASSES = tuple(ROWS.values())
