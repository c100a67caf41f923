"""Closed meshes: cut, wound and measured as closed forms say."""

import numpy as np
import pytest

from artfish.core.geometry import triangles

TETRAHEDRON = np.array([[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]])
OUTWARDS = [[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]]


def corners_of(vertices, faces):
    places, rows = triangles.closed(vertices, faces)
    return places[rows]


def volume(corners):
    a, b, c = corners.transpose(1, 0, 2)
    return np.einsum("ni,ni", a, np.cross(b, c)) / 6.0


def test_a_closed_mesh_faces_outwards_however_it_is_wound():
    inwards = [face[::-1] for face in OUTWARDS]
    for faces in (OUTWARDS, inwards):
        assert volume(corners_of(TETRAHEDRON, faces)) == pytest.approx(1.0 / 6.0)


def test_a_mesh_goes_once_around_what_is_inside_and_never_around_what_is_not():
    corners = corners_of(TETRAHEDRON, OUTWARDS)
    points = np.random.default_rng(0).uniform(-0.5, 1.0, (200, 3))
    inside = (points > 0.0).all(axis=1) & (points.sum(axis=1) < 1.0)
    assert triangles.winding(points, corners) == pytest.approx(inside.astype(float), abs=1e-9)
    assert inside.any() and not inside.all()


def test_cutting_keeps_area_and_volume_and_leaves_no_long_edge():
    corners = corners_of(TETRAHEDRON, OUTWARDS)
    pieces = triangles.split(corners, 0.3)

    def area(of):
        return 0.5 * np.linalg.norm(np.cross(of[:, 1] - of[:, 0], of[:, 2] - of[:, 0]), axis=1).sum()

    assert area(pieces) == pytest.approx(area(corners)) and volume(pieces) == pytest.approx(volume(corners))
    assert np.linalg.norm(np.roll(pieces, -1, axis=1) - pieces, axis=2).max() <= 0.3


@pytest.mark.parametrize(
    ("point", "distance"),
    [
        ((0.2, 0.2, 0.5), 0.5),  # above its inside
        ((0.5, -2.0, 0.0), 2.0),  # beside an edge
        ((1.0, 1.0, 0.0), np.sqrt(0.5)),  # beside the longest
        ((-3.0, 0.0, 4.0), 5.0),  # nearest to a corner
        ((0.25, 0.25, 0.0), 0.0),
    ],
)
def test_distance_to_a_triangle(point, distance):
    corners = np.array([[[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]]])
    assert triangles.distance(np.array([point]), corners)[0] == pytest.approx(distance)
