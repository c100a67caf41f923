"""Views: who is where in the picture of a camera that stands still, how large, and behind whom."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..habitat.obstacles import Obstacles
from ..recording import Recording
from ..studio.camera_work import CameraPath
from .tuning import SIGHT_POINTS
from .wishes import WishedCamera


@dataclass(frozen=True)
class FishView:
    """Fishes in a picture, at some frames; places are over the picture's height, from its middle.

    Attributes:
        low: Left and lower end of each fish, (frame, fish, 2).
        high: Right and upper end, (frame, fish, 2).
        depth: Metres from the camera, (frame, fish).
        there: Whether it lives and is before the camera, (frame, fish).
        ratio: Width of the picture over its height.
    """

    low: np.ndarray
    high: np.ndarray
    depth: np.ndarray
    there: np.ndarray
    ratio: float

    @property
    def size(self) -> np.ndarray:
        """Size of each fish, the longer side of what it takes, over the picture's height, (frame, fish)."""
        return (self.high - self.low).max(axis=-1)

    @property
    def beyond(self) -> np.ndarray:
        """Distance of the middle of each fish from the picture, over the picture's height, (frame, fish)."""
        middle = np.abs(0.5 * (self.low + self.high))
        return np.maximum(middle - 0.5 * np.array([self.ratio, 1.0]), 0.0).max(axis=-1)

    def overlaps(self, fish: int, nearer: bool) -> np.ndarray:
        """True where another lies over the middle half of a fish, or behind it, at each frame, (frame,).

        Args:
            fish: Row of the fish.
            nearer: Whether only those count that are nearer to the camera.
        """
        middle = 0.5 * (self.low + self.high)[:, fish, None]
        quarter = 0.25 * (self.high - self.low)[:, fish, None]
        meets = ((self.low < middle + quarter) & (self.high > middle - quarter)).all(axis=-1) & self.there
        meets[:, fish] = False
        return (meets & (self.depth < self.depth[:, fish, None]) if nearer else meets).any(axis=1)


def fish_view(recording: Recording, camera: WishedCamera, frames: np.ndarray) -> FishView:
    """The fishes of a recording in a camera's picture at whole frames (k,)."""
    path = camera_path(camera, frames)
    nodes = recording.nodes[frames].astype(float)
    x, y, depth = path.picture(nodes)
    places = np.stack((x, y), axis=-1) * camera.ratio
    there = recording.alive[frames] & (depth.min(axis=-1) > 0.0)
    return FishView(places.min(axis=2), places.max(axis=2), depth.mean(axis=-1), there, camera.ratio)


def camera_path(camera: WishedCamera, frames: np.ndarray) -> CameraPath:
    """A camera that stands still at frames (k,)."""
    at, look = (
        np.broadcast_to(np.array(place, dtype=float), (len(frames), 3)) for place in (camera.at, camera.look_at)
    )
    return CameraPath(frames, at, look, camera.lens, np.ones(len(frames)), ())


def in_sight(recording: Recording, camera: WishedCamera, frames: np.ndarray, fish: int) -> np.ndarray:
    """True where no obstacle stands between a camera and a fish, at each of some frames (k,), (k,)."""
    obstacles = Obstacles.from_scene(recording.scene)
    if not len(obstacles):
        return np.ones(len(frames), dtype=bool)
    goal = recording.nodes[frames, fish].mean(axis=1, dtype=float)
    shares = (np.arange(SIGHT_POINTS) + 0.5) / SIGHT_POINTS
    at = np.array(camera.at)
    points = at + shares[:, None] * (goal - at)[:, None]
    return ~(obstacles.distance(points)[0] < 0.0).any(axis=1)
