"""Abstraction: one or two modes of what muscles do (Terzopoulos et al. 1994, §4.3)."""

from __future__ import annotations

import numpy as np
import pytest

from artfish.core import SceneError, Species
from artfish.core.learning.modes import abstracted, spectrum
from artfish.core.motor.commands import Commands
from artfish.core.replicas.trial import Trial

STEP = 0.02
T = np.arange(200) * STEP


def wave(frequency: float, *amplitudes: float) -> np.ndarray:
    """A wave in each muscle, each lagging a radian more than the one before."""
    return np.array([a * np.sin(2.0 * np.pi * frequency * T - row) for row, a in enumerate(amplitudes)])


def test_the_short_time_fft_shows_when_a_beat_changed():
    t = T[None]
    hertz, power = spectrum(np.where(t < 2.0, np.sin(2 * np.pi * 3.0 * t), np.sin(2 * np.pi * 5.0 * t)), STEP)
    strongest = hertz[power.argmax(axis=1)]
    assert strongest[0] == pytest.approx(3.0, abs=0.1) and strongest[-1] == pytest.approx(5.0, abs=0.1)


@pytest.mark.parametrize("frequency", [1.1, 2.37, 6.0])
def test_a_wave_gives_its_frequency_amplitudes_and_phases_back(frequency):
    found = abstracted(0.15 + wave(frequency, 0.1, 0.05, 0.02), STEP)
    assert found.frequency == pytest.approx(frequency, rel=1e-3)
    assert found.harmonics.tolist() == [1.0]
    assert found.mean == pytest.approx(0.15, abs=1e-3)
    assert found.amplitude[0] == pytest.approx([0.1, 0.05, 0.02], abs=1e-3)
    assert found.phase[0] == pytest.approx([0.0, 1.0, 2.0], abs=0.02)
    assert found.kept > 0.999


def test_a_second_mode_is_kept_where_it_matters_and_dropped_where_it_does_not():
    both = wave(2.0, 0.1, 0.1) + wave(4.0, 0.04, 0.03)
    found = abstracted(both, STEP)
    assert found.harmonics == pytest.approx([1.0, 2.0])
    assert found.amplitude[1] == pytest.approx([0.04, 0.03], abs=2e-3)
    assert abstracted(both, STEP, most=1).harmonics.tolist() == [1.0]
    assert abstracted(wave(2.0, 0.1, 0.1) + wave(4.0, 0.01, 0.01), STEP).harmonics.tolist() == [1.0]


def test_noise_does_not_hide_a_beat():
    noise = np.random.default_rng(1).normal(0.0, 0.05, (3, len(T)))
    found = abstracted(wave(2.4, 0.1, 0.1, 0.1) + noise, STEP)
    assert found.frequency == pytest.approx(2.4, abs=0.03)
    assert found.amplitude[0] == pytest.approx(0.1, abs=0.02)


def test_modes_make_the_controls_again():
    made = 0.2 + wave(2.0, 0.1, 0.06) + wave(4.0, 0.05, 0.03)
    assert abstracted(made, STEP).signals(T) == pytest.approx(made, abs=2e-3)


@pytest.mark.parametrize(
    ("signals", "says"), [(np.full((3, 60), 0.1), "muscles that do nothing"), (np.ones((3, 5)) * T[:5], "5 samples")]
)
def test_what_has_no_beat_is_refused(signals, says):
    with pytest.raises(SceneError, match=says):
        abstracted(signals, STEP)


def test_the_hand_made_swim_gives_its_frequency_amplitudes_and_phases_back():
    shark, commands = Species.load("reef_shark").alike, Commands.still(1)
    commands.swim[:] = 1.0
    trial, rhythm = Trial(shark, 1), shark.rhythm
    track = trial.run(lambda t: commands, 12.0 / rhythm.tail_beat)
    done = trial.contractions(track)[len(track.phase) // 2 :, :, 0].T
    found = abstracted(done, track.step)
    assert found.frequency == pytest.approx(rhythm.tail_beat, rel=1e-3)
    assert found.harmonics.tolist() == [1.0] and found.kept > 0.98
    best = 0.5 * rhythm.contraction * np.array([rhythm.posterior, rhythm.peduncle])
    assert found.amplitude[0, [8, 12]] == pytest.approx(best, abs=2e-3)
    lag = (found.phase[0, [4, 12]] - found.phase[0, 8]) % (2.0 * np.pi)
    assert lag == pytest.approx([(-rhythm.lag) % (2.0 * np.pi), rhythm.peduncle_lag], abs=0.1)
