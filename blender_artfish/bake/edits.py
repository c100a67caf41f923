"""The list of edits of a baked fish: what was done to it with Artfish's tools, kept on the fish through every bake.

The list is a custom property of the fish's root, and so is copied, saved and renamed with it. Every kind of edit is
declared once, with its values and its words; `editing` does what they say. Reading the list loads no simulation.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from math import isfinite
from typing import Any

import bpy
import numpy as np
from mathutils import Vector

from ..blender.words import translated
from ..identity import provenance
from .nudging import LEAST_FALLOFF, MOST_FALLOFF
from .timing import FASTEST, LEAST_HOLD, MOST_HOLD, SLOWEST, Course

EDITS = "artfish_edits"
"""Property of a fish's root: its edits, as JSON."""
FARTHEST_EDIT = 1e6
"""Largest frame or distance in an edit."""


@dataclass(frozen=True)
class FishEdit:
    """An edit of a fish.

    Attributes:
        kind: One of `EDIT_KINDS`.
        values: Its numbers and names, as its kind declares them.
        on: Whether it is switched on.
        trouble: Why it could not be done to the present bake, a sentence; "" if it is done.
    """

    kind: str
    values: Mapping[str, Any] = field(default_factory=dict)
    on: bool = True
    trouble: str = ""


@dataclass(frozen=True)
class EditKind:
    """A kind of edit.

    Attributes:
        icon: The icon of its row.
        words: What it does, in an animator's words, from its values and the course of the fish.
        read: Its values from stored ones, or None if they are damaged.
        keys: Whether it changes keys.
        alone: Whether a fish has one at most.
    """

    icon: str
    words: Callable[[Mapping[str, Any], Course], str]
    read: Callable[[Mapping[str, Any]], dict[str, Any] | None]
    keys: bool = False
    alone: bool = True


# --- the list -----------------------------------------------------------------------------------------------------


def of(root: bpy.types.Object) -> list[FishEdit]:
    """The edits on a fish's root; damaged ones are left out."""
    said = provenance.of(root, EDITS)
    if not said:
        return []
    try:
        data = json.loads(said)
    except (ValueError, RecursionError):
        return []
    found = [_read(each) for each in data] if isinstance(data, list) else []
    return [each for each in found if each is not None]


def _read(data: Any) -> FishEdit | None:
    if not isinstance(data, dict) or data.get("kind") not in EDIT_KINDS:
        return None
    try:
        values = EDIT_KINDS[data["kind"]].read(data)
    except (KeyError, TypeError, ValueError):
        return None
    trouble = data.get("trouble", "")
    if values is None or not isinstance(trouble, str):
        return None
    return FishEdit(data["kind"], values, data.get("on") is not False, trouble)


def write(root: bpy.types.Object, edits: Sequence[FishEdit]) -> None:
    """Write the edits on a fish's root."""
    if edits:
        data = [{"kind": edit.kind, "on": edit.on, "trouble": edit.trouble, **edit.values} for edit in edits]
        root[EDITS] = json.dumps(data)
    elif EDITS in root.keys():  # noqa: SIM118
        del root[EDITS]


def drop(root: bpy.types.Object, kind: str) -> None:
    """Take the edits of a kind off the list, and do nothing else."""
    write(root, [edit for edit in of(root) if edit.kind != kind])


# --- the kinds ----------------------------------------------------------------------------------------------------


def _number(value: Any, low: float, high: float) -> float:
    """A number within limits; raises ValueError for any other."""
    number = float(value)
    if not isfinite(number) or isinstance(value, bool):
        raise ValueError(value)
    return min(max(number, low), high)


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise ValueError(value)
    return value


def _frame(moment: float, course: Course) -> str:
    return f"{float(course.film(np.array([moment]))[0]):.4g}"


def _begun(words: str) -> str:
    """Words that begin with a capital; all others stay as they are."""
    return words[:1].upper() + words[1:]


def _retimed_words(values: Mapping[str, Any], course: Course) -> str:
    frames, speed = values["frames"], values["speed"]
    far = abs(frames)
    if frames > 0:
        late = translated("{frames:.4g} frame later" if far == 1 else "{frames:.4g} frames later", frames=far)
    else:
        late = translated("{frames:.4g} frame earlier" if far == 1 else "{frames:.4g} frames earlier", frames=far)
    parts = [late] if frames else []
    if speed != 1.0:
        parts.append(translated("{speed:.3g} times as fast", speed=speed))
    return _begun(", ".join(parts)) or translated("At its own time")


def _hold_words(values: Mapping[str, Any], course: Course) -> str:
    frames = values["frames"]
    return translated(
        "Held at frame {frame} for {frames:.4g} frame"
        if frames == 1
        else "Held at frame {frame} for {frames:.4g} frames",
        frame=_frame(values["moment"], course),
        frames=frames,
    )


def _nudged_words(values: Mapping[str, Any], course: Course) -> str:
    far, falloff = Vector(values["move"]).length, values["falloff"] / course.timing.speed
    return translated(
        "Path moved {far:.3g} m at frame {frame}, over {falloff:.3g} frames",
        far=far,
        frame=_frame(values["moment"], course),
        falloff=falloff,
    )


def _look_words(values: Mapping[str, Any], course: Course) -> str:
    like = (
        [translated("looks like a {species}", species=values["species"].replace("_", " "))] if values["species"] else []
    )
    dice = [translated("pattern by dice {dice}", dice=values["dice"])] if values["dice"] else []
    return _begun(", ".join(like + dice))


EDIT_KINDS: dict[str, EditKind] = {
    "retimed": EditKind(
        "TIME",
        _retimed_words,
        lambda data: {
            "frames": _number(data["frames"], -FARTHEST_EDIT, FARTHEST_EDIT),
            "speed": _number(data["speed"], SLOWEST, FASTEST),
        },
        keys=True,
    ),
    "held": EditKind(
        "PAUSE",
        _hold_words,
        lambda data: {
            "moment": _number(data["moment"], -FARTHEST_EDIT, FARTHEST_EDIT),
            "frames": _number(data["frames"], LEAST_HOLD, MOST_HOLD),
        },
        keys=True,
        alone=False,
    ),
    "nudged": EditKind(
        "CURVE_PATH",
        _nudged_words,
        lambda data: {
            "moment": _number(data["moment"], -FARTHEST_EDIT, FARTHEST_EDIT),
            "falloff": _number(data["falloff"], LEAST_FALLOFF * SLOWEST, MOST_FALLOFF * FASTEST),
            "move": [_number(data["move"][axis], -FARTHEST_EDIT, FARTHEST_EDIT) for axis in range(3)],
        },
        keys=True,
        alone=False,
    ),
    "hidden": EditKind("HIDE_ON", lambda values, course: translated("Hidden"), lambda data: {}),
    "body": EditKind(
        "ARMATURE_DATA",
        lambda values, course: translated("Body of a {species}", species=values["species"].replace("_", " ")),
        lambda data: {"species": _text(data["species"]), "own_length": data.get("own_length") is True},
    ),
    "look": EditKind(
        "MATERIAL",
        _look_words,
        lambda data: {
            "species": _text(data["species"]),
            "dice": int(_number(data["dice"], 0, 2**31 - 1)),
            "number": _number(data["number"], 0.0, 1.0),
            "was": _number(data["was"], 0.0, 1.0),
        },
    ),
}
