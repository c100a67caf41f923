"""Routine drills, and the controllers that come of them."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from artfish.core import SceneError, Species
from artfish.core.body.anatomy import LEFT_MUSCLES
from artfish.core.learning.drills import controller, from_lessons, imitated, modes_of, on_course, rates
from artfish.core.learning.learned import Learned, digest_of
from artfish.core.learning.modes import Modes
from artfish.core.motor.commands import Commands
from artfish.core.motor.learned import taught
from artfish.core.replicas.trial import Trial

PACES = np.array([0.25, 0.5, 0.75, 1.0])
TURNS = np.radians([30.0, 90.0, -30.0, -90.0])
SHARK = Species.load("reef_shark").alike


@pytest.fixture(scope="module")
def made():
    return imitated(SHARK)


def swum(species: Species, seconds: float, paces: np.ndarray, turns: np.ndarray):
    """A track of fishes that swim at these paces, and turn by these angles after four seconds."""
    commands = Commands.still(len(paces))
    commands.swim[:] = paces

    def command(t: float) -> Commands:
        commands.turn[:] = turns if t > 4.0 else 0.0
        return commands

    return Trial(species, len(paces)).run(command, seconds)


@pytest.mark.film
def test_the_map_of_speed_comes_to_the_share_of_full_speed_that_is_commanded(made):
    track = swum(taught(SHARK, made), 14.0, PACES, 0.0 * PACES)
    speed, _ = rates(track, slice(len(track.phase) * 3 // 4, None))
    assert speed == pytest.approx(PACES * made.swims[-1].speed, rel=0.1)


@pytest.mark.film
def test_speeds_are_those_of_a_fish_that_bends_and_beats_faster_to_keep_its_course(made):
    bent = 0.06 * np.resize(LEFT_MUSCLES, made.muscles)
    swims = [replace(drill, mean=tuple((drill.mean + bent).tolist())) for drill in made.swims]
    turns = [[replace(drill, frequency=1.6 * drill.frequency) for drill in side] for side in (made.left, made.right)]
    crooked = replace(made, swims=tuple(swims), left=tuple(turns[0]), right=tuple(turns[1]))

    def off(by):
        track = swum(taught(SHARK, by), 14.0, PACES, 0.0 * PACES)
        return np.abs(rates(track, slice(len(track.phase) * 3 // 4, None))[0] / by.swims[-1].speed - PACES).max()

    assert off(crooked) > 0.15
    assert off(on_course(SHARK, crooked)) < 0.1


@pytest.mark.film
def test_two_modes_of_the_hand_made_swim_keep_four_fifths_of_its_speed(made):
    track = swum(replace(SHARK, rhythm=replace(SHARK.rhythm, burst_beat=0.0)), 14.0, PACES[-1:], np.zeros(1))
    speed, _ = rates(track, slice(len(track.phase) * 3 // 4, None))
    assert made.swims[-1].speed > 0.8 * speed[0]


@pytest.mark.film
def test_it_turns_by_the_angle_that_is_commanded_to_within_ten_degrees(made):
    track = swum(taught(SHARK, made), 12.0, np.full(4, 0.5), TURNS)
    beat, begin = round(1.0 / track.step), round(4.0 / track.step)
    way = track.nodes[..., 0, :2] - track.nodes[..., 5:9, :2].mean(axis=-2)
    azimuth = np.unwrap(np.arctan2(way[..., 1], way[..., 0]), axis=0)
    turned = azimuth[-2 * beat :].mean(axis=0) - azimuth[begin - beat : begin].mean(axis=0)
    assert turned == pytest.approx(TURNS, abs=np.radians(10.0))


@pytest.mark.film
def test_drills_rise_and_both_sides_turn_alike(made):
    for drills, name, side in ((made.swims, "speed", 1.0), (made.left, "turn", 1.0), (made.right, "turn", -1.0)):
        paces = [side * getattr(drill, name) for drill in drills]
        assert paces == sorted(paces) and len(paces) >= 3
    assert made.left[-1].turn == pytest.approx(-made.right[-1].turn, rel=0.1)


def test_muscles_that_get_it_nowhere_are_refused():
    muscles = 12 + 4 * SHARK.body.peduncle_muscles
    alike = np.full((1, muscles), 0.1)  # both sides beat as one
    with pytest.raises(SceneError, match="drills that come to"):
        controller(SHARK, Modes(2.0, np.ones(1), alike[0], alike, 0.0 * alike, 1.0))


def lesson(task: str, *, bend: float = 0.0, noise: float = 0.0) -> Learned:
    """Fifteen samples of a wave down a shark's body in one beat, bent by so much, left positive."""
    muscles = 12 + 4 * SHARK.body.peduncle_muscles
    left, segment = np.resize(LEFT_MUSCLES, muscles), np.arange(muscles) // 4
    lag = 1.2 * segment + np.where(left, 0.0, np.pi)
    phase = 2.0 * np.pi * np.arange(15) / 15
    wave = 0.12 * (1.0 + np.sin(phase - lag[:, None])) + (np.where(left, bend, -bend) * (segment < 2))[:, None]
    noisy = np.clip(wave + np.random.default_rng(1).normal(0.0, noise, wave.shape), 0.0, 0.45)
    beat = 1.0 / SHARK.rhythm.tail_beat
    samples = tuple(map(tuple, noisy.tolist()))
    return Learned(species=SHARK.name, digest=digest_of(SHARK), task=task, duration=beat, samples=samples)


def test_samples_found_by_practice_become_the_modes_that_swim_best():
    found = modes_of(SHARK, lesson("swim", noise=0.01))
    assert found.frequency == pytest.approx(SHARK.rhythm.tail_beat, rel=1e-6)
    main = found.harmonics.tolist().index(1.0)
    assert found.amplitude[main] == pytest.approx(0.12, abs=0.02)
    assert found.kept > 0.9


def test_a_small_quick_wave_that_swims_is_kept_before_a_large_slow_one_that_does_not():
    slow, quick = np.array(lesson("swim").samples), 0.03 * np.sin(2.0 * np.pi * 4.0 * np.arange(15) / 15)
    left = np.resize(LEFT_MUSCLES, len(slow))[:, None]
    both = 0.1 * (slow.mean(axis=0) > 0.0) + 0.04 * np.sin(2.0 * np.pi * np.arange(15) / 15)  # both sides as one
    samples = both + np.where(left, quick, -quick) * (np.arange(len(slow)) >= 8)[:, None]
    found = modes_of(SHARK, replace(lesson("swim"), samples=tuple(map(tuple, samples.tolist()))))
    assert 4.0 in found.harmonics.tolist()


@pytest.mark.film
def test_lessons_become_a_controller_that_swims_and_turns():
    made = from_lessons(SHARK, [lesson("swim"), lesson("left", bend=0.1), lesson("right", bend=-0.1)])
    assert made.swims[-1].speed > 0.5
    assert made.left[-1].turn > 0.2 and made.right[-1].turn < -0.2


def test_lessons_without_a_swim_and_those_of_another_body_are_refused():
    with pytest.raises(SceneError, match="task: found left, allowed swim, and left and right besides"):
        from_lessons(SHARK, [lesson("left")])
    with pytest.raises(SceneError, match="what the body of 'reef_shark' has learned"):
        from_lessons(Species.load("tuna"), [lesson("swim")])
