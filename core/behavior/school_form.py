"""Forms of schools: balls, long and flat ones, and the insides of meshes, with the room that fishes have in them.

A form says how far in it or out of it places are, and where fishes are too many and too few. One that is long or flat
is looked at as the ball that it is when stretched: its grid of cells is that of this ball.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..base.elementary import cos, cube_root, sin
from ..base.sums import total
from ..base.vectors import local, norm, unit
from ..geometry.mesh_field import MeshField
from .tuning import SHAPE_EVENING

_UP = np.array((0.0, 0.0, 1.0))


@dataclass(frozen=True)
class Stretch:
    """The proportions and the turn of a school that is long or flat.

    Attributes:
        share: Half its length, width and height over the radius of the ball, whose product is 1, (3,).
        frame: Its axes along these, as columns, (3, 3).
    """

    share: np.ndarray
    frame: np.ndarray

    @classmethod
    def of(cls, elongation: float, flatness: float, turn: float, climb: float) -> Stretch | None:
        """One so many times as long, and flatter than wide, that points some way; None of a ball.

        Args:
            elongation: Its length over its width.
            flatness: Its width over its height.
            turn: By how much its length is turned about the vertical, radians.
            climb: By how much its length points up, radians.
        """
        if elongation == flatness == 1.0:
            return None
        width = float(cube_root(flatness / elongation))
        share = width * np.array((elongation, 1.0, 1.0 / flatness))
        across, along = float(cos(turn)), float(sin(turn))
        level, up = float(cos(climb)), float(sin(climb))
        ahead, left = (level * across, level * along, up), (-along, across, 0.0)
        frame = np.array((ahead, left, (-up * across, -up * along, level))).T
        return cls(share, frame)

    def rounded(self, arm: np.ndarray) -> np.ndarray:
        """Ways from its middle (n, 3) in metres, as they are in the ball, (n, 3)."""
        return local(np.broadcast_to(self.frame, (len(arm), 3, 3)), arm) / self.share

    def back(self, slopes: np.ndarray) -> np.ndarray:
        """Slopes by ways in the ball, (n, 3), by ways in the water, (n, 3)."""
        along = slopes / self.share
        return along[:, :1] * self.frame[:, 0] + along[:, 1:2] * self.frame[:, 1] + along[:, 2:] * self.frame[:, 2]


@dataclass(frozen=True)
class SchoolForm:
    """A ball, or the inside of a mesh as far in as its fishes need, at a moment.

    Attributes:
        middle: Metres, (3,).
        radius: Radius of a ball as large, in metres.
        inset: Depth at which it ends within the mesh's surface, in metres.
        low: The first corner of its grid of cells in metres, (3,).
        cell: Edge of a cell in metres.
        share: Share of each cell that is within it, (x, y, z).
        field: Distances from the mesh; None of a ball.
        offset: Displacement of the mesh in metres, (3,).
        stretch: Proportions and turn of a long or flat one; None of a ball and a mesh.
    """

    middle: np.ndarray
    radius: float
    low: np.ndarray
    cell: float
    share: np.ndarray
    field: MeshField | None = None
    inset: float = 0.0
    offset: np.ndarray | None = None
    stretch: Stretch | None = None

    @property
    def narrow(self) -> float:
        """Half its least width in metres, of a mesh about that."""
        return self.radius if self.stretch is None else self.radius * float(self.stretch.share.min())

    def distance(self, place: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Distances of places (n, 3) from its surface in metres, below 0 inside, (n,), and the ways out, (n, 3)."""
        if self.field is None:
            arm = place - self.middle if self.stretch is None else self.stretch.rounded(place - self.middle)
            away = norm(arm)
            out = np.where(away[:, None] > 1e-9, unit(arm), _UP)
            if self.stretch is None:
                return away - self.radius, out
            slope = self.stretch.back(out)
            return (away - self.radius) / norm(slope), unit(slope)
        away, out = self.field.distance(place - self.offset)
        return away + self.inset, out

    def evening(self, school: np.ndarray, place: np.ndarray) -> np.ndarray:
        """Ways from where fishes are too many to where they are too few, at places (n, 3), no longer than 1, (n, 3).

        Args:
            school: All of their places in metres, (m, 3).
            place: Places to evaluate, (n, 3).
        """
        counts = np.array(self.share.shape)
        if counts.max() < 2:
            return np.zeros_like(place)
        x, y, z = np.clip(np.floor(self._cells(school)).astype(int), 0, counts - 1).T
        number = np.bincount((x * counts[1] + y) * counts[2] + z, minlength=self.share.size).reshape(self.share.shape)
        due = self.share * (len(school) / max(float(total(self.share.reshape(-1))), 1e-9))
        # One fish more in each, lest little counts where few are due.
        crowd = (_blurred(number.astype(float)) + 1.0) / (_blurred(due) + 1.0)
        edges = np.pad(crowd, 1, mode="edge")
        inner = slice(1, -1)
        slope = np.stack(
            (
                edges[2:, inner, inner] - edges[:-2, inner, inner],
                edges[inner, 2:, inner] - edges[inner, :-2, inner],
                edges[inner, inner, 2:] - edges[inner, inner, :-2],
            ),
            axis=-1,
        )
        x, y, z = np.clip(np.floor(self._cells(place)).astype(int), 0, counts - 1).T
        push = -SHAPE_EVENING * slope[x, y, z]
        push = push if self.stretch is None else self.stretch.back(push)
        return push / np.maximum(norm(push), 1.0)[:, None]

    def _cells(self, place: np.ndarray) -> np.ndarray:
        """Places (n, 3) in metres by cells of the grid, from its first corner, (n, 3)."""
        if self.stretch is not None:
            place = self.middle + self.stretch.rounded(place - self.middle)
        return (place - self.low) / self.cell


def _blurred(cells: np.ndarray) -> np.ndarray:
    """Each cell a half of itself, and a quarter of those before and behind, along each axis, (x, y, z)."""
    for axis in range(3):
        wide = np.moveaxis(np.pad(cells, [(1, 1) if one == axis else (0, 0) for one in range(3)]), axis, 0)
        cells = np.moveaxis(0.5 * wide[1:-1] + 0.25 * (wide[:-2] + wide[2:]), 0, axis)
    return np.ascontiguousarray(cells)
