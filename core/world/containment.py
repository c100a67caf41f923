"""Containment: the tank's walls and the obstacles in it stop bodies.

Minds steer clear of them, but water may carry a fish, and a tank may be too small to turn in.
"""

from __future__ import annotations

import numpy as np

from ..base.vectors import dot, norm
from ..compiled import compiled, takes, writes
from ..geometry.moving import Moving
from ..habitat.hook import BaitedHook
from ..habitat.obstacles import Obstacles
from ..habitat.tank import WaterBox
from .contact import center_lines, strike
from .shoal import Shoal
from .tuning import (
    CONTACT_ROUNDS,
    LEAST_LEVEL_LENGTHS,
    LONGEST_SPAN_LENGTHS,
    SWEPT_ROUNDS,
    TORN_LENGTHS,
    WEDGED_ROUNDS,
)

MIDDLE_NODE = 9  # a node about the middle of the body
MOST_WAY_LENGTHS = 3.0
"""From a fish's middle a frame ago to any node of it now, at the most."""
BACK_METRES = 1e-6
"""By which a node is put before what has gone through it, farther than rounding goes."""
BODIES_A_THREAD = 5000
"""Fishes whose nodes are worth a thread of their own."""

EXTENTS = compiled(
    "extents",
    over="n",
    least=BODIES_A_THREAD,
    nodes=takes("f8", "n", "points", 3),
    lows=writes("f8", "n", 3),
    highs=writes("f8", "n", 3),
)


class Bounds:
    """Keeps bodies in the water and out of what stands in it."""

    def __init__(self, shoal: Shoal, tank: WaterBox, obstacles: Obstacles, hook: BaitedHook | None = None):
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
        x, y, z = np.maximum(high - middle, middle - low).T
        torn = np.flatnonzero(np.maximum(np.maximum(x, y), z) > TORN_LENGTHS * length)
        if not len(torn):
            return nodes
        arm = nodes[torn] - self._shoal.center_of_mass[torn, None]
        velocity = self._shoal.node_velocities[torn]
        share = 0.5 * length[torn] / norm(arm).max(axis=1)
        inner = velocity - self._shoal.velocity[torn, None]
        self._shoal.displace(torn, (share[:, None, None] - 1.0) * arm, -inner)
        return self._shoal.nodes

    def sweep(self, before: np.ndarray, fishes: np.ndarray | None = None) -> np.ndarray:
        """Moves whoever has had something go through it back to the side that it was on, if that is in the tank.

        Args:
            before: Nodes as they were a frame ago in metres, (fish, 23, 3).
            fishes: Who may be, (n,); all if left out.

        Returns:
            Their rows, (m,).
        """
        everyone = np.arange(len(before)) if fishes is None else fishes
        middle, way = before[everyone, MIDDLE_NODE], MOST_WAY_LENGTHS * self._shoal.length[everyone]
        movers = self._obstacles.movers
        swept = [
            self._sweep(mover, before, everyone[near])
            for mover, near in movers.near(middle, way + movers.travel[:, None])
        ]
        met = np.unique(np.concatenate(swept)) if swept else everyone[:0]
        self._keep_in(met, self._shoal.nodes_of(met))
        return met

    def _sweep(self, mover: Moving, before: np.ndarray, fishes: np.ndarray) -> np.ndarray:
        """`sweep` of one that moves, among some fishes (n,); in the end they go along with it as they are."""
        nodes = self._shoal.nodes_of(fishes)
        way = norm(nodes[:, MIDDLE_NODE] - before[fishes, MIDDLE_NODE]) + mover.travel
        reach = mover.radius + self._shoal.length[fishes] + way
        near = norm(nodes[:, MIDDLE_NODE] - mover.middle) < reach
        fishes, nodes = fishes[near], nodes[near]
        carried = mover.carried(before[fishes].reshape(-1, 3)).reshape(nodes.shape)
        met = fishes[:0]
        for left in reversed(range(SWEPT_ROUNDS)):
            crossed = mover.blocks(carried.reshape(-1, 3), nodes.reshape(-1, 3)).reshape(nodes.shape[:2])
            some = np.flatnonzero(crossed.any(axis=1))
            fishes, nodes, carried, crossed = fishes[some], nodes[some], carried[some], crossed[some]
            met = fishes if left == SWEPT_ROUNDS - 1 else met
            if not len(fishes):
                return met
            back = carried - nodes
            if not left:
                self._shoal.displace(fishes, back, np.zeros_like(back))
                return met
            away = mover.distance(carried)[1]
            along = np.where(crossed, np.maximum(dot(back, away), 0.0), -1.0)
            deepest, rows = along.argmax(axis=1), np.arange(len(fishes))
            place = nodes[rows, deepest]
            out = (along[rows, deepest] + BACK_METRES)[:, None] * away[rows, deepest]
            motion = mover.velocity(carried[rows, deepest])
            if left > SWEPT_ROUNDS // 2:
                strike(self._shoal, fishes, nodes, place, out, motion)
            else:
                self._shoal.shift(fishes, out, motion)
            nodes = self._shoal.nodes_of(fishes)
        return met

    def hold(self, nodes: np.ndarray) -> np.ndarray:
        """Moves whoever touches walls or what stands, of nodes (fish, 23, 3), out of it; their rows, (n,)."""
        if self._tight:
            nodes = self._turn_in(nodes)
        middle, length = nodes[:, MIDDLE_NODE], self._shoal.length
        low, high = self._extents(nodes)
        x, y, z = ((low < 0.0) | (high > self._tank.size)).T
        outside = x | y | z
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
        self._keep_in(fishes, nodes)
        return met

    def _keep_in(self, fishes: np.ndarray, nodes: np.ndarray) -> None:
        """Moves those of some fishes (n,) with nodes (n, 23, 3) into the tank that are not in it.

        Who is wedged for good is rather a little in the rock than out of the water.
        """
        shift = self._into_tank(fishes, nodes)
        outside = shift.any(axis=1)
        if outside.any():
            self._shoal.shift(fishes[outside], shift[outside])

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
        struck, motion = np.zeros(0, dtype=int), np.zeros((len(fishes), 3))
        if len(self._obstacles):
            depth, away = self._obstacles.distance(nodes)
            deepest, rows = depth.argmin(axis=1), np.arange(len(fishes))
            out = np.maximum(-depth[rows, deepest], 0.0)[:, None] * away[rows, deepest]
            motion = self._obstacles.velocity(nodes[rows, deepest])
            struck = np.flatnonzero(out.any(axis=1) & ~shift.any(axis=1) & yielding)
            if len(struck):
                at = nodes[struck, deepest[struck]]
                strike(self._shoal, fishes[struck], nodes[struck], at, out[struck], motion[struck])
            motion[~out.any(axis=1)] = 0.0
            shift += out
            shift[struck] = 0.0
        touching = np.flatnonzero(shift.any(axis=1))
        if len(touching):
            self._shoal.shift(fishes[touching], shift[touching], motion[touching])
        return fishes[np.sort(np.concatenate((touching, struck)))]


def extents(nodes: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The least and the greatest of x, y and z of the nodes of each fish, (fish, 23, 3), in metres, (fish, 3) both."""
    low, high = np.empty((len(nodes), 3)), np.empty((len(nodes), 3))
    EXTENTS(nodes=nodes, lows=low, highs=high)
    return low, high
