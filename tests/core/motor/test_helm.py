"""A person steers a fish through its own motor controllers, while the others keep their minds."""

from __future__ import annotations

import numpy as np
import pytest

from artfish.core import Scene, SceneError, World
from artfish.core.base.vectors import wrap
from artfish.core.body.anatomy import body_frame
from artfish.core.motor.helm import Helm

SCENE = {
    "tank": {"size": [200, 200, 60]},
    "fishes": [
        {"species": "clownfish", "at": [100, 100, 30], "heading": [1, 0, 0], "size": 3},
        {"species": "clownfish", "at": [100, 140, 30], "heading": [1, 0, 0], "size": 3},
    ],
}


def heading(world: World) -> np.ndarray:
    ahead = body_frame(world.nodes)[1][:, :, 0]
    return np.arctan2(ahead[:, 1], ahead[:, 0])


def turned(world: World, seconds: float) -> float:
    """By how much the first fish turns in some time, in radians, left positive."""
    total, last = 0.0, heading(world)[0]
    for _ in range(round(seconds * world.scene.fps)):
        world.step()
        now = heading(world)[0]
        total, last = total + float(wrap(now - last)), now
    return total


def steered(**told) -> World:
    world = World(Scene.from_dict(SCENE), seed=1)
    world.steer(0, Helm(**told))
    return world


@pytest.mark.film
def test_it_swims_straight_and_as_fast_as_it_is_told():
    speeds = []
    for swim in (0.0, 0.5, 1.0):
        world = steered(swim=swim)
        assert abs(turned(world, 6.0)) < 0.2  # the beat alone swings a head by some tenths
        speeds.append(np.linalg.norm(world.shoal.velocity[0]) / world.shoal.length[0])
    assert 1.3 * speeds[0] < speeds[1] < speeds[2] / 1.3


@pytest.mark.film
def test_it_turns_as_long_as_a_turn_is_held_and_then_goes_straight():
    """No faster than the motor: 1.5 rad/s is what minds count on, and bodies manage up to some twice that."""
    world = steered(swim=0.6)
    turned(world, 2.0)
    for side in (1.0, -1.0):
        world.steer(0, Helm(swim=0.6, turn=1.2 * side))
        rate = side * turned(world, 6.0) / 6.0
        assert 0.5 < rate < 3.0
        world.steer(0, Helm(swim=0.6))
        turned(world, 1.5)
        assert abs(turned(world, 2.0)) < 0.3


@pytest.mark.film
def test_it_climbs_and_dives():
    for climb in (0.4, -0.4):
        world = steered(swim=0.7, climb=climb)
        turned(world, 3.0)
        before = world.center_of_mass[0].copy()
        turned(world, 3.0)
        way = world.center_of_mass[0] - before
        assert np.arcsin(way[2] / np.linalg.norm(way)) == pytest.approx(climb, abs=0.15)


@pytest.mark.film
def test_it_brakes_and_backs():
    glides, brakes = (steered(swim=1.0) for _ in range(2))
    for world in (glides, brakes):
        turned(world, 3.0)
    glides.steer(0, Helm())
    brakes.steer(0, Helm(brake=True))
    for world in (glides, brakes):
        turned(world, 0.7)
    assert np.linalg.norm(brakes.shoal.velocity[0]) < 0.8 * np.linalg.norm(glides.shoal.velocity[0])
    brakes.steer(0, Helm(back=1.0))
    turned(brakes, 3.0)
    ahead = body_frame(brakes.nodes)[1][0, :, 0]
    assert brakes.shoal.velocity[0] @ ahead < 0


@pytest.mark.film
@pytest.mark.parametrize("species", ["clownfish", pytest.param("grouper", marks=pytest.mark.large)])
def test_it_turns_while_it_brakes(species):
    """A grouper whose fins both stood broadside turned by 36 degrees in the time; and it slows down."""
    scene = Scene.from_dict({**SCENE, "fishes": [{**SCENE["fishes"][0], "species": species, "size": 1}]})
    for side in (1.0, -1.0):
        world = World(scene, seed=1)
        world.steer(0, Helm(swim=0.8))
        turned(world, 4.0)
        before = np.linalg.norm(world.shoal.velocity[0])
        world.steer(0, Helm(turn=side * 1.5, brake=True))
        assert side * turned(world, 1.5) > np.pi / 4
        turned(world, 1.0)
        assert np.linalg.norm(world.shoal.velocity[0]) < 0.7 * before  # who does not brake gains a little


@pytest.mark.film
def test_others_do_not_notice_and_its_mind_takes_over_again():
    world, left = steered(swim=1.0, turn=1.0), World(Scene.from_dict(SCENE), seed=1)
    for _ in range(48):
        world.step()
        left.step()
    assert np.array_equal(world.steered, [0])
    assert np.array_equal(world.nodes[1], left.nodes[1])  # 40 m away
    assert not np.allclose(world.nodes[0], left.nodes[0])
    world.steer(0, None)
    assert not len(world.steered)
    before = world.nodes[0].mean(axis=0)
    assert abs(turned(world, 8.0)) < 8.0  # a helm still held would have turned it by more than 8 rad
    assert np.linalg.norm(world.nodes[0].mean(axis=0) - before) > world.shoal.length[0]


def test_a_wall_stops_it():
    scene = {**SCENE, "tank": {"size": [2.0, 2.0, 2.0]}, "fishes": [{**SCENE["fishes"][0], "at": [1, 1, 1]}]}
    world = World(Scene.from_dict(scene), seed=1)
    world.steer(0, Helm(swim=1.0))
    for _ in range(120):
        world.step()
        assert world.nodes.min() > -0.02 and world.nodes.max() < 2.02


def test_it_is_saved(tmp_path):
    world = steered(swim=0.8, turn=-0.7, climb=0.2)
    turned(world, 1.0)
    world.save(tmp_path / "world.npz")
    assert np.array_equal(World.load(tmp_path / "world.npz").simulate(30).nodes, world.simulate(30).nodes)


def test_nonsense_is_one_line():
    with pytest.raises(SceneError, match="swim: found 1.5, allowed 0 to 1"):
        Helm(swim=1.5)
    with pytest.raises(SceneError, match="turn: found NaN, allowed -3.1 to 3.1 rad"):
        Helm(turn=float("nan"))
    with pytest.raises(SceneError, match="fish: found 5, allowed 0 to 1"):
        World(Scene.from_dict(SCENE)).steer(5, Helm())
