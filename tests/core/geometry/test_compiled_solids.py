"""Distances and free paths of solids, and what they hide."""

from __future__ import annotations

import copy
import re
from pathlib import Path

import numpy as np
import pytest

from artfish.core.geometry import cells, mesh_field, triangles
from artfish.core.geometry.basin import Basin
from artfish.core.geometry.bed import Bed
from artfish.core.geometry.mesh_field import CLOSE_CELLS, Extent, MeshField
from artfish.core.geometry.solids import Solid
from artfish.core.geometry.winding import LEAF_TRIANGLES

CORE = Path(cells.__file__).parents[1]


def rock(rough: float = 0.3, rings: int = 12) -> tuple[np.ndarray, list[list[int]]]:
    """A stone with edges, about a unit ball."""
    sides = 2 * rings
    height, turn = np.meshgrid(np.pi * np.arange(1, rings) / rings, 2 * np.pi * np.arange(sides) / sides, indexing="ij")
    way = np.stack([np.sin(height) * np.cos(turn), np.sin(height) * np.sin(turn), np.cos(height)], axis=-1)
    dice = np.random.default_rng(1)
    vertices = np.concatenate([[[0, 0, 1]], way.reshape(-1, 3), [[0, 0, -1]]])
    vertices *= dice.uniform(1.0 - rough, 1.0, (len(vertices), 1))
    at = lambda ring, side: 1 + ring * sides + side % sides  # noqa: E731
    faces = [[0, at(0, s), at(0, s + 1)] for s in range(sides)]
    faces += [[at(r, s), at(r + 1, s), at(r + 1, s + 1), at(r, s + 1)] for r in range(rings - 2) for s in range(sides)]
    return vertices, faces + [[len(vertices) - 1, at(rings - 2, s + 1), at(rings - 2, s)] for s in range(sides)]


def hills() -> Bed:
    """Steep sand on the floor of a tank, about where the stone is."""
    x, y = np.linspace(0, 3, 40), np.linspace(0, 2, 30)
    return Bed(x, y, 0.3 + 0.2 * np.sin(5 * x)[:, None] * np.cos(4 * y), 2.5)


@pytest.fixture(scope="module")
def every() -> dict[str, Solid]:
    """Solids of all kinds, more coarsely sampled than they are in scenes."""
    vertices, faces = rock()
    whole = triangles.closed(vertices, faces)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(mesh_field, "MOST_SAMPLES", 30_000)
        patch.setattr(triangles, "AGREED", 2.0)  # no gap is filled
        return made(vertices, faces, whole)


def made(vertices: np.ndarray, faces: list[list[int]], whole: triangles.Surface) -> dict[str, Solid]:
    return {
        "a stone": MeshField(whole),
        "a part of a stone": MeshField(whole, Extent(np.array([0.2, -0.5, -0.5]), np.array([1.5, 0.5, 0.5]))),
        "a shell": MeshField(triangles.surface(vertices, faces[:-40]), thickness=0.05),
        "an open stone": MeshField(triangles.surface(vertices, faces[:-15])),
        "a basin": Basin(whole),
        "a bed": hills(),
    }


