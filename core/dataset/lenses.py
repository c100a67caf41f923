"""Lenses: from places before a camera to pixels and back, with the distortions of real ones.

A camera sees along its own axes: x right, y down, z ahead. Pixels go right and down; the middle of the first is
(0.5, 0.5). Distortions are those of OpenCV, so that its functions read what is written: Brown and Conrady's
(k1, k2, p1, p2, k3), and the fisheye of Kannala and Brandt (k1, k2, k3, k4).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from ..replicas.tuning import FILM_WIDTH_MM

DISTORTIONS = "none", "brown_conrady", "fisheye"
WIDEST_SOURCE = np.radians(70.0)
"""Radians off the axis that the undistorted picture reaches at most; a lens that sees beyond sees nothing there."""
FIELD_SAMPLES = 4000
INVERSE_ROUNDS = 40
"""Iterations of Newton's method that find the ray of a pixel."""


@dataclass(frozen=True)
class LensOptics:
    """A lens with its picture.

    Attributes:
        width: Pixels across.
        height: Pixels down.
        focal: Focal lengths in pixels, across and down.
        centre: Pixel on the axis.
        distortion: One of `DISTORTIONS`.
        k: Its coefficients: none, five or four.
    """

    width: int
    height: int
    focal: tuple[float, float]
    centre: tuple[float, float]
    distortion: str = "none"
    k: tuple[float, ...] = ()

    @classmethod
    def of(cls, size: tuple[int, int], lens: float, distortion: str = "none", k: tuple[float, ...] = ()) -> LensOptics:
        """The optics of a focal length in mm on a sensor 36 mm wide, with square pixels and its axis in the middle."""
        focal = size[0] * lens / FILM_WIDTH_MM
        return cls(size[0], size[1], (focal, focal), (0.5 * size[0], 0.5 * size[1]), distortion, k)

    def encoded(self) -> dict[str, Any]:
        """The parameters as JSON holds them."""
        distortion = {"model": self.distortion, "k": list(self.k)}
        return {"focal": list(self.focal), "centre": list(self.centre), "distortion": distortion}

    @cached_property
    def limit(self) -> float:
        """Tangent of the angle off the axis up to which the lens sees: nothing beyond comes back into the picture."""
        angles = np.linspace(0.0, WIDEST_SOURCE, FIELD_SAMPLES)
        if self.distortion == "none":
            return np.inf
        out = np.tan(angles)
        at = np.stack([out, np.zeros_like(out)], axis=1)
        radius = self._bent(at)[:, 0] if self.distortion == "fisheye" else self._radial(out**2) * out
        turns = np.flatnonzero(np.diff(radius) <= 0.0)
        return float(out[turns[0]] if len(turns) else out[-1])

    def _radial(self, square: np.ndarray) -> np.ndarray:
        """Factor of Brown and Conrady's radial distortion, by the square of the distance from the axis."""
        k1, k2, _, _, k3 = self.k
        return 1.0 + square * (k1 + square * (k2 + square * k3))

    def _bent(self, at: np.ndarray) -> np.ndarray:
        """Places (..., 2) on the plane one ahead as the lens bends them."""
        x, y = at[..., 0], at[..., 1]
        square = x * x + y * y
        if self.distortion == "brown_conrady":
            p1, p2 = self.k[2:4]
            factor = self._radial(square)
            return np.stack(
                [
                    x * factor + 2.0 * p1 * x * y + p2 * (square + 2.0 * x * x),
                    y * factor + p1 * (square + 2.0 * y * y) + 2.0 * p2 * x * y,
                ],
                axis=-1,
            )
        if self.distortion == "fisheye":
            out = np.sqrt(square)
            angle = np.arctan(out)
            turn = angle * angle
            k1, k2, k3, k4 = self.k
            bent = angle * (1.0 + turn * (k1 + turn * (k2 + turn * (k3 + turn * k4))))
            return at * np.where(out > 1e-12, bent / np.maximum(out, 1e-12), 1.0)[..., None]
        return at

    def pixels(self, points: np.ndarray) -> np.ndarray:
        """The pixels (..., 2) of places (..., 3) in the camera's axes; NaN behind it, and beyond what it sees."""
        ahead = points[..., 2]
        with np.errstate(divide="ignore", invalid="ignore"):
            at = points[..., :2] / ahead[..., None]
            seen = (ahead > 0.0) & (np.hypot(at[..., 0], at[..., 1]) <= self.limit)
            found = self._bent(at) * self.focal + self.centre
        return np.where(seen[..., None], found, np.nan)

    def rays(self, pixels: np.ndarray) -> np.ndarray:
        """Places (..., 2) on the plane one ahead that pixels (..., 2) show; NaN where the lens sees nothing.

        Found by Newton's method, with the derivatives as differences.
        """
        goal = (np.asarray(pixels, dtype=float) - self.centre) / self.focal
        if self.distortion == "none":
            return goal
        with np.errstate(all="ignore"):
            return self._inverse(goal)

    def _inverse(self, goal: np.ndarray) -> np.ndarray:
        at = goal.copy()
        if self.distortion == "fisheye":  # from the lens without coefficients, which has a closed form
            out = np.linalg.norm(goal, axis=-1, keepdims=True)
            angle = np.minimum(out, WIDEST_SOURCE)
            at = goal * np.where(out > 1e-12, np.tan(angle) / np.maximum(out, 1e-12), 1.0)
        step = 1e-6
        for _ in range(INVERSE_ROUNDS):
            bent = self._bent(at)
            miss = goal - bent
            across = (self._bent(at + (step, 0.0)) - bent) / step
            down = (self._bent(at + (0.0, step)) - bent) / step
            size = across[..., 0] * down[..., 1] - across[..., 1] * down[..., 0]
            x = (miss[..., 0] * down[..., 1] - miss[..., 1] * down[..., 0]) / size
            y = (across[..., 0] * miss[..., 1] - across[..., 1] * miss[..., 0]) / size
            at = at + np.stack([x, y], axis=-1)
        off = np.linalg.norm(goal - self._bent(at), axis=-1)
        seen = (off < 1e-6) & (np.linalg.norm(at, axis=-1) <= self.limit)
        return np.where(seen[..., None], at, np.nan)

    @cached_property
    def source(self) -> LensOptics:
        """The undistorted optics that see all that this one sees, as fine in the middle; itself without distortion."""
        if self.distortion == "none":
            return self
        x, y = np.arange(self.width + 1.0), np.arange(self.height + 1.0)
        edge = np.concatenate(
            [
                np.stack([x, np.zeros_like(x)], axis=1),
                np.stack([x, np.full_like(x, self.height)], axis=1),
                np.stack([np.zeros_like(y), y], axis=1),
                np.stack([np.full_like(y, self.width), y], axis=1),
            ]
        )
        reach = np.abs(self.rays(edge))
        most = np.nanmax(np.where(np.isfinite(reach), reach, np.nan), axis=0, initial=0.0)
        if np.isnan(reach).any():  # the lens sees less than the picture holds
            most = np.maximum(most, np.minimum(self.limit, np.tan(WIDEST_SOURCE)))
        width, height = (int(np.ceil(2.0 * most[axis] * self.focal[axis])) + 2 for axis in (0, 1))
        return LensOptics(width, height, self.focal, (0.5 * width, 0.5 * height))

    def may_see(self, points: np.ndarray) -> bool:
        """False if no part of what lies within places (n, 3) in the camera's axes can be in the picture."""
        x, y, ahead = points.T
        source = self.source
        left, top = (-centre / focal for centre, focal in zip(source.centre, source.focal, strict=True))
        right, bottom = left + source.width / source.focal[0], top + source.height / source.focal[1]
        beyond = (
            (ahead <= 0.0).all()
            or (x > right * ahead).all()
            or (x < left * ahead).all()
            or (y > bottom * ahead).all()
            or (y < top * ahead).all()
        )
        return not beyond

    def bent_picture(self, picture: np.ndarray) -> np.ndarray:
        """A picture (rows, columns, ...) of its `source`, bent by the lens: each pixel between the four nearest.

        Black where it sees nothing.
        """
        if self.distortion == "none":
            return picture
        columns, rows = np.meshgrid(np.arange(self.width) + 0.5, np.arange(self.height) + 0.5)
        source = self.source
        at = self.rays(np.stack([columns, rows], axis=-1)) * source.focal + source.centre - 0.5
        dark = np.isnan(at).any(axis=-1)
        at = np.where(dark[..., None], 0.0, at)
        x, y = at[..., 0].clip(0, source.width - 1.001), at[..., 1].clip(0, source.height - 1.001)
        left, top = x.astype(int), y.astype(int)
        lead = (...,) + (None,) * (picture.ndim - 2)
        across, down = (x - left)[lead], (y - top)[lead]
        upper = picture[top, left] * (1.0 - across) + picture[top, left + 1] * across
        lower = picture[top + 1, left] * (1.0 - across) + picture[top + 1, left + 1] * across
        return np.where(dark[lead], 0.0, upper * (1.0 - down) + lower * down)
