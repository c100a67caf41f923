"""The form of a grid: how its nodes lie on a part of the fish in side view, and which outline they draw.

A body's grid at rest has the form that the surface has in side view between the outlines of back and belly; a fin's
grid begins as the species has the fin, on the body that is shown.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np
from scipy.interpolate import PchipInterpolator

from ..form.nurbs import basis, greville
from ..form.surfaces import BODY_COLUMNS, BODY_ROWS, column_stations, rest_surfaces, section
from ..scene.species import Species
from .outline import Outline

FIN_PARTS = ("dorsal", "ventral", "caudal", "pectoral")
"""Parts with grids of their own besides "body"."""
GRID_SHAPES = {
    "body": (BODY_ROWS, BODY_COLUMNS),
    "dorsal": (2, 12),
    "ventral": (2, 12),
    "caudal": (7, 5),
    "pectoral": (2, 4),
}
"""Rows and columns of each grid, those of the surface's control points."""
NOSE_HEIGHT_SHARE = 0.03
"""Height of the first column over the body's greatest, for the surface ends in a point and a grid must not."""


def node_stations(species: Species) -> np.ndarray:
    """The stations of each column's nodes (21,), from the nose at 0 to the tail's root at 1."""
    stations = basis(BODY_COLUMNS, 3, greville(BODY_COLUMNS, 3)) @ column_stations(species)
    return (stations - stations[0]) / (stations[-1] - stations[0])


def node_shares(species: Species) -> np.ndarray:
    """The places of each row's nodes from back to belly in side view (9,), from 0 to 1."""
    form = species.form
    above, below = (
        basis(BODY_ROWS, 3, greville(BODY_ROWS, 3)) @ part for part in section(form.back_section, form.belly_section)
    )
    shares = 1.0 - form.widest - above * (1.0 - form.widest) + below * form.widest
    shares[0], shares[-1] = 0.0, 1.0
    return shares


def lay_out(
    outline: Outline, species: Species, anchors: Mapping[tuple[int, int], tuple[float, float]] | None = None
) -> np.ndarray:
    """The grid (9, 21, 2) of the form that the body's surface has in side view between these outlines.

    A surface whose profile is the outline is then the picture's body turned and scaled, so that straight lines stay
    straight. Anchored columns are at their anchors, and those between them spread smoothly.
    """
    stations, shares = node_stations(species), node_shares(species)
    stations = _through_anchors(stations, outline, anchors or {})
    back, belly = outline.heights(stations)
    thin = NOSE_HEIGHT_SHARE * float((outline.back - outline.belly).max())
    least = np.minimum(0.5 * thin * np.maximum(1.0, 1.0 + 4.0 * np.arange(BODY_COLUMNS)), 2.0 * thin)
    middle, half = 0.5 * (back + belly), np.maximum(0.5 * (back - belly), least)
    half[0] = min(max(0.5 * thin, 0.25 * half[1]), 0.4 * half[1])
    heights = middle + half * (1.0 - 2.0 * shares[:, None])
    return outline.points(np.broadcast_to(stations, heights.shape), heights)


def _through_anchors(stations: np.ndarray, outline: Outline, anchors: Mapping) -> np.ndarray:
    """Stations of the columns, moved so that anchored ones are at their anchors."""
    anchored: dict[int, list[float]] = {}
    for (_, column), place in anchors.items():
        if 0 < column < BODY_COLUMNS - 1:
            anchored.setdefault(column, []).append(float(outline.places(np.array(place))[0]))
    knots = [(0.0, 0.0)]
    for column in sorted(anchored):
        at = float(np.mean(anchored[column]))
        if knots[-1][1] + 0.01 < at < 0.99:
            knots.append((float(stations[column]), at))
    old, new = np.array([*knots, (1.0, 1.0)]).T
    return PchipInterpolator(old, new)(stations) if len(old) > 2 else stations


