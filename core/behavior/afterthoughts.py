"""Afterthoughts: what fishes do in place of what their intentions alone would have them do, and what they note."""

from __future__ import annotations

import numpy as np

from ..perception.swimmers import NO_FISH, Swimmers
from .decision import Decision
from .instructions import Instructions
from .intention import EAT, ESCAPE
from .plan import Plan
from .routines.haunts import Haunts
from .routines.travel import Journeys


def think_better(
    t: float,
    fishes: np.ndarray,
    plan: Plan,
    swimmers: Swimmers,
    decision: Decision,
    haunts: Haunts | None,
    journeys: Journeys | None,
    instructions: Instructions | None,
    elapsed: np.ndarray,
) -> None:
    """Has fishes go back to places that they remember, do as they are told, and note who is after them.

    Args:
        t: Time in seconds.
        fishes: Rows of those that take thought, (n,).
        plan: Their plans, changed where they do.
        swimmers: All fishes, with velocities through the water.
        decision: Their perception and wants.
        haunts: The places; None where nobody remembers any.
        journeys: Ways to targets, from which they are kept meanwhile; None without.
        instructions: What they are told; None where nobody is.
        elapsed: Seconds since each last took thought, (n,).
    """
    if haunts is not None:
        goes_back = haunts.act(t, fishes, plan, swimmers, decision.escaping, decision.feelings.mood)
        if journeys is not None:
            journeys.kept[fishes] = goes_back
    if instructions is not None:
        instructions.act(t, fishes, plan, swimmers)
    if decision.relations is not None:
        fed = (plan.intention == EAT) | (decision.generator.stored[fishes] == EAT)
        decision.relations.note(fishes, plan, _hunters(fishes, plan, decision), fed, elapsed)


def _hunters(fishes: np.ndarray, plan: Plan, decision: Decision) -> np.ndarray:
    """Row of the predator that is after each of these and that it flees from, NO_FISH without, (n,)."""
    foe, intention = decision.focus.target[fishes], decision.generator.intention
    hunts = (foe != NO_FISH) & decision.hunts()[foe] & (intention[foe] == EAT)
    after = hunts & (decision.focus.target[foe] == fishes) & (plan.intention == ESCAPE)
    return np.where(after, foe, NO_FISH)
