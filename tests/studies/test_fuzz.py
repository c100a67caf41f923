"""The fuzzer finds failures and keeps them; a refusal in one line is none."""

from __future__ import annotations

import json

import numpy as np
import pytest

from artfish.core import SceneError
from artfish.studies import fuzz


def thrown(what):
    def live(data, seed):
        if isinstance(what, Exception):
            raise what
        return what

    return lambda dice: {"number": int(dice.integers(9))}, live


@pytest.mark.parametrize(
    ("what", "came", "failed"),
    [
        ("lived", "lived", False),
        (SceneError("this", "that"), "refused", False),
        (SceneError("this", "that", "x" * 9), "refused", False),
        (fuzz.SlowError(), "slow", False),
        (ZeroDivisionError("by nothing"), "ZeroDivisionError('by nothing') in test_fuzz.py, live", True),
        ("fish 0 is 0.10 lengths inside in frame 3", "fish 0 is 0.10 lengths inside in frame 3", True),
    ],
)
def test_all_but_a_clean_refusal_is_a_fault(monkeypatch, what, came, failed):
    monkeypatch.setitem(fuzz.KINDS, "thing", thrown(what))
    trial = fuzz.attempt("thing", 7)
    assert (trial.came, trial.failed) == (came, failed)


def test_what_failed_is_saved_to_be_tried_again(monkeypatch, tmp_path):
    monkeypatch.setitem(fuzz.KINDS, "thing", thrown("broken"))
    trial = fuzz.attempt("thing", 7)
    kept = json.loads(fuzz.saved(trial, tmp_path / "new").read_text())
    assert kept == {"kind": "thing", "seed": 7, "came": "broken", "data": trial.data}


def test_no_trial_begins_too_late():
    assert fuzz.attempt("mesh", 0, until=0.0).came == "late"


@pytest.mark.parametrize("kind", fuzz.KINDS)
def test_the_same_seed_throws_the_same(kind):
    throw, _ = fuzz.KINDS[kind]
    first, second, other = (throw(np.random.default_rng(seed)) for seed in (5, 5, 6))
    assert repr(first) == repr(second) != repr(other)


@pytest.mark.film
@pytest.mark.parametrize(("kind", "count"), [("species", 8), ("scene", 8), ("mesh", 3)])
def test_a_few_of_each_kind_have_no_fault(kind, count):
    trials = [fuzz.attempt(kind, seed) for seed in range(count)]
    assert not [trial for trial in trials if trial.failed]
    assert "lived" in {trial.came for trial in trials}
