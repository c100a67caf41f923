"""Tables of every dialect: a few are read for what they say, and a reader that mistakes one is found."""

from __future__ import annotations

import numpy as np
import pytest

from artfish.core.base.codec import SceneError
from artfish.core.studio import track_tables, tracks
from artfish.studies import fuzz_tables
from artfish.studies.fuzz_tables import drawn, fault


@pytest.mark.film
def test_a_few_tables_have_no_fault(tmp_path):
    assert [fault(seed, keep=tmp_path) for seed in range(15)] == [""] * 15
    assert not list(tmp_path.iterdir())


def test_the_same_seed_draws_the_same():
    one, same, other = (drawn(np.random.default_rng(seed)).content for seed in (3, 3, 4))
    assert one == same != other


def replaced(content: bytes) -> str:
    return content.decode("utf-8-sig", errors="replace")


def only_commas(text: str) -> str:
    return ","


@pytest.mark.parametrize(
    ("module", "name", "worse"),
    [(tracks, "decoded", replaced), (track_tables, "_separator", only_commas)],
)
def test_a_reader_of_one_dialect_is_found_and_its_table_kept(monkeypatch, tmp_path, module, name, worse):
    monkeypatch.setattr(module, name, worse)
    monkeypatch.setattr(fuzz_tables, "FOLLOWED", 0.0)
    assert any(fault(seed, keep=tmp_path) for seed in range(10))
    assert list(tmp_path.glob("table-*.csv"))


def test_a_message_of_more_than_a_line_is_a_fault(monkeypatch, tmp_path):
    def refuse(*_: object) -> None:
        raise ValueError("two\nlines")

    monkeypatch.setattr(tracks, "rows_of", refuse)
    assert "ValueError" in fault(0, keep=tmp_path)
    monkeypatch.setattr(tracks, "rows_of", lambda *_: (_ for _ in ()).throw(SceneError("this", "that")))
    assert "SceneError" in fault(0, keep=tmp_path), "a table that is sound may not be refused"


def test_a_study_that_was_stopped_goes_on(monkeypatch, tmp_path):
    made = []

    def trial(seed: int) -> str:
        if seed == 3 and len(made) == 3:
            raise KeyboardInterrupt
        made.append(seed)
        return ""

    monkeypatch.setattr(fuzz_tables, "KEPT", tmp_path)
    monkeypatch.setattr(fuzz_tables, "fault", trial)
    with pytest.raises(KeyboardInterrupt):
        list(fuzz_tables.findings(range(5)))
    made.append(-1)
    (found,) = fuzz_tables.findings(range(5))
    assert made == [0, 1, 2, -1, 3, 4] and (found.successes, found.trials) == (5, 5)
