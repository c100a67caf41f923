"""Avoiding potential collisions, with obstacles and with other fishes (Tu 1999, §6.6.1 and §7.8.1).

Where the book picks one turn for one obstacle, a fish here weighs a fan of directions against everything around it, so
that it also finds its way out of corners.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ...base.constants import constant
from ...compiled import compiled, reads, real, reals, record, rows, stack, takes, values, writes
from ...motor.tuning import TURNING_RATE
from ...perception.collision import FISHES_A_THREAD, Antenna
from ...perception.neighbours import Neighbours
from ...perception.threats import Threats
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

FAN_TURNS = constant(
    np.array(
        [side * turn for turn in FAN_SIDEWAYS for side in ((1, -1) if turn else (1,))] + [*FAN_UPWARDS, *FAN_UPWARDS]
    )
)
FAN_CLIMBS = constant(np.array([0.0] * (2 * len(FAN_SIDEWAYS) - 1) + [STEEPEST_WAY] * 3 + [-STEEPEST_WAY] * 3))
ON_THE_LEVEL = constant(FAN_CLIMBS == 0)
"""Mask of the ways of the fan that are as steep as the wish."""

WEIGHTS = record(
    "Weights",
    **reals("least_speed turning_rate tightest stream blocked_cost turn_cost least_firmness danger_firmness"),
    **reals("pressing_cost wound dizziness bonus detour"),
)
_WEIGHTS = values(
    WEIGHTS,
    least_speed=LEAST_WEIGHED_SPEED,
    turning_rate=TURNING_RATE,
    tightest=TIGHTEST_TURN_SHARE,
    stream=STREAM_SPEED,
    blocked_cost=BLOCKED_COST,
    turn_cost=HALF_TURN_COST,
    least_firmness=LEAST_FIRMNESS,
    danger_firmness=DANGER_FIRMNESS,
    pressing_cost=PRESSING_COST,
    wound=WOUND_ANGLE,
    dizziness=DIZZINESS,
    bonus=AIM_BONUS,
    detour=DETOUR_BLOCKED,
)
FAN = compiled(
    "fan",
    over="n",
    least=FISHES_A_THREAD,
    wishes=takes("f8", "n", 3),
    aims=takes("f8", "n"),
    aheads=takes("f8", "n", 3),
    jitters=takes("f8", "n"),
    lows=takes("f8", "n", 1),
    highs=takes("f8", "n", 1),
    spread=rows("turned climbed level", "sideways"),
    headings=writes("f8", "n", 1),
    azimuths=writes("f8", "n", "count"),
    climbs=writes("f8", "n", "count"),
    turns=writes("f8", "n", "count"),
    ways=writes("f8", "n", "count", 3),
)
_SPREAD = stack(FAN, "spread", turned=FAN_TURNS, climbed=FAN_CLIMBS, level=ON_THE_LEVEL)
TANGENTS = compiled(
    "tangents",
    over="n",
    least=FISHES_A_THREAD,
    places=takes("f8", "n", 3),
    aheads=takes("f8", "n", 3),
    speeds=takes("f8", "n"),
    lengths=takes("f8", "n"),
    headings=takes("f8", "n", 1),
    turns=takes("f8", "n", "count"),
    climbs=takes("f8", "n", "count"),
    straights=takes("f8", "n", 1),
    weights=reads(WEIGHTS),
    corners=writes("f8", "n", "count"),
    starts=writes("f8", "n", "count", 3),
    halfways=writes("f8", "n", "count", 3),
)
ONWARD = compiled(
    "onward",
    over="n",
    least=FISHES_A_THREAD,
    speeds=takes("f8", "n"),
    lengths=takes("f8", "n"),
    drifts=takes("f8", "n", 3),
    ways=takes("f8", "n", "count", 3),
    starts=takes("f8", "n", "count", 3),
    halfways=takes("f8", "n", "count", 3),
    legs=takes("f8", "n", "count"),
    weights=reads(WEIGHTS),
    ends=writes("f8", "n", "count", 3),
    grounds=writes("f8", "n", "count", 3),
)
WEIGH = compiled(
    "weigh",
    over="n",
    least=FISHES_A_THREAD,
    wishes=takes("f8", "n", 3),
    aims=takes("f8", "n"),
    sights=takes("f8", "n"),
    zeals=takes("f8", "n"),
    wounds=takes("f8", "n"),
    straights=takes("f8", "n", 1),
    azimuths=takes("f8", "n", "count"),
    climbs=takes("f8", "n", "count"),
    turns=takes("f8", "n", "count"),
    frees=takes("f8", "n", "count"),
    pressed=takes("f8", "n", "count"),
    ways=takes("f8", "n", "count", 3),
    weights=reads(WEIGHTS),
    azimuth=writes("f8", "n"),
    climb=writes("f8", "n"),
    detour=writes("?", "n"),
)
KEEP_OFF = compiled(
    "keep_off",
    over="n",
    least=FISHES_A_THREAD,
    urgencies=takes("f8", "n", "others"),
    aways=takes("f8", "n", "others", 3),
    lengths=takes("f8", "n", "others"),
    own=takes("f8", "n"),
    pushes=writes("f8", "n", 3),
    push=real(),
)
PRESS_OFF = compiled(
    "press_off",
    over="n",
    least=FISHES_A_THREAD,
    pushes=takes("f8", "n", 4, 3),
    wishes=takes("f8", "n", 3),
    pressed=writes("f8", "n", 3),
)


@dataclass(frozen=True)
class Situation:
    """The situation in which n fishes weigh their ways.

    Attributes:
        wish: Vector towards where each would like to go, of any length but 0, (n, 3).
        aim: Azimuth that it is swimming or turning to in radians, (n,).
        place: Metres, (n, 3).
        ahead: Heading, (n, 3).
        speed: Speed through the water in m/s, (n,).
        drift: Velocity of the water in m/s, (n, 3).
        length: Metres, (n,).
        sight: Distance ahead within which it heeds obstacles in metres, (n,).
        jitter: Turn of the fan in radians, so that neither side is favoured, (n,).
        zeal: Weight of going just where it wishes, 1 for a whim, (n,).
        wound: Angle that it has lately turned by in radians, left positive, (n,).
        berth: Lengths to keep between its place and obstacles, (n,).
    """

    wish: np.ndarray
    aim: np.ndarray
    place: np.ndarray
    ahead: np.ndarray
    speed: np.ndarray
    drift: np.ndarray
    length: np.ndarray
    sight: np.ndarray
    jitter: np.ndarray
    zeal: np.ndarray
    wound: np.ndarray
    berth: np.ndarray


@dataclass(frozen=True)
class PickedWays:
    """The ways that n fishes picked.

    Attributes:
        azimuth: Radians, (n,).
        climb: Angle above the horizontal in radians, (n,).
        detour: True where it leads round an obstacle, (n,) bool.
    """

    azimuth: np.ndarray
    climb: np.ndarray
    detour: np.ndarray


def best_way(antenna: Antenna, of: Situation) -> PickedWays:
    """Picks the way that is nearest to the wish and free of walls and pillars.

    The ways weighed are the wish itself, the present aim and a fan around the heading.
    """
    slopes = antenna.slopes(of.place, of.length, of.sight, of.berth, STEEPEST_WAY)
    fan = fan_of(of, *slopes)
    straight, free = _free_ways(antenna, of, fan)
    pressed = antenna.pressed(fan.turn, of.place, of.ahead, of.speed, of.length)
    return weigh(of, fan, straight, free, pressed)


@dataclass(frozen=True)
class Fan:
    """The c ways that n fishes weigh.

    Attributes:
        heading: Azimuth of the heading in radians, (n, 1).
        azimuth: Azimuth of each way in radians, (n, c).
        climb: Its angle above the horizontal in radians, (n, c).
        turn: Angle from the heading to it in radians, (n, c).
        ways: Unit vectors, (n, c, 3).
    """

    heading: np.ndarray
    azimuth: np.ndarray
    climb: np.ndarray
    turn: np.ndarray
    ways: np.ndarray


def fan_of(of: Situation, low: np.ndarray, high: np.ndarray) -> Fan:
    """The ways that fishes weigh, with wishes kept between these angles above the horizontal in radians, (n, 1)."""
    n, count = len(of.aim), 2 + len(FAN_TURNS)
    azimuth, climb, turn = np.empty((3, n, count))
    fan = Fan(np.empty((n, 1)), azimuth, climb, turn, np.empty((n, count, 3)))
    FAN(
        wishes=of.wish,
        aims=of.aim,
        aheads=of.ahead,
        jitters=of.jitter,
        lows=low,
        highs=high,
        spread=_SPREAD,
        headings=fan.heading,
        azimuths=fan.azimuth,
        climbs=fan.climb,
        turns=fan.turn,
        ways=fan.ways,
    )
    return fan


def _free_ways(antenna: Antenna, of: Situation, fan: Fan) -> tuple[np.ndarray, np.ndarray]:
    """Free distance straight ahead, (n, 1), and along ways that begin with a turn, (n, c), in metres.

    Each way is felt along three tangents to the arc of its turn: at its beginning, halfway and at its end.

    Args:
        antenna: The antenna that feels them.
        of: The fishes.
        fan: Their ways.
    """
    far = np.maximum(of.sight, TANGENT_SECONDS * np.maximum(of.speed, LEAST_WEIGHED_SPEED * of.length))[:, None]
    straight = antenna.free_path(of.place, of.place[:, None], of.ahead[:, None], of.length, far, of.berth)
    corners, start, halfway = tangents(of, fan, straight)
    leg = np.minimum(antenna.free_path(of.place, start, halfway, of.length, corners, of.berth), corners)
    start, over_ground = onward(of, fan, start, halfway, leg)
    rest = antenna.free_path(of.place, start, over_ground, of.length, far, of.berth)
    return straight, np.where(leg < corners, 0.0, rest) + leg


def tangents(of: Situation, fan: Fan, straight: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The tangents halfway through the turns to ways.

    Args:
        of: The fishes.
        fan: Their ways.
        straight: Free distance straight ahead in metres, (n, 1).

    Returns:
        Their lengths in metres, (n, c), their beginnings in metres and the unit vectors along them, (n, c, 3) each.
    """
    n, count = fan.turn.shape
    corners, start, halfway = np.empty((n, count)), np.empty((n, count, 3)), np.empty((n, count, 3))
    TANGENTS(
        places=of.place,
        aheads=of.ahead,
        speeds=of.speed,
        lengths=of.length,
        headings=fan.heading,
        turns=fan.turn,
        climbs=fan.climb,
        straights=straight,
        weights=_WEIGHTS,
        corners=corners,
        starts=start,
        halfways=halfway,
    )
    return corners, start, halfway


