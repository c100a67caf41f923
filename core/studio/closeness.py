"""Closeness: how large fishes are in the picture of a shot, which says how finely they are to be drawn."""

from __future__ import annotations

import numpy as np

from ..recording import Recording
from ..replicas.tuning import FILM_WIDTH_MM
from .camera_work import CameraPath
from .smoothing import between
from .subjects import ends


def picture_shares(recording: Recording, path: CameraPath) -> np.ndarray:
    """The largest share of the picture's width that each fish would take, square to its side, while it is seen, (n,).

    Args:
        recording: The recording.
        path: The camera's path, in the recording's own places.

    Returns:
        Above 1 where only a part of a fish fills the picture; 0 for one that is never in it.
    """
    nose, tail = ends(between(recording.nodes, path.frames))
    places = np.stack([nose, 0.5 * (nose + tail), tail], axis=2)
    x, y, depth = path.picture(places)
    seen = (
        (np.abs(x) < 0.5) & (np.abs(y) < 0.5) & (depth > 0.0) & (between(recording.alive, path.frames) > 0.5)[..., None]
    )
    share = recording.body_length[:, None] * path.lens / FILM_WIDTH_MM / np.maximum(depth, 1e-6)
    return np.where(seen, share, 0.0).max(axis=(0, 2))
