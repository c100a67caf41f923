"""Matrices as places, turns and scales, as exporters are given them."""

import numpy as np
from mathutils import Euler, Matrix, Quaternion, Vector

from artfish.blender_artfish.export.motion import LEAST_SCALE, channels


def test_channels_make_the_matrices_again_and_turn_no_farther_than_they_must():
    dice = np.random.default_rng(3)
    matrices = []
    for step in range(200):
        turn = Euler((0.1 * step, 0.07 * step, -0.05 * step)).to_matrix().to_4x4()
        size = Matrix.Diagonal((*dice.uniform(0.2, 3.0, 3) * (1.0, 1.0, -1.0 if step < 100 else 1.0), 1.0))
        matrices.append(np.array(Matrix.Translation(Vector(dice.normal(size=3))) @ turn @ size))
    place, turn, scale = channels(np.array(matrices))
    for row, matrix in enumerate(matrices):
        made = Matrix.LocRotScale(Vector(place[row]), Quaternion(turn[row]), Vector(scale[row]))
        np.testing.assert_allclose(np.array(made), matrix, atol=2e-6)
    assert (np.sum(turn[1:] * turn[:-1], axis=1)[np.arange(199) != 99] > 0.9).all()


def test_what_has_no_size_keeps_a_little_of_it():
    matrices = np.stack([np.diag([0.0, 0.0, 0.0, 1.0]), np.diag([2.0, 2.0, 2.0, 1.0])])
    place, turn, scale = channels(matrices)
    np.testing.assert_allclose(scale, [[2.0 * LEAST_SCALE] * 3, [2.0] * 3])
    assert np.isfinite(turn).all() and not place.any()
