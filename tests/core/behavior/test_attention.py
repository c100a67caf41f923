"""To whom a fish of a school attends: one for a while, then another, and now and then nobody."""

from __future__ import annotations

import numpy as np

from artfish.core.base.dice import Dice
from artfish.core.behavior.attention import Attention

FISHES = np.arange(500)
TRAITS = np.zeros(500, dtype=[("attention", float), ("accord", float), ("alignment", float)])


def heeded(attention: float, accord: float, times) -> tuple[np.ndarray, np.ndarray]:
    """Whom fishes watch and how much they head as all do, (times, fish) each."""
    traits = TRAITS.copy()
    traits["attention"], traits["accord"] = attention, accord
    minds = Attention(traits, Dice(3, FISHES))
    heed, accord = zip(*(minds.at(t, FISHES)[1:3] for t in times), strict=True)
    return np.array(heed), np.array(accord)


def test_a_fish_watches_one_for_a_while_and_nobody_as_often_as_its_species_says():
    heed, accord = heeded(0.7, 0.4, np.arange(0.0, 60.0, 0.1))
    minds = heed >= 0
    # 500 fishes in 40 spells, of four standard errors.
    assert abs(minds.mean() - 0.7) < 4 * (0.21 / 20_000) ** 0.5
    assert np.array_equal(accord, np.where(minds, 0.4, 0.0))
    spells = 1 + np.count_nonzero(np.diff(heed, axis=0), axis=0)
    assert np.all(spells <= 41) and spells.mean() > 30
    changes = np.count_nonzero(np.diff(heed, axis=0), axis=1)
    assert changes.max() < 100  # not all at once


def test_who_is_always_attentive_heads_as_all_do():
    heed, accord = heeded(1.0, 1.0, [0.0, 7.0])
    assert (heed >= 0).all() and (accord == 1.0).all()


def test_heading_alike_counts_as_much_whether_one_attends_or_not():
    traits = TRAITS.copy()
    traits["attention"], traits["alignment"] = 0.5, np.linspace(0.0, 2.0, len(FISHES))
    some = np.array([4, 77])
    assert np.array_equal(Attention(traits, Dice(3, FISHES)).at(1.0, some)[3], traits["alignment"][some])
