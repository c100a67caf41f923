"""Bodies that touch: the search for fishes that touch, and the way in which both yield.

Minds keep fishes off walls, pillars and each other (Tu 1999, §6.6.1 and §7.8.1); where they fail, bodies meet as bodies
do. The book has nothing for that. Here a fish that is struck moves as a rigid rod of its own masses would: it is
shifted, and turned more the farther from its middle it is struck.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..base.elementary import interpolated
from ..base.nearest import Wanderers
from ..base.sums import mean, total, weighted
from ..base.vectors import dot, norm, unit
from ..body.anatomy import RING_NODES, body_frame
from ..compiled import compiled, takes, writes
from ..scene.species import Species
from .shoal import MASS_SHARES, Shoal
from .tuning import CONTACT_SOFTNESS, FASTEST_BLOW, MOST_TURNED_LENGTHS, SWIFTEST_YIELD, THINNEST_LENGTHS

LINES_A_THREAD = 1000
"""Fishes whose center lines are worth a thread of their own."""
LINKS = len(RING_NODES) + 1  # straight pieces of a center line

CENTER_LINES = compiled(
    "center_lines",
    over="n",
    least=LINES_A_THREAD,
    nodes=takes("f8", "n", 23, 3),
    lines=writes("f8", "n", 7, 3),
)
CLOSEST = compiled(
    "closest",
    lines=takes("f8", "fishes", 7, 3),
    reach=takes("f8", "fishes"),
    one=takes("i8", "pairs"),
    other=takes("i8", "pairs"),
    many=writes("i8", 1),
    first=writes("i8", "pairs"),
    second=writes("i8", "pairs"),
    distances=writes("f8", "pairs"),
    at=writes("f8", "pairs"),
    there=writes("f8", "pairs"),
    gaps=writes("f8", "pairs", 3),
)


@dataclass
class Contact:
    """Pairs of fishes whose center lines come near each other, in order of their rows.

    Attributes:
        first: Lower row of each pair, (n,).
        second: Higher row, (n,).
        distance: Distance of the two lines in metres, (n,).
        at: Place on the line of the first where it is that near, in links from the nose, (n,).
        there: Place on the line of the second, likewise, (n,).
        gap: Vector from the first to the second there in metres, (n, 3).
    """

    first: np.ndarray
    second: np.ndarray
    distance: np.ndarray
    at: np.ndarray
    there: np.ndarray
    gap: np.ndarray


def center_lines(nodes: np.ndarray) -> np.ndarray:
    """Nose, middles of the five rings and middle of the tail's tips, (fish, 7, 3), of nodes (fish, 23, 3)."""
    lines = np.empty((len(nodes), LINKS + 1, 3))
    CENTER_LINES(nodes=nodes, lines=lines)
    return lines


def near(lines: np.ndarray, length: np.ndarray, reach: np.ndarray, middles: Wanderers | None = None) -> Contact:
    """Fishes whose center lines come nearer to each other than the sum of their reaches.

    Args:
        lines: Points of each center line in metres, nose first, (fish, 7, 3).
        length: Metres, (fish,).
        reach: Metres, (fish,).
        middles: Tree in which their middles are looked for, if the same fishes are looked at often.
    """
    middle = 0.5 * (lines[:, 0] + lines[:, -1])
    one, other = (middles or Wanderers()).at(middle).meeting(0.5 * length + reach)
    many, pairs = np.zeros(1, dtype=np.int64), len(one)
    (first, second), (distance, at, there), gap = np.empty((2, pairs), int), np.empty((3, pairs)), np.empty((pairs, 3))
    found = {"first": first, "second": second, "distances": distance, "at": at, "there": there, "gaps": gap}
    CLOSEST(lines=lines, reach=reach, one=one, other=other, many=many, **found)
    return Contact(*(array[: int(many[0])] for array in found.values()))


