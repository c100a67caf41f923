"""The walls of a tank of any form."""

from __future__ import annotations

from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike

from .compiled_solids import CompiledSolid, Formed
from .mesh_field import MeshField
from .triangles import Surface


class Basin(Formed):
    """The walls of a tank of any form: all that is outside a closed mesh.

    Attributes:
        grain: See Solid.
    """

    def __init__(self, surface: Surface):
        """Samples the field, as for a solid of that form in metres."""
        self._inside = MeshField(surface)
        self.grain = self._inside.grain

    @cached_property
    def form(self) -> CompiledSolid:
        """The form for compiled functions."""
        return self._inside.form.turned()

    def depth(self, points: np.ndarray) -> np.ndarray:
        """See Solid."""
        return -self._inside.depth(points)

    def _distance(self, points: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """See Formed."""
        distance, way = self._inside.distance(points)
        return -distance, -way

    def _blocks(self, start: np.ndarray, end: np.ndarray) -> np.ndarray:
        """See Formed."""
        return self._inside.followed(start, end)[0] | (self.depth(start) < 0)

    def span(self, points: np.ndarray, ways: np.ndarray, margin: ArrayLike) -> tuple[np.ndarray, np.ndarray]:
        """See Solid: anywhere up to the far side of the sphere around the mesh."""
        leave = self._inside.span(points, ways, margin)[1]
        return np.zeros_like(leave), np.maximum(leave, 0.0)
