"""Danger of collision with obstacles, felt by an antenna (Tu 1999, §6.6.1).

The antenna is the book's ray ahead, which a fish here has in every direction. Threats of other fishes are in
threats.py.
"""

from __future__ import annotations

from functools import cache

import numpy as np

from ..base.constants import constant
from ..base.elementary import arcsin, sin_and_cos
from ..base.vectors import dot, norm
from ..compiled import compiled, integer, reads, rows, stack, takes, writes
from ..geometry.moving import Moving
from ..habitat.obstacles import CYLINDER, POINTS_A_THREAD, Obstacles
from ..habitat.tank import WaterBox
from ..motor.tuning import ABOUT_TURN_RATE
from .tuning import (
    BERTH_LENGTHS,
    FORESEEN_PACE,
    FORESEEN_SECONDS,
    LEAST_ABOUT_SPEED,
    LEAST_BERTH_LENGTHS,
    MINDED_PILLARS,
    MOST_FORESEEN_LENGTHS,
    NOSE_END_LENGTHS,
    NOSE_ROOM_LENGTHS,
    SWING_STEPS,
)

DOWN_AND_UP = constant(np.array([[0.0, 0.0, -1.0], [0.0, 0.0, 1.0]]))
SWING_ANGLES = constant(np.linspace(-np.pi, np.pi, 2 * SWING_STEPS + 1))
"""Angles of a turn in radians, right to left, at which room for the nose is felt."""
FISHES_A_THREAD = 300
"""Fishes whose paths, or whose neighbours, are worth a thread of their own."""
_NO_PILLARS = np.zeros((0, 5))

_GAP = compiled(
    "gap",
    over="n",
    least=POINTS_A_THREAD,
    points=takes("f8", "*n", 3),
    cylinders=reads(CYLINDER, "count"),
    box=reads("f8", 2, 3),
    gap=writes("f8", "*n"),
)
FREE_PATH = compiled(
    "free_path",
    over="n",
    least=FISHES_A_THREAD,
    places=takes("f8", "n", 3),
    starts=takes("f8", "n", "begins", 3),
    ways=takes("f8", "n", "headings", 3),
    margins=takes("f8", "n", "berths"),
    cylinders=reads(CYLINDER, "count"),
    box=reads("f8", 2, 3),
    free_paths=writes("f8", "n", "paths"),
    most=integer(),
)
NOSES = compiled(
    "noses",
    over="n",
    least=POINTS_A_THREAD,
    places=takes("f8", "n", 3),
    headings=takes("f8", "n", 3),
    radii=takes("f8", "n"),
    reaches=takes("f8", "n"),
    swing=rows("sines cosines signs", "angles"),
    noses=writes("f8", "n", "angles", 3),
)
SWUNG = compiled(
    "swung",
    over="n",
    least=POINTS_A_THREAD,
    turns=takes("f8", "n", "ways"),
    depths=takes("f8", "n", "angles"),
    pressed=writes("f8", "n", "ways"),
)


def berths_of(temperaments: np.ndarray) -> np.ndarray:
    """The distances in lengths that fishes keep between their places and what stands, (fish,).

    Who follows walls nearer than others come to them keeps less off them.

    Args:
        temperaments: (fish,) with the fields of `species.Temperament`.
    """
    nearer = np.clip(temperaments["wall_distance"], LEAST_BERTH_LENGTHS, BERTH_LENGTHS)
    return np.where(temperaments["wall_following"] > 0.0, nearer, BERTH_LENGTHS)


