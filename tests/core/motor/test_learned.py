"""Learned controllers at work: maps of speed and steering, in muscles and in the motor center."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from artfish.core import Scene, Species, World
from artfish.core.body.anatomy import LEFT_MUSCLES, frame_from
from artfish.core.body.dynamics import BodyModel
from artfish.core.motor.center import MotorCenter
from artfish.core.motor.commands import Commands
from artfish.core.motor.learned import KNOTS, Pattern, expected, taught
from artfish.core.motor.muscles import Muscles

from ..learned_kinds import controller

MADE = controller()
PATTERN = Pattern.of(MADE, 0.3)
SARDINE = taught(Species.load("sardine"), MADE)
PHASES = np.linspace(0.0, 2.0 * np.pi, 40, endpoint=False)[:, None]


def pulled(beat: float, bend: float = 0.0) -> np.ndarray:
    """Contractions over a beat, (40, m)."""
    muscles, phases = Muscles(SARDINE, BodyModel(SARDINE.body), 1, 0.03), PHASES[:, 0]
    swing = np.stack([np.full(40, beat), np.full(40, bend), np.full(40, bend)])
    return (1.0 - muscles.pulled(swing, phases) / muscles.natural).T


def test_at_full_speed_muscles_do_what_the_fastest_drill_did():
    drill = MADE.swims[-1]
    wave = np.array(drill.mean) + np.array(drill.amplitude[0]) * np.sin(PHASES - np.array(drill.phase[0]))
    assert pulled(1.0) == pytest.approx(wave, abs=1e-9)


def test_in_the_sharpest_turn_at_the_pace_of_the_drill_they_do_what_that_did():
    for side, drills in ((1.0, MADE.left), (-1.0, MADE.right)):
        drill = drills[-1]
        wave = np.array(drill.mean) + np.array(drill.amplitude[0]) * np.sin(PHASES - np.array(drill.phase[0]))
        assert pulled(0.5, side) == pytest.approx(np.clip(wave, 0.0, PATTERN.most), abs=1e-9)


def test_at_rest_they_do_nothing_and_between_drills_they_do_something_between():
    assert pulled(0.0) == pytest.approx(0.0)
    widths = [np.ptp(pulled(beat)[:, -1]) for beat in (0.25, 0.5, 0.75, 1.0)]
    assert widths == sorted(widths)


def test_a_bend_to_the_left_shortens_the_left_and_one_to_the_right_the_right():
    front = np.resize(LEFT_MUSCLES, pulled(0.0).shape[1]) & (np.arange(pulled(0.0).shape[1]) < 8)
    left, right = (pulled(0.5, bend).mean(axis=0)[front].mean() for bend in (1.0, -1.0))
    assert left > right + 0.1


def test_who_never_learned_to_turn_bends_as_it_always_did():
    straight = replace(MADE, left=(), right=())
    species = taught(Species.load("sardine"), straight)
    muscles = Muscles(species, BodyModel(species.body), 1, 0.03)
    bent = 1.0 - muscles.pulled(np.array([[0.0], [1.0], [1.0]]), np.ones(1)) / muscles.natural
    front = np.arange(len(bent)) < 8
    assert bent[:, 0] == pytest.approx(species.steering.contraction * (np.resize(LEFT_MUSCLES, len(bent)) & front))
    assert taught(Species.load("sardine"), straight).steering == Species.load("sardine").steering


def test_the_map_of_speed_has_the_frequency_of_each_drill_at_its_share_of_full_speed():
    speeds, beats = ([getattr(drill, name) for drill in MADE.swims] for name in ("speed", "frequency"))
    knots = np.arange(KNOTS) / (KNOTS - 1)
    assert PATTERN.frequency == pytest.approx(np.interp(knots * speeds[-1], speeds, beats))
    center, still = MotorCenter([SARDINE], np.zeros(KNOTS, dtype=int)), Commands.still(KNOTS)
    swift = np.tile([9.0, 0.0, 0.0], (KNOTS, 1))  # so that nobody beats to gather speed
    frames = np.tile(np.eye(3), (KNOTS, 1, 1))
    drive = center.drive(replace(still, swim=knots), frames, swift, np.full(KNOTS, 0.2), 1 / 24)
    assert drive.frequency == pytest.approx(PATTERN.frequency)
    assert drive.amplitude == pytest.approx(knots)


def test_the_sharpest_turn_is_that_to_the_slower_side():
    slower = replace(MADE.right[-1], turn=-1.5)
    assert Pattern.of(replace(MADE, right=(MADE.right[0], slower)), 0.3).sharpest == 1.5


def test_minds_reckon_with_the_speeds_that_it_learned():
    assert expected(Species.load("sardine")) == Species.load("sardine").rhythm
    assert expected(SARDINE).tail_beat * 0.57 == pytest.approx(MADE.swims[-1].speed)


def test_the_compiled_muscles_have_the_bits_of_the_others(alike):
    model, fishes = BodyModel(SARDINE.body), 72

    def moved():
        dice, muscles = np.random.default_rng(3), Muscles(SARDINE, model, fishes, 0.03)
        muscles.phase[:] = dice.uniform(0.0, 6.0, fishes)
        found = []
        for frame in range(6):
            rates = np.stack([dice.uniform(0.05, 0.2, fishes), dice.uniform(0.0, 0.4, fishes)])
            swing = np.stack([dice.uniform(-0.1, 1.3, fishes), *dice.uniform(-1.0, 1.0, (2, fishes))])
            curl = np.stack([dice.uniform(-1.0, 1.0, fishes), np.full(fishes, 0.2)]) if frame % 2 else None
            found += [muscles.advance(rates, swing, 9, curl), *(array.copy() for array in muscles.arrays)]
        return tuple(found)

    alike(moved, "muscles")


def test_the_compiled_center_has_the_bits_of_the_other_where_some_have_learned(alike):
    species, fishes = [Species.load("tuna"), SARDINE, taught(Species.load("thesis"), controller("thesis"))], 60

    def driven():
        dice = np.random.default_rng(4)
        center = MotorCenter(species, np.arange(fishes) % len(species), 1.0, dice.uniform(0.7, 1.4, fishes))
        length, found = dice.uniform(0.05, 3.0, fishes), []
        for frame in range(8):
            swim, burst = dice.uniform(-0.2, 1.2, (2, fishes)) * (dice.uniform(size=(2, fishes)) < 0.7)
            turn, climb = dice.uniform(-3.0, 3.0, (2, fishes)) * (dice.uniform(size=(2, fishes)) < 0.7)
            commands = Commands(swim, turn, climb, dice.uniform(size=fishes) < 0.1, np.zeros(fishes), burst)
            frames = frame_from(*dice.normal(size=(2, fishes, 3)))
            velocity = dice.normal(size=(fishes, 3)) * length[:, None] * (frame % 3)
            drive = center.drive(commands, frames, velocity, length, 1 / 24)
            found.append(tuple(np.ascontiguousarray(array) for array in vars(drive).values()))
            found += [array for part in (center, center.sprints) for array in part.state().values()]
        return tuple(found)

    alike(driven, "drive")


def test_a_world_without_fishes_goes_on():
    recording = World(Scene.from_dict({"name": "empty", "fishes": []}), seed=1).simulate(frames=3)
    assert recording.nodes.shape == (3, 0, 23, 3)
