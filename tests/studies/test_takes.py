"""The wishes of the study of takes are wishes for its scenes."""

from dataclasses import replace

import pytest

from artfish.core import Scene
from artfish.core.farm.wishes import wishes_of
from artfish.studies import takes


@pytest.mark.parametrize("name", takes.WISHED)
def test_wishes_are_for_their_scene(name):
    scene = Scene.load(name)
    found = wishes_of(takes.wishes(name), scene)
    time = takes.WISHED[name][1]
    assert found.scored[0].time == (time - 0.5, time + 0.5) and found.scored[0].size == pytest.approx(1 / 6)
    assert found.until(scene) < 20 and found.camera("A", replace(scene)).name == "A"


@pytest.mark.film
def test_a_search_counts_its_takes(monkeypatch):
    monkeypatch.setattr(takes, "MOST_TAKES", 1)
    monkeypatch.setitem(takes.WISHED, "hunt", ("fed", 1.0, takes.WISHED["hunt"][2]))
    take, made, had = takes.search("hunt", 3)
    assert (take in (0, 1)) and made == 1 and had in (0, 1) and had >= take
