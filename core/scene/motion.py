"""The motion of obstacles, by keys of place and turn or of all vertices, and their presence as seen by fishes."""

from __future__ import annotations

import os
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np

from ..base.codec import KEY_SECONDS, OPTIONAL, REQUIRED, Place, SceneError
from ..base.declaration import choice, number, text, vector
from ..base.files import read_arrays
from ..geometry.obj import FARTHEST_VERTEX
from .limits import FARTHEST, refuse_no_turn
from .ride import PRESENCES

MOST_MOVED = 500_000
"""Vertices of a deforming mesh at all of its times together."""
_ARRAYS = "times (n,) in seconds and vertices (n, vertices, 3), of numbers"


@dataclass(frozen=True)
class MotionKey:
    """The pose of an obstacle at a time, or the vertices of its mesh; it goes evenly from key to key."""

    time: float = number(REQUIRED, -KEY_SECONDS, KEY_SECONDS, "s", "Seconds since the film begins")
    at: tuple | None = vector(
        OPTIONAL, -FARTHEST, FARTHEST, "m", "Where its own origin is; the obstacle's own place if left out", shape=(3,)
    )
    turn: tuple = vector(
        (1.0, 0.0, 0.0, 0.0), -1.0, 1.0, "", "How it is turned about its origin: a quaternion w, x, y, z"
    )
    vertices: tuple | None = vector(
        OPTIONAL,
        -FARTHEST_VERTEX,
        FARTHEST_VERTEX,
        "",
        "Places of the vertices of a mesh that deforms, as many as it has, in its own size and place",
        shape=(None, 3),
    )

    def __post_init__(self) -> None:
        refuse_no_turn("turn", self.turn)


@dataclass(frozen=True, kw_only=True)
class Movable:
    """The settings that all obstacles share beside their form: motion, and presence."""

    name: str | None = text(OPTIONAL, "What scripts call it")
    presence: str | None = choice(OPTIONAL, PRESENCES, "What fishes take it for; as none it is only in the way")
    colour: tuple | None = vector(
        OPTIONAL, 0.0, 1.0, "", "Linear red, green and blue of its paint in a bake; rock if left out", shape=(3,)
    )
    motion: tuple[MotionKey, ...] | None = None

    def _check_motion(self) -> None:
        """Refuses keys out of order."""
        for row, (one, other) in enumerate(pairwise(self.motion or ()), start=1):
            if other.time <= one.time:
                raise SceneError(f"{other.time:g} s after {one.time:g} s", "times in order", f"motion[{row}].time")

    def _check_vertices(self, count: int) -> None:
        """Refuses a mesh that changes its number of vertices, or is not always given by them."""
        keys = self.motion or ()
        for row, key in enumerate(keys):
            if (key.vertices is None) != (keys[0].vertices is None):
                raise SceneError(
                    "keys with vertices and without", "all or none of them with vertices", f"motion[{row}]"
                )
            if key.vertices is not None and len(key.vertices) != count:
                most = f"{count}, as the mesh has: it may not change their number"
                raise SceneError(f"{len(key.vertices)} vertices", most, f"motion[{row}].vertices")
        if keys and keys[0].vertices is not None and len(keys) * count > MOST_MOVED:
            found = f"{len(keys)} times {count} vertices"
            raise SceneError(found, f"up to {MOST_MOVED} in all: fewer keys, or a simpler mesh", key="motion")


def read_motion(path: str, place: Place) -> list[dict[str, Any]]:
    """The keys that an .npz file holds: `times`, (n,), and `vertices`, (n, vertices, 3).

    Raises:
        SceneError: If the file cannot be read, or holds anything else.
    """
    try:
        arrays = read_arrays(path, "times and vertices")
    except SceneError as error:
        place.refuse(f"{error.found} ({os.path.basename(path)})", "times and vertices (.npz)")
    times, vertices = arrays.get("times"), arrays.get("vertices")
    if times is None or vertices is None or set(arrays) != {"times", "vertices"}:
        place.refuse(f"arrays of other names ({os.path.basename(path)})", _ARRAYS)
    fits = times.ndim == 1 and vertices.ndim == 3 and vertices.shape[2] == 3 and len(times) == len(vertices) > 0
    if not fits or times.dtype.kind not in "fiu" or vertices.dtype.kind not in "fiu":
        place.refuse(f"times {times.shape} and vertices {vertices.shape}", _ARRAYS)
    if vertices.shape[0] * vertices.shape[1] > MOST_MOVED:
        place.refuse(f"{vertices.shape[0]} times {vertices.shape[1]} vertices", f"up to {MOST_MOVED} in all")
    if not (np.isfinite(times).all() and np.isfinite(vertices).all()):
        place.refuse("numbers that are none", _ARRAYS)
    keys = zip(times.tolist(), vertices.tolist(), strict=True)
    return [{"time": float(time), "vertices": places} for time, places in keys]
