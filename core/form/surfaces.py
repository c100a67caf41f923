"""From the outlines of a species to the control points of its surfaces at rest (Tu 1999, §5.1).

Everything is in body lengths in the fish's own frame: x ahead, y left, z up, origin at the middle of the second ring of
nodes, as `core.body.anatomy.rest_nodes`.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, lru_cache

import numpy as np
from scipy.interpolate import Akima1DInterpolator, PchipInterpolator

from ..base.constants import constant
from ..base.vectors import LEAST_LENGTH
from ..scene.species import Form, Species
from .nurbs import basis, evaluate, greville, through
from .pectorals import PectoralFin
from .tuning import ROOT_DEPTH_LENGTHS

BODY_ROWS, BODY_COLUMNS = 9, 21
BACK_ROW, BELLY_ROW = 0, BODY_ROWS - 1
FIN_RAYS = 12
CAUDAL_ROWS, CAUDAL_COLUMNS = 7, 5
MIRROR = constant(np.array([1.0, -1.0, 1.0]))


@dataclass(frozen=True)
class Patch:
    """One NURBS surface with clamped ends both ways.

    Attributes:
        points: Control points (u, v, 3) in body lengths in the fish's own frame.
        degree_u: Degree across the first axis, order less one.
        degree_v: Degree across the second axis, order less one.
        outward: 1 where the cross product of the u and v directions points out of the fish, or to the left of a fin
            on the mid-plane; -1 where it points the other way.
    """

    points: np.ndarray
    degree_u: int
    degree_v: int
    outward: int = 1


def rest_surfaces(species: Species) -> dict[str, Patch]:
    """Every surface of a species at rest, to be read.

    The body's halves have 9 x 21 points of order 4 both ways, rows from back to belly, columns from nose to tail
    root. Dorsal and ventral fin have 2 x 12 of order 2 by 4, the first row on the body's edge (`root_shares`),
    columns from front to rear. The caudal fin has 7 x 5 of order 4 both ways, rows from upper to lower tip, columns
    from root to rear edge. A pectoral fin has 2 x 4 of order 2 by 3, the first row at the root.

    Returns:
        "body_left", "body_right", "dorsal", "ventral", "caudal", "pectoral_left" and "pectoral_right".
    """
    return dict(_rest_surfaces(species))


@lru_cache(maxsize=32)
def _rest_surfaces(species: Species) -> dict[str, Patch]:
    form = species.form
    left = _body(species)
    dorsal = _median_fin(left, BACK_ROW, form.dorsal, species)
    ventral = _median_fin(left, BELLY_ROW, form.ventral, species)
    fin = pectoral(species)
    middle = on_body(left, fin.middle[None])[0]
    fan = np.stack([on_body(left, fin.root), middle + fin.rays])
    return {
        "body_left": Patch(left, 3, 3),
        "body_right": Patch(left * MIRROR, 3, 3, outward=-1),
        "dorsal": Patch(dorsal, 1, 3, outward=-1),
        "ventral": Patch(ventral, 1, 3),
        "caudal": Patch(_caudal(left[:, -1], species), 3, 3),
        "pectoral_left": Patch(fan, 1, 2, outward=-1),
        "pectoral_right": Patch(fan * MIRROR, 1, 2),
    }


def eyes(species: Species) -> tuple[np.ndarray, float, np.ndarray]:
    """The eyes at rest, sunk into the head so that a third of their radius stands out.

    Returns:
        Centres (2, 3), left and right, in body lengths; the radius in body lengths; the directions (2, 3), unit,
        in which they look.
    """
    left = _body(species)
    form = species.form
    place = on_flank(species, left, form.eye_station, form.eye_height)
    outward = _normal(left, place)
    centre = on_body(left, place[None])[0] - 0.67 * form.eye_radius * outward
    return np.stack([centre, centre * MIRROR]), form.eye_radius, np.stack([outward, outward * MIRROR])


def column_stations(species: Species) -> np.ndarray:
    """Stations (21,) of the body's columns: four to a segment, as in §5.4, drawn towards a blunt nose."""
    column = np.arange(BODY_COLUMNS)
    stations = PchipInterpolator(np.arange(0, BODY_COLUMNS, 4), (0.0, *species.body.stations))(column)
    head = np.clip((4 - column) / 3, 0.0, 1.0)  # 1 at the nose and the column behind it: a round snout starts level
    return stations * (1.0 - species.form.bluntness * head**2)


