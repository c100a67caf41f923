"""Pictures of what stands around eyes: every pixel tests every shape, in single precision."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np

from artfish.core.base.vectors import cross, dot, local, norm

Array = np.ndarray

SOME = 200  # triangles in memory at once
ZERO, LEAST_SLOPE, SHALLOWEST = np.float32(0.0), np.float32(1e-12), np.float32(1e-9)


def retina(
    *,
    views: SimpleNamespace,
    rays: Array,
    vertices: Array,
    triangles: Array,
    both: Array,
    balls: Array,
    pillars: Array,
    box: Array,
    unseen: Array,
    ranges: Array,
    marks: Array,
    boxed: int,
) -> None:
    """Marks and ranges of the nearest shapes, of equally near ones the first; marks count in the order of drawing."""
    for eye, (first, last) in enumerate(unseen):
        pixels, ray, at = int(views.size[eye]) ** 2, int(views.rays[eye]), int(views.picture[eye])
        picture = _Picture(
            views.origin[eye],
            views.frame[eye].reshape(3, 3),
            rays[ray : ray + 3 * pixels].reshape(3, pixels),
            ranges[at : at + pixels],
            marks[at : at + pixels],
        )
        number = np.arange(len(triangles))
        seen = (number < first) | (number >= last)
        with np.errstate(divide="ignore", invalid="ignore"):
            for begin in range(0, len(triangles), SOME):
                some = slice(begin, begin + SOME)
                picture.draw_triangles(vertices[triangles[some]], both[some], seen[some], begin)
            mark = len(triangles)
            picture.draw_balls(balls, mark)
            picture.draw_pillars(pillars, mark + len(balls))
            if boxed:
                picture.draw_box(box.reshape(2, 3), mark + len(balls) + len(pillars))


class _Picture:
    """The picture of one eye: its place, axes and rays, and the nearest ranges and marks so far."""

    def __init__(self, origin: Array, frame: Array, rays: Array, ranges: Array, marks: Array) -> None:
        self.origin, self.frame, self.rays, self.ranges, self.marks = origin, frame, rays, ranges, marks
        self.ways = _along(frame.astype(np.float32), rays)

    def draw_triangles(self, corners: Array, both: Array, seen: Array, mark: int) -> None:
        """By barycentric coordinates: signed volumes of the ray with each edge, shared by two triangles."""
        one, two, three = local(self.frame, corners - self.origin).transpose(1, 0, 2)
        whole = dot(one, cross(two, three)).astype(np.float32)[:, None]
        edges = cross(two, three), cross(three, one), cross(one, two)
        first, second, third = (_along(edge.astype(np.float32), self.rays) for edge in edges)
        volume = first + second + third
        seen = (seen & (both | ~(whole[:, 0] >= 0.0)))[:, None]
        seen = seen & (first * volume >= 0.0) & (second * volume >= 0.0) & (third * volume >= 0.0)
        self.put(seen, whole / volume, mark)

    def draw_balls(self, balls: Array, mark: int) -> None:
        """Where a ray comes to a ball first; an eye in it sees none of it."""
        middle, radius = local(self.frame, balls[:, :3] - self.origin), balls[:, 3]
        off = norm(middle)
        along = _along(middle.astype(np.float32), self.rays)
        square = along * along - (off * off - radius * radius).astype(np.float32)[:, None]
        seen = ~(off <= radius)[:, None] & (square >= 0.0)
        self.put(seen, along - np.sqrt(np.maximum(square, ZERO)), mark)

    def draw_pillars(self, pillars: Array, mark: int) -> None:
        """By equation 6.2 of Tu 1999 for the mantle, and a slab for the ends."""
        arm = pillars[:, :3] - self.origin
        arm[:, 2] += 0.5 * pillars[:, 4]
        x, y, z = self.ways
        x0, y0, z0 = (-arm).astype(np.float32).T[..., None]
        half, slope = (0.5 * pillars[:, 4]).astype(np.float32)[:, None], x * x + y * y
        outside = arm[:, 0] * arm[:, 0] + arm[:, 1] * arm[:, 1] - pillars[:, 3] * pillars[:, 3]
        a, b = np.where(slope > LEAST_SLOPE, slope, LEAST_SLOPE), x0 * x + y0 * y
        square = b * b - a * outside.astype(np.float32)[:, None]
        root = np.sqrt(np.where(square > 0.0, square, ZERO))
        steep = np.where(z < 0.0, np.where(z > -SHALLOWEST, -SHALLOWEST, z), np.where(z < SHALLOWEST, SHALLOWEST, z))
        one, other = (-half - z0) / steep, (half - z0) / steep
        far = np.maximum((-b - root) / a, np.where(one < other, one, other))
        end = np.minimum((-b + root) / a, np.where(one < other, other, one))
        self.put((square > 0.0) & (far < end), far, mark)

    def draw_box(self, ends: Array, mark: int) -> None:
        """The walls of a box that the eye is in: low and high x, low and high y, bottom and top."""
        low, high = (ends - self.origin).astype(np.float32)
        for axis, along in enumerate(self.ways):
            for side, (end, seen) in enumerate(((low, along < 0.0), (high, ~(along < 0.0)))):
                self.put(seen[None], (end[axis] / along)[None], mark + 2 * axis + side)

    def put(self, seen: Array, far: Array, mark: int) -> None:
        """Keeps what is nearer than what was there, of shapes (k, pixels) that are numbered from a mark on."""
        if not len(far):
            return
        far = np.where(seen & (far > 0.0), far, np.float32(np.inf))
        nearest = far.argmin(axis=0)
        far = np.take_along_axis(far, nearest[None], axis=0)[0]
        nearer = far < self.ranges
        self.ranges[nearer], self.marks[nearer] = far[nearer], mark + nearest[nearer]


def _along(vectors: Array, rays: Array) -> Array:
    """Products of vectors (k, 3) with rays (3, pixels), (k, pixels)."""
    return vectors[:, :1] * rays[0] + vectors[:, 1:2] * rays[1] + vectors[:, 2:] * rays[2]
