"""Mesh obstacles: what scenes take, and their distance fields against closed forms."""

import json
from dataclasses import replace

import numpy as np
import pytest

from artfish.core import Recording, Scene, SceneError, World
from artfish.core.geometry import triangles
from artfish.core.geometry.solids import Rock
from artfish.core.habitat.obstacles import Obstacles
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


def samples_of(rock: Rock) -> np.ndarray:
    lines = [low + rock.cell * np.arange(n) for low, n in zip(rock.low, rock.samples.shape, strict=True)]
    return np.stack(np.meshgrid(*lines, indexing="ij"), axis=-1)


def around(rock: Rock, n: int = 4000) -> np.ndarray:
    """Places in the grid."""
    low, high = rock.low, rock.low + rock.cell * (np.array(rock.samples.shape) - 1)
    return np.random.default_rng(1).uniform(low, high, (n, 3))


@pytest.fixture(scope="module", params=["ball", "box", "torus"])
def shape(request):
    """A field, the exact distance, how far flat faces fall short of it, and the least radius of what is round."""
    match request.param:
        case "ball":
            n = 40
            return Rock(*triangles.closed(*ball(n))), lambda p: np.linalg.norm(p, axis=-1) - 1, np.pi**2 / n**2, 1.0
        case "box":
            size = (1.0, 0.6, 0.4)
            return Rock(*triangles.closed((CUBE - 0.5) * size, SIDES)), lambda p: box_distance(p, size), 1e-12, 0.0
        case _:
            n = 60

            def exact(p):
                return np.hypot(np.hypot(p[..., 0], p[..., 1]) - 1.0, p[..., 2]) - 0.35

            sagitta = (1 - np.cos(np.pi / n)) * 1.35 + (1 - np.cos(np.pi / n)) * 0.35
            return Rock(*triangles.closed(*torus(1.0, 0.35, n))), exact, sagitta, 0.35


@pytest.mark.film
def test_samples_are_exact_near_the_surface(shape):
    """Within a cell exact; up to the band too large by r^2 / 2D, r = 0.4 cells and D a cell at least."""
    rock, exact, sagitta, _ = shape
    true = exact(samples_of(rock))
    off = np.abs(rock.samples - true)
    near = np.abs(true) < rock.cell - sagitta
    assert near.sum() > 1000 and off[near].max() <= sagitta + 1e-9
    band = np.abs(true) < 3 * rock.cell
    assert off[band].max() <= sagitta + rock.cell * 0.4**2 / 2


def test_the_inside_is_negative(shape):
    rock, exact, sagitta, _ = shape
    true = exact(samples_of(rock))
    clear = np.abs(true) > sagitta + 1e-9
    assert np.array_equal(rock.samples[clear] < 0, true[clear] < 0)


def test_distance_between_samples(shape):
    """Near the surface the error is below sqrt(3) / 2 cells everywhere, and second order where it is smooth."""
    rock, exact, sagitta, roundness = shape
    points = around(rock)
    true, found = exact(points), rock.distance(points)[0]
    assert np.array_equal(found, rock.depth(points))
    band = np.abs(true) < 2 * rock.cell
    off = np.abs(found - true)[band]
    assert band.sum() > 200
    assert off.max() <= sagitta + rock.cell * (3**0.5 / 2 + 0.08)
    if roundness:
        # cell^2 / 8 times the sum of the second derivatives, at most 2 / (roundness - 3 cells), and the samples' own.
        second = rock.cell**2 / 8 * 2 / (roundness - 3 * rock.cell)
        assert off.max() <= sagitta + second + 0.08 * rock.cell


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


def test_beyond_the_grid_the_distance_is_conservative_and_continuous(shape):
    rock, exact, sagitta, _ = shape
    low, high = rock.low, rock.low + rock.cell * (np.array(rock.samples.shape) - 1)
    draws = np.random.default_rng(3)
    points = draws.uniform(low - 3, high + 3, (4000, 3))
    points = points[((points < low) | (points > high)).any(axis=1)]
    true, (found, way) = exact(points), rock.distance(points)
    assert (found <= true + sagitta + 0.6 * rock.cell).all()
    assert (found >= (true - sagitta) * 0.7).all()
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
    return Rock(*triangles.closed(*ball(60)))


