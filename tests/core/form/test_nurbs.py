"""Clamped B-splines: shares that add up to one, curves through points, and planes that stay planes."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.interpolate import BSpline

from artfish.core.form.nurbs import basis, evaluate, greville, knots, through, unclamped


def test_clamped_curves_begin_and_end_at_their_control_points() -> None:
    for count, degree in ((21, 3), (12, 3), (4, 2), (2, 1)):
        shares = basis(count, degree, np.linspace(0.0, count - degree, 50))
        np.testing.assert_allclose(shares.sum(axis=1), 1.0)
        np.testing.assert_allclose(shares[[0, -1]], np.eye(count)[[0, -1]], atol=1e-15)
        # Control points on a straight line at their Greville places give that line at even speed.
        at_places = np.linspace(0.0, count - degree, 50)
        np.testing.assert_allclose(shares @ greville(count, degree), at_places, atol=1e-12)


def test_knots_repeat_at_the_ends_and_are_one_apart_between() -> None:
    np.testing.assert_array_equal(knots(6, 3), [0, 0, 0, 0, 1, 2, 3, 3, 3, 3])


@pytest.mark.parametrize(("count", "degree"), [(9, 3), (12, 1), (4, 2)])
def test_a_curve_goes_through_the_values_that_it_is_made_for(count: int, degree: int) -> None:
    values = np.random.default_rng(0).normal(size=(count, 2))
    control = through(values, degree)
    np.testing.assert_allclose(basis(count, degree, greville(count, degree)) @ control, values, atol=1e-12)


def test_a_plane_of_control_points_is_a_plane_with_its_slopes() -> None:
    u, v = np.meshgrid(greville(9, 3), greville(5, 2), indexing="ij")
    points = np.stack([u, v, 2.0 * u - 3.0 * v], axis=-1)
    at_u, at_v = np.linspace(0.0, 6.0, 7), np.linspace(0.0, 3.0, 4)
    surface = evaluate(points, 3, 2, at_u, at_v)
    np.testing.assert_allclose(surface[..., 0], np.broadcast_to(at_u[:, None], (7, 4)), atol=1e-12)
    np.testing.assert_allclose(surface[..., 2], 2.0 * at_u[:, None] - 3.0 * at_v, atol=1e-12)
    np.testing.assert_allclose(evaluate(points, 3, 2, at_u, at_v, du=1)[..., 2], 2.0, atol=1e-12)
    np.testing.assert_allclose(evaluate(points, 3, 2, at_u, at_v, dv=1)[..., 2], -3.0, atol=1e-12)
    np.testing.assert_allclose(evaluate(points, 3, 2, at_u, at_v, du=2), 0.0, atol=1e-12)


@pytest.mark.parametrize(("count", "degree"), [(9, 3), (21, 3), (12, 3), (4, 2), (2, 1)])
def test_a_curve_is_the_same_without_clamped_ends(count: int, degree: int) -> None:
    values = np.random.default_rng(0).normal(size=(count, 3))
    even = BSpline(np.arange(count + degree + 1.0) - degree, unclamped(count, degree) @ values, degree)
    at = np.linspace(0.0, count - degree, 100)
    np.testing.assert_allclose(even(at), basis(count, degree, at) @ values, atol=1e-12)
    assert np.abs(unclamped(count, degree)).sum(axis=1).max() < 14  # and so single precision is enough
