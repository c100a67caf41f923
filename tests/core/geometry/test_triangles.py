"""Meshes that people have: which are closed, how they are turned, and how gaps are filled."""

import numpy as np
import pytest

from artfish.core import SceneError
from artfish.core.geometry import triangles
from artfish.core.geometry.facets import Facets
from artfish.core.geometry.winding import winding

CUBE = np.array([[x, y, z] for x in (0, 1) for y in (0, 1) for z in (0, 1)], dtype=float)
SIDES = [[0, 1, 3, 2], [4, 6, 7, 5], [0, 4, 5, 1], [2, 3, 7, 6], [0, 2, 6, 4], [1, 5, 7, 3]]


def several(*corners) -> tuple[np.ndarray, list[list[int]]]:
    """Cubes whose lowest corners are these."""
    vertices = np.concatenate([CUBE + corner for corner in corners])
    return vertices, [[c + 8 * row for c in face] for row in range(len(corners)) for face in SIDES]


def halved_edges() -> tuple[np.ndarray, list[list[int]]]:
    """A cube with a vertex in the middle of every edge, of which its faces know."""
    vertices, faces, middles = CUBE.tolist(), [], {}
    for face in SIDES:
        grown = []
        for start, end in zip(face, [*face[1:], face[0]], strict=True):
            key = frozenset((start, end))
            if key not in middles:
                middles[key] = len(vertices)
                vertices.append((0.5 * (CUBE[start] + CUBE[end])).tolist())
            grown += [start, middles[key]]
        faces.append(grown)
    return np.array(vertices), faces


@pytest.mark.parametrize(
    "mesh, volume",
    [
        ((CUBE, SIDES), 1.0),
        (several((0, 0, 0), (1, 0, 0)), 2.0),
        (several((0, 0, 0), (1, 1, 0)), 2.0),
        (several((0, 0, 0), (1, 1, 1)), 2.0),
        (several((0, 0, 0), (1, 0, 0), (1, 0, 1)), 3.0),
        (halved_edges(), 1.0),
        ((CUBE, [face[::-1] for face in SIDES]), 1.0),
        ((CUBE, [SIDES[0][::-1], *SIDES[1:]]), 1.0),
        ((CUBE, [*SIDES, [0, 1, 0]]), 1.0),
    ],
    ids=["cube", "face shared", "edge shared", "corner shared", "stairs", "halved edges", "inside out", "one turned"]
    + ["a run out and back"],
)
def test_what_parts_inside_from_outside_is_closed(mesh, volume):
    surface = triangles.closed(*mesh)
    assert surface.volume == pytest.approx(volume)
    assert winding(np.array([(0.3, 0.4, 0.6), (-0.1, 0.5, 0.5)]), surface.corners) == pytest.approx((1, 0))


@pytest.mark.parametrize("first", range(8))
def test_halved_edges_are_closed_from_any_first_corner(first):
    vertices, faces = halved_edges()
    assert triangles.closed(vertices, [face[first:] + face[:first] for face in faces]).volume == pytest.approx(1.0)


@pytest.mark.parametrize("missing", range(6))
def test_a_missing_face_is_filled(missing):
    surface = triangles.surface(CUBE, SIDES[:missing] + SIDES[missing + 1 :])
    assert not surface.closed and len(surface.open_edges) == 4
    assert surface.filled.closed and surface.filled.volume == pytest.approx(1.0)
    inside = np.random.default_rng(0).uniform(0.01, 0.99, (50, 3))
    assert winding(inside, surface.filled.corners) == pytest.approx(1.0)


def test_two_gaps_that_meet_in_a_corner_are_filled():
    surface = triangles.surface(CUBE, SIDES[2:])  # the two sides across x
    assert surface.filled.closed and surface.filled.volume == pytest.approx(1.0)
    vertices, faces = several((0, 0, 0), (1, 1, 1))
    surface = triangles.surface(vertices, [face for row, face in enumerate(faces) if row not in (1, 6)])
    assert surface.filled.closed and surface.filled.volume == pytest.approx(2.0)


@pytest.mark.parametrize(
    "vertices, faces, words",
    [
        (CUBE, [], "no face"),
        (CUBE, [[0, 1]], "2 corners"),
        (CUBE, [[0, 1, 8]], "the corner 8"),
        (CUBE * np.nan, SIDES, "not finite"),
        (CUBE * 0.0, SIDES, "few places"),
        (np.array([(0, 0, 0), (1, 0, 0), (2, 0, 0)], dtype=float), [[0, 1, 2]], "on a line"),
    ],
)
def test_what_is_no_mesh_is_refused(vertices, faces, words):
    with pytest.raises(SceneError, match=words):
        triangles.surface(vertices, faces)


TETRAHEDRON = np.array([[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]])
OUTWARDS = [[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]]


def volume(corners: np.ndarray) -> float:
    a, b, c = corners.transpose(1, 0, 2)
    return float(np.einsum("ni,ni", a, np.cross(b, c)) / 6.0)


