"""Escaping: the eleven rules (Tu 1999, §7.9.2), a leaf at a time and as a whole."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from artfish.core.behavior.mood import Mood
from artfish.core.behavior.routines.escape import ESCAPE_RULES, Escaping, Flight, Foes, Rule, escape, numbered
from artfish.core.behavior.routines.tuning import (
    ASTERN_ANGLE,
    BURST_LENGTHS,
    CLOSE_PREDATOR_LENGTHS,
    ESCAPE_BEHIND_ANGLE,
    ESCAPE_FRONT_ANGLE,
    LEAST_ESCAPE_TURN,
    ROUGHLY_ANGLE,
    STEEPEST_ESCAPE,
)
from artfish.core.body.anatomy import LOWER_TIP_NODE, NODES, UPPER_TIP_NODE, frame_from
from artfish.core.habitat.obstacles import Obstacles
from artfish.core.habitat.tank import WaterBox
from artfish.core.perception.collision import Antenna
from artfish.core.perception.focuser import Focus
from artfish.core.perception.swimmers import Swimmers
from artfish.studies import hunting

LENGTH, ITS_LENGTH = 0.2, 0.8
REACH = CLOSE_PREDATOR_LENGTHS * (LENGTH + ITS_LENGTH)
NEARBY, AFAR = 0.5 * REACH, 2.0 * REACH
ONWARD, BACK, LEFTWARD, RIGHTWARD = 0, 180, 90, -90  # its heading in degrees
RIGHT, STRAIGHT, LEFT = -1, 0, 1


def level(degrees: float) -> np.ndarray:
    return np.array((np.cos(np.radians(degrees)), np.sin(np.radians(degrees)), 0.0))


def fled(
    offset, its_ahead, closing, length, its_length, chance, rules=ESCAPE_RULES, off_astern=0.0, frames=None
) -> Flight:
    """Flights of fishes at the origin from predators, all in the world; fishes head along x if no frames are given."""
    n = len(offset)
    motion = -np.asarray(closing)[:, None] * offset / np.linalg.norm(offset, axis=1, keepdims=True)
    frames, none = np.broadcast_to(np.eye(3), (n, 3, 3)) if frames is None else frames, np.zeros((n, 3))
    swimmers = Swimmers(np.zeros((n, NODES, 3)), none, frames, none)
    foes = Foes(offset, its_ahead, motion, np.asarray(its_length), np.ones(n, dtype=bool))
    return escape(np.arange(n), foes, swimmers, length, np.full(n, off_astern), chance, numbered(rules))


def one(distance, bearing, heading, closing=0.0, chance=0.0, rules=ESCAPE_RULES) -> Flight:
    """The flight of a single fish from a predator at a bearing with a heading, both in degrees to its left."""
    return fled(
        distance * level(bearing)[None],
        level(heading)[None],
        *(np.array([number]) for number in (closing, LENGTH, ITS_LENGTH, chance)),
        rules,
    )


def crowd(n: int = 4000):
    """Predators all around, at all distances and with all headings."""
    rng = np.random.default_rng(1)
    offset, its_ahead = rng.normal(size=(2, n, 3)) * (1.0, 1.0, 0.3)
    its_ahead /= np.linalg.norm(its_ahead, axis=1, keepdims=True)
    return [offset, its_ahead, rng.normal(size=n), *rng.uniform(0.1, 0.8, (2, n)), rng.random(n)]


# Distance, bearing, heading and closing of a predator; the leaf that fires and the way it turns.
CASES = [
    (AFAR, 10, BACK, 1.0, 0, None),
    (AFAR, -40, LEFTWARD, 0.0, 0, None),
    (AFAR, 170, ONWARD, 1.0, 1, STRAIGHT),
    (AFAR, 70, ONWARD, 1.0, 2, RIGHT),
    (AFAR, -120, BACK, 0.0, 3, LEFT),
    (NEARBY, 5, LEFTWARD, 0.0, 4, RIGHT),
    (NEARBY, -30, LEFTWARD, 1.0, 4, RIGHT),
    (NEARBY, -5, RIGHTWARD, 0.0, 5, LEFT),
    (NEARBY, 30, RIGHTWARD, 0.0, 5, LEFT),
    (NEARBY, 0, BACK, 1.0, 6, None),
    (NEARBY, 20, ONWARD, -1.0, 6, None),
    (NEARBY, 150, ONWARD, 0.1, 7, RIGHT),
    (NEARBY, -150, ONWARD, 0.1, 8, LEFT),
    (NEARBY, 180.0001, ONWARD, 0.1, 8, LEFT),
    (NEARBY, 170, LEFTWARD, 0.1, 9, RIGHT),
    (NEARBY, -170, LEFTWARD, 0.1, 9, RIGHT),
    (NEARBY, 170, RIGHTWARD, 0.1, 10, LEFT),
    (NEARBY, 170, ONWARD, -0.1, 11, STRAIGHT),
    (NEARBY, -170, ONWARD, 0.0, 11, STRAIGHT),
    (NEARBY, -170, BACK, 0.1, 11, STRAIGHT),
    (NEARBY, 90, RIGHTWARD, 1.0, 12, RIGHT),
    (NEARBY, 60, ONWARD, 1.0, 12, RIGHT),
    (NEARBY, -90, ONWARD, 0.0, 13, LEFT),
]


@pytest.mark.parametrize("distance, bearing, heading, closing, leaf, side", CASES)
def test_every_leaf(distance, bearing, heading, closing, leaf, side):
    flight = one(distance, bearing, heading, closing)
    assert flight.rule[0] == leaf
    assert flight.pace[0] == (2.0 if distance < BURST_LENGTHS * (LENGTH + ITS_LENGTH) else 1.0)
    assert abs(flight.turn[0]) == np.pi if side is None else np.sign(flight.turn[0]) == side


def test_no_leaf_is_missing_from_the_cases():
    assert {case[4] for case in CASES} == set(range(len(ESCAPE_RULES))) and len(ESCAPE_RULES) == 14
    assert set(fled(*crowd()).rule) == set(range(14))


def book(far, where, is_left, is_same, is_perpendicular, to_left, approaching) -> str:
    """The rules once more, as they stand in the book."""
    aside = "turn right" if is_left else "turn left"
    across = "turn right" if to_left else "turn left"
    if far:
        return {"front": "turn 180", "behind": "full speed", "side": aside}[where]
    if where == "front":
        return across if is_perpendicular else "turn 180"
    if where == "behind":
        if is_same and approaching:
            return aside
        return across if is_perpendicular else "full speed"
    return aside


def test_all_together_do_what_the_book_says():
    offset, its_ahead, closing, length, its_length, chance = crowd()
    flight = fled(offset, its_ahead, closing, length, its_length, chance)
    for i in range(len(offset)):
        bearing = abs(np.degrees(np.arctan2(offset[i, 1], offset[i, 0])))
        off = np.degrees(np.arccos(its_ahead[i, 0]))
        said = book(
            np.linalg.norm(offset[i]) >= CLOSE_PREDATOR_LENGTHS * (length[i] + its_length[i]),
            "front"
            if bearing <= np.degrees(ESCAPE_FRONT_ANGLE)
            else "behind"
            if bearing >= 180 - np.degrees(ESCAPE_BEHIND_ANGLE)
            else "side",
            offset[i, 1] > 0,
            off <= np.degrees(ROUGHLY_ANGLE),
            abs(off - 90) <= np.degrees(ROUGHLY_ANGLE),
            its_ahead[i, 1] > 0,
            closing[i] > 0,
        )
        turn = flight.turn[i]
        done = "turn 180" if abs(turn) == np.pi else ("turn right", "full speed", "turn left")[int(np.sign(turn)) + 1]
        assert ESCAPE_RULES[flight.rule[i]].action == said
        assert done == said or (abs(turn) == np.pi and said in ("turn left", "turn right"))


def test_the_limits_of_the_words():
    inside, outside = 1 - 1e-6, 1 + 1e-6
    assert one(REACH * inside, 90, 0).rule[0] == 12 and one(REACH * outside, 90, 0).rule[0] == 2
    assert [one(AFAR, np.degrees(ESCAPE_FRONT_ANGLE) * e, 0).rule[0] for e in (inside, outside)] == [0, 2]
    assert [one(AFAR, 180 - np.degrees(ESCAPE_BEHIND_ANGLE) * e, 0).rule[0] for e in (inside, outside)] == [1, 2]
    assert [one(NEARBY, 170, np.degrees(ROUGHLY_ANGLE) * e, 1.0).rule[0] for e in (inside, outside)] == [7, 11]
    assert [one(NEARBY, 0, 90 + np.degrees(ROUGHLY_ANGLE) * e).rule[0] for e in (inside, outside)] == [4, 6]


def test_mirrored_predators_are_fled_the_mirrored_way():
    offset, its_ahead, closing, length, its_length, chance = crowd()
    here = fled(offset, its_ahead, closing, length, its_length, chance)
    mirror = np.array((1.0, -1.0, 1.0))
    there = fled(offset * mirror, its_ahead * mirror, closing, length, its_length, 1 - chance)
    assert np.allclose(there.turn, -here.turn)
    twin = np.array((0, 1, 3, 2, 5, 4, 6, 8, 7, 10, 9, 11, 13, 12))
    assert np.array_equal(there.rule, twin[here.rule])


def test_size_alone_does_not_matter():
    offset, its_ahead, closing, length, its_length, chance = crowd()
    here = fled(offset, its_ahead, closing, length, its_length, chance)
    there = fled(7 * offset, its_ahead, 7 * closing, 7 * length, 7 * its_length, chance)
    assert np.array_equal(there.rule, here.rule) and np.allclose(there.turn, here.turn, atol=1e-12)


@pytest.mark.parametrize("distance", [NEARBY, AFAR])
@pytest.mark.parametrize("bearing", [50, 90, 134, -50, -90, -134])
def test_a_turn_to_a_side_is_enough_to_head_directly_away(distance, bearing):
    turn = one(distance, bearing, ONWARD).turn[0]
    assert np.allclose(level(np.degrees(turn)), -level(bearing), atol=1e-12)
    assert 0 < abs(turn) < np.pi


@pytest.mark.parametrize(
    "bearing, heading, turn",
    [
        (150, ONWARD, -np.radians(30)),
        (179, ONWARD, -LEAST_ESCAPE_TURN),  # away is 1 degree to the right
        (-170, LEFTWARD, -LEAST_ESCAPE_TURN),  # away is 10 degrees to the left
        (-30, LEFTWARD, -np.pi),  # away is 150 degrees to the left
        (30, LEFTWARD, -np.radians(150)),
    ],
)
def test_turns_that_the_geometry_leaves_short_or_long(bearing, heading, turn):
    assert one(NEARBY, bearing, heading, 1.0).turn[0] == pytest.approx(turn, abs=1e-12)


def test_chance_alone_picks_the_way_round():
    turns = [one(AFAR, 10, BACK, chance=chance).turn[0] for chance in (0.0, 0.49, 0.5, 0.99)]
    assert turns == [np.pi, np.pi, -np.pi, -np.pi]
    offset, its_ahead, *numbers, chance = crowd()
    some, others = (fled(offset, its_ahead, *numbers, throw) for throw in (chance, 1 - chance))
    about = np.isin(some.rule, (0, 6))
    assert np.array_equal(some.turn[~about], others.turn[~about])
    assert np.array_equal(some.turn[about], -others.turn[about]) and 0.4 < (some.turn[about] > 0).mean() < 0.6


@pytest.mark.parametrize(
    ("bearing", "pillar", "side"),
    [(10, None, RIGHT), (-10, None, LEFT), (30, None, RIGHT), (10, -90, LEFT), (-10, 90, RIGHT), (10, 90, RIGHT)],
)
def test_who_turns_about_turns_away_from_the_predator_and_into_no_wall(meet, bearing, pillar, side):
    predator, prey = {"species": "grouper"}, {"species": "cardinalfish", "habits": {"schooling": False}}
    middle = np.full(3, 50.0)
    at = [] if pillar is None else [middle + 0.11 * level(pillar) - (0.0, 0.0, 5.0)]
    obstacles = Obstacles(at, [0.04] * len(at), [10.0] * len(at))
    meeting = meet([predator, prey], [middle + 0.35 * level(bearing), middle], [-level(bearing), [1, 0, 0]], obstacles)
    _, plan = meeting.think()
    assert np.sign(plan.cstart[1]) == side and abs(plan.cstart[1]) == np.pi


def test_from_a_predator_right_ahead_it_turns_to_where_it_is_bent_and_by_no_chance(meet):
    predator, prey = {"species": "grouper"}, {"species": "cardinalfish", "habits": {"schooling": False}}
    meeting = meet([predator, prey], [[50.35, 50, 50], [50, 50, 50]], [[-1, 0, 0], [1, 0, 0]])
    meeting.think()
    for bend in 3 * (-0.01, 0.01):
        nodes = meeting.swimmers.nodes.copy()
        nodes[1, [UPPER_TIP_NODE, LOWER_TIP_NODE], 1] += bend
        moves = meeting.decision.escaping.moves(np.array([1]), replace(meeting.swimmers, nodes=nodes))
        assert moves.cstart[0] == np.sign(bend) * np.pi


def test_the_table_decides():
    bold = (Rule("close", "any", "turn left", approaching=False), Rule("any", "front", "full speed"))
    flight = one(NEARBY, 60, ONWARD, -1.0, rules=bold)
    assert flight.rule[0] == 0 and flight.turn[0] == np.pi  # away lies 120 degrees to the right
    assert one(NEARBY, 10, BACK, 1.0, rules=bold).rule[0] == 1 and one(NEARBY, 10, BACK, 1.0, rules=bold).turn[0] == 0
    nothing = one(NEARBY, 90, ONWARD, 1.0, rules=bold)
    assert nothing.rule[0] == -1 and nothing.turn[0] == 0

    arguments = crowd()
    as_is, backwards = fled(*arguments), fled(*arguments, ESCAPE_RULES[::-1])
    opposite = {"turn left": "turn right", "turn right": "turn left"}
    swapped = fled(
        *arguments, [Rule(**{**vars(rule), "action": opposite.get(rule.action, rule.action)}) for rule in ESCAPE_RULES]
    )
    aside = np.isin([rule.action for rule in ESCAPE_RULES], list(opposite))[as_is.rule]
    assert np.array_equal(swapped.rule, as_is.rule)
    assert (np.sign(swapped.turn) == np.where(aside, -1, 1) * np.sign(as_is.turn)).all()
    assert 13 - 6 in backwards.rule and not np.isin(backwards.rule, (13 - 4, 13 - 5)).any()  # "else" now comes first


def test_words_that_no_rule_knows():
    with pytest.raises(ValueError):
        numbered([Rule("close", "above", "full speed")])
    with pytest.raises(ValueError):
        numbered([Rule("close", "front", "play dead")])


def turning(ahead, left, offset, chance=0.0) -> Flight:
    """Flights of fishes that head and lie so from predators at these offsets that come at them, all in the world."""
    frames = np.stack((ahead, left, np.cross(ahead, left)), axis=-1)
    far = 1e3 * offset / np.linalg.norm(offset, axis=1, keepdims=True)
    n, length = len(ahead), np.full(len(ahead), LENGTH)
    return fled(far, -far, np.ones(n), length, length, np.broadcast_to(chance, n), frames=frames)


def attitudes(n: int = 200):
    """Headings, left sides and predators; fishes that pitch and roll, none on its back."""
    rng = np.random.default_rng(2)
    ahead = rng.normal(size=(n, 3)) * (1.0, 1.0, 0.3)
    ahead /= np.linalg.norm(ahead, axis=1, keepdims=True)
    left = np.cross((0.0, 0.0, 1.0), ahead) + 0.3 * rng.normal(size=(n, 1)) * (0.0, 0.0, 1.0)
    left -= (left * ahead).sum(axis=1, keepdims=True) * ahead
    return ahead, left / np.linalg.norm(left, axis=1, keepdims=True), rng.normal(size=(n, 3))


def test_a_way_is_the_heading_turned_and_away_from_above_or_below():
    ahead, left, offset = attitudes()
    flight = turning(ahead, left, offset)
    way, turn = flight.way, np.clip(flight.turn, -ASTERN_ANGLE, ASTERN_ANGLE)
    assert np.allclose(np.linalg.norm(way, axis=1), 1.0) and len(np.unique(turn.round(3))) > 50
    azimuth = np.arctan2(ahead[:, 1], ahead[:, 0]) + turn
    flat = way[:, :2] / np.linalg.norm(way[:, :2], axis=1, keepdims=True)
    assert np.allclose(flat, np.stack((np.cos(azimuth), np.sin(azimuth)), axis=1))
    sine = offset[:, 2] / np.linalg.norm(offset, axis=1)
    assert np.allclose(way[:, 2], np.clip(-sine, -STEEPEST_ESCAPE, STEEPEST_ESCAPE)) and STEEPEST_ESCAPE == 0.4


def test_a_way_turns_with_the_world():
    ahead, left, offset = attitudes()
    c, s = np.cos(1.3), np.sin(1.3)
    rotation = np.array(((c, -s, 0.0), (s, c, 0.0), (0.0, 0.0, 1.0))).T
    here, there = turning(ahead, left, offset).way, turning(ahead @ rotation, left @ rotation, offset @ rotation).way
    assert np.allclose(there, here @ rotation)
    mirror = np.array((1.0, -1.0, 1.0))
    # The left side of a mirrored fish is the mirror image of its right side, and so is the way round by a half turn.
    assert np.allclose(turning(ahead * mirror, -left * mirror, offset * mirror, 1.0).way, here * mirror)


@pytest.mark.parametrize("side", [-1, 1])
def test_a_way_tells_which_way_round(side):
    way = turning(level(30)[None], level(120)[None], level(30)[None], 0.0 if side > 0 else 1.0).way[0]
    assert np.sign(way @ level(120)) == side and way @ level(30) == pytest.approx(np.cos(ASTERN_ANGLE))
    assert np.cos(ASTERN_ANGLE) < -0.99


def test_a_way_upright_and_upside_down():
    up, down = np.array([(0.0, 0.0, 1.0)]), np.array([(0.0, 0.0, -1.0)])
    beside, behind = level(90)[None], -level(0)[None]
    on_its_back = turning(level(0)[None], -beside, beside)
    assert np.allclose(on_its_back.turn, np.pi / 2) and np.allclose(on_its_back.way, -beside)
    on_its_tail = turning(up, beside, -beside)
    assert np.allclose(on_its_tail.turn, np.pi / 2) and np.allclose(on_its_tail.way, beside)
    assert np.allclose(turning(up, beside, down).way[0, :2] / 0.84**0.5, level(0)[:2])
    above = turning(level(0)[None], beside, behind + up)
    assert above.turn[0] == 0.0 and np.allclose(above.way[0], (0.84**0.5, 0, -0.4))


@pytest.mark.film
def test_prey_that_is_afraid_means_to_flee_within_half_a_second():
    fled = hunting.frights(seed=5, seconds=6)
    assert fled and all(fled)


@pytest.mark.parametrize("beside", (-1.0, 1.0))
def test_who_keeps_a_predator_in_view_turns_outward_and_back_behind_it_as_it_passes(beside):
    """Magurran and Pitcher's fountain: ahead of a predator prey heads off its course, and once it has passed, back."""
    its_ahead, courses = np.array([[1.0, 0.0, 0.0]]), []
    numbers = [np.array([number]) for number in (0.0, LENGTH, ITS_LENGTH, 0.0)]
    for along in (4.0, 2.0, 0.0, -1.0):  # lengths of the prey before it, a length and a half beside its course
        offset = -LENGTH * np.array([[along, 1.5 * beside, 0.0]])
        broadside = np.cross(offset, (0.0, 0.0, 1.0)) / np.linalg.norm(offset)
        frames = frame_from(broadside, np.array([[0.0, 0.0, 1.0]]))
        way = fled(offset, its_ahead, *numbers, off_astern=np.radians(30.0), frames=frames).way[0]
        bearing = np.degrees(np.arccos(way @ offset[0] / np.linalg.norm(offset)))
        assert bearing == pytest.approx(150.0, abs=0.1)  # at the edge of a view of 300 degrees
        courses.append(np.degrees(np.arctan2(way[1] * beside, way[0])))
    assert 45.0 < courses[0] < 55.0 and courses[2] == pytest.approx(120.0, abs=0.1)
    assert (np.diff(courses) > 0.0).all() and courses[3] > 150.0


