"""Wrong arguments from Python are errors that name the argument, and change nothing in the simulation."""

from __future__ import annotations

import numpy as np
import pytest

from artfish.core import Helm, Scene, SceneError, World, resimulate

NAN, INF = float("nan"), float("inf")


@pytest.fixture(scope="module")
def world() -> World:
    fishes = [{"species": "clownfish", "count": 3, "at": [2, 2, 1.5], "spread": 0.5}]
    return World(Scene.from_dict({"tank": {"size": [4, 4, 3]}, "fishes": fishes}))


@pytest.mark.parametrize("name", ["swim", "turn", "climb", "back", "burst"])
@pytest.mark.parametrize("value", [None, NAN, INF, "1", [0.0], True, 1 + 1j])
def test_a_helm_is_made_of_numbers(name, value):
    with pytest.raises(SceneError, match=f"^{name}: found "):
        Helm(**{name: value})


@pytest.mark.parametrize("value", [None, NAN, 1.0, 1, "yes"])
def test_a_helm_brakes_or_not(value):
    with pytest.raises(SceneError, match="^brake: found .*, allowed true or false"):
        Helm(brake=value)
    assert Helm(brake=np.True_).brake


@pytest.mark.parametrize("fish", [1.5, NAN, None, True, "0", [0, 0, 1], [1], np.array([0]), -1, 3])
def test_one_fish_is_steered_by_its_row(world, fish):
    with pytest.raises(SceneError, match="^fish: found .*, allowed 0 to 2"):
        world.steer(fish, Helm(swim=1.0))
    assert not world.steered.any()


@pytest.mark.parametrize("helm", [1.0, {"swim": 1.0}, (1.0, 0.0)])
def test_a_fish_is_steered_by_a_helm(world, helm):
    with pytest.raises(SceneError, match="^helm: found "):
        world.steer(0, helm)
    assert not world.steered.any()


@pytest.mark.parametrize("fish", [1.5, NAN, None, True, "0", [0.0], [[0]], [0, 3]])
def test_several_are_named_by_their_rows(world, fish):
    with pytest.raises(SceneError, match="^fish: found "):
        world.feel(fish, hunger=0.5)


@pytest.mark.parametrize("count", [2.7, 2.0, NAN, None, True, "3", 0, 10_001])
def test_particles_of_food_are_counted(world, count):
    with pytest.raises(SceneError, match="^count: found .*, allowed .*1 to 10000"):
        world.feed((2, 2, 1), count)


@pytest.mark.parametrize("key, value", [("spread", None), ("spread", NAN), ("spread", True), ("at", None), ("at", 3)])
def test_food_is_dropped_somewhere(world, key, value):
    with pytest.raises(SceneError, match=f"^{key}: found "):
        world.feed(**{"at": (2, 2, 1), "count": 3, key: value})


@pytest.mark.film
@pytest.mark.parametrize(
    "key, value", [("fish", 1.5), ("fish", True), ("frame", 0.5), ("luck", NAN), ("luck", 0.5), ("luck", "x")]
)
def test_one_fish_is_simulated_anew_by_whole_numbers(world, key, value):
    recording = World(world.scene).simulate(3)
    with pytest.raises(SceneError, match=f"^{key}: found "):
        resimulate(recording, **{"fish": 0, "frame": 1, key: value})
