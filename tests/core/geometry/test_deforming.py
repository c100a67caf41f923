"""Meshes that deform: as rigid ones where they do not, and with the motion of each part of their surface."""

from __future__ import annotations

import threading

import numpy as np
import pytest

from artfish.core.base import threads
from artfish.core.base.attitude import matrices, rotations_about_up
from artfish.core.geometry import triangles
from artfish.core.geometry.deforming import Deforming
from artfish.core.geometry.mesh_field import MeshField
from artfish.core.geometry.moving import AT_REST, Rigid
from artfish.tests.core.geometry.test_moving import SIDES, corners

BOX = triangles.surface(corners((0.4, 1.0, 0.6)), SIDES)


@pytest.mark.film
def test_a_box_whose_vertices_say_a_move_is_the_box_moved():
    start, end = AT_REST.copy(), AT_REST.copy()
    end[:3], end[3:] = (1.0, 0.5, 0.2), rotations_about_up(np.array(0.3))
    rigid = Rigid(MeshField(BOX), np.zeros(3), 0.63)
    rigid.put(end, start, 0.5)
    places = np.stack((BOX.vertices, end[:3] + BOX.vertices @ matrices(end[3:]).T))
    soft = Deforming(BOX, np.array((0.0, 0.5)), places, None)
    soft.put(np.array((0.5,)), np.array((0.0,)), 0.5)
    points = end[:3] + np.random.default_rng(0).normal(0.0, 0.6, (400, 3))
    far = np.abs(rigid.depth(points)) < 0.3
    assert soft.depth(points)[far] == pytest.approx(rigid.depth(points)[far], abs=0.02)
    close = np.abs(rigid.depth(points)) < 0.03
    assert soft.depth(points)[close] == pytest.approx(rigid.depth(points)[close], abs=1e-3)
    away = rigid.depth(points) > 0.02
    assert soft.velocity(points)[away & far] == pytest.approx(rigid.velocity(points)[away & far], abs=0.02)
    came = np.random.default_rng(1).normal(0.0, 0.3, (200, 3))
    near = np.abs(rigid.depth(rigid.carried(came))) < 0.02
    assert soft.carried(came)[near] == pytest.approx(rigid.carried(came)[near], abs=0.02)
    assert soft.middle == pytest.approx(rigid.middle) and soft.travel == pytest.approx(rigid.travel, rel=0.5)


def test_a_sheet_that_swings_about_one_edge_is_the_faster_the_farther_from_it():
    sheet = triangles.surface(np.array([[0, 0, 0], [1, 0, 0], [1, 0, 1], [0, 0, 1]], dtype=float), [[0, 1, 2, 3]])
    swung = sheet.vertices + np.array((0.0, 0.1, 0.0)) * sheet.vertices[:, :1]
    door = Deforming(sheet, np.array((0.0, 0.1)), np.stack((sheet.vertices, swung)), 0.01)
    door.put(np.array((0.1,)), np.array((0.0,)), 0.1)
    points = np.array(((0.25, 0.3, 0.5), (0.75, 0.3, 0.5)))
    assert door.velocity(points)[:, 1] == pytest.approx((0.25, 0.75), abs=0.05)
    before = np.array(((0.5, 0.03, 0.5), (0.5, -0.03, 0.5)))
    behind = np.array(((0.5, -0.03, 0.5), (0.5, 0.13, 0.5)))
    assert door.blocks(door.carried(before), before).tolist() == [True, False]
    assert door.blocks(door.carried(before), behind).tolist() == [True, True]


@pytest.mark.film
def test_it_is_between_its_times_and_stays_as_at_the_last():
    grown = Deforming(BOX, np.array((0.0, 1.0)), np.stack((BOX.vertices, 2.0 * BOX.vertices)), None)
    point = np.array([[1.0, 0.0, 0.0]])
    for t, half in ((-1.0, 0.2), (0.5, 0.3), (1.0, 0.4), (9.0, 0.4)):
        grown.put(np.array((t,)), np.array((t,)), 1.0)
        assert grown.depth(point)[0] == pytest.approx(1.0 - half, abs=0.01)


@pytest.fixture
def two_processors(monkeypatch):
    """A machine on which something can be done beside all else."""
    threads.close()
    monkeypatch.setattr(threads, "available", lambda: 2)
    yield
    threads.close()


def test_what_is_expected_is_sampled_beside_all_else_with_the_same_bits(two_processors, monkeypatch):
    times, places = np.array((0.0, 1.0)), np.stack((BOX.vertices, 2.0 * BOX.vertices))
    plain, soft = (Deforming(BOX, times, places, None) for _ in range(2))
    names = []
    made = Deforming._field_at
    monkeypatch.setattr(
        Deforming, "_field_at", lambda self, t: names.append((threading.current_thread().name, t)) or made(self, t)
    )
    for t in (0.25, 0.5):
        soft.expect(t)
        soft.put(np.array((t,)), np.array((t,)), 1.0)
    assert [(name.split("_")[0], t) for name, t in names] == [("artfish ahead", 0.25), ("artfish ahead", 0.5)]
    plain.put(np.array((0.5,)), np.array((0.5,)), 1.0)
    assert plain._field.samples.tobytes() == soft._field.samples.tobytes()
    names.clear()
    soft.expect(0.75)  # and then somebody goes back
    soft.put(np.array((0.1,)), np.array((0.1,)), 1.0)
    soft.expect(0.5)  # which it knows
    threads.close()
    assert [t for _, t in names].count(0.1) == 1 and 0.5 not in [t for _, t in names]


def test_with_one_processor_nothing_is_begun_before_its_time(monkeypatch):
    soft = Deforming(BOX, np.array((0.0, 1.0)), np.stack((BOX.vertices, 2.0 * BOX.vertices)), None)
    monkeypatch.setattr(threads, "available", lambda: 1)
    monkeypatch.setattr(Deforming, "_field_at", lambda self, t: pytest.fail("sampled"))
    soft.expect(0.5)