def test_who_is_chased_from_right_astern_keeps_straight_on():
    its_ahead, numbers = np.array([[1.0, 0.0, 0.0]]), [np.array([number]) for number in (0.1, LENGTH, ITS_LENGTH, 0.0)]
    flight = fled(np.array([[-NEARBY, 0.0, 0.0]]), its_ahead, *numbers, off_astern=np.radians(30.0))
    as_in_the_book = fled(np.array([[-NEARBY, 0.0, 0.0]]), its_ahead, *numbers)
    assert flight.turn[0] == as_in_the_book.turn[0]


def test_compiled_flights_have_the_bits_of_the_others(alike):
    throws, fishes = np.random.default_rng(9), 900
    nodes = np.repeat(throws.uniform(0.0, 3.0, (fishes, 1, 3)), NODES, axis=1)
    frames = frame_from(*throws.normal(size=(2, fishes, 3)))
    frames[:5] = frame_from(np.array([0.0, 0.0, 1.0]), np.array([1.0, 0.0, 0.0]))  # a nose straight up
    swimmers = Swimmers(nodes, nodes[:, 0], frames, throws.normal(size=(fishes, 3)))
    focus, mood, length = Focus(fishes), Mood(fishes), throws.uniform(0.1, 1.0, fishes)
    drives = np.array([(180.0 - 60.0 * (row % 3),) for row in range(fishes)], dtype=[("rear_view", float)])
    focus.target[:], focus.most_fear[:] = throws.integers(-1, fishes, fishes), 0.5
    mood.threat[::4], mood.offset[::4, 2] = 1.0, 0.8

    def moved():
        escaping = Escaping(focus, mood, length, drives, Antenna(WaterBox([np.inf] * 3), Obstacles()))
        moves = escaping.moves(np.arange(2, fishes), swimmers)
        return moves.wish, moves.pace, moves.cstart

    alike(moved, "flee")
