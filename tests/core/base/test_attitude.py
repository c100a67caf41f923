"""Turns as quaternions are the turns of matrices."""

import numpy as np
from scipy.spatial.transform import Rotation

from artfish.core.base.attitude import (
    between,
    compose,
    conjugate,
    matrices,
    nearby,
    normalised,
    of_frames,
    rotated,
    rotations_about_up,
)

RANDOM = Rotation.random(200, random_state=1)
TURNS = np.roll(RANDOM.as_quat(), 1, axis=1)


def test_a_turn_is_its_matrix_and_back():
    assert np.allclose(matrices(TURNS), RANDOM.as_matrix(), atol=1e-14)
    found = of_frames(RANDOM.as_matrix())
    assert np.allclose(np.abs((found * TURNS).sum(axis=1)), 1.0, atol=1e-14)


def test_half_turns_have_quaternions_too():
    for axis in np.eye(3):
        frame = 2.0 * np.outer(axis, axis) - np.eye(3)
        assert np.allclose(matrices(of_frames(frame)), frame)


def test_vectors_are_turned_as_by_matrices():
    vectors = np.random.default_rng(2).normal(size=(200, 3))
    assert np.allclose(rotated(TURNS, vectors), RANDOM.apply(vectors), atol=1e-14)
    assert (rotated(TURNS[:, None], vectors)[:, 0] == rotated(TURNS, vectors[0])).all()


def test_turns_one_after_the_other_are_the_product_of_matrices():
    other = TURNS[::-1]
    assert np.allclose(matrices(compose(TURNS, other)), matrices(TURNS) @ matrices(other), atol=1e-14)
    assert np.allclose(compose(TURNS, conjugate(TURNS)), (1, 0, 0, 0), atol=1e-14)


def test_to_turn_left_is_to_turn_ahead_to_left():
    assert np.allclose(matrices(rotations_about_up(np.array(np.pi / 2)))[:, 0], (0, 1, 0))


def test_turns_in_sequence_keep_their_sign():
    angles = np.linspace(0.0, 20.0, 50)
    turns = rotations_about_up(angles) * np.where(np.arange(50) % 3, 1.0, -1.0)[:, None]
    steady = nearby(turns)
    assert (np.sum(steady[1:] * steady[:-1], axis=1) > 0).all()
    assert np.allclose(normalised(3.0 * steady), steady)
    assert (nearby(turns[:1]) == turns[:1]).all()


def test_turns_between_many_are_those_between_each_pair_to_the_bit():
    last, shares = np.roll(TURNS, 7, axis=0), np.linspace(0.0, 1.0, len(TURNS))
    last[:5], last[5:8] = TURNS[:5], -TURNS[5:8]
    last[8] = -TURNS[8] + 1e-9
    every = between(TURNS, last, shares)
    assert every.tobytes() == np.stack([between(*pair) for pair in zip(TURNS, last, shares, strict=True)]).tobytes()
    assert np.allclose(np.square(every).sum(axis=1), 1.0)
    assert np.allclose(np.abs((every[:8] * TURNS[:8]).sum(axis=1)), 1.0)