def read_outline(points: np.ndarray) -> Outline:
    """The outline of a body's grid (9, 21, 2), back and belly as functions of the station."""
    nose, tail = points[:, 0].mean(axis=0), 0.5 * (points[0, -1] + points[-1, -1])
    axis = tail - nose
    side = float(_cross(axis, points[0].mean(axis=0) - points[-1].mean(axis=0)))
    up = -1 if side > 0 else 1
    stations = np.linspace(0.0, 1.0, 81) ** 2
    flat = Outline(nose, tail, up, stations, 0 * stations, 0 * stations)
    lines = []
    for row in (0, -1):
        along, above = flat.places(points[row])
        along = np.clip(along, 0.0, 1.0)
        along[0], along[-1], above = 0.0, 1.0, above.copy()
        above[0] = 0.0
        order = np.argsort(along, kind="stable")
        along, first = np.unique(along[order], return_index=True)
        lines.append(PchipInterpolator(np.sqrt(along), above[order][first])(np.sqrt(stations)))
    return replace(flat, back=np.maximum(lines[0], lines[1]), belly=np.minimum(*lines))


def folded(points: np.ndarray) -> np.ndarray:
    """Mask of folded cells (rows - 1, columns - 1): a corner turns another way than most of the grid does."""
    across, along = np.diff(points, axis=0), np.diff(points, axis=1)
    turns = np.stack(
        [
            _cross(along[:-1], across[:, :-1]),
            _cross(along[:-1], across[:, 1:]),
            _cross(along[1:], across[:, :-1]),
            _cross(along[1:], across[:, 1:]),
        ]
    )
    return (turns * np.sign(np.median(turns)) <= 0).any(axis=0)


def fin_grid(part: str, body: np.ndarray, species: Species) -> np.ndarray:
    """The first grid of a fin: as the species has the fin, on the body that the body's grid shows.

    Args:
        part: One of `FIN_PARTS`.
        body: The body's grid (9, 21, 2).
        species: Species with the fin.

    Returns:
        (rows, columns, 2): of dorsal, ventral and pectoral fin the first row is the root, of the caudal the first
        column.
    """
    outline = read_outline(np.asarray(body, float))
    patch = rest_surfaces(species)["pectoral_left" if part == "pectoral" else part]
    rows, columns = patch.points.shape[:2]
    across = basis(rows, patch.degree_u, greville(rows, patch.degree_u))
    along = basis(columns, patch.degree_v, greville(columns, patch.degree_v))
    shape = np.einsum("mr,nc,rcd->mnd", across, along, patch.points)
    form, end = species.form, float(species.body.stations[-1])
    station = (species.body.stations[1] - shape[..., 0]) / end
    height = (shape[..., 2] + species.body.rise[1]) / end

    def moved(height: np.ndarray, root: np.ndarray) -> np.ndarray:
        """Heights as far from the picture's outline as they are from the species', each by its root."""
        ends = [
            np.interp(root, np.array(line)[:, 0] / end, np.array(line)[:, 1] / end) for line in (form.belly, form.back)
        ]
        upper, lower = outline.heights(root)
        if part == "dorsal":
            return height + (upper - ends[1])
        if part == "ventral":
            return height + (lower - ends[0])
        share = (upper - lower) / np.maximum(ends[1] - ends[0], 1e-6)
        return lower + (height - ends[0]) * (share if part == "caudal" else 1.0)

    root = np.broadcast_to(station[:1] if part != "caudal" else station[:, :1], station.shape)
    if part == "pectoral":
        root = np.full_like(station, form.pectoral_station / end)
    height = moved(height, np.clip(root, 0.0, 1.0))
    if part in ("dorsal", "ventral"):  # a first ray of no height would fold its cell
        side = 1.0 if part == "dorsal" else -1.0
        height[1] = height[0] + side * np.maximum(side * (height[1] - height[0]), 0.01)
    return outline.points(station, height)


def _cross(one: np.ndarray, other: np.ndarray) -> np.ndarray:
    """The cross product in the plane, of vectors (..., 2), (...)."""
    return np.asarray(one[..., 0] * other[..., 1] - one[..., 1] * other[..., 0])
