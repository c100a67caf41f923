"""Draws what stands around an eye into a picture: the shape that each pixel sees, and its distance.

Every pixel tests what its own ray hits, so nothing is bent, cut off or rounded to the grid, however wide the lens; a
shape is tested only by pixels near it. This is the plain form; drawing.c is compiled, and has the same bits, which is
why single precision and the order of sums are written out.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ...base.elementary import arcsin, arctan2, hypot, sin
from ...base.sums import total
from ...base.vectors import LEAST_LENGTH, dot, local
from ...compiled import changes, compiled, integer, reals, record, takes
from .lens import Lens

NOTHING = -1
"""Mark of a pixel that sees nothing."""
PICTURES_A_THREAD = 1
"""Pictures that are worth a thread of their own."""
STEEPEST_ANGLE = 2.9
"""Angle off the axis in radians, beyond which what reaches there may be anywhere in the picture."""
SHALLOWEST = np.float32(1e-9)
LEAST_SLOPE = np.float32(1e-12)

_VIEW = record("View", **reals("origin:3 frame:9 half_field size rays picture"))
"""Place of an eye, width and resolution of its view, and beginnings of its rays and picture among those of all."""
RETINA = compiled(
    "retina",
    over="eyes",
    least=PICTURES_A_THREAD,
    views=takes(_VIEW, "eyes"),
    rays=takes("f4", "rayed"),
    vertices=takes("f8", "places", 3),
    triangles=takes("i4", "sides", 3),
    both=takes("?", "sides"),
    balls=takes("f8", "globes", 4),
    pillars=takes("f8", "columns", 5),
    box=takes("f8", 6),
    unseen=takes("i8", "eyes", 2),
    ranges=changes("f4", "pixels"),
    marks=changes("i4", "pixels"),
    boxed=integer(),
)


@dataclass(frozen=True, eq=False)
class EyeView:
    """Place and axes of an eye.

    Attributes:
        origin: Metres, (3,).
        frame: Columns ahead, left and up, (3, 3).
    """

    origin: np.ndarray
    frame: np.ndarray


@dataclass(frozen=True, eq=False)
class Shapes:
    """All that can be seen; each shape has a number, its mark: triangles first, then balls, pillars, and six walls.

    Attributes:
        vertices: Metres, (v, 3).
        triangles: Their rows for each triangle, (n, 3) int32, counter-clockwise seen from outside.
        both: Mask of those that are seen from behind, too, (n,) bool.
        balls: Middle and radius in metres, (k, 4).
        pillars: Middle of the foot, radius and height in metres, (m, 5).
        box: Low and high corner in metres of the walls all around, (2, 3); None without any.
    """

    vertices: np.ndarray
    triangles: np.ndarray
    both: np.ndarray
    balls: np.ndarray
    pillars: np.ndarray
    box: np.ndarray | None = None

    def __len__(self) -> int:
        return len(self.triangles) + len(self.balls) + len(self.pillars) + (0 if self.box is None else 6)


def draw(view: EyeView, lens: Lens, shapes: Shapes, unseen: range = range(0)) -> tuple[np.ndarray, np.ndarray]:
    """Draws what an eye sees.

    Args:
        view: The eye.
        lens: Its lens.
        shapes: The shapes around it.
        unseen: Triangles that it does not see, its own.

    Returns:
        The mark of the nearest shape at each pixel, (size, size) int32, `NOTHING` where none is; and metres to it,
        (size, size) float32, infinite there.
    """
    own = np.array([[unseen.start, unseen.stop]])
    ((marks, far),) = draw_all(view.origin[None], view.frame[None], [lens], shapes, own)
    return marks[0], far[0]


def draw_all(
    origins: np.ndarray, frames: np.ndarray, lenses: Sequence[Lens], shapes: Shapes, unseen: np.ndarray
) -> list[tuple[np.ndarray, np.ndarray]]:
    """Draws what n eyes see, each through every one of some lenses.

    Args:
        origins: Their places in metres, (n, 3).
        frames: Columns ahead, left and up, (n, 3, 3).
        lenses: Their lenses.
        shapes: The shapes around them.
        unseen: The first of the triangles that each does not see, and the one after the last, (n, 2).

    Returns:
        For each lens, the results of `draw` for each eye: marks and ranges, (n, size, size) both.
    """
    eyes, found, views, ray, at = len(origins), [], [], 0, 0
    for lens in lenses:
        pixels = lens.size * lens.size
        where = np.column_stack([np.full(eyes, ray), at + pixels * np.arange(eyes)])
        sees = np.tile((lens.half_field, float(lens.size)), (eyes, 1))
        views.append(np.concatenate([origins, frames.reshape(eyes, 9), sees, where], axis=1))
        ray, at = ray + 3 * pixels, at + eyes * pixels
    far, marks, end = np.full(at, np.inf, np.float32), np.full(at, NOTHING, np.int32), 0
    for lens in lenses:
        begin, end = end, end + eyes * lens.size * lens.size
        square = eyes, lens.size, lens.size
        found.append((marks[begin:end].reshape(square), far[begin:end].reshape(square)))
    box = np.zeros(6) if shapes.box is None else shapes.box.ravel()
    done = RETINA(
        views=np.concatenate(views),
        rays=np.concatenate([lens.rays.ravel() for lens in lenses]),
        vertices=shapes.vertices,
        triangles=shapes.triangles,
        both=shapes.both,
        balls=shapes.balls,
        pillars=shapes.pillars,
        box=box,
        unseen=np.tile(unseen, (len(lenses), 1)),
        ranges=far,
        marks=marks,
        boxed=shapes.box is not None,
    )
    if not done:
        for lens, (on, away) in zip(lenses, found, strict=True):
            for eye in range(eyes):
                picture = _Picture(EyeView(origins[eye], frames[eye]), lens, away[eye], on[eye])
                picture.draw(shapes, range(*unseen[eye].tolist()))
    return found


class _Picture:
    """The plain form of `draw`."""

    def __init__(self, view: EyeView, lens: Lens, far: np.ndarray, marks: np.ndarray) -> None:
        self._view, self._lens, self._far, self._marks = view, lens, far, marks
        self._rays = lens.rays.reshape(3, lens.size, lens.size)
        self._world = view.frame.astype(np.float32)

    def draw(self, shapes: Shapes, unseen: range) -> None:
        """Draws all shapes, one after the other."""
        eye = self._view
        corners = local(eye.frame, shapes.vertices - eye.origin)[shapes.triangles]
        for mark, (corner, both) in enumerate(zip(corners, shapes.both, strict=True)):
            if mark not in unseen:
                self._triangle(corner, bool(both), mark)
        mark = len(corners)
        middles = local(eye.frame, shapes.balls[:, :3] - eye.origin)
        for number, (middle, radius) in enumerate(zip(middles, shapes.balls[:, 3], strict=True)):
            self._ball(middle, radius, mark + number)
        mark += len(middles)
        for number, pillar in enumerate(shapes.pillars):
            self._pillar(pillar, mark + number)
        if shapes.box is not None:
            self._box(shapes.box, mark + len(shapes.pillars))

    def _triangle(self, corner: np.ndarray, both: bool, mark: int) -> None:
        """Draws one by barycentric coordinates: signed volumes of the ray with each edge, shared by two triangles."""
        one, two, three = corner
        a, b, c = (_cross(*pair).astype(np.float32) for pair in ((two, three), (three, one), (one, two)))
        across = _cross(two, three)
        whole = np.float32(one[0] * across[0] + one[1] * across[1] + one[2] * across[2])
        if not both and whole >= 0.0:
            return
        units = corner / np.maximum(np.sqrt(_square(corner)), LEAST_LENGTH)[:, None]
        way = total(units, axis=0)
        way = way / max(np.sqrt(_square(way)), LEAST_LENGTH)
        nearest = min(float(dot(units, way).min()), 1.0)
        on = self._covered(way, float(arctan2(np.sqrt(max(1.0 - nearest * nearest, 0.0)), nearest)))
        if on is None:
            return
        x, y, z = self._rays[:, on[0], on[1]]
        first, second, third = (n[0] * x + n[1] * y + n[2] * z for n in (a, b, c))
        with np.errstate(divide="ignore", invalid="ignore"):
            whole_ray = first + second + third
            far = whole / whole_ray
            seen = (first * whole_ray >= 0.0) & (second * whole_ray >= 0.0) & (third * whole_ray >= 0.0)
        self._put(on, seen, far, mark)

    def _ball(self, middle: np.ndarray, radius: float, mark: int) -> None:
        off = float(np.sqrt(_square(middle)))
        if off <= radius:
            return
        on = self._covered(middle / off, float(arcsin(radius / off)))
        if on is None:
            return
        x, y, z = self._rays[:, on[0], on[1]]
        at = middle.astype(np.float32)
        along = at[0] * x + at[1] * y + at[2] * z
        square = along * along - np.float32(off * off - radius * radius)
        self._put(on, square >= 0.0, along - np.sqrt(np.maximum(square, np.float32(0.0))), mark)

    def _pillar(self, pillar: np.ndarray, mark: int) -> None:
        """Draws one by equation 6.2 of Tu 1999 for the mantle, and a slab for the ends."""
        arm = pillar[:3] - self._view.origin
        arm[2] += 0.5 * pillar[4]
        middle = local(self._view.frame, arm)
        around, off = np.sqrt(pillar[3] * pillar[3] + 0.25 * pillar[4] * pillar[4]), float(np.sqrt(_square(middle)))
        half_angle = float(arcsin(around / off)) if off > around else 3.2
        on = self._covered(middle / max(off, LEAST_LENGTH), half_angle)
        if on is None:
            return
        x, y, z = self._in_world(on)
        x0, y0, z0 = (-arm).astype(np.float32)
        half, slope = np.float32(0.5 * pillar[4]), x * x + y * y
        a = np.where(slope > LEAST_SLOPE, slope, LEAST_SLOPE)
        b = x0 * x + y0 * y
        square = b * b - a * np.float32(arm[0] * arm[0] + arm[1] * arm[1] - pillar[3] * pillar[3])
        root = np.sqrt(np.where(square > 0.0, square, np.float32(0.0)))
        steep = np.where(z < 0.0, np.where(z > -SHALLOWEST, -SHALLOWEST, z), np.where(z < SHALLOWEST, SHALLOWEST, z))
        one, other = (-half - z0) / steep, (half - z0) / steep
        far = np.maximum((-b - root) / a, np.where(one < other, one, other))
        end = np.minimum((-b + root) / a, np.where(one < other, other, one))
        self._put(on, (square > 0.0) & (far < end), far, mark)

    def _box(self, ends: np.ndarray, mark: int) -> None:
        on = slice(0, self._lens.size), slice(0, self._lens.size)
        ways = self._in_world(on)
        low, high = (ends - self._view.origin).astype(np.float32)
        for axis, along in enumerate(ways):
            with np.errstate(divide="ignore", invalid="ignore"):
                far = np.where(along < 0.0, low[axis], high[axis]) / along
            self._put(on, np.ones(along.shape, bool), far, mark + 2 * axis + np.where(along < 0.0, 0, 1))

    def _in_world(self, on: tuple[slice, slice]) -> tuple[np.ndarray, ...]:
        """Directions of these pixels along x, y and z."""
        d, e, f = self._rays[:, on[0], on[1]]
        return tuple(row[0] * d + row[1] * e + row[2] * f for row in self._world)

    def _put(self, on: tuple[slice, slice], seen: np.ndarray, far: np.ndarray, mark: int | np.ndarray) -> None:
        """Keeps what is nearer than what was there."""
        there = self._far[on]
        nearer = seen & (far > 0.0) & (far < there)
        self._far[on] = np.where(nearer, far, there)
        self._marks[on] = np.where(nearer, mark, self._marks[on])

    def _covered(self, way: np.ndarray, half_angle: float) -> tuple[slice, slice] | None:
        """The pixels that may show what lies in a cone about a unit direction; None where none may.

        Along a great circle the picture is stretched by no more than angle / sin(angle) at its farthest from the axis.
        """
        size, half = self._lens.size, self._lens.half_field
        off_axis = float(hypot(way[1], way[2]))
        angle = float(arctan2(off_axis, way[0]))
        farthest = angle + half_angle
        if angle - half_angle > half:
            return None
        if farthest > STEEPEST_ANGLE:
            return slice(0, size), slice(0, size)
        row, column = self._lens.place(way)
        reach = 1.0 + 0.5 * size / half * half_angle * farthest / max(float(sin(farthest)), 1e-12)
        rows, columns = (
            slice(max(int(np.floor(at - reach)), 0), min(int(np.ceil(at + reach)), size)) for at in (row, column)
        )
        return (rows, columns) if rows.start < rows.stop and columns.start < columns.stop else None


def _square(vectors: np.ndarray) -> np.ndarray:
    return vectors[..., 0] * vectors[..., 0] + vectors[..., 1] * vectors[..., 1] + vectors[..., 2] * vectors[..., 2]


def _cross(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    return np.array([a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]])
