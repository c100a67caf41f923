"""Wandering: rests, bursts and coasting of each species, and nothing of the kind in the book's fish (Tu 1999, §7.8)."""

from __future__ import annotations

import numpy as np
import pytest

from artfish.core.base.dice import Dice
from artfish.core.behavior.character import table
from artfish.core.behavior.routines.wander import Wander
from artfish.core.scene.temperament import Temperament

FISHES = np.arange(200)


def wandering(**temperament) -> Wander:
    traits = table([Temperament(**temperament)] * len(FISHES), Temperament)
    length, leads = np.full(len(FISHES), 0.3), np.zeros(len(FISHES), dtype=bool)
    return Wander(traits, np.zeros((len(FISHES), 3)), length, Dice(7, FISHES), leads)


@pytest.mark.parametrize(("rest", "share"), [(0.0, 0.0), (0.5, 0.5)])
def test_a_species_rests_for_its_share_of_its_time(rest, share):
    wander = wandering(rest=rest, rest_time=3.0, whim=3.0)
    resting = []
    for _ in range(200):
        wander.wish(FISHES, np.zeros((200, 3)), np.zeros(200), np.full(200, 0.5))
        resting.append(wander.rests.mean())
    assert np.mean(resting[20:]) == pytest.approx(share, abs=0.05)


@pytest.mark.parametrize("coast", [0.0, 0.6])
def test_bursts_make_up_for_the_coasting_between_them(coast):
    wander = wandering(coast=coast, coast_time=2.0)
    factor = np.array([wander.stroke(0.05) for _ in range(1200)])
    assert (factor[0] > 0.0).all()  # who has just come begins with a burst
    assert (factor == 0.0).mean() == pytest.approx(coast, abs=0.03)
    assert factor[400:].mean() == pytest.approx(1.0, abs=0.05)


@pytest.mark.parametrize("sharp", [0.0, 0.5])
def test_a_species_turns_sharply_at_its_share_of_its_changes_of_course(sharp):
    wander = wandering(sharp=sharp, turn=0.8, whim=3.0)
    wander.wish(FISHES, np.zeros((200, 3)), np.zeros(200), np.full(200, 0.5))
    assert (np.abs(wander.course) > np.radians(69.0)).mean() == pytest.approx(sharp, abs=0.1)
    assert np.abs(wander.course.mean()) < 0.3  # to either side


def test_who_schools_neither_turns_sharply_nor_climbs_much_by_itself():
    alone, together = (wandering(sharp=1.0, turn=0.8, climb=0.5, whim=3.0) for _ in range(2))
    arguments = FISHES, np.zeros((200, 3)), np.zeros(200), np.full(200, 0.5)
    wishes = alone.wish(*arguments), together.wish(*arguments, np.ones(200, dtype=bool))
    assert (np.abs(alone.course) > 1.0).all() and (np.abs(together.course) <= 0.8).all()
    assert np.abs(wishes[1][:, 2]).mean() < 0.5 * np.abs(wishes[0][:, 2]).mean()
