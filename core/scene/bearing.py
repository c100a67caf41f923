"""The living look of a fish beside its strokes: gaze, breath, fins that fold, a tail that gives."""

from __future__ import annotations

from dataclasses import dataclass

from ..base.declaration import number


@dataclass(frozen=True)
class Bearing:
    """The way a fish looks around, breathes and carries its fins. The book's fish does none of it: 0 throughout."""

    gaze: float = number(0.0, 0.0, 0.35, "rad", "How far its eyes turn to what it attends to; 0 for eyes that stand")
    breath: float = number(0.0, 0.0, 3.0, "Hz", "Breaths a second at rest; 0 for none that is seen")
    panting: float = number(2.0, 1.0, 5.0, "", "Breaths a second of a fish out of breath, over those at rest")
    gill: float = number(0.02, 0.0, 0.04, "lengths", "How far the deepest breath lifts the gill covers")
    sip: float = number(0.12, 0.0, 0.5, "", "How far the deepest breath opens the mouth, over its widest")
    fold: float = number(0.0, 0.0, 1.0, "", "How far dorsal and ventral fin lie down at speed; 0 for fins that stand")
    tuck: float = number(0.0, 0.0, 1.0, "", "How far pectoral fins lie on the body at speed; 0 for fins held as wings")
    give: float = number(0.0, 0.0, 0.8, "rad", "How far the tail's rear edge trails behind its stroke, at the most")
