"""Segmentation of a fish in a photograph by a network that learned from drawn pictures.

The network is small: a U-Net (Ronneberger, Fischer and Brox 2015, "U-Net: Convolutional networks for biomedical image
segmentation") of some half a million weights. It looks at a frame of 160 x 112 pixels, and is given the anchors and
the way the fish faces, where they are known. It looks twice: at the whole picture, and at the fish that it found there,
turned level. `tools/segmentation.py` draws what it learns from and trains it.
"""

from __future__ import annotations

import functools
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view
from scipy import ndimage
from scipy.special import expit

from ..base.constants import constant
from .view import ReducedPhotograph

FRAME_ROWS, FRAME_COLUMNS = 112, 160
"""The frame that the network looks at."""
FRAME_CENTRE = constant(0.5 * (np.array([FRAME_COLUMNS, FRAME_ROWS]) - 1.0))
BODY_CHANNEL, FIN_CHANNEL, NOSE_CHANNEL, TAIL_CHANNEL = range(4)
"""Outputs for each pixel, in order: body, fin, the nose, or the middle of the tail's root."""
FACING_SIGNS = {"left": 1.0, "right": -1.0, "auto": 0.0}
"""Sign of the change of x from the nose to the tail of a fish that faces so; 0 if either."""
WEIGHTS_FILE = Path(__file__).with_name("segmentation.npz")
ANCHOR_MARK_PIXELS = 2.0
"""Width of the mark of an anchor, the standard deviation of a bell, in pixels of the frame."""
SECOND_LOOK_WIDTH, SECOND_LOOK_HEIGHT, SECOND_LOOK_MIDDLE = 0.62, 0.86, 0.58
"""At the second look: the most of the frame's width that the body takes up, of its height likewise, and which part of
the way from nose to tail's root is in its middle."""
END_REACH_PIXELS = 3
"""Radius of the search for an end around its most likely pixel, in pixels of the frame."""
END_PEAKS, SHORT_PRICE, WRONG_WAY_PRICE = 6, 30.0, 100.0
"""Number of candidates for either end; and the price, in odds, of ends nearer each other than the body is long, as a
share of that, or of a fish that faces the other way than given."""
SURE_DOUBT = 0.08
"""Share of the seen body that may as well be none, below which the network is sure."""
OTHER_BEGINNINGS = (
    (1.3, 0.0, 0.0),
    (0.85, 0.0, 0.0),
    *((0.7, x, y) for x in (-0.15, 0.15) for y in (-0.15, 0.15)),
)
"""Other parts of the picture to begin with if it is not: their size, and their offset right and down of the middle, as
shares of its size."""
LEAST_BODY_SHARE, LEAST_COLOUR_RANGE = 0.002, 1e-3
"""Share of the frame below which what looks like a body is none, and the least by which colours differ."""


@dataclass(frozen=True)
class KnownPlaces:
    """The known points of a body, as places in the picture.

    Attributes:
        nose: (2,) or None.
        tail: Middle of the tail's root (2,) or None.
        back: Points (n, 2) through which the back's line goes.
        belly: Likewise.
    """

    nose: np.ndarray | None
    tail: np.ndarray | None
    back: np.ndarray
    belly: np.ndarray


@dataclass(frozen=True)
class Segments:
    """The network's result.

    Attributes:
        body: Log odds that each pixel is body (h, w); outside the frame the least seen.
        nose: Tip (2,).
        tail: Middle of the tail's root (2,).
        doubt: Share of the body that may as well be none.
    """

    body: np.ndarray
    nose: np.ndarray
    tail: np.ndarray
    doubt: float


