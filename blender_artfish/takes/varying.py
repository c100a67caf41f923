"""The numbers that vary, from the panel's list to those of the search, and what was found back into the scene."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import bpy

from ..bake.source import BakeSource
from ..blender.words import Message, translated
from .numbers import SceneNumber, found

if TYPE_CHECKING:
    from ...core.base.codec import SceneError
    from ...core.farm.varying import Variation


def number_of(scene: bpy.types.Scene, row: Any) -> SceneNumber | None:
    """The number of a row of the panel's list, or of a take; None if the scene has it no more."""
    return found(scene, row.owner, row.path)


def add(scene: bpy.types.Scene, number: SceneNumber) -> None:
    """Adds a number at the end of the panel's list, with a range or choices to begin with, and shows it."""
    settings = scene.artfish_takes
    row = settings.varied.add()
    row.owner, row.path = number.owner, number.path
    if number.field["kind"] in ("choice", "flag"):
        for word in number.choices():
            row.choices.add().name = word
    else:
        low, high = number.first_range(scene)
        row.low, row.high, row.first, row.last = low, high, int(low), int(high)
    settings.active_varied = len(settings.varied) - 1


def variations_of(scene: bpy.types.Scene, source: BakeSource) -> tuple[list[SceneNumber], list[Variation]]:
    """The numbers of the panel's list, and what the search varies for each.

    Raises:
        SceneError: One is not in the scene any more, or its range or choices are none.
    """
    from ...core.farm.varying import variations

    numbers: list[SceneNumber] = []
    varied: list[Variation] = []
    for place, row in enumerate(scene.artfish_takes.varied, 1):
        number = number_of(scene, row)
        keys = [] if number is None else number.keys(source.objects)
        if number is None or not keys:
            raise _fault(place, translated("a number that is not in this scene or has keys"), "one of the list of +")
        if number in numbers:
            raise _fault(place, f"{number.whose()}, {number.words()}", "a number once")
        numbers.append(number)
        data = {keys[0]: _said(place, number, row)}
        (variation,) = variations(data, source.scene, scene.name)
        varied.append(replace(variation, also=tuple(keys[1:])))
    return numbers, varied


def _said(place: int, number: SceneNumber, row: Any) -> dict[str, list[Any]]:
    """A row of the list as a file of variations has it."""
    if number.field["kind"] in ("choice", "flag"):
        words = number.choices()
        chosen = [words[choice.name][0] for choice in row.choices if choice.use and choice.name in words]
        if not chosen:
            raise _fault(place, translated("no choice of {number}", number=number.words()), "one or more")
        return {"choices": chosen}
    if number.field["kind"] == "integer":
        ends: list[Any] = [row.first, row.last]
    else:
        factor, field = number.factor(), number.field
        ends = [min(max(float(f"{factor * end:.7g}"), field["low"]), field["high"]) for end in (row.low, row.high)]
    if ends[0] > ends[1]:
        span = translated("{low} to {high}", low=number.shown(ends[0]), high=number.shown(ends[1]))
        raise _fault(place, f"{number.words()}: {span}", "the lesser first")
    return {"range": ends}


def _fault(place: int, what: str, allowed: Message) -> SceneError:
    from ...core.base.codec import SceneError

    return SceneError(what, translated(allowed), key=translated("number {place}", place=place))


def keep(take: Any, numbers: list[SceneNumber], varied: list[Variation], values: Mapping[str, Any]) -> None:
    """Notes in a take of the panel what its numbers are."""
    for number, variation in zip(numbers, varied, strict=True):
        row = take.numbers.add()
        row.owner, row.path, row.value = number.owner, number.path, json.dumps(values[variation.key])


def taken(scene: bpy.types.Scene, take: Any) -> list[tuple[SceneNumber, Any]]:
    """The numbers of a take and what they are in it; those that the scene has no more are left out."""
    pairs = [(number_of(scene, row), json.loads(row.value)) for row in take.numbers]
    return [(number, value) for number, value in pairs if number is not None]