def onward(
    of: Situation, fan: Fan, start: np.ndarray, halfway: np.ndarray, leg: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """The beginning of the rest of each way in metres, and the unit vector over ground along it, (n, c, 3) each.

    Args:
        of: The fishes.
        fan: Their ways.
        start: Beginnings of the tangents halfway in metres, (n, c, 3).
        halfway: Unit vectors along them, (n, c, 3).
        leg: Distance for which these are followed in metres, (n, c).
    """
    n, count = leg.shape
    end, over_ground = np.empty((n, count, 3)), np.empty((n, count, 3))
    ONWARD(
        speeds=of.speed,
        lengths=of.length,
        drifts=of.drift,
        ways=fan.ways,
        starts=start,
        halfways=halfway,
        legs=leg,
        weights=_WEIGHTS,
        ends=end,
        grounds=over_ground,
    )
    return end, over_ground


def weigh(of: Situation, fan: Fan, straight: np.ndarray, free: np.ndarray, pressed: np.ndarray) -> PickedWays:
    """The best of the ways.

    Args:
        of: The fishes.
        fan: Their ways.
        straight: Free distance straight ahead in metres, (n, 1).
        free: Free distance along each way in metres, (n, c).
        pressed: Share by which each presses the nose into something, (n, c).
    """
    n = len(free)
    way = PickedWays(np.empty(n), np.empty(n), np.empty(n, dtype=bool))
    WEIGH(
        wishes=of.wish,
        aims=of.aim,
        sights=of.sight,
        zeals=of.zeal,
        wounds=of.wound,
        straights=straight,
        azimuths=fan.azimuth,
        climbs=fan.climb,
        turns=fan.turn,
        frees=free,
        pressed=pressed,
        ways=fan.ways,
        weights=_WEIGHTS,
        azimuth=way.azimuth,
        climb=way.climb,
        detour=way.detour,
    )
    return way


def keep_off(threats: Threats, neighbours: Neighbours, length: np.ndarray) -> np.ndarray:
    """The push away from all that is in the sensitivity box, the harder the deeper; the smaller of two gives way more.

    The book's fish turns away from the worst of them, subject to what it prefers because of the others (§7.8.1); here
    all count at once, each for its urgency.

    Args:
        threats: Threats to n fishes.
        neighbours: The neighbours that threaten.
        length: Lengths of the fishes in metres, (n,).

    Returns:
        A vector away from them, of length 0 at the border of the box and 3 or more in touch, (n, 3).
    """
    push = np.empty((len(length), 3))
    KEEP_OFF(
        urgencies=threats.urgency,
        aways=threats.away,
        lengths=neighbours.length,
        own=length,
        pushes=push,
        push=KEEP_OFF_PUSH,
    )
    return push


def press_off(wish: np.ndarray, clear: np.ndarray) -> np.ndarray:
    """Wishes, (n, 3), with the pushes of walls, (n, 4, 3): the nearer a wall, the less may press against it, (n, 3)."""
    pressed = np.empty(wish.shape)
    PRESS_OFF(pushes=clear, wishes=wish, pressed=pressed)
    return pressed
