"""The food that a fish smells: the nearest within its reach, on whatever side, and nothing where there is none."""

from __future__ import annotations

from dataclasses import dataclass
from types import SimpleNamespace

import numpy as np
import pytest

from artfish.core.base.dice import Dice
from artfish.core.behavior.character import table
from artfish.core.body.anatomy import NODES, frame_from
from artfish.core.habitat.growth import ReefGrowth
from artfish.core.motor.tuning import AWRY_ANGLE, RUN_UP_LENGTHS, TURNING_CIRCLE_LENGTHS
from artfish.core.perception.browsing import Browsing
from artfish.core.perception.focuser import NO_FOOD, SKILL_LEFT, SKILLS, Focus, relative
from artfish.core.perception.smell import Morsels, Smell
from artfish.core.perception.swimmers import Swimmers
from artfish.core.perception.tuning import CONTENDERS, FOOD_TURN_COST, OUTRIGHT_LEAD, SIDE_WEIGHT
from artfish.core.scene.temperament import Drives


@dataclass
class Cloud:
    """Particles in place of plankton."""

    place: np.ndarray

    def __len__(self) -> int:
        return len(self.place)

    @property
    def alive(self) -> np.ndarray:
        return np.ones(len(self.place), dtype=bool)


BARE = ReefGrowth(np.zeros((0, 3)))


def nobody_browses(fishes: int) -> tuple[Browsing, np.ndarray]:
    """The forays of fishes that eat plankton alone, and the time since each looked for some."""
    return Browsing(np.zeros(fishes), Dice(0, np.arange(fishes)), grows=False), np.zeros(fishes)


def smelled(nose, food, reach, sways=0.0, frames=None) -> Focus:
    """The focus of fishes of 1 m that face along x, or as told, and smell food, each within its reach in metres."""
    fishes = len(nose)
    drives = table([Drives()] * fishes, Drives)
    drives["smell"], drives["persistence"] = reach, 0.0
    nodes = np.repeat(nose[:, None], NODES, axis=1)
    frames = np.tile(np.eye(3), (fishes, 1, 1)) if frames is None else frames
    swimmers, focus = Swimmers(nodes, nose, frames, np.zeros((fishes, 3))), Focus(fishes)
    focus.preferences[:] = sways
    smell = Smell(Morsels(Cloud(food), None, BARE), drives, np.ones(fishes))
    smell.choose(np.arange(fishes), swimmers, focus, *nobody_browses(fishes))
    return focus


def test_nearest_food_within_smell_against_all_pairs():
    dice = np.random.default_rng(4)
    nose, food, reach = dice.uniform(0, 5, (50, 3)), dice.uniform(0, 5, (20, 3)), dice.uniform(0, 2, 50)
    away = np.linalg.norm(nose[:, None] - food, axis=2)
    near = away.min(axis=1) <= reach
    focus = smelled(nose, food, reach)
    assert np.array_equal(focus.food != NO_FOOD, near) and 0.2 < near.mean() < 0.95
    assert np.allclose(focus.food_distance, np.where(near, away.min(axis=1), np.inf))


def test_of_two_pieces_straight_ahead_it_goes_for_the_nearer():
    food = np.array([[3.0, 0.0, 0.0], [2.0, 0.0, 0.0]])
    assert smelled(np.zeros((1, 3)), food, np.full(1, 5.0)).food.tolist() == [1]


def test_a_radius_counts_with_its_end():
    food = np.array([[2.0, 0.0, 0.0]])
    assert smelled(np.zeros((2, 3)), food, np.array([2.0, 1.9])).food.tolist() == [0, NO_FOOD]


@pytest.mark.parametrize("reach", [3.0, np.inf])
def test_where_there_is_no_food_nothing_is_smelled(reach):
    focus = smelled(np.zeros((3, 3)), np.zeros((0, 3)), np.full(3, reach))
    assert focus.food.tolist() == [NO_FOOD] * 3 and np.isinf(focus.food_distance).all()
    assert smelled(np.zeros((0, 3)), np.ones((2, 3)), np.zeros(0)).food.shape == (0,)


def loving(love: float) -> np.ndarray:
    """Motor preferences of a fish that would rather turn left."""
    sways = np.zeros((1, SKILLS))
    sways[0, SKILL_LEFT] = love
    return sways


