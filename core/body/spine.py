"""The body as a bent rod: seven groups of nodes (nose, rings, tail) with a frame each, strung on a curved axis."""

from __future__ import annotations

import numpy as np

from ..base.memory import aligned
from .anatomy import LOWER_TIP_NODE, NODES, RING_NODES, UPPER_TIP_NODE
from .dynamics import BodyModel

NODE_GROUPS = np.array([0] + [1] * 4 + [2] * 4 + [3] * 4 + [4] * 4 + [5] * 4 + [6] * 2)
"""The group of each node, (23,)."""
SHOULDER_GROUP, TAIL_GROUP = 2, 6
"""The groups that carry the pectoral fins and the tips of the tail."""

UP_AXIS, AHEAD_AXIS, LEFT_AXIS = 0, 1, 2
"""The order of a frame's unit vectors."""

CYCLED_AXES = np.array([0, 1, 2, 0, 1])
"""The components x y z x y: a cross product of vectors written so is three operations on whole arrays, (5,)."""

_ROWS = np.arange(60).reshape(3, 20)
MEASURES_ORDER = np.concatenate(
    [_ROWS[CYCLED_AXES, 6:13].ravel(), _ROWS[CYCLED_AXES, 13:].ravel(), _ROWS[:, :6].ravel()]
)
"""What `_measures` finds, component by component, sorted: axes and ups as x y z x y, then segments as x y z, (88,)."""

NODES_TO_MIDDLES = np.array([(NODE_GROUPS == group) / np.sum(NODE_GROUPS == group) for group in range(7)])
"""The map from nodes to the middles of the groups, (7, 23)."""


def _measures(rest: np.ndarray) -> np.ndarray:
    """The maps from nodes to the six segments between the groups' middles and to the groups' axes and ups, (20, 23).

    Segments are measured in their lengths at rest (23, 3). A group's axis is the sum of the segments beside it.
    """
    segments = NODES_TO_MIDDLES[:-1] - NODES_TO_MIDDLES[1:]
    segments /= np.linalg.norm(segments @ rest, axis=1, keepdims=True)
    axes = np.concatenate([segments[:1], segments[:-1] + segments[1:], segments[-1:]])
    ups = np.zeros((7, NODES))
    for group, ring in enumerate(RING_NODES, start=1):
        ups[group, ring] = (1, 1, -1, -1)
    ups[0] = ups[1]
    ups[6, [UPPER_TIP_NODE, LOWER_TIP_NODE]] = (1, -1)
    return np.concatenate([segments, axes, ups])


