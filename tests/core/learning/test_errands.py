"""Errands of fishes that swim by a learned controller: targets, buoys, paths, and stations in a current."""

from __future__ import annotations

import numpy as np
import pytest

from artfish.core import Scene, Species, World
from artfish.core.learning.drills import imitated
from artfish.core.learning.errands import Buoys, Path, Reflex, Tracker, at

SHARK = Species.load("reef_shark").alike
MIDDLE = np.array([25.0, 25.0, 5.0])


@pytest.fixture(scope="module")
def made():
    return imitated(SHARK)


def swimming(made, goal, **scene):
    """A shark that swims along x from the middle, and its pilot."""
    group = {"species": "reef_shark", "count": 1, "at": MIDDLE.tolist(), "heading": [1, 0, 0], "controller": made}
    tracker = Tracker(goal, [Reflex()], np.array([made.swims[-1].speed]), holds=scene.pop("holds", False))
    data = {"tank": {"size": [50, 50, 10]}, "fishes": [group], **scene}
    world = World(Scene.from_dict(data), pilot=tracker, species={"reef_shark": SHARK})
    world.shoal.put(np.zeros(1, dtype=int), MIDDLE[None], np.eye(3)[None], np.array([0.3 * SHARK.length]))
    return world, tracker


def off(*lengths: float) -> np.ndarray:
    """A place so many body lengths from where it begins, (1, 3)."""
    return (MIDDLE + np.array(lengths) * SHARK.length)[None]


@pytest.mark.parametrize("way", [(4.0, 1.0, 0.5), (0.5, -3.0, 0.0)])
def test_it_reaches_a_target_that_it_sees(made, way):
    world, tracker = swimming(made, at(off(*way)))
    world.simulate(frames=24 * 12)
    assert tracker.reached[0] < 12.0


def test_it_sees_no_target_behind_its_tail_and_looks_round_until_it_does(made):
    world, tracker = swimming(made, at(off(-5.0, 0.1, 0.0)))
    world.step()
    assert not tracker.seen[0]
    world.simulate(frames=24 * 14)
    assert np.isfinite(tracker.reached[0])


def test_a_pillar_hides_a_target(made):
    pillar = {"kind": "cylinder", "at": [MIDDLE[0] + 4.0 * SHARK.length, 25, 0], "radius": 0.4, "height": 10}
    world, tracker = swimming(made, at(off(8.0, 0.0, 0.0)), obstacles=[pillar])
    world.step()
    assert not tracker.seen[0] and np.isnan(tracker._known).all()


@pytest.mark.film
def test_it_swims_between_buoys_and_back(made):
    buoys = Buoys(np.concatenate([off(4.0, 0.0, 0.0), off(-3.0, 1.0, 0.0)]), 1)
    world, _ = swimming(made, buoys)
    world.simulate(frames=24 * 40)
    assert buoys.visits[0] >= 3


@pytest.mark.film
def test_it_follows_a_path_round_corners(made):
    path = Path(np.concatenate([off(0, 0, 0), off(5, 0, 0), off(8, 4, 0.5), off(4, 8, 0.5)]), 1)
    world, _ = swimming(made, path)
    world.simulate(frames=24 * 30)
    assert path.done[0] > 0.95 * path._at[-1]
    assert np.median(path.off) < 0.5 * SHARK.length


@pytest.mark.film
def test_it_keeps_its_station_in_a_current(made):
    current = [{"kind": "uniform", "direction": [-1, 0.2, 0], "strength": 0.4 * made.swims[-1].speed * SHARK.length}]
    world, _ = swimming(made, at(off(0.0, 0.0, 0.0)), current=current, holds=True)
    world.simulate(frames=24 * 20)
    film = world.simulate(frames=24 * 10)
    away = np.linalg.norm(film.nodes[:, 0, 0] - off(0.0, 0.0, 0.0), axis=-1) / SHARK.length
    assert away.max() < 1.0
