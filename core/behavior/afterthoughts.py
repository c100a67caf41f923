"""Afterthoughts: what fishes do in place of what their intentions alone would have them do."""

from __future__ import annotations

import numpy as np

from ..perception.swimmers import Swimmers
from .decision import Decision
from .instructions import Instructions
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
) -> None:
    """Has fishes go back to places that they remember, and do as they are told.

    Args:
        t: Time in seconds.
        fishes: Rows of those that take thought, (n,).
        plan: Their plans, changed where they do.
        swimmers: All fishes, with velocities through the water.
        decision: Their perception and wants.
        haunts: The places; None where nobody remembers any.
        journeys: Ways to targets, from which they are kept meanwhile; None without.
        instructions: What they are told; None where nobody is.
    """
    if haunts is not None:
        goes_back = haunts.act(t, fishes, plan, swimmers, decision.escaping, decision.feelings.mood)
        if journeys is not None:
            journeys.kept[fishes] = goes_back
    if instructions is not None:
        instructions.act(t, fishes, plan, swimmers)
