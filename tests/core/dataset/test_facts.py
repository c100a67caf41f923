"""Facts of a film: speeds, strokes, bends and events as the recording has them."""

import numpy as np
import pytest

from artfish.core import Scene, World
from artfish.core.dataset.facts import FilmFacts, _phases, bending


@pytest.fixture(scope="module")
def facts():
    return FilmFacts(World(Scene.load("reef"), seed=3).simulate(48))


def test_a_speed_is_way_over_time_in_lengths(facts):
    of = facts.recording
    row, frame = 2, 20
    way = np.linalg.norm(facts.origin[22, row] - facts.origin[18, row])
    assert facts.speed[frame, row] == pytest.approx(way / (4 / of.fps) / of.body_length[row])
    assert facts.speed[0, row] > 0


def test_the_phase_of_a_steady_beat_runs_evenly():
    time = np.arange(96) / 24.0
    phase = _phases(0.2 * np.cos(2 * np.pi * 2.0 * time)[:, None])[:, 0]
    steps = np.diff(np.unwrap(phase))[8:-8]
    assert np.allclose(steps, 2 * np.pi * 2.0 / 24.0, rtol=0.02)
    assert np.isnan(_phases(0.001 * np.cos(time)[:, None])).all()
    assert np.isnan(_phases(np.zeros((3, 2)))).all()


def test_a_bend_to_the_left_is_positive():
    straight = np.zeros((23, 3))
    stations = np.linspace(0.0, -1.0, 7)
    straight[0, 0] = stations[0]
    for ring in range(5):
        straight[1 + 4 * ring : 5 + 4 * ring, 0] = stations[1 + ring]
    straight[21:, 0] = stations[6]
    assert np.allclose(bending(straight, np.eye(3)), 0.0)
    # Along a circle of radius 1, tail to the left, each of five joints turns by the arc between middles of links.
    bent = straight.copy()
    angle = -straight[:, 0]
    bent[:, 0], bent[:, 1] = -np.sin(angle), 1.0 - np.cos(angle)
    assert np.allclose(bending(bent, np.eye(3)), 1.0 / 6.0)


def test_what_a_fish_is_about(facts):
    of = facts.recording
    said = facts.of(10, 4)
    assert said["species"] == of.species[4] and said["intention"] == of.INTENTIONS[of.intention[10, 4]]
    assert said["length"] == pytest.approx(of.body_length[4], abs=1e-4)
    assert (
        np.linalg.norm(said["pose"]["attitude"]) == pytest.approx(1.0, abs=1e-3) and len(said["pose"]["bending"]) == 5
    )
    frames = {event["frame"] for event in of.events}
    assert frames and all(len(facts.events(frame)) for frame in frames) and facts.events(10**6) == []


def test_keypoints_of_some_fishes_of_all_kinds(facts):
    rows = np.array([30, 2, 11])
    points = facts.keypoints(5, rows)
    assert points.shape[:1] == (3,) and not np.isnan(points[:, 0]).any()
    nose = facts.recording.nodes[5, rows, 0]
    assert np.linalg.norm(points[:, 0] - nose, axis=1).max() < 0.15 * facts.recording.body_length[rows].max()
