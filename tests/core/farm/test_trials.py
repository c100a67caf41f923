"""Trials of bodies: as fast as fishes in a world, and figures as they are defined."""

from dataclasses import replace

import numpy as np
import pytest

from artfish.core.body.anatomy import MASS_SHARES
from artfish.core.farm.trials import BODY_TASKS, SwimTrial, escape, score, swim, turning
from artfish.core.farm.tuning import REAL_STROUHAL, STROUHAL_FADE, TRIAL_SECONDS, WIDEST_SWEEP
from artfish.core.motor.commands import Commands
from artfish.core.replicas.trial import Trial
from artfish.core.scene.species import Species


@pytest.mark.parametrize("name", ["sardine", "cardinalfish"])
def test_a_body_is_as_fast_as_one_that_a_motor_center_drives(name):
    species, commands = Species.load(name), Commands.still(1)
    found, trial = swim(species), Trial(species.alike, 1, swift=True)
    commands.swim[:] = 1.0
    trial.run(lambda _: commands, 0.5 * TRIAL_SECONDS)
    begin = np.einsum("n,nc->c", MASS_SHARES, trial.nodes[0])
    trial.run(lambda _: commands, 0.5 * TRIAL_SECONDS)
    way = np.linalg.norm(np.einsum("n,nc->c", MASS_SHARES, trial.nodes[0]) - begin)
    # The motor center holds fins and course and gathers speed by a kick: that is worth up to a tenth in five seconds.
    assert found.speed[-1] == pytest.approx(way / (0.5 * TRIAL_SECONDS), rel=0.12)
    assert found.sound[-1] and (np.diff(found.beat) > 0).all()


def test_who_does_not_beat_does_not_move_and_does_no_work():
    species = Species.load("sardine")
    rhythm = replace(species.rhythm, anterior=0.0, posterior=0.0, shoulder=0.0, peduncle=0.0)
    found = swim(replace(species, rhythm=rhythm), works=True)
    assert found.speed.max() < 1e-3
    assert np.abs(found.effort * found.speed).max() < 1e-9


def test_work_is_seen_where_it_is_looked_at_and_a_faster_pace_costs_more_power():
    species = Species.load("sardine")
    found = swim(species, works=True)
    power = found.effort * found.speed
    assert (power > 0).all() and power[-1] > power[0]
    assert not swim(species).effort.any()


def test_a_stroke_counts_by_how_real_it_is():
    low, high = REAL_STROUHAL
    inside, outside = 0.5 * (low + high), high + STROUHAL_FADE
    sweep = np.full(2, 0.5 * WIDEST_SWEEP)
    ones = np.ones(2)
    speed = sweep * 1.0 / np.array([inside, outside])
    assert SwimTrial(ones, speed, ones, ones, sweep, ones).likeness == pytest.approx([1.0, 0.5])


def test_every_task_tells_species_apart():
    one, other = Species.load("sardine"), Species.load("moray")
    assert score(one, "speed") > score(other, "speed") > 0.0
    assert all(score(one, task) > 0.0 for task in BODY_TASKS)
    assert turning(Species.load("cardinalfish"))[0] > turning(one)[0]
    assert escape(one) > escape(replace(one, rhythm=replace(one.rhythm, burst_beat=0.0, start=0.0)))