@dataclass(frozen=True)
class _Frame:
    """A part of a picture: its pixel (column, row) shows the place middle + turn @ ((column, row) - centre)."""

    middle: np.ndarray
    turn: np.ndarray

    def place(self, pixels: np.ndarray) -> np.ndarray:
        """Places (..., 2) in the picture of pixels (..., 2) of the frame."""
        return self.middle + (pixels - FRAME_CENTRE) @ self.turn.T

    def pixel(self, places: np.ndarray) -> np.ndarray:
        """The other way round."""
        return (places - self.middle) @ np.linalg.inv(self.turn).T + FRAME_CENTRE

    @property
    def scale(self) -> float:
        """Pixels of the picture in one of the frame."""
        return float(np.sqrt(abs(np.linalg.det(self.turn))))


def sightings(view: ReducedPhotograph, known: KnownPlaces, facing: str = "auto") -> list[Segments]:
    """The possible bodies in a view: most likely as seen in all of it, none if there is nothing to see.

    If that is doubtful, the best sighting from other parts of the picture comes second.

    Args:
        view: The view.
        known: About the body; places are in the view's pixels.
        facing: Direction of the nose: "left", "right" or "auto".
    """
    first = segments(view, known, facing)
    if first is not None and (first.doubt < SURE_DOUBT or not (known.nose is None or known.tail is None)):
        return [first]
    others = (segments(view, known, facing, *beginning) for beginning in OTHER_BEGINNINGS)
    other = min((seen for seen in others if seen is not None), key=lambda seen: seen.doubt, default=None)
    return [seen for seen in (first, other) if seen is not None]


def segments(
    view: ReducedPhotograph,
    known: KnownPlaces,
    facing: str = "auto",
    share: float = 1.0,
    right: float = 0.0,
    down: float = 0.0,
) -> Segments | None:
    """The body in a view, or None if there seems to be none; places are in the view's pixels.

    Args:
        view: The view, as of `sightings`.
        known: Known points, as of `sightings`.
        facing: Direction of the nose, as of `sightings`.
        share: Size of the part of the picture that it begins with, as a share.
        right: Offset of that part to the right of the picture's middle, over its width.
        down: Offset below it, over its height.
    """
    if np.ptp(view.colour) < LEAST_COLOUR_RANGE:
        return None
    height, width = view.colour.shape[:2]
    middle = 0.5 * (np.array([width, height]) - 1.0) + (right * width, down * height)
    frame = _Frame(middle, share * max(width / FRAME_COLUMNS, height / FRAME_ROWS) * np.eye(2))
    seen = _look(view, frame, known, facing)
    if (seen[..., BODY_CHANNEL] > 0.0).mean() < LEAST_BODY_SHARE:
        return None
    level = _along(*_ends(seen, frame, known, facing), seen, frame)
    seen = _look(view, level, known, facing)
    if (seen[..., BODY_CHANNEL] > 0.0).mean() < LEAST_BODY_SHARE:
        return None
    rows, columns = np.mgrid[0:height, 0:width].astype(float)
    at = level.pixel(np.stack([columns, rows], axis=-1))
    least = float(seen[..., BODY_CHANNEL].min())
    odds = ndimage.map_coordinates(seen[..., BODY_CHANNEL], [at[..., 1], at[..., 0]], order=1, cval=least)
    body = expit(seen[..., BODY_CHANNEL])
    doubt = float(np.minimum(body, 1.0 - body).sum() / body.sum())
    return Segments(odds, *_ends(seen, level, known, facing), doubt)