def root_shares(left: np.ndarray, row: int, stations: np.ndarray, species: Species) -> np.ndarray:
    """The shares of the left half of the body in a median fin's root, so that it stays on it in every pose.

    The root is the curve nearest to the body's edge; as it has other knots than the edge, and as a gap would let
    light through, it is drawn a thousandth of a length under the skin.

    Args:
        left: Control points of the left half (9, 21, 3).
        row: Its first row, the back, or its last, the belly.
        stations: Stations of the fin's control points (n,), rising.
        species: The species.

    Returns:
        (n, 9, 21): the root's control points are the sums of the left half's times these.
    """
    count = len(stations)
    curve = basis(count, 3, np.linspace(0.0, count - 3.0, 20 * count))
    edge = np.linalg.lstsq(curve, basis(BODY_COLUMNS, 3, _places_at(curve @ stations, species)), rcond=None)[0]
    height = np.abs(edge @ (left[row] - left[-1 - row])[:, 2])
    depth = ROOT_DEPTH_LENGTHS / np.maximum(height, 2 * ROOT_DEPTH_LENGTHS)  # the nose has no height
    shares = np.zeros((count, BODY_ROWS, BODY_COLUMNS))
    shares[:, row], shares[:, -1 - row] = (1.0 - depth)[:, None] * edge, depth[:, None] * edge
    return shares


def fin_rays(rows: tuple, species: Species) -> np.ndarray:
    """Station, height and backward lean (12, 3) of a median fin's control points, spread evenly over its rows."""
    rays = _resample(np.array(rows), FIN_RAYS)
    rays[:, 0] = np.minimum(rays[:, 0], species.body.stations[-1])
    return rays


def pectoral(species: Species) -> PectoralFin:
    """The left pectoral fin's root and rays."""
    form, left = species.form, _body(species)
    root = 0.2 * form.pectoral_breadth
    spread, droop, twist = form.pectoral_spread, form.pectoral_droop, form.pectoral_twist
    # Along the fin: backwards when folded, sideways when spread. Across it: upright, or lying flat as a wing.
    along = np.array([-np.cos(spread) * np.cos(droop), np.sin(spread) * np.cos(droop), -np.sin(droop)])
    upright = _unit(np.array([0.0, 0.0, 1.0]) - along * along[2])
    ahead = np.cross(along, upright)
    across = np.cos(twist) * upright + np.sin(twist) * ahead
    share = np.array([0.5, 0.42, -0.36, -0.5])
    fan, point = np.array([0.65, 1.1, 1.15, 0.5]), np.array([1.0, 0.95, 0.45, 0.3])
    reach = (fan + form.pectoral_point * (point - fan)) * form.pectoral_length
    rays = reach[:, None] * along + form.pectoral_breadth * share[:, None] * across
    offsets = root * np.array([0.5, 0.17, -0.17, -0.5])[:, None] * across
    station = form.pectoral_station - offsets[:, 0]
    height = form.pectoral_height + offsets[:, 2]
    place = np.array([on_flank(species, left, s, z) for s, z in zip(station, height, strict=True)])
    middle = on_flank(species, left, form.pectoral_station, form.pectoral_height)
    normal = _unit(np.cross(rays[-1], rays[0]))
    axis = _unit(_unit(rays.mean(axis=0)) + 0.45 * _normal(left, middle))
    return PectoralFin(place, middle, rays, normal, axis)


def on_body(points: np.ndarray, places: np.ndarray) -> np.ndarray:
    """Points (n, 3) of a body surface (9, 21, 3) at places (n, 2) as (u, v)."""
    return np.einsum("nr,nc,rcd->nd", basis(BODY_ROWS, 3, places[:, 0]), basis(BODY_COLUMNS, 3, places[:, 1]), points)


def on_flank(species: Species, left: np.ndarray, station: float, height: float) -> np.ndarray:
    """The place (u, v) on the left body surface at this station and height, as near as the outline allows."""
    v = _places_at(np.array([station]), species)
    u = np.linspace(0.0, BODY_ROWS - 3.0, 601)
    z = evaluate(left, 3, 3, u, v)[:, 0, 2] + species.body.rise[1]
    return np.array([np.interp(-height, -z, u), v[0]])


def section(back: float, belly: float) -> tuple[np.ndarray, np.ndarray]:
    """The height and the depth of each row of control points (9,), 1 on the back's and on the belly's edge.

    Args:
        back: Form of the cross-section above, as `Form.back_section`.
        belly: Form of the cross-section below.
    """
    z = _section(back, belly)[1]
    return np.maximum(z, 0.0), np.maximum(-z, 0.0)


@lru_cache(maxsize=32)
def _body(species: Species) -> np.ndarray:
    """Control points (9, 21, 3) of the left half: outlines along the body times a section across it; to be read."""
    form = species.form
    column = column_stations(species)
    station = basis(BODY_COLUMNS, 3, greville(BODY_COLUMNS, 3)) @ column
    back, belly, width = (through(_outline(line, station, form)) for line in (form.back, form.belly, form.half_width))
    width[-1] = 0.0  # the halves close upon the root of the caudal fin
    middle = belly + form.widest * (back - belly)
    y, z = _section(form.back_section, form.belly_section)
    points = np.empty((BODY_ROWS, BODY_COLUMNS, 3))
    points[..., 0] = -column
    points[..., 1] = np.outer(y, width)
    above, below = np.maximum(z, 0.0), np.maximum(-z, 0.0)
    points[..., 2] = middle + np.outer(above, back - middle) + np.outer(below, belly - middle)
    points += _origin(species)
    points.flags.writeable = False
    return points


