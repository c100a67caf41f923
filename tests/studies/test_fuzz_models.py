"""Changed models: sound ones are read, a few changed ones do what the study claims of many, and it can be resumed."""

import json

import pytest

from artfish.core.base.codec import SceneError
from artfish.studies import fuzz_models
from artfish.studies.fuzz_models import FAILED, KINDS, PICTURE, REFUSED, SECRET, SOUND, Journal, read, trial


@pytest.mark.parametrize("name", KINDS)
def test_what_is_not_changed_is_sound(name, tmp_path):
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub" / "skin.png").write_bytes(PICTURE)
    for file, content in KINDS[name].make().items():
        (tmp_path / file).write_bytes(content)
    read(tmp_path / next(iter(KINDS[name].make())))


@pytest.mark.film
@pytest.mark.parametrize("name", KINDS)
def test_what_is_changed_is_sound_or_refused_in_one_line(name, tmp_path):
    outcomes = [trial(name, seed, keep=tmp_path) for seed in range(12)]
    assert not [one.note for one in outcomes if one.verdict == FAILED]
    assert {REFUSED, SOUND} == {one.verdict for one in outcomes}


def test_a_secret_that_is_packed_would_be_found(tmp_path, monkeypatch):
    monkeypatch.setattr(fuzz_models, "SECRET", PICTURE[-8:])
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub" / "skin.png").write_bytes(PICTURE + SECRET)
    for file, content in KINDS["obj"].make().items():
        (tmp_path / file).write_bytes(content)
    with pytest.raises(ValueError, match="a secret that is packed") as found:
        read(tmp_path / "fish.obj")
    assert not isinstance(found.value, SceneError)


def test_a_study_goes_on_where_it_was_stopped(monkeypatch, tmp_path):
    tried = []

    def count(name, seed, keep):
        tried.append(seed)
        if seed == 2:
            raise KeyboardInterrupt
        return fuzz_models.FileOutcome(SOUND)

    monkeypatch.setattr(fuzz_models, "trial", count)
    with pytest.raises(KeyboardInterrupt):
        list(fuzz_models.findings(range(4), tmp_path))
    lines = (tmp_path / "models.jsonl").read_text().splitlines()
    assert [json.loads(line).get("verdict") for line in lines] == [None, SOUND, None, SOUND, None]
    assert tried == [0, 1, 2]
    again = Journal(tmp_path / "models.jsonl")
    assert again.outcome("obj", 1, tmp_path).verdict == SOUND and tried == [0, 1, 2]
    with pytest.raises(KeyboardInterrupt):
        again.outcome("obj", 2, tmp_path)
    assert Journal(tmp_path / "models.jsonl").outcome("obj", 2, tmp_path).note == "obj-2: the process ended"
