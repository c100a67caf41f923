"""The lens of an eye: one equidistant fisheye over the whole field of view, ahead at its centre."""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from ...base.elementary import arctan2, hypot, sin_and_cos
from ..tuning import FIELD_ANGLE


class Lens:
    """A round picture in a square of pixels; the angle off the axis grows evenly from its middle to its edge.

    Attributes:
        size: Pixels across.
        half_field: Angle at the edge in radians.
        rays: Unit vectors ahead, left and up that the pixels look along, row by row from the top, (3, size * size)
            float32; zero in the corners, which see nothing.
        angles: Solid angle that each pixel covers in steradians, (size * size,); 0 in the corners.
    """

    def __init__(self, size: int, field: float = FIELD_ANGLE) -> None:
        """A lens for pictures of so many pixels that sees this far around, in radians."""
        self.size, self.half_field = size, 0.5 * field
        offsets = (np.arange(size) + 0.5) / (0.5 * size) - 1.0
        left, up = np.broadcast_arrays(-offsets, -offsets[:, None])
        away = np.sqrt(left * left + up * up)
        sine, cosine = sin_and_cos(self.half_field * away)
        off_axis = sine / np.where(away > 0.0, away, 1.0)
        rays = np.stack([cosine, off_axis * left, off_axis * up]) * (away <= 1.0)
        self.rays = np.ascontiguousarray(rays.reshape(3, -1), dtype=np.float32)
        step = self.half_field / (0.5 * size)
        stretch = sine / np.where(away > 0.0, self.half_field * away, 1.0)
        self.angles = (step * step * np.where(away > 0.0, stretch, 1.0) * (away <= 1.0)).ravel()
        self.rays.flags.writeable = self.angles.flags.writeable = False

    @property
    def sees(self) -> np.ndarray:
        """Mask of the pixels that see anything, (size, size) bool."""
        return (self.rays != 0.0).any(axis=0).reshape(self.size, self.size)

    def place(self, way: np.ndarray) -> np.ndarray:
        """Places of directions (..., 3) ahead, left and up in the picture: row and column, (..., 2), in pixels."""
        off_axis = hypot(way[..., 1], way[..., 2])
        angle = arctan2(off_axis, way[..., 0])
        out = 0.5 * self.size / self.half_field * angle / np.where(off_axis > 0.0, off_axis, 1.0)
        return 0.5 * self.size - out[..., None] * way[..., [2, 1]]


@lru_cache(maxsize=8)
def lens_of(size: int, field: float = FIELD_ANGLE) -> Lens:
    """The lens of pictures of so many pixels that sees this far around, in radians."""
    return Lens(size, field)
