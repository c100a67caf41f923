"""The manner and the mind by traits: how it goes about, what it fears and wants, and with whom it swims."""

from __future__ import annotations

from typing import Any

from ..traits import Traits
from .curves import along, doubled, row, short, within
from .plans import half_height
from .tuning import BREATHING_BEATS, HUNTER_TEMPER

TEMPERAMENT_CURVES: dict[str, tuple[str, tuple[float, ...]]] = {
    "cruise": ("stamina", (0.42, 0.4, 0.58, 0.5, 0.75, 0.6, 1.0, 0.5)),
    "whim": ("nimbleness", (0.0, 6.0, 0.25, 5.0, 0.35, 4.0, 0.6, 2.5, 0.8, 2.0, 1.0, 1.5)),
    "turn": ("nimbleness", (0.0, 0.4, 0.3, 0.5, 0.6, 1.8, 0.85, 1.8, 1.0, 2.2)),
    "sharp": ("nimbleness", (0.25, 0.0, 0.3, 0.15, 0.6, 0.4, 0.8, 0.5, 1.0, 0.6)),
    "ram_breathing": ("stamina", (0.65, 0.0, 0.75, 1.0, 1.0, 0.8)),
    "meander": ("stamina", (0.6, 0.6, 0.75, 0.55, 1.0, 0.4)),
    "climb": ("depth", (0.0, 0.25, 0.05, 0.3, 0.8, 0.3, 0.9, 0.4)),
    "rest": ("stamina", (0.17, 0.5, 0.25, 0.45, 0.42, 0.4, 0.58, 0.3, 0.75, 0.0)),
    "rest_time": ("size", (0.0, 2.5, 0.21, 3.0, 0.35, 3.0, 0.5, 3.5, 0.71, 5.0, 1.0, 8.0)),
    "coast": ("stamina", (0.08, 0.5, 0.17, 0.45, 0.42, 0.6, 0.58, 0.65, 0.75, 0.0)),
    "coast_time": ("size", (0.0, 1.0, 0.35, 1.2, 0.46, 1.6, 0.5, 2.4, 0.6, 4.0, 0.71, 6.0)),
    "roam": ("boldness", (0.0, 6.0, 0.2, 12.0, 0.3, 30.0, 0.6, 30.0, 0.74, 100.0)),
    "hug": ("depth", (0.05, 0.3, 0.15, 0.6, 0.18, 0.7, 0.25, 1.2, 0.33, 1.8, 0.4, 2.5, 0.45, 3.0, 0.5, 4.0, 0.6, 8.0)),
    "comfort": ("sociability", (0.0, 1.2, 0.3, 0.8, 0.5, 0.8, 0.7, 0.6, 1.0, 0.6)),
    "caution": ("size", (0.6, 2.0, 0.7, 3.0)),
    "foresight": ("wariness", (0.0, 1.2, 0.5, 1.5, 1.0, 2.0)),
    "schooling": ("sociability", (0.4, 0.0, 0.7, 0.6, 0.9, 1.0)),
    "accord": ("sociability", (0.7, 0.0, 0.9, 0.6, 1.0, 0.8)),
    "attention": ("sociability", (0.4, 0.8, 0.7, 0.85, 0.9, 0.9)),
}
"""The trait of each number of a temperament, and its curve over it: place, value, place, value."""
DRIVE_CURVES: dict[str, tuple[str, tuple[float, ...]]] = {
    "p0": ("appetite", (0.0, 0.0002, 0.25, 0.0003, 0.5, 0.00067, 0.75, 0.0015, 1.0, 0.005)),
    "hunger": ("appetite", (0.0, 0.1, 0.25, 0.15, 0.5, 0.5, 1.0, 0.9)),
    "r": ("appetite", (0.0, 0.35, 0.25, 0.3, 0.5, 0.3, 1.0, 0.2)),
    "D0": ("wariness", (0.0, 80.0, 0.5, 200.0, 1.0, 500.0)),
    "vigilance": ("wariness", (0.0, 6.0, 0.5, 12.0, 1.0, 20.0)),
    "recall": ("wariness", (0.0, 1.0, 0.5, 4.0, 1.0, 10.0)),
    "composure": ("wariness", (0.0, 1.0, 0.5, 2.5, 1.0, 5.0)),
    "looming": ("wariness", (0.0, 0.8, 0.5, 0.6, 1.0, 0.3)),
    "nocturnal": ("activity", (0.0, 0.0, 1.0, 1.0)),
}
"""The same of its wants and fears."""
GRAZING: tuple[float, ...] = (0.0, 1.0, 0.1, 0.9, 0.2, 0.8, 0.3, 0.7, 0.45, 0.0)
"""Share of the food that grows on rock, by temper."""
GRAZED_MEALS: tuple[float, ...] = (0.0, 200.0, 0.1, 60.0, 0.2, 60.0, 0.3, 100.0, 0.45, 3.0)
"""Bites that sate who grazes, by temper."""
AMBUSH: tuple[float, ...] = (0.08, 1.6, 0.15, 0.0)
"""From how near a hunter that lies in ambush strikes, by stamina."""
NIMBLE_HUNTER = 0.5
"""Nimbleness from which on a hunter runs its prey down rather than stalk it."""
FAR_ROAMING = 0.75
"""Boldness from which on one goes everywhere."""
OPEN_WATER = 0.62
"""Depth from which on one keeps to open water."""


def temperament(traits: Traits, beat: float) -> dict[str, Any]:
    """The way it goes about, at so many tail beats a second."""
    made = _along(TEMPERAMENT_CURVES, traits)
    made["ram_breathing"] = min(made["ram_breathing"], BREATHING_BEATS * beat)
    made["coast"] *= within(half_height(traits) / half_height(Traits(build=0.18)) - 0.5, 0.0, 0.5) * 2.0
    if traits.boldness >= FAR_ROAMING:
        made["roam"] = 0.0
    if traits.depth >= OPEN_WATER:
        made["hug"] = 0.0
    return {name: short(value) for name, value in made.items()}


def mind(traits: Traits) -> dict[str, Any]:
    """Its wants and fears."""
    made = _along(DRIVE_CURVES, traits)
    grazes = traits.depth < OPEN_WATER
    made["browse"] = along(traits.temper, row(GRAZING)) if grazes else 0.0
    meals = along(traits.temper, row(GRAZED_MEALS)) if grazes else 3.0
    made["appetite"] = within(meals * doubled(2.0 * (traits.appetite - 0.5)), 0.1, 1e4)
    if hunts(traits) and traits.nimbleness < NIMBLE_HUNTER:
        made["strike"] = along(traits.stamina, row(AMBUSH))
    return {name: short(value) for name, value in made.items()}


def hunts(traits: Traits) -> bool:
    """True if it is a predator."""
    return traits.temper >= HUNTER_TEMPER


def _along(table: dict[str, tuple[str, tuple[float, ...]]], traits: Traits) -> dict[str, float]:
    return {name: along(getattr(traits, trait), row(points)) for name, (trait, points) in table.items()}