def sphere_path(start, way, radius):
    """Metres to a sphere around the origin, (n,)."""
    b, c = np.einsum("ni,ni->n", start, way), (start**2).sum(axis=1) - radius**2
    root = b * b - c
    return np.where((root > 0) & (b < 0), -b - np.sqrt(np.maximum(root, 0)), np.inf)


@pytest.mark.film
@pytest.mark.parametrize("margin", [0.0, 0.15])
def test_free_path_lies_between_those_to_a_little_larger_and_a_little_smaller_sphere(sphere, margin):
    """The field errs by the facets' sagitta and cell^2 / 4r (0.08 cells for samples); tracing by a grain."""
    start = np.random.default_rng(6).uniform(1.3 + margin, 2.8, (6000, 1)) * ways(6000, seed=4)
    way = ways(6000)
    found = sphere.free_path(start, way, margin)
    error = np.pi**2 / 60**2 / 2 + sphere.cell**2 / 4 + 0.08 * sphere.cell
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


@pytest.mark.film
def test_a_prey_behind_a_rock_is_not_seen():
    vertices, faces = ball(20)
    at = np.array([2.0, 2.0, 1.0])
    rock = Rock(*triangles.closed(0.5 * vertices + at, faces))
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
    rock = Rock(*triangles.closed(0.5 * vertices + (3.0, 1.0, 1.0), faces))
    both = Obstacles([(1.0, 1.0, 0.0)], [0.3], [2.0], [rock])
    pillars = Obstacles(both.at, both.radius, both.height)
    points = np.random.default_rng(2).uniform(0, (4, 2, 2), (500, 3))
    found, way = both.distance(points)
    one, two = pillars.distance(points), rock.distance(points)
    assert np.array_equal(found, np.minimum(one[0], two[0]))
    assert np.array_equal(way, np.where((two[0] < one[0])[:, None], two[1], one[1]))
    start = np.array([(2.0, 1.0, 1.0)] * 2)
    free = both.free_path(start, np.array([(1.0, 0, 0), (-1.0, 0, 0)]), 0.1)
    assert free == pytest.approx([0.4, 0.6], abs=0.04)
    assert len(both) == 2 and both.nearest(points, 3).tolist() == [[0]]


# Scenes ------------------------------------------------------------------------------------------------------------


def mesh(**given):
    return {"kind": "mesh", "at": [1.5, 1.0, 0.5], "vertices": CUBE.tolist(), "faces": SIDES} | given


def scene(**given):
    return {"tank": {"size": [4, 3, 2]}, "obstacles": [mesh(**given)]}


def obj(vertices, faces) -> str:
    lines = [f"v {x!r} {y!r} {z!r}" for x, y, z in np.asarray(vertices).tolist()]
    return "\n".join(
        ["# a rock", *lines, "vn 0 0 1", *(f"f {' '.join(f'{c + 1}/1/1' for c in face)}" for face in faces)]
    )


def test_a_file_travels_as_vertices_and_faces(tmp_path):
    (tmp_path / "rocks").mkdir()
    (tmp_path / "rocks" / "cube.obj").write_text(obj(CUBE, SIDES))
    given = scene()
    given["obstacles"] = [{"kind": "mesh", "at": [1.5, 1.0, 0.5], "scale": 0.5, "file": "rocks/cube.obj"}]
    (tmp_path / "scene.json").write_text(json.dumps(given))
    loaded = Scene.load(tmp_path / "scene.json")
    assert loaded == Scene.from_dict(scene(scale=0.5))
    assert "file" not in loaded.to_dict()["obstacles"][0]
    loaded.save(tmp_path / "other.json")
    assert Scene.load(tmp_path / "other.json") == loaded
    absolute = scene()
    absolute["obstacles"] = [given["obstacles"][0] | {"file": str(tmp_path / "rocks" / "cube.obj")}]
    assert Scene.from_dict(absolute) == loaded


@pytest.mark.parametrize("turned", [False, True])
def test_faces_are_made_to_look_outwards(turned):
    faces = [face[::-1] for face in SIDES] if turned else SIDES
    vertices, made = triangles.closed(CUBE, faces)
    a, b, c = vertices[made].transpose(1, 0, 2)
    assert len(made) == 12
    assert np.einsum("ni,ni", a, np.cross(b, c)) / 6 == pytest.approx(1.0)


