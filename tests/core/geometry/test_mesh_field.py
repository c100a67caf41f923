"""Fields of meshes against closed forms: exact near the surface, however thin, and conservative far away."""

import numpy as np
import pytest

from artfish.core.geometry import triangles
from artfish.core.geometry.basin import Basin
from artfish.core.geometry.mesh_field import SMOOTH_CELLS, Extent, MeshField
from artfish.core.habitat.obstacles import Obstacles
from artfish.core.habitat.tank import WaterBox
from artfish.core.perception.collision import Antenna
from artfish.core.perception.vision import Vision

CUBE = np.array([[x, y, z] for x in (0, 1) for y in (0, 1) for z in (0, 1)], dtype=float)
SIDES = [[0, 1, 3, 2], [4, 6, 7, 5], [0, 4, 5, 1], [2, 3, 7, 6], [0, 2, 6, 4], [1, 5, 7, 3]]


def ball(rings: int = 24, stretch=(1.0, 1.0, 1.0)) -> tuple[np.ndarray, list[list[int]]]:
    """A unit ball of quadrilaterals and triangles, its vertices on the sphere."""
    sides = 2 * rings
    height, turn = np.meshgrid(
        np.linspace(0, np.pi, rings + 1)[1:-1], 2 * np.pi * np.arange(sides) / sides, indexing="ij"
    )
    rows = np.stack([np.sin(height) * np.cos(turn), np.sin(height) * np.sin(turn), np.cos(height)], axis=-1)
    vertices = np.concatenate([[[0, 0, 1]], rows.reshape(-1, 3), [[0, 0, -1]]]) * stretch
    at = lambda ring, side: 1 + ring * sides + side % sides  # noqa: E731
    faces = [[0, at(0, s), at(0, s + 1)] for s in range(sides)]
    faces += [[at(r, s), at(r + 1, s), at(r + 1, s + 1), at(r, s + 1)] for r in range(rings - 2) for s in range(sides)]
    return vertices, faces + [[len(vertices) - 1, at(rings - 2, s + 1), at(rings - 2, s)] for s in range(sides)]


def torus(large: float, small: float, n: int = 60) -> tuple[np.ndarray, list[list[int]]]:
    u, v = np.meshgrid(*[2 * np.pi * np.arange(n) / n] * 2, indexing="ij")
    out = large + small * np.cos(v)
    vertices = np.stack([out * np.cos(u), out * np.sin(u), small * np.sin(v)], axis=-1).reshape(-1, 3)
    at = lambda i, j: i % n * n + j % n  # noqa: E731
    return vertices, [[at(i, j), at(i + 1, j), at(i + 1, j + 1), at(i, j + 1)] for i in range(n) for j in range(n)]


def box_distance(points, size):
    beyond = np.abs(points) - np.asarray(size) / 2
    return np.linalg.norm(np.maximum(beyond, 0), axis=-1) + np.minimum(beyond.max(axis=-1), 0)


def field(vertices, faces, **more) -> MeshField:
    """Of a closed mesh."""
    surface = triangles.closed(np.asarray(vertices, dtype=float), faces)
    return MeshField(surface, **more)


def samples_of(rock: MeshField) -> np.ndarray:
    lines = [low + rock.cell * np.arange(n) for low, n in zip(rock.low, rock.samples.shape, strict=True)]
    return np.stack(np.meshgrid(*lines, indexing="ij"), axis=-1)


def around(rock: MeshField, n: int = 4000) -> np.ndarray:
    """Places in the grid."""
    low, high = rock.low, rock.low + rock.cell * (np.array(rock.samples.shape) - 1)
    return np.random.default_rng(1).uniform(low, high, (n, 3))


@pytest.fixture(scope="module", params=["ball", "box", "torus"])
def shape(request):
    """A field, the exact distance, how far flat faces fall short of it, and the least radius of what is round."""
    match request.param:
        case "ball":
            n = 40
            return field(*ball(n)), lambda p: np.linalg.norm(p, axis=-1) - 1, np.pi**2 / n**2, 1.0
        case "box":
            size = (1.0, 0.6, 0.4)
            return field((CUBE - 0.5) * size, SIDES), lambda p: box_distance(p, size), 1e-12, 0.0
        case _:
            n = 60

            def exact(p):
                return np.hypot(np.hypot(p[..., 0], p[..., 1]) - 1.0, p[..., 2]) - 0.35

            sagitta = (1 - np.cos(np.pi / n)) * 1.35 + (1 - np.cos(np.pi / n)) * 0.35
            return field(*torus(1.0, 0.35, n)), exact, sagitta, 0.35


