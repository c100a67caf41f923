"""From what a raster found, and what a recording knows, to the labels of one picture."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from .facts import LABEL_DIGITS, FilmFacts
from .keypoints import KEYPOINTS
from .lenses import LensOptics
from .raster import SCENERY, Raster
from .rle import encoded_all

LABEL_FORMAT = 1
TINY_PIXELS = 4
"""Pixels below which a fish is called tiny."""
NEAREST_DEPTH, DEPTH_STEP = 0.05, 0.004
"""Metres that the value 1 of a depth picture stands for, and by what share each further one is deeper."""
SELF_HIDING = 0.03
"""Body lengths that a keypoint may lie behind what is seen of its fish, to be seen."""
PIXEL_DIGITS = 1


def labelled(
    facts: FilmFacts, frame: int, raster: Raster, matrix: np.ndarray, rows: np.ndarray, about: Mapping[str, Any]
) -> dict[str, Any]:
    """The labels of a picture.

    Args:
        facts: Of its film.
        frame: Frame of the recording, from 0.
        raster: All that stands in the picture; marks are rows of fishes and 1.
        matrix: From the world to the camera's axes, (3, 4).
        rows: Rows of the fishes that were filled in, in the order of `Raster.own`.
        about: What is said of the picture besides, as JSON holds it.
    """
    covered = raster.covered()
    listed = np.flatnonzero(covered.inside > 0)
    texts = encoded_all(raster.marks, raster.own[listed])
    points = facts.keypoints(frame, rows[listed])
    keypoints = _keypoints(raster, raster.own[listed], facts.length[frame, rows[listed]], points, matrix)
    fishes = []
    for place, entry in enumerate(listed):
        row = int(rows[entry])
        whole = int(covered.inside[entry] + covered.outside[entry])
        seen = int(covered.seen[entry])
        left, top, right, bottom = covered.boxes[entry]
        hidden = [(int(mark), int(count)) for mark, count in covered.blockers[entry] if count]
        fishes.append(
            {
                "fish": row,
                "track": row + 1,
                **facts.of(frame, row),
                "seen": None
                if not seen
                else _seen(covered.seen_boxes[entry], seen, whole, texts[place], raster.optics),
                "whole": {"box": _rounded([left, top, right - left, bottom - top]), "pixels": whole},
                "cut_off": _share(covered.outside[entry], whole),
                "hidden": _share(covered.inside[entry] - seen, whole),
                "hidden_by": [
                    {"fish": mark - 1 if mark > 0 else SCENERY, "share": _share(count, whole)} for mark, count in hidden
                ],
                "tiny": seen < TINY_PIXELS,
                "keypoints": keypoints[place],
            }
        )
    return {"format": LABEL_FORMAT, **about, "fishes": fishes, "events": facts.events(frame)}


def mask_values(raster: Raster) -> np.ndarray:
    """The values of a mask picture: 0 nothing, or the number of a fish's track, (rows, columns) uint16."""
    return np.maximum(raster.marks, 0).astype(np.uint16)


def depth_values(depths: np.ndarray) -> np.ndarray:
    """The values of a depth picture, (rows, columns) uint16, for depths in metres: logarithmic; 0 where nothing is."""
    near = np.isfinite(depths) & (depths >= NEAREST_DEPTH)
    steps = np.log(np.where(near, depths, NEAREST_DEPTH).astype(float) / NEAREST_DEPTH) / np.log1p(DEPTH_STEP)
    return np.where(np.isfinite(depths), 1.0 + np.rint(steps), 0.0).astype(np.uint16)


def depths_of(values: np.ndarray) -> np.ndarray:
    """The depths in metres that values of a depth picture stand for; infinite where there is none."""
    return np.where(values > 0, NEAREST_DEPTH * (1.0 + DEPTH_STEP) ** (values.astype(float) - 1.0), np.inf)


def _seen(box: np.ndarray, pixels: int, whole: int, text: str, optics: LensOptics) -> dict[str, Any]:
    left, top, right, bottom = box.tolist()
    rle = {"size": [optics.height, optics.width], "counts": text}
    return {
        "box": [left, top, right - left, bottom - top],
        "pixels": pixels,
        "share": _share(pixels, whole),
        "rle": rle,
    }


def _keypoints(
    raster: Raster, marks: np.ndarray, lengths: np.ndarray, points: np.ndarray, matrix: np.ndarray
) -> list[list[list[float | int | None]]]:
    """Keypoints of some fishes as files have them: pixel, visibility, place."""
    optics = raster.optics
    local = points @ matrix[:, :3].T + matrix[:, 3]
    with np.errstate(invalid="ignore"):
        pixels = optics.pixels(local)
        column, row = np.floor(pixels[..., 0]), np.floor(pixels[..., 1])
        inside = (column >= 0) & (column < optics.width) & (row >= 0) & (row < optics.height)
    seen = _in_sight(raster, marks, lengths, local[..., 2], column, row, inside)
    visibility = np.where(inside, np.where(seen, 2, 1), 0)
    shown = np.where(inside[..., None], np.round(pixels, PIXEL_DIGITS), 0.0)
    places = np.round(points, LABEL_DIGITS)
    found = []
    for at, sees, where in zip(shown.tolist(), visibility.tolist(), places.tolist(), strict=True):
        found.append(
            [
                [*pixel, see, *(place if place[0] == place[0] else (None, None, None))]
                for pixel, see, place in zip(at, sees, where, strict=True)
            ]
        )
    assert all(len(one) == len(KEYPOINTS) for one in found)
    return found


def _in_sight(
    raster: Raster,
    marks: np.ndarray,
    lengths: np.ndarray,
    ahead: np.ndarray,
    column: np.ndarray,
    row: np.ndarray,
    inside: np.ndarray,
) -> np.ndarray:
    """True for each point that is on what is seen of its fish, (fish, points): in its pixel, or one beside it."""
    optics, found = raster.optics, np.zeros(inside.shape, dtype=bool)
    x, y = (np.where(inside, of, 0).astype(int) for of in (column, row))
    for down in (-1, 0, 1):
        for across in (-1, 0, 1):
            there = (y + down).clip(0, optics.height - 1), (x + across).clip(0, optics.width - 1)
            own = raster.marks[there] == marks[:, None]
            found |= own & (ahead <= raster.depths[there] + SELF_HIDING * lengths[:, None])
    return found & inside


def _share(part: Any, whole: int) -> float:
    return round(float(part) / whole, 4) if whole else 0.0


def _rounded(values: list[Any]) -> list[float]:
    return [round(float(value), PIXEL_DIGITS) for value in values]
