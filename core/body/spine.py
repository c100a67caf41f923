"""The body as a bent rod: seven groups of nodes (nose, rings, tail) with a frame each, strung on a curved axis."""

from __future__ import annotations

import numpy as np

from ..base.constants import constant
from ..base.matrices import product
from ..base.sums import total
from ..base.vectors import norm
from .anatomy import LOWER_TIP_NODE, RING_NODES, UPPER_TIP_NODE
from .dynamics import BodyModel

NODE_GROUPS = constant(np.array([0] + [1] * 4 + [2] * 4 + [3] * 4 + [4] * 4 + [5] * 4 + [6] * 2))
"""The group of each node, (23,)."""
SHOULDER_GROUP, TAIL_GROUP = 2, 6
"""The groups that carry the pectoral fins and the tips of the tail."""

UP_AXIS, AHEAD_AXIS, LEFT_AXIS = 0, 1, 2
"""The order of a frame's unit vectors."""

NODES_TO_MIDDLES = constant(np.array([(NODE_GROUPS == group) / np.sum(NODE_GROUPS == group) for group in range(7)]))
"""The map from nodes to the middles of the groups, (7, 23)."""


class Spine:
    """The frames of the groups of a block of fishes, and the stretch of a bent body by them.

    A straight body that moves sideways, each group along its own left, is not stretched, nor is one that rolls, each
    group about its own axis. A bent one is: outwards is longer. `unfold` and `fold` change between velocities in the
    groups' own frames and velocities of a body that forgets its bend: there everything ahead of a segment is shifted
    and pitched against everything behind it by what the bend makes of sideways motion and roll, so that a motion
    stretches the bent body as it would the straight one.

    Velocities and forces in the groups' own frames are (3, 23, fish): up, ahead and left of each node.

    Attributes:
        frames: Unit vectors up, ahead and left of each group, (3, 7, 3, fish).
        slant: Component of the left axes of the groups before and behind each segment along it, in its length at rest,
            (2, 6, fish).
    """

    def __init__(self, model: BodyModel, dtype: type = np.float64):
        """Prepares for bodies in this precision, and takes the measure of one at rest."""
        self._rest = norm(resting_segments(model)).astype(dtype)[:, None, None]
        self._middles = NODES_TO_MIDDLES.astype(dtype)
        self._maps = BendMaps(model, dtype)
        self.measure(model.rest[:, :, None].astype(dtype))

    def measure(self, x: np.ndarray) -> np.ndarray:
        """Takes the measure of positions (23, 3, fish); `frames`."""
        middles = total(self._middles[:, :, None, None] * x, axis=1)
        segments = (middles[:-1] - middles[1:]) / self._rest
        # A group's axis is the sum of the segments beside it.
        axes = np.concatenate([segments[:1], segments[:-1] + segments[1:], segments[-1:]])
        rings = x[RING_NODES[:, 0]] + x[RING_NODES[:, 1]] - x[RING_NODES[:, 2]] - x[RING_NODES[:, 3]]
        ups = np.concatenate([rings[:1], rings, x[None, UPPER_TIP_NODE] - x[None, LOWER_TIP_NODE]])
        ahead = _unit(axes)
        left = _unit(np.cross(ups, ahead, axis=1))
        self.frames = np.stack([np.cross(ahead, left, axis=1), ahead, left])
        self.slant = np.stack([total(left[side : side + 6] * segments, axis=1) for side in (0, 1)])
        return self.frames

    def fold(self, velocity: np.ndarray) -> np.ndarray:
        """Velocities in the groups' frames of what the straight body's are, (3, 23, fish)."""
        velocity = velocity.copy()
        velocity[LEFT_AXIS] += self._maps.slither(velocity, self.slant)
        velocity[:LEFT_AXIS] -= self._maps.bend(velocity, self.slant)
        return velocity

    def unfold(self, velocity: np.ndarray) -> np.ndarray:
        """Velocities of the straight body from those in the groups' frames, (3, 23, fish)."""
        velocity = velocity.copy()
        velocity[:LEFT_AXIS] += self._maps.bend(velocity, self.slant)
        velocity[LEFT_AXIS] -= self._maps.slither(velocity, self.slant)
        return velocity

    def unfold_force(self, force: np.ndarray) -> np.ndarray:
        """Forces on the straight body from those in the groups' frames, (3, 23, fish).

        The work that a force does is the same on both: a squeezed axis presses a bent body outwards.
        """
        force = force.copy()
        force[LEFT_AXIS] -= self._maps.bend_back(force, self.slant)
        force[AHEAD_AXIS] += self._maps.slither_back(force, self.slant)
        return force


