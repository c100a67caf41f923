"""Draws what stands around an eye into a picture: the shape that each pixel sees, and its distance.

Every pixel tests what its own ray hits, so nothing is bent, cut off or rounded to the grid, however wide the lens; a
shape is tested only by pixels near it (drawing.c).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ...compiled import changes, compiled, integer, reals, record, takes
from .lens import Lens

NOTHING = -1
"""Mark of a pixel that sees nothing."""
PICTURES_A_THREAD = 1
"""Pictures that are worth a thread of their own."""

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
    RETINA(
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
    return found
