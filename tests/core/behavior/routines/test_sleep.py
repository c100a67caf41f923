"""Sleep: who is in bed when, where beds are, and a night on a reef."""

from __future__ import annotations

import numpy as np
import pytest

from artfish.core import Scene, World
from artfish.core.behavior.routines.sleep import Sleep, beds, sleeps
from artfish.core.behavior.routines.tuning import CREVICE_METRES, OFF_BED_LENGTHS
from artfish.core.habitat.ambient import Ambient
from artfish.core.habitat.obstacles import Obstacles
from artfish.core.habitat.tank import WaterBox
from artfish.core.scene.water import Light, Temperature

TRAITS = np.array([0.0, 1.0, 0.5])
REEF = {
    "tank": {"size": [8, 8, 3]},
    "obstacles": [{"kind": "cylinder", "at": [4, 4, 0], "radius": 0.5, "height": 1.5}],
}


def asleep(*moments: tuple[float, list[bool]], luck: float = 0.5) -> None:
    keys = tuple((float(t), bright) for t, (bright, _) in enumerate(moments))
    ambient = Ambient(Light(brightness=keys), Temperature(), 3.0, Obstacles())
    sleep = Sleep(TRAITS, ambient, np.zeros((3, 3)), np.ones(3), np.full(3, luck))
    for t, (_, those) in enumerate(moments):
        ambient.at(float(t))
        assert sleep.judge(np.arange(3)).tolist() == those, moments[t]


def test_by_night_those_of_the_day_sleep_and_by_day_those_of_the_night():
    asleep((1.0, [False, True, False]), (0.05, [True, False, False]), (1.0, [False, True, False]))


def test_nobody_gets_up_and_goes_to_bed_by_turns_in_the_twilight():
    asleep((1.0, [False, True, False]), (0.24, [True, False, False]), (0.27, [True, False, False]))
    asleep((0.05, [True, False, False]), (0.4, [False, True, False]), (0.27, [False, True, False]))


def test_without_day_and_night_nobody_sleeps():
    ambient = Ambient(Light(brightness=0.01), Temperature(), 3.0, Obstacles())
    sleep = Sleep(TRAITS, ambient, np.zeros((3, 3)), np.ones(3), np.zeros(3))
    assert not sleep.anybody and not sleep.judge(np.arange(3)).any()
    assert not sleeps(ambient.light, 0.0, 0.0)


def test_panels_tell_the_same():
    light = Light(daytime=0.0)
    assert [sleeps(light, trait, 0.0) for trait in TRAITS] == [True, False, False]
    assert [sleeps(light, trait, 43_200.0) for trait in TRAITS] == [False, True, False]


def test_beds_are_at_the_foot_of_rock_and_apart():
    scene = Scene.from_dict({**REEF, "light": {"daytime": 22}})
    home, length = np.random.default_rng(2).uniform(2, 6, (5, 3)) * (1, 1, 0.3), np.full(5, 0.2)
    waters = WaterBox.from_scene(scene), Obstacles.from_scene(scene)
    found = beds(scene, 1, waters, home, length)
    gap = waters[1].distance(found)[0]
    assert gap == pytest.approx(OFF_BED_LENGTHS * 0.2, abs=0.02)
    assert (found[:, 2] < OFF_BED_LENGTHS * 0.2 + CREVICE_METRES).all() and (found[:, 2] > 0.05).all()
    apart = np.linalg.norm(found[:, None] - found, axis=2)[~np.eye(5, dtype=bool)]
    assert apart.min() > 0.1


def test_without_rock_they_lie_on_the_ground_below_and_without_nights_nowhere():
    scene, home = Scene.from_dict({"tank": {"size": [8, 8, 3]}, "light": {"daytime": 22}}), np.full((2, 3), 2.0)
    waters = WaterBox.from_scene(scene), Obstacles.from_scene(scene)
    found = beds(scene, 1, waters, home, np.array([0.2, 0.4]))
    assert found == pytest.approx(np.array([[2, 2, 0.15], [2, 2, 0.3]]))
    assert np.array_equal(beds(Scene.from_dict(REEF), 1, waters, home, np.ones(2)), home)


@pytest.mark.film
def test_a_night_on_the_reef():
    fishes = [
        {"species": "blue_tang", "count": 4, "at": [2.5, 2.5, 1], "spread": 0.5, "mind": {"hunger": 0.9}},
        {"species": "striped_cardinalfish", "count": 4, "at": [5.5, 5.5, 1], "spread": 0.3},
    ]
    scene = Scene.from_dict({**REEF, "fishes": fishes, "light": {"daytime": 16.9, "day_length": 400.0}})
    world = World(scene, 4)
    recording, sleep = world.simulate(24 * 60), world.parts.minds.decision.waters.sleep  # until half past eight
    off = np.linalg.norm(recording.nodes.mean(axis=2) - sleep.bed, axis=2) / recording.body_length
    eats = recording.intention == 3
    assert off[-240:, :4].min(axis=0).max() < 1.6 and (off[-240:, :4] < 3.0).mean() > 0.8
    assert not eats[-240:, :4].any()
    assert off[-240:, 4:].min() > 3.0  # the cardinalfish are about
    again = World(scene, 4)
    again.simulate(24 * 20)
    kept = again.moment()
    first = again.simulate(48).nodes
    again.go_back(kept)
    assert np.array_equal(again.simulate(48).nodes, first)
