"""The fins and eyes of a model: found by the groups that name them, else by their places and their thinness."""

from __future__ import annotations

import numpy as np
from scipy.ndimage import binary_dilation
from scipy.sparse import coo_matrix
from scipy.sparse.csgraph import connected_components

from ..form.mesh import EYES, FINS
from .measure import Measures, body_shells
from .model import Model
from .tuning import (
    ANAL_STATION,
    COLUMN_LENGTHS,
    EYE_ALONE,
    EYE_FLATTEST,
    EYE_LARGEST_LENGTHS,
    EYE_ROUNDNESS,
    EYE_STATIONS,
    FIN_LEAST_LENGTHS,
    FIN_LEAST_SHARE,
    FIN_SHORTEST_LENGTHS,
    FLANK_CLEARANCE_LENGTHS,
    FLANK_CLEARANCE_SHARE,
    PECTORAL_LEAST_LENGTHS,
    PECTORAL_STATIONS,
    RIM_LENGTHS,
    TAIL_FLARE_LENGTHS,
)

GROUPS = {
    "dorsal": ("dorsal",),
    "ventral": ("anal", "ventral"),
    "caudal": ("caudal",),
    "pectoral_left": ("pectoral.L",),
    "pectoral_right": ("pectoral.R",),
    "eye_left": ("eye.L",),
    "eye_right": ("eye.R",),
}
"""The groups of a model that name each part."""
MEDIAN_SIGNS = {"dorsal": 1.0, "ventral": -1.0}


def parts(model: Model, measures: Measures) -> dict[str, np.ndarray]:
    """Rows of the vertices of each fin and eye, by `FINS` and `EYES`; none of a part that the model has not.

    Args:
        model: Standing, as `pose.standing` has it.
        measures: Measures of the model.
    """
    found = {name: np.zeros(0, dtype=np.int64) for name in (*FINS, *EYES)}
    for name, groups in GROUPS.items():
        found[name] = np.unique(np.concatenate([model.group(group) for group in groups]))
    free = np.ones(model.count, dtype=bool)
    for rows in found.values():
        free[rows] = False
    station = _stations(model)
    core = body_shells(model)
    if not len(found["eye_left"]) and not len(found["eye_right"]):
        found["eye_left"], found["eye_right"] = eyes(model, core)
        free[np.concatenate([found["eye_left"], found["eye_right"]])] = False
    if not len(found["caudal"]):
        found["caudal"] = np.flatnonzero(free & (station > measures.root))
        free[found["caudal"]] = False
    for name, sign in MEDIAN_SIGNS.items():
        if not len(found[name]):
            found[name] = _median(model, measures, station, free, core, sign)
            free[found[name]] = False
    if not len(found["pectoral_left"]) and not len(found["pectoral_right"]):
        found["pectoral_left"], found["pectoral_right"] = _pectorals(model, measures, station, free, core)
    return found


def fin_columns(measures: Measures, sign: float) -> np.ndarray:
    """Mask of the columns with a fin on the back (sign 1) or under the belly (-1), (n,) bool."""
    edge, outer = (measures.back, measures.top) if sign > 0.0 else (-measures.belly, -measures.bottom)
    tall = measures.back - measures.belly
    fin = outer - edge > np.maximum(FIN_LEAST_LENGTHS, FIN_LEAST_SHARE * tall)
    fin &= measures.stations < measures.root
    steps = np.flatnonzero(np.diff(np.concatenate([[0], fin.astype(np.int8), [0]])))
    for begin, end in steps.reshape(-1, 2):
        flares = measures.stations[begin] > measures.root - TAIL_FLARE_LENGTHS
        if flares or (end - begin) * COLUMN_LENGTHS < FIN_SHORTEST_LENGTHS:
            fin[begin:end] = False
    return fin


def _stations(model: Model) -> np.ndarray:
    return np.asarray(model.vertices[:, 0].max() - model.vertices[:, 0])


def _median(
    model: Model, measures: Measures, station: np.ndarray, free: np.ndarray, core: np.ndarray, sign: float
) -> np.ndarray:
    """Vertices that stand over the body's edge where there is a fin on it, with all of a loose sheet that does."""
    fin = fin_columns(measures, sign)
    if sign < 0.0:
        fin &= measures.stations > ANAL_STATION
    if not fin.any():
        return np.zeros(0, dtype=np.int64)
    near = binary_dilation(fin, iterations=2)[np.clip((station / COLUMN_LENGTHS).astype(int), 0, len(fin) - 1)]
    edge = measures.at("back" if sign > 0.0 else "belly", station) * sign
    over = sign * model.vertices[:, 2] - edge
    thin = np.abs(model.vertices[:, 1]) < np.maximum(2.5 * RIM_LENGTHS, 0.3 * measures.at("half_width", station))
    own = free & thin & (over > 0.0) & near
    shells, count = model.shells, int(model.shells.max(initial=-1)) + 1
    sheet = np.bincount(shells, ~thin | core, count) == 0
    sheet &= np.bincount(shells, own, count) > 0.3 * np.bincount(shells, minlength=count)
    return np.flatnonzero(own | (free & sheet[shells]))


