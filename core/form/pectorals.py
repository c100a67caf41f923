"""Pectoral fins that flap and oar, as they are seen (Tu 1999, app. B).

Vectors v_0i point from the root's middle to the fin's outer points. Both motions change their directions and
never their lengths.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class PectoralFin:
    """The left pectoral fin; the right one is its mirror image.

    Attributes:
        root: Places of the four points of the root on the left body surface, (4, 2) as (u, v).
        middle: Place of the middle of the root, the vertex v_0, (2,) as (u, v).
        rays: Vectors v_0i to the four outer points at rest, (4, 3) in body lengths in the fish's own frame.
        normal: The fin's normal v_n, (3,), unit.
        axis: The axis v_r that the rays turn about in oaring, (3,), unit.
    """

    root: np.ndarray
    middle: np.ndarray
    rays: np.ndarray
    normal: np.ndarray
    axis: np.ndarray

    def swing(self, flap: np.ndarray, oar: np.ndarray) -> np.ndarray:
        """The rays after flapping, then oaring.

        Both 0 is the rest pose. A flap of 0.3 already swings the fin by 17 degrees; a full stroke of the oar is a
        turn of 2 pi, backwards over the top for rising angles, which is forward rowing.

        Args:
            flap: Displacement along the normal over the fin's length, (...).
            oar: Angle theta in radians, (...).

        Returns:
            (..., 4, 3) in body lengths in the fish's own frame, for a left fin.
        """
        length = np.linalg.norm(self.rays, axis=-1, keepdims=True)
        moved = self.rays + np.asarray(flap)[..., None, None] * length * self.normal  # e_i = |v_0i|/|v_01| e_1
        moved *= length / np.linalg.norm(moved, axis=-1, keepdims=True)
        # conj(q) v q turns by -theta about v_r.
        cosine, sine = np.cos(oar)[..., None, None], -np.sin(oar)[..., None, None]
        along = (moved @ self.axis)[..., None] * self.axis
        return along + cosine * (moved - along) + sine * np.cross(self.axis, moved)
