"""Signs of life: eyes find what a fish is about, breath follows work, fins fold at speed and spread to turn."""

import dataclasses

import numpy as np
import pytest

from artfish.core import Commands, Scene, Species, World
from artfish.core.body.anatomy import NODES, frame_from
from artfish.core.motor.center import Drive
from artfish.core.world.signs import Bodies, Signs

FPS = 24


def alone(species: str = "sardine", **commands):
    """A recording of a fish that a pilot leads by these commands, each a function of time."""

    def pilot(t: float, world: World) -> Commands:
        own = Commands.still(1)
        for name, of in commands.items():
            getattr(own, name)[:] = of(t)
        return own

    scene = {"tank": {"size": [60, 60, 20]}, "fishes": [{"species": species, "at": [30, 30, 10]}]}
    return World(Scene.from_dict(scene), seed=1, pilot=pilot).simulate(4 * FPS)


def breaths(recording) -> float:
    """Breaths a second in the last two seconds."""
    gills = recording.breath[-2 * FPS :, 0, 0].astype(float)
    return np.count_nonzero((np.diff(gills)[:-1] > 0) & (np.diff(gills)[1:] <= 0)) / 2


@pytest.fixture(scope="module")
def resting():
    return alone()


@pytest.fixture(scope="module")
def racing():
    return alone(swim=lambda t: 1.0, burst=lambda t: float(t > 1.0))


@pytest.mark.film
def test_who_works_breathes_faster_and_deeper(resting, racing):
    rest = Species.load("sardine").bearing.breath
    assert breaths(resting) == pytest.approx(rest, abs=0.5)
    assert 1.2 * rest <= breaths(racing) <= 3.0
    assert racing.breath[-FPS:].max() > resting.breath[-FPS:].max()


@pytest.mark.parametrize("name", Species.names())
def test_gills_beat_once_in_two_seconds_to_thrice_a_second(name):
    bearing = Species.load(name).bearing
    assert bearing.breath == 0 or 0.5 <= bearing.breath <= bearing.breath * bearing.panting <= 3.0
    assert bearing.gaze <= np.radians(20.1)


def test_effort_is_half_at_full_speed_and_all_of_it_in_a_burst(resting, racing):
    assert resting.effort.max() == 0
    assert racing.effort[FPS - 1, 0] == pytest.approx(0.5, abs=0.05) and racing.effort[2 * FPS :, 0].min() > 0.9


def test_fins_fold_at_speed_and_stand_at_rest(resting, racing):
    assert resting.fold[-1, 0, 0] == pytest.approx(0.25, abs=0.02) and resting.fold[-1, 0, 1] == 0
    assert racing.fold[-FPS:, 0].min() > 0.8
    assert racing.fold[FPS + 10, 0].min() > 0.6  # and at once in a burst


@pytest.mark.film
def test_fins_spread_to_turn_and_to_brake():
    turning = alone(swim=lambda t: 1.0, turn=lambda t: 2.5 if 2.0 < t < 2.1 else 0.0)
    turns = slice(2 * FPS + 6, 2 * FPS + 10)
    assert turning.fold[turns, 0, 0].min() < turning.fold[2 * FPS, 0, 0]
    braking = alone(swim=lambda t: 1.0, brake=lambda t: t > 2.0)
    assert braking.fold[3 * FPS, 0, 0] < 0.05


def test_a_tail_trails_what_swims_and_hangs_in_what_rests(resting, racing):
    assert np.abs(resting.tail[-FPS:]).max() < 0.05
    assert racing.tail[:, 0].max() > 0.5 and racing.tail[:, 0].min() < -0.5


@pytest.mark.film
def test_eyes_turn_to_the_food_that_a_fish_goes_for():
    scene = {
        "tank": {"size": [6, 6, 3]},
        "fishes": [{"species": "clownfish", "at": [3, 3, 1.5], "count": 3, "mind": {"hunger": 1.0}}],
        "plankton": {"count": 40, "at": [3, 3, 1.5], "spread": 0.8},
    }
    film = World(Scene.from_dict(scene), seed=2).simulate(4 * FPS)
    goes = (film.food[8:] >= 0) & (film.food[:-8] == film.food[8:])
    assert goes.sum() > 50
    gaze = film.gaze[8:][goes].astype(float)
    most = Species.load("clownfish").bearing.gaze
    size = np.linalg.norm(gaze, axis=-1)
    assert size.max() <= most + 1e-3 and (size > 0.5 * most).any(axis=1).mean() > 0.8


@pytest.mark.film
def test_what_is_seen_moves_no_body(resting):
    sardine = Species.load("sardine")
    still = dataclasses.replace(sardine, bearing=type(sardine.bearing)())

    def pilot(t: float, world: World) -> Commands:
        commands = Commands.still(1)
        commands.swim[:] = 1.0
        return commands

    scene = Scene.from_dict({"tank": {"size": [60, 60, 20]}, "fishes": [{"species": "sardine", "at": [30, 30, 10]}]})
    one, other = (
        World(scene, seed=1, pilot=pilot, species={"sardine": each}).simulate(24) for each in (sardine, still)
    )
    assert one.nodes.tobytes() == other.nodes.tobytes()


def test_a_world_of_before_there_were_any_goes_on(tmp_path):
    scene = Scene.from_dict({"tank": {"size": [6, 6, 3]}, "fishes": [{"species": "clownfish", "at": [3, 3, 1.5]}]})
    world = World(scene)
    world.simulate(3)
    world.save(tmp_path / "world.npz")
    with np.load(tmp_path / "world.npz") as archive:
        older = {name: archive[name] for name in archive.files if not name.startswith("signs/")}
    np.savez(tmp_path / "older.npz", **older)
    assert World.load(tmp_path / "older.npz").simulate(2).fold.shape == (2, 1, 2)


def test_compiled_signs_have_the_bits_of_the_others(alike):
    species, fishes = [Species.load(name) for name in Species.names()], 640

    def shown():
        dice = np.random.default_rng(3)
        length, kind = dice.uniform(0.05, 3.0, fishes), np.arange(fishes) % len(species)
        signs = Signs(species, kind, dice.uniform(0.5, 2.0, fishes), dice.uniform(0.0, 6.0, fishes))
        for _ in range(12):
            frequency, amplitude, rate, fling = dice.uniform(0.0, 4.0, (4, fishes))
            curl, row, stroke = (some * dice.integers(0, 2, some.shape) for some in dice.normal(size=(3, 2, fishes)))
            gamma, bend = dice.uniform(0.5, 3.5, (2, fishes)), dice.uniform(-1.0, 1.0, (3, fishes))
            drive = Drive(frequency, amplitude, bend[:2], rate, curl[0], fling, gamma, row, stroke)
            nodes, velocity = dice.normal(size=(2, fishes, NODES, 3))
            place, goal = dice.normal(size=(2, fishes, 3))
            goal[::3] = np.nan
            speed, display, reserve = dice.uniform(0.0, 1.0, (3, fishes))
            frames = frame_from(*dice.normal(size=(2, fishes, 3)))
            bodies = Bodies(nodes, velocity, place, frames, length, bend[2], 5.0 * speed)
            signs.advance(1 / 24, bodies, drive, goal, display, reserve)
        return tuple(signs.state().values())

    alike(shown, "signs")