def _look(view: ReducedPhotograph, frame: _Frame, known: KnownPlaces, facing: str) -> np.ndarray:
    """The network's output for a frame (rows, columns, 4), as logarithms of odds."""
    rows, columns = np.mgrid[0:FRAME_ROWS, 0:FRAME_COLUMNS].astype(float)
    x, y = np.moveaxis(frame.place(np.stack([columns, rows], axis=-1)), 2, 0)
    height, width = view.colour.shape[:2]
    there = (x > -0.5) & (x < width - 0.5) & (y > -0.5) & (y < height - 0.5)
    blur = 0.45 * np.sqrt(max(frame.scale**2 - 1.0, 0.0))
    colour = _before_a_ground(view)
    bands = [
        ndimage.map_coordinates(ndimage.gaussian_filter(band, blur), [y, x], order=1, mode="nearest") * there
        for band in np.moveaxis(colour, 2, 0)
    ]
    bands += [np.zeros((FRAME_ROWS, FRAME_COLUMNS))] * (3 - len(bands))
    anchors = ([] if points is None else points for points in (known.nose, known.tail, known.back, known.belly))
    marks = [
        bells(frame.pixel(np.reshape(points, (-1, 2))), ANCHOR_MARK_PIXELS).max(axis=0, initial=0.0)
        for points in anchors
    ]
    faces = np.full((FRAME_ROWS, FRAME_COLUMNS), FACING_SIGNS[facing])
    seen = np.stack([*bands, there, *marks, faces], axis=-1).astype(np.float32)
    mirrored = seen[:, ::-1].copy()
    mirrored[..., -1] *= -1.0
    return 0.5 * (_network(seen) + _network(mirrored)[:, ::-1])


def bells(places: np.ndarray, width: float) -> np.ndarray:
    """Bells of this standard deviation at places (n, 2) of the frame, (n, rows, columns), 1 in their middles."""
    rows, columns = np.mgrid[0:FRAME_ROWS, 0:FRAME_COLUMNS]
    away = (columns - places[:, 0, None, None]) ** 2 + (rows - places[:, 1, None, None]) ** 2
    return np.exp(-0.5 * away / width**2)


def _before_a_ground(view: ReducedPhotograph) -> np.ndarray:
    """Lightness and two differences of colour (h, w, 3), or lightness (h, w, 1), with a ground unlike the fish."""
    colour = view.colour[..., :3] if view.colour.shape[2] >= 3 else view.colour[..., :1]
    if view.alpha is None:
        return colour
    opaque = view.alpha[..., None]
    ground = np.zeros(colour.shape[2])
    ground[0] = 1.0 if np.median(colour[view.alpha > 0.5, 0]) < 0.5 else 0.0
    return opaque * colour + (1.0 - opaque) * ground


def _ends(seen: np.ndarray, frame: _Frame, known: KnownPlaces, facing: str) -> tuple[np.ndarray, np.ndarray]:
    """Nose and tail's root (2,), as places in the picture: the likeliest pair as far apart as the body is long."""
    noses, tails = (
        _peaks(seen[..., kind], frame) if place is None else [(0.0, place)]
        for kind, place in ((NOSE_CHANNEL, known.nose), (TAIL_CHANNEL, known.tail))
    )
    rows, columns = np.nonzero(seen[..., BODY_CHANNEL] > 0.0)
    body = frame.place(np.stack([columns, rows], axis=-1).astype(float))
    way = FACING_SIGNS[facing]

    def worth(nose: np.ndarray, tail: np.ndarray) -> float:
        axis = tail - nose
        length = float(np.hypot(*axis))
        reach = float(np.ptp(body @ axis)) / max(length, 1e-6)
        return -SHORT_PRICE * max(0.0, 1.0 - length / max(reach, 1e-6)) - (
            WRONG_WAY_PRICE if way * axis[0] < 0.0 else 0.0
        )

    pairs = [(one + other + worth(nose, tail), nose, tail) for one, nose in noses for other, tail in tails]
    return max(pairs, key=lambda pair: pair[0])[1:]


def _peaks(odds: np.ndarray, frame: _Frame) -> list[tuple[float, np.ndarray]]:
    """The most likely places of an end: their odds, as logarithms, and where they are in the picture (2,)."""
    smooth = ndimage.gaussian_filter(odds, 1.0)
    top = smooth == ndimage.maximum_filter(smooth, 2 * END_REACH_PIXELS + 1)
    order = np.argsort(-smooth[top])[:END_PEAKS]
    rows, columns = np.mgrid[0:FRAME_ROWS, 0:FRAME_COLUMNS]
    found = []
    for row, column in np.argwhere(top)[order]:
        near = (np.abs(rows - row) <= END_REACH_PIXELS) & (np.abs(columns - column) <= END_REACH_PIXELS)
        likely = near * expit(odds)
        middle = np.array([(likely * columns).sum(), (likely * rows).sum()]) / likely.sum()
        found.append((float(smooth[row, column]), frame.place(middle)))
    return found


