"""Retinal images for a memory: the objects in sight, and the things nearer than an object that is expected.

An identity map names whole obstacles; which piece of one a pixel shows is told by the place that its range puts it at.
The range map answers for V_M what a second picture would: an object at a remembered place would be seen in a pixel that
looks at it if what the pixel shows is farther away.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ...base.vectors import dot, local, norm, unit
from ..retina.lens import Lens
from ..retina.sight import RetinalSight
from .pieces import ObstaclePieces, own

DEPTH_SHARE = 1e-3
"""Share of a distance by which a range in single precision may be off."""


@dataclass(frozen=True, eq=False)
class CyclopeanImages:
    """The current images of n fishes, one cyclopean image each.

    Attributes:
        identity: Object in each pixel: 0 nothing, 1 + row of a fish, then obstacles, (n, size, size).
        range: Metres to it, infinite where nothing is, (n, size, size).
        lens: Through which they see.
        eye: Metres, (n, 3).
        frame: Frame of the eyes, columns ahead, left and up, (n, 3, 3).
        nearest: Metres to the nearest that each sees of every identity, infinite of those out of sight,
            (n, identities + 1).
        food: Identity of the first particle.
        grain: Radius of a particle in metres.
        submarine: Identity of the submarine, 0 where there is none.
    """

    identity: np.ndarray
    range: np.ndarray
    lens: Lens
    eye: np.ndarray
    frame: np.ndarray
    nearest: np.ndarray
    food: int
    grain: float
    submarine: int = 0

    @classmethod
    def of(cls, retinas: RetinalSight, rows: np.ndarray, grain: float) -> tuple[np.ndarray, CyclopeanImages] | None:
        """The images of this frame for those that remember them; None if there are none.

        Args:
            retinas: Retinas of the fishes that see with images.
            rows: Row of the memory of each fish, negative without, (fish,).
            grain: Radius of a particle of food in metres.

        Returns:
            Rows of their memories, (n,), and their images.
        """
        seen = retinas.latest
        if seen is None:
            return None
        own = rows[retinas.fishes[seen.rows]]
        who = np.flatnonzero(own >= 0)
        if not len(who):
            return None
        found = cls(
            identity=seen.identity[who],
            range=seen.range[who],
            lens=seen.lens,
            eye=seen.eye[who],
            frame=seen.frame[who],
            nearest=seen.nearest[who],
            food=seen.first["food"][0],
            grain=grain,
            submarine=seen.first.get("submarine", (0, 0))[0],
        )
        return own[who], found

    def pieces(self, pieces: ObstaclePieces, poses: np.ndarray, fishes: int) -> np.ndarray:
        """Metres to the nearest pixel of each piece of the obstacles, infinite of those out of sight, (n, p).

        Args:
            pieces: Pieces of the obstacles.
            poses: Poses of their obstacles' axes now, (p, 7).
            fishes: Number of fishes, whose identities come before those of the obstacles.
        """
        away = np.full((len(self.identity), len(pieces)), np.inf)
        rays = np.moveaxis(self.lens.rays, 0, -1).reshape(*self.identity.shape[1:], 3)
        names = {fishes + 1 + row: row for row in pieces.grids}
        if self.submarine:
            names[self.submarine] = names.pop(fishes + 1 + max(pieces.grids))
        solid = np.nonzero(np.isin(self.identity, list(names)))
        shown, far = self.identity[solid], self.range[solid].astype(float)
        ray = rays[solid[1:]].astype(float) * far[:, None]
        places = self.eye[solid[0]] + local(np.swapaxes(self.frame, -1, -2)[solid[0]], ray)
        for identity in np.unique(shown).tolist():
            mine, obstacle = np.flatnonzero(shown == identity), names[identity]
            pose = poses[pieces.obstacle.searchsorted(obstacle)]
            piece = pieces.at(obstacle, own(pose, places[mine]))
            np.minimum.at(away, (solid[0][mine], piece), far[mine])
        return away

    def clear(self, image: np.ndarray, ends: np.ndarray, radius: np.ndarray | float) -> np.ndarray:
        """Mask of places whose pixel would show an object there, (k, s).

        Args:
            image: Row of the image, (k,).
            ends: Places in metres, (k, s, 3).
            radius: Metres around the place within which the pixel's ray has to pass, (k,) or one for all.
        """
        arm = ends - self.eye[image][:, None]
        way = unit(local(self.frame[image][:, None], arm))
        away = norm(arm)
        row, column = np.moveaxis(np.clip(self.lens.place(way).astype(int), 0, self.lens.size - 1), -1, 0)
        ray = np.moveaxis(self.lens.rays[:, row * self.lens.size + column], 0, -1).astype(float)
        beside = away * np.sqrt(np.maximum(1.0 - np.square(dot(ray, way)), 0.0))
        meets = (beside <= np.broadcast_to(radius, image.shape)[:, None]) & ray.any(axis=-1)
        return meets & (away < self.range[image[:, None], row, column] * (1.0 - DEPTH_SHARE))
