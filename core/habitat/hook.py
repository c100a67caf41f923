"""The fishing hook: it sinks on its line, lures with its bait, and draws up the fish that takes it (Tu 1999, §10.1).

The book shows the hook and says nothing of how it moves; all numbers here are ours. The line is inextensible and
hangs from a tip above the water. Without a catch it is a pendulum of small swings about the place under the tip,

    d'' = -(g_eff / L) d - h (d' - u),

d the level offset of the hook, L the line paid out, u the level velocity of the water, g_eff the weight of steel in
water over its mass. With h for `HOOK_DRAG`, free swings take 2 pi / sqrt(g_eff / L - h² / 4) seconds and fade with
exp(-h t / 2); in a steady current the hook comes to rest at d = h u L / g_eff.
"""

from __future__ import annotations

import numpy as np

from ..base.constants import constant
from ..base.state import Stateful, state
from ..base.sums import mean, total, weighted
from ..base.vectors import dot, norm, unit
from ..body.anatomy import NODES, NOSE_NODE, RING_NODES
from ..scene.inventory import Hook as HookDescription
from .tuning import (
    BAIT_HOOK_SIZES,
    HOOK_DRAG,
    HOOK_HOME_METRES,
    HOOK_PAUSE_SECONDS,
    LINE_SPRING_RATE,
    LINE_STRETCH_LENGTHS,
    ROD_METRES,
    SHORTEST_LINE_METRES,
    SLACK_REEL_SPEEDS,
)

HOOK_WEIGHT = 9.81 * (1.0 - 1.0 / 7.85)  # m/s², of steel in water over its mass
LINE_POINTS = 9  # points of the line from the tip down to the eye of the hook
NO_CATCH = -1

# Share of the line's pull that each node takes on at once: the head, which goes first and draws the rest after it.
PULL_SHARES = np.zeros(NODES)
PULL_SHARES[NOSE_NODE], PULL_SHARES[RING_NODES[0]], PULL_SHARES[RING_NODES[1]] = 1.0, 0.9, 0.2
constant(PULL_SHARES)


