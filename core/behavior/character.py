"""The character of each fish: type, sex, temperament and drives, from its species and its group's changes to it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from typing import Any

import numpy as np

from ..base.codec import Place, SceneError
from ..base.dice import Dice
from ..perception.retina.sight import RetinalSight
from ..recording import SEXES
from ..scene.fishes import FishGroup
from ..scene.scene import Scene
from ..scene.species import TYPES, Species
from ..scene.temperament import Drives, Temperament
from .intention import ENABLED

MALE, FEMALE = range(2)
"""Rows of SEXES."""


@dataclass(frozen=True, eq=False)
class Characters:
    """One row a fish.

    Attributes:
        types: Rows of `species.TYPES`, (fish,) int8.
        sexes: Rows of `SEXES`, (fish,) int8.
        schooling: Whether it has the schooling habit, (fish,) bool.
        light: 1 likes brightness, -1 darkness, 0 does not care, (fish,) int8.
        warmth: 1 likes warmth, -1 cold, 0 does not care, (fish,) int8.
        temperament: (fish,) with the fields of `temperament.Temperament`.
        drives: (fish,) with the fields of `species.Drives`.
        leads: Whether its own kind follow it, (fish,) bool.
        larger_females: Whether females of its species are larger than males and accept only smaller ones, (fish,) bool.
    """

    types: np.ndarray
    sexes: np.ndarray
    schooling: np.ndarray
    light: np.ndarray
    warmth: np.ndarray
    temperament: np.ndarray
    drives: np.ndarray
    leads: np.ndarray
    larger_females: np.ndarray

    @classmethod
    def from_scene(cls, scene: Scene, models: Mapping[str, Species], dice: Dice) -> Characters:
        """The characters of a scene's fishes.

        Args:
            scene: Scene whose groups they form.
            models: Every species that occurs, by name.
            dice: A stream for each fish, from which the sexes of mixed groups are drawn.

        Raises:
            SceneError: If a group and its species together say what neither may.
        """
        groups, names, rows = _distinct_groups(scene)
        everyone = np.arange(len(rows))
        sexes = np.array([(*SEXES, "mixed").index(group.sex) for group in groups], dtype=np.int8)[rows]
        females = np.array([group.females for group in groups], dtype=float)[rows]
        drawn = (dice.uniform(everyone) < females).astype(np.int8)
        temperaments = [_temperament(group, models[group.species]) for group in groups]
        drives = [
            _drives(scene.source, name, group, models[group.species]) for name, group in zip(names, groups, strict=True)
        ]
        types = np.array([TYPES.index(group.type or models[group.species].type) for group in groups], dtype=np.int8)
        temperament = table(temperaments, Temperament)[rows]
        return cls(
            types=types[rows],
            sexes=np.where(sexes < len(SEXES), sexes, drawn),
            schooling=temperament["schooling"] > 0,
            light=_leanings(groups, "brightness", "darkness")[rows],
            warmth=_leanings(groups, "warmth", "cold")[rows],
            temperament=temperament,
            drives=table(drives, Drives)[rows],
            leads=np.array([group.leader for group in groups], dtype=bool)[rows],
            larger_females=np.array([models[group.species].female_size > 1.0 for group in groups], dtype=bool)[rows],
        )


@dataclass(frozen=True, eq=False)
class Cast:
    """The fishes of a world: their characters, species, lengths and eyes.

    Attributes:
        characters: Their habits, temperaments and drives.
        species: A number for the species of each, (fish,).
        length: Metres, (fish,).
        alive: Fishes that are there, (fish,) bool: the shoal's own array, which changes.
        retinas: The eyes of those that see with images; None where nobody does.
        enabled: The intentions that each type may have, (type, 7) bool.
        adult: Fishes that are grown enough to court, (fish,) bool; all where None.
    """

    characters: Characters
    species: np.ndarray
    length: np.ndarray
    alive: np.ndarray
    retinas: RetinalSight | None = None
    enabled: np.ndarray = field(default_factory=lambda: ENABLED)
    adult: np.ndarray | None = None


def _distinct_groups(scene: Scene) -> tuple[list[FishGroup], list[str], np.ndarray]:
    """Groups and, after them, members that differ from theirs; what messages call each; and the row of every fish."""
    groups, names = list(scene.fishes), [f"fishes[{row}]" for row in range(len(scene.fishes))]
    rows = np.repeat(np.arange(len(groups)), [group.count for group in groups])
    for row, group in enumerate(scene.fishes):
        for place, member in enumerate(group.members):
            rows[scene.rows[row][member.index]] = len(groups)
            groups.append(group.alone(member.index))
            names.append(f"fishes[{row}].members[{place}]")
    return groups, names, rows


def _leanings(groups: Sequence[FishGroup], liked: str, opposed: str) -> np.ndarray:
    """1 for groups with the one habit, -1 with its opposite, 0 with both or neither (§7.3), (group,) int8."""
    return np.array([bool(getattr(g.habits, liked)) - bool(getattr(g.habits, opposed)) for g in groups], dtype=np.int8)


def _temperament(group: FishGroup, species: Species) -> Temperament:
    """The species' temperament, but for the habit of schooling."""
    schools = group.habits.schooling
    if schools is None or schools == (species.temperament.schooling > 0):
        return species.temperament
    return replace(species.temperament, schooling=1.0 if schools else 0.0)


def _drives(source: str, name: str, group: FishGroup, species: Species) -> Drives:
    """The species' drives, with the group's changes."""
    given = {field.name: getattr(group.mind, field.name) for field in fields(group.mind)}
    try:
        return replace(species.mind, **{name: value for name, value in given.items() if value is not None})
    except SceneError as error:
        raise error.within(Place(source, f"{name}.mind")) from None


def table(rows: list[Any], kind: type) -> np.ndarray:
    """Dataclasses of numbers as a structured array, one row each."""
    names = [field.name for field in fields(kind)]
    return np.array(
        [tuple(getattr(row, name) for name in names) for row in rows], dtype=[(name, float) for name in names]
    )
