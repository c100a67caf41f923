"""A species keeps a speed for some time: less of it the longer, and never less than its cruise."""

from __future__ import annotations

import numpy as np
import pytest

from artfish.core import Species
from artfish.core.studio.paces import paces_of


def test_paces_are_measured_once():
    assert paces_of(Species.load("sardine").alike) is paces_of(Species.load("sardine").alike)


@pytest.mark.parametrize("name", ["sardine", "reef_shark"])
def test_paces_lie_between_a_cruise_and_a_burst_and_fall_with_the_time(name):
    paces = paces_of(Species.load(name).alike)
    fast = [paces.kept(seconds) for seconds in (10.0, 30.0, 100.0, 420.0)]
    assert (np.diff(fast[1:]) < 0.0).all()
    assert fast[0] > 2.0 * paces.cruise and fast[1] > 2.0 * paces.cruise
    assert fast[-1] == pytest.approx(paces.cruise)


def test_the_time_for_a_way_is_the_least_in_which_its_pace_makes_it():
    paces = paces_of(Species.load("sardine").alike)
    seconds = paces.seconds_for(40.0)
    assert seconds * paces.kept(seconds) == pytest.approx(40.0, rel=1e-3)


def test_the_books_own_fish_has_its_cruise_alone():
    paces = paces_of(Species.load("thesis").alike)
    assert paces.kept(1e6) == paces.cruise and paces.least == 0.0


def test_who_has_to_swim_to_breathe_has_a_least_speed():
    assert paces_of(Species.load("tuna").alike).least > 0.5