class BaitedHook(Stateful):
    """One hook with bait, on its line.

    Attributes:
        tip: Tip of the rod, from which the line hangs, in metres, (3,).
        length: Line paid out, in metres.
        fish: Row of the fish on the hook, NO_CATCH without.
        out: Fishes that are or were on it and so may leave the water, (fish,) bool.
    """

    length: float = state("f8", unit="m", begin=ROD_METRES - HOOK_HOME_METRES)
    fish: int = state("i8", low=-1, high="fish", begin=NO_CATCH)
    out: np.ndarray = state("?", "fish")
    _sway: np.ndarray = state("f8", 2, unit="m")  # level offset from under the tip
    _swing: np.ndarray = state("f8", 2, unit="m/s")  # rate of that
    _due: float = state("f8", unit="s", unset=np.inf)  # when it next begins to sink
    _mouth: np.ndarray = state("f8", 3, unit="m")  # of whoever is on the hook

    def __init__(self, description: HookDescription, surface: float, fishes: int):
        """Hangs the hook above the water.

        Args:
            description: Place, times and speeds of the hook.
            surface: Height of the water's surface in metres.
            fishes: Number of fishes.
        """
        self.description, self._surface = description, surface
        self.tip = np.array([description.at[0], description.at[1], surface + ROD_METRES])
        self._fill(fish=fishes)
        self._due = description.start

    @property
    def place(self) -> np.ndarray:
        """The bend of the hook, with the bait, in metres, (3,)."""
        if self.fish != NO_CATCH:
            return self._mouth.copy()
        drop = np.sqrt(max(np.square(self.length) - float(dot(self._sway, self._sway)), 0.0))
        return self.tip + np.append(self._sway, -drop)

    @property
    def offered(self) -> bool:
        """True if there is bait in the water."""
        return self.fish == NO_CATCH and bool(self.place[2] < self._surface)

    @property
    def bait(self) -> float:
        """Size of the bait in metres."""
        return BAIT_HOOK_SIZES * self.description.size

    @property
    def points(self) -> np.ndarray:
        """The line from its tip to the eye of the hook, and then the bend, in metres, (LINE_POINTS + 1, 3)."""
        bend = self.place
        way, share = unit(self.tip - bend), np.linspace(0.0, 1.0, LINE_POINTS)[:, None]
        eye = bend + self.description.size * way
        line = self.tip + share * (eye - self.tip)
        # Slack line bows: a flat arc of height h is longer than its chord c by 8 h² / 3 c.
        chord = float(norm(self.tip - bend))
        bow = np.sqrt(0.375 * chord * max(self.length - chord, 0.0))
        line += bow * 4.0 * share * (1.0 - share) * np.array([1.0, 0.0, 0.0])
        return np.concatenate([line, bend[None]])

    def tug(self, change: np.ndarray) -> None:
        """Adds to the velocity of the hook in m/s, (3,); the line holds it up."""
        self._swing += change[:2]

    def advance(self, t: float, dt: float, water: np.ndarray) -> None:
        """Moves a hook without a catch on from `t` by `dt` seconds.

        Args:
            t: Time in seconds.
            dt: Seconds.
            water: Velocity of the water about the hook in m/s, (3,).
        """
        deep = ROD_METRES + self._surface - self.description.at[2]
        target = deep if t >= self._due else ROD_METRES - HOOK_HOME_METRES
        self.length += float(np.clip(target - self.length, -self.description.speed * dt, self.description.speed * dt))
        flow = water[:2] * (self.place[2] < self._surface)
        # The implicit midpoint rule, which neither gains nor loses swing of its own.
        k = HOOK_WEIGHT / self.length
        half = 0.5 * dt
        mean = (self._swing + half * (HOOK_DRAG * flow - k * self._sway)) / (
            1.0 + half * HOOK_DRAG + k * np.square(half)
        )
        self._swing = 2.0 * mean - self._swing
        self._sway += dt * mean
        self._sway *= min(1.0, 0.9 * self.length / max(float(norm(self._sway)), 1e-300))

    def take(self, fish: int, nodes: np.ndarray) -> None:
        """Fixes the hook in the mouth of a fish, whose nodes are at (23, 3) metres."""
        self.fish, self.out[fish] = fish, True
        self.follow(nodes)

    def reel(self, dt: float, nodes: np.ndarray) -> np.ndarray:
        """Takes in line for `dt` seconds.

        Args:
            dt: Seconds.
            nodes: Nodes of the catch in metres, (23, 3).

        Returns:
            Displacement of the catch as a whole by the line, which stretches no farther, in metres, (3,).
        """
        chord = float(norm(self.tip - nodes[NOSE_NODE]))
        step = self.description.speed * dt
        self.length = max(
            min(self.length - step, max(chord, self.length - SLACK_REEL_SPEEDS * step)), SHORTEST_LINE_METRES
        )
        stretched = max(chord - self.length - LINE_STRETCH_LENGTHS * _span(nodes), 0.0)
        return stretched * unit(self.tip - nodes[NOSE_NODE])

    def follow(self, nodes: np.ndarray) -> None:
        """Stays in the mouth of the catch, whose nodes are at (23, 3) metres."""
        self._mouth[...] = nodes[NOSE_NODE]

    def pull(self, dt: float, nodes: np.ndarray, velocity: np.ndarray) -> np.ndarray:
        """The pull of a taut line on its catch in `dt` seconds: it draws the head in at least as fast as it is reeled.

        Args:
            dt: Seconds.
            nodes: Nodes of the catch in metres, (23, 3).
            velocity: Their velocities in m/s, (23, 3).

        Returns:
            Change of the velocities in m/s, (23, 3); nothing on a slack line.
        """
        lack = float(norm(self.tip - nodes[NOSE_NODE])) - self.length
        if lack <= 0.0:
            return np.zeros_like(nodes)
        way = unit(self.tip - nodes[NOSE_NODE])
        head = weighted(PULL_SHARES, velocity) / total(PULL_SHARES)
        missing = self.description.speed + LINE_SPRING_RATE * lack - float(dot(head, way))
        return min(max(missing, 0.0), self.description.pull * dt) * PULL_SHARES[:, None] * way

    def landed(self, nodes: np.ndarray) -> bool:
        """True if the catch, with nodes at (23, 3) metres, is out of the water, or as far up as it can be."""
        at_tip = norm(self.tip - nodes[NOSE_NODE]) <= SHORTEST_LINE_METRES + 2.0 * LINE_STRETCH_LENGTHS * _span(nodes)
        return bool(nodes[:, 2].min() > self._surface or at_tip)

    def release(self, t: float) -> None:
        """Lets go of the catch at `t` seconds; the hook stays up, or goes down again after a while if it is to."""
        place = self.place
        self.fish, self._sway[...], self._swing[...] = NO_CATCH, (place - self.tip)[:2], 0.0
        self.length = max(float(norm(place - self.tip)), SHORTEST_LINE_METRES)
        self._due = t + HOOK_PAUSE_SECONDS if self.description.again else np.inf


def _span(nodes: np.ndarray) -> float:
    """Length of a body (23, 3) as it is bent now, in metres."""
    middles = np.concatenate([nodes[NOSE_NODE][None], mean(nodes[RING_NODES], axis=1), mean(nodes[-2:], axis=0)[None]])
    return float(total(norm(np.diff(middles, axis=0))))
