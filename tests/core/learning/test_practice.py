"""A body that practises swims as its muscles say, and what it does is measured."""

from pathlib import Path

import numpy as np
import pytest

from artfish.core import Scene, World
from artfish.core.body.anatomy import MASS_SHARES
from artfish.core.learning.learned import Learned
from artfish.core.learning.practice import Practice
from artfish.core.motor.muscles import Muscles
from artfish.core.scene.species import Species

RACE = Path(__file__).parent / "race"
"""Controls that sharks have learned after more and more steps; made as docs/manual/learning.md says."""
RUNNERS = sorted((Learned.load(path) for path in RACE.glob("*.json")), key=lambda one: one.steps)


def beating(practice, pace=1.0):
    """Rest lengths of the muscles of hand-made swimming, (steps, m, candidate)."""
    species, fishes = practice.species, practice.candidates
    muscles = Muscles(species, practice.model, fishes, practice.dt)
    swing = np.zeros((3, fishes))
    swing[0] = pace
    rates = np.repeat([[species.rhythm.tail_beat * species.time_scale], [1.0]], fishes, axis=1)
    return muscles.advance(rates, swing, practice.steps)


def test_who_does_nothing_stays_where_it_is():
    practice = Practice(Species.load("reef_shark"), 16, units=20.0)
    film = practice.film(np.repeat(practice.natural[None, :, None], practice.steps, axis=0).repeat(16, axis=2))
    assert np.abs(film.middle).max() < 1e-3
    assert np.allclose(film.upright, 1.0)


def test_a_current_carries_it_away():
    practice = Practice(Species.load("reef_shark"), 16, current=0.01, units=40.0)
    film = practice.film(np.repeat(practice.natural[None, :, None], practice.steps, axis=0).repeat(16, axis=2))
    assert -0.4 < film.middle[-1, 0, 0] < -0.01


def test_the_hand_made_beat_brings_it_ahead_for_some_work():
    practice = Practice(Species.load("reef_shark"), 16)
    lengths = beating(practice)
    film, swim = practice.film(lengths), practice.swim(lengths)
    assert film.middle[-1, 0, 0] > 1.5
    assert swim.speed[0] == pytest.approx(0.61, abs=0.05)
    assert 0.0 < swim.effort[0] < 1e3


def test_as_many_practise_as_there_are_however_many_a_register_holds():
    three, many = Practice(Species.load("tuna"), 3, units=20.0), Practice(Species.load("tuna"), 16, units=20.0)
    assert three.film(beating(three)).middle.shape[1] == 3
    assert np.array_equal(three.film(beating(three)).middle, many.film(beating(many)).middle[:, :3])


def test_the_longer_a_shark_of_figure_7_has_learned_the_farther_it_swims():
    practice = Practice(Species.load("reef_shark"), 1)
    assert [one.steps for one in RUNNERS] == [90, 1440, 2790, 4140, 5490, 6840]
    ways = [practice.film(practice.lengths_of(one)).middle[-1, 0, 0] for one in RUNNERS]
    assert np.all(np.diff(ways) > 0.0) and ways[-1] > 2.0 * ways[0], np.round(ways, 2)


def test_the_race_of_figure_7_has_their_order_in_a_scene_too():
    scene = Scene.load("race")
    lanes = [group.controller.swims[-1].frequency for group in scene.fishes[::-1]]
    assert lanes == pytest.approx([1.0 / one.duration for one in RUNNERS], abs=1e-5)
    recording = World(scene, seed=1).simulate(frames=144)
    ways = np.einsum("n,fnc->fc", MASS_SHARES, recording.nodes[-1] - recording.nodes[0])[::-1]
    assert np.all(np.diff(ways[:, 0]) > 0.0) and ways[-1, 0] > 1.5 * ways[0, 0], ways.round(2)
    assert np.abs(ways[:, 1]).max() < 0.5 * 1.1  # none leaves its lane
