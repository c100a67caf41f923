"""Obstacles that are taken for somebody: a diver, a submarine, a hand, a lure.

It is seen as a fish of its size would be, with the place of its surface that is nearest in the middle of attention.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..base.vectors import norm, unit
from ..geometry.moving import Moving
from ..habitat.obstacles import Obstacles
from .retina.sight import RetinalSight
from .swimmers import NO_FISH, Swimmers
from .tuning import LOOMING_SPEED, NEAR_SURFACE_SHARE
from .vision import blocks, in_field


@dataclass(frozen=True)
class Glimpse:
    """The view of n fishes on k presences each.

    Attributes:
        distance: Metres from the nose to the surface, infinite where it is not seen, (n, k).
        place: Nearest point of the surface in metres, (n, k, 3).
        speed: Speed of that point over ground in m/s, (n, k).
    """

    distance: np.ndarray
    place: np.ndarray
    speed: np.ndarray

    def nearest(self, which: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """The nearest visible one of some presences, (k,) bool: metres to it, (n,), and its place, (n, 3)."""
        distance = np.where(which, self.distance, np.inf)
        best = distance.argmin(axis=1)
        rows = np.arange(len(distance))
        return distance[rows, best], self.place[rows, best]


class Presences:
    """All presences, and the eyes of fishes for them.

    Attributes:
        kinds: Kind of each, a word of the scene, (k,).
    """

    def __init__(
        self, obstacles: Obstacles, sight: np.ndarray, length: np.ndarray, retinas: RetinalSight | None = None
    ):
        """Takes over where they are.

        Args:
            obstacles: Among which they are.
            sight: Distance at which each fish sees another of its own length, in metres, (fish,).
            length: Metres, (fish,).
            retinas: The eyes of those that see with images; None where nobody does.
        """
        self._retinas = retinas
        self._all, self._sight, self._length = obstacles.presences, sight, length
        self.kinds = np.array([one.kind for one in self._all], dtype=object)
        self._others = [obstacles.without(one.solid) for one in self._all]

    def __len__(self) -> int:
        return len(self._all)

    def look(self, fishes: np.ndarray, swimmers: Swimmers) -> Glimpse:
        """The glimpses that these fishes, (n,), have of presences."""
        eye, ahead = swimmers.nose[fishes], swimmers.ahead[fishes]
        shape = len(fishes), len(self)
        found = Glimpse(np.full(shape, np.inf), np.zeros((*shape, 3)), np.zeros(shape))
        for column, (one, others) in enumerate(zip(self._all, self._others, strict=True)):
            reach = self._sight[fishes] * np.maximum(one.size / self._length[fishes], 1.0)
            near = one.solid.near(eye, reach) if isinstance(one.solid, Moving) else np.arange(len(eye))
            distance, away = one.solid.distance(eye[near])
            ray = -distance[:, None] * away
            some = np.flatnonzero((distance < reach[near]) & in_field(ray, np.abs(distance), ahead[near]))
            near, distance, ray = near[some], distance[some], ray[some]
            seen = ~blocks(eye[near], eye[near] + NEAR_SURFACE_SHARE * ray, others)
            near, distance, ray = near[seen], distance[seen], ray[seen]
            found.place[near, column] = eye[near] + ray
            found.speed[near, column] = norm(one.velocity(eye[near]))
            found.distance[near, column] = np.maximum(distance, 0.0)
            if self._retinas is not None:
                self._seen_by_images(found, column, fishes, reach)
        return found

    def _seen_by_images(self, found: Glimpse, column: int, fishes: np.ndarray, reach: np.ndarray) -> None:
        """Puts what images show of a presence in the place of what eyes see of it, up to a reach in metres, (n,)."""
        assert self._retinas is not None
        one, (mine, rows) = self._all[column], self._retinas.among(fishes)
        away = self._retinas.solid_range[rows, one.row]
        found.distance[mine, column] = np.where(away < reach[mine], away, np.inf)
        found.place[mine, column] = place = self._retinas.solid_place[rows, one.row]
        found.speed[mine, column] = norm(one.velocity(place))

    def seeming(self, glimpse: Glimpse, fishes: np.ndarray, looming: np.ndarray) -> np.ndarray:
        """Metres at which what n fishes glimpse seems to be, (n, k): farther off where it hardly moves (Dill 1974)."""
        fast = glimpse.speed / (LOOMING_SPEED * self._length[fishes, None])
        return glimpse.distance / np.maximum(1.0 - looming[:, None] * np.maximum(1.0 - fast, 0.0), 1e-9)

    def gap(self, kinds: tuple[str, ...], places: np.ndarray, reach: np.ndarray) -> np.ndarray:
        """Metres from places (n, 3) to the nearest presence of these kinds, seen or not, (n,).

        Args:
            kinds: Words of the scene.
            places: Metres, (n, 3).
            reach: Metres beyond which nobody asks, (n,).
        """
        gap = np.full(len(places), np.inf)
        for one in self._all:
            if one.kind in kinds:
                near = one.solid.near(places, reach) if isinstance(one.solid, Moving) else np.arange(len(places))
                gap[near] = np.minimum(gap[near], one.solid.distance(places[near])[0])
        return gap

    def gap_of_all(self, kinds: tuple[str, ...], places: np.ndarray, reach: np.ndarray) -> np.ndarray:
        """`gap` of the places of all fishes, (fish, 3), where those that see with images must see it, (fish,)."""
        gap = self.gap(kinds, places, reach)
        if self._retinas is not None:
            columns = [one.row for one in self._all if one.kind in kinds]
            gap[self._retinas.fishes] = self._retinas.solid_range[:, columns].min(axis=1, initial=np.inf)
        return gap

    def foes(self, which: np.ndarray, places: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """The places of presences from which fishes at places (n, 3) flee.

        Args:
            which: Row of the presence of each, (n,).
            places: Metres, (n, 3).

        Returns:
            Places of their surfaces that are nearest in metres, unit vectors along which they come and velocities in
            m/s, (n, 3) each; what does not move is taken to come straight at the fish.
        """
        at, motion = np.zeros(places.shape), np.zeros(places.shape)
        for row, one in enumerate(self._all):
            mine = np.flatnonzero(which == row)
            distance, away = one.solid.distance(places[mine])
            at[mine] = places[mine] - distance[:, None] * away
            motion[mine] = one.velocity(places[mine])
        return at, unit(np.where(motion.any(axis=1)[:, None], motion, places - at)), motion


NOBODY = NO_FISH
"""Row of no presence."""
