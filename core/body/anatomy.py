"""The anatomy of the biomechanical fish: 23 nodes, 91 units, 12 muscles and 4 of ours, 42 triangles (Tu 1999, §4.2).

Node 0 is the nose. Five rings of four follow, 1-4, 5-8, 9-12, 13-16 and 17-20, each in the order left-top,
right-top, right-bottom, left-bottom. Nodes 21 and 22 are the upper and lower tips of the tail. In the fish's own
frame x points ahead, y to its left and z up.
"""

from __future__ import annotations

from math import fsum

import numpy as np

from ..base.constants import constant
from ..base.elementary import arctan2
from ..base.sums import mean
from ..base.vectors import cross, dot, unit
from ..compiled import compiled, takes, writes
from ..scene.physique import Body

NODES = 23
RING_NODES = constant(np.arange(1, 21).reshape(5, 4))
NOSE_NODE, UPPER_TIP_NODE, LOWER_TIP_NODE = 0, 21, 22
MIRROR_NODES = np.arange(NODES)
"""The node on the other side of each, itself where it lies in the middle, (23,)."""
MIRROR_NODES[RING_NODES] = RING_NODES[:, [1, 0, 3, 2]]
constant(MIRROR_NODES)

# Tables 4.1 and 4.2, in the book's units. The table leaves node 20 out; it has 1.1, as its ring.
MASSES = constant(np.array([1.1] + [6.6] * 4 + [11.0] * 4 + [6.6] * 4 + [1.1] * 8 + [0.165] * 2))
MASS_SHARES = constant(MASSES / fsum(MASSES))
"""Share of a body's mass that each node has, (23,)."""
CROSS_ELASTICITY, MUSCLE_ELASTICITY, OTHER_ELASTICITY = 38.0, 28.0, 30.0
BOOK_STEP = 0.055
BOOK_RATE = 0.075  # s_max, the most that a rest length changes in one step of 0.055


def _units() -> list[tuple[int, int, float]]:
    """Every unit as (node, node, elasticity of table 4.2): muscles, then nose, rings, segments, tail."""
    units = [(NOSE_NODE, node, OTHER_ELASTICITY) for node in RING_NODES[0]]
    for ring in RING_NODES:
        lt, rt, rb, lb = ring
        units += [
            (lt, rt, OTHER_ELASTICITY),
            (rt, rb, OTHER_ELASTICITY),
            (rb, lb, OTHER_ELASTICITY),
            (lt, lb, OTHER_ELASTICITY),
        ]
        units += [(lt, rb, CROSS_ELASTICITY), (rt, lb, CROSS_ELASTICITY)]
    for segment, (front, back) in enumerate(zip(RING_NODES[:-1], RING_NODES[1:], strict=True)):
        lengthwise = MUSCLE_ELASTICITY if segment < 3 else OTHER_ELASTICITY
        units += [(a, b, lengthwise) for a, b in zip(front, back, strict=True)]
        for side in range(4):
            after = (side + 1) % 4
            units += [(front[side], back[after], CROSS_ELASTICITY), (front[after], back[side], CROSS_ELASTICITY)]
    units += [(node, tip, OTHER_ELASTICITY) for tip in (UPPER_TIP_NODE, LOWER_TIP_NODE) for node in RING_NODES[-1]]
    units.append((UPPER_TIP_NODE, LOWER_TIP_NODE, OTHER_ELASTICITY))
    return sorted(units, key=lambda unit: unit[2] != MUSCLE_ELASTICITY)


_UNITS = _units()
UNITS = constant(np.array([(i, j) for i, j, _ in _UNITS]))
"""Nodes of each viscoelastic unit, (91, 2), the lower number first."""
ELASTICITY = constant(np.array([c for _, _, c in _UNITS]))
"""Elasticity of each unit, (91,), table 4.2."""
MUSCLES = constant(np.array([int(np.flatnonzero((UNITS == (i, i + 4)).all(axis=1))[0]) for i in range(1, 13)]))
"""Rows of UNITS that are muscles, (12,): units (i, i+4) for i = 1..12, three segments of four from front to back."""
TAIL_UNITS = constant(np.flatnonzero(UNITS[:, 1] >= UPPER_TIP_NODE))
"""Rows of UNITS that are the tail's fin, (9,)."""
PEDUNCLE_MUSCLES = constant(
    np.array([int(np.flatnonzero((UNITS == (i, i + 4)).all(axis=1))[0]) for i in range(13, 17)])
)
"""Rows of UNITS that are muscles of a species whose peduncle has some, (4,); the book's fish has none there."""
LEFT_MUSCLES = constant(np.array([True, False, False, True] * 3))
"""Mask of the muscles on the fish's left, (12,) bool; those of a peduncle are as any other segment's."""


