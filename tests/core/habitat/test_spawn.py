"""Eggs and milt: as many as are said, carried and spread by the water, and clutches that lie on the ground."""

from __future__ import annotations

import numpy as np
import pytest

from artfish.core import Scene, World
from artfish.core.habitat.currents import Current
from artfish.core.habitat.obstacles import Obstacles
from artfish.core.habitat.spawn import EGG, GONE, LAID, MILT, SpawnCloud
from artfish.core.habitat.tank import WaterBox
from artfish.core.habitat.tuning import (
    CLUTCH_GAP_METRES,
    CLUTCH_REACH_METRES,
    EGG_RISE_SPEED,
    EGGS,
    EGGS_APART_METRES,
    LAYINGS,
    MILT_PUFFS,
    MILT_SECONDS,
    PUFF_LENGTHS,
    PUFF_SPEED_LENGTHS,
    SPAWN_DIFFUSION,
    SPAWN_DRAG,
    SPAWN_GAP_METRES,
)
from artfish.core.world.spawning import spawn

LENGTH = np.array([0.1, 0.08])
VENTS = np.array([[5.0, 5.0, 5.0], [5.02, 5.0, 5.0]])
DT = 1 / 24


def cloud(seed: int = 1, **scene) -> SpawnCloud:
    scene = Scene.from_dict({"tank": {"size": [10, 10, 10]}, **scene})
    tank, obstacles = WaterBox.from_scene(scene), Obstacles.from_scene(scene)
    return SpawnCloud(tank, obstacles, Current.from_scene(scene), seed)


def run(of: SpawnCloud, seconds: float) -> None:
    for frame in range(round(seconds / DT)):
        of.advance(frame * DT, DT)


def test_as_many_come_out_as_are_said_at_the_vents_of_both():
    spawned = cloud()
    assert len(spawned) == LAYINGS * (EGGS + MILT_PUFFS) and (spawned.kind == GONE).all()
    spawned.release(VENTS, LENGTH)
    for kind, count, own in ((EGG, EGGS, 0), (MILT, MILT_PUFFS, 1)):
        some = spawned.kind == kind
        assert some.sum() == count
        assert np.abs(spawned.place[some] - VENTS[own]).max() <= PUFF_LENGTHS * LENGTH[own]


def test_milt_thins_out_and_is_gone_while_eggs_stay():
    spawned = cloud()
    spawned.release(VENTS, LENGTH)
    run(spawned, MILT_SECONDS[0] - DT)
    assert (spawned.kind == MILT).sum() == MILT_PUFFS
    run(spawned, 0.5 * (MILT_SECONDS[1] - MILT_SECONDS[0]))
    assert 0.25 * MILT_PUFFS < (spawned.kind == MILT).sum() < 0.75 * MILT_PUFFS
    run(spawned, MILT_SECONDS[1])
    assert not (spawned.kind == MILT).any() and (spawned.kind == EGG).sum() == EGGS


def test_eddies_spread_a_cloud_by_twice_the_diffusion_times_the_time():
    seconds, found = 20.0, []
    for seed in range(10):
        spawned = cloud(seed)
        spawned.release(VENTS, LENGTH)
        eggs = spawned.kind == EGG
        run(spawned, seconds)
        found.append(spawned.place[eggs] - VENTS[0] - [0, 0, EGG_RISE_SPEED * seconds])
    strayed = np.concatenate(found)  # 960 eggs, each axis by itself
    # As evenly spread at first, and as far as its puff goes, as the water stops it.
    puffed = (PUFF_LENGTHS**2 + (PUFF_SPEED_LENGTHS / SPAWN_DRAG) ** 2) * LENGTH[0] ** 2 / 3
    variance, many = 2.0 * SPAWN_DIFFUSION * seconds + puffed, len(strayed)
    # The mean and the variance of n numbers of a normal distribution err by these, of which four are next to never.
    assert np.abs(strayed.mean(axis=0)).max() < 4 * np.sqrt(variance / many)
    assert np.abs(strayed.var(axis=0) / variance - 1).max() < 4 * np.sqrt(2 / many)


def test_the_rate_of_frames_does_not_change_how_far_a_cloud_spreads():
    spreads = []
    for steps in (24, 96):
        spawned = cloud()
        spawned.release(VENTS, LENGTH)
        for step in range(10 * steps):
            spawned.advance(step / steps, 1 / steps)
        spreads.append(spawned.place[spawned.kind == EGG].std())
    assert spreads[0] == pytest.approx(spreads[1], rel=4 / np.sqrt(3 * EGGS))


def test_a_current_carries_it_along():
    still, carried = cloud(), cloud(current=[{"kind": "uniform", "direction": [1, 0, 0], "strength": 0.1}])
    for one in (still, carried):
        one.release(VENTS, LENGTH)
        run(one, 10.0)
    eggs = still.kind == EGG
    assert (carried.place - still.place)[eggs] == pytest.approx(np.tile([1.0, 0, 0], (EGGS, 1)), abs=1e-9)


