"""Fishes that perceive through their images only: what each saw when it last looked (Tu 1999, §6.7).

Each looks some times a second, in its turn. All that are due are drawn in one call: one wide image a fish, and a finer
one of the middle of its field. Others are drawn as their bodies of masses, whose shape every machine has to the bit.
The image tells which fishes are in sight, where and how far; all else about them, such as their speed, comes from the
world, as the sources have it. Anything beyond the range of sight is lost in the haze.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from ...base.state import Stateful, state
from ...base.vectors import local
from ..swimmers import NO_FISH, Swimmers
from ..tuning import (
    CELL_PIXELS,
    FOVEA_ANGLE,
    FOVEA_PIXELS,
    LISTED_FISHES,
    RETINA_FOOD_SECONDS,
    RETINA_PIXELS,
    SEEN_SECONDS,
    SMELLED_PARTICLES,
    SURFACE_SPREAD,
)
from . import surfaces
from .drawing import draw_all
from .lens import Lens, lens_of
from .reading import Objects, objects
from .scenery import WALLS, RetinaScenery
from .surfaces import FIRST_WALL, NOWHERE, SOLID

RETINA_CELLS = (RETINA_PIXELS // CELL_PIXELS) * (RETINA_PIXELS // CELL_PIXELS)  # squares of an image
BAIT, NO_MORSEL = -2, -1
"""In place of the row of a particle: the bait, and nothing."""
SURFACES = "obstacle", "submarine", *dict.fromkeys(WALLS), "bed"
"""Kinds that a fish does not swim through."""


@dataclass(frozen=True, eq=False)
class Latest:
    """The wide images of those that have looked in this frame.

    Attributes:
        rows: Their rows in `RetinalSight`, (n,).
        identity: Identities as in `Images.identity`, (n, size, size).
        range: Ranges as in `Images.range`, (n, size, size).
        lens: Through which they are seen.
        eye: Place of each eye in metres, (n, 3).
        frame: Columns ahead, left and up, (n, 3, 3).
        nearest: Metres to the nearest point of every identity in the image of each or its finer image, infinite if
            unseen, (n, identities + 1).
        first: First identity of each kind, and the number of its identities.
    """

    rows: np.ndarray
    identity: np.ndarray
    range: np.ndarray
    lens: Lens
    eye: np.ndarray
    frame: np.ndarray
    nearest: np.ndarray
    first: dict[str, tuple[int, int]]


class RetinalSight(Stateful):
    """The eyes of r fishes that see with images.

    Attributes:
        fishes: Their rows, (r,).
        index: Row here of each fish, -1 of those that see otherwise, (fish,).
        fish: Rows of those that each saw, those that looked largest first, NO_FISH after the last, (r, k).
        fish_range: Metres to each, infinite for nobody, (r, k).
        fish_place: Place of the seen part of each, in metres, (r, k, 3).
        solid_range: Metres to the nearest of each obstacle, then of the submarine, infinite if not seen, (r, o).
        solid_place: Its place in metres, (r, o, 3).
        morsel: Rows of the particles that each saw last, nearest first, `BAIT` or `NO_MORSEL`, (r, m).
        morsel_age: Seconds since, (r, m).
        latest: The images of this frame; None if no fish has looked.
    """

    fish: np.ndarray = state("i8", "retina", "listed", low=-1, high="fish", begin=NO_FISH, key="fishes")
    fish_range: np.ndarray = state("f8", "retina", "listed", unit="m", unset=np.inf)
    fish_place: np.ndarray = state("f8", "retina", "listed", 3, unit="m")
    solid_range: np.ndarray = state("f8", "retina", "solid", unit="m", unset=np.inf)
    solid_place: np.ndarray = state("f8", "retina", "solid", 3, unit="m")
    morsel: np.ndarray = state("i8", "retina", SMELLED_PARTICLES, low=BAIT, high="morsel", begin=NO_MORSEL)
    morsel_age: np.ndarray = state("f8", "retina", SMELLED_PARTICLES, unit="s")
    _looked: np.ndarray = state("?", "retina")
    _eye: np.ndarray = state("f8", "retina", 3, unit="m")
    _frame: np.ndarray = state("f8", "retina", 3, 3)
    _range: np.ndarray = state("f4", "retina", RETINA_CELLS, unit="m", unset=np.inf)
    _pixel: np.ndarray = state("i4", "retina", RETINA_CELLS, low=0, high=RETINA_PIXELS * RETINA_PIXELS - 1)
    _kind: np.ndarray = state("u1", "retina", RETINA_CELLS)

    def __init__(self, fishes: np.ndarray, sight: np.ndarray, length: np.ndarray, obstacles: int):
        """Begins with nothing seen.

        Args:
            fishes: Rows of those that see so, (r,).
            sight: Distance at which each fish sees another of its own length, in metres, (fish,).
            length: Metres, (fish,).
            obstacles: Number of obstacles, and of submarines.
        """
        count, seen = len(fishes), min(len(length), LISTED_FISHES)
        self.fishes, self._sight, self._length = fishes, sight, length
        self.index = np.full(len(length), -1)
        self.index[fishes] = np.arange(count)
        self._fill(retina=count, listed=seen, solid=obstacles)
        self._places, self._apart = np.full((count, RETINA_CELLS, 3), NOWHERE), np.zeros((count, RETINA_CELLS))
        self.latest: Latest | None = None

    def restore(self, state: dict[str, np.ndarray]) -> None:
        """Goes back to what `state` returned; raises as there."""
        super().restore(state)
        self._lay_out(np.arange(len(self.fishes)))

    def look(self, parts: Any, swimmers: Swimmers) -> None:
        """Has the fishes look whose turn it is, or that have not looked yet.

        Args:
            parts: Parts of the world (`world.parts.Parts`).
            swimmers: All fishes.
        """
        model = parts.model
        every = max(1, round(SEEN_SECONDS * model.scene.fps))
        begun = parts.frame + model.scene.preroll_frames
        due = (begun + np.arange(len(self.fishes))) % every == 0
        rows = np.flatnonzero((due | ~self._looked) & parts.bodies.shoal.alive[self.fishes])
        self.latest = None
        if not len(rows):
            return
        fishes = self.fishes[rows]
        scenery, lenses = (
            RetinaScenery(parts, swimmers.nodes),
            (lens_of(RETINA_PIXELS), lens_of(FOVEA_PIXELS, FOVEA_ANGLE)),
        )
        self._eye[rows], self._frame[rows] = swimmers.nose[fishes], swimmers.frames[fishes]
        drawn = draw_all(self._eye[rows], self._frame[rows], lenses, scenery.shapes, scenery.own[fishes])
        maps = [(scenery.owner[marks], far) for marks, far in drawn]
        wide, fine = (objects(*of, lens, scenery.identities) for of, lens in zip(maps, lenses, strict=True))
        nearest = np.minimum(wide.nearest, fine.nearest)
        self._note_fishes(rows, scenery, wide, fine)
        self._note_solids(rows, scenery, wide)
        self._note_morsels(rows, scenery, nearest, every / model.scene.fps)
        kinds = scenery.of(*SURFACES) * np.uint8(SOLID)
        if model.scene.tank.faces is None:
            kinds[scenery.walls] = FIRST_WALL + np.arange(len(WALLS))
        self._range[rows], self._pixel[rows], self._kind[rows] = surfaces.cells(*maps[0], kinds, CELL_PIXELS)
        self._lay_out(rows)
        self._looked[rows] = True
        eyes = self._eye[rows], self._frame[rows]
        self.latest = Latest(rows, *maps[0], lenses[0], *eyes, nearest, scenery.first)

    def _world(self, rows: np.ndarray, own: np.ndarray) -> np.ndarray:
        """Places in the water in metres of what is ahead, left and up of eyes, (n, k, 3)."""
        return self._eye[rows][:, None] + local(np.swapaxes(self._frame[rows], -1, -2)[:, None], own)

    def _note_fishes(self, rows: np.ndarray, scenery: RetinaScenery, wide: Objects, fine: Objects) -> None:
        """Lists the fishes in sight, each as the finer image shows it where that does."""
        first, count = scenery.first["fish"]
        own = slice(first, first + count)
        finer = fine.seen[:, own]
        seen = wide.seen[:, own] | finer
        away = np.where(finer, fine.range[:, own], wide.range[:, own])
        way = np.where(finer[..., None], fine.way[:, own], wide.way[:, own])
        places = self._world(rows, way * np.where(seen, away, 0.0)[..., None])
        me = self.fishes[rows]
        seen &= away <= (self._sight / self._length)[me][:, None] * self._length
        large = np.where(seen, np.maximum(wide.angle[:, own], fine.angle[:, own]), 0.0)
        order = np.argsort(-large, axis=1, kind="stable")[:, : self.fish.shape[1]]
        known = np.take_along_axis(seen, order, axis=1)
        self.fish[rows] = np.where(known, order, NO_FISH)
        self.fish_range[rows] = np.where(known, np.take_along_axis(away, order, axis=1), np.inf)
        self.fish_place[rows] = np.take_along_axis(places, order[..., None], axis=1)

    def _note_solids(self, rows: np.ndarray, scenery: RetinaScenery, wide: Objects) -> None:
        rays = lens_of(RETINA_PIXELS).rays
        columns = np.flatnonzero(scenery.of(*SURFACES[:2]))
        away = wide.nearest[:, columns]
        self.solid_range[rows] = away
        own = rays[:, wide.nearest_pixel[:, columns]].astype(float)
        own = np.moveaxis(own, 0, -1) * np.where(np.isfinite(away), away, 0.0)[..., None]
        self.solid_place[rows] = self._world(rows, own)

    def _note_morsels(self, rows: np.ndarray, scenery: RetinaScenery, away: np.ndarray, seconds: float) -> None:
        """Lists the food in sight, and then what was seen a moment ago: a particle may slip between two pixels."""
        first, count = scenery.first["food"]
        seen, names = away[:, first : first + count], np.arange(count)
        if "bait" in scenery.first:
            bait = scenery.first["bait"][0]
            seen, names = np.concatenate([seen, away[:, bait : bait + 1]], axis=1), np.append(names, BAIT)
        many = self.morsel.shape[1]
        order = np.argsort(seen, axis=1, kind="stable")[:, :many]
        there = np.isfinite(np.take_along_axis(seen, order, axis=1))
        now, age = np.full((len(rows), many), NO_MORSEL), np.zeros((len(rows), many))
        now[:, : order.shape[1]] = np.where(there, names[order], NO_MORSEL)
        old, older = self.morsel[rows], self.morsel_age[rows] + seconds
        again = (old[:, :, None] == now[:, None, :]).any(axis=2)
        lost = (old == NO_MORSEL) | again | (older > RETINA_FOOD_SECONDS)
        both = np.concatenate([now, np.where(lost, NO_MORSEL, old)], axis=1)
        ages = np.concatenate([age, np.where(lost, 0.0, older)], axis=1)
        front = np.argsort(both == NO_MORSEL, axis=1, kind="stable")[:, :many]
        self.morsel[rows] = np.take_along_axis(both, front, axis=1)
        self.morsel_age[rows] = np.take_along_axis(ages, front, axis=1)

    def _lay_out(self, rows: np.ndarray) -> None:
        """Works out where the surfaces are that these, (n,), saw."""
        lens, there = lens_of(RETINA_PIXELS), self._kind[rows] > 0
        away = np.where(there, self._range[rows], 0.0).astype(float)
        rays = np.moveaxis(lens.rays[:, self._pixel[rows]], 0, -1).astype(float)
        places = self._world(rows, rays * away[..., None])
        self._places[rows] = np.where(there[..., None], places, NOWHERE)
        self._apart[rows] = SURFACE_SPREAD * CELL_PIXELS * 2.0 * lens.half_field / RETINA_PIXELS * away

    # What minds ask

    def among(self, fishes: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Places of those among some fishes, (n,), that see so, (m,), and their rows here, (m,)."""
        rows = self.index[fishes]
        mine = np.flatnonzero(rows >= 0)
        return mine, rows[mine]

    def ranges(self, rows: np.ndarray, others: np.ndarray) -> np.ndarray:
        """Metres to fishes, (m, k), from those of rows (m,), infinite for those that they do not see, (m, k)."""
        alike = self.fish[rows][:, None, :] == others[:, :, None]
        return np.where(alike, self.fish_range[rows][:, None, :], np.inf).min(axis=2)

    def pick(self, rows: np.ndarray, among: np.ndarray, most: int) -> tuple[np.ndarray, np.ndarray]:
        """The nearest that are seen of some fishes.

        Args:
            rows: Rows here of those that look, (m,).
            among: Fishes that count, (fish,) bool.
            most: Most fishes to pick.

        Returns:
            Their rows, nearest first, its own for nobody, and metres to them, infinite then, (m, most) both.
        """
        fish, own = self.fish[rows], self.fishes[rows][:, None]
        away = np.where((fish != NO_FISH) & among[fish], self.fish_range[rows], np.inf)
        order = np.argsort(away, axis=1, kind="stable")[:, :most]
        found, metres = np.repeat(own, most, axis=1), np.full((len(rows), most), np.inf)
        sorted_away = np.take_along_axis(away, order, axis=1)
        named = np.where(np.isfinite(sorted_away), np.take_along_axis(fish, order, axis=1), own)
        found[:, : order.shape[1]], metres[:, : order.shape[1]] = named, sorted_away
        return found, metres

    def placed(self, rows: np.ndarray, others: np.ndarray) -> np.ndarray:
        """Places at which those of rows (m,) saw others, (m, k), that they see, in metres, (m, k, 3)."""
        column = (self.fish[rows][:, None, :] == others[:, :, None]).argmax(axis=2)
        return np.take_along_axis(self.fish_place[rows], column[..., None], axis=1)

    def free_path(
        self, rows: np.ndarray, points: np.ndarray, ways: np.ndarray, margin: np.ndarray, least_kind: int = SOLID
    ) -> np.ndarray:
        """Free lengths of the paths of rows (m,) among the things that they see; see `surfaces.free_path`."""
        return surfaces.free_path(
            points, ways, margin, self._places[rows], self._apart[rows], self._kind[rows], least_kind
        )

    def gap(self, rows: np.ndarray, points: np.ndarray) -> np.ndarray:
        """Metres from points, (m, p, 3), of those of rows (m,) to the nearest surface that they see, (m, p)."""
        return surfaces.nearest(points, self._places[rows], self._kind[rows])[0]

    def solid(self, rows: np.ndarray, points: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Metres from points, (m, 3), to the nearest surface in sight that is no wall, and its place, (m, 3)."""
        away, row = surfaces.nearest(points[:, None], self._places[rows], self._kind[rows], SOLID)
        return away[:, 0], self._places[rows][np.arange(len(rows)), row[:, 0]]

    def walls(self, rows: np.ndarray, points: np.ndarray) -> np.ndarray:
        """Metres from points, (m, 3), to each of the six walls, infinite for those out of sight, (m, 6)."""
        return surfaces.walls(points, self._places[rows], self._kind[rows])


def bait_in_sight(retinas: RetinalSight | None, fishes: np.ndarray) -> np.ndarray:
    """Mask of those of these, (n,), that may go for bait: those whose images show it, and all that see otherwise."""
    found = np.ones(len(fishes), dtype=bool)
    if retinas is not None:
        mine, rows = retinas.among(fishes)
        found[mine] = (retinas.morsel[rows] == BAIT).any(axis=1)
    return found