def _faces() -> list[tuple[int, int, int]]:
    """Triangles of the closed skin, wound so that their normals point outwards."""
    faces = [(NOSE_NODE, RING_NODES[0][side], RING_NODES[0][(side + 1) % 4]) for side in range(4)]
    for segment, (front, back) in enumerate(zip(RING_NODES[:-1], RING_NODES[1:], strict=True)):
        for side in range(4):
            after = (side + 1) % 4
            a, b, c, d = front[side], front[after], back[after], back[side]
            # Left mirrors right; the diagonals of back and belly alternate, so that neither flank is favoured.
            mirrored = side == 3 or (side != 1 and segment % 2 == 0)
            faces += [(a, c, b), (a, d, c)] if mirrored else [(a, d, b), (b, d, c)]
    lt, rt, rb, lb = RING_NODES[-1]
    faces += [(lt, UPPER_TIP_NODE, rt), (rb, LOWER_TIP_NODE, lb)]
    faces += [
        (rt, LOWER_TIP_NODE, rb),
        (rt, UPPER_TIP_NODE, LOWER_TIP_NODE),
        (lb, LOWER_TIP_NODE, lt),
        (lt, LOWER_TIP_NODE, UPPER_TIP_NODE),
    ]
    return faces


FACES = constant(np.array(_faces()))
"""Nodes of each triangle of the skin, (42, 3), counter-clockwise seen from outside."""
TRUNK_FACES = constant(np.arange(38))
"""Rows of FACES behind which the water closes on a streamlined fish: all but the last four, the sides of the tail."""


def rest_nodes(body: Body) -> np.ndarray:
    """The nodes at rest.

    Args:
        body: Proportions in body lengths.

    Returns:
        Positions, (23, 3) float64, in body lengths in the fish's own frame; the origin is the middle of the
        second ring, as in Yu and Terzopoulos, eq. 1.
    """
    nodes = np.zeros((NODES, 3))
    middle = body.stations[1]
    nodes[NOSE_NODE] = (middle, 0.0, 0.0)
    for ring, station, height, width, rise in zip(
        RING_NODES, body.stations, body.half_heights, body.half_widths, body.rise, strict=True
    ):
        nodes[ring, 0] = middle - station
        nodes[ring, 1] = (width, -width, -width, width)
        nodes[ring, 2] = (rise + height, rise + height, rise - height, rise - height)
    nodes[UPPER_TIP_NODE] = (middle - 1.0, 0.0, body.tail_half_height)
    nodes[LOWER_TIP_NODE] = (middle - 1.0, 0.0, -body.tail_half_height)
    nodes[:, 2] -= body.rise[1]
    return nodes


FRAMES_A_THREAD = 2000
"""Fewest fishes whose frames are worth a thread of their own."""

BODY_FRAME = compiled(
    "body_frame",
    over="n",
    least=FRAMES_A_THREAD,
    nodes=takes("f8", "*n", 23, 3),
    origins=writes("f8", "*n", 3),
    frames=writes("f8", "*n", 3, 3),
)


def body_frame(nodes: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The fish's own frame, after Yu and Terzopoulos, eq. 1-4, with our axes.

    The long axis runs from the middle of the second ring to the nose; the up direction is the mean of left and
    right flank of that ring, where the paper takes the right flank alone.

    Args:
        nodes: (..., 23, 3) positions.

    Returns:
        The origin (..., 3), the middle of the second ring, and the rotation (..., 3, 3), whose columns are the
        unit vectors ahead, left and up in world coordinates.
    """
    origins, frames = np.empty((*nodes.shape[:-2], 3)), np.empty((*nodes.shape[:-2], 3, 3))
    BODY_FRAME(nodes=nodes, origins=origins, frames=frames)
    return origins, frames


def frame_from(ahead: np.ndarray, up: np.ndarray) -> np.ndarray:
    """Rotations (..., 3, 3) whose columns point ahead, left and up, from two directions (..., 3) of any length."""
    ahead = unit(ahead)
    left = unit(cross(up, ahead))
    return np.stack([ahead, left, cross(ahead, left)], axis=-1)


def tail_bend(nodes: np.ndarray) -> np.ndarray:
    """Angle of the root of the tail off the line of the head, left positive, (...) in radians.

    Args:
        nodes: Positions (..., 23, 3).
    """
    origin, axes = body_frame(nodes)
    tail = mean(nodes[..., RING_NODES[-1], :], axis=-2) - origin
    return arctan2(dot(tail, axes[..., 1]), -dot(tail, axes[..., 0]))
