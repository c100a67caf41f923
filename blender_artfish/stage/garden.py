"""Gardens of a stage: colonies planted by seed, clear of swimmers, obstacles and the camera's line of sight."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import lru_cache
from typing import cast

import bpy
import numpy as np
from mathutils import Matrix, Vector

from ...core.geometry.bed import Bed
from ...core.habitat.obstacles import Obstacles
from ...core.recording import Recording
from .corals import GROWTHS, SAND, SIDE, TOP, Colony
from .objects import add
from .room import Room
from .shapes import read, unit
from .view import PICTURE_HALF_HEIGHT, SENSOR_MM, Framing

TRIES = (1.0, 0.7, 0.45)
"""Sizes, over the drawn one, tried one after another where something swims."""
CLEAR_SHARE = 0.8
"""Central share of the picture that growth nearer than the fishes stays out of."""
JUST_ABOVE = np.array([0.0, 0.0, 0.04])
"""Height above the sand from which on the space must be clear, metres."""
ROOTED_METRES = 0.03
"""Depth to which clinging growth may be rooted in a pillar or a rock, metres."""
SUNK = 0.04
"""Depth to which a colony is sunk into its ground, over its height."""
SUN_UP = np.array([0.0, 0.0, 0.8])
"""Vector added to a rock's normal: growth turns up to the light."""


