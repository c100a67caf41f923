"""The fishes' surroundings, as far as their decisions take them into account."""

from __future__ import annotations

from dataclasses import dataclass

from ..habitat.growth import ReefGrowth
from ..habitat.hook import BaitedHook
from ..habitat.obstacles import Obstacles
from ..habitat.plankton import PlanktonCloud
from ..habitat.plume import Plume
from ..habitat.tank import WaterBox
from .routines.den import Dens
from .routines.host import Hosts
from .routines.sleep import Sleep


@dataclass(frozen=True, eq=False)
class Waters:
    """Everything in the fishes' water that their decisions take into account.

    Attributes:
        tank: The tank.
        obstacles: Obstacles, which block views and take room.
        plankton: Drifting food; there may be none of it.
        hook: A hook with bait; None where there is none.
        hosts: Anemones, and who lives in which.
        dens: Holes, and who lives in them.
        sleep: Who sleeps when, and where.
        growth: What grows on all that stands, for fishes that bite at it.
        plume: Drifting smells; None where no fish follows any.
    """

    tank: WaterBox
    obstacles: Obstacles
    plankton: PlanktonCloud
    hook: BaitedHook | None
    growth: ReefGrowth
    hosts: Hosts
    dens: Dens
    sleep: Sleep
    plume: Plume | None = None