@pytest.mark.film
def test_near_the_surface_the_distance_is_exact(shape):
    """Within half a cell of it, but for what flat faces fall short of the round form.

    To rounding, where it is edged; where it is round, within what samples may err.
    """
    rock, exact, sagitta, radius = shape
    points = around(rock, 40_000)
    true = exact(points)
    near = np.abs(true) < 0.5 * rock.cell - sagitta
    assert near.sum() > 500
    assert np.abs(rock.depth(points) - true)[near].max() <= sagitta + (SMOOTH_CELLS * rock.cell if radius else 1e-9)


def test_the_inside_is_negative(shape):
    rock, exact, sagitta, _ = shape
    true = exact(samples_of(rock))
    clear = np.abs(true) > sagitta + 1e-9
    assert np.array_equal(rock.samples[clear] < 0, true[clear] < 0)


def test_far_from_the_surface_the_error_is_that_of_the_samples(shape):
    """Samples twice as far apart miss a ridge by sqrt(3) / 2 of their distance; near the surface it is half of that."""
    rock, exact, sagitta, _ = shape
    points = around(rock)
    true, found = exact(points), rock.distance(points)[0]
    assert np.array_equal(found, rock.depth(points))
    assert np.abs(found - true).max() <= sagitta + rock.cell * (3**0.5 + 0.1)
    band = np.abs(true) < 2 * rock.cell
    assert np.abs(found - true)[band].max() <= sagitta + rock.cell * (3**0.5 / 2 + 0.1)


def test_the_direction_is_that_in_which_the_distance_grows(shape):
    rock, exact, _, _ = shape
    points = around(rock)
    away = exact(points)
    found, way = rock.distance(points)
    assert np.allclose(np.linalg.norm(way, axis=1), 1.0)
    band = (away > 0.5 * rock.cell) & (away < 4 * rock.cell)
    step = 0.1 * rock.cell
    gained = (exact(points + step * way) - away)[band] / step
    assert gained.min() > 0.5 and np.mean(gained > 0.95) > 0.9


def test_beyond_the_grid_the_distance_goes_on_from_its_last_place(shape):
    """The nearest place there is taken for nearest: too far by the difference of both, 6 % of the distance at most."""
    rock, exact, sagitta, _ = shape
    low, high = rock.low, rock.low + rock.cell * (np.array(rock.samples.shape) - 1)
    draws = np.random.default_rng(3)
    points = draws.uniform(low - 3, high + 3, (4000, 3))
    points = points[((points < low) | (points > high)).any(axis=1)]
    true, (found, way) = exact(points), rock.distance(points)
    assert (found <= 1.06 * true + sagitta).all()
    assert (found >= true - sagitta - 0.5 * rock.cell).all()
    gained = (exact(points + 0.01 * way) - true) / 0.01
    assert gained.min() > 0 and np.mean(gained > 0.8) > 0.95
    edge = np.clip(points, low, high)
    out = edge + 1e-9 * np.sign(points - edge)
    assert np.allclose(rock.distance(out)[0], rock.distance(edge)[0], atol=1e-7)


def ways(n, seed=5):
    way = np.random.default_rng(seed).normal(size=(n, 3))
    return way / np.linalg.norm(way, axis=1, keepdims=True)


@pytest.fixture(scope="module")
def sphere():
    return field(*ball(60))


def sphere_path(start, way, radius):
    """Metres to a sphere around the origin, (n,)."""
    b, c = np.einsum("ni,ni->n", start, way), (start**2).sum(axis=1) - radius**2
    root = b * b - c
    return np.where((root > 0) & (b < 0), -b - np.sqrt(np.maximum(root, 0)), np.inf)


@pytest.mark.film
@pytest.mark.parametrize("margin", [0.0, 0.15])
def test_free_path_lies_between_those_to_a_little_larger_and_a_little_smaller_sphere(sphere, margin):
    """The field errs by the facets' sagitta, far away by cell^2 / 4r and 0.16 cells; tracing by a grain."""
    start = np.random.default_rng(6).uniform(1.3 + margin, 2.8, (6000, 1)) * ways(6000, seed=4)
    way = ways(6000)
    found = sphere.free_path(start, way, margin)
    error = np.pi**2 / 60**2 / 2 + (0.0 if margin == 0 else sphere.cell**2 / 4 + 0.16 * sphere.cell)
    short = sphere_path(start, way, 1 + margin + 2 * sphere.grain + error)
    far = sphere_path(start, way, 1 + margin - error - sphere.grain)
    assert (found <= far + 1e-9).all()
    assert (found >= short - 1e-9).all()
    ended = np.isfinite(found)
    assert ended.sum() > 300
    closest = np.linalg.norm(start + found[:, None].clip(max=9) * way, axis=1)
    assert (closest[ended] >= 1 + margin - error - sphere.grain).all()


