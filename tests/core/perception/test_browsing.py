"""Forays for what grows: who looks for it, how many bites one has, and the pause after it."""

from __future__ import annotations

import numpy as np
import pytest

from artfish.core.base.dice import Dice
from artfish.core.perception.browsing import Browsing
from artfish.core.perception.tuning import FORAY_BITES, FORAY_PAUSE_SECONDS, RECOIL_SECONDS

FISHES = 4000
EVERYONE = np.arange(FISHES)
NEITHER = np.zeros(FISHES, dtype=bool)


def browsing(browse: float, grows: bool = True) -> Browsing:
    return Browsing(np.full(FISHES, browse), Dice(2, EVERYONE), grows)


def parted(of: Browsing, kept=NEITHER, tuft=NEITHER, elapsed=0.0, drifts=True) -> tuple[np.ndarray, np.ndarray]:
    return of.parted(EVERYONE, kept, tuft, np.full(FISHES, elapsed), drifts)


def test_without_anything_that_grows_all_look_for_what_drifts():
    picks, bites = parted(browsing(1.0, grows=False))
    assert len(picks) == FISHES and not len(bites)


@pytest.mark.parametrize("browse", [0.0, 0.25, 0.7, 1.0])
def test_as_many_look_for_what_grows_as_their_kind_likes_it(browse):
    picks, bites = parted(browsing(browse))
    assert len(picks) + len(bites) == FISHES
    assert len(bites) / FISHES == pytest.approx(browse, abs=4.0 * np.sqrt(browse * (1.0 - browse) / FISHES))


def test_where_nothing_drifts_even_the_doubtful_bite():
    assert len(parted(browsing(0.1), drifts=False)[1]) == FISHES


@pytest.mark.parametrize("tuft", [True, False])
def test_who_is_after_something_stays_with_its_kind(tuft):
    picks, bites = parted(browsing(0.5), kept=~NEITHER, tuft=np.full(FISHES, tuft))
    assert (len(picks), len(bites)) == ((0, FISHES) if tuft else (FISHES, 0))


def test_a_foray_has_its_bites_and_a_pause_follows_in_which_it_eats_nothing():
    of = browsing(1.0)
    of.bitten(EVERYONE)
    assert (of.recoil == RECOIL_SECONDS).all()
    ends, share = of.pause > 0.0, 1.0 / FORAY_BITES
    assert ends.mean() == pytest.approx(share, abs=4.0 * np.sqrt(share * (1.0 - share) / FISHES))
    low, high = FORAY_PAUSE_SECONDS
    assert low <= of.pause[ends].min() and of.pause[ends].max() <= high
    picks, bites = parted(of, elapsed=0.5 * low)
    assert not len(picks) and np.array_equal(bites, np.flatnonzero(~ends))
    assert len(parted(of, elapsed=high)[1]) == FISHES
