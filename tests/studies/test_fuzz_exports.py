"""Variants of exports: a few do what the study claims of many, one that fails is reported, and a study goes on."""

import pytest

pytest.importorskip("bpy")

from artfish.blender_artfish.export import exporting
from artfish.studies import fuzz_exports
from artfish.studies.resuming import resumed


@pytest.mark.long
@pytest.mark.film
@pytest.mark.parametrize("number", [2, *(pytest.param(number, marks=pytest.mark.large) for number in range(6, 10))])
def test_a_variant_arrives_whole(tmp_path, number):
    assert fuzz_exports.variant(number, tmp_path, (".glb", ".usdc")) == ""


@pytest.mark.long
@pytest.mark.film
def test_what_does_not_arrive_is_reported(tmp_path, monkeypatch):
    whole = exporting.chosen

    def lose(*what):
        shoals, bodies = whole(*what)
        return shoals, bodies[1:]

    monkeypatch.setattr(exporting, "chosen", lose)
    assert fuzz_exports.variant(2, tmp_path, (".glb",)).startswith(".glb: said 2 fishes, not 3; after ")


def test_a_study_goes_on_where_it_was_stopped(tmp_path):
    log, made = tmp_path / "out" / "log.jsonl", []

    def trial(number):
        if number == 2 and len(made) == 2:
            raise KeyboardInterrupt
        made.append(number)
        return "odd" if number % 2 else ""

    with pytest.raises(KeyboardInterrupt):
        resumed(log, range(4), trial)
    made.append(None)
    assert resumed(log, range(4), trial) == {0: "", 1: "odd", 2: "", 3: "odd"}
    assert made == [0, 1, None, 2, 3] and not log.exists()
