"""Dens: holes and crevices in which some fishes rest, heads out, until they hunger and hunt about the ground (ours).

Morays live so: they rest in reef crevices, and most of them leave theirs to hunt along the bottom (Hobson 1974).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ...base.constants import constant
from ...base.sums import mean
from ...base.vectors import dot, norm, unit
from ...habitat.ground import Ground
from ...habitat.growth import strewn
from ...habitat.obstacles import Obstacles
from ...habitat.tank import WaterBox
from ...perception.swimmers import Swimmers
from ..plan import Plan
from .moves import Moves
from .travel import slowed
from .tuning import (
    DEN_BACKED_LENGTHS,
    DEN_CHASE_LENGTHS,
    DEN_FACING,
    DEN_FAR_LENGTHS,
    DEN_GATE_LENGTHS,
    DEN_HALF_WIDTH,
    DEN_OFF_LENGTHS,
    DEN_PACE,
    DEN_REACHED_LENGTHS,
    DEN_ROOM_LENGTHS,
    DEN_TURN_LENGTHS,
    DEN_TURN_PACE,
    DEN_WALL_LENGTHS,
    DENS_A_SQUARE_METRE,
    DENS_LOOKED_AT,
)

DEN_DICE = 11 << 32  # purpose of its dice
_STEPS = np.array([way for way in np.ndindex(3, 3, 3) if way != (1, 1, 1)], dtype=float) - 1.0
ALL_ROUND = constant(unit(_STEPS))
"""The 26 directions in which a fish feels for walls, (26, 3)."""
ROUND = constant(ALL_ROUND[ALL_ROUND[:, 2] == 0.0])
"""The eight level ones, in which it may lie in its den, (8, 3)."""
ALONG = constant(np.linspace(-0.45, 0.45, 7))
"""Stations of a body that lies in it, in lengths ahead of its middle, (7,)."""


class Dens:
    """Homes of the fishes that live in holes.

    Attributes:
        tenants: Rows of these fishes, (n,).
        place: Where the middle of each lies in its den in metres, NaN without, (fish, 3).
        out: The level direction in which its head looks out, (fish, 3).
    """

    def __init__(self, place: np.ndarray, out: np.ndarray, length: np.ndarray, ground: Ground):
        """Takes over dens as `dens_of` finds them, body lengths in metres, (fish,), and the ground."""
        self.place, self.out, self._length, self._ground = place, out, length, ground
        self._lives = ~np.isnan(place[:, 0])
        self.tenants = np.flatnonzero(self._lives)

    @classmethod
    def of(
        cls,
        scene: Any,
        seed: int,
        waters: tuple[WaterBox, Obstacles],
        home: np.ndarray,
        length: np.ndarray,
        lives: np.ndarray,
    ) -> Dens:
        """The dens of a Scene; see `dens_of`."""
        return cls(*dens_of(scene, seed, waters, home, length, lives), length, Ground(*waters))

    def out_of_reach(self, fishes: np.ndarray, prey: np.ndarray) -> np.ndarray:
        """Mask of the prey of these fishes, (n,), at places (n, k, 3) in metres, too high for those with dens, (n, k).

        They keep to the ground as they hunt.
        """
        rows, high = np.flatnonzero(self._lives[fishes]), np.zeros(prey.shape[:2], dtype=bool)
        if len(rows):
            gap, _ = self._ground.distance(prey[rows].reshape(-1, 3))
            high[rows] = gap.reshape(len(rows), -1) > DEN_CHASE_LENGTHS * self._length[fishes[rows]][:, None]
        return high

    def act(self, fishes: np.ndarray, plan: Plan, swimmers: Swimmers, hungry: np.ndarray) -> None:
        """Has those of these fishes, (n,), that are at ease and not `hungry`, (n,) bool, go home and stay there.

        One comes before its den, turns its back to it, and backs in.
        """
        rows = np.flatnonzero(self._lives[fishes] & plan.at_ease & ~plan.pressing & ~hungry)
        if not len(rows):
            return
        me = fishes[rows]
        out, length, arm = self.out[me], self._length[me], swimmers.middle[me] - self.place[me]
        along = dot(arm, out) / length
        beside = norm(arm - (along * length)[:, None] * out) / length
        before = (
            (along > -DEN_REACHED_LENGTHS) & (along < DEN_BACKED_LENGTHS) & (beside < DEN_HALF_WIDTH * (1.0 + along))
        )
        faces = before & (dot(swimmers.ahead[me], out) > DEN_FACING)
        rests = faces & (along < DEN_REACHED_LENGTHS)
        gate = (DEN_GATE_LENGTHS * length)[:, None] * out - arm
        off = norm(gate)
        turns = ~faces & (off < DEN_TURN_LENGTHS * length)
        away = np.where((along > DEN_GATE_LENGTHS)[:, None], unit(arm), out)
        wish = np.where((faces | turns)[:, None], np.where(rests[:, None], out, away), unit(gate))
        pace = np.where(faces, 0.0, np.where(turns, DEN_TURN_PACE, np.minimum(slowed(off, length), DEN_PACE)))
        plan.follow(rows, Moves(wish, pace, rests, np.where(faces & ~rests, 1.0, 0.0)))
        plan.near[rows], plan.touches[rows], plan.hurried[rows] = 0.0, True, False


def dens_of(
    scene: Any, seed: int, waters: tuple[WaterBox, Obstacles], home: np.ndarray, length: np.ndarray, lives: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Dens of the fishes that live in one: as narrow round the tail as there are near, and open before the head.

    Args:
        scene: The Scene.
        seed: Seed of the world.
        waters: The tank, and all that stands in it.
        home: Place where each fish begins in metres, (fish, 3).
        length: Metres, (fish,).
        lives: Those that live in one, (fish,) bool.

    Returns:
        Place of each one's middle in metres, and the level unit vector out of it, (fish, 3), NaN for those without.
    """
    found, out = np.full(home.shape, np.nan), np.full(home.shape, np.nan)
    if not lives.any():
        return found, out
    ground = Ground(*waters)
    place, away = strewn(scene, seed, DEN_DICE, DENS_A_SQUARE_METRE)

    def narrowness(at: np.ndarray, reach: float) -> np.ndarray:
        felt = ground.room((at[:, None] + reach * ALL_ROUND).reshape(-1, 3)) < 0.0
        return mean(felt.reshape(-1, len(ALL_ROUND)).astype(float), axis=1)

    for fish in np.flatnonzero(lives).tolist():
        long = float(length[fish])
        floor = ground.onto(home[fish][None], DEN_OFF_LENGTHS * long)[0]  # where there is nothing else
        at = np.concatenate((floor, place + DEN_OFF_LENGTHS * long * away))
        near = np.argsort(norm(at - home[fish]), kind="stable")[:DENS_LOOKED_AT]
        middle, axis = np.repeat(at[near], len(ROUND), axis=0), np.tile(ROUND, (len(near), 1))
        body = middle[:, None] + (long * ALONG)[:, None] * axis[:, None]
        fits = (ground.room(body.reshape(-1, 3)).reshape(len(body), -1) > DEN_ROOM_LENGTHS * long).all(axis=1)
        if not fits.any():
            found[fish], out[fish] = floor[0], ROUND[0]
            continue
        middle, axis, body = middle[fits], axis[fits], body[fits]
        closed = [narrowness(body[:, row], DEN_WALL_LENGTHS * long) for row in (0, len(ALONG) // 2, -1)]
        worth = closed[0] + closed[1] - 0.5 * closed[2] - norm(middle - home[fish]) / (DEN_FAR_LENGTHS * long)
        best = int(worth.argmax())
        found[fish], out[fish] = middle[best], axis[best]
    return found, out
