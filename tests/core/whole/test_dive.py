"""A submarine among fishes: it is in their way, pushes whom it meets, and passes through nobody."""

from dataclasses import replace

import numpy as np
import pytest

from artfish.core import Scene, World
from artfish.core.geometry.capsule import Capsule
from artfish.core.replicas.levels import DYNAMIC, CameraView, seen
from artfish.core.scene.ride import Ride

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
    """Distance of the nodes of each fish from the hull, outwards positive, in metres, (fish,)."""
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
    solid = live.parts.water.obstacles.movers.solids[0]
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
    vessel, solid = live.submarine, live.parts.water.obstacles.movers.solids[0]
    tip = vessel.place + 0.5 * vessel.ride.length * vessel.ahead
    gap, way = solid.distance((tip + 0.1 * vessel.ahead)[None])
    assert gap[0] == pytest.approx(0.1, abs=1e-9) and way[0] == pytest.approx(vessel.ahead, abs=1e-9)
    assert vessel.azimuth > 0.1 and vessel.pitch > 0.1


def test_the_reef_dive_is_sixty_fishes_of_seven_species_before_a_school_of_thousands():
    scene, ride = Scene.load("reef_dive"), Ride.load("reef_dive")
    *near, school = scene.fishes
    assert sum(group.count for group in near) == 60 and len({group.species for group in near}) == 7
    assert school.count >= 2000 and scene.detail.dynamic == 60
    eye, reef = np.array(scene.camera.at), [np.array(group.at) for group in near]
    assert all(np.linalg.norm(at - eye) < np.linalg.norm(school.at - eye) for at in reef if at[2] < 3)
    dived = replace(scene, ride=ride)  # it fits
    assert ride.orders[-1].order == "full_stop" and ride.orders[-1].time < dived.duration


@pytest.mark.film
def test_prey_parts_before_a_predator_and_not_before_nobody():
    """Distances at which fishes are passed, by what they take the submarine for (Yu 1998, §9.1)."""
    near = {}
    for presence in ("predator", "none"):
        live = world(presence=presence)
        gaps = []
        for _ in range(120):
            live.step()
            gaps.append(np.linalg.norm(live.nodes.mean(axis=1) - live.submarine.place, axis=1))
        near[presence] = np.mean(np.min(gaps, axis=0))
    assert near["predator"] > 1.3 * near["none"]


@pytest.mark.film
def test_levels_of_detail_follow_the_ride():
    school = [{"species": "sardine", "count": 30, "at": [x, 2.0, 1.0], "spread": 0.9} for x in (2.5, 9.0)]
    scene = {"tank": {"size": [12, 4, 2]}, "fishes": school, "detail": {"dynamic": 12, "near": 0.05}}
    level = {}
    for end, at, ahead in (("low", [0.6, 2.0, 1.0], [1, 0, 0]), ("high", [11.4, 2.0, 1.0], [-1, 0, 0])):
        ride = {"at": at, "heading": ahead, "presence": "none"}
        live = World(Scene.from_dict(scene | {"ride": ride}), seed=1)
        for _ in range(30):
            live.step()
        level[end] = live.parts.bodies.detail.level == DYNAMIC
    assert level["low"][:30].sum() > level["low"][30:].sum()
    assert level["high"][30:].sum() > level["high"][:30].sum()


def test_a_panorama_takes_fishes_all_around_for_seen():
    picture = CameraView((0.0, 0.0, 0.0), (1.0, 0.0, 0.0), 0.0)
    size = seen(picture, np.array([[2.0, 0, 0], [-2.0, 0, 0], [0, 0, 4.0]]), np.full(3, 0.2))
    assert size == pytest.approx([0.1, 0.1, 0.05])