def around(solid: Solid, n: int = 600) -> np.ndarray:
    """Places in and far around it, and some on its very edges."""
    dice = np.random.default_rng(2)
    if isinstance(solid, Bed):
        return dice.uniform((-0.3, -0.3, -0.2), (3.3, 2.3, 2.6), (n, 3))
    near = rock()[0][dice.integers(0, 200, n // 3)]
    return np.concatenate((dice.uniform(-1.6, 1.6, (n, 3)), near, near * dice.uniform(0.9, 1.1, (len(near), 1))))


def ways(n: int) -> np.ndarray:
    found = np.random.default_rng(3).normal(size=(n, 3))
    found[: n // 10] = np.eye(3)[np.arange(n // 10) % 3]
    return found / np.linalg.norm(found, axis=1, keepdims=True)


NAMES = "a stone", "a part of a stone", "a shell", "an open stone", "a basin", "a bed"


@pytest.mark.sampled
@pytest.mark.parametrize("name", NAMES)
def test_distances_have_the_same_bits(alike, every, name):
    solid = every[name]
    points = around(solid)
    distance, _ = alike(lambda: solid.distance(points), "solid_distance")
    assert (distance < 0).any() and (distance > 0).any()
    alike(lambda: solid.distance(points.reshape(-1, 5, 3)[:, ::2]), "solid_distance")
    assert solid.distance(points[:0])[1].shape == (0, 3)


@pytest.mark.sampled
@pytest.mark.parametrize("name", NAMES)
def test_free_paths_have_the_same_bits(alike, every, name):
    solid = every[name]
    points, dice = around(solid, 240), np.random.default_rng(4)
    directions, margin = ways(len(points)), dice.uniform(0.0, 0.2, len(points))
    free = alike(lambda: solid.free_path(points, directions, margin), "solid_free_path")
    assert (free == 0).any() and (np.isfinite(free) & (free > 0)).any() and np.isinf(free).any()
    fan = directions[: len(points) // 4 * 4].reshape(-1, 4, 3)
    few, reach = points[: len(fan), None], dice.uniform(0, 2, (len(fan), 1))
    alike(lambda: solid.free_path(few, fan, margin[: len(fan), None], reach), "solid_free_path")


@pytest.mark.sampled
@pytest.mark.parametrize("name", NAMES)
def test_what_is_in_the_way_is_the_same(alike, every, name):
    solid = every[name]
    points = around(solid, 300)
    other = np.random.default_rng(5).permutation(points)
    blocked = alike(lambda: solid.blocks(points, other), "solid_blocks")
    assert blocked.any() and not blocked.all()
    near = points + 0.2 * ways(len(points))
    alike(lambda: solid.blocks(points, near), "solid_blocks")
    alike(lambda: solid.blocks(points[:9], points[:9]), "solid_blocks")


@pytest.mark.parametrize("name", NAMES)
def test_depths_have_the_same_bits(alike, every, name):
    solid = every[name]
    points = around(solid)
    depth = alike(lambda: solid.depth(points), "solid_depth")
    assert np.array_equal(depth < 0, solid.distance(points)[0] < 0)


@pytest.mark.parametrize("name", ["a stone", "a shell"])
def test_the_nearest_triangle_is_the_same(alike, every, name):
    solid = every[name]
    points = around(solid)
    rows, places = alike(lambda: solid.nearest(points), "solid_nearest")
    assert np.linalg.norm(places - points, axis=1).min() < 1e-12 and len(np.unique(rows)) > 100
    lost = np.array([[np.nan, 0.0, 0.0], [np.inf, 0.0, 0.0]])
    with np.errstate(invalid="ignore"):
        assert alike(lambda: solid.nearest(lost)[0], "solid_nearest").tolist() == [0, 0]


@pytest.mark.parametrize("name", NAMES)
def test_a_place_that_is_none_is_no_end_of_the_program(alike, every, name):
    """Numbers that are none, or are beyond all bounds, come out as such."""
    lost = np.array([[np.nan] * 3, [np.inf, 0.0, 0.0], [0.0, -np.inf, 1e300], [np.nan, 0.0, 1.0]])
    solid, along = every[name], np.tile((1.0, 0.0, 0.0), (4, 1))

    def known(found):
        return np.where(np.isnan(found), np.nan, found)

    with np.errstate(all="ignore"):
        assert np.isnan(alike(lambda: known(solid.distance(lost)[0]), "solid_distance")[0])
        assert np.isnan(alike(lambda: known(solid.depth(lost)), "solid_depth")[0])
        alike(lambda: known(solid.free_path(lost, along, 0.1)), "solid_free_path")
        alike(lambda: solid.blocks(lost, np.zeros((4, 3))), "solid_blocks")


def test_in_crowded_cells_and_those_of_many_triangles_it_is_the_same(alike, monkeypatch):
    """Of so many triangles in one place that their pieces, or groups of them, tell sooner."""
    (large, sides), (vertices, faces) = rock(), rock(0.3, 25)
    both = np.concatenate((large, 0.001 * vertices + (0.0, 0.0, 1.5)))
    sides = sides + [[corner + len(large) for corner in face] for face in faces]
    solid = MeshField(triangles.closed(both, sides), most=4000)
    values = solid.form.field.values
    assert values["crowded"].any() and (values["crossing"] > mesh_field.MOST_CROSSING).any()
    dice = np.random.default_rng(6)
    points = dice.uniform(-0.01, 0.01, (400, 3)) + (0.0, 0.0, 1.5)
    points[200:] = 0.0009 * vertices[dice.integers(0, len(vertices), 200)] + (0.0, 0.0, 1.5)
    distance, _ = alike(lambda: solid.distance(points), "solid_distance")
    assert (distance < 0).any() and (distance > 0).any()
    alike(lambda: solid.blocks(points, -points), "solid_blocks")


def test_a_copy_has_arrays_of_its_own():
    """Addresses are kept, and are not those of a copy."""
    bed = hills()
    points = around(bed)
    found = bed.distance(points)
    other = copy.deepcopy(bed)
    other.form.field.values["samples"][:] = 0.0
    assert not np.array_equal(other.distance(points)[0], found[0])
    assert np.array_equal(bed.distance(points)[0], found[0])


def test_c_has_the_same_numbers():
    """A constant of the one is a constant of the other."""
    source = (CORE / "geometry/compiled_solids.c").read_text()
    for name, number in (("MOST_CROSSING", mesh_field.MOST_CROSSING), ("HALF_DIAGONAL", cells.HALF_DIAGONAL)):
        assert re.findall(rf"\b{name} = ([-+.e0-9]+)[,; }}]", source) == [str(number)]
    assert f"CLOSE_CELLS = {cells.HALF_DIAGONAL} + {CLOSE_CELLS - cells.HALF_DIAGONAL:.2f}" in source
    (leaf,) = re.findall(r"LEAF_TRIANGLES = (\d+)", (CORE / "geometry/winding.h").read_text())
    assert int(leaf) == LEAF_TRIANGLES
