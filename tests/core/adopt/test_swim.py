"""A body that tumbles is told from one that swims."""

from __future__ import annotations

from dataclasses import replace

from artfish.core import Species
from artfish.core.adopt.swim import swims, trial


def test_a_preset_swims_and_one_without_muscle_does_not():
    sardine = Species.load("sardine")
    assert swims(sardine, sardine)
    weak = replace(sardine.rhythm, contraction=0.1, anterior=0.0, posterior=0.05, peduncle=0.0, shoulder=0.0)
    assert not swims(replace(sardine, rhythm=weak), sardine)


def test_a_trial_says_how_far_a_beat_brings_a_fish():
    stride, up = trial(Species.load("sardine"))
    assert 0.4 < stride[0] < 0.8 and up.min() > 0.9
