"""Bouts, changes and courtship are counted as they are: on intentions that are written down."""

import numpy as np
import pytest

from artfish.studies.life import minds

ALIVE = np.ones((240, 1), dtype=bool)


def written(*bouts: tuple[int, int]) -> np.ndarray:
    """Intentions of one fish, given the number of frames of each, (frames, 1)."""
    return np.repeat([what for what, _ in bouts], [frames for _, frames in bouts])[:, None]


def test_whole_bouts_are_those_between_two_changes():
    intention = written((6, 100), (0, 6), (6, 60), (1, 12), (6, 62))
    assert minds.bouts(intention, ALIVE, 24.0)[0] == pytest.approx([0.25, 2.5, 0.5])
    assert minds.short_share(intention, ALIVE, 24.0) == (1, 3)
    assert minds.changes_a_minute(intention, ALIVE, 24.0) == pytest.approx(4 * 6)


def test_who_is_dead_changes_nothing():
    intention, alive = written((6, 60), (0, 60), (6, 120)), ALIVE.copy()
    alive[100:] = False
    assert minds.bouts(intention, alive, 24.0)[0].tolist() == []
    assert minds.changes_a_minute(intention, alive, 24.0) == pytest.approx(60 * 24 / 100)
    alive[2:] = False
    assert np.isnan(minds.changes_a_minute(intention, alive, 24.0))


def test_a_couple_of_two_species_is_foreign():
    events = [
        {"kind": "courtship", "fish": 0, "other": 1, "stage": "looping"},
        {"kind": "courtship", "fish": 0, "other": 2, "stage": "looping"},
        {"kind": "eaten", "fish": 0, "other": 2},
    ]
    assert minds.foreign(events, ("clownfish", "clownfish", "blue_tang")) == [False, True]


def test_what_begins_within_a_second_begins_at_once():
    holds = np.zeros((240, 4), dtype=bool)
    for fish, frame in enumerate((24, 40, 120)):
        holds[frame:, fish] = True
    onset = minds.onsets(holds, 24.0)
    assert np.array_equal(onset, [1.0, 40 / 24, 5.0, np.nan], equal_nan=True)
    assert minds.most_at_once(onset) == 2
    assert minds.most_at_once(np.array([np.nan])) == 0
