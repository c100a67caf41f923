"""A photograph as the grid looks at it: small, lightness and colours about 0 to 1, whatever its size and type."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from scipy import ndimage

LOOK_PIXELS = 320
"""Longest side of the pictures that are looked at, at least; less than twice that."""
CLOSE_LOOK_PIXELS = 480
"""The same of a part that is looked at once more."""
MOST_LENGTHS_OF_BREADTH = 20
"""Largest ratio of a picture's length to its breadth."""
CUT_OUT_MARGIN = 0.15
"""Least transparent margin of a cut-out, over the longer side of its opaque part."""
SEEN_OPACITY = 0.05
"""Share of the greatest opacity from which on there is something to be seen."""


@dataclass(frozen=True)
class ReducedPhotograph:
    """A photograph reduced for looking at it.

    Attributes:
        colour: (h, w, c) float32: lightness, two differences of colour and, where it varies, opacity; about 0 to 1.
        alpha: Opacity (h, w), or None where all is opaque.
        step: Pixels of the photograph from one of these to the next.
        shift: Place of the first of these in the photograph (2,), x to the right and y down.
        frontier: Share of the body's outline in the edges of each pixel (h, w), 0 to 1, or None as long as unknown.
    """

    colour: np.ndarray
    alpha: np.ndarray | None
    step: float
    shift: np.ndarray
    frontier: np.ndarray | None = None

    def to_view(self, points: np.ndarray) -> np.ndarray:
        """Positions (..., 2) in the photograph, as positions here."""
        return (points - self.shift) / self.step

    def to_image(self, points: np.ndarray) -> np.ndarray:
        """Positions (..., 2) here, as positions in the photograph."""
        return points * self.step + self.shift