def segments(one: np.ndarray, other: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Distance of straight segments (..., 2, 3), its place on each, 0 to 1, and the vector between, (..., 3).

    After Ericson, Real-Time Collision Detection (2005), §5.1.9.
    """
    p, q = one[..., 0, :], other[..., 0, :]
    d, e, r = one[..., 1, :] - p, other[..., 1, :] - q, p - q
    a, c, b = np.maximum(dot(d, d), 1e-18), np.maximum(dot(e, e), 1e-18), dot(d, e)
    dr, er = dot(d, r), dot(e, r)
    cross = a * c - b * b
    skew = cross > 1e-12 * a * c
    s = np.where(skew, np.clip((b * er - dr * c) / np.where(skew, cross, 1.0), 0.0, 1.0), 0.0)
    t = (b * s + er) / c
    s = np.where(t < 0, np.clip(-dr / a, 0.0, 1.0), np.where(t > 1, np.clip((b - dr) / a, 0.0, 1.0), s))
    t = np.clip(t, 0.0, 1.0)
    gap = (q + t[..., None] * e) - (p + s[..., None] * d)
    return norm(gap), s, t, gap


class Skins:
    """Distance of each fish's skin from its center line.

    Attributes:
        reach: Greatest distance in metres, (fish,).
        middles: Tree in which the middles of fishes are looked for.
    """

    def __init__(self, species: list[Species], kind: np.ndarray, length: np.ndarray):
        """Takes the outlines of these species' forms, of which each fish (fish,) has one at its length in metres."""
        outlines = np.array([_outline(one) for one in species]).reshape(-1, LINKS + 1, 2)
        self._axes = outlines[kind] * length[:, None, None]
        self.reach, self.middles = self._axes.max(axis=(1, 2)), Wanderers()

    def radius(self, fishes: np.ndarray, at: np.ndarray, frames: np.ndarray, way: np.ndarray) -> np.ndarray:
        """Distance from the center line to the skin.

        Args:
            fishes: Rows, (n,).
            at: Place on the line, in links from the nose, (n,).
            frames: Columns ahead, left and up of each of these, (n, 3, 3).
            way: Unit vectors, (n, 3); what points along the body counts as broadside.

        Returns:
            Metres, (n,): an ellipse as wide and as high as the body is there.
        """
        link = np.minimum(at.astype(int), LINKS - 1)
        share = (at - link)[:, None]
        axes = (1 - share) * self._axes[fishes, link] + share * self._axes[fishes, link + 1]
        left, up = (np.square(dot(frames[:, :, axis], way)) for axis in (1, 2))
        broad = np.maximum(left + up, 1e-6)
        return np.sqrt((np.square(axes[:, 0]) * left + np.square(axes[:, 1]) * up) / broad)


def _outline(species: Species) -> np.ndarray:
    """Half width and half height of the skin at the points of the center line, in lengths, (7, 2)."""
    form, stations = species.form, [0.0, *species.body.stations, 1.0]
    width, back, belly = (
        interpolated(stations, *np.array(rows).T) for rows in (form.half_width, form.back, form.belly)
    )
    return np.maximum(np.stack((width, 0.5 * (back - belly)), axis=1), THINNEST_LENGTHS)


@dataclass
class Rods:
    """Rigid rods of n fishes that are struck at one place each and yaw with it; their fins keep pitch.

    Attributes:
        axis: Unit vector from tail to head, (n, 3).
        off: Distance from the center of mass to the place along the axis in metres, (n,).
        gyration: Square of the radius of gyration about the center of mass in square metres, (n,).
        arm: Vector from the center of mass to each node in metres, (n, 23, 3).
    """

    axis: np.ndarray
    off: np.ndarray
    gyration: np.ndarray
    arm: np.ndarray

    @classmethod
    def of(cls, nodes: np.ndarray, place: np.ndarray) -> Rods:
        """Rods of nodes (n, 23, 3), struck at these places (n, 3), in metres."""
        middle = weighted(MASS_SHARES, nodes)
        lines = center_lines(nodes)
        axis, arm = unit(lines[:, 0] - lines[:, -2]), nodes - middle[:, None]
        gyration = total(MASS_SHARES * np.square(dot(arm, axis[:, None])))
        return cls(axis, dot(place - middle, axis), gyration, arm)

    def give(self, way: np.ndarray) -> np.ndarray:
        """Way where they are struck along unit vectors (n, 3) over that of their middles, 1 or more, (n,)."""
        return 1.0 + np.square(self.off) * np.square(self._across(way)) / self.gyration

    def moved(self, way: np.ndarray) -> np.ndarray:
        """Displacement of every node where the middles move by this (n, 3), (n, 23, 3).

        The center of mass goes with the middle: a blow changes momentum by the mass times the way, no more.
        """
        spin = (self.off / self.gyration * self._across(way))[:, None]
        x, y, _ = np.moveaxis(self.arm, -1, 0)
        return way[:, None] + np.stack((-spin * y, spin * x, np.zeros_like(x)), axis=-1)

    def _across(self, way: np.ndarray) -> np.ndarray:
        """Part of a way (n, 3) that is across the axis to its left, seen from above, (n,)."""
        return self.axis[:, 0] * way[:, 1] - self.axis[:, 1] * way[:, 0]


def strike(
    shoal: Shoal,
    fishes: np.ndarray,
    nodes: np.ndarray,
    place: np.ndarray,
    way: np.ndarray,
    motion: np.ndarray | float = 0.0,
) -> None:
    """Pushes fishes where they touch what yields to nothing, and stops them from going further in there.

    Args:
        shoal: The shoal of all fishes.
        fishes: Rows of those that are pushed, (n,), each once.
        nodes: Their nodes in metres, (n, 23, 3).
        place: Place where each touches in metres, (n, 3).
        way: Vector by which that place is to move in metres, (n, 3).
        motion: Velocity of what they touch in m/s, (n, 3); it stands if left out.
    """
    rods, out = Rods.of(nodes, place), unit(way)
    give = rods.give(out)[:, None]
    into = np.minimum(dot(shoal.velocity_of(fishes) - motion, out), 0.0)
    length = shoal.length[fishes]
    shift, change = rods.moved(way / give), rods.moved(-into[:, None] * out / give)
    shoal.displace(fishes, _turned(shift, MOST_TURNED_LENGTHS * length), _turned(change, FASTEST_BLOW * length))


def keep_apart(
    shoal: Shoal, skins: Skins, nodes: np.ndarray, alive: np.ndarray, seizing: np.ndarray, period: float = np.inf
) -> np.ndarray:
    """Pushes bodies that touch apart, as an inelastic blow does: momentum is kept, their closing speed is lost.

    A fish weighs with the cube of its length.

    Args:
        shoal: The shoal of all fishes.
        skins: Their skins.
        nodes: Their nodes in metres, (fish, 23, 3).
        alive: Mask of the fishes that are there at all, (fish,) bool.
        seizing: Row of the prey that each has its mouth open for and may therefore touch, -1 without, (fish,).
        period: Seconds in which they give way; a fish that others throng goes no faster than `SWIFTEST_YIELD`.

    Returns:
        Rows of those that were pushed, (n,).
    """
    there = np.flatnonzero(alive)
    if len(there) < 2:
        return np.zeros(0, dtype=int)
    lines = center_lines(nodes if len(there) == len(nodes) else nodes[there])
    met = near(lines, shoal.length[there], skins.reach[there], skins.middles)
    a, b = there[met.first], there[met.second]
    if not len(a):
        return np.zeros(0, dtype=int)
    frames = [body_frame(nodes[rows])[1] for rows in (a, b)]
    apart = np.where(met.distance[:, None] > 1e-9, met.gap, mean(nodes[b], axis=1) - mean(nodes[a], axis=1))
    way = unit(apart)
    radii = [skins.radius(rows, at, of, way) for rows, at, of in zip((a, b), (met.at, met.there), frames, strict=True)]
    depth = radii[0] + radii[1] - met.distance
    touch = (depth > 0) & (seizing[a] != b) & (seizing[b] != a)
    if not touch.any():
        return np.zeros(0, dtype=int)
    a, b, way, depth = a[touch], b[touch], way[touch], depth[touch]
    rods = [_rods(nodes[rows], at[touch]) for rows, at in ((a, met.at), (b, met.there))]
    lightness = [1.0 / (np.square(of) * of) for of in (shoal.length[a], shoal.length[b])]
    give = lightness[0] * rods[0].give(way) + lightness[1] * rods[1].give(way)
    closing = np.maximum(dot(shoal.velocity_of(a) - shoal.velocity_of(b), way), 0.0)
    touched, own = np.unique(np.concatenate((a, b)), return_inverse=True)
    shift, change = np.zeros((2, len(touched), *nodes.shape[1:]))
    for rows, rod, light, sign in zip(np.split(own.ravel(), 2), rods, lightness, (-1.0, 1.0), strict=True):
        blow = (sign * light / give)[:, None] * way
        np.add.at(shift, rows, rod.moved((1 - CONTACT_SOFTNESS) * depth[:, None] * blow))
        np.add.at(change, rows, rod.moved(closing[:, None] * blow))
    length = shoal.length[touched]
    way = _turned(shift, MOST_TURNED_LENGTHS * length)
    hurry = norm(way).max(axis=1) / (SWIFTEST_YIELD * length * period)
    way /= np.maximum(hurry, 1.0)[:, None, None]
    shoal.displace(touched, way, _turned(change, FASTEST_BLOW * length))
    return touched


def _turned(way: np.ndarray, most: np.ndarray) -> np.ndarray:
    """Displacements of nodes, (n, 23, 3), with the turning limited to a most (n,) for one node, not the way itself.

    Nodes turn along straight lines: a small fish that a large one throws about would be torn apart.
    """
    middle = weighted(MASS_SHARES, way)[:, None]
    turning = way - middle
    share = most / np.maximum(norm(turning).max(axis=1), 1e-12)
    return np.where((share < 1.0)[:, None, None], middle + share[:, None, None] * turning, way)


def _rods(nodes: np.ndarray, at: np.ndarray) -> Rods:
    """Rods of nodes (n, 23, 3), struck so many links from the nose (n,)."""
    return Rods.of(nodes, _along(center_lines(nodes), at))


def _along(lines: np.ndarray, at: np.ndarray) -> np.ndarray:
    """Places on center lines (n, 7, 3) so many links from the nose (n,), in metres, (n, 3)."""
    link, rows = np.minimum(at.astype(int), LINKS - 1), np.arange(len(at))
    share = (at - link)[:, None]
    return (1 - share) * lines[rows, link] + share * lines[rows, link + 1]
