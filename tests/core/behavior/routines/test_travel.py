"""Journeys: from goal to goal in their order, and round again."""

from types import SimpleNamespace

import numpy as np
import pytest

from artfish.core.behavior.routines.travel import Goal, Journeys
from artfish.core.perception.navigation.navigator import BOUND, EXPLORING, Courses


class Guide:
    """In place of a navigator: every way is straight."""

    length = np.array([0.2, 0.2])

    def rows(self, fishes):
        return fishes

    def look_round(self, rows, place, ahead):
        pass

    def in_sight(self, rows, goals):
        return np.zeros(len(rows), dtype=bool)

    def lead(self, rows, goals, known, place, ahead):
        way = goals - place
        left = np.linalg.norm(way, axis=1)
        return Courses(way / np.maximum(left, 1e-9)[:, None], left, np.where(known, BOUND, EXPLORING))


def test_a_fish_goes_from_goal_to_goal_and_begins_again():
    both, second = np.array([True, True]), np.array([False, True])
    goals = [Goal(0, "out", 0.1, False, both), Goal(3, "home", 0.1, False, second)]
    journeys = Journeys(goals, Guide(), 2)
    fishes, at = np.arange(2), {0: np.array([1.0, 0.0, 0.0]), 3: np.array([0.0, 0.0, 0.0])}
    ahead = np.tile((1.0, 0.0, 0.0), (2, 1))
    assert journeys.bound_for(0, fishes).all() and not journeys.bound_for(3, fishes).any()
    wish, need, pace = journeys.travel(0, fishes, at[0], np.zeros((2, 3)), ahead)
    assert (wish == (1.0, 0.0, 0.0)).all() and need.all() and not journeys.happened and (pace > 0.5).all()
    journeys.travel(0, fishes, at[0], np.tile(at[0], (2, 1)), ahead)
    assert journeys.happened == [
        {"kind": "arrived", "fish": fish, "other": -1, "goal": "out", "run": 1} for fish in (0, 1)
    ]
    assert journeys.bound_for(0, fishes).tolist() == [True, False]  # one has no other goal
    assert journeys.bound_for(3, fishes).tolist() == [False, True]
    journeys.travel(3, fishes[1:], at[3], np.zeros((1, 3)), ahead[1:])
    assert journeys.runs.tolist() == [1, 2] and journeys.bound_for(0, fishes).all()


def test_who_stays_at_its_only_goal_arrives_once_until_it_has_been_away():
    journeys = Journeys([Goal(0, "reef", 0.1, False, np.array([True]))], Guide(), 1)
    goal, ahead = np.array([1.0, 0.0, 0.0]), np.array([[1.0, 0.0, 0.0]])
    for runs, place in ((0, 0.0), (1, 0.95), (1, 1.0), (1, 0.88), (1, 0.95), (1, 0.7), (2, 0.96)):
        journeys.travel(0, np.arange(1), goal, np.array([[place, 0.0, 0.0]]), ahead)
        assert journeys.runs.tolist() == [runs] and len(journeys.happened) == runs


def test_who_is_led_elsewhere_waits():
    journeys = Journeys([Goal(0, "out", 0.1, True, np.array([True, True]))], Guide(), 2)
    journeys.kept[1] = True
    assert journeys.bound_for(0, np.arange(2)).tolist() == [True, False]


def test_who_looks_for_another_goes_to_where_it_remembers_it_nearest_and_explores_without():
    guide = Guide()
    places = np.zeros((2, 4, 13))
    places[0, 2, :3], places[0, 3, :3] = (2.0, 0.0, 0.0), (0.0, 1.0, 0.0)
    times = np.array([[np.nan, np.nan, 3.0, 3.0], [np.nan] * 4])
    guide.memory = SimpleNamespace(fish_time=times, fish_motion=places)
    journeys = Journeys([], guide, 4)
    fishes, others, there = np.arange(2), np.array([2, 3]), np.array([0.0, 0.0, 5.0])
    place, ahead = np.zeros((2, 3)), np.tile((1.0, 0.0, 0.0), (2, 1))
    wish, has, pace = journeys.follow(fishes, others, True, there, place, ahead)
    assert wish[0] == pytest.approx((0.0, 1.0, 0.0)) and np.isnan(pace[0]) and pace[1] < 1.0
    assert has.all()
    wish, _, pace = journeys.follow(fishes, others, False, there, place, ahead)
    assert (wish == (0.0, 0.0, 1.0)).all() and np.isnan(pace).all()