def look_closer(
    image: np.ndarray, view: ReducedPhotograph, low: np.ndarray, high: np.ndarray
) -> ReducedPhotograph | None:
    """Look at a part of a photograph anew, or None where that would not be closer.

    Small parts are looked at between their pixels, so that a fish is as large here as in a large picture.

    Args:
        image: Image as of `look`.
        view: View of the whole.
        low: The part's least x and y (2,) in the photograph.
        high: The part's greatest x and y.
    """
    image = np.asarray(image)
    if image.ndim == 2:
        image = image[..., None]
    ends = np.array([[0, 0], image.shape[1::-1]])
    if view.alpha is not None:  # the margin of a cut-out may be looked at too
        ends = np.array([[0, 0], view.alpha.shape[::-1]]) * view.step + view.shift - 0.5 * (view.step - 1.0)
    first = np.maximum(np.floor(low).astype(int), np.ceil(ends[0]).astype(int))
    last = np.minimum(np.ceil(high).astype(int) + 1, np.floor(ends[1]).astype(int))
    size = last - first
    if size.min() < 8 or size.max() > MOST_LENGTHS_OF_BREADTH * size.min():
        return None
    step = (
        max(1, size.max() // CLOSE_LOOK_PIXELS)
        if size.max() >= CLOSE_LOOK_PIXELS
        else 1.0 / -(-CLOSE_LOOK_PIXELS // size.max())
    )
    if step >= view.step:
        return None
    near = _reduced(_part(image, first, last), CLOSE_LOOK_PIXELS)
    return replace(near, shift=near.shift + first)


def look(image: np.ndarray, least: int = LOOK_PIXELS) -> ReducedPhotograph:
    """Reduce a photograph to a size that is quick to look at, whatever its size and numbers.

    An opaque part before a transparent ground has a margin then, whether the photograph has one or not.

    Args:
        image: (h, w), or (h, w, 1 to 4), of any kind of number; with 2 or 4 channels the last is opacity.
        least: Least length of its longest side then; it is less than twice that.

    Raises:
        ValueError: If it is no picture of at least 8 x 8 pixels, or too long for its breadth.
    """
    image = np.asarray(image)
    if image.ndim == 2:
        image = image[..., None]
    if image.ndim != 3 or not 1 <= image.shape[2] <= 4 or min(image.shape[:2]) < 8:
        raise ValueError(f"image: found an array {image.shape}, allowed (h, w, 3 or 4) of 8 x 8 pixels or more")
    if max(image.shape[:2]) > MOST_LENGTHS_OF_BREADTH * min(image.shape[:2]):
        raise ValueError(
            f"image: found an array {image.shape}, allowed at most {MOST_LENGTHS_OF_BREADTH} times as long as broad"
        )
    return _with_margin(_reduced(image, least))


def opaque_part(alpha: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The first pixel (column, row), and the one behind the last, of the visible part of an opacity (h, w)."""
    seen = alpha > SEEN_OPACITY
    spans = [np.flatnonzero(seen.any(axis=axis)) for axis in (0, 1)]
    return np.array([span[0] for span in spans]), np.array([span[-1] + 1 for span in spans])


def _with_margin(view: ReducedPhotograph) -> ReducedPhotograph:
    """A view with enough transparent ground on every side of a cut-out."""
    if view.alpha is None:
        return view
    low, high = opaque_part(view.alpha)
    margin = int(np.ceil(CUT_OUT_MARGIN * (high - low).max()))
    before = np.maximum(margin - low, 0)
    after = np.maximum(margin - (np.array(view.alpha.shape[::-1]) - high), 0)
    wide = ((before[1], after[1]), (before[0], after[0]))
    colour = np.pad(view.colour, (*wide, (0, 0)))
    return replace(view, colour=colour, alpha=np.pad(view.alpha, wide), shift=view.shift - before * view.step)


def _part(image: np.ndarray, first: np.ndarray, last: np.ndarray) -> np.ndarray:
    """The pixels from the first to before the last (column, row), transparent ones where there is no picture."""
    low, high = np.maximum(first, 0), np.minimum(last, image.shape[1::-1])
    part = image[low[1] : high[1], low[0] : high[0]]
    (left, up), (right, down) = low - first, last - high
    return np.pad(part, ((up, down), (left, right), (0, 0))) if max(left, up, right, down) > 0 else part


def _reduced(image: np.ndarray, least: int) -> ReducedPhotograph:
    """A picture (h, w, c), or a part of one, as it is looked at."""
    longest = max(image.shape[:2])
    block = max(1, longest // least)
    small = _blocks(image, block)
    step, shift = float(block), np.full(2, 0.5 * (block - 1))
    small /= white(image)
    small = np.nan_to_num(small, nan=0.0, posinf=1.0, neginf=0.0)
    if longest < least:
        times = -(-least // longest)
        rows, columns = (np.arange((n - 1) * times + 1) / times for n in small.shape[:2])
        at = np.meshgrid(rows, columns, indexing="ij")
        small = np.stack([ndimage.map_coordinates(band, at, order=1) for band in np.moveaxis(small, 2, 0)], axis=2)
        step = 1.0 / times
    alpha = small[..., -1] if small.shape[2] in (2, 4) else None
    paint = small if alpha is None else small[..., :-1]
    if alpha is not None and (alpha.max() - alpha.min() < 0.1 or alpha.max() <= 0):
        alpha = None
    low, high = np.percentile(paint if alpha is None else paint[alpha > 0.5 * alpha.max()], (1, 99))
    paint = np.clip((paint - low) / max(high - low, 1e-6), -0.5, 1.5)
    if paint.shape[2] == 3:
        paint = np.stack(opponents(*np.moveaxis(paint, 2, 0)), axis=2)
    if alpha is not None:
        alpha = np.clip(alpha / alpha.max(), 0.0, 1.0)
        paint = np.dstack([np.where(alpha[..., None] > 0.05, paint, 0.0), alpha])
    return ReducedPhotograph(np.ascontiguousarray(paint, dtype=np.float32), alpha, step, shift)


def opponents(red: Any, green: Any, blue: Any) -> list:
    """Lightness, red against green, and yellow against blue, about as large; of arrays of any kind."""
    return [(red + green + blue) / 3, (red - green) / 1.5, (0.5 * (red + green) - blue) / 1.5]


def white(image: np.ndarray) -> float:
    """The number that stands for full light: of whole numbers that of their kind, if wide ones are not bytes."""
    if not np.issubdtype(image.dtype, np.integer):
        return 1.0
    most = int(np.iinfo(image.dtype).max)
    if most in (255, 65535):
        return float(most)
    top = int(image.max(initial=0))
    return float(next(whole for whole in (255, 65535, most) if top <= whole))


def _blocks(image: np.ndarray, size: int) -> np.ndarray:
    """Means of square blocks, (h // size, w // size, c) float32; a part of a block at the end is left out."""
    height, width = image.shape[0] // size, image.shape[1] // size
    if size == 1:
        return image.astype(np.float32)
    cut = image[: height * size, : width * size]
    total = np.zeros((height, width, image.shape[2]), dtype=np.float32)
    for row in range(size):
        line = cut[row::size]
        for column in range(size):
            total += line[:, column::size]
    return total / size**2
