"""Plankton: it drifts with the water, is drawn and eaten, and grows anew; and the fishes that feed on it."""

from __future__ import annotations

import numpy as np
import pytest

from artfish.core import Scene
from artfish.core.behavior.intention import EAT
from artfish.core.habitat.currents import Current
from artfish.core.habitat.obstacles import Obstacles
from artfish.core.habitat.plankton import PlanktonCloud
from artfish.core.habitat.tank import WaterBox
from artfish.core.habitat.tuning import PLANKTON_GAP_METRES
from artfish.studies.feeding import around_a_pillar, beside_a_predator, feeding, picked, widths

PILLAR = {"kind": "cylinder", "at": [2.0, 2.0, 0.0], "radius": 0.4, "height": 2.5}


def cloud(seed=0, obstacles=(), current=(), **plankton) -> PlanktonCloud:
    scene = Scene.from_dict(
        {"tank": {"size": [4, 4, 2.5]}, "plankton": plankton, "obstacles": obstacles, "current": current}
    )
    parts = WaterBox.from_scene(scene), Obstacles.from_scene(scene), Current.from_scene(scene)
    return PlanktonCloud(scene.plankton, *parts, seed)


def test_a_cloud_lies_within_its_spread_or_all_over_the_tank():
    near = cloud(count=400, at=[1.0, 1.5, 1.2], spread=0.5)
    away = np.linalg.norm(near.place - [1.0, 1.5, 1.2], axis=1)
    assert away.max() <= 0.5 and away.max() > 0.45
    assert np.median(away) == pytest.approx(0.5 * 0.5 ** (1 / 3), rel=0.1)  # evenly spread over the ball
    wide = cloud(count=400)
    assert (np.ptp(wide.place, axis=0) > 0.9 * np.array([4, 4, 2.5])).all()
    assert not np.array_equal(cloud(seed=1, count=400).place, wide.place)


def test_it_keeps_out_of_pillars_and_in_the_tank_whatever_the_water_does():
    flow = [{"kind": "uniform", "direction": [1, 1, 0.5], "strength": 1.0}]
    particles = cloud(count=300, obstacles=[PILLAR], current=flow)
    obstacles = Obstacles([PILLAR["at"]], [PILLAR["radius"]], [PILLAR["height"]])
    assert obstacles.distance(particles.place)[0].min() >= 0
    for frame in range(200):
        particles.advance(frame / 24, 1 / 24)
    assert (particles.place >= PLANKTON_GAP_METRES - 1e-9).all() and (
        particles.place <= np.array([4, 4, 2.5]) - PLANKTON_GAP_METRES + 1e-9
    ).all()
    assert obstacles.distance(particles.place)[0].min() > -0.05


def test_it_drifts_with_the_water():
    flow = [{"kind": "uniform", "direction": [1, 0, 0], "strength": 0.05}]
    particles = cloud(count=200, at=[1.0, 2.0, 1.2], spread=0.2, current=flow)
    start = particles.place.mean(axis=0)
    for frame in range(240):
        particles.advance(frame / 24, 1 / 24)
    assert particles.place.mean(axis=0) - start == pytest.approx([0.5, 0, 0], abs=0.02)


def test_what_is_drawn_aside_comes_to_rest_in_the_water_again():
    particles, still = (cloud(count=1, at=[2.0, 2.0, 1.2]) for _ in range(2))
    particles.pull(np.array([[0.6, 0.0, 0.0]]))
    for frame in range(480):
        particles.advance(frame / 480, 1 / 480)
        still.advance(frame / 480, 1 / 480)
    # A speed that decays at 6/s goes 0.6 / 6 m.
    assert particles.place - still.place == pytest.approx(np.array([[0.1, 0, 0]]), abs=0.002)


def test_it_grows_anew_where_some_was_eaten_and_no_more_than_there_was():
    particles = cloud(count=50, growth=4.0)
    particles.eaten(np.arange(20))
    assert particles.alive.sum() == 30
    for frame in range(48):
        particles.advance(frame / 24, 1 / 24)
    assert particles.alive.sum() == 38
    for frame in range(480):
        particles.advance(frame / 24, 1 / 24)
    assert particles.alive.all()
    barren = cloud(count=50)
    barren.eaten(np.arange(20))
    barren.advance(0.0, 100.0)
    assert barren.alive.sum() == 30


# Fishes that feed


@pytest.mark.film
def test_hungry_fishes_eat_plankton_and_hunger_falls():
    recording = feeding(seconds=24.0)
    meals = [event for event in recording.events if event["kind"] == "fed"]
    assert len(meals) >= 10
    assert recording.plankton_alive[-1].sum() == 60 - len(meals)
    assert recording.hunger[-1].mean() < recording.hunger[0].mean() - 0.25
    for event in meals:
        frame, fish, particle = event["frame"], event["fish"], event["other"]
        assert recording.plankton_alive[frame - 1, particle] or frame == 0
        assert not recording.plankton_alive[frame:, particle].any()
        assert recording.mouth[frame, fish] > 0.5
        assert recording.intention[frame, fish] in (EAT, 0)  # or it minds a wall or a neighbour meanwhile


@pytest.mark.long
@pytest.mark.film
def test_hungry_fishes_pick_what_drifts_close_together():
    """They are slow among it and turn to what lies aside; who swims past and comes back takes a third of that."""
    assert picked(seed=3, seconds=24.0) >= 6


@pytest.mark.film
def test_nobody_goes_round_and_round_what_it_cannot_reach():
    """It looks plausible: within a length of one place for eight seconds at most, not for a minute."""
    assert widths(seed=500, seconds=24) > 1.0


@pytest.mark.film
def test_fishes_without_hunger_leave_it_alone():
    recording = feeding(seconds=6.0, hunger=0.0)
    assert not recording.events
    assert not (recording.intention == EAT).any()


@pytest.mark.film
def test_food_around_a_pillar_is_eaten():
    """Blue tangs, who kept off the pillar, had three in all."""
    eaten, inside = around_a_pillar("blue_tang", pillar=True, seconds=24.0)
    assert eaten > 3
    assert inside <= 0.05  # and nobody runs into it for that


@pytest.mark.long
@pytest.mark.film
def test_cowards_eat_less_beside_a_predator():
    brave, afraid = (beside_a_predator(reach, seed=0, seconds=10.0) for reach in (20.0, 500.0))
    assert afraid < 0.6 * brave
