"""Growth: algae, polyps and sponge on rock and coral, which fishes bite off, and which grow again.

The book's fishes eat plankton alone. On a real reef most of what swims there bites at what stands: parrotfish and
tangs at algae, butterflyfish at polyps, angelfish at sponge (Choat & Bellwood 1991; the numbers are ours).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ..base.dice import Dice
from ..base.state import Stateful, state
from ..geometry.scatter import mesh_area, on_mesh, on_pillar, pillar_area
from .ground import Ground
from .obstacles import Obstacles
from .tank import WaterBox
from .tuning import GROWTH_GAP_METRES, GROWTH_ROOM_METRES, GROWTH_SECONDS, MOST_TUFTS

GROWTH_DICE = 5 << 32  # purpose of its dice


class ReefGrowth(Stateful):
    """All that grows on what stands in a scene.

    Attributes:
        place: Middles of the tufts in metres, (tuft, 3).
    """

    _bare: np.ndarray = state("f8", "tuft", unit="s", low=0)  # until it has grown again

    def __init__(self, place: np.ndarray):
        """Begins with every tuft grown, at places in metres, (tuft, 3)."""
        self.place = place
        self._fill(tuft=len(place))

    @classmethod
    def from_scene(cls, scene: Any, tank: WaterBox, obstacles: Obstacles, seed: int) -> ReefGrowth:
        """The growth on the standing obstacles of a Scene, wherever a fish gets at it.

        Args:
            scene: Their scene, each of whose obstacles says how much grows on a square metre of it.
            tank: Walls, the surface and the floor.
            obstacles: All that stands.
            seed: Seed of the world.
        """
        place, out = strewn(scene, seed, GROWTH_DICE)
        open_water = place + GROWTH_ROOM_METRES * out
        gap = Ground(tank, obstacles).room(open_water)
        return cls((place + GROWTH_GAP_METRES * out)[gap > 0.5 * GROWTH_ROOM_METRES])

    def __len__(self) -> int:
        return len(self.place)

    @property
    def there(self) -> np.ndarray:
        """Mask of the tufts that there is something of to bite, (tuft,) bool."""
        return self._bare <= 0.0

    def bitten(self, tufts: np.ndarray) -> None:
        """Bites these tufts off, (n,)."""
        self._bare[tufts] = GROWTH_SECONDS

    def advance(self, dt: float) -> None:
        """Grows for `dt` seconds."""
        self._bare = np.maximum(self._bare - dt, 0.0)


def strewn(scene: Any, seed: int, purpose: int, density: float | None = None) -> tuple[np.ndarray, np.ndarray]:
    """Points strewn over the standing obstacles of a Scene, but its bed.

    Args:
        scene: Their scene.
        seed: Seed of the world.
        purpose: Purpose of the dice.
        density: Points on a square metre; what grows there if left out.

    Returns:
        The points in metres, (n, 3), `MOST_TUFTS` at most, and the unit vectors outwards, (n, 3).
    """
    standing = [one for one in scene.obstacles if one.motion is None]
    areas = [pillar_area(one.solid) if one.kind == "cylinder" else mesh_area(*one.placed) for one in standing]
    dense = [one.growth if density is None else density for one in standing]
    counts = np.rint(np.array(areas) * np.array(dense))
    ends = np.cumsum(counts)
    counts = np.floor(counts * min(1.0, MOST_TUFTS / max(ends[-1] if len(ends) else 0.0, 1.0))).astype(int)
    ends = np.cumsum(counts)
    every = np.arange(ends[-1] if len(ends) else 0)
    dice = Dice(seed, every, purpose=purpose)
    throws = np.stack([dice.uniform(every) for _ in range(3)], axis=1)
    place, out = np.zeros((len(every), 3)), np.zeros((len(every), 3))
    for one, end, count in zip(standing, ends, counts, strict=True):
        rows = slice(end - count, end)
        if one.kind == "cylinder":
            place[rows], out[rows] = on_pillar(one.solid, throws[rows])
        elif count:
            vertices, triangles = one.placed
            place[rows], out[rows] = on_mesh(vertices, triangles, throws[rows])
    return place, out
