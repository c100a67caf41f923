"""Colour configurations: a few do what the study claims of many, and differ from one another."""

import pytest

pytest.importorskip("bpy")

from artfish.studies import fuzz_colours


@pytest.mark.long
@pytest.mark.film
@pytest.mark.parametrize("number", [1, *(pytest.param(number, marks=pytest.mark.large) for number in range(2, 5))])
def test_a_film_is_made_under_a_configuration(number):
    assert fuzz_colours.apart(number) == ""


@pytest.mark.film
def test_refusals_are_reported(tmp_path, monkeypatch):
    monkeypatch.setattr(fuzz_colours, "configuration", lambda number: "ocio_profile_version: 2\n")
    monkeypatch.setattr(fuzz_colours, "colours", lambda config: "ended by 1: no such space" if config else {})
    assert fuzz_colours.apart(1) == "ended by 1: no such space"


def test_configurations_differ():
    assert len({fuzz_colours.configuration(number) for number in range(20)}) == 20
    assert fuzz_colours.configuration(3) == fuzz_colours.configuration(3)
