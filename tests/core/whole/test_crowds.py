"""Sixty fishes among eight pillars: nobody runs into anything, nobody gets stuck (and how that is measured)."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from artfish.core import Recording, Scene, Species, World
from artfish.core.recording import ARRAYS
from artfish.studies import crowds, schools


@pytest.mark.film
def test_nobody_collides_or_gets_stuck_for_some_seconds():
    recording = crowds.crowd(seed=1, seconds=12)
    assert crowds.faults(recording) == []
    assert len(schools.overlaps(recording)) < 3


@pytest.mark.film
def test_a_stream_holds_nobody_at_the_glass_and_tumbles_nobody():
    assert crowds.in_stream(crowds.STREAMS[1], seed=0, seconds=10)


# Whether the measures see what they are to see: two straight fishes that are moved by hand.


@pytest.fixture(scope="module")
def pair() -> Recording:
    """Two sardines side by side, 12 s of a level swim along x at a length a second."""
    group = {"species": "sardine", "at": [3.0, 3.0, 2.0], "heading": [1, 0, 0]}
    scene = Scene.from_dict({"tank": {"size": [12, 6, 4]}, "fishes": [group, {**group, "at": [3.0, 3.3, 2.0]}]})
    alike = {"sardine": Species.load("sardine").alike}
    still = World(scene, pilot=lambda t, world: None, species=alike).simulate(1)
    frames = 12 * 24
    nodes = np.repeat(still.nodes, frames, axis=0)
    nodes[..., 0] += (np.arange(frames) / 24 * 0.18)[:, None, None]
    return shown(still, nodes)


def shown(recording: Recording, nodes: np.ndarray) -> Recording:
    """A recording of these nodes, everybody wandering, and at work."""
    arrays = {
        name: np.repeat(getattr(recording, name)[:1], len(nodes), axis=0)
        for name, one in ARRAYS.items()
        if one.shape[0] == "frames" and name not in ("nodes", "intention", "effort")
    }
    wander = np.full(nodes.shape[:2], Recording.INTENTIONS.index("wander"))
    effort = np.full(nodes.shape[:2], 0.2, recording.effort.dtype)
    return replace(recording, nodes=nodes, intention=wander, effort=effort, **arrays)


def test_fishes_side_by_side_do_not_overlap_and_get_on(pair):
    assert schools.overlaps(pair) == []
    stuck = schools.stuck(pair)
    assert (stuck.wall[0], stuck.spot[0], stuck.circling[0], stuck.upside_down[0]) == (0.0, 0.0, 0.0, 0.0)
    assert schools.depth(pair)[1] < 0


def test_a_fish_that_goes_through_another_twice_is_counted_twice(pair):
    nodes = pair.nodes.copy()
    there = 0.3 * np.cos(2 * np.pi * np.arange(len(nodes)) / len(nodes))  # aside, through, back
    nodes[:, 1, :, 1] += (there - 0.3)[:, None]
    found = schools.overlaps(shown(pair, nodes))
    assert [meeting.fishes for meeting in found] == [(0, 1)] * 2
    assert all(meeting.nearest < 0.05 and meeting.frames < 24 for meeting in found)


def test_a_fish_that_stays_circles_or_turns_over_is_found(pair):
    times = np.arange(len(pair.nodes)) / 24
    nodes = pair.nodes.copy()
    nodes[:, 0] = nodes[:1, 0]  # stands
    stuck = schools.stuck(shown(pair, nodes))
    assert stuck.spot == (12.0, 0)
    resting = shown(pair, nodes)
    resting.effort[:] = 0.02
    assert schools.stuck(resting).spot[0] == 0.0
    nodes = pair.nodes.copy()
    angle = 2.0 * times  # a circle 0.18 m across
    arm = nodes[0, 1] - nodes[0, 1].mean(axis=0) + (0.0, -0.09, 0.0)
    turn = np.stack([np.stack([np.cos(angle), -np.sin(angle)]), np.stack([np.sin(angle), np.cos(angle)])])
    nodes[:, 1, :, :2] = np.einsum("ijt,nj->tni", turn, arm[:, :2]) + (6.0, 3.0)
    stuck = schools.stuck(shown(pair, nodes))
    assert stuck.circling == (12.0, 1)
    nodes = pair.nodes.copy()
    nodes[24:72, 1, :, 1:] = 2 * nodes[24:72, 1, :, 1:].mean(axis=1, keepdims=True) - nodes[24:72, 1, :, 1:]
    assert schools.stuck(shown(pair, nodes)).upside_down == (2.0, 1)


def test_a_fish_that_rubs_along_the_bed_is_found(pair):
    nodes = pair.nodes.copy()
    nodes[:, 0, :, 2] -= nodes[:, 0, :, 2].min()
    stuck = schools.stuck(shown(pair, nodes))
    assert stuck.wall == (12.0, 0)
    nodes[:, 0, :, 2] -= 0.1 * 0.18
    assert schools.depth(shown(pair, nodes))[1] == pytest.approx(0.1, abs=1e-4)


def test_groups_are_counted_by_links():
    place = np.array([[0.0, 0, 0], [0.4, 0, 0], [0.8, 0, 0], [2.0, 0, 0]])
    assert schools.groups(place, np.full(4, 0.2)).tolist() == [0, 0, 0, 1]
    assert schools.neighbour_distances(place, np.full(4, 0.2)) == pytest.approx([2, 2, 2, 6])
