"""Hugging the reef: no pull within the distance that a fish likes, and one to what stands from there on."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from artfish.core import Scene, Species, World
from artfish.core.behavior.routines.hug import Hugging
from artfish.core.behavior.routines.tuning import HUGGING_PULL
from artfish.core.habitat.obstacles import Obstacles
from artfish.core.habitat.tank import WaterBox


def hugging(hug: float) -> Hugging:
    pillar = Obstacles([[5.0, 5.0, 0.0]], [0.5], [4.0])
    return Hugging(np.array([hug, 0.0]), np.array([0.2, 0.2]), WaterBox([10, 10, 5]), pillar)


def test_the_pull_is_that_of_the_nearest_thing_that_stands():
    place = np.array([[5.9, 5.0, 3.0], [8.0, 5.0, 1.0], [5.6, 5.0, 3.0]])
    pull = hugging(1.0).pull(np.zeros(3, dtype=int), place)
    assert pull[0] == pytest.approx([-HUGGING_PULL, 0, 0])  # 0.4 m off the pillar, twice what it likes
    assert pull[1] == pytest.approx([0, 0, -HUGGING_PULL])  # the floor is nearer, and far
    assert not pull[2].any()


def test_it_grows_evenly_from_the_distance_to_twice_that():
    place = np.array([[5.8, 5.0, 3.0]])
    assert hugging(1.0).pull(np.zeros(1, dtype=int), place)[0, 0] == pytest.approx(-0.5 * HUGGING_PULL)


def test_who_likes_open_water_feels_nothing():
    assert not hugging(1.0).pull(np.ones(1, dtype=int), np.array([[8.0, 8.0, 4.0]])).any()


@pytest.mark.film
def test_a_fish_of_the_reef_comes_down_to_it_and_another_does_not():
    def height(hug: float) -> float:
        fish = {"species": "butterflyfish", "count": 6, "at": [4, 4, 2.5], "spread": 0.8, "mind": {"hunger": 0.0}}
        scene = Scene.from_dict({"tank": {"size": [8, 8, 5]}, "fishes": [fish]})
        species = Species.load("butterflyfish")
        kind = replace(species, temperament=replace(species.temperament, hug=hug))
        recording = World(scene, 3, species={"butterflyfish": kind}).simulate(24 * 60)
        return float(np.median(recording.nodes[-240:, :, :, 2].mean(axis=2)))

    assert height(2.0) < 1.2 < 1.8 < height(0.0)
