"""The grammar in which many runs are written: seeds as A-B, and numbers of a scene that vary, by their keys.

A file of variations is one object: each key leads into a scene file, such as "fishes[0].mind.hunger" or
"plankton.at[2]", and each value is either a range, {"range": [0.2, 1]}, or a choice, {"choices": ["reef", "kelp"]}.
Takes, studies and data sets read the same.
"""

from __future__ import annotations

import copy
import os
import re
from collections.abc import Mapping
from dataclasses import dataclass, fields, is_dataclass
from typing import Any, get_args

import numpy as np

from ..base.codec import Place, SceneError, cut, encode, shown
from ..base.declaration import Declared, is_written, types_of
from ..base.files import read_json
from ..scene.scene import Scene

MOST_SEEDS = 10_000_000
LARGEST_SEED = 2**63 - 1
DIGITS = 6
"""Significant digits of numbers that vary, so that they read well in a scene file."""
_STEP = re.compile(r"([A-Za-z_]\w*)((?:\[\d+\])*)")


def read_seeds(word: str) -> range:
    """The seeds that A-B stands for, both among them, or a seed alone.

    Raises:
        SceneError: It is neither.
    """
    match = re.fullmatch(r"([0-9]{1,19})(?:-([0-9]{1,19}))?", word)
    first, last = (int(match[1]), int(match[2] or match[1])) if match else (1, 0)
    if not 0 <= first <= last <= LARGEST_SEED or last - first >= MOST_SEEDS:
        raise SceneError(shown(word), f"A-B with A up to B, as in 0-99, up to {MOST_SEEDS:,} of them", key="--seeds")
    return range(first, last + 1)


@dataclass(frozen=True)
class Variation:
    """One value of a scene that varies.

    Attributes:
        key: Its place in the scene.
        choices: Its values; empty for a range.
        low: Least of a range.
        high: Most of a range.
        whole: Whether its numbers are whole.
        also: Further places that have the same value, where one number of Blender leads several shoals.
    """

    key: str
    choices: tuple[Any, ...] = ()
    low: float = 0.0
    high: float = 0.0
    whole: bool = False
    also: tuple[str, ...] = ()

    @property
    def searchable(self) -> bool:
        """True if it is a range of real numbers, in which near values do alike."""
        return not self.choices and not self.whole

    def placed(self, value: Any) -> dict[str, Any]:
        """A value at each of its places."""
        return dict.fromkeys((self.key, *self.also), value)

    def drawn(self, dice: np.random.Generator) -> Any:
        """A random value."""
        if self.choices:
            return self.choices[int(dice.integers(len(self.choices)))]
        if self.whole:
            return int(dice.integers(int(self.low), int(self.high), endpoint=True))
        return self.at(float(dice.random()))

    def at(self, share: float) -> float:
        """The number at a share of its range, which goes back and forth beyond 0 and 1."""
        back = abs((share + 1.0) % 2.0 - 1.0)
        return min(max(float(f"{self.low + back * (self.high - self.low):.{DIGITS}g}"), self.low), self.high)


def read_variations(path: str | os.PathLike[str], scene: Scene) -> tuple[Variation, ...]:
    """The variations of a file, in its order.

    Raises:
        SceneError: If it cannot be read, or is not as declared for this scene.
    """
    return variations(read_json(path), scene, os.fspath(path))


def variations(data: Mapping[str, Any], scene: Any, file: str = "variations") -> tuple[Variation, ...]:
    """The variations of a scene, or of what else is declared, as JSON holds them; errors as of `read_variations`."""
    place = Place(file)
    if not data:
        place.refuse("an empty object", 'keys of the scene, as in {"fishes[0].mind.hunger": {"range": [0.2, 1]}}')
    return tuple(_variation(key, value, scene, Place(file, cut(key))) for key, value in data.items())


