"""Avoiding potential collisions, with what stands and with who swims (Tu 1999, §6.6.1 and §7.8.1).

Where the book picks one turn for one obstacle, a fish here weighs a fan of ways against all that is around it, so
that it also finds out of corners.
"""

from __future__ import annotations

import numpy as np

from ...base.vectors import arctan2, dot, norm, unit, vector, wrap
from ...habitat.obstacles import Obstacles
from ...habitat.tank import Tank
from ...motor.tuning import ABOUT_TURN_RATE, TURNING_RATE
from ...perception.boxes import Threats
from ...perception.neighbours import Neighbours
from ...perception.tuning import BERTH_LENGTHS, MINDED_PILLARS, NOSE_END_LENGTHS, NOSE_ROOM_LENGTHS, SWING_STEPS
from .tuning import (
    AIM_BONUS,
    BLOCKED_COST,
    DANGER_FIRMNESS,
    DETOUR_BLOCKED,
    DIZZINESS,
    FAN_SIDEWAYS,
    FAN_UPWARDS,
    HALF_TURN_COST,
    KEEP_OFF_PUSH,
    LEAST_FIRMNESS,
    LEAST_WEIGHED_SPEED,
    PRESSING_COST,
    STEEPEST_WAY,
    STREAM_SPEED,
    TANGENT_SECONDS,
    TIGHTEST_TURN_SHARE,
    WOUND_ANGLE,
)

FAN_TURNS = np.array(
    [side * turn for turn in FAN_SIDEWAYS for side in ((1, -1) if turn else (1,))] + [*FAN_UPWARDS, *FAN_UPWARDS]
)
FAN_CLIMBS = np.array([0.0] * (2 * len(FAN_SIDEWAYS) - 1) + [STEEPEST_WAY] * 3 + [-STEEPEST_WAY] * 3)
ON_THE_LEVEL = FAN_CLIMBS == 0
DOWN_AND_UP = np.array([[0.0, 0.0, -1.0], [0.0, 0.0, 1.0]])  # down and up
SWING_ANGLES = np.linspace(-np.pi, np.pi, 2 * SWING_STEPS + 1)


