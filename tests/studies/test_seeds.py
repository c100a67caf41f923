"""A study runs over the requested seeds, so that a claim can be judged on seeds that nobody tuned to."""

import importlib

import pytest

from artfish.studies import courtship, finding, mazes
from artfish.studies.__main__ import STUDIES, main, seeds_of
from artfish.studies.life import bodily, minded


@pytest.mark.parametrize("name", STUDIES)
def test_every_study_takes_seeds_from_any_on(name):
    module = importlib.import_module(f"artfish.studies.{name}")
    own = seeds_of(module, None, 0)
    assert own.start == 0
    assert seeds_of(module, None, 7000) == range(7000, 7000 + len(own))
    assert seeds_of(module, 3, 7000) == range(7000, 7003)


def test_more_seeds_begin_where_these_do():
    assert finding.times(4, range(100, 102)) == range(100, 108)


def test_trials_are_of_the_requested_seeds(monkeypatch, capsys):
    tried = []

    def each(trial, seeds):
        tried.extend(seeds)
        return [(10.0, 4.0, 0)] * len(seeds)

    monkeypatch.setattr(mazes, "each", each)
    assert main(["--only", "mazes", "--seeds", "3", "--first-seed", "500"]) == 0
    assert tried == [500, 501, 502]
    assert "seeds from 500 on" in capsys.readouterr().out


class StoppedError(Exception):
    """Stops a study after its first case."""


def test_rows_of_life_and_few_trials_are_of_them_too(monkeypatch):
    tried = []

    def seen(*case):
        tried.append(case[-1] if isinstance(case[-1], int) else case[1])
        raise StoppedError

    monkeypatch.setattr(minded.staging, "loners", seen)
    monkeypatch.setattr(bodily.staging, "frights", seen)
    for row in (minded.pace, bodily.start):
        with pytest.raises(StoppedError):
            list(row(range(40, 42)))
    monkeypatch.setattr(courtship, "each", lambda trial, *cases: tried.extend(cases[-1]) or [True] * len(cases[-1]))
    monkeypatch.setattr(courtship, "pair", None)
    with pytest.raises(AttributeError):  # what came of a pair is more than true or false
        list(courtship.findings(range(90, 92)))
    assert tried == [40, 40, 90, 91]
