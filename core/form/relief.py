"""The relief of a body: features that stand out of its surface, or are sunk into it, over the places of that surface.

The book's control points are the master form (Tu 1999, §5.1); what is finer than they are is a field of heights over
(u, v), computed from the numbers of `scene.relief.Relief`, the same on both flanks. Distances are measured on the body
at rest, so that a lip is as wide at the snout as at the corner of the mouth.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.spatial import cKDTree

from ..base.elementary import smooth_step
from ..scene.species import Species
from .nurbs import evaluate
from .surfaces import BODY_COLUMNS, BODY_ROWS, Patch, eyes, on_body, rest_surfaces
from .tuning import (
    CHEEK_SHARE,
    CORNEA_ANGLE,
    CORNEA_RADII,
    EYE_SKIN_RADII,
    GILL_MIDDLE,
    GILL_PLATE_LENGTHS,
    GILL_STEP_LENGTHS,
    GILL_TURN,
    JAW_BONE_MOUTHS,
    KEEL_HALF_WIDTH,
    LIP_CREST,
    LIP_TIP_WIDTHS,
    LIP_WANES,
    MOUTH_OPENING_LIPS,
    NOSTRIL_SHARES,
    POLE_SHARE,
    RIDGE_FLANK_SHARE,
    SLIT_DEPTH_LIPS,
    SLIT_LENGTHS,
    SLIT_SPACING_GILLS,
)

GRID = 256, 768
"""Places across and along half a body of the grid on which the relief is pictured."""
LEAST_LENGTHS = 1e-7
"""Heights in body lengths that count as none."""
LIP_REACH_WIDTHS = 2.6
"""Largest reach of the lips from the line between them, over the width of a lip: the end of the fold behind."""


@dataclass(frozen=True)
class ReliefField:
    """The relief of half a body over some places; every array is (m, n), u by v.

    Attributes:
        height: Height of the skin along the normal, in body lengths; below 0 where it is sunk.
        mouth: Inside of the mouth: 1 on the line where the lips meet, falling to 0 at the end of the widest open mouth.
        crease: Share of light that a fold keeps off, 0 to 1.
    """

    height: np.ndarray
    mouth: np.ndarray
    crease: np.ndarray


def pictured(species: Species) -> ReliefField:
    """The relief of a species over `GRID`, from back to belly and from nose to tail, at the middles of its cells."""
    u, v = ((np.arange(count) + 0.5) / count for count in GRID)
    return relief(species, u, v)


def relief(species: Species, u: np.ndarray, v: np.ndarray) -> ReliefField:
    """The relief of half a body.

    Args:
        species: The species.
        u: Places across, (m,), 0 on the back to 1 on the belly.
        v: Places along, (n,), 0 at the nose to 1 at the root of the tail.
    """
    body = _Body(species, np.asarray(u, float), np.asarray(v, float))
    gill, gill_crease = _gills(body)
    mouth, lips, lip_crease = _mouth(body)
    eye, eye_crease = _eye(body)
    pit, pit_crease = _nostrils(body)
    height = (gill + _cheek(body)) * (1.0 - mouth) + lips + eye + pit + _ridges(body)
    height = height * smooth_step(body.along / POLE_SHARE)
    crease = np.maximum.reduce([gill_crease, lip_crease, eye_crease, pit_crease])
    return ReliefField(np.where(np.abs(height) < LEAST_LENGTHS, 0.0, height), mouth, np.clip(crease, 0.0, 1.0))


def eyeball(angle: np.ndarray) -> np.ndarray:
    """Distance of an eyeball's surface from its centre, over its radius, at angles in radians from the pupil's middle.

    The cornea bulges out of the ball.
    """
    return 1.0 + CORNEA_RADII * _hill(np.asarray(angle, float) / CORNEA_ANGLE)


class _Body:
    """Half a body at rest, and places on it.

    Attributes:
        species: The species.
        along: Places along, (1, n), 0 at the nose to 1.
        up: Places across, (m, 1), 0 on the belly to 1 on the back.
        points: Positions of the places, (m, n, 3) in body lengths.
        nose: Position of the nose, (3,).
    """

    def __init__(self, species: Species, u: np.ndarray, v: np.ndarray) -> None:
        self.species = species
        self._patch: Patch = rest_surfaces(species)["body_left"]
        self.along, self.up = v[None, :], 1.0 - u[:, None]
        self.points = self.grid(u, v)
        self.nose = self._patch.points[0, 0]

    def grid(self, u: np.ndarray, v: np.ndarray) -> np.ndarray:
        """Points (m, n, 3) at places 0 to 1."""
        return evaluate(self._patch.points, 3, 3, u * (BODY_ROWS - 3.0), v * (BODY_COLUMNS - 3.0))

    def line(self, up: np.ndarray, along: np.ndarray) -> np.ndarray:
        """Points (n, 3) of a line over the surface."""
        places = np.stack([(1.0 - up) * (BODY_ROWS - 3.0), along * (BODY_COLUMNS - 3.0)], axis=1)
        return on_body(self._patch.points, places)

    def behind(self, edge: np.ndarray) -> np.ndarray:
        """The distance of places behind a line across the body, in body lengths along it, (m, n).

        Args:
            edge: Place of the line along the body, (m, 1).
        """
        middle = self.grid(np.array([0.5]), np.linspace(0.0, 1.0, 513))[0]
        way = np.concatenate([[0.0], np.cumsum(np.linalg.norm(np.diff(middle, axis=0), axis=1))])
        places = np.linspace(0.0, 1.0, 513)
        return np.interp(self.along, places, way) - np.interp(edge, places, way)


def over(species: Species, u: np.ndarray, v: np.ndarray) -> np.ndarray:
    """The height of the skin about places far from one another: the mean over the points nearest to each.

    Args:
        species: The species.
        u: Places across, (m,), rising from 0 to 1.
        v: Places along, (n,), likewise.

    Returns:
        (m, n), in body lengths.
    """
    return _nearest_mean(relief(species, _between(u), _between(v)).height)


def _between(places: np.ndarray) -> np.ndarray:
    """Each of these places, and one a third of the way to its neighbours on either side."""
    step = np.gradient(places) / 3.0
    return np.clip(np.stack([places - step, places, places + step], axis=1), 0.0, 1.0).ravel()


def _nearest_mean(fine: np.ndarray) -> np.ndarray:
    m, n = (count // 3 for count in fine.shape)
    return fine.reshape(m, 3, n, 3).mean(axis=(1, 3))


def _hill(x: np.ndarray) -> np.ndarray:
    """A hill of height 1 over (-1, 1) that begins and ends level; 0 beyond."""
    return np.square(np.maximum(1.0 - np.square(x), 0.0))


def _plate(behind: np.ndarray, reach: float, height: float, step: float = GILL_STEP_LENGTHS) -> np.ndarray:
    """The height of a plate that rises over its reach to an edge, from which it falls into a groove."""
    rise = smooth_step(1.0 + behind / reach) * (behind <= 0.0)
    fall = 1.0 - smooth_step(behind / step)
    groove = 0.3 * _hill((behind - 1.3 * step) / (1.2 * step))
    return height * (np.where(behind <= 0.0, rise, fall) - groove)


def _gills(body: _Body) -> tuple[np.ndarray, np.ndarray]:
    """Height of gill covers or slits, and the shade in their folds."""
    relief, looks = body.species.relief, body.species.looks
    level = (body.up - GILL_MIDDLE) / (0.5 * relief.gill_height)
    there = _hill(0.9 * level)
    if not relief.gill_slits:
        edge = looks.gill - relief.gill_bow * np.square(level)
        behind = body.behind(edge)
        height = _plate(behind, GILL_PLATE_LENGTHS, relief.gill_edge)
        # The groove between cheek and cover turns forward under the cheek.
        low = level + 0.35
        groove = body.behind(looks.gill * (1.0 - CHEEK_SHARE) - relief.gill_bow * GILL_TURN * np.square(low))
        inner = _plate(groove, 0.7 * GILL_PLATE_LENGTHS, relief.cheek_edge, 1.5 * GILL_STEP_LENGTHS) * _hill(low / 1.1)
        crease = _hill((behind - 1.2 * GILL_STEP_LENGTHS) / (1.3 * GILL_STEP_LENGTHS))
        inner_crease = 0.25 * _hill((groove - 1.8 * GILL_STEP_LENGTHS) / (2.2 * GILL_STEP_LENGTHS)) * _hill(low / 1.1)
        return (height + inner) * there, np.maximum(crease, inner_crease * (relief.cheek_edge > 0.0)) * there
    height, crease = np.zeros(body.points.shape[:2]), np.zeros(body.points.shape[:2])
    for slit in range(relief.gill_slits):
        edge = looks.gill * (1.0 - SLIT_SPACING_GILLS * slit) - relief.gill_bow * np.square(level)
        behind = body.behind(edge)
        height = height + _plate(behind, 0.3 * GILL_PLATE_LENGTHS, relief.gill_edge, 0.6 * GILL_STEP_LENGTHS)
        crease = np.maximum(crease, _hill((behind - 0.7 * GILL_STEP_LENGTHS) / (0.9 * GILL_STEP_LENGTHS)))
    return height * there, crease * there


def _cheek(body: _Body) -> np.ndarray:
    """The bulge of the cheek, between mouth, eye and gill cover."""
    relief, looks = body.species.relief, body.species.looks
    middle = 0.5 * (looks.mouth + looks.gill)
    return relief.cheek * _hill((body.along - middle) / (0.45 * looks.gill)) * _hill((body.up - 0.36) / 0.3)


def mouth_line(species: Species, count: int = 801) -> tuple[np.ndarray, np.ndarray]:
    """The line between the left half's lips, from mid mouth to its corner: up and along, (count,) each."""
    relief, looks = species.relief, species.looks
    share = np.linspace(0.0, 1.0, count)
    if relief.mouth_under == 0.0:
        return looks.mouth_up + relief.mouth_slant * share, looks.mouth * share
    angle = 0.5 * np.pi * share
    return looks.mouth_up * np.sin(angle), relief.mouth_under + looks.mouth * (1.0 - np.cos(angle))


