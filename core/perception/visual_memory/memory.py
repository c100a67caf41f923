"""The memory of each fish: the last observation of every object that it has seen (Kuffner & Latombe 1999, §4, §6).

An observation is an object's number, its properties, where it was and how it lay, its linear and angular velocity, and
when that was. The unchanging properties of objects stand in tables that all fishes share, by the object's number; so
standing objects are remembered by a time alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ...base.attitude import NOT_TURNED
from ...base.state import Stateful, state
from ...base.vectors import cross
from ...scene.memory import BASIC, LOGICAL, MemoryRules
from .pieces import STANDING, ObstaclePieces, placed

REMEMBERED_KINDS = "fish", "obstacle", "food"
"""Kinds of objects, in the order of their numbers."""
MOTION = 13
"""Numbers of where an object is and how it moves: place, turn, velocity and spin."""
DRIFT = 6
"""The same of food, that is not turned: place and velocity."""
NO_MEMORY = -1
"""In place of the row of a memory, of a fish without."""


@dataclass(frozen=True, eq=False)
class VisibleObjects:
    """The true places and motions of all objects, of which a fish knows what it sees.

    Attributes:
        fish: Place in metres, turn, velocity in m/s and spin in rad/s of each fish, (fish, 13).
        pieces: The same of the pieces of movers, about the origins of their obstacles, (moving piece, 13).
        food: Place in metres and velocity in m/s of each particle, (particle, 6).
        fish_there: Fishes that are there, (fish,) bool.
        food_there: Particles that are there, (particle,) bool.
    """

    fish: np.ndarray
    pieces: np.ndarray
    food: np.ndarray
    fish_there: np.ndarray
    food_there: np.ndarray


@dataclass(frozen=True, eq=False)
class Remembered:
    """The obstacles that one fish remembers, where it remembers them.

    Attributes:
        piece: Rows of the pieces, (k,).
        identity: Their numbers as in the observations, (k,).
        pose: Pose of their obstacles' axes: place in metres and turn, (k, 7).
        at: Middles of the boxes around them in metres, (k, 3).
        half: Half the edges of these boxes along their obstacles' axes in metres, (k, 3).
        time: Time when each was last seen, in seconds of the film, (k,).
        points: Points on their surfaces in metres, about as far apart as `ObstaclePieces.spacing` has it, (q, 3).
        owner: Piece of the k to which each point belongs, (q,).
    """

    piece: np.ndarray
    identity: np.ndarray
    pose: np.ndarray
    at: np.ndarray
    half: np.ndarray
    time: np.ndarray
    points: np.ndarray
    owner: np.ndarray


class VisualMemory(Stateful):
    """The memories of all fishes that have one, a row a fish. Objects are numbered from 1 on: fishes, pieces, food.

    Attributes:
        rules: Rules of each memory, (m,).
        fishes: Rows of the fishes that remember, (m,).
        row_of: Row of the memory of each fish, `NO_MEMORY` without, (fish,).
        pieces: Pieces of the obstacles.
        moving: Rows of the pieces of movers, (k,).
        fish_time: Time when each last saw each other fish, in seconds of the film, NaN if it remembers nothing of it,
            (m, fish).
        fish_motion: Place in metres, turn, velocity in m/s and spin in rad/s that it had then, (m, fish, 13).
        piece_time: Time when each last saw each piece, likewise, (m, p).
        piece_motion: Motion of the moving pieces then, as `VisibleObjects.pieces`, (m, k, 13).
        food_time: Time when each last saw each particle, likewise, (m, particle).
        food_motion: Its place and velocity then, (m, particle, 6).
        revision: Number of changes in each one's memory of obstacles, (m,): plans made by it are made anew.
    """

    fish_time: np.ndarray = state("f8", "memory", "fish", unit="s", unset=np.nan)
    fish_motion: np.ndarray = state("f8", "memory", "fish", MOTION)
    piece_time: np.ndarray = state("f8", "memory", "piece", unit="s", unset=np.nan)
    piece_motion: np.ndarray = state("f8", "memory", "moving_piece", MOTION)
    food_time: np.ndarray = state("f8", "memory", "particle", unit="s", unset=np.nan)
    food_motion: np.ndarray = state("f8", "memory", "particle", DRIFT)
    revision: np.ndarray = state("i8", "memory", low=0, high=2**53)

    def __init__(
        self, rules: Sequence[MemoryRules | None], feared: np.ndarray, pieces: ObstaclePieces, particles: int
    ) -> None:
        """Begins with nothing in mind.

        Args:
            rules: Rules of each fish, None for those without memory, (fish,).
            feared: Fishes feared by each, (fish, fish) bool, or by all alike, (fish,).
            pieces: Pieces of the obstacles.
            particles: Number of particles of food.
        """
        self.fishes = np.array([row for row, rule in enumerate(rules) if rule is not None], dtype=int)
        self.rules = tuple(rule for rule in rules if rule is not None)
        self.row_of = np.full(len(rules), NO_MEMORY)
        self.row_of[self.fishes] = np.arange(len(self.fishes))
        self.pieces, self.moving = pieces, np.flatnonzero(pieces.mover != STANDING)
        sizes = {"fish": len(rules), "piece": len(pieces), "moving_piece": len(self.moving), "particle": particles}
        self._fill(memory=len(self.fishes), **sizes)
        self._spans(np.broadcast_to(feared, (len(rules), len(rules)))[self.fishes])

    def _spans(self, feared: np.ndarray) -> None:
        """For how many seconds each remembers what; `feared` is (m, fish) bool."""

        def spans(name: str) -> np.ndarray:
            found = [None if rule.model == BASIC else getattr(rule.forget, name) for rule in self.rules]
            return np.array([np.inf if span is None else span for span in found], dtype=float)[:, None]

        logical = np.array([rule.model == LOGICAL for rule in self.rules], dtype=bool)[:, None]
        self._fish_span = np.where(logical & feared, spans("predator"), spans("fish"))
        movable = self.pieces.mover != STANDING
        self._piece_span = np.where(logical & movable, spans("movable"), spans("obstacle"))
        self._food_span = spans("food")

    def __len__(self) -> int:
        return len(self.fishes)

    def enlarge(self, particles: int) -> None:
        """Has room for this many particles of food."""
        self._lengthen("particle", particles)

    def restore(self, state: dict[str, np.ndarray]) -> None:
        """Goes back to what `state` returned, with room for as much food as there was then."""
        self.enlarge(state["food_time"].shape[1])
        super().restore(state)

    def forget_old(self, t: float) -> None:
        """Lets everybody forget, at `t` seconds of the film, what is older than its rules have it."""
        times = (
            (self.fish_time, self._fish_span),
            (self.piece_time, self._piece_span),
            (self.food_time, self._food_span),
        )
        for time, span in times:
            old = t - time > span
            if time is self.piece_time:
                self.revision += old.any(axis=1)
            time[old] = np.nan

    def doubt(self, fishes: np.ndarray, t: float, seconds: float = 0.0) -> None:
        """Lets fishes forget obstacles that can move and were not seen for a while: a shut door may be open by now.

        This is the rule of §6 for a fish that finds no way by its memory.

        Args:
            fishes: Their rows, (n,); one without memory forgets nothing.
            t: Now, in seconds of the film.
            seconds: Least time for which they have not been seen.
        """
        rows = self.row_of[fishes]
        rows = rows[rows != NO_MEMORY]
        time = self.piece_time[np.ix_(rows, self.moving)]
        doubted = t - time > seconds
        self.piece_time[np.ix_(rows, self.moving)] = np.where(doubted, np.nan, time)
        self.revision[rows] += doubted.any(axis=1)

    def observe(
        self, rows: np.ndarray, t: float, now: VisibleObjects, fish: np.ndarray, pieces: np.ndarray, food: np.ndarray
    ) -> None:
        """Takes in what some see (§5): new objects are added, known ones brought up to date.

        Args:
            rows: Rows of their memories, (n,).
            t: Now, in seconds of the film.
            now: Their surroundings.
            fish: Fishes that each sees, (n, fish) bool.
            pieces: Pieces that each sees, (n, p) bool.
            food: Particles that each sees, (n, particle) bool.
        """
        new = pieces & np.isnan(self.piece_time[rows])
        seen = pieces[:, self.moving, None]
        moved = seen & (self.piece_motion[rows, :, :7] != now.pieces[:, :7])
        self.revision[rows] += new.any(axis=1) | moved.any(axis=(1, 2))
        self.fish_time[rows] = np.where(fish, t, self.fish_time[rows])
        self.piece_time[rows] = np.where(pieces, t, self.piece_time[rows])
        self.food_time[rows] = np.where(food, t, self.food_time[rows])
        self.fish_motion[rows] = np.where(fish[..., None], now.fish, self.fish_motion[rows])
        self.piece_motion[rows] = np.where(seen, now.pieces, self.piece_motion[rows])
        self.food_motion[rows] = np.where(food[..., None], now.food, self.food_motion[rows])

    def miss(self, rows: np.ndarray, fish: np.ndarray, pieces: np.ndarray, food: np.ndarray) -> None:
        """Forgets what some expected to see and did not (§5).

        Args:
            rows: Rows of their memories, (n,).
            fish: Fishes that each misses, (n, fish) bool.
            pieces: Moving pieces that each misses, (n, k) bool.
            food: Particles that each misses, (n, particle) bool.
        """
        self.fish_time[rows] = np.where(fish, np.nan, self.fish_time[rows])
        self.food_time[rows] = np.where(food, np.nan, self.food_time[rows])
        times = self.piece_time[np.ix_(rows, self.moving)]
        self.piece_time[np.ix_(rows, self.moving)] = np.where(pieces, np.nan, times)
        self.revision[rows] += pieces.any(axis=1)

    def poses(self, row: int) -> np.ndarray:
        """Poses of the axes of all pieces' obstacles as a memory has them, (p, 7)."""
        poses = self.pieces.home.copy()
        poses[self.moving] = self.piece_motion[row, :, :7]
        return poses

    def remembered(self, fish: int) -> Remembered:
        """The obstacles that a fish remembers: none without a memory."""
        row = self.row_of[fish]
        known = np.zeros(len(self.pieces), dtype=bool) if row == NO_MEMORY else ~np.isnan(self.piece_time[row])
        piece = np.flatnonzero(known)
        poses = self.pieces.home if row == NO_MEMORY else self.poses(row)
        points = np.flatnonzero(known[self.pieces.owner])
        owner = self.pieces.owner[points]
        return Remembered(
            *(piece, 1 + len(self.row_of) + piece, poses[piece]),
            *(placed(poses[piece], self.pieces.middle[piece]), self.pieces.half[piece]),
            np.zeros(0) if row == NO_MEMORY else self.piece_time[row, piece],
            *(placed(poses[owner], self.pieces.points[points]), np.searchsorted(piece, owner)),
        )

    def observations(self, fish: int) -> list[dict[str, Any]]:
        """The memories of a fish that has one, as `World.visual_memory` has them."""
        row = int(self.row_of[fish])
        others = np.flatnonzero(~np.isnan(self.fish_time[row]))
        food = np.flatnonzero(~np.isnan(self.food_time[row]))
        know = self.remembered(fish)
        motion = np.zeros((len(know.piece), MOTION))
        motion[:, :3], motion[:, 3:7] = know.at, know.pose[:, 3:]
        moves = np.flatnonzero(self.pieces.mover[know.piece] != STANDING)
        how = self.piece_motion[row, np.searchsorted(self.moving, know.piece[moves])]
        arm, spin = know.at[moves] - how[:, :3], how[:, 10:]
        motion[moves, 7:10], motion[moves, 10:] = how[:, 7:10] + cross(spin, arm), spin
        drift = np.zeros((len(food), MOTION))
        drift[:, :3], drift[:, 3:7] = self.food_motion[row, food, :3], NOT_TURNED
        drift[:, 7:10] = self.food_motion[row, food, 3:]
        first = 1 + len(self.row_of)
        listed = (
            (1 + others, self.fish_motion[row, others], self.fish_time[row, others]),
            (know.identity, motion, know.time),
            (first + len(self.pieces) + food, drift, self.food_time[row, food]),
        )
        return [
            {
                "id": identity,
                "kind": kind,
                "at": how[:3],
                "turn": how[3:7],
                "velocity": how[7:10],
                "spin": how[10:],
                "time": time,
            }
            for kind, (identities, motions, times) in zip(REMEMBERED_KINDS, listed, strict=True)
            for identity, how, time in zip(identities.tolist(), motions.tolist(), times.tolist(), strict=True)
        ]
