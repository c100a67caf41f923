"""A small scene for the tests of takes, and recordings in which fishes are where a test puts them."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from artfish.core import Recording, Scene, World
from artfish.core.recording import ARRAYS

POND = {
    "duration": 2,
    "tank": {"size": [6, 4, 3]},
    "fishes": [
        {"species": "clownfish", "count": 2, "at": [2, 2, 1.5], "spread": 0.4, "mind": {"hunger": 1}},
        {"species": "blue_tang", "at": [4, 2, 1.5]},
    ],
    "plankton": {"count": 30, "at": [2, 2, 1.5], "spread": 0.3},
}
CAMERA = {"kind": "camera", "name": "A", "at": [3, -3, 1.5], "look_at": [3, 2, 1.5]}
"""Looks along y at the middle of the tank, 5 m away from it."""


def staged(places: Any, events: list[dict[str, Any]] | None = None, **scene: Any) -> Recording:
    """A recording of the pond whose fishes are at places (frames, 3, 3) and all head along x.

    Args:
        places: Place of the middle of each fish at each frame, or of all frames alike, (3, 3).
        events: Its events.
        scene: Other keys of the scene.
    """
    lived = World(Scene.from_dict({**POND, **scene}), seed=1).simulate(frames=1)
    at = np.asarray(places, dtype=float)
    at = np.broadcast_to(at, (48, *at.shape)) if at.ndim == 2 else at
    nodes = lived.nodes[0].astype(float)
    heading = nodes[:, 0] - nodes[:, 21:].mean(axis=1)
    turn = -np.arctan2(heading[:, 1], heading[:, 0])
    c, s, zero, one = np.cos(turn), np.sin(turn), 0.0 * turn, 0.0 * turn + 1.0
    turns = np.stack((c, -s, zero, s, c, zero, zero, zero, one), axis=-1).reshape(-1, 3, 3)
    own = np.einsum("fij,fnj->fni", turns, nodes - nodes.mean(axis=1, keepdims=True))
    placed = (at[:, :, None] + own).astype(np.float32)
    lasting = [name for name, one in ARRAYS.items() if one.shape[0] == "frames"]
    arrays = {name: np.repeat(getattr(lived, name), len(placed), axis=0) for name in lasting}
    return replace(lived, **{**arrays, "nodes": placed}, events=events or [])
