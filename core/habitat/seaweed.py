"""Seaweed: leaves that are chains of masses and springs, swaying in the current, pushed by fishes (Tu 1999, §8.2).

As in the book, the springs of a leaf have one spring constant, distances and masses decrease from the root to the
tip, every mass is buoyant, and the water drags it by a force c (u - v) along its velocity u relative to that of the
mass, v. Forces are those of a leaf of mass 1 kg, since only their ratios show.

The step cannot explode. With T the tension and s = T / |r| the secant stiffness of a spring along r, positions at the
end of the step solve the linear system

    (m / dt^2 + c / dt) (x - y) = D^T s D x,     y where each mass would get without springs,

of which the matrix is symmetric, tridiagonal and dominated by its diagonal for any s >= 0. Newton's method then finds
the s with which springs get the length that their tension gives them. The rest of the strain is cut off from the root
upwards. A leaf at rest is in balance whatever the step, for then s reproduces itself.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..base.constants import constant
from ..base.dice import Dice
from ..base.elementary import sin
from ..base.nearest import within
from ..base.state import Stateful, state
from ..base.sums import mean, total
from ..base.vectors import dot, norm, unit, vector
from ..body.anatomy import LOWER_TIP_NODE, NOSE_NODE, RING_NODES, UPPER_TIP_NODE
from ..geometry.bed import Bed
from ..scene.inventory import Seaweed as Cluster
from .currents import Current
from .obstacles import Obstacles
from .tank import WaterBox
from .tuning import (
    BUOYED_STRETCH,
    EDDY_LEAVES,
    LAST_SPRING_SHARE,
    LEAF_BUOYANCY,
    LEAF_GAP_METRES,
    LONGEST_LEAF_STEP_SECONDS,
    MOST_STRAIN,
    NEWTON_CORRECTIONS,
    POINTED_END_SHARE,
    PUSHED_WATER_SHARE,
    ROOT_TRIES,
    SETTLING_STEP_SECONDS,
    SETTLING_STEPS,
    SHARED_WATER_LENGTHS,
    SKIN_HALF_HEIGHT,
    SKIN_HALF_WIDTH,
    TIP_WIDTH_SHARE,
    TOUCHED_WEIGHT,
)

LEAF_NODES = 10  # masses of a leaf, the rooted one with them
LEAF_SPRINGS = LEAF_NODES - 1

_PURPOSE = int.from_bytes(b"weed", "big")  # of the dice

LEAF_SHARES = np.cumsum(np.concatenate(([0.0], np.linspace(1.0, LAST_SPRING_SHARE, LEAF_SPRINGS))))
LEAF_SHARES /= LEAF_SHARES[-1]
constant(LEAF_SHARES)
"""Places of the masses of a leaf, from 0 at the root to 1 at the tip, (10,)."""


@dataclass(frozen=True)
class CenterLines:
    """The fishes as leaves meet them: center lines of 7 points with elliptic cross sections.

    Attributes:
        middle: Center lines from nose to tail in metres, (fish, 7, 3).
        left: Half width of the skin as a vector, (fish, 7, 3).
        up: Half height of the skin as a vector, (fish, 7, 3).
        velocity: Velocity of the water at the skin in m/s, (fish, 7, 3).
        length: Lengths of the fishes in metres, (fish,).
    """

    middle: np.ndarray
    left: np.ndarray
    up: np.ndarray
    velocity: np.ndarray
    length: np.ndarray

    @classmethod
    def of(cls, nodes: np.ndarray, velocities: np.ndarray, length: np.ndarray) -> CenterLines:
        """The lines of nodes in metres with velocities in m/s, (fish, 23, 3), and lengths in metres, (fish,)."""
        middle, left, up, velocity = np.empty((4, len(nodes), 7, 3))
        for line, of in ((middle, nodes), (velocity, velocities)):
            line[:, 0], line[:, -1] = of[:, NOSE_NODE], 0.5 * (of[:, UPPER_TIP_NODE] + of[:, LOWER_TIP_NODE])
            line[:, 1:-1] = mean(of[:, RING_NODES], axis=2)
        left_top, right_top, right_bottom, left_bottom = (nodes[:, corner] for corner in RING_NODES.T)
        left[:, 1:-1] = SKIN_HALF_WIDTH * (left_top + left_bottom - right_top - right_bottom) / 4
        up[:, 1:-1] = SKIN_HALF_HEIGHT * (left_top + right_top - left_bottom - right_bottom) / 4
        left[:, [0, -1]], up[:, 0] = POINTED_END_SHARE * left[:, [1, -2]], POINTED_END_SHARE * up[:, 1]
        up[:, -1] = 0.5 * (nodes[:, UPPER_TIP_NODE] - nodes[:, LOWER_TIP_NODE])
        return cls(middle, left, up, velocity, length)


class Weed(Stateful):
    """All seaweed of a scene, one row a leaf, cluster after cluster.

    Attributes:
        place: Masses from root to tip in metres, (leaf, 10, 3).
        cluster: Row of each leaf's cluster, (leaf,).
        rest: Length of each spring at rest in metres, (leaf, 9).
        mass: Mass of every point but the rooted one, of a leaf of 1 kg, (leaf, 9).
        drag: Force of the water to a speed of 1 m/s on each of them, in N, (leaf, 9).
        current: Water that drags them.
    """

    place: np.ndarray = state("f8", "leaf", LEAF_NODES, 3, unit="m", recorded="seaweed")
    _velocity: np.ndarray = state("f8", "leaf", LEAF_SPRINGS, 3, unit="m/s")
    _secant: np.ndarray = state("f8", "leaf", LEAF_SPRINGS, unit="N/m")  # tension over length
    _phase: np.ndarray = state("f8", "leaf", unit="rad")  # of the eddies along a leaf

    def __init__(
        self,
        clusters: tuple[Cluster, ...],
        tank: WaterBox,
        obstacles: Obstacles,
        current: Current,
        seed: int,
    ):
        """Grows the leaves, in balance with the current at the start.

        Args:
            clusters: Amount and place of the leaves.
            tank: Walls that keep the leaves in.
            obstacles: Pillars that they keep out of.
            current: Water that drags them.
            seed: Seed of the world.
        """
        self._tank, self._obstacles, self.current = tank, obstacles, current
        counts = [cluster.leaves for cluster in clusters]
        self.cluster = np.repeat(np.arange(len(clusters)), counts)
        numbers = [(row << 20) + own for row, count in enumerate(counts) for own in range(count)]
        dice = Dice(seed, np.array(numbers, dtype=int), _PURPOSE)
        everyone = np.arange(len(numbers))

        def each(name: str) -> np.ndarray:
            return np.array([getattr(cluster, name) for cluster in clusters], dtype=float)[self.cluster]

        at, spread = np.array([cluster.at for cluster in clusters]).reshape(-1, 3)[self.cluster], each("spread")
        height = each("height") * (1.0 - each("height_variation") * dice.uniform(everyone))
        height = np.minimum(height, np.maximum(0.95 * (tank.size[2] - at[:, 2]), LEAF_GAP_METRES))
        lean = dice.uniform(everyone, -1.0, 1.0)
        strength = each("splay") * dice.uniform(everyone, 0.5, 1.5)
        self._fill(leaf=len(everyone))
        self._phase[:] = dice.uniform(everyone, 0.0, 2.0 * np.pi)
        foot, azimuth = self._rooted(at, spread, dice)
        self._foot, self._flutter = foot, each("flutter")
        self._away = vector(azimuth + lean, np.zeros(len(lean)))

        self.rest = height[:, None] * np.diff(LEAF_SHARES)
        width = 1.0 - (1.0 - TIP_WIDTH_SHARE) * LEAF_SHARES[1:]
        along = 0.5 * (np.diff(LEAF_SHARES) + np.append(np.diff(LEAF_SHARES)[1:], 0.0))
        self.mass = np.broadcast_to(
            along * np.square(width) / total(along * np.square(width)), (len(foot), LEAF_SPRINGS)
        )
        self.drag = LEAF_BUOYANCY / each("stiffness")[:, None] * along * width / total(along * width)
        self._compliance = np.full(LEAF_SPRINGS, BUOYED_STRETCH / (LEAF_SPRINGS * LEAF_BUOYANCY)) * height[:, None]
        self._lift = LEAF_BUOYANCY * self.mass[..., None] * (0.0, 0.0, 1.0)
        bias = LEAF_SHARES[1:] / total(self.mass * LEAF_SHARES[1:])[:, None]
        self._lift = (
            self._lift + (LEAF_BUOYANCY * strength[:, None] * self.mass * bias)[..., None] * self._away[:, None]
        )
        self._nearby = self._close_to_pillars(height)
        far = (1.0 + MOST_STRAIN) * height[:, None]
        self._bounds = (foot - far).min(axis=0, initial=np.inf), (foot + far).max(axis=0, initial=-np.inf)

        self.place[:] = foot[:, None] + height[:, None, None] * LEAF_SHARES[:, None] * (0.0, 0.0, 1.0)
        above = self.mass[:, ::-1].cumsum(axis=1)[:, ::-1]
        self._secant[:] = LEAF_BUOYANCY * above / self.rest
        self._settle()

    def __len__(self) -> int:
        return len(self.place)

    def advance(self, t: float, dt: float, bodies: CenterLines | None = None) -> None:
        """Moves on from `t` by `dt` seconds, past these fishes."""
        if not len(self):
            return
        steps = max(1, int(np.ceil(dt / LONGEST_LEAF_STEP_SECONDS - 1e-9)))
        touching, target, near, flow = self._touched(bodies)
        for step in range(steps):
            moment = t + (step + 0.5) * dt / steps
            water = self._water(moment, dt / steps)
            water.reshape(-1, 3)[near] += flow[0][:, None] * (flow[1] - water.reshape(-1, 3)[near])
            self._step(dt / steps, water, touching, target)

    def _water(self, t: float, dt: float) -> np.ndarray:
        """Velocity of the water at every free mass in m/s, with eddies that run along the leaf, (leaf, 9, 3)."""
        water = self.current.velocity(self.place[:, 1:], t)
        if self.current.still or not self._flutter.any():
            return water
        height = total(self.rest)
        self._phase += dt * 2.0 * np.pi / (EDDY_LEAVES * height) * norm(water[:, -1])
        phase = self._phase[:, None] - 2.0 * np.pi / EDDY_LEAVES * LEAF_SHARES[1:]
        share = self._flutter[:, None] * LEAF_SHARES[1:]
        across, along = share * sin(phase), 0.5 * share * sin(0.7 * phase + self._phase[:, None])
        gusts = along[..., None] * water
        gusts[..., 0] -= across * water[..., 1]
        gusts[..., 1] += across * water[..., 0]
        return water + gusts

    def _step(self, dt: float, water: np.ndarray, touching: np.ndarray, target: np.ndarray) -> None:
        """One step.

        Args:
            dt: Seconds.
            water: Velocity at every free mass in m/s, (leaf, 9, 3).
            touching: Rows of masses that touch something, among all free ones, (n,).
            target: Wanted places of those in metres, (n, 3).
        """
        old = self.place[:, 1:]
        inertia, drag = self.mass / np.square(dt), self.drag / dt
        weight = inertia + drag
        pull = weight[..., None] * old + (self.mass / dt)[..., None] * self._velocity
        pull += self.drag[..., None] * water + self._lift
        if len(touching):
            firm = TOUCHED_WEIGHT * weight.reshape(-1)[touching]
            weight.reshape(-1)[touching] += firm
            pull.reshape(-1, 3)[touching] += firm[:, None] * target
        for _ in range(NEWTON_CORRECTIONS):
            self._correct(weight, self._solved(weight, pull))
        self.place = self._limited(self._solved(weight, pull))
        self._velocity = (self.place[:, 1:] - old) / dt

    def _solved(self, weight: np.ndarray, pull: np.ndarray) -> np.ndarray:
        """Springs from the root to the tip, as vectors in metres, with the present stiffness, (leaf, 9, 3)."""
        stiff = self._secant
        diagonal = weight + stiff
        diagonal[:, :-1] += stiff[:, 1:]
        beside = -stiff[:, 1:]
        pull = pull.copy()
        pull[:, 0] += stiff[:, :1] * self._foot
        free = _solution(diagonal, beside, pull)
        links = free.copy()
        links[:, 0] -= self._foot
        links[:, 1:] -= free[:, :-1]
        return links

    def _correct(self, weight: np.ndarray, links: np.ndarray) -> None:
        """Newton's step for the tensions, (S + E^-1) taken for the slope of tension over length.

        E is how far springs give way along themselves to a unit of tension, by the weight of the masses alone.
        """
        length = np.maximum(norm(links), 1e-12)
        way = links / length[..., None]
        tension = self._secant * length
        give = np.where(self._compliance * tension < MOST_STRAIN * self.rest, self._compliance, 0.0)
        excess = length - self.rest - np.minimum(self._compliance * tension, MOST_STRAIN * self.rest)
        light = 1.0 / weight
        share = 1.0 / (1.0 + give * self._secant)
        diagonal = light + give * share
        diagonal[:, 1:] += light[:, :-1]
        beside = -light[:, :-1] * dot(way[:, :-1], way[:, 1:])
        found = _solution(diagonal, beside, (excess * share)[..., None])[..., 0]
        change = self._secant * share * (excess - give * found) + found
        self._secant = np.maximum(self._secant + change / length, 0.0)

    def _limited(self, links: np.ndarray) -> np.ndarray:
        """Places (leaf, 10, 3) of masses with these springs, cut to the strain allowed, above the bed."""
        length = np.maximum(norm(links), 1e-12)
        allowed = np.clip(length, (1.0 - MOST_STRAIN) * self.rest, (1.0 + MOST_STRAIN) * self.rest)
        links = links * (allowed / length)[..., None]
        height = links[..., 2].cumsum(axis=1)
        if (height < 0.0).any():
            self._raise(links, allowed)
        return np.concatenate([self._foot[:, None], self._foot[:, None] + links.cumsum(axis=1)], axis=1)

    def _raise(self, links: np.ndarray, length: np.ndarray) -> None:
        """Lets leaves that would go below their root lie on the bed, each spring at its length."""
        height = np.zeros(len(links))
        for link in range(LEAF_SPRINGS):
            rise = np.maximum(links[:, link, 2], -height)
            low = rise > links[:, link, 2]
            height = height + rise
            level = np.sqrt(np.maximum(np.square(length[:, link]) - np.square(rise), 0.0))
            flat = links[:, link] * (1.0, 1.0, 0.0)
            flat = np.where(norm(flat)[:, None] > 1e-9, flat, self._away)
            lying = unit(flat) * level[:, None]
            lying[:, 2] = rise
            links[low, link] = lying[low]

    def _touched(self, bodies: CenterLines | None) -> tuple[np.ndarray, np.ndarray, np.ndarray, tuple]:
        """Contacts of masses, and the water that goes along with fishes.

        Returns:
            Rows of masses that touch something, (n,), and their wanted places in metres, (n, 3); rows of masses near a
            fish, (k,), the share of the water there that goes along with it, 0 to 1, (k,), and its velocity, (k, 3).
        """
        points = self.place[:, 1:].reshape(-1, 3)
        inside = np.clip(points, LEAF_GAP_METRES, self._tank.size - LEAF_GAP_METRES)
        inside[:, 2] = np.clip(points[:, 2], 0.0, self._tank.size[2])
        target = inside
        close = self._nearby
        for mover in self._obstacles.movers.solids:
            close = np.union1d(close, mover.near(points, LEAF_GAP_METRES))
        if len(close):
            depth, away = self._obstacles.distance(points[close])
            target[close] += np.maximum(LEAF_GAP_METRES - depth, 0.0)[:, None] * away
        near, share, flow = np.zeros(0, int), np.zeros(0), np.zeros((0, 3))
        if bodies is not None and len(bodies.length):
            near, share, flow, yielded = self._met(points, bodies)
            target[near] += yielded
        touching = np.flatnonzero((target != points).any(axis=1))
        return touching, target[touching], near, (share, flow)

    def _met(self, points: np.ndarray, bodies: CenterLines) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
        """Masses near fishes.

        Returns:
            Their rows, each once with the fish that is nearest, (k,); the share of the water there that goes along with
            the fish, 0 to 1, (k,), and its velocity, (k, 3); the displacement by which they give way to its body, (k,
            3).
        """
        fish, mass = _pairs(points, bodies, self._bounds)
        place, end = points[mass], np.arange(len(mass))
        start, stop = bodies.middle[fish, :-1], bodies.middle[fish, 1:]
        along = stop - start
        part = np.clip(dot(place[:, None] - start, along) / np.maximum(dot(along, along), 1e-18), 0.0, 1.0)
        apart = place[:, None] - start - part[..., None] * along
        which = dot(apart, apart).argmin(axis=1)
        apart, part = apart[end, which], part[end, which][:, None]
        left, up, velocity = (
            (1.0 - part) * of[fish, which] + part * of[fish, which + 1]
            for of in (bodies.left, bodies.up, bodies.velocity)
        )
        across, high = dot(apart, left) / dot(left, left), dot(apart, up) / dot(up, up)
        lost = np.square(across) + np.square(high) < 1e-6  # on the center line: to the left as well as anywhere
        apart, across = apart + lost[:, None] * 1e-3 * left, across + 1e-3 * lost
        sideways = across[:, None] * left + high[:, None] * up
        ahead = apart - sideways
        # Together they are 1 at the skin. A mass is pushed sideways and not ahead, so that it slips off the nose.
        round_about, lengthwise = np.square(across) + np.square(high), dot(ahead, ahead) / dot(left, left)
        gap = norm(apart) * (1.0 - 1.0 / np.sqrt(round_about + lengthwise))
        yielded = np.maximum(np.sqrt(np.maximum(1.0 - lengthwise, 0.0) / round_about) - 1.0, 0.0)[:, None] * sideways
        share = np.square(np.clip(1.0 - np.maximum(gap, 0.0) / (SHARED_WATER_LENGTHS * bodies.length[fish]), 0.0, 1.0))
        flow = velocity + PUSHED_WATER_SHARE * norm(velocity)[:, None] * unit(sideways)
        order = np.lexsort((gap, mass))
        first = order[np.unique(mass[order], return_index=True)[1]]
        return mass[first], share[first], flow[first], yielded[first]

    def _settle(self) -> None:
        """Goes on until the leaves are in balance with the water at the start."""
        for _ in range(SETTLING_STEPS if len(self) else 0):
            touching, target, *_ = self._touched(None)
            self._step(SETTLING_STEP_SECONDS, self.current.velocity(self.place[:, 1:], 0.0), touching, target)
        self._velocity[:] = 0.0

    def _rooted(self, at: np.ndarray, spread: np.ndarray, dice: Dice) -> tuple[np.ndarray, np.ndarray]:
        """Roots clear of pillars in metres, (leaf, 3), and where they lie from the middle in radians, (leaf,)."""
        foot, azimuth = at.copy(), np.zeros(len(at))
        left = np.arange(len(at))
        for _ in range(ROOT_TRIES):
            if not len(left):
                break
            azimuth[left] = dice.uniform(left, -np.pi, np.pi)
            reach = spread[left] * np.sqrt(dice.uniform(left))
            foot[left] = at[left] + reach[:, None] * vector(azimuth[left], np.zeros(len(left)))
            foot[left, :2] = np.clip(foot[left, :2], LEAF_GAP_METRES, self._tank.size[:2] - LEAF_GAP_METRES)
            self._lift_out(foot)
            left = left[self._obstacles.distance(foot[left])[0] < LEAF_GAP_METRES] if len(self._obstacles) else left[:0]
        foot[left] = at[left]
        self._lift_out(foot)
        return foot, azimuth

    def _lift_out(self, foot: np.ndarray) -> None:
        """Puts roots (n, 3) that hills would bury on them."""
        for bed in self._obstacles.solids:
            if isinstance(bed, Bed):
                foot[:, 2] = np.maximum(foot[:, 2], bed.height(foot[:, 0], foot[:, 1]) + 2.0 * LEAF_GAP_METRES)

    def _close_to_pillars(self, height: np.ndarray) -> np.ndarray:
        """Rows of the free masses whose leaves can reach a pillar, (n,)."""
        if not len(self._obstacles):
            return np.zeros(0, dtype=int)
        leaves = np.flatnonzero(
            self._obstacles.distance(self._foot)[0] < (1.0 + MOST_STRAIN) * height + LEAF_GAP_METRES
        )
        return (leaves[:, None] * LEAF_SPRINGS + np.arange(LEAF_SPRINGS)).reshape(-1)


def _pairs(points: np.ndarray, bodies: CenterLines, bounds: tuple) -> tuple[np.ndarray, np.ndarray]:
    """Fishes and points (n, 3) that may be near each other, as rows of both, (pairs,) and (pairs,).

    All points lie within the bounds, two corners of a box, (3,) and (3,).
    """
    low, high = bodies.middle.min(axis=1), bodies.middle.max(axis=1)
    middle = 0.5 * (low + high)
    girth = norm(bodies.up).max(axis=1) + norm(bodies.left).max(axis=1)
    reach = 0.5 * norm(high - low) + girth + SHARED_WATER_LENGTHS * bodies.length
    near = ((middle + reach[:, None] > bounds[0]) & (middle - reach[:, None] < bounds[1])).all(axis=1)
    fishes = np.flatnonzero(near)
    if not len(fishes):
        return fishes, fishes
    fish, mass, _ = within(middle[fishes], reach[fishes], points)
    return fishes[fish], mass


def _solution(diagonal: np.ndarray, beside: np.ndarray, right: np.ndarray) -> np.ndarray:
    """Solves symmetric tridiagonal systems, one a leaf, by elimination from the root to the tip and back.

    Args:
        diagonal: (leaf, n).
        beside: Next to it on either side, (leaf, n - 1).
        right: Right sides, (leaf, n, k).

    Returns:
        (leaf, n, k).
    """
    pivot, beside, found = diagonal.T.copy(), np.ascontiguousarray(beside.T), right.transpose(1, 2, 0).copy()
    factor = np.empty_like(beside)
    for row in range(len(factor)):
        factor[row] = beside[row] / pivot[row]
        pivot[row + 1] -= factor[row] * beside[row]
        found[row + 1] -= factor[row] * found[row]
    found /= pivot[:, None]
    for row in range(len(factor) - 1, -1, -1):
        found[row] -= factor[row] * found[row + 1]
    return found.transpose(2, 0, 1)
