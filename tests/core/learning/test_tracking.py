"""Target tracking, learned by practice."""

from __future__ import annotations

import numpy as np
import pytest

from artfish.core import Species
from artfish.core.learning.drills import imitated
from artfish.core.learning.errands import Reflex
from artfish.core.learning.tracking import BEARINGS_AHEAD, BEARINGS_BEHIND, placements, practise, tried

SHARK = Species.load("reef_shark").alike


@pytest.fixture(scope="module")
def made():
    return imitated(SHARK)


@pytest.mark.parametrize("bearings", [BEARINGS_AHEAD, BEARINGS_BEHIND])
def test_targets_lie_where_they_are_drawn(bearings):
    targets = placements(200, bearings, np.random.default_rng(1))
    off = np.degrees(np.abs(np.arctan2(targets[:, 1], targets[:, 0])))
    assert off.min() > bearings[0] and off.max() < bearings[1]
    assert (targets[:, 1] > 0).mean() == pytest.approx(0.5, abs=0.1)


@pytest.mark.film
@pytest.mark.parametrize(("bearings", "least"), [(BEARINGS_AHEAD, 18), (BEARINGS_BEHIND, 16)])
def test_a_taught_shark_reaches_targets_ahead_and_behind(made, bearings, least):
    targets = placements(20, bearings, np.random.default_rng(4))
    assert np.isfinite(tried(SHARK, made, [Reflex()] * 20, targets)).sum() >= least


@pytest.mark.film
def test_practice_betters_a_reflex_and_its_seed_gives_the_same_again(made):
    found = practise(SHARK, made, rounds=3, seed=2, count=8)
    assert len(found.scores) == 4 and (np.diff(found.scores) <= 0.0).all() and found.scores[-1] < found.scores[0]
    again = practise(SHARK, made, rounds=3, seed=2, count=8)
    assert again.reflex == found.reflex
