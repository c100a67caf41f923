"""Forms of schools: how far places are from them, and where there is room in them."""

from __future__ import annotations

import numpy as np
import pytest

from artfish.core.behavior.school_form import SchoolForm, Stretch

FORMS = [(1.0, 2.0, 0.0, 0.0), (3.0, 1.0, 0.7, 0.0), (2.5, 1.6, -2.0, 0.4)]
MIDDLE = np.array((1.0, 2.0, 3.0))


def form(stretch: Stretch | None, radius: float = 0.8) -> SchoolForm:
    at = (np.arange(4) + 0.5) / 2.0 - 1.0
    far = np.linalg.norm(np.stack(np.meshgrid(at, at, at, indexing="ij"), axis=-1), axis=-1)
    share = np.clip(0.5 - 2.0 * (far - 1.0), 0.0, 1.0)
    return SchoolForm(MIDDLE, radius, MIDDLE - radius, radius / 2.0, share, stretch=stretch)


def test_a_ball_is_not_stretched():
    assert Stretch.of(1.0, 1.0, 0.5, 0.5) is None


@pytest.mark.parametrize("numbers", FORMS)
def test_its_axes_have_its_proportions_and_the_volume_of_the_ball(numbers):
    long, flat, turn, climb = numbers
    stretch = Stretch.of(*numbers)
    assert np.prod(stretch.share) == pytest.approx(1.0)
    assert stretch.share[0] / stretch.share[1] == pytest.approx(long)
    assert stretch.share[1] / stretch.share[2] == pytest.approx(flat)
    assert stretch.frame.T @ stretch.frame == pytest.approx(np.eye(3))
    assert np.linalg.det(stretch.frame) == pytest.approx(1.0)
    ahead = (np.cos(climb) * np.cos(turn), np.cos(climb) * np.sin(turn), np.sin(climb))
    assert stretch.frame[:, 0] == pytest.approx(ahead)


@pytest.mark.parametrize("numbers", FORMS)
def test_distances_are_those_from_an_ellipsoid(numbers):
    """At its poles, and near its surface everywhere: there they are exact to the first order, and head out of it."""
    stretch = Stretch.of(*numbers)
    made = form(stretch)
    half = made.radius * stretch.share
    poles = MIDDLE + np.vstack((stretch.frame.T, -stretch.frame.T)) * np.tile(half, 2)[:, None]
    distance, out = made.distance(poles)
    assert distance == pytest.approx(0.0, abs=1e-12)
    assert out == pytest.approx(np.vstack((stretch.frame.T, -stretch.frame.T)))
    around = np.random.default_rng(1).normal(size=(200, 3))
    around /= np.linalg.norm(around, axis=1)[:, None]
    surface = MIDDLE + (around * half) @ stretch.frame.T
    normal = (around / half) @ stretch.frame.T
    normal /= np.linalg.norm(normal, axis=1)[:, None]
    step = 1e-4
    for side in (-step, step):
        distance, out = made.distance(surface + side * normal)
        assert distance == pytest.approx(side, rel=0.01)
        assert (out * normal).sum(axis=1) == pytest.approx(1.0, abs=1e-4)


@pytest.mark.parametrize("end", [-1.0, 1.0])
def test_fishes_make_room_along_its_length(end):
    """Crowded at one end of a long school they are to go to the other, which lies where it points."""
    stretch = Stretch.of(3.0, 1.0, np.pi / 2, 0.0)
    made = form(stretch)
    there = MIDDLE + (0.0, end * 0.6 * made.radius * stretch.share[0], 0.0)
    crowd = there + 0.05 * np.random.default_rng(2).normal(size=(60, 3))
    assert (end * made.evening(crowd, crowd[:5])[:, 1] < -0.1).all()
