"""Solids that move: rigid ones, whose field moves with them, and the motion of their surfaces."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike

from ..base.attitude import NOT_TURNED, matrices
from ..base.constants import constant
from ..base.vectors import local, norm
from .solids import Exact, Solid

AT_REST = constant(np.array((0.0, 0.0, 0.0, *NOT_TURNED)))
"""A place in metres and a turn as a quaternion, (7,): where a solid is that was not moved."""


class Moving(Solid):
    """A solid that is elsewhere, or of another form, from frame to frame.

    Attributes:
        middle: Middle of a sphere around all of it now, in metres, (3,).
        radius: Radius of that sphere in metres.
        travel: Metres that any of it has come in the last frame, at the most.
        swiftest: The speed of that in m/s.
    """

    middle: np.ndarray
    radius: float
    travel: float
    swiftest: float

    @property
    def exact(self) -> bool:
        """True if its sphere bounds its distances, which those of samples need not keep to."""
        return False

    def near(self, places: np.ndarray, reach: ArrayLike) -> np.ndarray:
        """Rows of the places (n, 3) that its sphere may come within metres of, (n,) or one for all; (m,)."""
        return np.flatnonzero(norm(places - self.middle) < reach + np.asarray(self.radius))

    @abstractmethod
    def put(self, pose: np.ndarray, before: np.ndarray, period: float) -> None:
        """Is at a pose now, (7,), and was at another before, so many seconds ago."""

    @abstractmethod
    def carried(self, points: np.ndarray) -> np.ndarray:
        """Places (n, 3) of a frame ago as they would be now, had they gone along with the nearest surface."""

    @abstractmethod
    def velocity(self, points: np.ndarray) -> np.ndarray:
        """Velocity in m/s, as it was in the last frame, of the surface that is nearest to places (n, 3), (n, 3)."""


class Rigid(Moving):
    """A solid of one form that is moved and turned."""

    _at: np.ndarray
    _at_before: np.ndarray
    _axes: np.ndarray
    _axes_before: np.ndarray
    _period: float
    _still: bool

    def __init__(self, form: Solid, middle: np.ndarray, radius: float):
        """Begins at rest.

        Args:
            form: The solid in axes of its own.
            middle: Middle of a sphere around it in these, in metres, (3,).
            radius: Radius of that sphere in metres.
        """
        self._form, self._middle, self.radius = form, middle, radius
        self.grain, self.sheer = form.grain, form.sheer
        self.put(AT_REST, AT_REST, 1.0)

    def put(self, pose: np.ndarray, before: np.ndarray, period: float) -> None:
        """See Moving."""
        self.put_all([self], pose[None], before[None], period)

    @staticmethod
    def put_all(solids: Sequence[Rigid], poses: np.ndarray, before: np.ndarray, period: float) -> None:
        """`put` of k solids at once, at poses (k, 7) now and (k, 7) before."""
        if not solids:
            return
        axes, axes_before = matrices(poses[:, 3:]), matrices(before[:, 3:])
        centers, radii = np.array([one._middle for one in solids]), np.array([one.radius for one in solids])
        middles = poses[:, :3] + local(np.swapaxes(axes, -1, -2), centers)
        came = before[:, :3] + local(np.swapaxes(axes_before, -1, -2), centers)
        travel = norm(middles - came) + norm(axes - axes_before).max(axis=-1) * radii
        still = (poses == before).all(axis=1).tolist()
        for row, (one, way) in enumerate(zip(solids, travel.tolist(), strict=True)):
            one._at, one._axes, one.middle = poses[row, :3], axes[row], middles[row]
            one._at_before, one._axes_before = before[row, :3], axes_before[row]
            one._period, one._still, one.travel, one.swiftest = period, still[row], way, way / period

    @property
    def exact(self) -> bool:
        """True if its distances are those of its form and not of samples of it, so that its sphere bounds them."""
        return isinstance(self._form, Exact)

    def carried(self, points: np.ndarray) -> np.ndarray:
        """See Moving."""
        return self._at + local(self._axes.T, local(self._axes_before, points - self._at_before))

    def velocity(self, points: np.ndarray) -> np.ndarray:
        """See Moving."""
        if self._still:
            return np.zeros(points.shape)
        distance, away = self.distance(points)
        surface = points - distance[..., None] * away
        came = self._at_before + local(self._axes_before.T, self._own(surface))
        return (surface - came) / self._period

    def depth(self, points: np.ndarray) -> np.ndarray:
        """See Solid."""
        return self._form.depth(self._own(points))

    def distance(self, points: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """See Solid."""
        distance, way = self._form.distance(self._own(points))
        return distance, local(self._axes.T, way)

    def free_path(
        self, points: np.ndarray, directions: np.ndarray, margin: ArrayLike, reach: ArrayLike = np.inf
    ) -> np.ndarray:
        """See Solid."""
        return self._form.free_path(self._own(points), local(self._axes, directions), margin, reach)

    def blocks(self, start: np.ndarray, end: np.ndarray) -> np.ndarray:
        """See Solid."""
        return self._form.blocks(self._own(start), self._own(end))

    def _own(self, points: np.ndarray) -> np.ndarray:
        """Places in its own axes."""
        return local(self._axes, points - self._at)
