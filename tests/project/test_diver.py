"""The diver of the preset is the one that its tool makes."""

from __future__ import annotations

import numpy as np
import pytest

from artfish.core import Scene
from artfish.tools import diver


@pytest.mark.film
def test_the_preset_has_the_diver_of_its_tool():
    scene = Scene.load("diver")
    parts = {each.name: each for each in scene.obstacles if each.name}
    for name, file, colour, motion in diver.parts():
        assert [key.time for key in parts[name].motion] == [key["time"] for key in motion]
        assert np.allclose([key.turn for key in parts[name].motion], [key["turn"] for key in motion])
        assert parts[name].colour == colour
        made = {"diver_body.obj": diver.body, "diver_gear.obj": diver.gear, "diver_leg.obj": diver.leg}[file]()[0]
        assert np.allclose(sorted(map(tuple, made.round(4))), sorted(parts[name].vertices), atol=1e-4)
    assert parts["diver"].presence == "pacifist" and parts["diver's gear"].presence is None


def test_the_diver_swims_evenly_and_kicks_with_both_legs_in_turn():
    places = np.array([diver.pose(t)[0] for t in np.arange(0.0, diver.SECONDS, 0.25)])
    speed = np.linalg.norm(np.diff(places, axis=0), axis=1) / 0.25
    assert 0.3 < speed.min() and speed.max() < 0.9
    left, right = (np.array([diver.kick(side)(t)[1] for t in np.arange(0.0, 4.0, 1 / 12)]) for side in (0, 1))
    body = np.array([diver.pose(t)[1] for t in np.arange(0.0, 4.0, 1 / 12)])
    swings = [
        2.0 * np.arcsin([diver.product(b * (1, -1, -1, -1), leg)[2] for b, leg in zip(body, legs, strict=True)])
        for legs in (left, right)
    ]
    assert np.corrcoef(*swings)[0, 1] < -0.99 and np.ptp(swings[0]) == pytest.approx(0.52, abs=0.03)
