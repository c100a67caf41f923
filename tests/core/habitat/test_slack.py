"""Slack water: nothing streams through a wall, and a body feels the water all along it."""

from __future__ import annotations

import numpy as np
import pytest

from artfish.core.body.anatomy import NODES
from artfish.core.habitat.currents import Current, SourceFlow, Uniform
from artfish.core.habitat.obstacles import Obstacles
from artfish.core.habitat.slack import Slack
from artfish.core.habitat.tank import WaterBox
from artfish.core.habitat.tuning import PRESSING_LENGTHS, STRAIN_RATE

SIZE = 2.0, 2.0, 2.0


def felt(flow, place, length=0.1, obstacles=None) -> np.ndarray:
    """The water about one small body, all of whose nodes are at this place."""
    slack = Slack(Current((flow,)), WaterBox(SIZE), obstacles or Obstacles())
    place = np.atleast_2d(np.asarray(place, dtype=float))
    nodes = np.repeat(place[:, None], NODES, axis=1)
    return slack.velocity(place, nodes, np.full(len(place), length), 0.0)[0]


def test_a_stream_that_a_fish_stands_against_is_as_it_is_written():
    flow = Uniform((1.0, 0.0, 0.0), 0.99 * PRESSING_LENGTHS * 0.1)
    assert (felt(flow, (2.0, 1.0, 1.0)) == flow.velocity(np.zeros(3), 0.0)).all()


def test_no_strong_stream_goes_through_a_wall():
    flow = Uniform((1.0, 0.0, 0.0), 1.0)
    assert felt(flow, (2.0, 1.0, 1.0)) == pytest.approx([PRESSING_LENGTHS * 0.1, 0.0, 0.0])
    assert felt(flow, (1.96, 1.0, 1.0)) == pytest.approx([PRESSING_LENGTHS * 0.1 + STRAIN_RATE * 0.04, 0.0, 0.0])
    assert felt(flow, (1.0, 1.0, 1.0)) == pytest.approx([1.0, 0.0, 0.0])


def test_what_goes_along_a_wall_or_away_from_it_stays():
    flow = Uniform((1.0, 1.0, 0.0), 2.0**0.5)
    assert felt(flow, (1.0, 0.0, 1.0)) == pytest.approx([1.0, 1.0, 0.0])
    assert felt(flow, (1.0, 2.0, 1.0)) == pytest.approx([1.0, PRESSING_LENGTHS * 0.1, 0.0])


def test_nor_through_what_stands_in_it():
    pillar = Obstacles([(1.0, 1.0, 0.0)], [0.2], [2.0])
    assert felt(Uniform((1.0, 0.0, 0.0), 1.0), (0.8, 1.0, 1.0), obstacles=pillar) == pytest.approx([0.05, 0.0, 0.0])


def test_a_body_about_a_narrow_sink_feels_what_streams_to_it_from_all_sides():
    slack = Slack(Current((SourceFlow((1.0, 1.0, 1.0), -1.0, 0.01),)), WaterBox(SIZE), Obstacles())
    place, nodes = np.array([[1.01, 1.0, 1.0]]), np.ones((1, NODES, 3))
    nodes[0, :, 0] = np.linspace(0.9, 1.1, NODES)
    assert np.abs(slack.velocity(place, nodes, np.array([0.2]), 0.0)).max() < 1e-9
