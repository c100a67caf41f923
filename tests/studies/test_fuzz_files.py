"""Changed files: sound ones load, a few changed ones do what the study claims of many, and failures are kept."""

import time

import pytest

from artfish.core import Recording
from artfish.studies.fuzz_files import CUBE, FAILED, KINDS, REFUSED, trial


@pytest.mark.parametrize("name", KINDS)
def test_what_is_not_changed_is_sound(name, tmp_path):
    path = tmp_path / f"sound{KINDS[name].ending}"
    path.write_bytes(KINDS[name].make())
    (tmp_path / "a.obj").write_text("\n".join(CUBE))
    KINDS[name].use(path)


@pytest.mark.film
@pytest.mark.parametrize(("name", "trials"), [("scene", 60), ("mesh", 60), ("recording", 12), ("world", 3)])
def test_what_is_changed_is_sound_or_refused_in_one_line(name, trials, tmp_path):
    outcomes = [trial(name, seed, keep=tmp_path) for seed in range(trials)]
    assert not [one.note for one in outcomes if one.verdict == FAILED]
    assert REFUSED in {one.verdict for one in outcomes}


def test_what_fails_is_kept(monkeypatch, tmp_path):
    def fail(path):
        raise ZeroDivisionError("by nothing")

    monkeypatch.setattr(Recording, "load", fail)
    outcome = trial("recording", 0, keep=tmp_path / "kept")
    assert outcome.verdict == FAILED and "recording-0.npz: ZeroDivisionError: 'by nothing'" in outcome.note
    assert trial("recording", 0, keep=tmp_path / "kept") == outcome
    assert [path.name for path in (tmp_path / "kept").iterdir()] == ["recording-0.npz"]


def test_nothing_begins_when_it_is_too_late(tmp_path):
    assert trial("scene", 0, until=time.time() - 1.0, keep=tmp_path) is None
