"""A submarine among fishes: it is in their way, pushes whom it meets, and passes through nobody."""

import numpy as np
import pytest

from artfish.core import Scene, World
from artfish.core.geometry.capsule import Capsule

FISHES = [{"species": "cardinalfish", "count": 12, "at": [3.0, 2.0, 1.0], "spread": 0.7, "mind": {"hunger": 0.0}}]
RIDE = {
    "at": [0.6, 2.0, 1.0],
    "length": 0.8,
    "presence": "none",
    "orders": [{"time": 0, "order": "accelerate"}, {"time": 2, "order": "left", "amount": 0.4}],
}


def world(**ride) -> World:
    scene = {"tank": {"size": [6, 4, 2]}, "fishes": FISHES}
    return World(Scene.from_dict(scene | ({"ride": RIDE | ride} if ride.get("at", True) else {})), seed=2)


def into_hull(live: World) -> np.ndarray:
    """How far the nodes of each fish are out of the hull in metres, (fish,)."""
    vessel = live.submarine
    own = (live.nodes - vessel.place) @ vessel.frame
    return Capsule(vessel.ride.length, 0.5 * vessel.ride.girth).depth(own).min(axis=1)


@pytest.mark.film
def test_a_submarine_goes_through_a_group_and_through_nobody():
    live = world()
    nearest = []
    for _ in range(120):
        live.step()
        nearest.append(into_hull(live))
        assert nearest[-1].min() > -0.005
    assert np.min(nearest) < 0.25 and live.submarine.place[0] > 3.0


def test_a_submarine_that_is_not_there_is_in_nobodys_way():
    without, waiting = world(at=None), world(start=100.0)
    for each in (without, waiting):
        for _ in range(12):
            each.step()
    assert np.array_equal(without.nodes, waiting.nodes)


@pytest.mark.film
def test_it_comes_when_it_is_time_and_is_gone_when_it_is_over():
    live, without = world(start=0.5, end=1.0), world(at=None)
    solid = live.parts.obstacles.movers.solids[0]
    away = np.array(RIDE["at"])
    for frame in range(30):
        gap = float(solid.distance(away[None])[0][0])
        assert (gap < 1.0) == (12 < frame <= 24)
        live.step()
        without.step()
        if frame < 12:
            assert np.array_equal(live.nodes, without.nodes)


def test_the_hull_is_turned_as_the_vessel_is():
    live = world(orders=[{"time": 0, "order": "left"}, {"time": 0, "order": "pitch_up"}])
    for _ in range(20):
        live.step()
    vessel, solid = live.submarine, live.parts.obstacles.movers.solids[0]
    tip = vessel.place + 0.5 * vessel.ride.length * vessel.ahead
    gap, way = solid.distance((tip + 0.1 * vessel.ahead)[None])
    assert gap[0] == pytest.approx(0.1, abs=1e-9) and way[0] == pytest.approx(vessel.ahead, abs=1e-9)
    assert vessel.azimuth > 0.1 and vessel.pitch > 0.1