def test_a_path_from_within_the_margin_is_free_only_outwards(sphere):
    start = np.array([(1.1, 0.0, 0.0)] * 2)
    free = sphere.free_path(start, np.array([(1.0, 0.0, 0.0), (-1.0, 0.0, 0.0)]), 0.2)
    assert np.isinf(free[0]) and free[1] == 0.0


def test_paths_beyond_the_reach_are_not_looked_for(sphere):
    start, way = np.array([(-3.0, 0.0, 0.0)]), np.array([(1.0, 0.0, 0.0)])
    assert sphere.free_path(start, way, 0.0)[0] == pytest.approx(2.0, abs=0.05)
    assert np.isinf(sphere.free_path(start, way, 0.0, 1.5)[0])


def test_what_is_behind_a_mesh_is_hidden(sphere):
    draws = np.random.default_rng(8)
    start, end = draws.uniform(-2.5, 2.5, (2, 5000, 3))
    outside = (np.linalg.norm(start, axis=1) > 1.1) & (np.linalg.norm(end, axis=1) > 1.1)
    start, end = start[outside], end[outside]
    ray = end - start
    share = np.clip(-np.einsum("ni,ni->n", start, ray) / (ray**2).sum(axis=1), 0, 1)
    miss = np.linalg.norm(start + share[:, None] * ray, axis=1)
    found = sphere.blocks(start, end)
    clear = np.abs(miss - 1) > 2 * sphere.grain
    assert np.array_equal(found[clear], (miss < 1)[clear]) and found.sum() > 300
    assert clear.mean() > 0.9


THICKNESS = 0.02, 0.005, 0.001


def boxes(*ends) -> tuple[np.ndarray, list[list[int]]]:
    """Boxes from corner to corner, one beside the other in one mesh."""
    vertices = np.concatenate([CUBE * (np.array(high) - low) + low for low, high in ends])
    return vertices, [[c + 8 * row for c in face] for row in range(len(ends)) for face in SIDES]


def tub(thick: float) -> tuple[tuple, ...]:
    """The floor and the four walls of a tub of three metres, as boxes."""
    return (
        ((0, 0, 0), (3, 3, thick)),
        ((0, 0, 0), (thick, 3, 1)),
        ((3 - thick, 0, 0), (3, 3, 1)),
        ((0, 0, 0), (3, thick, 1)),
        ((0, 3 - thick, 0), (3, 3, 1)),
    )


@pytest.mark.sampled
@pytest.mark.film
@pytest.mark.parametrize("thick", THICKNESS)
def test_thin_walls_are_felt_and_seen(thick):
    parts = tub(thick)
    rock = field(*boxes(*parts))
    assert thick < 0.35 * rock.cell  # samples alone would not notice
    draws = np.random.default_rng(2)
    points = np.stack(
        (draws.uniform(0, 3, 3000), draws.uniform(-0.02, 0.02 + thick, 3000), draws.uniform(0.1, 0.9, 3000)), 1
    )
    true = np.min([box_distance(points - np.mean(ends, axis=0), np.subtract(*ends[::-1])) for ends in parts], axis=0)
    found = rock.depth(points)
    assert np.array_equal(found < 0, true < 0)
    assert np.abs(found - true)[true > 0].max() < 1e-9
    inside, outside = draws.uniform((0.3, 0.3, 0.2), (2.7, 2.7, 0.8), (2, 500, 3))
    outside[:, 0] -= 3.0  # on the other side of a wall
    assert rock.blocks(inside, outside).all()
    assert not rock.blocks(inside, inside[::-1]).any()
    assert np.isfinite(
        rock.free_path(inside, (outside - inside) / np.linalg.norm(outside - inside, axis=1)[:, None], 0.0)
    ).all()


@pytest.mark.film
@pytest.mark.parametrize("first", range(8))
def test_the_opening_of_an_arch_is_open(first):
    """The nearest solid is its top, 0.9 m above, in the middle of the opening and in the planes of its caps."""
    cap = [(0, 0), (0, 2), (3, 2), (3, 0), (2.5, 0), (2.5, 1.5), (0.5, 1.5), (0.5, 0)]
    cap = cap[first:] + cap[:first]
    vertices = np.array([(x, y, z) for y in (0, 0.5) for x, z in cap]) + (1, 2, 0)
    faces = [list(range(8)), list(range(15, 7, -1))]
    faces += [[(i + 1) % 8, i, i + 8, (i + 1) % 8 + 8] for i in range(8)]
    arch = field(vertices, faces)
    assert arch.depth(np.array([(2.5, 2.25, 0.6)])) == pytest.approx([0.9], abs=0.01)
    assert arch.depth(np.array([(2.5, 2.0, 0.6), (2.5, 2.5, 0.6)])) == pytest.approx([0.9, 0.9], abs=0.01)


