"""Motor preferences: the strength with which desires speak for turning to their targets (Tu 1999, §6.5.2, §7.6)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..compiled import changes, compiled, reads, takes
from ..perception.focuser import FRONTAL, Focus, frontal
from ..perception.swimmers import Swimmers
from .mental_state import MentalState

FISHES_A_THREAD = 300
"""Fewest fishes that are worth a thread of their own."""

PREFER = compiled(
    "prefer",
    over="n",
    least=FISHES_A_THREAD,
    front=reads(FRONTAL),
    rows=takes("i8", "n"),
    fears=takes("f8", "all"),
    hungers=takes("f8", "all"),
    libidos=takes("f8", "all"),
    intentions=reads("i1", "all"),
    predators=reads("?", "all"),
    fishes=takes("i8", "all"),
    mates=takes("i8", "all"),
    foods=takes("i8", "all"),
    threats=takes("f8", "n", 3),
    noses=takes("f8", "all", 3),
    middles=takes("f8", "all", 3),
    frames=takes("f8", "all", 3, 3),
    morsels=takes("f8", "offered", 3),
    preferences=changes("f8", "all", 6),
)


@dataclass(frozen=True)
class Urges:
    """The drives of all fishes.

    Attributes:
        feelings: Hunger, libido and fear.
        intention: Intention of each, (fish,) int8.
        predators: Mask of those that go for fishes, (fish,) bool.
        partner: Row of the mate of each, NO_FISH if none, (fish,).
    """

    feelings: MentalState
    intention: np.ndarray
    predators: np.ndarray
    partner: np.ndarray


def prefer(
    focus: Focus, urges: Urges, morsels: np.ndarray, fishes: np.ndarray, swimmers: Swimmers, threat: np.ndarray
) -> None:
    """Sets the motor preferences of fishes that have thought.

    Args:
        focus: Their attention, whose preferences are set.
        urges: Their drives.
        morsels: Places of the morsels that may be picked in metres, (morsel, 3).
        fishes: Their rows, (n,).
        swimmers: All fishes.
        threat: Vector towards what each may run into, of length 1 or more where it is about to, (n, 3).
    """
    feelings = urges.feelings
    PREFER(
        front=frontal(),
        rows=fishes,
        fears=feelings.fear,
        hungers=feelings.hunger,
        libidos=feelings.libido,
        intentions=urges.intention,
        predators=urges.predators,
        fishes=focus.target,
        mates=urges.partner,
        foods=focus.food,
        threats=threat,
        noses=swimmers.nose,
        middles=swimmers.middle,
        frames=swimmers.frames,
        morsels=morsels,
        preferences=focus.preferences,
    )