class Antenna:
    """Feels how far the way is free in every direction (the ray of Tu 1999, §6.6.1)."""

    def __init__(self, tank: Tank, obstacles: Obstacles):
        self._tank, self._obstacles = tank, obstacles

    def free_path(
        self,
        place: np.ndarray,
        points: np.ndarray,
        ways: np.ndarray,
        length: np.ndarray,
        reach: np.ndarray | float = np.inf,
        berth: np.ndarray | float = BERTH_LENGTHS,
    ) -> np.ndarray:
        """How far paths are free of walls and of the pillars nearest to each fish.

        Args:
            place: Of n fishes in metres, (n, 3).
            points: Starts of each fish's paths in metres, (n, c, 3).
            ways: Unit vectors along them, (n, c, 3).
            length: Of the fishes in metres, (n,).
            reach: Metres beyond which it is all the same how far, (n, 1) or one for all.
            berth: Distance to keep in lengths, (n,) or one for all.

        Returns:
            Metres, (n, c).
        """
        margin = (berth * length)[:, None]
        pillars = self._obstacles.nearest(place, MINDED_PILLARS)[..., None]
        free = self._obstacles.free_path(points, ways, margin, pillars, reach)
        return np.minimum(self._tank.free_path(points, ways, margin), free)

    def walled(self, place: np.ndarray, ahead: np.ndarray, length: np.ndarray) -> np.ndarray:
        """Who is within its berth of a wall of the tank and heads for it, (n,) bool.

        Args:
            place: Metres, (n, 3).
            ahead: Heading, (n, 3).
            length: Metres, (n,).
        """
        return self._tank.free_path(place, ahead, BERTH_LENGTHS * length) == 0.0

    def keep_clear(
        self, place: np.ndarray, length: np.ndarray, berth: np.ndarray | float = BERTH_LENGTHS
    ) -> np.ndarray:
        """The pushes away from walls and pillars on who has come, or was carried, too near to them.

        Args:
            place: Metres, (n, 3).
            length: Metres, (n,).
            berth: Distance to keep in lengths, (n,) or one for all.

        Returns:
            Vectors of length 0 at the distance to keep and 2 in touch, of the walls of each axis and of what stands,
            (n, 4, 3): in a corner every wall counts.
        """
        distance, away = self._tank.sides(place)
        other, outwards = self._obstacles.distance(place)
        distance = np.concatenate([distance, other[:, None]], axis=1)
        away = np.concatenate([away, outwards[:, None]], axis=1)
        return 2 * np.clip(1 - distance / (berth * length)[:, None], 0.0, 2.0)[..., None] * away

    def best_way(
        self,
        wish: np.ndarray,
        aim: np.ndarray,
        place: np.ndarray,
        ahead: np.ndarray,
        speed: np.ndarray,
        drift: np.ndarray,
        length: np.ndarray,
        sight: np.ndarray,
        jitter: np.ndarray,
        zeal: np.ndarray | float = 1.0,
        wound: np.ndarray | float = 0.0,
        berth: np.ndarray | float = BERTH_LENGTHS,
    ) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Picks the way that is nearest to the wish and free of walls and pillars.

        The ways weighed are the wish itself, the present aim and a fan around the heading. Each is felt along three
        tangents to the arc of its turn: at its beginning, halfway and at its end.

        Args:
            wish: Where it would like to go, any length but 0, (n, 3).
            aim: Azimuth that it is swimming or turning to in radians, (n,).
            place: Metres, (n, 3).
            ahead: Heading, (n, 3).
            speed: Through the water in m/s, (n,).
            drift: Velocity of the water in m/s, (n, 3).
            length: Metres, (n,).
            sight: How far ahead it minds what stands, in metres, (n,).
            jitter: Turn of the fan in radians, so that neither side is favoured, (n,).
            zeal: How much it minds going just where it wishes, 1 for a whim, (n,) or one for all.
            wound: How far it has turned of late in radians, left positive, (n,) or one for all.
            berth: Lengths to keep between its place and what stands, (n,) or one for all.

        Returns:
            Azimuth (n,) and angle above the horizontal (n,) of the best way in radians; whether it is a detour (n,).
        """
        heading = arctan2(ahead[:, 1], ahead[:, 0])[:, None]
        wished = arctan2(wish[:, 1], wish[:, 0])[:, None]
        level = arctan2(wish[:, 2], np.hypot(wish[:, 0], wish[:, 1]))[:, None]
        level = np.clip(level, *self._slopes(place, length, sight, berth))
        azimuth = np.concatenate((wished, aim[:, None], heading + FAN_TURNS + jitter[:, None]), axis=1)
        climb = np.concatenate((level, level, np.where(ON_THE_LEVEL, level, FAN_CLIMBS)), axis=1)
        ways = vector(azimuth, climb)

        far = np.maximum(sight, TANGENT_SECONDS * np.maximum(speed, LEAST_WEIGHED_SPEED * length))[:, None]
        straight = self.free_path(place, place[:, None], ahead[:, None], length, far, berth)
        turn = wrap(azimuth - heading)
        half_turn = turn / 2
        # A fish without room slows down and turns more tightly, in the end on the spot.
        radius = np.minimum(
            np.maximum(speed, LEAST_WEIGHED_SPEED * length)[:, None] / TURNING_RATE, TIGHTEST_TURN_SHARE * straight
        )
        corner = radius * np.tan(np.abs(half_turn) / 2)
        start = place[:, None] + corner[..., None] * ahead[:, None]
        halfway = vector(heading + half_turn, climb)
        leg = np.minimum(self.free_path(place, start, halfway, length, 2 * corner, berth), 2 * corner)
        start = start + leg[..., None] * halfway
        # Slower than the water no way leads upstream; a fish that must can swim faster.
        able = np.maximum(np.maximum(speed, LEAST_WEIGHED_SPEED * length), STREAM_SPEED * norm(drift))
        over_ground = unit(ways * able[:, None, None] + drift[:, None])
        free = np.where(leg < 2 * corner, 0.0, self.free_path(place, start, over_ground, length, far, berth)) + leg

        blocked = np.maximum(1 - free / sight[:, None], 0.0)
        longing = dot(ways, unit(wish)[:, None])
        # The closer the danger, the more harm there is in another change of mind.
        firmness = LEAST_FIRMNESS + DANGER_FIRMNESS * np.maximum(1 - straight / sight[:, None], 0.0)
        merit = np.reshape(zeal, (-1, 1)) * longing - BLOCKED_COST * blocked**2 - HALF_TURN_COST * np.abs(half_turn)
        merit += firmness * np.cos(azimuth - aim[:, None])
        merit -= PRESSING_COST * self._pressed(turn, place, ahead, speed, length)
        enough = np.reshape(np.sign(wound) * np.clip(np.abs(wound) - WOUND_ANGLE, 0.0, 1.0), (-1, 1))
        merit -= DIZZINESS * np.maximum(enough * np.clip(turn, -1.0, 1.0), 0.0)
        merit[:, 1] += AIM_BONUS
        best = merit.argmax(axis=1)
        rows = np.arange(len(best))
        detour = (blocked[:, 0] > DETOUR_BLOCKED) & (best > 0)
        return wrap(azimuth[rows, best]), climb[rows, best], detour

    def _slopes(
        self, place: np.ndarray, length: np.ndarray, sight: np.ndarray, berth: np.ndarray | float
    ) -> tuple[np.ndarray, np.ndarray]:
        """How steeply down and up paths may lead that level out above the bed and below the surface, (n, 1) each.

        Args:
            place: Of n fishes in metres, (n, 3).
            length: Of the fishes in metres, (n,).
            sight: How far ahead each minds what stands, in metres, (n,).
            berth: Lengths to keep from it, (n,) or one for all.
        """
        upright = np.broadcast_to(DOWN_AND_UP, (len(place), 2, 3))
        room = self.free_path(place, place[:, None], upright, length, sight[:, None], berth)
        slope = np.minimum(np.arcsin(np.clip(room / sight[:, None], 0.0, 1.0)), STEEPEST_WAY)
        return -slope[:, :1], slope[:, 1:]

    def _pressed(
        self, turn: np.ndarray, place: np.ndarray, ahead: np.ndarray, speed: np.ndarray, length: np.ndarray
    ) -> np.ndarray:
        """How much farther a turn would swing the nose into a wall or pillar than a half turn to the better side.

        Who swims along a wall and means to turn about does not do so through the wall, however short that is.

        Args:
            turn: Radians, left positive, -pi to pi, of n fishes, (n, c).
            place: Metres, (n, 3).
            ahead: Heading, (n, 3).
            speed: Through the water in m/s, (n,).
            length: Metres, (n,).

        Returns:
            Share of the way from the place to the nose, at most 1, (n, c).
        """
        pressed = np.zeros(turn.shape)
        radius = np.maximum(speed, 0.2 * length) / ABOUT_TURN_RATE
        gap = np.minimum(*(solid.distance(place)[0] for solid in (self._tank, self._obstacles)))
        near = np.flatnonzero(gap < (NOSE_END_LENGTHS + NOSE_ROOM_LENGTHS) * length + 1.5 * radius)
        if not len(near):
            return pressed
        on, sideways = ahead[near, None] * (1.0, 1.0, 0.0), np.cross((0.0, 0.0, 1.0), ahead[near])[:, None]
        r, reach, swing = (
            radius[near, None, None],
            NOSE_END_LENGTHS * length[near, None, None],
            np.abs(SWING_ANGLES)[:, None],
        )
        nose = place[near, None] + (r * np.sin(swing) + reach * np.cos(swing)) * on
        nose += np.sign(SWING_ANGLES)[:, None] * (r * (1 - np.cos(swing)) + reach * np.sin(swing)) * sideways
        gap = np.minimum(*(solid.distance(nose)[0] for solid in (self._tank, self._obstacles)))
        deep = np.clip((NOSE_ROOM_LENGTHS * length[near, None] - gap) / reach[..., 0], 0.0, 1.0)
        left, right = (np.maximum.accumulate(deep[:, SWING_STEPS::side], axis=1) for side in (1, -1))
        step = np.rint(np.abs(turn[near]) * SWING_STEPS / np.pi).astype(int)
        there = np.where(turn[near] > 0, *(np.take_along_axis(of, step, axis=1) for of in (left, right)))
        pressed[near] = np.maximum(there - np.minimum(left, right)[:, -1:], 0.0)
        return pressed


def keep_off(threats: Threats, neighbours: Neighbours, length: np.ndarray) -> np.ndarray:
    """The push away from all that is in the sensitivity box, the harder the deeper; the smaller of two gives way more.

    The book's fish turns away from the worst of them, subject to what it prefers because of the others (§7.8.1); here
    all count at once, each for its urgency.

    Args:
        threats: Of n fishes.
        neighbours: That they are of.
        length: Of the fishes in metres, (n,).

    Returns:
        A vector away from them, of length 0 at the border of the box and 3 or more in touch, (n, 3).
    """
    giving_way = 2 * neighbours.length / (length[:, None] + neighbours.length)
    return np.einsum("nk,nki->ni", KEEP_OFF_PUSH * giving_way * threats.urgency, threats.away)
