"""Triangles filled into pictures: who is in each pixel, how far away, and what each would cover alone.

A pixel shows the nearest of the triangles in which its middle lies. A renderer that sends one ray through the middle of
each pixel finds the same.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..compiled import changes, compiled, integer, takes, writes
from .lenses import LensOptics

NEAREST_SEEN = 0.01
"""Metres before the camera where what is seen begins."""
BENT_EDGE_PIXELS = 4.0
"""Longest edge of a triangle that a lens bends, so that it may be drawn straight."""
MOST_HALVINGS = 14
"""Most halvings of such a triangle."""
MOST_BLOCKERS = 8
"""Number of those that hide a fish that are counted, the greatest."""
SCENERY = -1
"""Mark of what is no fish."""
COVERS_A_THREAD = 16

RASTER = compiled(
    "paint",
    corners=takes("f8", "places", 3),
    sides=takes("i4", "faces", 3),
    mark=integer(),
    depths=changes("f4", "rows", "columns"),
    marks=changes("i4", "rows", "columns"),
)
COVERAGE = compiled(
    "cover",
    over="fishes",
    least=COVERS_A_THREAD,
    corners=takes("f8", "places", 3),
    sides=takes("i4", "faces", 3),
    spans=takes("i8", "fishes", 2),
    own=takes("i4", "fishes"),
    marks=takes("i4", "rows", "columns"),
    boxes=writes("f8", "fishes", 4),
    seen_boxes=writes("i8", "fishes", 4),
    pixels=writes("i8", "fishes", 3),
    blockers=writes("i8", "fishes", 8, 2),
)


@dataclass(frozen=True)
class Covered:
    """Pixels of a picture that each of some fishes covers, alone and among all others.

    Attributes:
        boxes: Left, top, right and bottom of all of it, (fish, 4) float, beyond the picture too; NaN where no part of
            it is before the camera.
        seen_boxes: First column and row of what is seen, and those after the last, (fish, 4); zeros where nothing is.
        seen: Pixels in which it is seen, (fish,).
        inside: Pixels of the picture that it would take alone, (fish,).
        outside: Pixels beyond the picture that it would take, (fish,).
        blockers: Marks of those who take its pixels, and how many, the greatest first, (fish, 8, 2); counts of 0 at
            the end.
    """

    boxes: np.ndarray
    seen_boxes: np.ndarray
    seen: np.ndarray
    inside: np.ndarray
    outside: np.ndarray
    blockers: np.ndarray


class Raster:
    """A picture into which triangles are filled.

    Attributes:
        optics: The lens.
        nearest: Metres ahead where what is seen begins.
        depths: Metres along the axis, (rows, columns) float32; infinite where nothing is.
        marks: Who is there, (rows, columns) int32: 0 nothing, `SCENERY`, or the mark of a fish.
    """

    def __init__(self, optics: LensOptics, nearest: float = NEAREST_SEEN) -> None:
        """An empty picture."""
        self.optics, self.nearest = optics, nearest
        self.depths = np.full((optics.height, optics.width), np.inf, np.float32)
        self.marks = np.zeros((optics.height, optics.width), np.int32)
        self._corners: list[np.ndarray] = []
        self._sides: list[np.ndarray] = []
        self._own: list[int] = []
        self._spans: list[tuple[int, int]] = []
        self._places = self._count = 0

    def add(self, points: np.ndarray, sides: np.ndarray, mark: int) -> None:
        """Fills triangles in.

        Args:
            points: Places (n, 3) in the camera's axes, metres.
            sides: Three of them each, (m, 3).
            mark: Whose they are; those of a fish are kept for `covered`.
        """
        corners, sides = projected(self.optics, points, sides, self.nearest)
        if mark == SCENERY:
            self._paint(corners, sides, mark)
            return
        self._corners.append(corners)
        self._sides.append(sides + self._places)
        self._own.append(mark)
        self._spans.append((self._count, self._count + len(sides)))
        self._places += len(corners)
        self._count += len(sides)
        self._paint(corners, sides, mark)

    def end_at(self, farthest: float) -> None:
        """Takes out what is seen from so many metres ahead on, when all has been filled in."""
        beyond = self.depths > farthest
        self.depths[beyond], self.marks[beyond] = np.inf, 0

    def _paint(self, corners: np.ndarray, sides: np.ndarray, mark: int) -> None:
        if len(sides):
            RASTER(corners=corners, sides=sides, mark=mark, depths=self.depths, marks=self.marks)

    @property
    def own(self) -> np.ndarray:
        """Marks of the fishes, in the order in which they were added, (fish,)."""
        return np.array(self._own, dtype=np.int32)

    def covered(self) -> Covered:
        """Pixels that each fish covers, when all has been filled in, in the order in which they were added."""
        fishes = len(self._own)
        boxes, seen_boxes = np.full((fishes, 4), np.nan), np.zeros((fishes, 4), np.int64)
        pixels, blockers = np.zeros((fishes, 3), np.int64), np.zeros((fishes, MOST_BLOCKERS, 2), np.int64)
        if fishes:
            COVERAGE(
                corners=np.concatenate(self._corners),
                sides=np.concatenate(self._sides),
                spans=np.array(self._spans),
                own=self.own,
                marks=self.marks,
                boxes=boxes,
                seen_boxes=seen_boxes,
                pixels=pixels,
                blockers=blockers,
            )
        seen, inside, outside = pixels.T
        return Covered(boxes, seen_boxes, seen, inside, outside, blockers)


def projected(
    optics: LensOptics, points: np.ndarray, sides: np.ndarray, nearest: float = NEAREST_SEEN
) -> tuple[np.ndarray, np.ndarray]:
    """Triangles as a lens draws them.

    Args:
        optics: The lens.
        points: Places (n, 3) in the camera's axes, metres.
        sides: Three of them each, (m, 3).
        nearest: Metres ahead where what is seen begins.

    Returns:
        Corners (k, 3): pixels across and down, and one over the metres ahead; and three of them each, (l, 3) int32.
        What is behind the camera is cut off, and what a lens bends is halved until it is straight enough.
    """
    points, sides = np.asarray(points, dtype=float), np.asarray(sides, dtype=np.int32)
    points, sides = _before(points, sides, nearest)
    if optics.distortion != "none":
        points, sides = _halved(optics, points, sides)
    corners = np.empty_like(points)
    corners[:, :2] = optics.pixels(points)
    with np.errstate(divide="ignore"):
        corners[:, 2] = 1.0 / points[:, 2]
    return corners, sides


def _before(points: np.ndarray, sides: np.ndarray, nearest: float) -> tuple[np.ndarray, np.ndarray]:
    """The parts of triangles that lie before the camera."""
    ahead = points[:, 2] >= nearest
    count = ahead[sides].sum(axis=1)
    if (count == 3).all():
        return points, sides
    cut = sides[(count > 0) & (count < 3)]
    whole = sides[count == 3]
    if not len(cut):
        return points, whole
    # One corner alone on its side of the plane comes first.
    alone = ahead[cut] == (ahead[cut].sum(axis=1) == 1)[:, None]
    first = np.argmax(alone, axis=1)
    cut = np.take_along_axis(cut, (first[:, None] + np.arange(3)) % 3, axis=1)
    a, b, c = points[cut[:, 0]], points[cut[:, 1]], points[cut[:, 2]]
    ab = a + ((nearest - a[:, 2]) / (b[:, 2] - a[:, 2]))[:, None] * (b - a)
    ac = a + ((nearest - a[:, 2]) / (c[:, 2] - a[:, 2]))[:, None] * (c - a)
    ab[:, 2] = ac[:, 2] = nearest
    new_b = len(points) + np.arange(len(cut))
    new_c = new_b + len(cut)
    front = ahead[cut[:, 0]]
    tips = np.stack([cut[:, 0], new_b, new_c], axis=1)[front]
    rest = ~front
    lower = np.stack([new_b, cut[:, 1], cut[:, 2]], axis=1)[rest]
    upper = np.stack([new_b, cut[:, 2], new_c], axis=1)[rest]
    return np.concatenate([points, ab, ac]), np.concatenate([whole, tips, lower, upper]).astype(np.int32)


def _halved(optics: LensOptics, points: np.ndarray, sides: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Triangles whose edges are short where a lens bends them, halved at their longest edges."""
    done = []
    reach = BENT_EDGE_PIXELS / max(optics.focal)
    for _ in range(MOST_HALVINGS):
        on_plane = points[:, :2] / points[:, 2:]
        corners = on_plane[sides]
        low, high = corners.min(axis=1), corners.max(axis=1)
        limit = min(optics.limit, 1e6)
        seen = ((low < limit) & (high > -limit)).all(axis=1)
        sides, corners = sides[seen], corners[seen]
        edges = np.linalg.norm(np.roll(corners, -1, axis=1) - corners, axis=-1)
        longest = np.argmax(edges, axis=1)
        short = edges.max(axis=1) <= reach
        done.append(sides[short])
        sides, longest = sides[~short], longest[~short]
        if not len(sides):
            break
        a, b, c = np.take_along_axis(sides, (longest[:, None] + np.arange(3)) % 3, axis=1).T
        middle = len(points) + np.arange(len(sides))
        points = np.concatenate([points, 0.5 * (points[a] + points[b])])
        sides = np.concatenate([np.stack([a, middle, c], axis=1), np.stack([middle, b, c], axis=1)])
    done.append(sides)
    return points, np.concatenate(done).astype(np.int32)