def test_a_mesh_stands_where_the_scene_puts_it():
    vertices, _ = Scene.from_dict(scene(scale=0.5)).obstacles[0].placed
    assert np.allclose(vertices.min(axis=0), (1.5, 1.0, 0.5)) and np.allclose(vertices.max(axis=0), (2.0, 1.5, 1.0))
    tall = (CUBE * (1, 2, 1)).tolist()
    vertices, _ = Scene.from_dict(scene(vertices=tall, up="y")).obstacles[0].placed
    assert np.allclose(np.ptp(vertices, axis=0), (1, 1, 2)) and vertices[:, 2].min() == pytest.approx(0.5)


@pytest.mark.parametrize(
    "change, message",
    [
        ({"vertices": None, "faces": None}, "obstacles[0].file: found neither of them, allowed either file or"),
        ({"faces": None}, "obstacles[0].file: found vertices, allowed either file or"),
        ({"faces": SIDES[:-1]}, "obstacles[0].faces: found an open mesh, with 4 edges such as one of 1 face, allowed"),
        ({"faces": [*SIDES, SIDES[0]]}, "obstacles[0].faces: found an open mesh, with 4 edges such as one of 3 faces"),
        ({"faces": [*SIDES[:-1], SIDES[-1][::-1]]}, "obstacles[0].faces: found 4 edges along which both faces run"),
        ({"faces": [*SIDES[:-1], [1, 5, 7, 8]]}, "obstacles[0].faces[5]: found the corner 8, allowed rows of the 8"),
        ({"faces": [*SIDES[:-1], [1, 5, 7, 2.5]]}, "obstacles[0].faces[5]: found the corner 2.5, allowed rows of"),
        ({"faces": [*SIDES[:-1], [1, 5, 5, 7]]}, "obstacles[0].faces: found an open mesh, with 3 edges such as"),
        ({"faces": [[0, 1]]}, "obstacles[0].faces[0]: found 2 corners, allowed 3 or more"),
        ({"faces": []}, "obstacles[0].faces: found no face"),
        ({"vertices": (CUBE * (1, 1, 1e-12)).tolist()}, "obstacles[0].faces: found a mesh without volume"),
        ({"vertices": [[1, 1, 1]] * 8}, "obstacles[0].vertices: found all of them in a few places"),
        ({"vertices": [[0, 0]] * 8}, "obstacles[0].vertices[0]: found [0, 0], allowed a list of 3 numbers"),
        ({"at": [9, 1, 1]}, "obstacles[0].at: found [9.0, 1.0, 1.0], allowed in the tank"),
        ({"scale": 0}, "obstacles[0].scale: found 0, allowed a number from 0.0001 to 10000"),
    ],
)
def test_bad_meshes_are_refused_in_one_line(change, message):
    given = scene(**change)
    given["obstacles"][0] = {name: value for name, value in given["obstacles"][0].items() if value is not None}
    with pytest.raises(SceneError) as refused:
        Scene.from_dict(given, "reef.json")
    assert str(refused.value).startswith(f"reef.json: {message}") and ", allowed " in str(refused.value)


@pytest.mark.parametrize(
    "text, message",
    [
        (None, "found 'rock.obj' (no such file), allowed a Wavefront .obj"),
        ("v 0 0\n", "found no sense in line 1 of 'rock.obj', allowed"),
        ("v 0 0 0\nf 1 b 2", "found no sense in line 2 of 'rock.obj', allowed"),
        (obj(CUBE, SIDES[1:]), "found an open mesh, with 4 edges such as one of 1 face (rock.obj, faces), allowed"),
        (obj(CUBE[:7], SIDES), "found the corner 7 (rock.obj, faces[1]), allowed rows of the 7 vertices"),
        ("hello", "found no face (rock.obj, faces), allowed"),
    ],
)
def test_bad_files_are_refused_in_one_line(tmp_path, text, message):
    if text is not None:
        (tmp_path / "rock.obj").write_text(text)
    (tmp_path / "scene.json").write_text(
        json.dumps({"obstacles": [{"kind": "mesh", "at": [1, 1, 1], "file": "rock.obj"}]})
    )
    with pytest.raises(SceneError) as refused:
        Scene.load(tmp_path / "scene.json")
    assert str(refused.value).startswith(f"{tmp_path / 'scene.json'}: obstacles[0].file: {message}")
    assert len(str(refused.value).splitlines()) == 1


