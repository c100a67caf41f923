"""Schools part and join as their distances say, and stragglers are no part."""

from dataclasses import replace

import numpy as np
import pytest

from artfish.core import Scene, World
from artfish.core.behavior.intention import SCHOOL
from artfish.core.studio.parting import happenings, school_events

STILL = {"tank": {"size": [9, 9, 3]}, "fishes": [{"species": "sardine", "count": 8, "at": [4, 4, 1], "spread": 0.3}]}


@pytest.fixture(scope="module")
def recording():
    """Six seconds of eight sardines."""
    return World(Scene.from_dict(STILL)).simulate(6 * 24)


@pytest.fixture
def of(recording):
    """Two seconds for each of three gaps between the last `away` of a row of sardines and the others, in lengths."""

    def made(*gaps: float, away: int = 3):
        row = np.arange(8.0)
        frames = [np.where(row < 8 - away, row, row + gap) for gap in gaps for _ in range(48)]
        nodes = np.zeros_like(recording.nodes)
        nodes[..., 0] = recording.body_length[0] * np.array(frames)[..., None]
        return replace(recording, nodes=nodes, intention=np.full_like(recording.intention, SCHOOL))

    return made


def test_a_school_parts_and_joins(of):
    events = school_events(of(0.0, 4.0, 0.0))
    assert [event["kind"] for event in events] == ["parted", "joined"]
    assert [event["frame"] for event in events] == pytest.approx([48, 96], abs=12)
    assert [(event["fish"], event["other"]) for event in events] == [(0, 5), (0, 5)]


def test_two_stragglers_are_no_part_and_a_wide_school_is_one(of):
    assert school_events(of(0.0, 4.0, 0.0, away=2)) == []
    assert school_events(of(0.0, 1.0, 0.0)) == []


def test_who_does_not_school_does_not_part(of):
    recording = of(0.0, 4.0, 4.0)
    assert school_events(replace(recording, intention=np.zeros_like(recording.intention))) == []


def test_what_happens_is_in_its_order(of):
    recording = replace(of(0.0, 4.0, 0.0), events=[{"kind": "fed", "frame": 70, "fish": 0, "other": 0}])
    assert [event["kind"] for event in happenings(recording)] == ["parted", "fed", "joined"]
