"""Fins that row a fish on while its tail trails, as those of parrotfishes and surgeonfishes (Korsmeyer et al. 2002)."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from artfish.core import Commands, Species, World
from artfish.core.body.anatomy import MASSES, body_frame
from artfish.core.motor.center import MotorCenter
from artfish.core.motor.paddling import Paddles
from artfish.studies.swimming import SHIPPED, tank

ROWERS = [name for name in SHIPPED if Species.load(name).pectoral.stroke > 0]
ROWING = [pytest.param(name, marks=[] if name == "butterflyfish" else pytest.mark.large) for name in ROWERS]
FPS, SECONDS = 24, 12
SWIMS = (0.12, 0.3, 0.6, 1.0)


class Cruises:
    """Fishes at several speeds, one of which goes over to a burst in the last six seconds, and one at rest."""

    def __init__(self, name: str):
        self.rates: list[np.ndarray] = []

        def pilot(t: float, world: World) -> Commands:
            commands = Commands.still(len(SWIMS) + 2)
            commands.swim[: len(SWIMS)], commands.swim[-1] = SWIMS, 1.0
            commands.burst[-1] = np.clip((t - 6.0) / 2.0, 0.0, 0.3)
            self.rates.append(world.parts.bodies.motor.paddles.phase.copy())
            return commands

        recording = tank(name, len(SWIMS) + 2, pilot).simulate(SECONDS * FPS)
        nodes = recording.nodes.astype(float)
        middle = np.einsum("n,tfnc->tfc", MASSES / MASSES.sum(), nodes) / recording.body_length[:, None]
        self.velocity = np.diff(middle, axis=0) * FPS
        self.speed = np.linalg.norm(self.velocity, axis=2)
        origin, frames = body_frame(nodes)
        tail = nodes[:, :, 21:].mean(axis=2) - origin
        self.tail = np.einsum("tfc,tfc->tf", tail, frames[..., 1]) / recording.body_length
        self.pitch = np.degrees(np.arcsin(np.clip(frames[..., 2, 0], -1.0, 1.0)))
        self.later = slice(6 * FPS, None)
        turned = np.unwrap(np.array(self.rates), axis=0)[6 * FPS :]
        self.rate = (turned[-1] - turned[0]) / (2.0 * np.pi) / ((len(turned) - 1) / FPS)


@pytest.fixture(scope="module", params=ROWING)
def cruises(request) -> Cruises:
    return Cruises(request.param)


def test_reef_fishes_row():
    assert set(ROWERS) == {"parrotfish", "emperor_angelfish", "butterflyfish", "blue_tang", "clownfish"}


@pytest.mark.film
def test_fins_row_it_on_and_the_tail_trails(cruises):
    speed = cruises.speed[cruises.later].mean(axis=0)[: len(SWIMS)]
    assert (np.diff(speed) > 0.1).all()
    assert speed[0] < 0.4 and 1.3 < speed[-1] < 1.6
    assert np.ptp(cruises.tail[cruises.later, : len(SWIMS)], axis=0).max() < 0.05


@pytest.mark.film
def test_strokes_are_twice_as_fast_at_its_fastest_as_at_a_third_of_a_length_a_second(cruises):
    assert cruises.rate[len(SWIMS) - 1] / cruises.rate[0] == pytest.approx(2.0, abs=0.3)


@pytest.mark.film
def test_it_hovers_and_swims_level(cruises):
    assert cruises.speed[cruises.later, len(SWIMS)].max() < 0.05
    assert np.abs(cruises.pitch[cruises.later, : len(SWIMS)]).max() < 10.0


@pytest.mark.film
def test_the_tail_takes_over_without_a_jolt(cruises):
    """No frame changes the speed by more than a start does: the real ones reach 20 lengths/s² and more."""
    speed = cruises.speed[cruises.later, -1]
    assert speed[-1] > 2.0
    assert np.abs(np.diff(np.convolve(speed, np.ones(3) / 3, "valid"))).max() * FPS < 6.0
    assert np.ptp(cruises.tail[-FPS:, -1]) > 0.1


def test_the_books_own_fish_and_those_of_the_open_water_do_not_row():
    for name in ("thesis", "sardine", "reef_shark"):
        own = Paddles([Species.load(name)], np.zeros(1, dtype=int))
        for _ in range(5):
            push = own.advance(np.ones(1), np.zeros(1), 0.1)
        assert push[0] == 0.0 and own.tail[0] == 1.0 and own.reach[0] == 0.0


def test_who_does_not_row_strokes_no_fin_though_it_goes_backwards():
    kinds = [Species.load(name) for name in ("thesis", "reef_shark", "clownfish")]
    paddles = Paddles(kinds, np.arange(3))
    pushes = paddles.advance(np.full(3, 0.5), np.full(3, -0.2), 0.1)
    assert (pushes[:2] == 0.0).all() and pushes[2] > 0.0


def test_the_inner_fin_rows_less_in_a_turn():
    species, still = Species.load("butterflyfish"), Commands.still(3)
    center, frames = MotorCenter([species], np.zeros(3, dtype=int)), np.tile(np.eye(3), (3, 1, 1))
    velocity, length = 0.2 * species.length * frames[:, :, 0], np.full(3, species.length)
    swims = replace(still, swim=np.full(3, 0.6))
    for _ in range(12):
        center.drive(swims, frames, velocity, length, 1 / FPS)
    turns = replace(swims, turn=np.array([0.04, 0.0, -0.04]))  # by less than its fins would row against each other for
    rows = np.array([center.drive(turns, frames, velocity, length, 1 / FPS).row for _ in range(4)])
    left, right = np.where(rows != 0.0, -0.2 - rows, 0.0).sum(axis=0)
    assert 0.0 < left[0] < right[0] and left[1] == right[1] and 0.0 < right[2] < left[2]
    assert left[1] == pytest.approx(right[0]) == pytest.approx(left[2])
