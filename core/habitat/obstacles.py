"""Obstacles in the tank: upright cylinders, in closed form, meshes and the bed of the sea, and what moves among them.

All answer the same question as the tank does: the distance of the nearest surface. How far a straight path is free is
felt by the antenna of core/perception/collision.py.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from ..compiled import compiled, reads, reals, record, takes, writes
from ..geometry.basin import Basin
from ..geometry.bed import Bed
from ..geometry.pillar import Pillar
from ..geometry.solids import Solid
from .movers import Movers, Presence

POINTS_A_THREAD = 4000
"""Points whose distances are worth a thread of their own."""

CYLINDER = record("Cylinder", **reals("x y z radius height"))
FROM_CYLINDERS = compiled(
    "from_cylinders",
    over="n",
    least=POINTS_A_THREAD,
    points=takes("f8", "*n", 3),
    cylinders=reads(CYLINDER, "count"),
    distance=writes("f8", "*n"),
    direction=writes("f8", "*n", 3),
)


class Obstacles:
    """All that is in the tank: upright solid cylinders, meshes, the bed, and what moves.

    Attributes:
        standing: Meshes, the walls of a tank that is no box, and the bed last where there is one.
        movers: What moves; no standing cylinder is among it.
        solids: All of these.
        presences: Those of all that fishes take for somebody.
        at: Middle of the foot of each cylinder in metres, (k, 3).
        radius: Metres, (k,).
        height: Metres, (k,).
        cylinders: These numbers of cylinders, at, radius and height, as compiled functions take them, (k, 5).
    """

    def __init__(
        self,
        at: ArrayLike = (),
        radius: ArrayLike = (),
        height: ArrayLike = (),
        solids: Sequence[Solid] = (),
        movers: Movers | None = None,
        presences: Sequence[Presence] = (),
    ):
        """Cylinders by feet (k, 3), radii (k,) and heights (k,) in metres, and solids of any form.

        Moving obstacles are taken as they are in `movers`; `presences` are those of standing ones.
        """
        self.standing, self.movers = tuple(solids), Movers() if movers is None else movers
        self.presences = (*self.movers.presences, *presences)
        self.solids: tuple[Solid, ...] = (*self.standing, *self.movers.solids)
        self.at = np.array(at, dtype=float).reshape(-1, 3)
        self.radius = np.array(radius, dtype=float).reshape(-1)
        self.height = np.array(height, dtype=float).reshape(-1)
        self.cylinders = np.column_stack((self.at, self.radius, self.height)) if len(self.radius) else np.zeros((0, 5))

    @classmethod
    def from_scene(cls, scene: Any, walls: bool = True, movers: Movers | None = None) -> Obstacles:
        """The obstacles of a Scene.

        Args:
            scene: Their scene.
            walls: True to have the walls of a tank that is no box among them.
            movers: What moves, where it exists already; as it is when the scene begins if left out.
        """
        standing = [(row, obstacle) for row, obstacle in enumerate(scene.obstacles) if obstacle.motion is None]
        still = [obstacle for _, obstacle in standing]
        pillars = [obstacle for obstacle in still if obstacle.kind == "cylinder"]
        bed = Bed.from_scene(scene)
        solids: list[Solid] = [obstacle.solid for obstacle in still if obstacle.kind == "mesh"]
        if movers is None:
            movers = Movers(scene.bodies, -scene.preroll_frames / scene.fps, 1.0 / scene.fps)
        solids += [scene.tank.basin] if walls and scene.tank.faces is not None else []
        solids += [] if bed is None else [bed]
        presences = [presence for row, one in standing for presence in Presence.of(one, one.solid, row)]
        feet, radii, heights = ([getattr(p, name) for p in pillars] for name in ("at", "radius", "height"))
        return cls(feet, radii, heights, solids, movers, presences)

    @property
    def grounds(self) -> tuple[Solid, ...]:
        """The bed, and the walls of a tank that is no box, as far as there are any."""
        return tuple(solid for solid in self.standing if isinstance(solid, Bed | Basin))

    def without(self, solid: Solid) -> Obstacles:
        """All but one solid, which may be a pillar's."""
        rest = [one for one in self.solids if one is not solid]
        others = np.ones(len(self.radius), dtype=bool)
        if isinstance(solid, Pillar):
            others = (self.at != solid.at).any(axis=1)
        return Obstacles(self.at[others], self.radius[others], self.height[others], rest)

    def __len__(self) -> int:
        return len(self.radius) + len(self.solids)

    def distance(self, points: np.ndarray, but: Solid | None = None) -> tuple[np.ndarray, np.ndarray]:
        """Distance to the surface of the nearest obstacle.

        Args:
            points: Places in metres, (..., 3).
            but: A solid that does not count.

        Returns:
            Distance in metres, negative inside, (...), and the unit direction in which it grows, (..., 3). Without
            any obstacle the distance is infinite and the direction up.
        """
        distance, direction = np.empty(points.shape[:-1]), np.empty(points.shape)
        FROM_CYLINDERS(points=points, cylinders=self.cylinders, distance=distance, direction=direction)
        for solid in self._nearer(points, distance, but):
            other, way = solid.distance(points)
            nearer = other < distance
            distance = np.where(nearer, other, distance)
            direction = np.where(nearer[..., None], way, direction)
        return distance, direction

    def nearest_of_solids(self, points: np.ndarray, distance: np.ndarray) -> np.ndarray:
        """The lesser of distances (...) of places (..., 3) and of those to all but standing cylinders, in metres."""
        for solid in self._nearer(points, distance):
            distance = np.minimum(distance, solid.distance(points)[0])
        return distance

    def pushed_out(self, places: np.ndarray, gap: float) -> np.ndarray:
        """Places (n, 3) in metres, moved off the nearest obstacle by what they lack of a gap in metres, (n, 3)."""
        if not len(self):
            return places
        depth, away = self.distance(places)
        return places + np.maximum(gap - depth, 0.0)[:, None] * away

    def _nearer(self, points: np.ndarray, distance: np.ndarray, but: Solid | None = None) -> Iterator[Solid]:
        """All but standing cylinders, and but one, that may be nearer to places (..., 3) than distances (...)."""
        yield from (solid for solid in self.standing if solid is not but)
        if len(self.movers):
            yield from self.movers.nearer(points, distance, but)

    def velocity(self, points: np.ndarray) -> np.ndarray:
        """Velocity of the obstacle nearest to each of places (n, 3) in m/s, (n, 3): 0 where that stands."""
        velocity = np.zeros(points.shape)
        if len(self.movers):
            nearest = self.distance(points)[0]
            for solid in self.movers.nearer(points, nearest):
                near = np.flatnonzero(solid.distance(points)[0] <= nearest)
                velocity[near] = solid.velocity(points[near])
        return velocity
