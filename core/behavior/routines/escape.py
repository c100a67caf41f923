"""Escaping from a predator by the eleven rules of Tu 1999, §7.9.2.

The rules are a table of leaves in the book's order, and `escape` only looks them up: the first leaf whose conditions
all hold is followed. What the book leaves open, such as how far is far, is ours.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Literal, Protocol

import numpy as np

from ...base.constants import constant
from ...base.elementary import sin_and_cos
from ...base.vectors import dot, norm, unit
from ...body.anatomy import LOWER_TIP_NODE, UPPER_TIP_NODE
from ...compiled import compiled, reads, reals, record, takes, values, writes
from ...perception.collision import Antenna
from ...perception.focuser import Focus
from ...perception.presences import NOBODY, Presences
from ...perception.swimmers import NO_FISH, Swimmers
from ..mood import FEAR, Mood
from .moves import Moves
from .tuning import (
    ASTERN_ANGLE,
    BURST_LENGTHS,
    CLOSE_PREDATOR_LENGTHS,
    CSTART_LEAST_ANGLE,
    CSTART_LENGTHS,
    ESCAPE_BEHIND_ANGLE,
    ESCAPE_FRONT_ANGLE,
    LEAST_ESCAPE_TURN,
    REAR_VIEW_SINE,
    RIGHT_AHEAD_SINE,
    ROOM_TO_TURN_LENGTHS,
    ROUGHLY_ANGLE,
    STEEPEST_ESCAPE,
)


@dataclass(frozen=True)
class Rule:
    """One leaf: an action, and what must hold of the predator for it; "any" and None always hold.

    Attributes:
        distance: Its distance.
        where: The sector around me that it is in.
        action: My action.
        side: The side of me that it is on, in any sector.
        heading: Its heading, compared with mine.
        to: The side of me that it heads towards.
        approaching: True if it comes nearer.
    """

    distance: Literal["any", "far", "close"]
    where: Literal["any", "front", "behind", "side"]
    action: Literal["turn 180", "full speed", "turn left", "turn right"]
    side: Literal["any", "left", "right"] = "any"
    heading: Literal["any", "same", "perpendicular"] = "any"
    to: Literal["any", "left", "right"] = "any"
    approaching: bool | None = None


ESCAPE_RULES = (
    Rule("far", "front", "turn 180"),
    Rule("far", "behind", "full speed"),
    Rule("far", "side", "turn right", side="left"),
    Rule("far", "side", "turn left", side="right"),
    Rule("close", "front", "turn right", heading="perpendicular", to="left"),
    Rule("close", "front", "turn left", heading="perpendicular"),
    Rule("close", "front", "turn 180"),
    Rule("close", "behind", "turn right", heading="same", approaching=True, side="left"),
    Rule("close", "behind", "turn left", heading="same", approaching=True),
    Rule("close", "behind", "turn right", heading="perpendicular", to="left"),
    Rule("close", "behind", "turn left", heading="perpendicular"),
    Rule("close", "behind", "full speed"),
    Rule("close", "side", "turn right", side="left"),
    Rule("close", "side", "turn left"),
)


_WORDS: dict[str, tuple[str | bool | None, ...]] = {
    "distance": ("any", "far", "close"),
    "where": ("any", "front", "behind", "side"),
    "side": ("any", "left", "right"),
    "heading": ("any", "same", "perpendicular"),
    "to": ("any", "left", "right"),
    "approaching": (None, True, False),
    "action": ("turn 180", "full speed", "turn left", "turn right"),
}
"""The words of a rule, in the order in which escape.c knows them."""


def numbered(rules: Sequence[Rule]) -> np.ndarray:
    """Rules with numbers for words, (rules, 7), as `escape` looks them up.

    Raises:
        ValueError: A rule has other words than `Rule` allows.
    """
    return np.array([[words.index(getattr(rule, name)) for name, words in _WORDS.items()] for rule in rules])


_RULES = constant(numbered(ESCAPE_RULES))
FISHES_A_THREAD = 300
"""Fewest fishes that are worth a thread of their own."""

FLEEING = record(
    "Fleeing",
    **reals("close front behind roughly_sine roughly_cosine least_turn start_lengths burst_lengths least_start"),
    **reals("astern steepest right_ahead missing"),
)
FLEE = compiled(
    "flee",
    over="n",
    least=FISHES_A_THREAD,
    fleeing=reads(FLEEING),
    rules=reads("i8", "many", 7),
    rows=takes("i8", "n"),
    places=takes("f8", "n", 3),
    headings=takes("f8", "n", 3),
    motions=takes("f8", "n", 3),
    sizes=takes("f8", "n"),
    chances=takes("f8", "n"),
    middles=takes("f8", "fishes", 3),
    velocities=takes("f8", "fishes", 3),
    frames=takes("f8", "fishes", 3, 3),
    lengths=takes("f8", "fishes"),
    astern=takes("f8", "fishes"),
    ways=writes("f8", "n", 3),
    paces=writes("f8", "n"),
    flings=writes("f8", "n"),
    turns=writes("f8", "n"),
    followed=writes("i8", "n"),
)


@dataclass
class Flight:
    """The flight of n fishes.

    Attributes:
        way: Unit vector where each would go: its heading turned, down from a foe above and up from one below, (n, 3).
        pace: Share of full speed and of a burst, as `Moves` has it, (n,).
        fling: Angle in radians, left positive, by which it flings itself round, startled by a foe that is near, (n,).
        turn: Angle to turn by in radians, left positive, -pi to pi; its way is turned by a little less than a half turn
            at the most, (n,).
        rule: Row of the rule that each follows, -1 where none holds, (n,).
    """

    way: np.ndarray
    pace: np.ndarray
    fling: np.ndarray
    turn: np.ndarray
    rule: np.ndarray


@dataclass(frozen=True)
class Foes:
    """The foes that n fishes are afraid of, one each.

    Attributes:
        place: Metres, (n, 3).
        ahead: Heading, (n, 3).
        velocity: Through the water in m/s, (n, 3).
        length: Metres, (n,).
        known: Mask of those that it sees, or knows the place of; all others are imagined, (n,) bool.
    """

    place: np.ndarray
    ahead: np.ndarray
    velocity: np.ndarray
    length: np.ndarray
    known: np.ndarray


@cache
def _fleeing() -> np.ndarray:
    """The numbers of an escape as compiled functions take them."""
    sine, cosine = sin_and_cos(ROUGHLY_ANGLE)
    return values(
        FLEEING,
        close=CLOSE_PREDATOR_LENGTHS,
        front=ESCAPE_FRONT_ANGLE,
        behind=ESCAPE_BEHIND_ANGLE,
        roughly_sine=sine,
        roughly_cosine=cosine,
        least_turn=LEAST_ESCAPE_TURN,
        start_lengths=CSTART_LENGTHS,
        burst_lengths=BURST_LENGTHS,
        least_start=CSTART_LEAST_ANGLE,
        astern=ASTERN_ANGLE,
        steepest=STEEPEST_ESCAPE,
        right_ahead=RIGHT_AHEAD_SINE,
        missing=REAR_VIEW_SINE - RIGHT_AHEAD_SINE,
    )


def escape(
    me: np.ndarray,
    foes: Foes,
    swimmers: Swimmers,
    length: np.ndarray,
    off_astern: np.ndarray,
    chance: np.ndarray,
    rules: np.ndarray = _RULES,
) -> Flight:
    """Looks up how to flee; a turn to a side is enough to head directly away, seen from above.

    Where directly away lies round the other side, the turn is the least or a half turn, whichever is nearer.

    A predator right astern would then go unseen: from one whose course misses it, a fish turns outward and on round
    behind it, so that it stays at the edge of the fish's view (Hall et al. 1986). That is the fountain of a school.

    Args:
        me: Rows of n fishes, (n,).
        foes: Foe of each.
        swimmers: All fishes, with velocities through the water.
        length: Metres, (fish,).
        off_astern: Angle off astern at which each keeps what it flees from, in radians, 0 in the book, (fish,).
        chance: A throw between 0 and 1 that decides which way round to turn by 180 degrees, (n,).
        rules: Rules to look up, `numbered`, one or more; the first that holds wins.
    """
    n = len(me)
    flight = Flight(np.empty((n, 3)), np.empty(n), np.empty(n), np.empty(n), np.empty(n, dtype=np.int64))
    FLEE(
        fleeing=_fleeing(),
        rules=rules,
        rows=me,
        places=foes.place,
        headings=foes.ahead,
        motions=foes.velocity,
        sizes=foes.length,
        chances=chance,
        middles=swimmers.middle,
        velocities=swimmers.velocity,
        frames=swimmers.frames,
        lengths=length,
        astern=off_astern,
        ways=flight.way,
        paces=flight.pace,
        flings=flight.fling,
        turns=flight.turn,
        followed=flight.rule,
    )
    return flight


class Dreaded(Protocol):
    """The presences from which fishes flee.

    Attributes:
        presences: All that there are.
        foe: Row of the one that each flees from, NOBODY if none, (fish,).
    """

    presences: Presences
    foe: np.ndarray


class Escaping:
    """The routine of fishes in flight from what frightens them."""

    def __init__(
        self,
        focus: Focus,
        mood: Mood,
        length: np.ndarray,
        drives: np.ndarray,
        antenna: Antenna,
        dread: Dreaded | None = None,
    ):
        """Takes over the fears of all fishes.

        Args:
            focus: The predator that each flees from, and its fear of that.
            mood: Its other frights.
            length: Metres, (fish,).
            drives: (fish,) with the field rear_view, in degrees.
            antenna: The antenna that feels obstacles.
            dread: The presences from which it flees.
        """
        self._dread = dread
        self._focus, self._mood, self._length, self._antenna = focus, mood, length, antenna
        self._off_astern = np.radians(180.0 - drives["rear_view"])

    def moves(self, me: np.ndarray, swimmers: Swimmers) -> Moves:
        """Moves by which the fishes of these rows, (n,), flee from the most dangerous predator by the book's rules."""
        foes = self.foes(me, swimmers)
        chance = np.where(self._goes_left(me, swimmers, foes.place - swimmers.middle[me]), 0.0, 1.0)
        flight, none = escape(me, foes, swimmers, self._length, self._off_astern, chance), np.zeros(len(me))
        return Moves(flight.way, flight.pace, none.astype(bool), none, flight.fling)

    def _goes_left(self, me: np.ndarray, swimmers: Swimmers, offset: np.ndarray) -> np.ndarray:
        """Mask of those, (n,), that turn about over their left: away from predators at these offsets in metres, (n, 3).

        From one right ahead they turn to the side to which they are bent already, and beside a wall, not into it.
        """
        own, length = swimmers.frames[me], self._length[me]
        left = own[:, :, 1]
        beside, (upper, lower) = (
            dot(offset, left),
            (swimmers.nodes[me, tip] for tip in (UPPER_TIP_NODE, LOWER_TIP_NODE)),
        )
        bent = dot(upper + lower - 2.0 * swimmers.place[me], left) >= 0.0
        ahead = np.abs(beside) < RIGHT_AHEAD_SINE * norm(offset)
        left_is_better = np.where(ahead, bent, beside < 0.0)
        ways = np.stack((left, -left), axis=1)
        room = self._antenna.of(me).free_path(swimmers.place[me], swimmers.place[me][:, None], ways, length)
        tight = room < ROOM_TO_TURN_LENGTHS * length[:, None]
        return np.where(tight.any(axis=1), room[:, 0] > room[:, 1], left_is_better)

    def foes(self, me: np.ndarray, swimmers: Swimmers) -> Foes:
        """The foes that the fishes of these rows, (n,), are afraid of.

        What frightened a fish is taken for one of its own length that comes at it; without a place it is right behind.
        A presence is taken for a fish where its surface is nearest.
        """
        foe, mood = self._focus.target[me], self._mood
        at, heading = swimmers.middle[foe], swimmers.ahead[foe]
        motion, size = swimmers.velocity[foe], self._length[foe]
        known = ~np.isnan(mood.threat[me, 0]) & (mood.offset[me, FEAR] > self._focus.most_fear[me])
        rows = np.flatnonzero(known | (foe == NO_FISH))
        if len(rows):
            middle, ahead = swimmers.middle[me[rows]], swimmers.ahead[me[rows]]
            behind = middle - self._length[me[rows], None] * ahead
            at[rows] = np.where(known[rows, None], mood.threat[me[rows]], behind)
            heading = heading.copy()
            heading[rows] = unit(middle - at[rows])
            motion[rows], size[rows] = heading[rows], self._length[me[rows]]
        real = known | (foe != NO_FISH)
        if self._dread is not None:
            rows = np.flatnonzero(~known & (self._dread.foe[me] != NOBODY))
            real[rows] = True
            if len(rows):
                places = swimmers.middle[me[rows]]
                at[rows], heading[rows], motion[rows] = self._dread.presences.foes(self._dread.foe[me[rows]], places)
                size[rows] = self._length[me[rows]]
        return Foes(at, heading, motion, size, real)