@pytest.mark.film
def test_a_reef_is_sampled_as_far_as_the_tank_reaches():
    """Of 150 m, a metre high, around a tank of 8 m: its cells are those of the tank, and its steps are felt."""
    steps = [((2.0 * row, 0, 0), (2.0 * row + 2.0, 150, 0.5 + 0.5 * (row % 2))) for row in range(75)]
    whole, near = (
        field(*boxes(*steps)),
        field(*boxes(*steps), region=Extent(np.array([70.0, 70, 0]), np.array([78.0, 78, 4]))),
    )
    assert near.cell < 0.2 < 1.0 < whole.cell
    points = np.random.default_rng(0).uniform((70, 70, 0.2), (78, 78, 1.5), (3000, 3))
    true = np.min(
        [box_distance(points - np.mean(ends, axis=0), np.subtract(*ends[::-1])) for ends in steps[30:45]], axis=0
    )
    close = (true > 0) & (true < 0.4 * near.cell)
    assert close.sum() > 100 and np.abs(near.depth(points) - true)[close].max() < 1e-9
    far = np.random.default_rng(1).uniform((70, 70, 0), (78, 78, 4), (3000, 3))
    assert (near.depth(far) <= np.maximum(far[:, 2] - 0.5, 0.0) + near.cell).all()


@pytest.mark.film
def test_a_sheet_is_solid_as_far_as_it_is_thick():
    surface = triangles.surface(CUBE * (1, 1, 0), [[0, 4, 6, 2]])
    sheet = MeshField(surface, thickness=0.04)
    points = np.array([(0.5, 0.5, 0.05), (0.5, 0.5, -0.05), (0.5, 0.5, 0.01), (0.3, 0.2, 0.0), (1.03, 0.5, 0.0)])
    assert sheet.depth(points) == pytest.approx([0.03, 0.03, -0.01, -0.02, 0.01], abs=0.2 * sheet.cell)
    assert sheet.distance(points[:2])[1] == pytest.approx(np.array([(0, 0, 1), (0, 0, -1)]))
    above, below = np.array([(0.5, 0.4, 0.5), (1.5, 0.4, 0.5)]), np.array([(0.4, 0.6, -0.5), (1.4, 0.6, -0.5)])
    assert sheet.blocks(above, below).tolist() == [True, False]


@pytest.mark.film
def test_a_basin_is_all_outside_its_mesh():
    surface = triangles.closed((CUBE - 0.5) * (4, 3, 2), SIDES)
    basin = Basin(surface)
    points = np.random.default_rng(4).uniform(-1, 1, (500, 3)) * (1.9, 1.4, 0.9)
    assert np.abs(basin.depth(points) + box_distance(points, (4, 3, 2))).max() < basin.grain * 40
    assert np.isfinite(basin.free_path(points, ways(500), 0.1)).all()


@pytest.mark.film
def test_a_prey_behind_a_rock_is_not_seen():
    vertices, faces = ball(20)
    at = np.array([2.0, 2.0, 1.0])
    rock = field(0.5 * vertices + at, faces)
    cloud = 0.03 * np.random.default_rng(0).normal(size=(23, 3))
    nodes = np.stack([(0.8, 2.0, 1.0) + cloud, (3.2, 2.0, 1.0) + cloud, (0.8, 3.4, 1.0) + cloud])
    eye, ahead = nodes.mean(axis=1), np.array([[1.0, 0, 0]] * 3)
    asked = (np.array([0]), np.array([[1, 2]]), eye, ahead, nodes, np.ones(3, dtype=bool))
    full = np.full(3, 100.0), np.ones(3)
    seen, _ = Vision(Obstacles(solids=[rock]), *full).look(*asked)
    assert seen.tolist() == [[False, True]]
    assert Vision(Obstacles(), *full).look(*asked)[0].tolist() == [[True, True]]


@pytest.mark.film
def test_the_nearest_of_cylinders_and_meshes_answers():
    vertices, faces = ball(20)
    rock = field(0.5 * vertices + (3.0, 1.0, 1.0), faces)
    both = Obstacles([(1.0, 1.0, 0.0)], [0.3], [2.0], [rock])
    pillars = Obstacles(both.at, both.radius, both.height)
    points = np.random.default_rng(2).uniform(0, (4, 2, 2), (500, 3))
    found, way = both.distance(points)
    one, two = pillars.distance(points), rock.distance(points)
    assert np.array_equal(found, np.minimum(one[0], two[0]))
    assert np.array_equal(way, np.where((two[0] < one[0])[:, None], two[1], one[1]))
    start, along = np.array([[(2.0, 1.0, 1.0)]]), np.array([[(1.0, 0, 0), (-1.0, 0, 0)]])
    free = Antenna(WaterBox((4, 2, 2)), both).free_path(start[0], start, along, np.ones(1), berth=0.1)
    assert free[0] == pytest.approx([0.4, 0.6], abs=0.04) and len(both) == 2
