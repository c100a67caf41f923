"""Nets: twines along the faces, as far apart as the meshes are wide."""

import numpy as np
import pytest

from artfish.blender_artfish.stage.nets import MOST_TWINES, woven

SQUARE = np.array([[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [1.0, 0.0, 0.5], [0.0, 0.0, 0.5]])


def areas(shape):
    vertices, faces = shape
    corners = vertices[faces]
    return np.linalg.norm(np.cross(corners[:, 1] - corners[:, 0], corners[:, 3] - corners[:, 0]), axis=1)


def test_a_square_has_twines_both_ways():
    shape = woven(SQUARE, [[0, 1, 2, 3]], 0.1)
    vertices, faces = shape
    assert len(faces) == 11 + 6  # ten meshes across and five up
    assert np.allclose(vertices[:, 1], 0.0)
    # Eleven of half a metre and six of a metre, 5 mm thick.
    assert areas(shape).sum() == pytest.approx(0.005 * (11 * 0.5 + 6 * 1.0), rel=1e-6)


def test_fine_nets_have_fine_twines_and_large_ones_an_end():
    assert areas(woven(SQUARE, [[0, 1, 2, 3]], 0.02)).max() == pytest.approx(0.08 * 0.02 * 1.0)
    assert len(woven(1000 * SQUARE, [[0, 1, 2, 3]], 0.1)[1]) == 2 * (MOST_TWINES + 1)


def test_triangles_and_faces_of_many_corners_are_woven_too():
    turn = np.arange(6) * np.pi / 3
    hexagon = np.stack([np.cos(turn), np.sin(turn), 0 * turn], axis=1)
    for faces in ([[0, 1, 2]], [[0, 1, 2, 3, 4, 5]]):
        vertices, strips = woven(hexagon, faces, 0.2)
        assert len(strips) > 8 and np.isfinite(vertices).all() and np.abs(vertices[:, 2]).max() < 1e-9
        assert (np.linalg.norm(vertices, axis=1) < 1.01).all()