class Spine:
    """The frames of the groups of a block of fishes, and what they say of how a bent body stretches.

    A straight body that moves sideways, each group along its own left, is not stretched, nor is one that rolls, each
    group about its own axis. A bent one is: outwards is longer. `unfold` and `fold` change between velocities in the
    groups' own frames and velocities of a body that forgets its bend: there everything ahead of a segment is shifted
    and pitched against everything behind it by what the bend makes of sideways motion and roll, so that a motion
    stretches the bent body as it would the straight one.

    Attributes:
        frames: Unit vectors up, ahead and left of each group, (3, 3, 7, fish), component second. In this order what
            a lateral bend couples lies together.
    """

    def __init__(self, model: BodyModel, fishes: int, dtype: type = np.float64):
        """Prepares for blocks of this many fishes in this precision."""
        self._map = _measures(model.rest).astype(dtype)
        leftward, moved = bend_maps(model)
        self._leftward, self._moved = leftward.astype(dtype), moved.astype(dtype)
        self._leftward_back, self._moved_back = (np.ascontiguousarray(a.T) for a in (self._leftward, self._moved))
        self._middles = np.concatenate([NODES_TO_MIDDLES[:-1], -NODES_TO_MIDDLES[1:]]).astype(dtype)
        self._middles_back = np.ascontiguousarray(self._middles.T)
        self._along = np.ascontiguousarray(self._moved[NODES:, :12])
        self._along_back = np.ascontiguousarray(np.tile(self._along[:, :6].T, (2, 1)))
        self.frames = aligned((3, 3, 7, fishes), dtype)
        # The lefts of the groups before and behind each segment.
        self._lefts = np.lib.stride_tricks.sliding_window_view(self.frames[LEFT_AXIS], 6, axis=1).transpose(0, 1, 3, 2)
        self._slant = aligned((2, 12, fishes), dtype)
        self.measure(np.repeat(model.rest.T[:, :, None], fishes, axis=2).astype(dtype))

    def measure(self, x: np.ndarray) -> np.ndarray:
        """Takes the measure of positions (3, 23, fish); `frames`."""
        found = np.matmul(self._map, x).reshape(60, -1).take(MEASURES_ORDER, axis=0, mode="clip")
        (axes, ups), segments = found[:70].reshape(2, 5, 7, -1), found[70:].reshape(3, 6, -1)
        up, level = self.frames[UP_AXIS], self.frames[AHEAD_AXIS:]
        level[0] = axes[:3]
        cross(ups, axes, out=level[1])
        level /= np.sqrt(np.einsum("acgf,acgf->agf", level, level))[:, None]
        ahead, left = level.take(CYCLED_AXES, axis=1, mode="clip")
        cross(ahead, left, out=up)
        np.einsum("cesf,csf->esf", self._lefts, segments, out=self._slant[0].reshape(2, 6, -1))
        self._slant[1] = self._slant[0]  # twice, for NumPy is fastest on arrays of one shape
        return self.frames

    def fold(self, velocity: np.ndarray) -> None:
        """Velocities of the straight body, (3, 23, fish), become those in the groups' frames, in place."""
        level, left = velocity[:LEFT_AXIS], velocity[LEFT_AXIS]
        left += self._slither(velocity)
        level -= self._bend(velocity)

    def unfold(self, velocity: np.ndarray) -> None:
        """Velocities in the groups' frames, (3, 23, fish), become those of the straight body, in place."""
        level, left = velocity[:LEFT_AXIS], velocity[LEFT_AXIS]
        level += self._bend(velocity)
        left -= self._slither(velocity)

    def unfold_force(self, force: np.ndarray) -> None:
        """Forces in the groups' frames, (3, 23, fish), become those on the straight body, in place.

        The work that a force does is the same on both: a squeezed axis presses a bent body outwards.
        """
        ahead, left = force[AHEAD_AXIS], force[LEFT_AXIS]
        pressed = np.dot(self._moved_back, force[:LEFT_AXIS].reshape(2 * NODES, -1)).reshape(2, 12, -1)
        pressed *= self._slant
        left -= np.dot(self._leftward_back, pressed.reshape(24, -1))
        pressed = np.dot(self._along_back, left)
        pressed *= self._slant[0]
        ahead += np.dot(self._middles_back, pressed)

    def _slither(self, velocity: np.ndarray) -> np.ndarray:
        """What the bend makes of motion ahead: motion to the left, (23, fish)."""
        along = np.dot(self._middles, velocity[AHEAD_AXIS])
        along *= self._slant[0]
        return np.dot(self._along, along)

    def _bend(self, velocity: np.ndarray) -> np.ndarray:
        """What the bend makes of motion to the left: motion up and ahead, (2, 23, fish)."""
        leftward = np.dot(self._leftward, velocity[LEFT_AXIS]).reshape(2, 12, -1)
        leftward *= self._slant
        return np.dot(self._moved, leftward.reshape(24, -1)).reshape(2, NODES, -1)


def bend_maps(model: BodyModel) -> tuple[np.ndarray, np.ndarray]:
    """The maps from the nodes' motion to the left to that of the segments' ends, and from there to the nodes.

    The former, (24, 23), gives the leftward speed and the roll, each before and then behind each segment, the latter
    counted negative. The latter, (46, 24), gives the motion up and ahead.
    """
    x, _, z = model.rest.T
    middle = NODES_TO_MIDDLES @ x, NODES_TO_MIDDLES @ z
    height = z - middle[1][NODE_GROUPS]
    rolls = np.zeros((7, NODES))
    for group in range(7):
        own = np.flatnonzero(group == NODE_GROUPS)
        if len(own) > 1:
            rolls[group, own] = -height[own] / (height[own] ** 2).sum()
    rolls[0] = rolls[1]  # the nose has no roll of its own
    leftward = np.stack([[NODES_TO_MIDDLES[:-1], -NODES_TO_MIDDLES[1:]], [rolls[:-1], -rolls[1:]]]).reshape(24, NODES)
    ahead = 1.0 * (np.arange(6)[None, :] >= NODE_GROUPS[:, None])  # which nodes lie ahead of which segment, (23, 6)
    hinges = [0.5 * (m[:-1] + m[1:]) for m in middle]
    still = np.zeros((NODES, 6))
    shift = np.stack([still, ahead])
    # A roll about axes that turn left from behind to ahead pitches what is ahead upwards or downwards.
    pitch = np.stack([ahead * (x[:, None] - hinges[0]), -ahead * (z[:, None] - hinges[1])])
    shares = model.masses / model.mass
    moved = np.stack([shift, pitch])  # kind, component, node, segment
    moved -= np.einsum("n,kcns->kcs", shares, moved)[:, :, None]
    moved = np.repeat(moved[:, None], 2, axis=1)  # kind, end, component, node, segment
    return leftward, moved.transpose(2, 3, 0, 1, 4).reshape(2 * NODES, 24)


def cross(first: np.ndarray, second: np.ndarray, out: np.ndarray) -> None:
    """Fills `out` with first x second, (3, ...), of vectors written x y z x y, (5, ...)."""
    np.multiply(first[1:4], second[2:], out=out)
    out -= first[2:] * second[1:4]
