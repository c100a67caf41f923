"""Bubbles: they rise as fast as measured ones, wind, burst at the surface and come anew."""

from __future__ import annotations

import numpy as np
import pytest

from artfish.core import Scene, World
from artfish.core.habitat.bubbles import Bubbles, terminal_speed
from artfish.core.habitat.currents import Current
from artfish.core.habitat.obstacles import Obstacles
from artfish.core.habitat.tank import WaterBox
from artfish.core.habitat.tuning import BUBBLE_SIZES, WINDING_RADIUS_SIZES

VENT = {"at": [2.0, 2.0, 0.0], "rate": 6.0}


def bubbles(*vents: dict, seed=0, obstacles=(), current=()) -> Bubbles:
    tank = {"size": [4, 4, 2]}
    scene = Scene.from_dict({"tank": tank, "obstacles": obstacles, "current": current, "bubbles": vents})
    parts = WaterBox.from_scene(scene), Obstacles.from_scene(scene), Current.from_scene(scene)
    return Bubbles(scene.bubbles, *parts, seed)


@pytest.mark.parametrize(
    ("millimetres", "low", "high"),
    [(0.2, 0.008, 0.025), (1.0, 0.1, 0.2), (3.0, 0.2, 0.26), (6.0, 0.2, 0.26), (30.0, 0.36, 0.45)],
)
def test_terminal_speed_is_that_of_measured_bubbles(millimetres, low, high):
    """Between contaminated and pure water in Clift, Grace and Weber (1978), figure 7.3; 0.71 sqrt(g d) for caps."""
    assert low < terminal_speed(millimetres / 1000) < high


def test_terminal_speed_tends_to_the_laws_of_very_small_and_very_large_bubbles():
    # Stokes' law grows as d^2, the cap of Davies and Taylor as the root of d.
    assert terminal_speed(2e-5) / terminal_speed(1e-5) == pytest.approx(4.0, rel=0.02)
    assert terminal_speed(1.0) == pytest.approx(0.71 * np.sqrt(9.81), rel=0.03)


def test_each_rises_at_the_speed_of_its_size_and_winds_about_its_way():
    one = bubbles({**VENT, "spread": 0.0})
    rising = np.flatnonzero(one.alive & (one.place[:, 2] < 1.2))
    start, paths = one.place[rising], []
    for frame in range(100):
        one.advance(frame / 100, 1 / 100)
        paths.append(one.place[rising])
    rise = (paths[-1] - start)[:, 2]
    assert rise == pytest.approx(terminal_speed(one.size[rising]), rel=1e-9)
    away = np.hypot(*(np.array(paths)[..., :2] - 2.0).transpose(2, 0, 1))
    # A circle of radius WINDING_RADIUS_SIZES size, somewhere on which the vent lies.
    assert (away.max(axis=0) <= 2.0 * WINDING_RADIUS_SIZES * one.size[rising] * 1.01).all()
    assert (away.max(axis=0) >= WINDING_RADIUS_SIZES * one.size[rising]).all()


def test_they_burst_at_the_surface_and_as_many_come_as_the_vent_gives():
    many = bubbles(VENT)
    born = burst = 0
    before = many.alive
    for frame in range(24 * 60):
        many.advance(frame / 24, 1 / 24)
        now = many.alive
        born, burst = born + (now & ~before).sum(), burst + (before & ~now).sum()
        assert many.place[now][:, 2].max() < 2.0
        assert many.place[before & ~now][:, 2] == pytest.approx(2.0)
        before = now
    assert born == 6 * 60
    assert burst == pytest.approx(born, abs=5)


def test_the_water_is_full_of_them_from_the_start():
    vent = {**VENT, "rate": 20.0}
    many = bubbles(vent)
    there = many.alive.sum()
    expected = 20.0 * np.mean(2.0 / terminal_speed(0.006 * np.linspace(*BUBBLE_SIZES, 100)))
    assert there == pytest.approx(expected, rel=0.1)
    assert np.histogram(many.place[many.alive, 2], bins=4, range=(0, 2))[0].min() > 0.15 * there