def _mouth(body: _Body) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The inside of the mouth, the height of lips and jaw bones, and the shade between the lips."""
    relief, looks = body.species.relief, body.species.looks
    shape = body.points.shape[:2]
    if looks.mouth == 0.0:
        return np.zeros(shape), np.zeros(shape), np.zeros(shape)
    up, along = mouth_line(body.species)
    line = body.line(up, along)
    reach = max(LIP_REACH_WIDTHS * relief.lip_width, SLIT_LENGTHS)  # beyond it, the distance counts as infinite
    distance, nearest = cKDTree(line).query(body.points.reshape(-1, 3), distance_upper_bound=reach)
    distance, share = np.reshape(distance, shape), np.reshape(nearest, shape).clip(0, len(line) - 1) / (len(line) - 1)
    # Lips and slit run out at the corner of the mouth, and come together at the tip of the snout.
    tip = smooth_step(np.linalg.norm(body.points - body.nose, axis=-1) / (LIP_TIP_WIDTHS * relief.lip_width))
    taper = (1.0 - smooth_step((share - LIP_WANES) / (1.0 - LIP_WANES))) * tip
    width = relief.lip_width * (0.35 + 0.65 * taper)
    lips = relief.lips * taper * _lip(distance / width)
    slit = _hill(distance / SLIT_LENGTHS) * taper
    inside = np.clip(1.0 - distance / (MOUTH_OPENING_LIPS * width), 0.0, 1.0)
    below = np.interp(body.along, along, up) if relief.mouth_under == 0.0 else np.full(body.along.shape, looks.mouth_up)
    plate = _hill((body.along - 0.75 * looks.mouth) / (JAW_BONE_MOUTHS * looks.mouth))
    plate = plate * _hill((body.up - below - 0.07) / 0.09) * (relief.mouth_under == 0.0)
    height = lips - SLIT_DEPTH_LIPS * relief.lips * slit + relief.jaw_bone * smooth_step(2.5 * plate)
    crease = np.maximum(slit, 0.2 * _hill((distance - 2.1 * width) / (0.6 * width)) * taper)
    return inside, height, crease


def _lip(distance: np.ndarray) -> np.ndarray:
    """The height of a lip, 0 to 1, at distances in its widths from where it meets the other."""
    behind = (distance - LIP_CREST) / (LIP_REACH_WIDTHS - LIP_CREST)
    return smooth_step(distance / LIP_CREST) * (1.0 - smooth_step(behind))


def _eye(body: _Body) -> tuple[np.ndarray, np.ndarray]:
    """The rim of the eye socket, the brow over it, and the shade about the eyeball."""
    species = body.species
    centres, radius, outward = eyes(species)
    off = body.points - centres[0]
    ahead = np.sum(off * outward[0], axis=-1)
    across = off - ahead[..., None] * outward[0]
    distance = np.linalg.norm(across, axis=-1) / radius
    near = smooth_step(1.5 + ahead / radius)  # not on the other flank of a thin head
    # No socket is a ring: it is highest behind and below the eye.
    around = (across[..., 0] + across[..., 2]) / np.maximum(radius * distance, 1e-9)
    uneven = 0.75 - 0.25 * around / np.sqrt(2.0)
    rim = species.relief.eye_rim * radius * uneven * _hill((distance - EYE_SKIN_RADII - 0.3) / 0.6)
    moat = -0.3 * species.relief.eye_rim * radius * _hill((distance - EYE_SKIN_RADII) / 0.16)
    brow = species.relief.brow * _hill(np.hypot(across[..., 0] / 2.2, across[..., 2] - 1.15 * radius) / (1.1 * radius))
    fold = 0.7 * _hill((distance - EYE_SKIN_RADII) / 0.13)
    return (rim + moat + brow) * near, fold * near * (species.relief.eye_rim > 0.0)


def _nostrils(body: _Body) -> tuple[np.ndarray, np.ndarray]:
    """Two pits a side between snout and eye."""
    species, size = body.species, body.species.relief.nostril
    shape = body.points.shape[:2]
    height, crease = np.zeros(shape), np.zeros(shape)
    if size == 0.0:
        return height, crease
    centre, radius, outward = eyes(species)
    eye = centre[0] + radius * outward[0]
    rows = body.grid(np.linspace(0.0, 0.5, 41), np.linspace(0.0, 0.4, 81))
    for share, big in zip(NOSTRIL_SHARES, (0.75, 1.0), strict=True):
        x = body.nose[0] + share * (eye[0] - body.nose[0])
        z = body.nose[2] + (share + 0.12) * (eye[2] - body.nose[2])
        miss = np.hypot(rows[..., 0] - x, rows[..., 2] - z)
        place = rows.reshape(-1, 3)[np.argmin(miss)]
        distance = np.linalg.norm(body.points - place, axis=-1) / (big * size)
        height += size * (0.3 * _hill((distance - 1.1) / 0.8) - 0.7 * _hill(distance / 0.9))
        crease = np.maximum(crease, _hill(distance / 0.95))
    return height, crease


def _ridges(body: _Body) -> np.ndarray:
    """The ridges of back and belly, and the keels of the tail's root."""
    relief = body.species.relief
    long = _hill(2.0 * body.along - 1.0)
    back = relief.back_ridge * _hill((1.0 - body.up) / RIDGE_FLANK_SHARE)
    belly = relief.belly_ridge * _hill(body.up / RIDGE_FLANK_SHARE)
    keel = relief.tail_keel * _hill((body.up - 0.5) / KEEL_HALF_WIDTH) * _hill((body.along - 0.88) / 0.12)
    return (back + belly) * long + keel
