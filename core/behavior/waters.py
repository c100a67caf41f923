"""The fishes' surroundings, as far as their decisions take them into account."""

from __future__ import annotations

from dataclasses import dataclass

from ..habitat.hook import BaitedHook
from ..habitat.obstacles import Obstacles
from ..habitat.plankton import PlanktonCloud
from ..habitat.plume import Plume
from ..habitat.tank import WaterBox


@dataclass(frozen=True, eq=False)
class Waters:
    """Everything in the fishes' water that their decisions take into account.

    Attributes:
        tank: The tank.
        obstacles: Obstacles, which block views and take room.
        plankton: Drifting food; there may be none of it.
        hook: A hook with bait; None where there is none.
        plume: Drifting smells; None where no fish follows any.
    """

    tank: WaterBox
    obstacles: Obstacles
    plankton: PlanktonCloud
    hook: BaitedHook | None
    plume: Plume | None = None