def test_a_closed_mesh_faces_outwards_however_it_is_wound():
    inwards = [face[::-1] for face in OUTWARDS]
    for faces in (OUTWARDS, inwards):
        assert volume(triangles.closed(TETRAHEDRON, faces).corners) == pytest.approx(1.0 / 6.0)


def test_a_mesh_goes_once_around_what_is_inside_and_never_around_what_is_not():
    corners = triangles.closed(TETRAHEDRON, OUTWARDS).corners
    points = np.random.default_rng(0).uniform(-0.5, 1.0, (200, 3))
    inside = (points > 0.0).all(axis=1) & (points.sum(axis=1) < 1.0)
    assert winding(points, corners) == pytest.approx(inside.astype(float), abs=1e-9)
    assert inside.any() and not inside.all()


@pytest.mark.parametrize("first", range(8))
def test_the_opening_of_an_arch_is_not_solid(first):
    """Its caps are one concave polygon each: in the middle of the opening the nearest solid is its top, 0.9 m above."""
    cap = [(0, 0), (0, 2), (3, 2), (3, 0), (2.5, 0), (2.5, 1.5), (0.5, 1.5), (0.5, 0)]
    cap = cap[first:] + cap[:first]
    vertices = np.array([(x, y, z) for y in (0, 0.5) for x, z in cap]) + (1, 2, 0)
    faces = [list(range(8)), list(range(15, 7, -1))]
    faces += [[(i + 1) % 8, i, i + 8, (i + 1) % 8 + 8] for i in range(8)]
    facets = Facets(triangles.closed(vertices, faces).corners)
    assert volume(facets.corners) == pytest.approx(1.5)
    for y in (2.0, 2.25, 2.5):
        place = np.broadcast_to((2.5, y, 0.6), (len(facets), 3))
        assert facets.squared(place, np.arange(len(facets))).min() == pytest.approx(0.81)


@pytest.mark.parametrize(
    ("faces", "found"),
    [
        (SIDES[:-1], "an open mesh, with 4 edges such as one of 1 face"),
        ([*SIDES, SIDES[0]], "an open mesh, with 4 edges such as one of 3 faces"),
        ([*SIDES[:-1], [1, 5, 5, 7]], "an open mesh, with 3 edges such as"),
    ],
)
def test_where_a_mesh_must_be_closed_an_open_one_is_refused(faces, found):
    with pytest.raises(SceneError, match=f"found {found}"):
        triangles.closed(CUBE, faces)
    with pytest.raises(SceneError, match="without volume"):
        triangles.closed(CUBE * (1, 1, 1e-12), SIDES)


def dome(height: float, n: int = 24) -> tuple[np.ndarray, list[list[int]]]:
    """The part of a unit ball that is so high, open below."""
    polar = np.linspace(0, np.arccos(1 - height), n + 1)[1:]
    turn = 2 * np.pi * np.arange(n) / n
    out, up = np.sin(polar)[:, None], np.broadcast_to(np.cos(polar)[:, None], (n, n))
    vertices = np.stack((out * np.cos(turn), out * np.sin(turn), up), axis=-1).reshape(-1, 3)
    at = lambda ring, side: ring * n + side % n  # noqa: E731
    faces = [[n * n, at(0, s), at(0, s + 1)] for s in range(n)]
    faces += [[at(r, s), at(r + 1, s), at(r + 1, s + 1), at(r, s + 1)] for r in range(n - 1) for s in range(n)]
    return np.append(vertices, [(0, 0, 1)], axis=0), faces


@pytest.mark.parametrize("height", [0.5, 1.0, 1.7])
def test_a_rock_that_is_open_at_its_base_is_a_solid_without_much_doubt(height):
    rock = triangles.surface(*dome(height))
    assert not rock.closed and not rock.sheet and not rock.doubtful and rock.filled is not None
    assert rock.holds(np.array((0.0, 0.0, 1 - 0.5 * height))) and not rock.holds(np.array((0.0, 0.0, -0.9)))


def test_a_sheet_is_all_doubt_and_a_closed_mesh_none():
    sheet, cube = triangles.surface(CUBE, SIDES[:1]), triangles.surface(CUBE, SIDES)
    assert sheet.doubt == 1.0 and sheet.doubtful and sheet.sheet
    assert cube.doubt == 0.0 and not cube.doubtful and cube.filled is cube
    assert sheet.holds(np.array((0.005, 0.5, 0.5))) and not sheet.holds(np.array((0.5, 0.5, 0.5)))
    assert triangles.surface(CUBE * (1, 1, 0.05), SIDES[:4] + SIDES[5:]).doubtful  # a shallow dish


@pytest.mark.parametrize("gap", [0.02, 0.1])
def test_a_hull_of_plates_that_do_not_touch_has_an_inside(gap):
    plates = np.concatenate(
        [CUBE[face].mean(axis=0) + (1 - gap) * (CUBE[face] - CUBE[face].mean(axis=0)) for face in SIDES]
    )
    hull = triangles.surface(plates, np.arange(24).reshape(6, 4).tolist())
    assert hull.filled is None and not hull.sheet and not hull.doubtful
    assert hull.holds(np.array((0.5, 0.5, 0.5))) and not hull.holds(np.array((1.2, 0.5, 0.5)))
