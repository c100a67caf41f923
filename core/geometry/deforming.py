"""Meshes that deform: sampled anew for each frame, with the motion of their surface from that of their vertices."""

from __future__ import annotations

from concurrent.futures import Future
from dataclasses import replace
from functools import partial

import numpy as np
from numpy.typing import ArrayLike

from ..base import threads
from ..base.vectors import dot, norm
from .mesh_field import MeshField
from .moving import Moving
from .triangles import Surface

FRAME_SAMPLES = 30_000
"""Corners of cells at most, of a mesh that is sampled for every frame: some thirty along each side of a cube."""
KEPT_FIELDS = 6
"""Number of frames whose fields are kept, for going back to them."""


class Deforming(Moving):
    """A solid whose vertices go evenly from where they are at one time to where they are at the next."""

    def __init__(self, surface: Surface, times: np.ndarray, vertices: np.ndarray, thickness: float | None):
        """Begins at the first of its times.

        Args:
            surface: Surface with its triangles.
            times: Seconds, in order, (k,).
            vertices: Places of the surface's vertices at these in metres, (k, n, 3).
            thickness: Metres, of a shell; None of a solid.
        """
        self._surface, self._times, self._vertices, self._thickness = surface, times, vertices, thickness
        shape = surface if thickness is not None else surface.filled or surface
        self._triangles = shape.triangles
        self._fields: dict[float, MeshField] = {}
        self._coming: dict[float, Future[MeshField]] = {}
        self.put(times[:1], times[:1], 1.0)

    @property
    def vertices(self) -> np.ndarray:
        """Places of its vertices now in metres, (n, 3)."""
        return self._now

    @property
    def triangles(self) -> np.ndarray:
        """Rows of its vertices for each triangle, (m, 3)."""
        return self._surface.triangles

    def put(self, pose: np.ndarray, before: np.ndarray, period: float) -> None:
        """Is as at a time now, the first of `pose`, and was as at that of `before` so many seconds ago."""
        self._t, self._t_before, self._period = float(pose[0]), float(before[0]), period
        self._now, self._was = self._places(self._t), self._places(self._t_before)
        self._field = self._sampled(self._t)
        low, high = self._now.min(axis=0), self._now.max(axis=0)
        self.middle, self.grain = 0.5 * (low + high), self._field.grain
        self.radius = 0.5 * float(norm(high - low)) + 0.5 * (self._thickness or 0.0)
        self.travel = float(norm(self._now - self._was).max())
        self.swiftest = self.travel / period

    def carried(self, points: np.ndarray) -> np.ndarray:
        """See Moving."""
        if self._t == self._t_before:
            return points
        rows, shares = self._nearest(self._sampled(self._t_before), self._was, points)
        return points + self._moved(rows, shares)

    def velocity(self, points: np.ndarray) -> np.ndarray:
        """See Moving."""
        if self._t == self._t_before or not len(points):
            return np.zeros(points.shape)
        flat = points.reshape(-1, 3)
        return (self._moved(*self._nearest(self._field, self._now, flat)) / self._period).reshape(points.shape)

    def depth(self, points: np.ndarray) -> np.ndarray:
        """See Solid."""
        return self._field.depth(points)

    def distance(self, points: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """See Solid."""
        return self._field.distance(points)

    def free_path(
        self, points: np.ndarray, directions: np.ndarray, margin: ArrayLike, reach: ArrayLike = np.inf
    ) -> np.ndarray:
        """See Solid."""
        return self._field.free_path(points, directions, margin, reach)

    def blocks(self, start: np.ndarray, end: np.ndarray) -> np.ndarray:
        """See Solid."""
        return self._field.blocks(start, end)

    def expect(self, t: float) -> None:
        """Samples in the background how it is at a time that comes next."""
        if t not in self._fields and t not in self._coming:
            self._give_up()
            if (future := threads.ahead(partial(self._field_at, t))) is not None:
                self._coming[t] = future

    def _give_up(self) -> None:
        """Gives up the expected frame, if it has not begun."""
        for future in self._coming.values():
            future.cancel()
        self._coming.clear()

    def _places(self, t: float) -> np.ndarray:
        """The vertices at a time, (n, 3)."""
        after = int(np.searchsorted(self._times, t, side="right"))
        if after in (0, len(self._times)):
            return self._vertices[max(after - 1, 0)]
        share = (t - self._times[after - 1]) / (self._times[after] - self._times[after - 1])
        return (1.0 - share) * self._vertices[after - 1] + share * self._vertices[after]

    def _sampled(self, t: float) -> MeshField:
        """The field at a time."""
        if t not in self._fields:
            if len(self._fields) >= KEPT_FIELDS:
                del self._fields[next(iter(self._fields))]
            future = self._coming.pop(t, None)
            self._fields[t] = self._field_at(t) if future is None else future.result()
        return self._fields[t]

    def _field_at(self, t: float) -> MeshField:
        surface = replace(self._surface, vertices=self._places(t))
        return MeshField(surface, None, self._thickness, FRAME_SAMPLES)

    def _nearest(self, field: MeshField, vertices: np.ndarray, points: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """The triangle nearest to each of n points, (n,), and the shares of its corners in the place there, (n, 3)."""
        rows, places = field.nearest(points)
        rows = np.minimum(rows, len(self._triangles) - 1)
        a, b, c = vertices[self._triangles[rows]].transpose(1, 0, 2)
        along, across, arm = b - a, c - a, places - a
        dd, dc, cc, ad, ac = (
            dot(one, other)
            for one, other in ((along, along), (along, across), (across, across), (arm, along), (arm, across))
        )
        area = dd * cc - dc * dc
        flat = area <= 1e-24
        second = np.where(flat, 0.0, (cc * ad - dc * ac) / np.where(flat, 1.0, area))
        third = np.where(flat, 0.0, (dd * ac - dc * ad) / np.where(flat, 1.0, area))
        return rows, np.stack((1.0 - second - third, second, third), axis=-1)

    def _moved(self, rows: np.ndarray, shares: np.ndarray) -> np.ndarray:
        """The motion of places on triangles in the last frame, in metres, (n, 3)."""
        corners = (self._now - self._was)[self._triangles[rows]]
        return shares[:, :1] * corners[:, 0] + shares[:, 1:2] * corners[:, 1] + shares[:, 2:] * corners[:, 2]
