"""Two nostrils tell the side of a smell, and time whether there is more of it above or below."""

from __future__ import annotations

import numpy as np
import pytest

from artfish.core.behavior.character import table
from artfish.core.body.anatomy import NODES
from artfish.core.habitat.plume import BAIT, BLOOD, FOOD, MATES
from artfish.core.perception.scent import FOODS, KIN, NOTHING_SOUGHT, Scent
from artfish.core.perception.swimmers import Swimmers
from artfish.core.perception.tuning import GIVING_UP_SECONDS, NOSTRIL_CONTRAST, NOSTRIL_LENGTHS
from artfish.core.scene.temperament import Drives

KEEN = 10.0
"""Cubic metres: a fish that smells a tenth of what bait gives off in a second in one."""


class Smells:
    """A smell of one kind that is so strong at a place, in place of a plume."""

    def __init__(self, strength, kind=BAIT):
        self.strength, self.kind = strength, kind

    def concentrations(self, places, sideways, kinds):
        return tuple(kinds[self.kind] * self.strength(places + sign * sideways) for sign in (1.0, -1.0))


def noses(smells, fishes=1, hunts=True, keen=KEEN, mates=MATES) -> Scent:
    drives = table([Drives()] * fishes, Drives)
    drives["scent"] = keen
    return Scent(smells, drives, np.ones(fishes), *(np.broadcast_to(of, fishes) for of in (hunts, mates)))


def swimmers(place) -> Swimmers:
    """Fishes of a metre that head along x, noses at these places."""
    place = np.atleast_2d(np.array(place, dtype=float))
    nodes = np.repeat(place[:, None], NODES, axis=1)
    return Swimmers(nodes, place, np.tile(np.eye(3), (len(place), 1, 1)), np.zeros_like(place))


def sniff(scent, place=(0.0, 0.0, 0.0), seconds=0.5, seeks=FOODS) -> list[int]:
    fishes = np.arange(len(scent.lost))
    place = np.broadcast_to(np.array(place, dtype=float), (len(fishes), 3))
    scent.due(seconds)
    gains = scent.sniff(fishes, np.full(len(fishes), seeks), swimmers(place))
    return gains.tolist()


def even(strength):
    return lambda places: np.full(len(places), strength)


def test_a_fish_follows_what_is_not_too_thin_for_it():
    scent = noses(Smells(even(1.0)), 3, keen=np.array([0.0, 0.99, 1.01]))
    assert sniff(scent) == [2]
    assert scent.trails(np.arange(3)).tolist() == [False, False, True]


@pytest.mark.parametrize(("kind", "followed"), [(FOOD, [True, False]), (BLOOD, [False, True]), (BAIT, [True, True])])
def test_hunters_follow_blood_and_others_food_and_all_bait(kind, followed):
    scent = noses(Smells(even(1.0), kind), 2, hunts=np.array([False, True]))
    sniff(scent)
    assert scent.trails(np.arange(2)).tolist() == followed


@pytest.mark.parametrize("sigma", [0.3, 1.5, 6.0])
@pytest.mark.parametrize("beside", [-1.0, 0.0, 0.01, 0.5])
def test_the_side_is_where_a_nostril_smells_more(sigma, beside):
    scent = noses(Smells(lambda places: np.exp(-0.5 * (places[:, 1] - sigma * beside) ** 2 / sigma**2)))
    sniff(scent)
    # The logarithm of a Gaussian's ratio over two nostrils, half of which is the arctangent of the contrast.
    contrast = np.tanh(NOSTRIL_LENGTHS * beside / sigma)
    assert scent.side == pytest.approx([np.clip(contrast / NOSTRIL_CONTRAST, -1, 1)], abs=1e-9)


def test_a_trail_that_is_lost_is_looked_for_until_the_fish_gives_up():
    smells = Smells(even(1.0))
    scent = noses(smells)
    sniff(scent)
    assert scent.lost.tolist() == [0.0]
    smells.strength = even(0.0)
    for step in range(int(GIVING_UP_SECONDS)):
        sniff(scent, seconds=1.0)
        assert scent.lost.tolist() == [step + 1.0]
    sniff(scent, seconds=1.0)
    assert not scent.trails(np.arange(1)).any()
    smells.strength = even(0.2)
    assert sniff(scent) == [0] and scent.lost.tolist() == [0.0]  # it begins anew


def test_who_does_not_care_forgets_the_trail():
    scent = noses(Smells(even(1.0)))
    sniff(scent)
    assert sniff(scent, seeks=NOTHING_SOUGHT) == [] and np.isinf(scent.lost).all()


def test_whoever_is_in_love_follows_mates_of_its_own_kind():
    scent = noses(Smells(even(1.0), MATES + 3), 3, mates=MATES + np.array([2, 3, 0]))
    assert sniff(scent, seeks=KIN) == [1]
    assert sniff(scent, seeks=FOODS) == [] and not scent.trails(np.arange(3)).any()


def test_a_fish_gets_on_where_it_smells_more_than_ever():
    scent = noses(Smells(lambda places: np.exp(places[:, 0])))
    assert sniff(scent) == [0]
    assert sniff(scent, (-0.5, 0, 0)) == [] and sniff(scent, (0.01, 0, 0)) == []
    assert sniff(scent, (0.5, 0, 0)) == [0]


def test_a_fish_comes_to_the_height_of_what_it_smells_and_stays_about_it():
    height, sigma = 2.0, 1.0
    scent = noses(Smells(lambda places: np.exp(-0.5 * (places[:, 2] - height) ** 2 / sigma**2)))
    for begin in (0.0, 4.0):
        z, seen = begin, []
        for _ in range(400):
            sniff(scent, (0.0, 0.0, z), 0.1)
            z += 0.1 * 0.15 * scent.rise[0]
            seen.append(z)
        # From the crest down to nine tenths of it is 0.46 sigma of a Gaussian, and it turns a step later.
        assert np.abs(np.array(seen[300:]) - height).max() < sigma * np.sqrt(-2 * np.log(0.9)) + 2 * 0.015
