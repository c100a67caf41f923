"""A fish that lies on its back turns upright, and is not pushed by it."""

from __future__ import annotations

import numpy as np
import pytest

from artfish.core import Species
from artfish.core.body.anatomy import frame_from
from artfish.core.world.righting import right
from artfish.core.world.shoal import Shoal
from artfish.core.world.tuning import RIGHTING_RATE

PERIOD = 1.0 / 24.0


def lying(ahead, up) -> Shoal:
    """One clownfish at rest, which heads and leans so."""
    model = Species.load("clownfish")
    shoal = Shoal([model], np.zeros(1, dtype=int), np.array([model.length]), PERIOD)
    frame = frame_from(np.array(ahead, dtype=float), np.array(up, dtype=float))[None]
    shoal.put(np.arange(1), np.zeros((1, 3)), frame, np.zeros(1))
    return shoal


def turned(shoal: Shoal, frames: int) -> float:
    """Upright part of the back's direction after so many frames without water, 1 is upright."""
    for _ in range(frames):
        right(shoal, np.arange(1), shoal.frames()[1][:, :, 2], PERIOD)
        shoal.displace(np.arange(1), PERIOD * shoal.node_velocities, np.zeros((1, 1, 3)))
    return float(shoal.frames()[1][0, 2, 2])


def test_one_that_leans_a_little_is_left_to_its_fins():
    shoal = lying((1, 0, 0), (0, 1, 0.5))
    turned(shoal, 1)
    assert (shoal.node_velocities == 0.0).all()


@pytest.mark.parametrize(
    ("ahead", "up"),
    [((1, 0, 0), (0, 0, -1)), ((1, 0, 0), (0, 0.6, -0.8)), ((0, 0, 1), (1, 0, 0)), ((0.6, 0, -0.8), (-0.8, 0, -0.6))],
)
def test_one_on_its_side_or_back_or_tail_comes_up_within_a_second(ahead, up):
    assert turned(lying(ahead, up), 24) > 0.2


def test_it_turns_at_its_rate_and_pushes_itself_nowhere():
    shoal = lying((1, 0, 0), (0, 0.1, -1))
    for _ in range(30):
        right(shoal, np.arange(1), shoal.frames()[1][:, :, 2], PERIOD)
    arm, velocity = shoal.nodes[0] - shoal.center_of_mass[0], shoal.node_velocities[0]
    assert shoal.velocity == pytest.approx(np.zeros((1, 3)), abs=1e-12)
    up = shoal.frames()[1][0, :, 2]
    axis = np.array([up[1], -up[0], 0.0]) / np.hypot(*up[:2])
    assert velocity == pytest.approx(np.cross(RIGHTING_RATE * axis, arm), abs=1e-6)
