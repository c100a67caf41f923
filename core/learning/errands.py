"""Errands: what fishes do with the controllers that they have learned (Terzopoulos et al. 1994, §4.3, fig. 9).

They swim between buoys, reach a target that they see, follow a path, and keep their station in a current. Bearing and
distance of the goal, as they see them, become commands of speed and turn by a reflex, which practice betters.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from ..base.constants import constant
from ..base.vectors import norm, unit, wrap
from ..body.anatomy import NOSE_NODE
from ..motor.commands import Commands
from ..perception.vision import blocks, in_field
from ..world.world import World
from .tuning import (
    LOOKING_TURN,
    PATH_LEAD_LENGTHS,
    REACHED_LENGTHS,
    STATION_GAIN,
    STEEPEST_ERRAND,
)

BEARINGS = constant(np.radians((0.0, 45.0, 90.0, 180.0)))
NEAR, FAR = 1.0, 3.0
"""Body lengths from a goal, between which a reflex goes from its paces near it to those far from it."""
Goal = Callable[[float, World], np.ndarray]
"""The wanted place of each fish at a time, (fish, 3) in metres."""


@dataclass(frozen=True)
class Reflex:
    """The response of a fish to the sight of its goal.

    Attributes:
        far: Shares of full speed by the angle of the goal off the nose, at 0, 45, 90 and 180 degrees.
        near: The same close to it.
        renewal: Largest angle of the goal off the course, in radians, before it turns anew.
    """

    far: tuple[float, float, float, float] = (1.0, 0.8, 0.6, 0.5)
    near: tuple[float, float, float, float] = (0.8, 0.5, 0.3, 0.3)
    renewal: float = 0.15


class Tracker:
    """Leads fishes to goals that they see, and to where they last saw those that they do not.

    Attributes:
        seen: Fishes that see their goals now, (fish,) bool.
        reached: Second at which each first came to its goal, infinite before, (fish,).
    """

    def __init__(self, goal: Goal, reflexes: Sequence[Reflex], full: np.ndarray, *, holds: bool = False):
        """Begins with nothing seen.

        Args:
            goal: The goals.
            reflexes: One reflex for each fish.
            full: Full speed of each in lengths a second, (fish,).
            holds: Whether they are to stay at their goals, against the water that carries them.
        """
        self._goal, self._full, self._holds = goal, full, holds
        self._far, self._near = (np.array([getattr(one, name) for one in reflexes]) for name in ("far", "near"))
        self._renewal = np.array([one.renewal for one in reflexes])
        self._known = np.full((len(reflexes), 3), np.nan)
        self.seen, self.reached = np.zeros(len(reflexes), dtype=bool), np.full(len(reflexes), np.inf)

    def __call__(self, t: float, world: World) -> Commands:
        """The commands of all fishes from `t` seconds on: a pilot of worlds."""
        goal, nodes = self._goal(t, world), world.nodes
        eye, length = nodes[:, NOSE_NODE], world.shoal.length
        _, frames = world.shoal.frames()
        if self._holds:  # its station a fish knows, wherever it looks
            self._known = goal
        self._look(goal, eye, frames[:, :, 0], world)
        way = np.where(np.isnan(self._known), 0.0, self._known - eye)
        distance = norm(way) / length
        came = (norm(goal - eye) < REACHED_LENGTHS * length) & ~np.isfinite(self.reached)
        self.reached[came] = t
        if self._holds:
            return self._hold(t, way, world)
        bearing = wrap(np.arctan2(way[:, 1], way[:, 0]) - np.arctan2(frames[:, 1, 0], frames[:, 0, 0]))
        commands, _ = self._along(way, world)
        commands.swim[:] = self._pace(np.abs(bearing), distance)
        lost = np.isnan(self._known[:, 0])  # a fish that never saw its goal looks round for it
        commands.turn[lost], commands.climb[lost], commands.swim[lost] = LOOKING_TURN, 0.0, self._far[lost, 2]
        return commands

    def _look(self, goal: np.ndarray, eye: np.ndarray, ahead: np.ndarray, world: World) -> None:
        """Notes where the goals are that are seen."""
        ray, sight = goal - eye, np.array([world.models[name].mind.sight for name in world.species])
        away = norm(ray)
        seen = in_field(ray, away, ahead) & (away <= sight * world.shoal.length)
        seen[seen] = ~blocks(eye[seen], goal[seen], world.parts.water.obstacles)
        self.seen = seen
        self._known[seen] = goal[seen]

    def _pace(self, bearing: np.ndarray, distance: np.ndarray) -> np.ndarray:
        """Share of full speed by bearing in radians and distance in lengths, (fish,) each."""
        share = np.clip((distance - NEAR) / (FAR - NEAR), 0.0, 1.0)
        paces = [
            np.array([np.interp(b, BEARINGS, row) for b, row in zip(bearing, table, strict=True)])
            for table in (self._near, self._far)
        ]
        return paces[0] + share * (paces[1] - paces[0])

    def _hold(self, t: float, way: np.ndarray, world: World) -> Commands:
        """Through the water as fast as it comes, and a little towards the goal."""
        drift = world.parts.water.current.velocity(world.center_of_mass, t)
        speed = (STATION_GAIN * way - drift) / world.shoal.length[:, None]
        commands, off = self._along(speed, world)
        pace = norm(speed) * np.maximum(np.cos(off), 0.0) / self._full
        commands.swim[:] = np.clip(pace, 0.0, 1.0)
        return commands

    def _along(self, way: np.ndarray, world: World) -> tuple[Commands, np.ndarray]:
        """Commands to turn and climb along a way (fish, 3), and how far off it each is in radians, (fish,)."""
        off = wrap(np.arctan2(way[:, 1], way[:, 0]) - world.parts.bodies.motor.base)
        level = np.hypot(way[:, 0], way[:, 1])
        commands = Commands.still(len(way))
        commands.turn[:] = np.where(np.abs(off) > self._renewal, off, 0.0)
        commands.climb[:] = np.clip(np.arctan2(way[:, 2], level), -STEEPEST_ERRAND, STEEPEST_ERRAND)
        return commands, off


def at(places: np.ndarray) -> Goal:
    """Goals (fish, 3) that stay where they are."""
    return lambda t, world: places


class Buoys:
    """Goals of fishes that swim from buoy to buoy, and round again.

    Attributes:
        visits: Number of buoys that each has reached, (fish,) int.
    """

    def __init__(self, places: np.ndarray, fishes: int):
        """Buoys (n, 3) in metres, of which every fish begins with the first."""
        self._places, self.visits = places, np.zeros(fishes, dtype=int)

    def __call__(self, t: float, world: World) -> np.ndarray:
        """The buoy of each, (fish, 3); one that is reached makes way for the next."""
        goal = self._places[self.visits % len(self._places)]
        self.visits += norm(goal - world.nodes[:, NOSE_NODE]) < REACHED_LENGTHS * world.shoal.length
        return self._places[self.visits % len(self._places)]


class Path:
    """Goals of fishes that follow a path: a little ahead on it of where they are.

    Attributes:
        done: Metres of it that each has come along, (fish,).
        off: Distances to it in metres since the beginning, a row a frame, (fish,) each.
    """

    def __init__(self, corners: np.ndarray, fishes: int):
        """A path along corners (n, 3) in metres."""
        self._corners, self._at = corners, np.concatenate([[0.0], np.cumsum(norm(np.diff(corners, axis=0)))])
        self.done, self.off = np.zeros(fishes), []

    def __call__(self, t: float, world: World) -> np.ndarray:
        """The goal of each, (fish, 3)."""
        lead = PATH_LEAD_LENGTHS * world.shoal.length
        tries = self.done + np.linspace(0.0, 1.0, 9)[:, None] * lead  # it does not go back, nor far ahead at once
        gaps = norm(self._place(tries) - world.center_of_mass)
        nearest = gaps.argmin(axis=0)
        every = np.arange(len(lead))
        self.done = np.minimum(tries[nearest, every], self._at[-1])
        self.off.append(gaps[nearest, every])
        return self._place(self.done + lead)

    def _place(self, along: np.ndarray) -> np.ndarray:
        """Points of the path, (..., 3), at these metres, (...); beyond its end it goes straight on."""
        found = np.stack([np.interp(along, self._at, axis) for axis in self._corners.T], axis=-1)
        end = self._corners[-1] - self._corners[-2]
        return found + np.maximum(along - self._at[-1], 0.0)[..., None] * unit(end)
