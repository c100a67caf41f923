"""Grazing: fast from afar, slow near food, turning to what lies close by, swimming on from what it cannot get."""

from __future__ import annotations

import numpy as np
import pytest

from artfish.core.behavior.routines.graze import Grazing
from artfish.core.behavior.routines.moves import Moves
from artfish.core.behavior.routines.tuning import (
    LEAST_PICKING_PACE,
    PASSING_PACE,
    PICKING_LENGTHS,
    PICKING_PATIENCE_SECONDS,
)
from artfish.core.body.anatomy import NODES, frame_from
from artfish.core.perception.swimmers import Swimmers

ONE, LOOK_SECONDS = np.array([0]), 0.25


def graze(grazing: Grazing, food, speed=0.0) -> Moves:
    """The moves of one fish of 1 m at the origin that heads along x."""
    place, velocity = np.zeros((1, 3)), np.array([[speed, 0.0, 0.0]])
    swimmers = Swimmers(np.zeros((1, NODES, 3)), place, np.eye(3)[None], velocity)
    return grazing.moves(ONE, swimmers, np.array([food], dtype=float), np.array([LOOK_SECONDS]))


def test_the_nearer_the_food_the_slower_it_swims():
    paces = [graze(Grazing(np.ones(1)), (away * PICKING_LENGTHS, 0, 0)).pace[0] for away in (2.0, 1.0, 0.5, 0.01)]
    assert paces == pytest.approx([1.0, 1.0, 0.5, LEAST_PICKING_PACE])


def test_who_comes_too_fast_glides():
    assert graze(Grazing(np.ones(1)), (1.0, 0, 0), speed=2.0).pace[0] == 0.0


def test_what_lies_beside_it_close_by_is_turned_to_on_the_spot_until_it_loses_patience():
    grazing = Grazing(np.ones(1))
    looks = int(PICKING_PATIENCE_SECONDS / LOOK_SECONDS)
    for _ in range(looks):
        moves = graze(grazing, (0.0, 0.9, 0.0))
        assert moves.hold[0] and moves.pace[0] == 0.0
        assert moves.wish[0, 1] > 0.9
    for _ in range(2):
        moves = graze(grazing, (0.0, 0.9, 0.0))
    assert not moves.hold[0] and moves.pace[0] == PASSING_PACE
    assert moves.wish[0] == pytest.approx([1.0, 0.0, 0.0])  # on, to have room
    assert graze(grazing, (-3.0, 0.5, 0.0)).wish[0, 0] < 0.0  # and back, once it has


def test_what_is_straight_above_close_by_is_swum_past():
    moves = graze(Grazing(np.ones(1)), (0.1, 0.0, 0.8))
    assert moves.pace[0] == PASSING_PACE and not moves.hold[0]


def test_compiled_grazing_has_the_bits_of_the_other(alike):
    dice, fishes = np.random.default_rng(8), 640
    nodes = dice.uniform(0.0, 2.0, (fishes, NODES, 3))
    frames, length = frame_from(*dice.normal(size=(2, fishes, 3))), dice.uniform(0.1, 1.0, fishes)
    frames[:5] = frame_from(np.array([0.0, 0.0, 1.0]), np.array([1.0, 0.0, 0.0]))
    swimmers = Swimmers(nodes, nodes[:, 0], frames, 0.5 * dice.normal(size=(fishes, 3)))
    me = np.arange(1, fishes, 2)
    foods = nodes[me, 0] + dice.normal(size=(12, len(me), 3)) * dice.uniform(0.0, 1.0, (12, len(me), 1))
    foods[0, :9] = nodes[me[:9], 0]

    def grazed():
        grazing, found = Grazing(length), []
        for food in foods:
            moves = grazing.moves(me, swimmers, food, np.full(len(me), LOOK_SECONDS))
            found += [moves.wish, moves.pace, moves.hold, grazing.turned.copy(), grazing.passing.copy()]
        return tuple(found)

    alike(grazed, "graze")