class BendMaps:
    """Constants of folding: the groups' motions from those of the nodes, and the nodes' motions from the segments'.

    Attributes:
        means: Share of each node in the motion of its group, (23,).
        rolls: Share of each node's motion to the left in the roll of its group, (23,).
        shifted: Motion of each node ahead per lengthening of a segment, (23, 6).
        pitched: Motion of each node up and ahead per pitch of a segment, (2, 23, 6).
    """

    def __init__(self, model: BodyModel, dtype: type = np.float64):
        """Takes them of a body at rest."""
        x, _, z = model.rest.T
        middle_x, _, middle_z = product(NODES_TO_MIDDLES, model.rest).T
        height = z - middle_z[NODE_GROUPS]
        spread = np.array([total(np.square(height[group == NODE_GROUPS])) for group in range(7)])
        spread[0] = np.inf  # the nose has no roll of its own: it takes that of the first ring
        shares = model.masses / model.mass
        ahead = 1.0 * (np.arange(6) >= NODE_GROUPS[:, None])  # which nodes lie ahead of which segment, (23, 6)
        hinge_x, hinge_z = (0.5 * (m[:-1] + m[1:]) for m in (middle_x, middle_z))
        # A roll about axes that turn left from behind to ahead pitches what is ahead upwards or downwards.
        pitched = np.stack([ahead * (x[:, None] - hinge_x), -ahead * (z[:, None] - hinge_z)])
        self.means = total(NODES_TO_MIDDLES, axis=0).astype(dtype)
        self.rolls = (-height / spread[NODE_GROUPS]).astype(dtype)
        self.shifted = (ahead - total(shares[:, None] * ahead, axis=0)).astype(dtype)
        self.pitched = (pitched - total(shares[:, None] * pitched, axis=1)[:, None]).astype(dtype)
        self._groups = (NODES_TO_MIDDLES > 0).astype(dtype)

    def bend(self, velocity: np.ndarray, slant: np.ndarray) -> np.ndarray:
        """The motion up and ahead, (2, 23, fish), that the bend makes of motion to the left."""
        left = velocity[LEFT_AXIS]
        shift = _along(self._groups @ (self.means[:, None] * left), slant)
        rolls = self._groups @ (self.rolls[:, None] * left)
        rolls[0] = rolls[1]
        made = np.einsum("cns,sf->cnf", self.pitched, _along(rolls, slant))
        made[AHEAD_AXIS] += self.shifted @ shift
        return made

    def bend_back(self, force: np.ndarray, slant: np.ndarray) -> np.ndarray:
        """The force to the left, (23, fish), that the bend makes of forces up and ahead; the transpose of `bend`."""
        shift = _along_back(self.shifted.T @ force[AHEAD_AXIS], slant)
        rolls = _along_back(np.einsum("cns,cnf->sf", self.pitched, force[:LEFT_AXIS]), slant)
        rolls[1] += rolls[0]
        return self.means[:, None] * shift[NODE_GROUPS] + self.rolls[:, None] * rolls[NODE_GROUPS]

    def slither(self, velocity: np.ndarray, slant: np.ndarray) -> np.ndarray:
        """The motion to the left that the bend makes of motion ahead."""
        return self.shifted @ _along(self._groups @ (self.means[:, None] * velocity[AHEAD_AXIS]), slant)

    def slither_back(self, force: np.ndarray, slant: np.ndarray) -> np.ndarray:
        """The force ahead, (23, fish), that the bend makes of a force to the left; the transpose of `slither`."""
        along = _along_back(self.shifted.T @ force[LEFT_AXIS], slant)
        return self.means[:, None] * along[NODE_GROUPS]


def resting_segments(model: BodyModel) -> np.ndarray:
    """Vectors from the middle of each group back to that of the next, of a body at rest, (6, 3)."""
    middles = product(NODES_TO_MIDDLES, model.rest)
    return middles[:-1] - middles[1:]


def _along(groups: np.ndarray, slant: np.ndarray) -> np.ndarray:
    """Lengthening of the segments, (6, fish), by motions of their groups to the left, (7, fish)."""
    return slant[0] * groups[:-1] - slant[1] * groups[1:]


def _along_back(segments: np.ndarray, slant: np.ndarray) -> np.ndarray:
    """The transpose: (7, fish), of (6, fish)."""
    groups = np.zeros((7, segments.shape[1]), segments.dtype)
    groups[:-1] += slant[0] * segments
    groups[1:] -= slant[1] * segments
    return groups


def _unit(vectors: np.ndarray) -> np.ndarray:
    """Vectors (group, 3, fish) at length one."""
    return vectors / np.sqrt(total(vectors * vectors, axis=1))[:, None]
