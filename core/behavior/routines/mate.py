"""Mating: how fishes move in the stages of courtship: looping, circling, ascending and nuzzling (Tu 1999, §7.9.3)."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import numpy as np

from ...base.elementary import sin, sin_and_cos, tan
from ...base.state import Stateful, state
from ...base.vectors import cross, dot, norm, unit
from ...body.anatomy import LOWER_TIP_NODE, UPPER_TIP_NODE
from ...habitat.obstacles import Obstacles
from ...habitat.tank import WaterBox
from ...perception.swimmers import Swimmers
from ..intention import MATE
from .chase import Pursuit, chase, runs_up, sigma_for
from .courtship import APART, ASCENDING, CIRCLING, HORIZONTAL, LOOPING, NUZZLING, UPWARD, Courtship, abdomen_of
from .moves import Moves
from .tuning import (
    ASCENT_PACE,
    ASCENT_SPIRAL_ANGLE,
    CIRCLING_PACE,
    COURTING_ROOM_LENGTHS,
    LOOP_KEENNESS,
    LOOP_RISE,
    LOOPING_PACE,
    NEAR_COURTING_SIGMA,
    NOD_ANGLE,
    NOD_SECONDS,
    RISE_KEENNESS,
    SINKING_ANGLE,
    WAIT_SECONDS,
)

BOTTOMLESS_METRES = 1e9
"""Distance from floor and surface, which do not count where a female seeks room beside her."""


@cache
def _spiral() -> tuple[np.ndarray, np.ndarray]:
    """Sine and cosine of the angle by which a female turns in her ascent."""
    return sin_and_cos(ASCENT_SPIRAL_ANGLE)


@dataclass(frozen=True)
class Approach:
    """The approach of n fishes to their partners.

    Attributes:
        offset: Vector from the nose to the target in metres, (n, 3).
        pursuit: Pursuit of that target.
        aims: Fishes that make for a point to be touched, (n,) bool.
        from_below: Fishes that come to her abdomen from below, (n,) bool.
        passing: Fishes that swim past the point, since they could not turn to it, (n,) bool.
        follows: Fishes that follow their partner, (n,) bool.
    """

    offset: np.ndarray
    pursuit: Pursuit
    aims: np.ndarray
    from_below: np.ndarray
    passing: np.ndarray
    follows: np.ndarray


class Mating(Stateful):
    """The motions of courting fishes.

    Attributes:
        courtship: Couples and their stages.
        passing: Fishes that swim past a point, since they could not turn to it, (fish,) bool.
    """

    passing: np.ndarray = state("?", "fish", key="_passing")

    def __init__(
        self, courtship: Courtship, males: np.ndarray, length: np.ndarray, tank: WaterBox, obstacles: Obstacles
    ):
        """Begins with nobody under way.

        Args:
            courtship: Couples and their stages.
            males: Mask of the males, (fish,) bool.
            length: Metres, (fish,).
            tank: Tank, whose walls take room.
            obstacles: Obstacles, which do too.
        """
        self.courtship = courtship
        self._males, self._length, self._obstacles = males, length, obstacles
        self._walls = WaterBox([*tank.size[:2], 2 * BOTTOMLESS_METRES])
        self._lobby = np.minimum(COURTING_ROOM_LENGTHS * length, self._walls.size.min() / 3)
        self._fill(fish=len(length))

    def moves(self, me: np.ndarray, swimmers: Swimmers) -> Moves:
        """The moves of fishes that mean to mate and have chosen a partner.

        Args:
            me: Rows, (n,).
            swimmers: All fishes, with velocities through the water.
        """
        courtship = self.courtship
        other, ahead, stage, male = courtship.partner[me], swimmers.ahead[me], courtship.stage[me], self._males[me]
        nose = swimmers.nose[me]
        approach = self._approach(me, swimmers)
        pursuit, follows = approach.pursuit, approach.follows
        pace = np.where(
            stage == CIRCLING, CIRCLING_PACE, np.minimum(pursuit.pace, np.where(follows, 1.0, LOOPING_PACE))
        )
        flat = unit(ahead * HORIZONTAL)
        wish = self._wish(me, approach, ahead, flat)

        rising = ~male & (stage == ASCENDING) & (nose[:, 2] < courtship.goal[me])
        mutual = courtship.partner[other] == me
        hovers = ~male & mutual & (stage != CIRCLING) & (stage != APART) & ~rising
        backs = male & (stage == NUZZLING) & (courtship.backing[me] > WAIT_SECONDS)
        waits = male & (stage == NUZZLING) & (courtship.backing[me] > 0) & ~backs
        sine, cosine = _spiral()
        spiral = cosine * flat + sine * cross(UPWARD, flat)
        wish = np.where(rising[:, None], spiral + UPWARD, wish)
        room, open_water = self._room(nose)
        cramped = (hovers | rising) & (room < self._lobby[me])
        hovers &= ~cramped
        wish = np.where(cramped[:, None], open_water + rising[:, None] * UPWARD, wish)
        wish = np.where(hovers[:, None], flat + tan(self._nod(me, nose))[:, None] * UPWARD, wish)
        wish = np.where((backs | waits)[:, None], flat, wish)
        hold = hovers | waits | (follows & pursuit.brake)
        pace = np.where(rising, ASCENT_PACE, np.where(hold | backs, 0.0, pace))
        return Moves(unit(wish), pace, hold, np.where(backs, 1.0, 0.0))

    def _approach(self, me: np.ndarray, swimmers: Swimmers) -> Approach:
        """The approach of these fishes, (n,), to their partner, or to the part of it that their stage is about."""
        courtship, nodes, velocity, length = self.courtship, swimmers.nodes, swimmers.velocity, self._length[me]
        other, ahead, stage, male = courtship.partner[me], swimmers.ahead[me], courtship.stage[me], self._males[me]
        nose = swimmers.nose[me]
        target = swimmers.middle[other]  # a fish in no stage yet follows
        point = courtship.moving_point(me, other, nodes, swimmers.frames)
        target = np.where((male & (stage == LOOPING))[:, None], point, target)
        target = np.where((stage == CIRCLING)[:, None], _tail(nodes[other]), target)
        from_below = male & (stage >= ASCENDING)
        target = np.where(from_below[:, None], abdomen_of(nodes[other]), target)

        offset = target - nose
        sigma = np.minimum(sigma_for(MATE, norm(offset), length), np.where(stage == APART, np.inf, NEAR_COURTING_SIGMA))
        aims = male & ((stage == LOOPING) | (stage == NUZZLING))
        passing = aims & runs_up(self.passing[me], offset * HORIZONTAL, unit(ahead * HORIZONTAL), length)
        self.passing[me] = passing
        speed = dot(velocity[me], ahead)
        pursuit = chase(offset, velocity[other], ahead, speed, length, sigma, stage == CIRCLING)
        return Approach(offset, pursuit, aims, from_below, passing, (stage == APART) | (stage == ASCENDING))

    def _wish(self, me: np.ndarray, approach: Approach, ahead: np.ndarray, flat: np.ndarray) -> np.ndarray:
        """The wishes of fishes by their approach, (n, 3).

        Args:
            me: Rows, (n,).
            approach: Theirs.
            ahead: Headings, (n, 3).
            flat: The same on the level, (n, 3).
        """
        towards = approach.pursuit.wish
        across = towards - dot(towards, ahead)[:, None] * ahead
        keen = LOOP_KEENNESS * across * HORIZONTAL * approach.aims[:, None]
        # He swims on while he points up, too: who rises as steeply as it takes comes out beneath her.
        keen += RISE_KEENNESS * towards * UPWARD * approach.from_below[:, None]
        wish = np.where((approach.aims | approach.from_below)[:, None], unit(towards + keen), towards)
        # A passing fish rises or sinks, to be at the point's height next time.
        rise = np.clip(approach.offset[:, 2] / self._length[me], -LOOP_RISE, LOOP_RISE)[:, None] * UPWARD
        return np.where(approach.passing[:, None], flat + rise, wish)

    def _nod(self, me: np.ndarray, nose: np.ndarray) -> np.ndarray:
        """Angle above the level at which a female points that hovers, her nose (n, 3), in radians, (n,)."""
        courtship = self.courtship
        stage, other = courtship.stage[me], courtship.partner[me]
        nod = NOD_ANGLE * sin(2 * np.pi * courtship.time[other] / NOD_SECONDS) * (stage == LOOPING)
        # He pushes her up; under the surface he could not come from below.
        risen = (nose[:, 2] - courtship.goal[me]) / self._length[me]
        return nod - np.clip(risen, 0.0, SINKING_ANGLE) * (stage == NUZZLING)

    def _room(self, place: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Metres to the nearest wall or obstacle beside a place, (n,), and the way off it, (n, 3)."""
        wall, inward = self._walls.distance(place * HORIZONTAL + BOTTOMLESS_METRES * UPWARD)
        solid, outward = self._obstacles.distance(place)
        nearer = solid < wall
        return np.minimum(wall, solid), np.where(nearer[:, None], outward, inward)


def _tail(nodes: np.ndarray) -> np.ndarray:
    """Middle of the caudal fin's edge, (n, 3)."""
    return 0.5 * (nodes[:, UPPER_TIP_NODE] + nodes[:, LOWER_TIP_NODE])