def _along(nose: np.ndarray, tail: np.ndarray, seen: np.ndarray, frame: _Frame) -> _Frame:
    """The frame for a second look, with the line from nose to tail's root level in it."""
    axis = tail - nose
    length = max(float(np.hypot(*axis)), 4.0 * frame.scale)
    ahead = axis / length * (1.0 if axis[0] >= 0.0 else -1.0)
    level = np.array([[ahead[0], -ahead[1]], [ahead[1], ahead[0]]])
    rows, columns = np.nonzero(seen[..., BODY_CHANNEL] > 0.0)
    away = np.abs((frame.place(np.stack([columns, rows], axis=-1).astype(float)) - nose) @ level[:, 1])
    tall = 2.0 * float(np.percentile(away, 98.0))
    scale = max(length / (SECOND_LOOK_WIDTH * FRAME_COLUMNS), tall / (SECOND_LOOK_HEIGHT * FRAME_ROWS))
    return _Frame(nose + SECOND_LOOK_MIDDLE * axis, scale * level)


# The network


@functools.cache
def _weights() -> dict[str, tuple[np.ndarray, np.ndarray]]:
    """Matrices (9 inputs, outputs) and biases (outputs,) by the name of the layer."""
    with np.load(WEIGHTS_FILE, allow_pickle=False) as stored:
        kept = {name: stored[name].astype(np.float32) for name in stored.files}
    return {name: (kept[name], kept[f"{name} bias"]) for name in kept if not name.endswith(" bias")}


def _network(frame: np.ndarray) -> np.ndarray:
    """The network's output for a frame (rows, columns, inputs): (rows, columns, 4)."""
    layers = _weights()

    def twice(picture: np.ndarray, first: str, second: str, stride: int = 1) -> np.ndarray:
        once = np.maximum(_convolved(picture, *layers[first], stride), 0.0)
        return np.maximum(_convolved(once, *layers[second]), 0.0)

    ways = [frame]
    for first, second in (("stem", "l1"), ("d2", "l2"), ("d3", "l3"), ("d4", "l4")):
        ways.append(twice(ways[-1], first, second, 2))
    deep = ways.pop()
    matrix, bias = layers["glob"]
    deep = np.maximum(deep + deep.mean(axis=(0, 1)) @ matrix + bias, 0.0)
    deep = np.maximum(_convolved(deep, *layers["l4b"]), 0.0)
    for first, second in (("u3", "u3b"), ("u2", "u2b"), ("u1", "u1b")):
        deep = twice(_joined(deep, ways.pop()), first, second)
    last = np.maximum(_convolved(_joined(deep, ways.pop()), *layers["u0"]), 0.0)
    return _convolved(last, *layers["last"])


def _joined(small: np.ndarray, large: np.ndarray) -> np.ndarray:
    """Channels of a picture that is half as large, and those of another."""
    return np.concatenate([small.repeat(2, axis=0).repeat(2, axis=1), large], axis=2)


def _convolved(picture: np.ndarray, matrix: np.ndarray, bias: np.ndarray, stride: int = 1) -> np.ndarray:
    """A picture (h, w, c) after a convolution with kernels of 3 x 3, its border padded with zeros."""
    padded = np.pad(picture, ((1, 1), (1, 1), (0, 0)))
    windows = sliding_window_view(sliding_window_view(padded, 3, axis=0), 3, axis=1)[::stride, ::stride]
    rows, columns = windows.shape[:2]
    return (windows.reshape(rows * columns, -1) @ matrix + bias).reshape(rows, columns, -1)
