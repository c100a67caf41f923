"""Avoiding: the push out of boxes, and the way that is picked among what stands."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from artfish.core.base.vectors import unit
from artfish.core.behavior.routines.avoid import Fan, Situation, best_way, fan_of, press_off, weigh
from artfish.core.habitat.obstacles import Obstacles
from artfish.core.habitat.tank import WaterBox
from artfish.core.perception.collision import Antenna
from artfish.core.perception.tuning import BERTH_LENGTHS


@pytest.mark.parametrize("side", [1.0, -1.0])
def test_who_has_gone_round_and_round_turns_the_other_way_or_not_at_all(side):
    """Amid free water; who has made a mere about turn, or turned the other way, goes where it likes."""
    antenna = Antenna(WaterBox((10.0, 8.0, 4.0)), Obstacles())
    one, none, long = np.ones(1), np.zeros(1), np.full(1, 0.1)
    place, ahead, aside = np.array([[5.0, 4.0, 2.0]]), np.array([[1.0, 0.0, 0.0]]), np.array([[0.0, side, 0.0]])
    situation = Situation(
        wish=aside,
        aim=none,
        place=place,
        ahead=ahead,
        speed=long,
        drift=np.zeros((1, 3)),
        length=long,
        sight=one,
        jitter=none,
        zeal=one,
        wound=none,
        berth=np.full(1, BERTH_LENGTHS),
    )
    ways = {wound: best_way(antenna, replace(situation, wound=side * wound * one)) for wound in (-5.0, 0.0, 2.5, 5.0)}
    turns = {wound: side * float(way.azimuth[0]) for wound, way in ways.items()}
    assert turns[-5.0] == turns[0.0] == turns[2.5] == pytest.approx(np.pi / 2, abs=0.1)  # a way of the fan
    assert turns[5.0] <= 0.0
    assert not any(way.detour[0] for way in ways.values())


@pytest.mark.parametrize("pillars", [0, 3])
def test_compiled_ways_are_the_same(alike, pillars):
    """In still and in streaming water, at rest and fast, upright, wound, and in what stands."""
    dice, n = np.random.default_rng(pillars), 150
    at, radius = dice.uniform(0, 3, (pillars, 3)), dice.uniform(0.2, 0.6, pillars)
    antenna = Antenna(WaterBox((5.0, 4.0, 3.0)), Obstacles(at, radius, np.full(pillars, 2.0)))
    ahead = unit(dice.normal(size=(n, 3)))
    ahead[:3], ahead[3:5] = (0.0, 0.0, 1.0), (-1.0, 0.0, 0.0)
    length = dice.uniform(0.05, 0.6, n)
    situation = Situation(
        wish=dice.normal(size=(n, 3)),
        aim=dice.uniform(-np.pi, np.pi, n),
        place=dice.uniform(0, (5.0, 4.0, 3.0), (n, 3)),
        ahead=ahead,
        speed=length * dice.uniform(0, 3, n),
        drift=0.3 * dice.normal(size=(n, 3)) * (dice.uniform(size=(n, 1)) < 0.5),
        length=length,
        sight=length * dice.uniform(1, 8, n),
        jitter=dice.uniform(-0.1, 0.1, n),
        zeal=dice.uniform(1, 4, n),
        wound=dice.choice([0.0, 1.0, -5.0, 5.0, -20.0], n),
        berth=dice.uniform(0.2, 0.8, n),
    )
    way = alike(lambda: best_way(antenna, situation), "fan", "tangents", "onward", "weigh")
    assert way.detour.any() and not way.detour.all()
    fan = alike(lambda: fan_of(situation, np.full((n, 1), -0.3), np.full((n, 1), 0.2)), "fan")
    assert len(np.unique(fan.climb)) > 20


def test_far_angles_and_long_wishes_are_weighed_too(alike):
    n, wind = 8, np.array([0.0, 50.0, 1e5, 1e7, 1e9, 1e12, 1e200, -1e7])
    place, one = np.tile([2.0, 2.0, 1.0], (n, 1)), np.ones(n)
    wish = np.random.default_rng(1).normal(size=(n, 3)) * np.geomspace(1.0, 1e140, n)[:, None]
    ahead = unit(wish[::-1])
    length, none = 0.2 * one, 0.0 * one
    situation = Situation(wish, wind, place, ahead, length, 0.0 * place, length, one, wind[::-1], one, none, 0.5 * one)
    antenna = Antenna(WaterBox((5.0, 4.0, 3.0)), Obstacles())
    way = alike(lambda: best_way(antenna, situation), "fan", "tangents", "onward", "weigh")
    assert (np.abs(way.azimuth) <= np.pi).all()


def test_of_ways_without_a_merit_the_first_is_taken(alike):
    """None is, in a world."""
    free, turns = np.array([[1.0, 0.5, np.nan, 2.0, np.nan]]), np.zeros((1, 5))
    ways = Fan(np.zeros((1, 1)), np.arange(5.0)[None], np.arange(5.0)[None], turns, np.ones((1, 5, 3)))
    situation = Situation(np.ones((1, 3)), *np.ones((11, 1)))
    way = alike(lambda: weigh(situation, ways, np.ones((1, 1)), free, 0.0 * turns), "weigh")
    assert way.climb.tolist() == [2.0]


def test_wishes_are_kept_off_walls_in_the_same_way_compiled(alike):
    dice = np.random.default_rng(0)
    clear = dice.normal(size=(60, 4, 3)) * (dice.uniform(size=(60, 4, 1)) < 0.5)
    wish = dice.normal(size=(60, 3))
    assert (alike(lambda: press_off(wish, clear), "press_off") != wish).any()
