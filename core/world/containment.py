"""Containment: the tank's walls and the obstacles in it stop bodies.

Minds steer clear of them, but water may carry a fish, and a tank may be too small to turn in.
"""

from __future__ import annotations

import numpy as np

from ..base import compiled
from ..base.vectors import dot, norm
from ..habitat.hook import Hook
from ..habitat.obstacles import Obstacles
from ..habitat.tank import Tank
from .contact import center_lines, strike
from .shoal import Shoal
from .tuning import CONTACT_ROUNDS, LEAST_LEVEL_LENGTHS, LONGEST_SPAN_LENGTHS, TORN_LENGTHS, WEDGED_ROUNDS

MIDDLE_NODE = 9  # a node about the middle of the body
BODIES_A_THREAD = 5000
"""Fishes whose nodes are worth a thread of their own."""


class Bounds:
    """Keeps bodies in the water and out of what stands in it."""

    def __init__(self, shoal: Shoal, tank: Tank, obstacles: Obstacles, hook: Hook | None = None):
        """Takes the bodies, and what is to hold them up.

        Args:
            shoal: The bodies.
            tank: In which they are.
            obstacles: What stands there.
            hook: Whose catch may leave the water.
        """
        self._shoal, self._tank, self._obstacles, self._hook = shoal, tank, obstacles, hook
        self._measured: tuple[np.ndarray, tuple[np.ndarray, np.ndarray]] | None = None  # the shoal's nodes, and extents
        self._tight = len(shoal) > 0 and tank.size.min() < LONGEST_SPAN_LENGTHS * shoal.length.max()

    def mend(self, nodes: np.ndarray) -> np.ndarray:
        """Nodes (fish, 23, 3); bodies that too coarse a step has torn are brought together, their parts at rest.

        Centers of mass and momentum stay.
        """
        length = self._shoal.length
        low, high = self._extents(nodes)
        middle = nodes[:, MIDDLE_NODE]
        wide = np.maximum(high - middle, middle - low).max(axis=1)
        torn = np.flatnonzero(wide > TORN_LENGTHS * length)
        if not len(torn):
            return nodes
        arm = nodes[torn] - self._shoal.center_of_mass[torn, None]
        velocity = self._shoal.node_velocities[torn]
        share = 0.5 * length[torn] / norm(arm).max(axis=1)
        inner = velocity - self._shoal.velocity[torn, None]
        self._shoal.displace(torn, (share[:, None, None] - 1.0) * arm, -inner)
        return self._shoal.nodes

    def hold(self, nodes: np.ndarray) -> np.ndarray:
        """Moves whoever touches walls or what stands, of nodes (fish, 23, 3), out of it; their rows, (n,)."""
        if self._tight:
            nodes = self._turn_in(nodes)
        middle, length = nodes[:, MIDDLE_NODE], self._shoal.length
        low, high = self._extents(nodes)
        outside = ((low < 0.0) | (high > self._tank.size)).any(axis=1)
        fishes = np.flatnonzero(outside | (self._obstacles.distance(middle)[0] < length))
        if not len(fishes):
            return fishes
        rounds = WEDGED_ROUNDS if self._obstacles.solids else CONTACT_ROUNDS
        met, nodes = fishes[:0], nodes[fishes]
        for left in reversed(range(rounds)):
            fishes = self._push_out(fishes, nodes, yielding=left >= rounds // 2)
            met = fishes if left == rounds - 1 else met
            if not len(fishes):
                return met
            nodes = self._shoal.nodes_of(fishes)
        # Who is wedged for good is rather a little in the rock than out of the water.
        shift = self._into_tank(fishes, nodes)
        outside = shift.any(axis=1)
        if outside.any():
            self._shoal.shift(fishes[outside], shift[outside])
        return met

    def _extents(self, nodes: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Those of all nodes, measured once while the shoal's have not changed."""
        if self._measured is None or self._measured[0] is not nodes or nodes.flags.writeable:
            self._measured = nodes, extents(nodes)
        return self._measured[1]

    def _turn_in(self, nodes: np.ndarray) -> np.ndarray:
        """Nodes (fish, 23, 3), after the walls have turned along a narrow tank whoever lies across it, by yaw alone."""
        lines = center_lines(nodes)
        excess = (np.ptp(lines, axis=1) - self._tank.size)[:, :2]
        ahead = lines[:, 0, :2] - lines[:, -1, :2]
        level = norm(ahead)
        fishes = np.flatnonzero((excess > 0.0).any(axis=1) & (level > LEAST_LEVEL_LENGTHS * self._shoal.length))
        if not len(fishes):
            return nodes
        rows, across = np.arange(len(fishes)), excess[fishes].argmax(axis=1)
        ahead, level = ahead[fishes], level[fishes]
        kept = np.maximum(np.abs(ahead[rows, across]) - excess[fishes, across], 0.0)
        goal = np.where(ahead < 0.0, -1.0, 1.0)
        goal[rows, across] *= kept
        goal[rows, 1 - across] *= np.sqrt(np.maximum(level * level - kept * kept, 0.0))
        cosine = dot(ahead, goal) / (level * level)
        sine = (ahead[:, 0] * goal[:, 1] - ahead[:, 1] * goal[:, 0]) / (level * level)
        middle, velocity = self._shoal.center_of_mass[fishes, None], self._shoal.velocity[fishes, None]
        moved = []
        for of in (nodes[fishes] - middle, self._shoal.node_velocities[fishes] - velocity):
            x, y = of[..., 0], of[..., 1]
            turned = (cosine[:, None] * x - sine[:, None] * y, sine[:, None] * x + cosine[:, None] * y, of[..., 2])
            moved.append(np.stack(turned, axis=-1) - of)
        self._shoal.displace(fishes, *moved)
        return self._shoal.nodes

    def _into_tank(self, fishes: np.ndarray, nodes: np.ndarray) -> np.ndarray:
        """The way in metres that takes fishes (n,) with nodes (n, 23, 3) back between the walls, (n, 3)."""
        low, high = extents(nodes)
        shift = np.maximum(-low, 0.0) - np.maximum(high - self._tank.size, 0.0)
        cramped = high - low > self._tank.size  # longer than the tank is wide: in its middle
        shift = np.where(cramped, 0.5 * (self._tank.size - low - high), shift)
        if self._hook is not None:
            out = self._hook.out[fishes]
            shift[out, 2] = np.maximum(shift[out, 2], 0.0)  # a line draws through the surface
        return shift

    def _push_out(self, fishes: np.ndarray, nodes: np.ndarray, yielding: bool) -> np.ndarray:
        """Moves whoever of some fishes (n,) with nodes (n, 23, 3) touches something out of it; who that was.

        Who is yielding takes a blow from a pillar where it touches, and so turns; else it is moved as a whole.
        """
        shift = self._into_tank(fishes, nodes)
        struck = np.zeros(0, dtype=int)
        if len(self._obstacles):
            depth, away = self._obstacles.distance(nodes)
            deepest, rows = depth.argmin(axis=1), np.arange(len(fishes))
            out = np.maximum(-depth[rows, deepest], 0.0)[:, None] * away[rows, deepest]
            struck = np.flatnonzero(out.any(axis=1) & ~shift.any(axis=1) & yielding)
            if len(struck):
                strike(self._shoal, fishes[struck], nodes[struck], nodes[struck, deepest[struck]], out[struck])
            shift += out
            shift[struck] = 0.0
        touching = np.flatnonzero(shift.any(axis=1))
        if len(touching):
            self._shoal.shift(fishes[touching], shift[touching])
        return fishes[np.sort(np.concatenate((touching, struck)))]


def extents(nodes: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The least and the greatest of x, y and z of the nodes of each fish, (fish, 23, 3), in metres, (fish, 3) both."""
    low, high = np.empty((len(nodes), 3)), np.empty((len(nodes), 3))
    if compiled.share("extents", compiled.laid(nodes, low, high), len(nodes), BODIES_A_THREAD, nodes.shape[1]):
        return low, high
    return nodes.min(axis=1), nodes.max(axis=1)