@pytest.mark.parametrize("love, chosen", [(0.2, 0), (0.8, 1)])
def test_food_beside_a_mate_wins_over_nearer_food_if_the_fish_is_in_love(love, chosen):
    """Example 2 of §6.5.2: food ahead, more food a little further and to the left, and a mate to the left."""
    food = np.array([[3.0, 0.0, 0.0], [2.0, 3.5, 0.0]])
    assert smelled(np.zeros((1, 3)), food, np.full(1, 10.0), loving(love)).food[0] == chosen


def test_only_the_best_three_contend():
    """The nearest counts as two where a fish is after nothing yet."""
    food = np.array([[3.0, 0.0, 0.0], [3.1, 0.0, 0.0], [2.2, 2.4, 0.0]])
    nose, reach = np.zeros((1, 3)), np.full(1, 9.0)
    assert smelled(nose, food, reach, loving(1.0)).food[0] == 0
    assert smelled(nose, food[1:], reach, loving(1.0)).food[0] == 1


def slow_choice(arm: np.ndarray, reach: float, likes: np.ndarray) -> int:
    """The pseudo code of §6.5.3, for a fish of 1 m and food ahead, left and up of it, of which the nearest is twice."""
    away = np.linalg.norm(arm, axis=1)
    off = np.arccos(arm[:, 0] / away)
    cost = away * (1 + FOOD_TURN_COST * off / np.pi)
    cost += RUN_UP_LENGTHS * ((off > AWRY_ANGLE) & (away < TURNING_CIRCLE_LENGTHS))
    worth = 1 - cost / ((1 + FOOD_TURN_COST) * reach + RUN_UP_LENGTHS)
    order = sorted([away.argmin(), *range(len(arm))], key=lambda c: -worth[c])
    order = [c for c in order if away[c] <= reach]
    if not order:
        return NO_FOOD
    if len(order) == 1 or worth[order[0]] - OUTRIGHT_LEAD > worth[order[1]]:
        return order[0]
    side = relative(arm)
    return max(order[:CONTENDERS], key=lambda c: worth[c] + SIDE_WEIGHT * likes[side[c]])


@pytest.mark.parametrize("particles", [1, 3, 20])
def test_contest_against_its_pseudo_code(particles):
    dice, fishes = np.random.default_rng(particles), 200
    nose, food = dice.uniform(0, 5, (fishes, 3)), dice.uniform(0, 5, (particles, 3))
    reach = dice.uniform(0.5, 9, fishes)
    frames, likes = frame_from(*dice.normal(size=(2, fishes, 3))), dice.uniform(-1, 1, (fishes, 6))
    arm = np.einsum("nka,nab->nkb", food - nose[:, None], frames)
    slow = [slow_choice(*one) for one in zip(arm, reach, likes, strict=True)]
    assert smelled(nose, food, reach, likes, frames).food.tolist() == slow and len(set(slow)) > particles / 2


class Line:
    """A hook with bait, which lures."""

    offered, place = True, np.array([2.5, 2.5, 2.5])
    description = SimpleNamespace(lure=3.0)


@pytest.mark.parametrize("hook", [None, Line()])
@pytest.mark.parametrize("particles", [1, 2, 60])
def test_the_compiled_nose_chooses_the_same(alike, hook, particles):
    dice, fishes = np.random.default_rng(particles), 700
    nose, food = dice.uniform(0, 5, (fishes, 3)), dice.uniform(0, 5, (particles, 3))
    drives = table([Drives()] * fishes, Drives)
    drives["smell"], drives["persistence"] = dice.uniform(0.1, 9.0, fishes), dice.uniform(0.0, 2.0, fishes)
    frames = frame_from(*dice.normal(size=(2, fishes, 3)))
    old = dice.integers(-1, particles + (hook is not None), fishes)
    sways = dice.normal(size=(fishes, 6))

    def chosen():
        focus, smell = Focus(fishes), Smell(Morsels(Cloud(food), hook, BARE), drives, np.full(fishes, 0.4))
        focus.food[:], focus.preferences[:] = old, sways
        swimmers = Swimmers(np.repeat(nose[:, None], NODES, axis=1), nose, frames, np.zeros((fishes, 3)))
        browsing, elapsed = nobody_browses(fishes)
        smell.choose(np.arange(0, fishes, 2), swimmers, focus, browsing, elapsed[::2])
        return focus.food, focus.food_distance

    alike(chosen, "smell")
