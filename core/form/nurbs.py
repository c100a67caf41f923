"""Clamped uniform B-spline surfaces, as Blender draws a NURBS surface with "endpoint" set both ways and weights 1."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from scipy.interpolate import BSpline

from ..base.constants import constant


def knots(count: int, degree: int) -> np.ndarray:
    """Knots (count + degree + 1,): the ends repeated, the spans between of length 1."""
    spans = count - degree
    return np.concatenate([np.zeros(degree), np.arange(spans + 1.0), np.full(degree, float(spans))])


def basis(count: int, degree: int, at: np.ndarray, derivative: int = 0) -> np.ndarray:
    """Share of each control point in the curve.

    Args:
        count: Number of control points.
        degree: Order less one.
        at: Places along the curve (n,), from 0 to count - degree.
        derivative: 0 for the curve itself, 1 for its tangent and so on.

    Returns:
        (n, count) float64.
    """
    functions = BSpline(knots(count, degree), np.eye(count), degree)
    return functions(np.asarray(at, float), nu=derivative)


def greville(count: int, degree: int) -> np.ndarray:
    """The place (count,) along the curve where each control point has its say: the mean of its knots."""
    knot = knots(count, degree)
    return np.array([knot[i + 1 : i + degree + 1].mean() for i in range(count)])


def through(values: np.ndarray, degree: int = 3) -> np.ndarray:
    """Control values (count, ...) of the curve that takes these values (count, ...) at its Greville places."""
    count = len(values)
    return np.linalg.solve(basis(count, degree, greville(count, degree)), values)


@lru_cache
def unclamped(count: int, degree: int) -> np.ndarray:
    """Shares (count, count) of control points in those that make the same curve of knots which repeat at no end."""
    even = BSpline(np.arange(count + degree + 1.0) - degree, np.eye(count), degree)
    places = greville(count, degree)
    return constant(np.linalg.solve(even(places), basis(count, degree, places)))


def evaluate(
    points: np.ndarray, degree_u: int, degree_v: int, u: np.ndarray, v: np.ndarray, du: int = 0, dv: int = 0
) -> np.ndarray:
    """A surface, or a derivative of it, on a grid of places.

    Args:
        points: Control points (..., rows, columns, 3).
        degree_u: Degree across the rows.
        degree_v: Degree across the columns.
        u: Places (m,), from 0 to rows - degree_u.
        v: Places (n,), from 0 to columns - degree_v.
        du: Order of the derivative along u.
        dv: Order of the derivative along v.

    Returns:
        (..., m, n, 3).
    """
    rows, columns = points.shape[-3:-1]
    across, along = basis(rows, degree_u, u, du), basis(columns, degree_v, v, dv)
    return np.einsum("mr,nc,...rcd->...mnd", across, along, points, optimize=True)