class Antenna:
    """Feels the free distance in every direction (the ray of Tu 1999, §6.6.1)."""

    def __init__(self, tank: WaterBox, obstacles: Obstacles):
        self._tank, self._obstacles = tank, obstacles
        self._box = np.stack((tank.low, tank.size))

    def of(self, fishes: np.ndarray) -> Antenna:  # noqa: ARG002
        """The antenna of these fishes, (n,), in whose order its methods are then called: all feel alike."""
        return self

    def free_path(
        self,
        place: np.ndarray,
        points: np.ndarray,
        ways: np.ndarray,
        length: np.ndarray,
        reach: np.ndarray | float = np.inf,
        berth: np.ndarray | float = BERTH_LENGTHS,
        overtaking: bool = True,
    ) -> np.ndarray:
        """Free distance along paths: up to walls, solids, the pillars nearest to each fish, and what moves.

        What moves counts where a fish that goes along a path would meet it.

        Args:
            place: Places of n fishes in metres, (n, 3).
            points: Starts of each fish's paths in metres, (n, c, 3).
            ways: Unit vectors along them, (n, c, 3).
            length: Lengths of the fishes in metres, (n,).
            reach: Metres beyond which the distance does not matter, (n, 1) or one for all.
            berth: Distance to keep in lengths, (n,) or one for all.
            overtaking: True to count what comes after a fish along its path, too.

        Returns:
            Metres, (n, c).
        """
        margin = (berth * length)[:, None]
        starts, ways_each = points.shape[1], ways.shape[1]
        free = np.empty((len(place), max(starts, ways_each)))
        given = {"cylinders": self._obstacles.cylinders, "box": self._box, "most": MINDED_PILLARS}
        FREE_PATH(places=place, starts=points, ways=ways, margins=margin, **given, free_paths=free)
        for solid in self._obstacles.standing:
            free = np.minimum(free, solid.free_path(points, ways, margin, reach))
        movers = self._obstacles.movers
        if not len(movers):
            return free
        pace = (FORESEEN_PACE * length)[:, None]
        far = np.minimum(reach, MOST_FORESEEN_LENGTHS * length[:, None])
        most = far[:, 0] * (1.0 + movers.swiftest[:, None] / pace[:, 0]) + margin[:, 0]
        for mover, near in movers.near(place, most + norm(points - place[:, None]).max(axis=1)):
            motion = mover.velocity(place[near])
            meets = _meeting(mover, points[near], ways[near], margin[near], far[near], motion, pace[near])
            if not overtaking:
                ahead = pace[near] > dot(ways[near], motion[:, None])
                meets = np.where(ahead, meets, np.inf)
            free[near] = np.minimum(free[near], meets)
        return free

    def free_at_each(
        self, place: np.ndarray, ways: np.ndarray, length: np.ndarray, reach: np.ndarray, berths: np.ndarray
    ) -> np.ndarray:
        """Free distance along one way of each fish for each of some berths, as from `free_path` without overtaking.

        Args:
            place: Places of n fishes in metres, (n, 3).
            ways: Unit vectors along the ways, (n, 3).
            length: Lengths of the fishes in metres, (n,).
            reach: Metres beyond which the distance does not matter, (n,).
            berths: Distances to keep in lengths, (b, n).

        Returns:
            Metres, (b, n).
        """
        starts, each = place[:, None], ways[:, None]
        if self._obstacles.standing or len(self._obstacles.movers):
            given = place, starts, each, length, reach[:, None]
            return np.stack([self.free_path(*given, berth, overtaking=False)[:, 0] for berth in berths])
        free, margins = np.empty((len(place), len(berths))), length[:, None] * berths.T
        around = {"cylinders": self._obstacles.cylinders, "box": self._box, "most": MINDED_PILLARS}
        FREE_PATH(places=place, starts=starts, ways=each, margins=margins, **around, free_paths=free)
        return np.ascontiguousarray(free.T)

    def walled(
        self, place: np.ndarray, ahead: np.ndarray, length: np.ndarray, berth: np.ndarray | float = BERTH_LENGTHS
    ) -> np.ndarray:
        """Mask of the fishes that are within their berth of a wall of the tank and head for it, (n,) bool.

        Args:
            place: Metres, (n, 3).
            ahead: Heading, (n, 3).
            length: Metres, (n,).
            berth: Distance to keep in lengths, (n,) or one for all.
        """
        free, margin = np.empty((len(place), 1)), berth * length
        given = {"margins": margin[:, None], "cylinders": _NO_PILLARS, "box": self._box, "most": 0}
        starts, ways = place[:, None], ahead[:, None]
        FREE_PATH(places=place, starts=starts, ways=ways, **given, free_paths=free, least=POINTS_A_THREAD)
        return free[:, 0] == 0.0

    def keep_clear(
        self, place: np.ndarray, length: np.ndarray, berth: np.ndarray | float = BERTH_LENGTHS
    ) -> np.ndarray:
        """The pushes away from walls and obstacles on fishes that have come, or were carried, too near to them.

        Args:
            place: Metres, (n, 3).
            length: Metres, (n,).
            berth: Distance to keep in lengths, (n,) or one for all.

        Returns:
            Vectors of length 0 at the distance to keep and 2 in touch, of the walls of each axis and of the nearest
            obstacle, (n, 4, 3): in a corner every wall counts.
        """
        keep = berth * length
        other, outwards = self._looming(place, keep)
        distance, away = self._tank.sides(place)
        distance = np.concatenate([distance, other[:, None]], axis=1)
        away = np.concatenate([away, outwards[:, None]], axis=1)
        return 2 * np.clip(1 - distance / keep[:, None], 0.0, 2.0)[..., None] * away

    def loomed(self, place: np.ndarray, length: np.ndarray) -> np.ndarray:
        """Mask of the fishes that are about to have something that moves within their berth, (n,) bool.

        Args:
            place: Metres, (n, 3).
            length: Metres, (n,).
        """
        found = np.zeros(len(place), dtype=bool)
        movers = self._obstacles.movers
        reach = BERTH_LENGTHS * length + FORESEEN_SECONDS * movers.swiftest[:, None]
        for mover, near in movers.near(place, reach):
            if mover.travel > 0.0:
                found[near] |= _foreseen(mover, place[near])[0] < BERTH_LENGTHS * length[near]
        return found

    def _looming(self, place: np.ndarray, keep: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Distance of places (n, 3) from the nearest obstacle, (n,), and the unit vector away from it, (n, 3).

        What moves counts as being as near as it will be in a moment, where that is within the distance to keep, (n,).
        """
        distance, away = self._obstacles.distance(place)
        movers = self._obstacles.movers
        for mover, near in movers.near(place, keep + FORESEEN_SECONDS * movers.swiftest[:, None]):
            if mover.travel > 0.0:
                foreseen, way = _foreseen(mover, place[near])
                nearer = foreseen < distance[near]
                distance[near[nearer]], away[near[nearer]] = foreseen[nearer], way[nearer]
        return distance, away

    def slopes(
        self, place: np.ndarray, length: np.ndarray, sight: np.ndarray, berth: np.ndarray | float, steepest: float
    ) -> tuple[np.ndarray, np.ndarray]:
        """Steepest slopes of paths that level out above the bed and below the surface.

        Args:
            place: Places of n fishes in metres, (n, 3).
            length: Lengths of the fishes in metres, (n,).
            sight: Distance ahead within which each heeds obstacles in metres, (n,).
            berth: Lengths to keep from them, (n,) or one for all.
            steepest: Radians, the most.

        Returns:
            Angles above the horizontal in radians, down and up, (n, 1) each.
        """
        upright = np.empty((len(place), 2, 3))
        upright[:] = DOWN_AND_UP
        room = self.free_path(place, place[:, None], upright, length, sight[:, None], berth)
        slope = np.minimum(arcsin(np.clip(room / sight[:, None], 0.0, 1.0)), steepest)
        return -slope[:, :1], slope[:, 1:]

    def pressed(
        self, turn: np.ndarray, place: np.ndarray, ahead: np.ndarray, speed: np.ndarray, length: np.ndarray
    ) -> np.ndarray:
        """Distance by which a turn swings the nose farther into a wall or obstacle than a half turn to the better side.

        A fish that swims along a wall and means to turn about does not do so through the wall, however short that is.

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
        radius = np.maximum(speed, LEAST_ABOUT_SPEED * length) / ABOUT_TURN_RATE
        room = (NOSE_END_LENGTHS + NOSE_ROOM_LENGTHS) * length + 1.5 * radius
        near = np.flatnonzero(self._gap(place, np.arange(len(place))) < room)
        if len(near):
            reach = NOSE_END_LENGTHS * length[near]
            gap = self._gap(noses(place[near], ahead[near], radius[near], reach), near)
            deep = np.clip((NOSE_ROOM_LENGTHS * length[near, None] - gap) / reach[:, None], 0.0, 1.0)
            pressed[near] = swung(turn[near], deep)
        return pressed

    def _gap(self, points: np.ndarray, rows: np.ndarray) -> np.ndarray:  # noqa: ARG002
        """Metres from points (n, ..., 3) of fishes of these rows, (n,), to the nearest wall or obstacle, (n, ...)."""
        gap = np.empty(points.shape[:-1])
        _GAP(points=points, cylinders=self._obstacles.cylinders, box=self._box, gap=gap)
        return self._obstacles.nearest_of_solids(points, gap)


def _foreseen(mover: Moving, place: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Distance in metres that places (n, 3) soon have from what moves, (n,), and the unit vector away, (n, 3)."""
    distance, away = mover.distance(place)
    return distance - FORESEEN_SECONDS * np.maximum(dot(mover.velocity(place), away), 0.0), away


def _meeting(
    mover: Moving,
    points: np.ndarray,
    ways: np.ndarray,
    margin: np.ndarray,
    reach: np.ndarray,
    motion: np.ndarray,
    pace: np.ndarray,
) -> np.ndarray:
    """Distance that n fishes cover along paths before they meet what moves in metres, (n, c).

    Seen from what moves, a fish goes along its path less the motion.

    Args:
        mover: What moves.
        points: Starts of the paths in metres, (n, c, 3).
        ways: Unit vectors along them, (n, c, 3).
        margin: Distance to keep in metres, (n, 1).
        reach: Metres beyond which the distance does not matter, (n, 1).
        motion: Velocity of what moves, where it is nearest to each, in m/s, (n, 3).
        pace: Speed of each in m/s, (n, 1).
    """
    seeming = pace[..., None] * ways - motion[:, None]
    speed = np.maximum(norm(seeming), 1e-9)
    share = speed / pace
    return mover.free_path(points, seeming / speed[..., None], margin, reach * share) / share


def noses(place: np.ndarray, ahead: np.ndarray, radius: np.ndarray, reach: np.ndarray) -> np.ndarray:
    """Places of the nose of each fish at the angles of a turn, `SWING_ANGLES`.

    Args:
        place: Metres, (n, 3).
        ahead: Heading, (n, 3).
        radius: Radius of the turn in metres, (n,).
        reach: Distance from the place to the nose in metres, (n,).

    Returns:
        Metres, (n, a, 3).
    """
    found = np.empty((len(place), len(SWING_ANGLES), 3))
    NOSES(places=place, headings=ahead, radii=radius, reaches=reach, swing=_swing(), noses=found)
    return found


@cache
def _swing() -> np.ndarray:
    """The turns of `SWING_ANGLES` as compiled functions take them."""
    sines, cosines = sin_and_cos(np.abs(SWING_ANGLES))
    return stack(NOSES, "swing", sines=sines, cosines=cosines, signs=np.sign(SWING_ANGLES))


def swung(turn: np.ndarray, deep: np.ndarray) -> np.ndarray:
    """Share by which turns swing noses farther into something than a half turn to the better side, (n, c).

    Args:
        turn: Radians, left positive, (n, c); one beyond half a turn, or NaN, counts as half a turn.
        deep: Share by which the nose is in it at each of `SWING_ANGLES`, (n, a).
    """
    pressed = np.empty(turn.shape)
    SWUNG(turns=turn, depths=deep, pressed=pressed)
    return pressed
