"""Walls: who lies across a tank that is narrower than it is long is turned along it."""

from __future__ import annotations

import numpy as np
import pytest

from artfish.core import Species
from artfish.core.body.anatomy import frame_from
from artfish.core.habitat.obstacles import Obstacles
from artfish.core.habitat.tank import WaterBox
from artfish.core.world.containment import Bounds, extents
from artfish.core.world.shoal import Shoal


def across(heading, size) -> Shoal:
    """One clownfish that heads so in the middle of a tank of these lengths of it, after the walls have met it."""
    model = Species.load("clownfish")
    shoal = Shoal([model], np.zeros(1, dtype=int), np.array([model.length]), 1.0 / 48.0)
    tank = WaterBox(np.array(size) * model.length)
    frame = frame_from(np.array(heading, dtype=float), np.array([0.0, 0.0, 1.0]))[None]
    shoal.put(np.arange(1), 0.5 * tank.size[None], frame, np.zeros(1))
    Bounds(shoal, tank, Obstacles()).hold(shoal.nodes)
    return shoal


@pytest.mark.parametrize("heading", [(0.0, 1.0, 0.0), (0.3, 1.0, 0.0), (-0.3, -1.0, 0.1), (-0.8, 0.6, 0.0)])
@pytest.mark.parametrize("width", [0.4, 0.7])
def test_a_narrow_tank_holds_all_of_a_fish(heading, width):
    shoal = across(heading, (4.0, width, 2.0))
    nodes, length = shoal.nodes[0], shoal.length[0]
    axes = shoal.frames()[1][0]
    assert nodes[:, 1].min() > -0.05 * length and nodes[:, 1].max() < (width + 0.05) * length
    assert axes[2, 2] > 0.9 and axes[0, 0] * (heading[0] or 1.0) > 0.0
    assert np.ptp(nodes @ axes, axis=0).max() == pytest.approx(length, rel=0.01)


def test_a_wide_one_turns_nobody():
    assert np.abs(across((0.0, 1.0, 0.0), (4.0, 1.5, 2.0)).frames()[1][0, 1, 0]) > 0.99


def test_compiled_extents_are_the_same(alike):
    nodes = np.random.default_rng(0).normal(size=(50, 23, 3))
    low, high = alike(lambda: extents(nodes), "extents")
    assert (low < high).all()