def test_it_stays_in_the_water_and_out_of_what_stands():
    pillar = {"kind": "cylinder", "at": [5.3, 5, 0], "radius": 0.2, "height": 9.0}
    spawned = cloud(obstacles=[pillar], current=[{"kind": "uniform", "direction": [1, 0, 1], "strength": 0.3}])
    spawned.release(VENTS, LENGTH)
    run(spawned, 40.0)
    eggs = spawned.place[spawned.kind == EGG]
    assert (spawned._obstacles.distance(eggs)[0] > -1e-9).all()
    assert (eggs >= 0.0).all() and (eggs <= 10.0).all()
    assert eggs[:, 2].max() == pytest.approx(10.0 - SPAWN_GAP_METRES)


@pytest.mark.parametrize(
    ("beside", "out"), [([5, 5, 0.2], [0, 0, 1]), ([6.0, 5, 0.6], [-1, 0, 0]), ([6.5, 5, 1.3], [0, 0, 1])]
)
def test_a_clutch_is_a_round_patch_on_the_nearest_floor_side_or_top(beside, out):
    spawned = cloud(obstacles=[{"kind": "cylinder", "at": [6.5, 5, 0], "radius": 0.3, "height": 1.0}])
    vents = np.array([beside, beside], dtype=float)
    nest, way = spawned.lay(vents, LENGTH)
    assert way == pytest.approx(out, abs=1e-6)
    laid = spawned.kind == LAID
    assert laid.sum() == EGGS and (spawned.kind == MILT).sum() == MILT_PUFFS
    eggs = spawned.place[laid]
    assert spawned.ground.distance(eggs)[0] == pytest.approx(CLUTCH_GAP_METRES, abs=1e-6)
    radius = EGGS_APART_METRES * np.sqrt(EGGS)
    assert np.linalg.norm(eggs - nest, axis=1).max() <= 1.01 * radius
    apart = np.linalg.norm(eggs[:, None] - eggs, axis=2)[~np.eye(EGGS, dtype=bool)]
    assert apart.min() > 0.4 * EGGS_APART_METRES
    run(spawned, 30.0)
    assert np.array_equal(spawned.place[laid], eggs)


def test_far_from_any_ground_eggs_are_let_go():
    spawned = cloud()
    assert spawned.lay(np.array([[5, 5, CLUTCH_REACH_METRES + 0.1]] * 2), LENGTH) is None
    assert (spawned.kind == EGG).sum() == EGGS and not (spawned.kind == LAID).any()


def test_the_next_spawning_takes_the_grains_of_the_oldest():
    spawned = cloud()
    for number in range(LAYINGS + 1):
        spawned.release(VENTS - [0, 0, number], LENGTH)
    heights = np.rint(spawned.place[spawned.kind == EGG][:, 2])
    assert sorted(set(heights.tolist())) == [5.0 - LAYINGS, *(5.0 - n for n in range(LAYINGS - 1, 0, -1))]


def test_where_nobody_courts_there_is_none():
    lone = {"tank": {"size": [3, 3, 2]}, "fishes": [{"species": "clownfish", "type": "pacifist", "at": [1, 1, 1]}]}
    world = World(Scene.from_dict(lone))
    assert len(world.parts.water.spawn) == 0
    assert world.simulate(2).spawn.shape == (2, 0, 3)


COUPLE = [
    {"species": "clownfish", "type": "pacifist", "sex": sex, "at": [1, y, 0.3]}
    for sex, y in (("male", 1.0), ("female", 1.2))
]


def couple(ascent: float) -> World:
    fishes = [{**fish, "mind": {"ascent": ascent, "hunger": 0.0}} for fish in COUPLE]
    world = World(Scene.from_dict({"tank": {"size": [3, 3, 2]}, "fishes": fishes}), 1)
    spawn(world.parts, [{"kind": "spawned", "fish": 0, "other": 1}], world.nodes)
    return world


@pytest.mark.parametrize(("ascent", "kind"), [(3.0, EGG), (0.0, LAID)])
def test_who_rises_lets_go_and_who_does_not_lays(ascent, kind):
    world = couple(ascent)
    eggs = world.parts.water.spawn.place[world.parts.water.spawn.kind == kind]
    assert len(eggs) == EGGS
    assert np.linalg.norm(eggs - world.nodes[1].mean(axis=0), axis=1).max() < (0.05 if ascent else 0.5)


def test_a_saved_world_goes_on_to_the_bit_and_goes_back(tmp_path):
    world = couple(0.0)
    world.simulate(4)
    world.save(tmp_path / "world.npz")
    moment, on = world.moment(), world.simulate(12)
    loaded = World.load(tmp_path / "world.npz").simulate(12)
    world.go_back(moment)
    again = world.simulate(12)
    for name in ("spawn", "spawn_kind", "nodes"):
        assert np.array_equal(getattr(on, name), getattr(loaded, name))
        assert np.array_equal(getattr(on, name), getattr(again, name))
    assert (on.spawn_kind == LAID).any() and (on.spawn_kind == MILT).any()
