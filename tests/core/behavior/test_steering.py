"""Steering: turns that are made although a fish would rather not."""

from __future__ import annotations

import numpy as np
import pytest

from artfish.core.base.vectors import wrap
from artfish.core.behavior.character import table
from artfish.core.behavior.steering import TurnHistory, compromise
from artfish.core.behavior.tuning import BURST_FADE_SECONDS
from artfish.core.body.anatomy import NODES, frame_from
from artfish.core.habitat.obstacles import Obstacles
from artfish.core.habitat.tank import WaterBox
from artfish.core.perception.collision import Antenna
from artfish.core.perception.focuser import SKILL_LEFT, SKILLS
from artfish.core.perception.swimmers import Swimmers
from artfish.core.scene.temperament import Temperament


def test_a_turn_is_compromised_where_something_speaks_against_it_unless_it_goes_round_what_stands():
    preferences = np.zeros((5, SKILLS))
    preferences[:, SKILL_LEFT] = (-1.0, -0.8, -0.4, 1.0, -1.0)
    azimuth, free = np.full(5, 3.0), np.array([True, True, True, True, False])
    left, right = (compromise(wrap(azimuth + side * 0.8), azimuth, preferences, free) for side in (1, -1))
    assert wrap(left - azimuth) == pytest.approx([0.4, 0.7 * 0.8, 0.8, 0.8, 0.8])
    assert wrap(right - azimuth) == pytest.approx(np.full(5, -0.8))


@pytest.mark.parametrize("streams", [False, True])
def test_the_kernel_glances_and_paces_the_same(alike, streams):
    fishes = 300
    own = Temperament(), Temperament(kick=0.4), Temperament(kick=1.0, wall_following=0.5, wall_distance=0.6)
    traits = table(own * (fishes // 3), Temperament)
    antenna = Antenna(WaterBox([4.0, 4.0, 3.0]), Obstacles([[2.0, 2.0, 0.0]], [0.5], [2.0]))

    def steered():
        dice, found = np.random.default_rng(1), []
        length, rhythm = dice.uniform(0.1, 0.6, fishes), dice.uniform(0.1, 1.0, (3, fishes))
        steering = TurnHistory(antenna, traits, length, list(rhythm))
        for _ in range(6):
            place, velocity, water = dice.uniform(0.1, 3.0, (3, fishes, 3)) - np.array([0.0, 1.0, 1.5])[:, None, None]
            swimmers = Swimmers(
                np.zeros((fishes, NODES, 3)), place, frame_from(*dice.normal(size=(2, fishes, 3))), velocity
            )
            outlook = steering.look_ahead(swimmers, water if streams else None, 1 / 24)
            steering.hold[:], steering.rams[:], steering.check[:] = dice.uniform(size=(3, fishes)) < 0.3
            steering.pace[:] = np.where(dice.uniform(size=fishes) < 0.5, np.nan, dice.choice([0.0, 0.4, 1.6], fishes))
            steering.begin_turns(np.arange(fishes), *dice.uniform(-3.0, 3.0, (2, fishes)))
            steering.resolve_pace(1 / 24, outlook, swimmers, dice.uniform(0.0, 2.5, fishes))
            found += [*map(np.ascontiguousarray, vars(outlook).values()), *steering.state().values()]
        return tuple(found)

    alike(steered, "glance", "pace")


def test_who_goes_at_its_own_pace_bursts_as_far_as_it_kicks_and_stops_at_once():
    """A burst for a purpose fades; a kick at ease is over with its beat, so that a glide follows."""
    kicks = np.array([0.0, 0.3, 1.0, 1.0])
    traits = table([Temperament(kick=kick) for kick in kicks], Temperament)
    antenna = Antenna(WaterBox([50.0, 50.0, 50.0]), Obstacles())
    steering = TurnHistory(antenna, traits, np.full(4, 0.1), list(np.full((3, 4), 0.5)))
    steering.pace[:] = [np.nan, np.nan, np.nan, 1.7]
    frames = np.repeat(np.eye(3)[None], 4, axis=0)
    place = 25.0 + np.arange(4.0)[:, None] * np.eye(3)[1]
    swimmers = Swimmers(np.zeros((4, NODES, 3)), place, frames, np.zeros((4, 3)))

    def burst(own: float) -> np.ndarray:
        outlook = steering.look_ahead(swimmers, None, 1 / 24)
        steering.resolve_pace(1 / 24, outlook, swimmers, np.full(4, own))
        return steering.command(np.zeros(4), np.ones(4, dtype=bool), 1 / 24).burst

    assert burst(1.6) == pytest.approx([0.0, 0.3, 0.6, 0.7])
    steering.pace[3] = 0.2
    assert burst(0.0) == pytest.approx([0.0, 0.0, 0.0, 0.7 - 1 / 24 / BURST_FADE_SECONDS])
