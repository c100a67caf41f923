"""Tracks of real fish: those of idtracker.ai in PyPI's package trajectorytools, read if it is installed.

They are of 8 and of 15 juvenile zebrafish in shallow water, filmed from above. The package is no dependency: it is
looked up, nothing of it is run or copied, and without it the columns of tracked fish stay empty
(`pip install --no-deps trajectorytools` puts it beside the others).
"""

from __future__ import annotations

import importlib.util
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from .motion import filled

FILES = ("test_trajectories_idtrackerai.npy", "trajectories_with_points.npy")


@dataclass(frozen=True)
class TrackedPlaces:
    """Places of tracked fish.

    Attributes:
        places: Positions in pixels, (frames, fish, 2).
        fps: Frames a second.
        length: A body's length in pixels.
    """

    places: np.ndarray
    fps: float
    length: float

    @property
    def name(self) -> str:
        """Their name, with the number of fish."""
        return f"{self.places.shape[1]} tracked fish"


def read(path: Path) -> TrackedPlaces:
    """Tracks from a file of idtracker.ai.

    Raises:
        KeyError: The file lacks a needed entry.
    """
    content = np.load(path, allow_pickle=True).item()
    places, fps, length = (content[key] for key in ("trajectories", "frames_per_second", "body_length"))
    return TrackedPlaces(filled(places), float(fps), float(length))


def tracked() -> list[TrackedPlaces]:
    """All tracks that are installed; empty without the package."""
    found = importlib.util.find_spec("trajectorytools")
    if found is None or not found.submodule_search_locations:
        return []
    data = Path(found.submodule_search_locations[0]) / "data"
    return [read(data / name) for name in FILES if (data / name).is_file()]
