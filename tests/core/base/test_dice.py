"""One random stream a fish: what a fish throws depends on nobody else, and is fair."""

from __future__ import annotations

import numpy as np

from artfish.core.base.dice import Dice


def test_dice_of_a_fish_depend_on_nobody_else():
    few, many = Dice(7, [3, 9]), Dice(7, [1, 3, 5, 9])
    for _ in range(3):
        thrown = many.uniform(np.array([0, 1, 2, 3]))
        assert np.array_equal(few.uniform(np.array([0, 1])), thrown[[1, 3]])
    many.uniform(np.array([0, 2]))
    assert np.array_equal(few.uniform(np.array([1])), many.uniform(np.array([3])))


def test_dice_are_fair_and_independent():
    dice, other = Dice(1, np.arange(2000)), Dice(1, np.arange(2000), purpose=1)
    everyone = np.arange(2000)
    throws = np.array([dice.uniform(everyone, -1.0, 1.0) for _ in range(100)])
    assert throws.min() >= -1 and throws.max() < 1
    # Standard errors of a mean, a variance and a correlation of 200,000 throws, four of each.
    assert abs(throws.mean()) < 4 * 3**-0.5 / 200_000**0.5
    assert abs(throws.var() - 1 / 3) < 4 * (4 / 45) ** 0.5 / 200_000**0.5
    for first, second in ((throws[:-1], throws[1:]), (throws[:, :-1], throws[:, 1:])):
        assert abs(np.corrcoef(first.ravel(), second.ravel())[0, 1]) < 4 / 195_000**0.5
    assert abs(np.corrcoef(throws[0], other.uniform(everyone))[0, 1]) < 4 / 2000**0.5


def test_dice_are_the_same_bits_on_every_platform():
    assert Dice(0, [0, 1]).bits(np.array([0, 1])).tolist() == [9759481587696180810, 7602673191756308811]


def test_what_falls_in_a_turn_depends_on_the_turn_alone_and_is_fair():
    dice, everyone = Dice(1, np.arange(2000)), np.arange(2000)
    first = dice.shares(everyone, np.full(2000, 5.0), 4)
    dice.uniform(everyone)
    assert np.array_equal(first[7:9], dice.shares(np.array([7, 8]), np.full(2, 5.0), 4))
    assert first.min() >= 0 and first.max() < 1
    assert np.all(np.abs(first.mean(axis=0) - 0.5) < 4 * 12**-0.5 / 2000**0.5)
    other = dice.shares(everyone, np.full(2000, 6.0), 4)
    for one, two in ((first[:, 0], other[:, 0]), (first[:, 0], first[:, 3]), (first[:, 0], dice.uniform(everyone))):
        assert abs(np.corrcoef(one, two)[0, 1]) < 4 / 2000**0.5


def test_the_kernel_throws_the_same(alike):
    fishes, low = np.arange(1, 90, 3), np.linspace(-1.0, 1.0, 30)

    def thrown():
        dice = Dice(7, np.arange(100), 3)
        few = dice.uniform(fishes[:1], 0.5, low[:1]), dice.uniform(fishes[:0]), dice.uniform(fishes[:1])
        return (*few, dice.uniform(fishes), dice.uniform(fishes, low, 2.0), dice.uniform(fishes, 0, 3), dice.throws)

    alike(thrown, "throw")
    turns = np.floor(np.linspace(0.0, 1e6, 30))
    alike(lambda: Dice(7, np.arange(100)).shares(fishes, turns, 4), "shares")