def eyes(model: Model, core: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Vertices of a pair of loose small balls in the head, left and right, the only one of its size.

    Args:
        model: Model in body lengths, x ahead, y left and z up, its mirror plane at y = 0.
        core: Mask of its body's vertices.
    """
    shells, count = model.shells, int(model.shells.max(initial=-1)) + 1
    low, high = np.full((count, 3), np.inf), np.full((count, 3), -np.inf)
    np.minimum.at(low, shells, model.vertices)
    np.maximum.at(high, shells, model.vertices)
    span = high - low
    loose = np.ones(count, dtype=bool)
    loose[shells[core]] = False
    middle = (low + high) / 2
    nose = float(model.vertices[:, 0].max())
    at = nose - middle[:, 0]
    flat, middling, most = _spreads(model, shells, count).T
    ball = loose & (span.max(axis=1) < EYE_LARGEST_LENGTHS) & (middling > EYE_ROUNDNESS * most)
    ball &= flat > EYE_FLATTEST * most
    ball &= (at > EYE_STATIONS[0]) & (at < EYE_STATIONS[1]) & (np.abs(middle[:, 1]) > 0.25 * span.max(axis=1))
    pairs = []
    left = np.flatnonzero(ball & (middle[:, 1] > 0.0))
    right = np.flatnonzero(ball & (middle[:, 1] < 0.0))
    for one in left:
        image = middle[one] * (1.0, -1.0, 1.0)
        off = np.linalg.norm(middle[right] - image, axis=1) if len(right) else np.zeros(0)
        if len(off) and off.min() < 0.5 * span[one].max():
            pairs.append((one, right[int(off.argmin())]))
    first = max((one for one, _ in pairs), key=lambda one: span[one].max(), default=0)
    largest = span[first].max() if pairs else 0.0
    apart = [np.linalg.norm(middle[one] - middle[first]) > largest for one, _ in pairs]
    alike = [span[one].max() > EYE_ALONE * largest for one, _ in pairs]
    if not pairs or np.logical_and(apart, alike).any():  # of several pairs alike, none is the eyes: they are teeth
        return np.zeros(0, dtype=np.int64), np.zeros(0, dtype=np.int64)
    rows = []
    for one in next(
        pair for pair in pairs if pair[0] == first
    ):  # with iris, pupil and lens, which are shells of their own within
        inside = np.linalg.norm(middle - middle[one], axis=1) < 0.5 * span[one].max()
        rows.append(np.flatnonzero((inside & loose & (span.max(axis=1) < 1.2 * span[one].max()))[shells]))
    return rows[0], rows[1]


def _spreads(model: Model, shells: np.ndarray, count: int) -> np.ndarray:
    """Spread of each piece's vertices along its principal axes, (count, 3), rising."""
    size = np.maximum(np.bincount(shells, minlength=count), 1)
    x = model.vertices
    middle = np.stack([np.bincount(shells, axis, count) / size for axis in x.T], axis=1)
    off = x - middle[shells]
    squares = [np.bincount(shells, off[:, i] * off[:, j], count) / size for i in range(3) for j in range(3)]
    return np.sqrt(np.maximum(np.linalg.eigvalsh(np.stack(squares, axis=1).reshape(-1, 3, 3)), 0.0))


def _pectorals(
    model: Model, measures: Measures, station: np.ndarray, free: np.ndarray, core: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """The piece on each side that reaches farthest off the flank behind the head."""
    x = model.vertices
    flank = flank_at(measures, station, x[:, 2])
    off = np.abs(x[:, 1]) - flank
    body = core & (off <= FLANK_CLEARANCE_LENGTHS + FLANK_CLEARANCE_SHARE * flank)
    low, high = PECTORAL_STATIONS
    near = free & (station > low) & (station < high + 0.2) & ~body & (np.abs(x[:, 1]) > RIM_LENGTHS)
    left, right = (_farthest(model, station, off, near & (side * x[:, 1] > 0.0)) for side in (1.0, -1.0))
    return left, right


def _farthest(model: Model, station: np.ndarray, off: np.ndarray, near: np.ndarray) -> np.ndarray:
    """The largest of the connected pieces among these vertices that are rooted behind the head."""
    none = np.zeros(0, dtype=np.int64)
    if not near.any():
        return none
    places = model.welded
    inside = np.zeros(int(places.max()) + 1, dtype=bool)
    inside[places[near]] = True
    triangles = places[model.triangles]
    a, b, c = triangles[inside[triangles].all(axis=1)].T
    links = coo_matrix((np.ones(2 * len(a), np.int8), (np.r_[a, b], np.r_[b, c])), shape=(len(inside),) * 2)
    label = connected_components(links, directed=False)[1][places]
    rows = np.flatnonzero(near)
    pieces, at = np.unique(label[rows], return_inverse=True)
    low, high = np.full((len(pieces), 3), np.inf), np.full((len(pieces), 3), -np.inf)
    np.minimum.at(low, at, model.vertices[rows])
    np.maximum.at(high, at, model.vertices[rows])
    root = np.full(len(pieces), np.inf)
    np.minimum.at(root, at, station[rows])
    size = np.linalg.norm(high - low, axis=1)
    reach = np.zeros(len(pieces))
    np.maximum.at(reach, at, off[rows])
    fit = (size > PECTORAL_LEAST_LENGTHS) & (root < PECTORAL_STATIONS[1]) & (reach > FLANK_CLEARANCE_LENGTHS)
    if not fit.any():
        return none
    return rows[at == int(np.argmax(np.where(fit, size, 0.0)))]


def flank_at(measures: Measures, station: np.ndarray, height: np.ndarray) -> np.ndarray:
    """Half the width of the body at stations and heights (n,), 0 over its back and under its belly."""
    back, belly, width = (measures.at(name, station) for name in ("back", "belly", "half_width"))
    middle = measures.at("widest", station)
    reach = np.where(height > middle, back - middle, middle - belly)
    share = np.clip(np.abs(height - middle) / np.maximum(reach, 1e-6), 0.0, 1.0)
    return np.asarray(width * np.sqrt(1.0 - share**2))
