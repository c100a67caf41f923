"""Meshes as people have them: thin walls, reefs larger than the tank, props without a base, bricks that touch."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from artfish.core import Scene, World

CUBE = np.array([[x, y, z] for x in (0, 1) for y in (0, 1) for z in (0, 1)], dtype=float)
SIDES = [[0, 1, 3, 2], [4, 6, 7, 5], [0, 4, 5, 1], [2, 3, 7, 6], [0, 2, 6, 4], [1, 5, 7, 3]]

pytestmark = pytest.mark.film


def boxes(*ends: Any) -> tuple[np.ndarray, list[list[int]]]:
    """Boxes from corner to corner in one mesh."""
    vertices = np.concatenate([CUBE * np.subtract(high, low) + low for low, high in ends])
    return vertices, [[c + 8 * row for c in face] for row in range(len(ends)) for face in SIDES]


def tub(thick: float) -> tuple[np.ndarray, list[list[int]]]:
    """A tank of three metres, open above."""
    return boxes(
        ((0, 0, 0), (3, 3, thick)),
        ((0, 0, 0), (thick, 3, 1.5)),
        ((3 - thick, 0, 0), (3, 3, 1.5)),
        ((0, 0, 0), (3, thick, 1.5)),
        ((0, 3 - thick, 0), (3, 3, 1.5)),
    )


def scene(size: Any, at: Any, mesh: tuple[np.ndarray, list[list[int]]], fishes: Any = (), **more: Any) -> Scene:
    vertices, faces = mesh
    stone = {"kind": "mesh", "at": list(at), "vertices": vertices.tolist(), "faces": faces} | more
    return Scene.from_dict({"tank": {"size": list(size)}, "obstacles": [stone], "fishes": list(fishes)})


@pytest.mark.parametrize("thick", [*(pytest.param(thick, marks=pytest.mark.large) for thick in (0.02, 0.005)), 0.001])
def test_fishes_in_a_tub_of_thin_walls_stay_in_it(thick):
    """Tanks and bowls are modelled as thin as they are (Mantaflow issue 8: a cup with walls too thin for its grid)."""
    shoal = {"species": "sardine", "count": 6, "at": [2.0, 2.0, 1.0], "spread": 0.6}
    made = scene((4, 4, 1.5), (0.5, 0.5, 0.0), tub(thick), [shoal])
    nodes = World(made, seed=2).simulate(frames=150).nodes.astype(float)
    assert (nodes[..., :2] > 0.5 + thick - 0.02).all() and (nodes[..., :2] < 3.5 - thick + 0.02).all()
    gap = np.minimum(nodes[..., :2] - 0.5, 3.5 - nodes[..., :2]).min()
    assert gap < 0.6  # somebody came near a wall


def test_the_relief_of_a_reef_far_larger_than_the_tank_is_felt():
    """Sets are modelled whole, and filmed in one corner."""
    x, y = np.meshgrid(np.linspace(0, 150, 76), np.linspace(0, 150, 76), indexing="ij")
    height = np.where((np.arange(76)[:, None] + np.arange(76)) % 2, 0.4, 1.4)
    top = np.stack((x, y, height), axis=-1).reshape(-1, 3)
    faces = [[76 * i + j, 76 * i + 76 + j, 76 * i + 77 + j] for i in range(75) for j in range(75)] + [
        [76 * i + j, 76 * i + 77 + j, 76 * i + j + 1] for i in range(75) for j in range(75)
    ]
    made = scene((8, 8, 4), (0, 0, 0), (top - (72.0, 72.0, 0.0), faces))
    solid = made.obstacles[0].solid
    peaks = top[(height.ravel() > 1) & (np.abs(top[:, :2] - 76) < 3.5).all(axis=1)] - (72.0, 72.0, 0.0)
    hollows = top[(height.ravel() < 1) & (np.abs(top[:, :2] - 76) < 3.5).all(axis=1)] - (72.0, 72.0, 0.0)
    assert solid.cell < 0.2 and len(peaks) > 3 and len(hollows) > 3
    assert solid.depth(peaks + (0, 0, 0.3)) == pytest.approx(0.3, abs=0.05)
    assert (solid.depth(hollows + (0, 0, 0.6)) > 0.1).all()
    assert solid.blocks(hollows[:1] + (0, 0, 0.3), hollows[:1] + (4, 0, 0.3)).all()


@pytest.mark.parametrize("shift", [(1, 0, 0), (1, 1, 0), (1, 1, 1)], ids=["face", "edge", "corner"])
def test_bricks_that_touch_are_one_solid(shift):
    """Stairs, stacked bricks and voxels share faces, edges and corners (trimesh issue 122)."""
    made = scene((4, 4, 3), (1, 1, 0.5), boxes(((0, 0, 0), (1, 1, 1)), (shift, np.add(shift, 1))))
    solid = made.obstacles[0].solid
    first, second = np.array([(1.5, 1.5, 1.0)]), np.array([(1.5, 1.5, 1.0)]) + shift
    assert solid.depth(np.concatenate((first, second))) == pytest.approx([-0.5, -0.5], abs=0.06)
    assert solid.depth(np.array([(0.7, 1.5, 1.0)])) == pytest.approx([0.3])
    assert solid.blocks(first - (1, 0, 0), first + (0, 0.8, 0)).all()


@pytest.mark.parametrize("base", [4, 0])
def test_a_rock_without_a_base_is_solid(base):
    """Library props and scans are open where they stand (trimesh issue 1031, Discregrid issue 15)."""
    faces = SIDES[:base] + SIDES[base + 1 :]
    solid = scene((4, 4, 3), (1, 1, 0.5), (CUBE, faces)).obstacles[0].solid
    points = np.array([(1.5, 1.5, 1.0), (1.5, 2.3, 1.0), (1.7, 1.6, 0.9)])
    assert solid.depth(points) == pytest.approx([-0.5, 0.3, -0.3], abs=0.02)


def test_a_hull_of_planks_with_gaps_keeps_fishes_out():
    planks = np.concatenate([CUBE[face].mean(axis=0) + 0.94 * (CUBE[face] - CUBE[face].mean(axis=0)) for face in SIDES])
    shoal = {"species": "sardine", "count": 4, "at": [0.6, 0.6, 1.0], "spread": 0.3}
    made = scene((3, 3, 2), (1, 1, 0.5), (planks, np.arange(24).reshape(6, 4).tolist()), [shoal])
    assert made.obstacles[0].solid.depth(np.array([(1.5, 1.5, 1.0)]))[0] < -0.4
    nodes = World(made, seed=2).simulate(frames=100).nodes.astype(float)
    inside = ((nodes > (1.05, 1.05, 0.55)) & (nodes < (1.95, 1.95, 1.45))).all(axis=-1)
    assert not inside.any()
