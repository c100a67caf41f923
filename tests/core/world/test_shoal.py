"""The shoal: bodies in metres and seconds, moved in blocks; what water does to them, and that they never explode."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest

from artfish.core import Species
from artfish.core.body.anatomy import rest_nodes
from artfish.core.body.tuning import LONGEST_BOOK_STEP
from artfish.core.motor.center import Drive
from artfish.core.world.shoal import Shoal
from artfish.core.world.tuning import BLOCK_FISHES
from artfish.studies.swimming import CommandStorm

STEP = 1.0 / 48.0
every_species = pytest.mark.parametrize("name", Species.names())


def shoal_of(names: list[str], sizes=1.0, dt: float = STEP, **options) -> Shoal:
    """Fishes of these species, one each."""
    kinds = sorted(set(names))
    models = [Species.load(kind) for kind in kinds]
    kind = np.array([kinds.index(name) for name in names])
    return Shoal(models, kind, sizes * np.array([models[k].length for k in kind]), dt, **options)


def drive(shoal: Shoal, swim=0.0, bend=0.0, gamma=np.pi / 2, row=0.0) -> Drive:
    """The same for all fishes, or one value a fish."""
    fishes = len(shoal)
    beat = np.array([species.rhythm.tail_beat for species in shoal.species])[shoal.kind]
    return Drive(
        frequency=beat,
        amplitude=np.full(fishes, swim, dtype=float),
        bend=np.tile(np.full(fishes, bend, dtype=float), (2, 1)),
        rate=2.0 * beat,
        curl=np.zeros(fishes),
        fling=beat,
        gamma=np.tile(np.full(fishes, gamma, dtype=float), (2, 1)),
        row=np.tile(np.full(fishes, row, dtype=float), (2, 1)),
        stroke=np.zeros((2, fishes)),
    )


def still(shoal: Shoal) -> np.ndarray:
    return np.zeros((len(shoal), 3))


def headings(directions: np.ndarray) -> np.ndarray:
    """Upright frames that look this way, (n, 3, 3)."""
    ahead = directions / np.linalg.norm(directions, axis=1, keepdims=True)
    left = np.cross([0.0, 0.0, 1.0], ahead)
    left /= np.linalg.norm(left, axis=1, keepdims=True)
    return np.stack([ahead, left, np.cross(ahead, left)], axis=2)


def spread(shoal: Shoal, speed=0.0) -> None:
    """Puts every fish somewhere of its own, on a course of its own, at a speed in lengths a second."""
    rng = np.random.default_rng(8)
    fishes = len(shoal)
    frames = headings(rng.normal(size=(fishes, 3)) * (1, 1, 0.3))
    shoal.put(np.arange(fishes), rng.uniform(0, 10, (fishes, 3)), frames, speed * shoal.length)


def test_fishes_are_put_where_and_as_they_are_asked_for():
    shoal = shoal_of(["reef_shark", "sardine", "reef_shark", "clownfish"], sizes=np.array([1.0, 1.5, 0.5, 1.0]))
    places = np.array([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0], [7.0, 8.0, 9.0], [0.5, 0.5, 0.5]])
    frames = headings(np.array([[1.0, 0.0, 0.0], [0.0, 1.0, 0.2], [-1.0, -1.0, 0.0], [0.3, -1.0, -0.4]]))
    speeds = np.array([0.0, 0.3, 1.0, 0.1])
    shoal.put(np.arange(4), places, frames, speeds)
    assert shoal.center_of_mass == pytest.approx(places, abs=1e-12)
    assert shoal.velocity == pytest.approx(speeds[:, None] * frames[:, :, 0], abs=1e-12)
    assert shoal.length == pytest.approx([1.6, 0.27, 0.8, 0.09])
    for fish, kind in enumerate(("reef_shark", "sardine", "reef_shark", "clownfish")):
        rest = rest_nodes(Species.load(kind).body) * shoal.length[fish]
        local = (shoal.nodes[fish] - places[fish]) @ frames[fish]
        assert local - local[0] == pytest.approx(rest - rest[0], abs=1e-12)
    shoal.put(np.array([2]), np.zeros((1, 3)), frames[:1], np.zeros(1))
    assert shoal.center_of_mass == pytest.approx(np.vstack([places[:2], np.zeros((1, 3)), places[3:]]), abs=1e-12)


def test_nodes_move_as_fast_as_they_are_said_to():
    shoal = shoal_of(["sardine", "grouper"])
    spread(shoal)
    shoal.move(drive(shoal, swim=1.0), still(shoal), 60)
    before, middle = shoal.nodes, shoal.center_of_mass
    shoal.move(drive(shoal, swim=1.0), still(shoal), 1)
    # x' = x + dt v' exactly, but for rounding of places some metres out.
    assert (shoal.nodes - before) / STEP == pytest.approx(shoal.node_velocities, abs=1e-12)
    assert (shoal.center_of_mass - middle) / STEP == pytest.approx(shoal.velocity, abs=1e-12)
    assert np.linalg.norm(shoal.velocity, axis=1).min() > 0.01


def test_a_fish_of_twice_the_length_does_the_same_twice_as_large():
    shoal = shoal_of(["clownfish"] * 2, sizes=np.array([1.0, 2.0]))
    shoal.move(drive(shoal, swim=1.0, bend=0.3, gamma=2.0), still(shoal), 50)
    small, large = shoal.nodes
    assert large == pytest.approx(2.0 * small, rel=1e-12)


def test_a_step_at_a_time_is_the_same_as_many_at_once():
    once, often = (shoal_of(["sardine"] * 5 + ["grouper"]) for _ in range(2))
    for shoal in (once, often):
        spread(shoal)
    once.move(drive(once, swim=0.8, bend=0.1), still(once), 12)
    for _ in range(12):
        often.move(drive(often, swim=0.8, bend=0.1), still(often), 1)
    assert np.array_equal(once.nodes, often.nodes)


def test_a_fish_does_not_mind_its_company():
    few = shoal_of(["sardine"] * 3)
    many = shoal_of(["sardine", "grouper", "sardine", "sardine", "clownfish", "sardine"])
    own = np.array([0, 2, 3])
    swims = np.array([0.3, 0.6, 1.0])
    others = np.full(6, 0.9)
    others[own] = swims
    for shoal, swim in ((few, swims), (many, others)):
        shoal.move(drive(shoal, swim=swim), still(shoal), 30)
    assert np.array_equal(few.nodes, many.nodes[own])  # blocks are filled up, so the products are the same


def test_every_fish_of_a_crowd_is_moved():
    crowd = shoal_of(["sardine"] * (2 * BLOCK_FISHES + 3))
    crowd.move(drive(crowd, swim=1.0), still(crowd), 20)
    one = shoal_of(["sardine"])
    one.move(drive(one, swim=1.0), still(one), 20)
    assert np.ptp(one.nodes[0] - shoal_of(["sardine"]).nodes[0]) > 0.001
    # Blocks of other sizes may sum in another order: a last bit of float32 now and then.
    assert crowd.nodes == pytest.approx(np.broadcast_to(one.nodes, crowd.nodes.shape), abs=1e-6 * one.length[0])


def test_own_frames_follow_the_bodies():
    shoal = shoal_of(["emperor_angelfish"] * 3)
    frames = headings(np.array([[1.0, 0.0, 0.0], [0.0, 1.0, 0.2], [-1.0, -1.0, 0.0]]))
    shoal.put(np.arange(3), np.zeros((3, 3)), frames, np.zeros(3))
    _, seen = shoal.frames()
    rest = shoal_of(["emperor_angelfish"]).frames()[1][0]
    assert seen == pytest.approx(frames @ rest, abs=1e-12)


def test_left_and_right_bends_turn_alike():
    shoal = shoal_of(["sardine"] * 2)
    shoal.put(np.arange(2), np.zeros((2, 3)), headings(np.tile([1.0, 0.0, 0.0], (2, 1))), shoal.length)
    for _ in range(10):
        shoal.move(drive(shoal, bend=[0.8, -0.8]), still(shoal), 2)
    left, right = shoal.center_of_mass
    assert left[1] > 0.01 * shoal.length[0]
    # The diagonals of back and belly favour neither side on the whole, but do not mirror each other either.
    assert right == pytest.approx(left * (1, -1, 1), abs=2e-3 * shoal.length[0])


@pytest.mark.film
@every_species
def test_a_wriggling_fish_in_air_stays_where_it_is(name):
    shoal = shoal_of([name] * 4, fluid=0.0)
    spread(shoal)
    start = shoal.center_of_mass
    for k in range(72):
        shoal.move(drive(shoal, swim=[0.3, 1.0, 1.0, 0.0], bend=[0.0, 0.0, 0.5, (-1.0) ** (k // 9)]), still(shoal), 2)
        assert np.linalg.norm(shoal.center_of_mass - start, axis=1).max() < 1e-6 * shoal.length[0]
    assert np.abs(shoal.node_velocities).max() > 0.05 * shoal.length[0]


@pytest.mark.film
@every_species
def test_a_passive_fish_comes_to_drift_with_the_current(name):
    # Drag of the square of the speed: du/dt = -k u^2, so 1/u grows evenly and the current is reached as 1/t.
    shoal = shoal_of([name] * 6)
    spread(shoal)
    courses = np.random.default_rng(1).normal(size=(6, 3))
    current = 2.0 * shoal.length[:, None] * courses / np.linalg.norm(courses, axis=1, keepdims=True)
    left = [np.linalg.norm(shoal.velocity - current, axis=1)]
    for _ in range(60):
        shoal.move(drive(shoal), current, 6)
        left.append(np.linalg.norm(shoal.velocity - current, axis=1))
    ratio = np.array(left) / left[0]
    assert (np.diff(ratio, axis=0) < 0).all()
    assert (ratio[-1] < 0.8).all()


@pytest.mark.film
@every_species
def test_a_steady_current_changes_nothing_but_the_place(name):
    # Galilei, as for the bare integrators, but with fins and metres.
    still_water, river = (shoal_of([name] * 3) for _ in range(2))
    current = 1.5 * still_water.length[0] * np.array([1.0, 0.0, 0.0])
    frames = np.tile(np.eye(3), (3, 1, 1))
    for shoal, speed in ((still_water, 0.0), (river, 1.5)):
        shoal.put(np.arange(3), np.zeros((3, 3)), frames, speed * shoal.length)
    for _ in range(24):
        for shoal, water in ((still_water, np.zeros((3, 3))), (river, np.tile(current, (3, 1)))):
            told = drive(shoal, swim=[0.5, 1.0, 0.8], bend=[0.0, 0.0, 0.3], gamma=[1.6, 2.2, 1.2])
            shoal.move(told, water, 2)
    drifted = river.nodes - current * 48 * STEP
    assert drifted == pytest.approx(still_water.nodes, abs=1e-4 * still_water.length[0])


def test_a_long_step_is_taken_as_several():
    parts, species = 5, Species.load("clownfish")
    long = (parts - 0.3) * LONGEST_BOOK_STEP * species.time_scale
    whole, short = shoal_of(["clownfish"] * 3, dt=long), shoal_of(["clownfish"] * 3, dt=long / parts)
    for shoal, steps in ((whole, 1), (short, parts)):
        spread(shoal, speed=0.3)
        shoal.move(drive(shoal, swim=[0.2, 0.6, 1.0], bend=[0.0, 0.5, -1.0]), still(shoal), steps)
    assert np.array_equal(whole.nodes, short.nodes)


@pytest.mark.film
@pytest.mark.parametrize("factor", [0.2, 1.0, 2.0])
@every_species
def test_no_command_makes_a_fish_explode(name, factor):
    """Some 1,500 fish-steps of every species at every step; studies/swimming.py makes a million of each."""
    assert CommandStorm(Species.load(name), factor, fishes=24, fish_steps=1_500).holds()


EXTREMES = [
    {"unit_mass": 0.6},
    {"unit_mass": 2.0},
    {"stiffness": 1.0},
    {"stiffness": 20.0},
    {"viscosity": 0.05},
    {"viscosity": 5.0},
    {"fluid_viscosity": 0.7},
    {"fluid_viscosity": 8.0},
    {"streamlining": 0.0},
    {"streamlining": 0.9},
    {"reaction": 2.0},
    {"book_length": 7.0},
    {"book_length": 12.0},
]


@pytest.mark.film
@pytest.mark.parametrize("extreme", EXTREMES, ids=lambda e: "-".join(f"{k}-{v:g}" for k, v in e.items()))
def test_no_body_that_can_be_written_explodes(extreme):
    """A species of the extreme kind is no fish, but an animator can pull a slider that far."""
    body = dataclasses.replace(Species.load("sardine").body, **extreme)
    species = dataclasses.replace(Species.load("sardine"), body=body)
    assert CommandStorm(species, 1.0, fishes=24, fish_steps=3_000).holds()


def test_nodes_are_gathered_anew_only_when_they_have_moved():
    shoal = shoal_of(["sardine", "clownfish"])
    spread(shoal)
    nodes, velocities, states = shoal.nodes, shoal.node_velocities, {k: b.state() for k, b in shoal.blocks().items()}
    assert shoal.nodes is nodes and not nodes.flags.writeable
    shoal.push(np.array([0]), np.ones((1, 1, 3)))
    assert shoal.nodes is nodes and shoal.node_velocities[0] == pytest.approx(velocities[0] + 1.0, abs=1e-6)
    shoal.shift(np.array([1]), np.array([[0.0, 0.0, 0.5]]))
    assert shoal.nodes[1, :, 2] == pytest.approx(nodes[1, :, 2] + 0.5, abs=1e-5)
    for key, block in shoal.blocks().items():
        block.restore(states[key])
    assert np.array_equal(shoal.nodes, nodes) and np.array_equal(shoal.node_velocities, velocities)
