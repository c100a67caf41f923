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


CUBE = np.array([[x, y, z] for x in (0, 1) for y in (0, 1) for z in (0, 1)], dtype=float)
SIDES = [[0, 1, 3, 2], [4, 6, 7, 5], [0, 4, 5, 1], [2, 3, 7, 6], [0, 2, 6, 4], [1, 5, 7, 3]]


def several(*places) -> tuple[np.ndarray, list[list[int]]]:
    """Cubes whose lowest corners are these."""
    vertices = np.concatenate([CUBE + place for place in places])
    return vertices, [[c + 8 * row for c in face] for row in range(len(places)) for face in SIDES]


def halved_edges(first: int = 0) -> tuple[np.ndarray, list[list[int]]]:
    """A cube with a vertex in the middle of every edge, of which its faces know, from any first corner."""
    vertices, faces, middles = CUBE.tolist(), [], {}
    for face in SIDES:
        grown = []
        for start, end in zip(face, [*face[1:], face[0]], strict=True):
            key = frozenset((start, end))
            if key not in middles:
                middles[key] = len(vertices)
                vertices.append((0.5 * (CUBE[start] + CUBE[end])).tolist())
            grown += [start, middles[key]]
        faces.append(grown[first:] + grown[:first])
    return np.array(vertices), faces


@pytest.mark.parametrize(
    ("mesh", "size"),
    [
        (several((0, 0, 0), (1, 0, 0)), 2.0),
        (several((0, 0, 0), (1, 1, 0)), 2.0),
        (several((0, 0, 0), (1, 1, 1)), 2.0),
        (several((0, 0, 0), (1, 0, 0), (1, 0, 1)), 3.0),
        *((halved_edges(first), 1.0) for first in range(8)),
    ],
    ids=["face shared", "edge shared", "corner shared", "stairs", *(f"halved edges, {first}" for first in range(8))],
)
def test_what_parts_inside_from_outside_is_closed(mesh, size):
    corners = corners_of(*mesh)
    assert volume(corners) == pytest.approx(size)
    assert triangles.winding(np.array([(0.3, 0.4, 0.6), (-0.1, 0.5, 0.5)]), corners) == pytest.approx((1.0, 0.0))


@pytest.mark.parametrize("first", range(8))
def test_the_opening_of_an_arch_is_not_solid(first):
    """Its caps are one concave polygon each: in the middle of the opening the nearest solid is its top, 0.9 m above."""
    cap = [(0, 0), (0, 2), (3, 2), (3, 0), (2.5, 0), (2.5, 1.5), (0.5, 1.5), (0.5, 0)]
    cap = cap[first:] + cap[:first]
    vertices = np.array([(x, y, z) for y in (0, 0.5) for x, z in cap]) + (1, 2, 0)
    faces = [list(range(8)), list(range(15, 7, -1))]
    faces += [[(i + 1) % 8, i, i + 8, (i + 1) % 8 + 8] for i in range(8)]
    corners = corners_of(vertices, faces)
    assert volume(corners) == pytest.approx(1.5)
    for y in (2.0, 2.25, 2.5):
        place = np.broadcast_to((2.5, y, 0.6), (len(corners), 3))
        assert triangles.distance(place, corners).min() == pytest.approx(0.9)
