"""Body plans: tuned bodies of kinds of fish, each at its place among the traits, and what lies between them.

A plan is a file in presets/plans: the traits that it stands for, and the numbers of a body that swims well, with its
surfaces. A character between plans takes of each the more, the nearer it is; one that is at a plan's place takes that
plan's numbers alone, to the bit.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np

from ...base.codec import Place, decode
from ...base.files import preset_folder, preset_names, read_json
from ...base.sums import total
from ..traits import Traits
from .curves import Points, along, row, within
from .tuning import DEEPEST, FLATTEST_SHARE, PLAN_WEIGHTS, PLANS_NEAR, SLENDEREST, WIDEST_SHARE

SPATIAL = "build", "flatness", "stamina"
"""Traits by which plans are near or far."""
SLENDER_TURNS = 0.1, 0.1, 0.3, 1.0
"""Share by which the nimble turn sharper than their body plans, by build: the slender roll over."""
AT_A_PLAN = 1e-9
"""Distance from a plan below which a character is at its place."""


@dataclass(frozen=True, eq=False)
class BodyPlan:
    """A body plan: its name, its place among the traits, and its numbers as JSON holds them, sections of fields."""

    name: str
    traits: Traits
    numbers: dict[str, Any]


@cache
def plans() -> tuple[BodyPlan, ...]:
    """All body plans, in order of their names."""
    return tuple(map(_read, preset_names("plans")))


def _read(name: str) -> BodyPlan:
    data = read_json(preset_folder("plans") / f"{name}.json")
    traits = decode(Traits, data.pop("traits"), Place(f"{name}.json", "traits"))
    return BodyPlan(name, traits, data)


class Kin:
    """The body plans near a character, with shares that make 1.

    The shares are those of Franke and Little (1980) within the distance of the first plan that has none, so that they
    are continuous over the traits; sections that a plan leaves out are as usual.
    """

    def __init__(self, traits: Traits, usual: dict[str, Any]) -> None:
        self.traits, self.usual = traits, usual
        ranked = sorted((_distance(traits, plan.traits), number) for number, plan in enumerate(plans()))
        reach = ranked[PLANS_NEAR][0]
        near = ranked[:1] if ranked[0][0] < AT_A_PLAN else [one for one in ranked if one[0] < reach]
        self.plans = tuple(plans()[number] for _, number in near)
        if len(near) == 1:
            self.shares = np.ones(1)
        else:
            pulls = np.array([((reach - far) / (reach * far)) ** 2 for far, _ in near])
            self.shares = pulls / total(pulls)

    @property
    def nearest(self) -> BodyPlan:
        """The plan of the largest share."""
        return self.plans[0]

    def value(self, plan: BodyPlan, section: str, name: str) -> Any:
        """A number of a plan, or the usual one."""
        said = plan.numbers.get(section, {})
        return said[name] if name in said else self.usual[section][name]

    def blend(self, section: str, name: str) -> Any:
        """A number, or an array of numbers, between those of the plans."""
        return self.mean(lambda plan: self.value(plan, section, name))

    def mean(self, of: Callable[[BodyPlan], Any]) -> Any:
        """The mean of the numbers, or arrays, that the plans have."""
        values = np.array([of(plan) for plan in self.plans], dtype=float)
        return total(self.shares.reshape(-1, *[1] * (values.ndim - 1)) * values, axis=0)

    def over(self, law: Callable[[Traits], float]) -> float:
        """A law of the traits at this character, over what it says of the plans: 1 at a plan's place."""
        return law(self.traits) / float(self.mean(lambda plan: law(plan.traits)))

    def beyond(self, law: Callable[[Traits], float]) -> float:
        """A law of the traits at this character, less what it says of the plans: 0 at a plan's place."""
        return law(self.traits) - float(self.mean(lambda plan: law(plan.traits)))

    def bent(self, section: str, name: str, curve: Points, low: float, high: float) -> float:
        """A number between those of the plans, moved by a curve over nimbleness as far as the build allows."""
        return within(float(self.blend(section, name)) + self.nimbler(curve), low, high)

    def nimbler(self, curve: Points) -> float:
        """The move of a number by a curve over nimbleness, 0 at a plan's place; the slender would roll over by it."""
        moved = self.beyond(lambda traits: along(traits.nimbleness, curve))
        return moved * along(self.traits.build, row(SLENDER_TURNS))


def half_height(traits: Traits) -> float:
    """Half the height of a body, in lengths."""
    return SLENDEREST + (DEEPEST - SLENDEREST) * traits.build


def half_width(traits: Traits) -> float:
    """Half the width of a body, in lengths."""
    return half_height(traits) * (WIDEST_SHARE + (FLATTEST_SHARE - WIDEST_SHARE) * traits.flatness)


def _distance(one: Traits, other: Traits) -> float:
    far = 0.0
    for name, weight in zip(SPATIAL, PLAN_WEIGHTS, strict=True):
        far += (weight * (getattr(one, name) - getattr(other, name))) ** 2
    return float(np.sqrt(far))
