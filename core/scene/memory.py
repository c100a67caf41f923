"""The visual memory of fishes and its times (Kuffner & Latombe 1999, §6)."""

from __future__ import annotations

from dataclasses import dataclass, field

from ..base.declaration import choice, lasting

BASIC, TEMPORAL, LOGICAL = "basic", "temporal", "logical"
MODELS = (BASIC, TEMPORAL, LOGICAL)
"""Rules by which observations are forgotten: only when sight says otherwise, by age, or by age and what was seen."""
LONGEST_MEMORY = 36_000.0
"""Seconds after which an observation may be forgotten, at the most."""


@dataclass(frozen=True)
class Forgetting:
    """After how long what was seen is forgotten, unless it is seen again; null is never."""

    obstacle: float | None = lasting(None, 0.0, LONGEST_MEMORY, "s", "How long obstacles are remembered")
    fish: float | None = lasting(20.0, 0.0, LONGEST_MEMORY, "s", "How long other fishes are remembered")
    food: float | None = lasting(180.0, 0.0, LONGEST_MEMORY, "s", "How long food is remembered")
    movable: float | None = lasting(
        60.0, 0.0, LONGEST_MEMORY, "s", "Of the logical model: how long obstacles are that can move, such as doors"
    )
    predator: float | None = lasting(
        60.0, 0.0, LONGEST_MEMORY, "s", "Of the logical model: how long prey remembers a predator"
    )


@dataclass(frozen=True)
class MemoryRules:
    """A memory of what was seen where, and the rules by which it forgets (Kuffner & Latombe 1999, §6)."""

    model: str = choice(
        LOGICAL,
        MODELS,
        "What is forgotten: only what sight contradicts, what is old, or what is old by what it is of",
    )
    forget: Forgetting = field(default_factory=Forgetting)
