"""Obstacles that move through a world: they push fishes and pass through none, the same to the bit from any moment."""

from __future__ import annotations

import numpy as np
import pytest

from artfish.core import Scene, SceneError, Species, World
from artfish.core.motor.commands import Commands
from artfish.core.world import stages

FACES = [[0, 1, 3, 2], [4, 6, 7, 5], [0, 4, 5, 1], [2, 3, 7, 6], [0, 2, 6, 4], [1, 5, 7, 3]]


def box(x: float, y: float, z: float) -> dict:
    corners = [[0.5 * i * x, 0.5 * j * y, 0.5 * k * z] for i in (-1, 1) for j in (-1, 1) for k in (-1, 1)]
    return {"kind": "mesh", "vertices": corners, "faces": FACES}


def sea(*obstacles: dict, **more) -> Scene:
    shoal = {"species": "sardine", "count": 6, "at": [2, 1.5, 1], "spread": 0.3}
    scene = {"tank": {"size": [6, 3, 2]}, "fishes": [shoal], "obstacles": list(obstacles), **more}
    return Scene.from_dict(scene)


def wall(end: float, seconds: float, **more) -> dict:
    motion = [{"time": 0}, {"time": seconds, "at": [end, 1.5, 1]}]
    return {**box(0.1, 2.9, 1.9), "name": "wall", "at": [0.3, 1.5, 1], "motion": motion, **more}


def deepest(world: World) -> float:
    solid = world.parts.water.obstacles.movers.solids[0]
    return float(solid.depth(world.nodes.reshape(-1, 3)).min())


@pytest.mark.film
def test_a_wall_pushes_all_before_it_at_its_own_speed_and_goes_through_nobody():
    world = World(sea(wall(5.0, 1.5)))
    places = []
    for _ in range(34):
        world.step()
        places.append(world.center_of_mass[:, 0])
        wall_x = world.parts.water.obstacles.movers.pose[0, 0]
        assert world.nodes[..., 0].min() > wall_x
        assert deepest(world) > -0.01
    speed = (places[-1] - places[-9]) / (8 / 24)
    assert np.median(speed) == pytest.approx(4.7 / 1.5, rel=0.25)
    assert (world.parts.minds.decision.feelings.mood.offset[:, 2] > 0.5).any()


@pytest.mark.film
def test_a_fish_at_rest_is_pushed_at_the_speed_of_the_wall():
    shoal = [{"species": "sardine", "count": 1, "at": [1, 1.5, 1], "spread": 0, "heading": [0, 1, 0]}]
    world = World(sea(wall(2.0, 1.7), fishes=shoal), pilot=lambda t, world: Commands.still(1))
    for _ in range(36):
        before = world.nodes
        world.step()
        stages.contain(world.parts, before)  # which a pilot's world leaves out
    assert world.shoal.velocity[0, 0] == pytest.approx(1.0, rel=0.1)
    assert world.nodes[..., 0].min() > world.parts.water.obstacles.movers.pose[0, 0]


@pytest.mark.film
def test_a_thin_net_that_closes_fast_passes_through_nobody():
    net = {**wall(5.6, 0.5), "thickness": 0.01, "vertices": [[0, -1.45, -0.95], [0, 1.45, -0.95], [0, 1.45, 0.95]]}
    net |= {"vertices": [*net["vertices"], [0, -1.45, 0.95]], "faces": [[0, 1, 2, 3]]}
    world = World(sea(net), species={"sardine": Species.load("sardine").alike})
    for _ in range(12):
        world.step()
        assert world.nodes[..., 0].min() > world.parts.water.obstacles.movers.pose[0, 0]


@pytest.mark.film
def test_a_turning_bar_sweeps_fishes_along_and_holds_none():
    quarter = np.sqrt(0.5)
    turns = [[1, 0, 0, 0], [quarter, 0, 0, quarter], [0, 0, 0, 1], [-quarter, 0, 0, quarter], [-1, 0, 0, 0]]
    motion = [{"time": 0.5 * k, "turn": turn} for k, turn in enumerate(turns)]
    bar = {**box(2.6, 0.2, 1.5), "at": [2, 1.5, 1], "motion": motion}
    shoal = [{"species": "sardine", "count": 4, "at": [2.5, 2.2, 1], "spread": 0.3}]
    world = World(sea(bar, fishes=shoal))
    first = world.center_of_mass
    for _ in range(48):
        world.step()
        assert deepest(world) > -0.01
    assert np.linalg.norm(world.center_of_mass - first, axis=1).max() > 0.5


def alarmed_at(speed: float) -> float:
    """Distance in metres at which a wall that comes on at a speed in m/s first alarms a fish."""
    world = World(sea(wall(5.0, 4.7 / speed)))
    for _ in range(200):
        world.step()
        gap = world.center_of_mass[:, 0].min() - world.parts.water.obstacles.movers.pose[0, 0]
        if world.parts.minds.mind.decision.antenna.loomed(world.shoal.frames()[0], world.shoal.length).any():
            return float(gap)
    raise AssertionError("nobody was alarmed")


@pytest.mark.film
def test_fishes_are_alarmed_farther_off_by_what_comes_on_faster():
    assert alarmed_at(2.0) > alarmed_at(0.4) + 0.5


