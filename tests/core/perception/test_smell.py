"""The food that a fish smells: the nearest within its reach, on whatever side, and nothing where there is none."""

from __future__ import annotations

from dataclasses import dataclass
from types import SimpleNamespace

import numpy as np
import pytest

from artfish.core.behavior.character import table
from artfish.core.body.anatomy import NODES, frame_from
from artfish.core.perception.focuser import NO_FOOD, Focus
from artfish.core.perception.smell import Morsels, Smell
from artfish.core.perception.swimmers import Swimmers
from artfish.core.scene.species import Drives


@dataclass
class Cloud:
    """Particles in place of plankton."""

    place: np.ndarray

    def __len__(self) -> int:
        return len(self.place)

    @property
    def alive(self) -> np.ndarray:
        return np.ones(len(self.place), dtype=bool)


def smelled(nose: np.ndarray, food: np.ndarray, reach: np.ndarray) -> Focus:
    """The focus of fishes of 1 m that face along x and smell food, each within its reach in metres."""
    fishes = len(nose)
    drives = table([Drives()] * fishes, Drives)
    drives["smell"], drives["persistence"] = reach, 0.0
    nodes = np.repeat(nose[:, None], NODES, axis=1)
    swimmers = Swimmers(nodes, nose, np.tile(np.eye(3), (fishes, 1, 1)), np.zeros((fishes, 3)))
    focus = Focus(fishes)
    Smell(Morsels(Cloud(food), None), drives, np.ones(fishes)).choose(np.arange(fishes), swimmers, focus)
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


class Line:
    """A hook with bait, which lures."""

    offered, place = True, np.array([2.5, 2.5, 2.5])
    description = SimpleNamespace(lure=3.0)


@pytest.mark.parametrize("hook", [None, Line()])
@pytest.mark.parametrize("particles", [1, 2, 60])
def test_the_compiled_nose_has_the_bits_of_the_other(alike, hook, particles):
    dice, fishes = np.random.default_rng(particles), 700
    nose, food = dice.uniform(0, 5, (fishes, 3)), dice.uniform(0, 5, (particles, 3))
    drives = table([Drives()] * fishes, Drives)
    drives["smell"], drives["persistence"] = dice.uniform(0.1, 9.0, fishes), dice.uniform(0.0, 2.0, fishes)
    frames = frame_from(*dice.normal(size=(2, fishes, 3)))
    old = dice.integers(-1, particles + (hook is not None), fishes)
    sways = dice.normal(size=(fishes, 6))

    def chosen():
        focus, smell = Focus(fishes), Smell(Morsels(Cloud(food), hook), drives, np.full(fishes, 0.4))
        focus.food[:], focus.preferences[:] = old, sways
        swimmers = Swimmers(np.repeat(nose[:, None], NODES, axis=1), nose, frames, np.zeros((fishes, 3)))
        smell.choose(np.arange(0, fishes, 2), swimmers, focus)
        return focus.food, focus.food_distance

    alike(chosen, "smell")
