"""Motion in time and ways through space: paths and curves."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..base.elementary import interpolated
from ..base.vectors import dot, norm, unit
from .tuning import CURVE_SEARCH_LENGTHS, CURVE_SPACING_LENGTHS, CURVE_STRAYED_LENGTHS


def moved(path: Any, t: float) -> np.ndarray:
    """The place at `t` seconds along a path, rows of seconds, x, y and z in metres, (3,)."""
    moment, *place = np.array(path, dtype=float).T
    return np.array([float(interpolated(t, moment, along)) for along in place])


class WayCurve:
    """A curve by its length.

    Attributes:
        length: Metres from its first point to its last, or once round.
    """

    def __init__(self, points: tuple[tuple[float, ...], ...], closed: bool):
        """Takes its points in metres, straight between, and whether it leads round."""
        self._closed = closed
        places = np.array([*points, points[0]] if closed else points)
        self._points = places
        self._knots = np.concatenate(([0.0], norm(np.diff(places, axis=0)).cumsum()))
        self.length = float(self._knots[-1])

    def at(self, along: np.ndarray) -> np.ndarray:
        """Places in metres so far along it (n,), (n, 3); beyond an open end in the direction of the end."""
        along_once = along % self.length if self._closed else along
        inside = np.clip(along_once, 0.0, self.length)
        place = np.stack([interpolated(inside, self._knots, along) for along in self._points.T], axis=-1)
        last = unit(self._points[-1] - self._points[-2])
        return place + np.maximum(along_once - self.length, 0.0)[..., None] * last

    def wrapped(self, along: float) -> float:
        """The same place once round."""
        return along % self.length if self._closed else along

    def gap(self, to: float, since: np.ndarray) -> np.ndarray:
        """Distances along it from some places (n,) to another in metres, the shorter way round, (n,)."""
        gap = self.wrapped(to) - since
        return (gap + 0.5 * self.length) % self.length - 0.5 * self.length if self._closed else gap

    def nearest(self, along: np.ndarray, place: np.ndarray, length: np.ndarray, beside: float = 0.0) -> np.ndarray:
        """The places of fishes along it.

        Args:
            along: Their places along it before, NaN if unknown, (n,).
            place: Metres, (n, 3).
            length: Metres, (n,).
            beside: Distance beside it in metres that is allowed.

        Returns:
            Metres, (n,): a fish on its way only advances, also where the curve comes near itself.
        """
        strayed = CURVE_STRAYED_LENGTHS * length + beside
        lost = np.isnan(along) | (norm(self.at(np.nan_to_num(along)) - place) > strayed)
        found = np.where(lost, self.anywhere(place), along)
        ahead = np.arange(0.0, CURVE_SEARCH_LENGTHS, CURVE_SPACING_LENGTHS) * length[:, None]
        near = found[:, None] + ahead
        near = near if self._closed else np.minimum(near, self.length)
        best = norm(self.at(near.reshape(-1)).reshape(*near.shape, 3) - place[:, None]).argmin(axis=1)
        found = near[np.arange(len(near)), best]
        return found % self.length if self._closed else found

    def anywhere(self, place: np.ndarray) -> np.ndarray:
        """The nearest place on all of it for each of these (n, 3), in metres along it, (n,)."""
        first, link = self._points[:-1], np.diff(self._points, axis=0)
        arm = place[:, None] - first
        share = np.clip(dot(arm, link) / dot(link, link), 0.0, 1.0)
        best = norm(arm - share[..., None] * link).argmin(axis=1)
        rows = np.arange(len(place))
        return self._knots[best] + share[rows, best] * np.diff(self._knots)[best]