@dataclass
class Garden:
    """Plants colonies, instances of a few meshes a kind.

    Attributes:
        collection: Collection for the colonies.
        colonies: Colonies by kind.
        recording: Recording of the film.
        view: The film's camera.
        draws: Generator of their places.
        room: Room free of swimmers.
    """

    collection: bpy.types.Collection
    colonies: dict[str, list[Colony]]
    recording: Recording
    view: Framing
    draws: np.random.Generator
    room: Room
    bed: Bed | None = field(init=False)

    def __post_init__(self) -> None:
        scene = self.recording.scene
        self.bed = Bed.from_scene(scene)
        self._painted = None if scene.stage.painted is None else np.array(scene.stage.painted)
        self._weed = [(np.array(cluster.at[:2]), cluster.spread) for cluster in scene.seaweed]
        self._vents = [np.array(vent.at[:2]) for vent in scene.bubbles]
        self._solids = Obstacles.from_scene(scene, walls=False)
        self._size = np.array(scene.tank.size)

    def many(self, count: float) -> int:
        """Number to plant, drawn about a count scaled by the stage's growth."""
        return int(self.draws.poisson(count * self.recording.scene.stage.growth))

    def ground(self, at: np.ndarray) -> float:
        """Height of the sand at a point (2 or 3,) in and about the tank."""
        return 0.0 if self.bed is None else float(self.bed.height(at[0], at[1]))

    def on_bed(self, at: np.ndarray, sunk: float = 0.0) -> np.ndarray:
        """The point (3,) of the sand below or above a point (2 or 3,), or sunk so many metres into it."""
        return np.array([at[0], at[1], self.ground(at) - sunk])

    def kind_for(self, ground: str) -> str | None:
        """A kind that grows on a ground, drawn by frequency."""
        names, shares = _growing(tuple(self.colonies), ground)
        return names[_chosen(self.draws, shares)] if names else None

    def grow(
        self, at: np.ndarray, ground: str, up: np.ndarray | None = None, size: float = 1.0, clings: bool = False
    ) -> bool:
        """Plant a kind that grows on such a ground; returns whether there was room."""
        kind = self.kind_for(ground)
        if kind is None:
            return False
        low, high = GROWTHS[kind].heights
        height = size * (low + (high - low) * self.draws.uniform() ** 1.5)
        return self.plant(kind, at, height, up, clings=clings)[0]

    def plant(
        self,
        kind: str,
        at: np.ndarray,
        height: float,
        up: np.ndarray | None = None,
        painted: bool = True,
        clings: bool = False,
    ) -> tuple[bool, Matrix]:
        """Plant a colony, smaller if that makes it fit.

        Args:
            kind: Its kind.
            at: Middle of its foot, (3,) metres.
            height: Its height in metres.
            up: Direction of growth, (3,), of any length; straight up if left out.
            painted: Whether the paint of the bed counts.
            clings: Whether it grows on an obstacle, which stands before the camera anyway.

        Returns:
            Whether it was planted, and its matrix of place, turn and size.
        """
        draws = self.draws
        colony = self.colonies[kind][int(draws.integers(len(self.colonies[kind])))]
        upright = Vector((0, 0, 1) if up is None else up.tolist()).to_track_quat("Z", "Y").to_matrix().to_4x4()
        turn = Matrix.Rotation(draws.uniform(0, 2 * np.pi), 4, "Z")
        chance = draws.uniform()
        if (painted and chance >= self.painted(at)) or self.inside_solid(
            at + JUST_ABOVE, ROOTED_METRES if clings else 0.0
        ):
            return False, Matrix()
        for share in TRIES:
            size = share * height
            foot = Matrix.Translation(Vector((np.asarray(at) - (0.0, 0.0, SUNK * size)).tolist()))
            place = foot @ upright @ turn @ Matrix.Scale(size, 4)
            low, high = box(colony, place)
            if self.has_room(low, high, clings):
                obj = add(self.collection, kind, colony.data)
                obj.matrix_world = place
                return True, place
        return False, Matrix()

    def has_room(self, low: np.ndarray, high: np.ndarray, clings: bool = False) -> bool:
        """True if the box between two corners (3,) is clear of swimmers, weed, vents and the camera's line of sight."""
        middle, reach = 0.5 * (low + high), 0.5 * float(np.linalg.norm((high - low)[:2]))
        if any(np.linalg.norm(middle[:2] - weed) < spread + 0.7 * reach for weed, spread in self._weed):
            return False
        if any(np.linalg.norm(middle[:2] - vent) < 0.05 + 0.5 * reach for vent in self._vents):
            return False
        return self.room.free(low, high) and not self.hides(middle, high[2], reach, clings)

    def hides(self, middle: np.ndarray, top: float, reach: float, clings: bool = False) -> bool:
        """True if growth here would hide the camera's target, or stand close before the camera."""
        eye, ray = self.view.at, self.view.target - self.view.at
        away = middle - eye
        if np.linalg.norm(away) < 0.45 + 1.2 * reach:
            return True
        if clings:
            return False
        distance = float(np.linalg.norm(ray))
        ahead = ray / distance
        depth = float(away @ ahead)
        if not 0.0 < depth < distance:
            return False
        right = np.array([ahead[1], -ahead[0], 0.0]) / max(float(np.hypot(*ahead[:2])), 1e-9)
        zoom = self.view.lens / SENSOR_MM / depth
        above = zoom * float((np.array([*middle[:2], top]) - eye) @ np.cross(right, ahead))
        across = zoom * (abs(float(away @ right)) - reach)
        return across < 0.5 * CLEAR_SHARE and above > -CLEAR_SHARE * PICTURE_HALF_HEIGHT

    def painted(self, at: np.ndarray) -> float:
        """Share of growth that the paint leaves at a point, 0 to 1; outside the tank that of the nearest wall."""
        if self._painted is None:
            return 1.0
        rows, columns = self._painted.shape
        across, along = np.clip(at[:2] / self._size[:2], 0.0, 1.0) * (columns - 1, rows - 1)
        column, row = min(int(across), columns - 2), min(int(along), rows - 2)
        x, y = across - column, along - row
        near = self._painted[row : row + 2, column : column + 2]
        return float(np.array([1.0 - y, y]) @ near @ np.array([1.0 - x, x]))

    def inside_solid(self, at: np.ndarray, deep: float = 0.0) -> bool:
        """True if a point (3,) is at least so many metres deep in a pillar or a rock that fishes know."""
        return bool(len(self._solids)) and bool(self._solids.distance(np.asarray(at, dtype=float)[None])[0][0] < -deep)

    def around(self, foot: np.ndarray, radius: float, height: float) -> None:
        """Plant the foot, the sides and the top of a pillar."""
        draw = self.draws.uniform
        for _ in range(self.many(12)):
            way = unit(draw(0, 2 * np.pi))
            self.grow(self.on_bed(foot + (1.12 * radius + draw(0.0, 0.35)) * way), SAND, size=0.9)
        for _ in range(self.many(26 * height * max(2.0 * radius, 0.5))):
            way = unit(draw(0, 2 * np.pi))
            at = foot + 0.97 * radius * way + (0, 0, draw(0.12, 0.97) * height)
            self.grow(at, SIDE, np.array([way[0], way[1], 0.9]), size=0.6, clings=True)
        for _ in range(self.many(18 * radius)):
            away = draw(0, 0.8) * radius * unit(draw(0, 2 * np.pi))
            self.grow(foot + away + (0, 0, height + 0.02), TOP, size=0.7, clings=True)

    def over(
        self, vertices: np.ndarray, faces: np.ndarray, density: float = 16.0, size: float = 0.6, most: int = 40
    ) -> None:
        """Plant the upper sides of a rock.

        Args:
            vertices: Its vertices (n, 3), metres.
            faces: Triangles (m, 3).
            density: Colonies a square metre.
            size: Their size, over the usual.
            most: Most colonies to plant.
        """
        corners = vertices[faces]
        normal = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
        area = 0.5 * np.linalg.norm(normal, axis=1)
        upward = normal[:, 2] / np.maximum(2.0 * area, 1e-12)
        weight = area * np.clip(upward + 0.35, 0.0, 1.0)
        total = weight.sum()
        if not total:
            return
        shares = _rising(weight / total)
        for _ in range(min(self.many(density * total), most)):
            row = _chosen(self.draws, shares)
            at = self.draws.dirichlet(np.ones(3)) @ corners[row]
            self.grow(at, TOP if upward[row] > 0.7 else SIDE, normal[row] / (2.0 * area[row]) + SUN_UP, size, True)

    def rock(self, kind: str, at: np.ndarray, height: float, density: float = 16.0, size: float = 0.8) -> bool:
        """Put a rock on the bed, with growth on it; returns whether there was room."""
        stands, place = self.plant(kind, at, height)
        if stands and density:
            vertices, faces = read(cast(bpy.types.Mesh, self.collection.objects[-1].data))
            vertices = vertices @ np.array(place.to_3x3()).T + place.translation
            faces = faces[vertices[faces].mean(axis=1)[:, 2] > at[2] + 0.05]
            self.over(vertices, np.concatenate([faces[:, :3], faces[:, [0, 2, 3]]]), density, size)
        return stands

    def patch(self, middle: np.ndarray, count: float, spread: float, size: float = 1.0, rubble: float = 2.0) -> None:
        """Plant a garden on the sand about a point (2,): colonies, larger towards its middle, and rubble."""
        for _ in range(self.many(count)):
            away = self.draws.normal(size=2)
            at = self.on_bed(middle + spread * away)
            if not self.inside_solid(at + (0, 0, 0.03)):
                self.grow(at, SAND, size=size * (1.15 - 0.3 * min(float(np.linalg.norm(away)), 2.0)))
        for _ in range(self.many(rubble)):
            at = self.on_bed(middle + 1.6 * spread * self.draws.normal(size=2))
            self.plant("Rubble", at, self.draws.uniform(*GROWTHS["Rubble"].heights))

    def in_view(self, nearest: float = 0.0, farthest: float = 4.0) -> np.ndarray:
        """A random point on the sand (2,) in the camera's view, so many metres behind its target."""
        ray = (self.view.target - self.view.at)[:2]
        distance = max(float(np.hypot(*ray)), 0.1)
        away = (distance + self.draws.uniform(nearest, farthest)) * ray / distance
        side = 0.5 * self.draws.uniform(-1.0, 1.0) * SENSOR_MM / self.view.lens * np.array([-away[1], away[0]])
        return self.view.at[:2] + away + side

    def outside(self, nearest: float, farthest: float) -> np.ndarray:
        """A random point (2,) outside the tank, so many metres from the nearest wall."""
        size, reach = self._size[:2], self.draws.uniform(nearest, farthest)
        at = self.draws.uniform(-reach, size + reach)
        axis, far = int(self.draws.integers(2)), bool(self.draws.integers(2))
        at[axis] = size[axis] + reach if far else -reach
        return at


@lru_cache(maxsize=16)
def _growing(kinds: tuple[str, ...], ground: str) -> tuple[list[str], np.ndarray]:
    """Those of these kinds that grow on a ground, and their frequencies summed by `_rising`."""
    names = [name for name in kinds if name in GROWTHS and ground in GROWTHS[name].grounds]
    often = np.array([GROWTHS[name].often for name in names])
    return (names, _rising(often / often.sum())) if often.sum() else ([], often)


def _rising(shares: np.ndarray) -> np.ndarray:
    """Cumulative sums of shares (n,), normalized to end at 1, for repeated choices."""
    sums = shares.cumsum()
    return sums / sums[-1]


def _chosen(draws: np.random.Generator, shares: np.ndarray) -> int:
    """An index chosen like `Generator.choice`, by shares summed by `_rising`, (n,)."""
    return int(shares.searchsorted(draws.random(), side="right"))


def box(colony: Colony, place: Matrix) -> tuple[np.ndarray, np.ndarray]:
    """Lowest and highest corner (3,) of the bounding box of a placed colony."""
    there = colony.corners @ np.array(place).T[:, :3]
    return there.min(axis=0), there.max(axis=0)