def test_too_many_faces_are_refused():
    fans = [list(range(3)) for _ in range(triangles.MOST_TRIANGLES + 1)]
    with pytest.raises(ValueError, match="found 100001 triangles, allowed up to 100000"):
        triangles.closed(CUBE, fans)


@pytest.mark.film
def test_a_mesh_is_sampled_once_however_many_there_are(monkeypatch):
    counts = [0]
    sample = Rock.__init__

    def count(*given):
        counts[0] += 1
        sample(*given)

    monkeypatch.setattr(Rock, "__init__", count)
    vertices = [(x, y, z) for x in (0, 0.1) for y in (0, 0.1) for z in (0, 0.1)]
    faces = [(0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3)]
    rocks = [{"kind": "mesh", "at": [0.2 * row, 1, 1], "vertices": vertices, "faces": faces} for row in range(5)]
    scene = Scene.from_dict({"obstacles": rocks, "fishes": [{"species": "clownfish", "at": [5, 4, 2]}]})
    world = World(scene)
    world.retune(scene, fluid_viscosity=0.5)
    World(replace(scene, fps=30.0))
    assert counts == [5]


def test_fishes_may_not_begin_inside():
    given = scene() | {"fishes": [{"species": "clownfish", "at": [2.0, 1.5, 1.0]}]}
    with pytest.raises(SceneError, match=r"fishes\[0\].at: found \[2.0, 1.5, 1.0\] inside obstacles\[0\]"):
        Scene.from_dict(given)
    given["fishes"][0]["at"] = [2.0, 2.2, 1.0]
    assert Scene.from_dict(given).count == 1


# Worlds ------------------------------------------------------------------------------------------------------------


def grotto(**more) -> Scene:
    """Small and middling fishes, in water that carries them to and fro, around a rock with a hole through it."""
    vertices, faces = torus(0.6, 0.28, 24)
    rock = {"kind": "mesh", "at": [2.0, 1.5, 0.8], "vertices": vertices[:, [0, 2, 1]].tolist()}
    groups = [
        ("clownfish", 10, [0.7, 0.8, 1.0]),
        ("sardine", 8, [3.3, 2.3, 1.2]),
        ("butterflyfish", 4, [0.8, 2.3, 1.2]),
    ]
    return Scene.from_dict(
        {
            "tank": {"size": [4, 3, 2]},
            "fishes": [{"species": name, "count": n, "at": at, "spread": 0.5} for name, n, at in groups],
            "obstacles": [rock | {"faces": [face[::-1] for face in faces]}],
            "current": [{"kind": "uniform", "direction": [1, 0.5, -0.5], "strength": 0.4, "period": 11}],
            "plankton": {"count": 60},
        }
        | more
    )


@pytest.mark.film
def test_nobody_swims_through_rock_or_bed():
    asked = grotto(terrain={"relief": 0.5, "scale": 0.8, "seed": 4})
    world = World(asked, seed=3)  # somebody gets wedged between rock and sand
    recording = world.simulate(frames=120)
    solids = Obstacles.from_scene(asked)
    nodes = recording.nodes.astype(float)
    depth = solids.distance(nodes)[0] / recording.body_length[None, :, None]
    assert depth.min() > -0.05
    assert depth.min() < 0.3  # somebody came near enough for this to mean something
    assert (nodes > -0.05 * recording.body_length[:, None, None]).all()
    assert (nodes < np.array(asked.tank.size) + 0.05 * recording.body_length[:, None, None]).all()
    assert np.abs(nodes - nodes[:1]).max() > 0.5
    assert solids.distance(recording.plankton.astype(float))[0].min() > -0.05


@pytest.mark.film
def test_a_world_with_rock_and_hills_goes_on_to_the_bit(tmp_path):
    asked = grotto(terrain={"relief": 0.4, "scale": 0.8})
    world = World(asked, seed=1)
    world.simulate(frames=8)
    world.save(tmp_path / "world.npz")
    again = World.load(tmp_path / "world.npz")
    assert again.scene == asked
    one, two = world.simulate(frames=8), again.simulate(frames=8)
    assert np.array_equal(one.nodes, two.nodes) and np.array_equal(one.plankton, two.plankton)
    one.save(tmp_path / "swim.npz")
    assert Recording.load(tmp_path / "swim.npz").scene == asked