@pytest.mark.film
def test_who_moves_it_from_outside_can_save_rewind_and_go_on_to_the_bit(tmp_path):
    still = {**box(0.3, 0.3, 0.3), "name": "sub", "at": [1, 1.5, 1], "motion": [], "presence": "predator"}
    world = World(sea(still))

    def ride(world: World, frames: range) -> np.ndarray:
        for frame in frames:
            world.move_obstacle("sub", (1 + 0.05 * frame, 1.5, 1), (1, 0, 0, 0.1 * frame))
            world.step()
        return world.nodes

    ride(world, range(10))
    moment = world.moment()
    world.save(tmp_path / "world.npz")
    expected = ride(world, range(10, 20))
    world.go_back(moment)
    assert (ride(world, range(10, 20)) == expected).all()
    assert (ride(World.load(tmp_path / "world.npz"), range(10, 20)) == expected).all()
    world.retune(current=())
    assert (world.parts.water.obstacles.movers.pose[0, 0]) == pytest.approx(1.95)
    world.move_obstacle(0, None)
    for _ in range(10):  # to where it stands it glides
        world.step()
    assert world.parts.water.obstacles.movers.pose[0, :3] == pytest.approx((1, 1.5, 1))


@pytest.mark.film
def test_a_net_that_closes_as_its_vertices_say_keeps_all_within():
    def tube(radius: float) -> list:
        ring = [
            (radius * x, radius * y)
            for x, y in ((1, 0), (0.5, 0.87), (-0.5, 0.87), (-1, 0), (-0.5, -0.87), (0.5, -0.87))
        ]
        return [[x, y, z] for z in (-0.9, 0.9) for x, y in ring]

    sides = [[k, (k + 1) % 6, 6 + (k + 1) % 6, 6 + k] for k in range(6)]
    net = {"kind": "mesh", "at": [2, 1.5, 1], "vertices": tube(1.3), "faces": sides, "thickness": 0.01}
    net["motion"] = [{"time": 0, "vertices": tube(1.3)}, {"time": 1, "vertices": tube(0.6)}]
    world = World(sea(net))
    for _ in range(30):
        world.step()
        assert deepest(world) > -1e-3
    off = np.linalg.norm(world.nodes[..., :2] - (2, 1.5), axis=-1)
    assert off.max() < 0.6
    again = World(sea(net))
    again.step()
    assert again.parts.water.obstacles.movers.deforms(0)
    with pytest.raises(SceneError, match="which: found 0, whose vertices have keys"):
        again.move_obstacle(0, (1, 1, 1))


@pytest.mark.film
def test_a_recording_has_what_moves_where_it_was():
    shoal = [{"species": "sardine", "count": 1, "at": [2, 1.5, 1]}]
    still, net = {**box(0.1, 0.1, 0.1), "at": [5, 1, 1]}, {**box(0.1, 0.1, 0.1), "at": [4, 1, 1]}
    net["motion"] = [{"time": time, "vertices": net["vertices"]} for time in (0, 1)]
    boat = {**still, "at": [5, 2, 1], "name": "boat", "motion": []}
    ride = {"at": [1, 1, 1]}
    world = World(sea(wall(2.0, 1.0), still, net, boat, fishes=shoal, ride=ride))
    run = world.run(12)
    for frame in run:
        world.move_obstacle("boat", (5 - 0.1 * frame, 2, 1), (0, 0, 0, 1))
        if frame == 12:
            break
    with pytest.raises(StopIteration) as end:
        next(run)
    found = end.value.value.obstacles
    assert found.shape == (12, 3, 7)
    assert found[-1, 0, 0] == world.parts.water.obstacles.movers.pose[0, 0] == pytest.approx(0.3 + 1.7 * 11 / 24)
    assert found[:, 1, 0] == pytest.approx(np.arange(12) / 24)
    assert found[-1, 2] == pytest.approx((3.9, 2, 1, 0, 0, 0, 1)) and found[0, 2, 0] == 5.0
    assert world.simulate(2).obstacles[0, 0, 0] == pytest.approx(0.3 + 1.7 * 12 / 24)


@pytest.mark.film
def test_who_is_crushed_between_a_wall_and_the_tank_stays_in_the_water():
    world = World(sea(wall(6.0, 1.0)))
    for _ in range(30):
        world.step()
    assert np.isfinite(world.nodes).all()
    assert (world.nodes > -1e-6).all() and (world.nodes < np.array((6, 3, 2)) + 1e-6).all()


@pytest.mark.parametrize(
    ("which", "at", "turn", "line"),
    [
        ("boat", (1, 1, 1), (1, 0, 0, 0), "which: found 'boat', allowed 0 to 1, 'wall'"),
        (7, (1, 1, 1), (1, 0, 0, 0), "which: found 7, allowed 0 to 1, 'wall'"),
        (1, (1, 1, 1), (1, 0, 0, 0), "which: found 1, which stands, allowed an obstacle with motion"),
        (0, (1, 1), (1, 0, 0, 0), "at: found "),
        (0, (1, 1, 1), (0, 0, 0, 0), "turn: found "),
    ],
)
def test_what_cannot_be_moved_is_one_clear_line(which, at, turn, line):
    pillar = {"kind": "cylinder", "at": [5, 1, 0], "radius": 0.1}
    shoal = [{"species": "sardine", "count": 1, "at": [2, 1.5, 1]}]
    world = World(sea({**pillar, "at": [1, 1, 0], "name": "wall", "motion": []}, pillar, fishes=shoal))
    with pytest.raises(SceneError) as error:
        world.move_obstacle(which, at, turn)
    assert str(error.value).startswith(line)