def _outline(line: tuple, station: np.ndarray, form: Form) -> np.ndarray:
    """Values of an outline at stations; near the nose as the station to a power, 1/2 for a round snout."""
    power = 1.0 - 0.5 * form.bluntness
    points = np.array(line)
    curve = Akima1DInterpolator(points[:, 0] ** power, points[:, 1])
    return curve(np.minimum(station, points[-1, 0]) ** power)


def _section(above: float, below: float) -> tuple[np.ndarray, np.ndarray]:
    """Control points y and z (9,) of the left half of the cross-section, from the edge (0, 1) to the edge (0, -1).

    Of all curves that start and end level, so that the halves meet without a seam, the one nearest to the
    superellipse |y|^e + |z|^e = 1, whose exponent e is `above` over the long axis and `below` under it.
    """
    angle = np.linspace(0.0, np.pi, 121)
    sine, cosine = np.sin(angle), np.abs(np.cos(angle))
    exponent = np.where(angle < np.pi / 2, above, below)
    radius = (sine**exponent + cosine**exponent) ** (-1.0 / exponent)
    shares = basis(BODY_ROWS, 3, angle / np.pi * (BODY_ROWS - 3.0))
    y, z = np.zeros(BODY_ROWS), np.array([1.0, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0, -1.0, -1.0])
    y[1:-1] = np.linalg.lstsq(shares[:, 1:-1], radius * sine, rcond=None)[0]
    free = [2, 3, 5, 6]
    z[free] = np.linalg.lstsq(shares[:, free], radius * np.cos(angle) - shares @ z, rcond=None)[0]
    return y, z


def _median_fin(left: np.ndarray, row: int, outline: tuple, species: Species) -> np.ndarray:
    """Control points (2, 12, 3) of the dorsal or the ventral fin, by the row of the body that it stands on."""
    station, height, lean = fin_rays(outline, species).T
    root = np.tensordot(root_shares(left, row, station, species), left, 2)
    up = 1.0 if row == BACK_ROW else -1.0
    return np.stack([root, root + np.column_stack([-lean, np.zeros(FIN_RAYS), up * height])])


def _caudal(root: np.ndarray, species: Species) -> np.ndarray:
    """Control points (7, 5, 3) between the body's last column (9, 3) and the rear edge."""
    rear = _resample(np.array(species.form.caudal), CAUDAL_ROWS)
    edge = np.column_stack([-rear[:, 0], np.zeros(CAUDAL_ROWS), rear[:, 1]]) + _origin(species)
    start = caudal_root_shares() @ root
    reach = np.linspace(0.0, 1.0, CAUDAL_COLUMNS)[None, :, None]
    return start[:, None] + reach * (edge - start)[:, None]


def caudal_root_shares() -> np.ndarray:
    """The shares of the body's last column in the caudal fin's root, (7, 9)."""
    places = greville(CAUDAL_ROWS, 3)
    along = places * (BODY_ROWS - 3.0) / (CAUDAL_ROWS - 3.0)
    return np.linalg.solve(basis(CAUDAL_ROWS, 3, places), basis(BODY_ROWS, 3, along))


def _origin(species: Species) -> np.ndarray:
    """The nose end of the long axis, (3,), from the middle of the second ring."""
    return np.array([species.body.stations[1], 0.0, -species.body.rise[1]])


def _places_at(stations: np.ndarray, species: Species) -> np.ndarray:
    """Places v along the body where its edge passes these stations."""
    v, shares = _fine()
    return np.interp(stations, shares @ column_stations(species), v)


@cache
def _fine() -> tuple[np.ndarray, np.ndarray]:
    """Places (1801,) all along the body, and the shares (1801, 21) of its columns there."""
    v = np.linspace(0.0, BODY_COLUMNS - 3.0, 1801)
    return v, basis(BODY_COLUMNS, 3, v)


def _resample(rows: np.ndarray, count: int) -> np.ndarray:
    """This many rows, on a smooth curve through those given at even distances."""
    return PchipInterpolator(np.linspace(0.0, 1.0, len(rows)), rows)(np.linspace(0.0, 1.0, count))


def _normal(left: np.ndarray, place: np.ndarray) -> np.ndarray:
    """The outward unit normal (3,) of the left body surface at a place (u, v)."""
    u, v = place[:1], place[1:]
    return _unit(np.cross(evaluate(left, 3, 3, u, v, du=1)[0, 0], evaluate(left, 3, 3, u, v, dv=1)[0, 0]))


def _unit(vector: np.ndarray) -> np.ndarray:
    return vector / np.maximum(np.linalg.norm(vector, axis=-1, keepdims=True), LEAST_LENGTH)
