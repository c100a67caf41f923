"""Starts are measured as they are: on heads that turn in a known way."""

from types import SimpleNamespace

import numpy as np
import pytest

from artfish.core.body.anatomy import frame_from, rest_nodes
from artfish.core.scene.species import Species
from artfish.studies.life import bodily, motion

FPS = 120


def test_the_turn_of_a_head_is_its_most_though_it_turns_back():
    rest = rest_nodes(Species.load("sardine").body)
    degrees = 70.0 * np.sin(np.pi * np.arange(25) / 20.0)  # there and back in a sixth of a second
    ahead = np.stack([np.cos(np.radians(degrees)), np.sin(np.radians(degrees)), 0.0 * degrees], axis=1)
    nodes = np.einsum("tij,nj->tni", frame_from(ahead, np.broadcast_to([0.0, 0.0, 1.0], ahead.shape)), rest)[:, None]
    fright = SimpleNamespace(before=nodes[0], recording=SimpleNamespace(nodes=nodes[1:], fps=FPS))
    for begin, seconds, most in ((0.0, 0.1, 70.0), (0.0, 1 / 24, 70.0 * np.sin(np.pi / 4)), (1 / 12, 1 / 12, 70.0)):
        found = bodily.turned_within(fright, np.array([begin]), seconds)
        assert found[0] == pytest.approx(most, rel=0.02)
    assert np.isnan(bodily.turned_within(fright, np.array([np.nan]), 0.1)[0])


def test_the_beat_of_a_tail_that_a_turn_bends_slowly_and_farther_is_that_of_its_speed():
    t = np.arange(72) / FPS
    swing = 0.2 * np.sin(2 * np.pi * 3.0 * t) + 0.1 * np.sin(2 * np.pi * 12.0 * t)
    assert motion.frequencies(np.gradient(swing)[:, None], FPS)[0] == pytest.approx(12.0, rel=0.03)
