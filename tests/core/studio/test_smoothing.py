"""Smoothing over all of a shot keeps slow waves and straight lines."""

import numpy as np
import pytest

from artfish.core.studio.smoothing import smoothed


def test_waves_of_the_span_keep_a_half_and_slow_ones_all():
    """The closed form of least third differences: a wave of length L keeps 1 / (1 + (span / L)^6) of its height."""
    frames, span = np.arange(4000), 48.0
    for length in (24.0, 48.0, 96.0, 400.0):
        wave = np.sin(2.0 * np.pi * frames / length)[:, None]
        middle = smoothed(wave, span)[1000:3000, 0]
        kept = middle @ wave[1000:3000, 0] / (wave[1000:3000, 0] @ wave[1000:3000, 0])
        assert kept == pytest.approx(1.0 / (1.0 + (span / length) ** 6), abs=0.01)
    line = np.stack((0.3 * frames, frames**2 * 1e-3), axis=1)[:200]
    assert smoothed(line, span) == pytest.approx(line, abs=1e-6)  # what is even stays, to the ends
