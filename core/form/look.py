"""The looks of a living fish beside its strokes: gill covers, fins that fold, a tail that gives, eyes that turn.

The book's fish has a mouth that opens and pectoral fins that move; the rest is ours, and off where a species has it
at 0 (`scene.bearing.Bearing`).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..base.elementary import cos
from ..base.sums import weighted
from ..base.vectors import dot, norm, unit
from ..body.anatomy import LOWER_TIP_NODE, MASS_SHARES, RING_NODES, UPPER_TIP_NODE
from ..scene.bearing import Bearing
from .tuning import BREATH_PEAK, FOLDED_ANGLE, GILL_REACH, GIVING_SPEED


@dataclass(frozen=True)
class Look:
    """The looks of fishes at some moments; every array leads with the same axes, (...).

    Attributes:
        breath: Opening of gill covers and mouth for a breath, 0 to 1, (..., 2).
        fold: Folding of median and pectoral fins, 0 to 1, (..., 2).
        tail: Trail of the tail's rear edge, left positive, -1 to 1, (...).
        gaze: Angles of each eye ahead and up in radians, left eye first, (..., 2, 2).
    """

    breath: np.ndarray
    fold: np.ndarray
    tail: np.ndarray
    gaze: np.ndarray


def gape(bearing: Bearing, mouth: np.ndarray, breath: np.ndarray) -> np.ndarray:
    """The opening of mouths for bites and breaths, (...), 0 to 1.

    Args:
        bearing: Bearing of the species.
        mouth: Opening for a bite, (...), 0 to 1.
        breath: Breath as `Look.breath` has it, (..., 2).
    """
    return np.maximum(mouth, bearing.sip * (bearing.breath > 0.0) * breath[..., 1])


def trailing(nodes: np.ndarray, velocity: np.ndarray, length: np.ndarray) -> np.ndarray:
    """The trail of the rear edge of tails, left positive, -1 to 1: beyond its bones a fin gives way to the water.

    Args:
        nodes: (..., 23, 3) in metres.
        velocity: Velocities of the nodes in m/s, likewise.
        length: Lengths of the bodies in metres, (...).
    """
    tips = 0.5 * (velocity[..., UPPER_TIP_NODE, :] + velocity[..., LOWER_TIP_NODE, :])
    stroke = tips - weighted(MASS_SHARES, velocity)
    sideways = dot(stroke, tail_side(nodes)) / length
    return -sideways / np.sqrt(np.square(sideways) + GIVING_SPEED**2)


def tail_side(nodes: np.ndarray) -> np.ndarray:
    """The direction to the left at the root of the tail, (..., 3), unit, of nodes (..., 23, 3)."""
    left_top, right_top, right_bottom, left_bottom = (nodes[..., node, :] for node in RING_NODES[-1])
    return unit(left_top + left_bottom - right_top - right_bottom)


def laid_down(fin: np.ndarray, fold: np.ndarray) -> np.ndarray:
    """A median fin whose rays lie down towards the rear.

    Args:
        fin: Control points (..., 2, rays, 3): the root's, then the outer edge's, from the front.
        fold: 0 as they stand, 1 as flat as they lie, (...).
    """
    root, ray = fin[..., 0, :, :], fin[..., 1, :, :] - fin[..., 0, :, :]
    along = unit(np.gradient(root, axis=-2))
    back = dot(ray, along)
    stand = ray - back[..., None] * along
    height = norm(stand)
    lean = np.arctan2(back, height)
    lean = lean + np.asarray(fold)[..., None] * np.maximum(FOLDED_ANGLE - lean, 0.0)
    size = np.hypot(back, height)
    ray = (size * np.sin(lean))[..., None] * along + (size * np.cos(lean))[..., None] * unit(stand)
    return np.stack([root, root + ray], axis=-3)


def trailed(fin: np.ndarray, bend: np.ndarray, side: np.ndarray) -> np.ndarray:
    """A caudal fin that bends from its root to its rear edge, as a parabola.

    Args:
        fin: Control points (..., rows, columns, 3), columns from root to rear edge.
        bend: Angle of the rear edge in radians, left positive, (...).
        side: The direction to the left, (..., 3).
    """
    chord = norm(fin[..., -1, :] - fin[..., 0, :])[..., None]
    share = np.square(np.linspace(0.0, 1.0, fin.shape[-2]))
    return fin + (0.5 * np.asarray(bend)[..., None, None] * chord * share)[..., None] * side[..., None, None, :]


def gill_cover(along: np.ndarray, gill: float, rows: int) -> np.ndarray:
    """The motion outwards of each control point of a half of the body under a lifted gill cover, (rows, columns).

    Args:
        along: Places of its columns on the body, 0 at the nose to 1, (columns,).
        gill: Place of the cover's end.
        rows: Number of rows from back to belly.
    """
    before = np.square(np.clip(1.0 - (gill - along) / GILL_REACH, 0.0, 1.0)) * (along <= gill)  # the cheek is still
    height = np.linspace(-1.0, 1.0, rows)
    return (1.0 - np.square(height))[:, None] * before


def eye_turns(gaze: np.ndarray, outward: np.ndarray) -> np.ndarray:
    """Rotations (..., 2, 3, 3) of eyes, in the fish's own frame.

    Args:
        gaze: Angles of each ahead and up in radians, (..., 2, 2).
        outward: Their directions at rest, (2, 3), unit.
    """
    ahead, up = eye_axes(outward)
    way = gaze[..., 0, None] * ahead + gaze[..., 1, None] * up
    angle = norm(way)[..., None, None]
    x, y, z = np.moveaxis(unit(np.cross(outward, way)), -1, 0)
    none = np.zeros_like(x)
    skew = np.stack([none, -z, y, z, none, -x, -y, x, none], axis=-1).reshape(*x.shape, 3, 3)
    return np.eye(3) + np.sin(angle) * skew + (1.0 - np.cos(angle)) * (skew @ skew)


def eye_axes(outward: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The directions ahead and up, (2, 3) each, in which eyes turn that look outward (2, 3) at rest."""
    ahead = unit(np.array([1.0, 0.0, 0.0]) - outward[:, :1] * outward)
    return ahead, np.cross(outward, ahead) * np.array([[-1.0], [1.0]])


def breath_of(phase: np.ndarray) -> np.ndarray:
    """The opening of gill covers and mouth at a phase of a breath in radians, (..., 2): the mouth opens first."""
    both = np.stack([phase, phase + BREATH_PEAK], axis=-1)
    return 0.5 - 0.5 * cos(both)