def test_one_that_comes_anew_was_away_for_two_frames_at_least():
    """So that nothing is seen to fly from the surface down to the vent."""
    many = bubbles({**VENT, "rate": 50.0})
    alive, place = [], []
    for frame in range(24 * 12):
        many.advance(frame / 24, 1 / 24)
        alive.append(many.alive)
        place.append(many.place.copy())
    alive, place = np.array(alive), np.array(place)
    gone = np.argwhere(alive[:-2] & ~alive[1:-1])
    assert len(gone) > 100
    assert not alive[gone[:, 0] + 2, gone[:, 1]].any()
    step = np.linalg.norm(np.diff(place, axis=0), axis=-1)
    assert step[alive[:-1] & alive[1:]].max() < 0.03


def test_a_current_carries_them():
    flow = [{"kind": "uniform", "direction": [1, 0, 0], "strength": 0.1}]
    many = bubbles(VENT, current=flow)
    high = many.alive & (many.place[:, 2] > 1.0)
    drift = (many.place[high, 0] - 2.0) / (many.place[high, 2] / terminal_speed(many.size[high]))
    assert drift == pytest.approx(0.1, abs=0.01)


@pytest.mark.parametrize("strength", [0.0, 5.0])
def test_they_keep_in_the_tank_and_out_of_pillars_whatever_the_water_does(strength):
    pillar = {"kind": "cylinder", "at": [2.3, 2.0, 0.0], "radius": 0.25, "height": 1.5}
    flow = [{"kind": "uniform", "direction": [1, 0.2, -1], "strength": strength, "period": 9.0}]
    many = bubbles({**VENT, "rate": 30.0}, obstacles=[pillar], current=flow)
    solid = Obstacles([pillar["at"]], [pillar["radius"]], [pillar["height"]])
    for frame in range(120):
        many.advance(frame / 24, 1 / 24)
        there = many.place[many.alive]
        assert ((there >= 0) & (there <= (4, 4, 2))).all()
        assert not len(there) or solid.distance(there)[0].min() > -0.02


def test_the_same_seed_gives_the_same_and_vents_do_not_mind_each_other():
    alone, both, other = bubbles(VENT), bubbles(VENT, {**VENT, "rate": 3.0}), bubbles(VENT, seed=1)
    for frame in range(48):
        for some in (alone, both, other):
            some.advance(frame / 24, 1 / 24)
    assert np.array_equal(alone.place, both.place[both.vent == 0])
    assert not np.array_equal(alone.place, other.place)


@pytest.mark.film
@pytest.mark.parametrize("vent", [{"rate": 0.0}, {"rate": 0.01}, {"at": [2, 2, 2]}, {"rate": 200.0, "size": 0.0005}])
def test_odd_vents_hold_together(vent):
    odd = bubbles({**VENT, **vent})
    for frame in range(48):
        odd.advance(frame, 1.0)
    assert np.isfinite(odd.place).all()


def test_many_fill_the_water_in_fewer_steps_and_as_evenly(monkeypatch):
    """Eighty sites in ten metres of water took half a minute before the first frame."""
    vents = [{"at": [0.5 + 0.1 * k, 2.0, 0.0], "rate": 40.0} for k in range(30)]
    moved = []
    advance = Bubbles.advance
    monkeypatch.setattr(Bubbles, "advance", lambda self, t, dt: moved.append(len(self)) or advance(self, t, dt))
    all_steps = bubbles(*vents)
    steps = len(moved)
    monkeypatch.setattr("artfish.core.habitat.bubbles.MOST_FILLED", 20 * len(all_steps))
    moved.clear()
    fewer = bubbles(*vents)
    assert len(moved) == 20 < steps and len(fewer) == len(all_steps)
    for count in (np.sum, lambda alive: alive.reshape(30, -1).sum(axis=1).min()):
        assert count(fewer.alive) == pytest.approx(count(all_steps.alive), rel=0.1)
    heights = [np.sort(one.place[one.alive, 2]) for one in (fewer, all_steps)]
    for share in (0.25, 0.5, 0.75):
        assert np.quantile(heights[0], share) == pytest.approx(np.quantile(heights[1], share), abs=0.15)


def test_a_line_says_that_too_many_take_long():
    vents = [{"at": [1, 1, 0], "rate": 200.0}] * 40
    (line,) = World(Scene.from_dict({"tank": {"size": [4, 4, 8]}, "bubbles": vents})).warnings
    assert "bubbles at a time" in str(line) and "fewer vents, or a lower rate" in str(line)