def varied(scene: Mapping[str, Any], values: Mapping[str, Any]) -> dict[str, Any]:
    """A scene, as JSON holds it, with other values at some keys."""
    made = copy.copy(dict(scene))
    for key, value in values.items():
        steps = _steps(key)
        at: Any = made
        for step, after in zip(steps, steps[1:], strict=False):
            below = at.get(step) if isinstance(step, str) else at[step]
            below = ([] if isinstance(after, int) else {}) if below is None else copy.copy(below)
            at[step] = below
            at = below
        at[steps[-1]] = value
    return made


def _variation(key: str, value: Any, scene: Any, place: Place) -> Variation:
    declared = _declared_at(key, scene, place)
    kinds = 'an object with "range" or "choices"'
    if not isinstance(value, Mapping) or len(value) != 1 or not set(value) <= {"range", "choices"}:
        place.refuse(shown(value), kinds)
    if "choices" in value:
        some = value["choices"]
        if not isinstance(some, list) or not some:
            place.under("choices").refuse(shown(some), "a list of one value or more")
        return Variation(key, choices=tuple(some))
    ends, where = value["range"], place.under("range")
    if declared is None or declared.kind not in ("number", "keyed", "integer", "vector", "colour"):
        where.refuse("a range of what is no number", "choices")
    assert declared is not None
    whole = declared.kind == "integer"
    kind = int if whole else (int, float)
    if (
        not isinstance(ends, list)
        or len(ends) != 2
        or not all(isinstance(end, kind) and not isinstance(end, bool) for end in ends)
        or not declared.low <= ends[0] <= ends[1] <= declared.high
    ):
        span = f" from {declared.low:g} to {declared.high:g}"
        where.refuse(shown(ends), f"two {'whole ' if whole else ''}numbers{span}, the lesser first")
    return Variation(key, low=ends[0], high=ends[1], whole=whole)


def _steps(key: str) -> list[str | int]:
    """The names and numbers that lead to a value; empty for what is no key."""
    steps: list[str | int] = []
    for part in key.split("."):
        match = _STEP.fullmatch(part)
        if match is None:
            return []
        steps += [match[1], *map(int, re.findall(r"\d+", match[2]))]
    return steps


def _declared_at(key: str, scene: Any, place: Place) -> Declared | None:
    """The declaration of a value of a scene; None for what has none of its own, such as a list of fishes."""
    at: Any = scene
    kind: Any = type(scene)
    declared: Declared | None = None
    steps = _steps(key)
    if not steps:
        place.refuse("no key of a scene", "one such as fishes[0].mind.hunger")
    for step in steps:
        if isinstance(step, int):
            if declared is not None and declared.shape:  # a component of a vector
                if declared.shape[0] is not None and step >= declared.shape[0]:
                    place.refuse(f"[{step}]", f"[0] to [{declared.shape[0] - 1}]")
                if at is None:
                    place.refuse(f"[{step}] of what the scene leaves out", "what it has")
                continue
            if not isinstance(at, tuple) or step >= len(at):
                count = len(at) if isinstance(at, tuple) else 0
                place.refuse(f"[{step}]", f"one of the {count} that the scene has")
            at, declared = at[step], None
            kind = type(at)
            continue
        if not (isinstance(kind, type) and is_dataclass(kind)):
            place.refuse(f"the key {cut(step)!r} in a plain value", "a key of a scene")
        known = {field.name: field for field in fields(kind) if is_written(field)}
        if step not in known:
            place.refuse(f"the unknown key {cut(step)!r}", ", ".join(known))
        declared = known[step].metadata.get("declared")
        at = getattr(at, step, None)
        hints = [one for one in (types_of(kind)[step], *get_args(types_of(kind)[step])) if isinstance(one, type)]
        kind = type(at) if is_dataclass(at) else next((one for one in hints if is_dataclass(one)), None)
    return declared


def plain(scene: Scene) -> dict[str, Any]:
    """A scene as plain data, whose meshes and controllers are within it."""
    return encode(scene)
