"""The scenes of life have fishes on their own, frights beside them, and twins that nothing befell."""

from types import SimpleNamespace

import numpy as np
import pytest

from artfish.studies import life
from artfish.studies.life import bodies, staging
from artfish.studies.life.bodily import nearness, startled, turned_within
from artfish.studies.life.minded import strike_speeds


def test_those_that_are_alone_are_out_of_each_others_sight():
    scene = staging.alone(staging.SHIPPED, 2, 24)
    at = np.array([group.at for group in scene.fishes])
    apart = np.linalg.norm(at[:, None] - at, axis=2)[np.triu_indices(len(at), 1)]
    assert apart.min() >= staging.LONE_METRES


@pytest.mark.film
def test_a_fright_is_a_threat_within_two_lengths_and_its_twin_has_none(fright):
    reach = np.linalg.norm(fright.threat - bodies.middles(fright.before), axis=1) / fright.recording.body_length
    assert ((0.99 <= reach) & (reach <= 1.81)).all()
    assert (fright.recording.fear[0] > 0.6).all() and (fright.twin.fear == 0.0).all()
    seconds = startled(fright)
    assert (np.isnan(seconds) | (seconds > 0)).all()
    moved = np.isfinite(seconds)
    assert np.isnan(turned_within(fright, seconds, 0.1)[~moved]).all()
    assert (nearness(fright, 0.3) > 0.3).all()


@pytest.fixture(scope="module")
def fright():
    return staging.frights(("clownfish",), 1, 2, 0.5)


def test_a_table_has_the_requested_rows(monkeypatch):
    monkeypatch.setattr(
        life, "ROWS", {n: lambda seeds, n=n: iter([life.Figure(n, "x", {"a": [1.0]})]) for n in (1, 2, 3)}
    )
    assert [figure.row for figure in life.figures(range(1), (1, 3))] == [1, 3]
    assert life.page(range(1), (2,)).splitlines()[2].startswith("| 2 | x |")


def test_all_rows_are_measured():
    assert list(life.ROWS) == [*range(1, 27), 29, 30, 31]


def test_a_strike_is_as_fast_as_the_hunter_is_around_the_opening_of_its_mouth():
    fps, frames = 120.0, 600
    speed = np.where(np.arange(frames) > 380, 3.0, 0.5)  # lengths a second
    nodes = np.zeros((frames, 1, 23, 3))
    nodes[..., 0] = np.cumsum(speed)[:, None, None] / fps
    mouth = np.zeros((frames, 1))
    mouth[100:110], mouth[400:420] = 1.0, 1.0
    recording = SimpleNamespace(nodes=nodes, mouth=mouth, fps=fps, body_length=np.ones(1))
    assert strike_speeds(recording) == pytest.approx([0.5, 3.0], abs=1e-6)
