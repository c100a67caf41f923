"""Obstacles in the tank: upright cylinders, in closed form, meshes and the bed of the sea, and what moves among them.

All answer the same two questions as the tank does: the distance of the nearest surface, and the free distance along a
straight path (the antenna of Tu 1999, §6.6.1).
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
        distance, direction = self._from_cylinders(points)
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

    def _from_cylinders(self, points: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """The part of `distance` that is due to cylinders."""
        if not len(self.radius):
            upwards = np.zeros(points.shape)
            upwards[..., 2] = 1.0
            return np.full(points.shape[:-1], np.inf), upwards
        distance, direction = np.empty(points.shape[:-1]), np.empty(points.shape)
        if FROM_CYLINDERS(points=points, cylinders=self.cylinders, distance=distance, direction=direction):
            return distance, direction
        nearest = self._nearest_cylinder(points)
        arm, out, up = self._offsets(points, self.at[nearest], self.radius[nearest], self.height[nearest])
        # Outside, the distance grows along the line from the nearest point; inside, along the shorter way out.
        beyond_out, beyond_up = np.maximum(out, 0.0), np.maximum(up, 0.0)
        corner = np.sqrt(np.square(beyond_out) + np.square(beyond_up))
        inside = corner == 0
        scale = np.where(inside, 1.0, corner)
        sideways = np.where(inside, out >= up, beyond_out / scale)
        upright = np.where(inside, out < up, beyond_up / scale) * np.where(arm[..., 2] < 0, -1.0, 1.0)
        length = np.sqrt(np.square(arm[..., 0]) + np.square(arm[..., 1]))
        on_axis = (length == 0)[..., None]
        flat = np.where(on_axis, (1.0, 0.0), arm[..., :2] / np.where(on_axis, 1.0, length[..., None]))
        direction = np.concatenate((sideways[..., None] * flat, upright[..., None]), axis=-1)
        return corner + np.minimum(np.maximum(out, up), 0.0), direction

    def _nearest_cylinder(self, points: np.ndarray) -> np.ndarray:
        """Row of the cylinder whose surface is nearest, (...); one after the other, for each fits into the cache."""
        nearest, least = np.zeros(points.shape[:-1], dtype=int), np.full(points.shape[:-1], np.inf)
        x, y, z = np.moveaxis(points, -1, 0)
        for row, (at, radius, height) in enumerate(zip(self.at, self.radius, self.height, strict=True)):
            out = np.sqrt(np.square(x - at[0]) + np.square(y - at[1])) - radius
            up = np.abs(z - at[2] - height / 2) - height / 2
            most = np.maximum(out, up)
            distance = np.where(
                most > 0, np.sqrt(np.square(np.maximum(out, 0.0)) + np.square(np.maximum(up, 0.0))), most
            )
            nearer = distance < least
            nearest[nearer], least[nearer] = row, distance[nearer]
        return nearest

    def nearest(self, points: np.ndarray, count: int) -> np.ndarray:
        """Rows of the cylinders whose mantles are nearest, nearest first.

        Args:
            points: Places in metres, (n, 3).
            count: Greatest number to find.

        Returns:
            Rows, (count, n), or (k, 1) where there are no more than count cylinders.
        """
        if len(self.radius) <= count:
            return np.arange(len(self.radius))[:, None]
        x, y = points[:, 0] - self.at[:, 0, None], points[:, 1] - self.at[:, 1, None]
        return np.argsort(np.sqrt(x * x + y * y) - self.radius[:, None], axis=0, kind="stable")[:count]

    def free_path(
        self,
        points: np.ndarray,
        directions: np.ndarray,
        margin: ArrayLike,
        among: np.ndarray | None = None,
        reach: ArrayLike = np.inf,
    ) -> np.ndarray:
        """Length of a straight path before it comes within a margin of a standing obstacle.

        The cylinder with its margin is a cylinder again: larger by the margin in radius and at either end. A path
        that starts within it has 0 if it leads further in, and all of its way if it leads out.

        Args:
            points: Starts in metres, (..., 3).
            directions: Unit vectors, (..., 3).
            margin: Distance to keep in metres, (...).
            among: Rows of the cylinders that count, as many for each path, (r, ...); all if left out. What is no
                cylinder always counts.
            reach: Metres beyond which the length does not matter, (...); solids but cylinders are not looked for there.

        Returns:
            Metres, 0 or more, infinite where nothing is in the way, (...).
        """
        start, way = np.moveaxis(points, -1, 0), np.moveaxis(directions, -1, 0)
        dx, dy, dz = way
        # Equation 6.2 with 6.1 put in, a t^2 + 2 b t + c = 0, for the mantle, and a slab for the two ends.
        a = np.maximum(dx * dx + dy * dy, 1e-12)
        steep = np.where(np.abs(dz) < 1e-12, 1e-12, dz)
        free = np.full(np.broadcast_shapes(start.shape, way.shape)[1:], np.inf)
        for row in np.arange(len(self.radius)) if among is None else among:
            half_height = self.height[row] / 2
            x, y, z = (start[axis] - self.at[row, axis] for axis in range(3))
            z -= half_height
            b, c = x * dx + y * dy, x * x + y * y - np.square(self.radius[row] + margin)
            discriminant = b * b - a * c
            root = np.sqrt(np.maximum(discriminant, 0.0))
            half, middle = (half_height + margin) / np.abs(steep), -z / steep
            enter = np.maximum((-b - root) / a, middle - half)
            leave = np.minimum((-b + root) / a, middle + half)
            hit = (discriminant > 0) & (leave > np.maximum(enter, 0.0))
            outward = (enter < 0) & ((b > 0) | ((z * dz > 0) & (np.abs(z) > half_height)))
            free = np.where(hit & ~outward, np.minimum(free, np.maximum(enter, 0.0)), free)
        for solid in self.standing:
            free = np.minimum(free, solid.free_path(points, directions, margin, reach))
        return free

    @staticmethod
    def _offsets(
        points: np.ndarray, at: np.ndarray, radius: np.ndarray, height: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Vector from the middle of a cylinder to a point (..., 3); distances beyond its mantle and its ends."""
        arm = points - at
        arm[..., 2] -= height / 2
        return arm, np.sqrt(np.square(arm[..., 0]) + np.square(arm[..., 1])) - radius, np.abs(arm[..., 2]) - height / 2
