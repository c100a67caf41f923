"""Points strewn over surfaces: on them, evenly, and the surfaces' areas in closed form."""

from __future__ import annotations

import numpy as np
import pytest

from artfish.core.geometry.pillar import Pillar
from artfish.core.geometry.scatter import mesh_area, on_mesh, on_pillar, pillar_area

TENT = np.array([[0.0, 0, 0], [2, 0, 0], [2, 1, 0], [0, 1, 0], [1, 0.5, 1.5]])
SIDES = np.array([[0, 1, 4], [1, 2, 4], [2, 3, 4], [3, 0, 4]])


def throws(count: int) -> np.ndarray:
    return np.random.default_rng(5).uniform(size=(count, 3))


def test_points_lie_on_a_pillar_and_point_out_of_it():
    pillar = Pillar((1.0, 2.0, 0.5), 0.3, 0.8)
    place, out = on_pillar(pillar, throws(4000))
    depth, away = pillar.distance(place + 0.01 * out)
    assert depth == pytest.approx(0.01, abs=1e-9)
    assert away == pytest.approx(out, abs=1e-6)
    assert (place[:, 2] > 0.5).all()  # none under its foot


def test_as_many_lie_on_a_square_metre_of_the_mantle_as_of_the_top():
    pillar, count = Pillar((0.0, 0.0, 0.0), 0.4, 0.5), 20_000
    place, out = on_pillar(pillar, throws(count))
    top = out[:, 2] == 1.0
    share = np.pi * 0.4**2 / pillar_area(pillar)
    spread = 4.0 * np.sqrt(share * (1.0 - share) / count)
    assert top.mean() == pytest.approx(share, abs=spread)
    assert (place[top, :2] ** 2).sum(axis=1).mean() == pytest.approx(0.5 * 0.4**2, rel=0.02)  # of an even disc
    assert place[~top, 2].mean() == pytest.approx(0.25, abs=4.0 * 0.5 / np.sqrt(12.0 * count))


def test_points_lie_on_a_mesh_in_proportion_to_its_triangles():
    count = 20_000
    place, out = on_mesh(TENT, SIDES, throws(count))
    a, b, c = TENT[SIDES].transpose(1, 0, 2)
    normals = np.cross(b - a, c - a)
    areas = 0.5 * np.linalg.norm(normals, axis=1)
    normals /= np.linalg.norm(normals, axis=1)[:, None]
    which = (out @ normals.T).argmax(axis=1)
    assert np.abs(((place - a[which]) * normals[which]).sum(axis=1)).max() < 1e-12
    assert mesh_area(TENT, SIDES) == pytest.approx(areas.sum())
    for row, area in enumerate(areas / areas.sum()):
        assert (which == row).mean() == pytest.approx(area, abs=4.0 * np.sqrt(area * (1 - area) / count))
    middle = TENT[SIDES[0]].mean(axis=0)
    size = np.abs(TENT[SIDES[0]] - middle).max()
    assert place[which == 0].mean(axis=0) == pytest.approx(middle, abs=4.0 * size / np.sqrt((which == 0).sum()))
