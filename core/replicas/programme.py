"""The programme that fishes are captured in: what each does first, and then for good (Yu & Terzopoulos 1999, §4.2)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields

import numpy as np

from ..motor.commands import Commands
from ..motor.tuning import TURN_NUDGE
from ..scene.species import Species
from .repertoire import GAITS
from .tuning import BURST_PACE, CAPTURE_FPS, CLIMB_PACE, CLIMBS, CSTART_ANGLE, PACES, TURNS


@dataclass(frozen=True)
class ProgrammeItem:
    """One fish of the programme.

    Attributes:
        gait: One of `GAITS`.
        pace: Share of full speed, and beyond 1 that of a burst.
        turn: Turn that is left all the time, in radians, left positive.
        climb: Angle of its path in radians.
        first: Pace at which it swims before.
    """

    gait: str
    pace: float = 0.0
    turn: float = 0.0
    climb: float = 0.0
    first: float = 0.0


def calm() -> list[ProgrammeItem]:
    """The motions that every fish can do."""
    swims = [ProgrammeItem("swim", pace, turn, 0.0, pace) for turn in (0.0, *TURNS) for pace in PACES]
    climbs = [ProgrammeItem("swim", CLIMB_PACE, 0.0, climb, CLIMB_PACE) for climb in CLIMBS]
    return [
        *swims,
        *climbs,
        ProgrammeItem("glide", first=1.0),
        ProgrammeItem("brake", first=1.0),
        ProgrammeItem("retreat"),
    ]


def swift(species: Species) -> list[ProgrammeItem]:
    """The motions of fishes that burst and start; none for a fish that does neither."""
    if not species.rhythm.burst_beat:
        return []
    bursts = [ProgrammeItem("swim", BURST_PACE, turn, 0.0, BURST_PACE) for turn in (0.0, *TURNS)]
    return bursts + ([ProgrammeItem("start", BURST_PACE, CSTART_ANGLE)] if species.rhythm.start else [])


def commands(items: Sequence[ProgrammeItem], begin: float) -> Callable[[float], Commands]:
    """Motor commands of some fishes by the time: what comes first, and from `begin` seconds on what they are for.

    A turn that is begun anew in every frame, each time by another hair's breadth, never comes to its end.
    """
    gait = np.array([GAITS.index(item.gait) for item in items])
    pace, turn, climb, first = (
        np.array([getattr(item, field.name) for item in items]) for field in fields(ProgrammeItem)[1:]
    )
    starts, swims = gait == GAITS.index("start"), gait == GAITS.index("swim")

    def command(t: float) -> Commands:
        on = t >= begin
        sign = 1.0 if round(t * CAPTURE_FPS) % 2 else -1.0
        meant = np.where(swims | starts, pace, 0.0) if on else first
        return Commands(
            swim=np.minimum(meant, 1.0),
            turn=np.where(swims & (turn != 0.0), turn + sign * TURN_NUDGE, 0.0) if on else np.zeros(len(items)),
            climb=climb if on else np.zeros(len(items)),
            brake=(gait == GAITS.index("brake")) & on,
            back=1.0 * ((gait == GAITS.index("retreat")) & on),
            burst=np.clip(meant - 1.0, 0.0, 1.0),
            cstart=np.where(starts, turn, 0.0) if on else np.zeros(len(items)),
        )

    return command
