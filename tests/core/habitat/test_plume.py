"""Plumes: smells drift with the water and spread as closed forms say, and begin at what smells."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest
from scipy.special import erf

from artfish.core import Scene, World
from artfish.core.habitat.currents import Current
from artfish.core.habitat.obstacles import Obstacles
from artfish.core.habitat.plankton import PlanktonCloud
from artfish.core.habitat.plume import BAIT, BLOOD, FOOD, Plume
from artfish.core.habitat.tank import WaterBox
from artfish.core.habitat.tuning import (
    EDDY_DIFFUSION,
    FAINTEST_PUFF,
    PUFF_GAP_METRES,
    PUFF_METRES,
    PUFF_REACH,
    PUFF_SECONDS,
    PUFFS,
    STRAYING_SECONDS,
    STRAYING_SPEED,
)

ALL = np.ones(3, dtype=bool)
EAST = [{"kind": "uniform", "direction": [1, 0, 0], "strength": 0.2}]
NOWHERE = np.array([[500.0, 500.0, 500.0]])


def plume(size=(1000.0, 1000.0, 1000.0), hook=None, seed=0, **scene) -> Plume:
    whole = Scene.from_dict({"tank": {"size": list(size)}, **scene})
    parts = WaterBox.from_scene(whole), Obstacles.from_scene(whole), Current.from_scene(whole)
    return Plume(*parts, PlanktonCloud(whole.plankton, *parts, seed), hook, seed)


def bait(place) -> SimpleNamespace:
    """A hook of which nothing but the bait is there."""
    return SimpleNamespace(offered=True, place=np.array(place, dtype=float))


def live(one: Plume, seconds: int) -> Plume:
    for second in range(seconds):
        one.advance(second + 1.0, 1.0)
    return one


def smelled(one: Plume, places, kinds=ALL) -> np.ndarray:
    places = np.atleast_2d(np.array(places, dtype=float))
    left, right = one.concentrations(places, np.zeros_like(places), kinds)
    assert np.array_equal(left, right)
    return left


@pytest.mark.parametrize("seconds", [0, 60])
def test_all_that_a_puff_holds_is_in_the_water(seconds):
    one = plume()
    one.release(NOWHERE, BLOOD, 7.0)
    live(one, seconds)
    sigma = np.sqrt(one.variance[0])
    step = sigma / 4
    side = np.arange(-PUFF_REACH * sigma - step, PUFF_REACH * sigma + 2 * step, step)
    grid = np.stack(np.meshgrid(side, side, side), axis=-1).reshape(-1, 3)
    inside = erf(PUFF_REACH / np.sqrt(2)) - np.sqrt(2 / np.pi) * PUFF_REACH * np.exp(-0.5 * PUFF_REACH**2)
    # What lies in its reach of a ball, and of what lies in a shell about that a step wide at the most.
    shell = np.sqrt(2 / np.pi) * PUFF_REACH**2 * np.exp(-0.5 * PUFF_REACH**2) / 4
    assert smelled(one, one.place[0] + grid).sum() * step**3 == pytest.approx(7.0 * inside, abs=7.0 * shell)


def test_its_variance_grows_as_2_d_t():
    one = plume()
    one.release(NOWHERE, BAIT, 100.0)
    live(one, 60)
    variance = PUFF_METRES**2 + 2 * EDDY_DIFFUSION * 60
    sigma = np.sqrt(variance)
    middle, beside = smelled(one, [one.place[0], one.place[0] + [0.0, sigma, 0.0]])
    assert middle == pytest.approx(100.0 / (2 * np.pi * variance) ** 1.5, rel=1e-12)
    assert beside == pytest.approx(middle * np.exp(-0.5), rel=1e-9)


def test_middles_stray_as_langevins_particles_do():
    one, seconds = plume(), 90
    one.release(np.repeat(NOWHERE, PUFFS, axis=0), BAIT, 100.0)
    live(one, seconds)
    kept = np.exp(-PUFF_SECONDS / STRAYING_SECONDS)
    steps = np.arange(1, seconds)
    expected = STRAYING_SPEED**2 * (seconds + 2 * ((seconds - steps) * kept**steps).sum())
    sampling = 4 * np.sqrt(2 / PUFFS)  # four standard deviations of a variance of so many
    assert (one.place - NOWHERE).var(axis=0) == pytest.approx(expected, rel=sampling)
    assert np.abs((one.place - NOWHERE).mean(axis=0) / np.sqrt(expected / PUFFS)).max() < 4


def test_it_is_carried_as_far_as_the_current_goes():
    still, flowing = plume(), plume(current=EAST)
    for one in (still, flowing):
        one.release(np.repeat(NOWHERE, 5, axis=0), FOOD, 100.0)
        live(one, 100)
    assert flowing.place[:5] - still.place[:5] == pytest.approx(np.tile([20.0, 0, 0], (5, 1)), abs=1e-9)
    assert np.array_equal(flowing.water(NOWHERE), [[0.2, 0, 0]])


def test_bait_is_smelled_down_the_stream_and_not_up():
    at = np.array([500.0, 500.0, 500.0])
    one = live(plume(hook=bait(at), current=EAST), 400)
    below, above = (at + [[x, 0.0, 0.0] for x in side] for side in ([2.0, 20.0, 60.0], [-2.0, -20.0, -60.0]))
    assert (smelled(one, below) > 0.05).all()
    assert (smelled(one, above) == 0.0).all()
    assert (smelled(one, at + [[30.0, 12.0, 0.0], [30.0, 0.0, 8.0], [90.0, 0.0, 0.0]]) == 0.0).all()


def test_bait_smells_while_it_is_offered():
    hook = bait([500.0, 500.0, 500.0])
    one = live(plume(hook=hook), 10)
    assert np.count_nonzero(one.strength) == 10 and (one.kind[one.strength > 0] == BAIT).all()
    hook.offered = False
    assert one.strength.sum() == live(one, 10).strength.sum() == pytest.approx(10.0)


def test_food_that_was_dropped_smells_until_it_is_eaten_and_the_ambient_does_not():
    one = live(plume((8.0, 6.0, 4.0), plankton={"count": 50}), 10)
    assert not one.strength.any()
    rows = one._plankton.drop(np.array([4.0, 3.0, 2.0]), 6, 0.1)
    live(one, 5)
    assert np.count_nonzero(one.strength) == 5 and (one.kind[one.strength > 0] == FOOD).all()
    assert smelled(one, [4.0, 3.0, 2.0])[0] > smelled(one, [5.0, 3.0, 2.0])[0]
    assert smelled(one, [4.0, 3.0, 2.0], np.arange(3) == BLOOD)[0] == 0.0
    one._plankton.eaten(rows)
    assert np.count_nonzero(live(one, 5).strength) == 5


def test_either_side_of_a_place_against_all_puffs_one_by_one():
    one, dice = plume(), np.random.default_rng(1)
    one.release(NOWHERE + dice.uniform(-1, 1, (60, 3)), BAIT, 2.0)
    live(one, 30)
    one.release(NOWHERE + dice.uniform(-1, 1, (40, 3)), BLOOD, 5.0)
    places, sideways = NOWHERE + dice.uniform(-2, 2, (50, 3)), dice.uniform(-0.04, 0.04, (50, 3))
    found = one.concentrations(places, sideways, np.array([False, False, True]))
    for sign, side in zip((1.0, -1.0), found, strict=True):
        offset = places[:, None] + sign * sideways[:, None] - one.place[:60]
        each = 2.0 / (2 * np.pi * one.variance[:60]) ** 1.5 * np.exp(-0.5 * (offset**2).sum(-1) / one.variance[:60])
        near = np.linalg.norm(places[:, None] - one.place[:60], axis=-1) < PUFF_REACH * np.sqrt(one.variance[:60])
        assert side == pytest.approx((each * near).sum(axis=1), rel=1e-9)


def test_what_fades_makes_room_and_the_faintest_goes_first():
    one = plume()
    one.release(NOWHERE, BAIT, 0.1)
    peak = 0.1 / (2 * np.pi * (PUFF_METRES**2 + 2 * EDDY_DIFFUSION * np.arange(1000))) ** 1.5
    lasts = int(np.argmax(peak < FAINTEST_PUFF))
    assert live(one, lasts - 1).strength[0] == 0.1
    assert live(one, 1).strength[0] == 0.0
    one.release(np.repeat(NOWHERE, PUFFS, axis=0), FOOD, 1.0)
    one.strength[:] = np.linspace(2.0, 1.0, PUFFS)
    one.release(NOWHERE + 1.0, BLOOD, 3.0)
    assert np.flatnonzero(one.kind == BLOOD).tolist() == [PUFFS - 1] and one.strength[0] == 2.0


def test_it_leaves_with_the_water_and_stays_in_still_water():
    size, at = (6.0, 4.0, 3.0), np.array([[3.0, 2.0, 0.02]])
    flowing, still = plume(size, current=EAST), plume(size)
    for one in (flowing, still):
        one.release(np.repeat(at, 100, axis=0), BLOOD, 50.0)
        live(one, 60)
        assert (one.place >= 0.0).all() and (one.place <= size).all()
    assert not flowing.strength.any() and (still.strength[:100] == 50.0).all()


def test_it_goes_round_obstacles():
    pillar = {"kind": "cylinder", "at": [4.0, 3.0, 0.0], "radius": 0.5, "height": 4.0}
    one = plume((12.0, 6.0, 4.0), current=EAST, obstacles=[pillar])
    one.release(np.tile([3.0, 3.02, 2.0], (50, 1)), BAIT, 50.0)
    for second in range(20):
        live(one, 1)
        there = one.place[:50]
        assert (np.hypot(there[:, 0] - 4.0, there[:, 1] - 3.0) >= 0.5 + PUFF_GAP_METRES - 1e-9).all(), second


def test_the_same_at_any_rate_of_frames_and_another_by_another_seed():
    found = []
    for rate, seed in ((24, 0), (5, 0), (24, 1)):
        one = plume(hook=bait([500.0, 500.0, 500.0]), current=EAST, seed=seed)
        for frame in range(rate * 20):
            one.advance((frame + 1) / rate, 1 / rate)
        found.append(one.place[one.strength > 0])
    assert found[0] == pytest.approx(found[1], abs=1e-9)
    assert np.abs(found[0] - found[2]).max() > 0.01


def stream(scent: float, **more) -> Scene:
    shark = {"species": "reef_shark", "at": [14, 6, 4], "heading": [-1, 0, 0], "mind": {"hunger": 0.9, "scent": scent}}
    hook = {"at": [3, 6, 4], "start": 0.0, "speed": 10.0}
    return Scene.from_dict({"tank": {"size": [30, 12, 8]}, "fishes": [shark], "current": EAST, "hook": hook, **more})


def test_there_are_no_smells_where_no_fish_follows_any():
    assert World(stream(0.0)).parts.water.plume is None
    assert World(stream(0.01)).parts.water.plume is not None


@pytest.mark.film
def test_a_world_with_a_plume_goes_on_from_its_file_and_from_its_moment_to_the_bit(tmp_path):
    world = World(stream(50.0), seed=2)
    world.simulate(80)
    world.save(tmp_path / "world.npz")
    moment, ahead = world.moment(), world.simulate(80)
    smells = world.parts.water.plume.state()
    assert np.count_nonzero(smells["strength"]) >= 3
    loaded = World.load(tmp_path / "world.npz")
    world.go_back(moment)
    for again in (world, loaded):
        assert np.array_equal(again.simulate(80).nodes, ahead.nodes)
        assert all(np.array_equal(array, smells[name]) for name, array in again.parts.water.plume.state().items())


@pytest.mark.film
def test_smells_stay_where_a_world_goes_on_in_another_stream_and_begin_where_a_fish_gets_a_nose():
    world = World(stream(50.0), seed=2)
    world.simulate(80)
    before = world.parts.water.plume.place.copy()
    world.retune(current=())
    assert np.array_equal(world.parts.water.plume.place, before)
    assert (world.parts.water.plume.water(before[:1]) == 0.0).all()
    noseless = World(stream(0.0), seed=2)
    noseless.simulate(80)
    noseless.retune(stream(50.0))
    assert not noseless.parts.water.plume.strength.any()
    noseless.simulate(80)
    assert noseless.parts.water.plume.strength.any()


@pytest.mark.film
def test_a_fish_that_is_eaten_bleeds():
    shark = {"species": "reef_shark", "at": [5, 4, 2], "heading": [1, 0, 0], "mind": {"hunger": 1.0, "confusion": 0.0}}
    prey = {"species": "sardine", "count": 12, "at": [7, 4, 2], "spread": 0.5}
    world = World(Scene.from_dict({"tank": {"size": [12, 8, 4]}, "fishes": [shark, prey]}), seed=1)
    for _ in range(24 * 30):
        world.step()
        eaten = [event for event in world.events if event["kind"] == "eaten"]
        assert np.count_nonzero(world.parts.water.plume.strength) == len(eaten)
        if eaten:
            break
    assert eaten and world.parts.water.plume.kind[world.parts.water.plume.strength > 0].tolist() == [BLOOD]
    assert np.linalg.norm(world.parts.water.plume.place[0] - world.center_of_mass[0]) < 2.0
