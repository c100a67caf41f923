"""The live fishes of a species, drawn as one mesh.

Blender updates one changed object much faster than sixty. Each fish has an object of its own as well, which carries
position and heading for whatever rides on it, and which is drawn in place of its part of the mesh while somebody works
with it; otherwise it is a short line inside the body.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import bpy
import numpy as np

from ...core.form.look import Look
from ...core.form.polygons import Polygons, polygons_of
from ...core.recording import LOOK_ARRAYS, Recording
from ...core.replicas.levels import DYNAMIC
from ...core.scene.species import Species
from ..fish.individuality import INDIVIDUAL, individual
from ..fish.surfaces import FishObjects
from .meshes import fill, paint
from .models import ModelPolygons, models_of

STAND_IN_LENGTHS = 0.1
"""Length of the line ahead of a fish's own origin, in body lengths."""
STAND_IN_VERTICES = 2
FEW, MOST_NEAR = 200, 100
"""Number of fishes up to which all are drawn finely, and how many are if there are more: dynamic ones."""


class SwarmPicture(NamedTuple):
    """Positions of a swarm's vertices in a frame, metres, whichever fishes are drawn.

    Attributes:
        whose: Indices in the swarm of the fishes that may be drawn finely, (m,).
        fine: Their vertices, (m, vertices, 3).
        coarse: Coarse vertices of all, (n, vertices, 3); None if all are fine.
    """

    whose: np.ndarray
    fine: np.ndarray
    coarse: np.ndarray | None


class SwarmFrame(NamedTuple):
    """All data of a frame that take long to compute.

    Attributes:
        places, turns: Origins in metres (fish, 3) and rotations (fish, 3, 3) of the fishes' own frames.
        swarms: Picture of each swarm, by its part.
    """

    places: np.ndarray
    turns: np.ndarray
    swarms: dict[str, SwarmPicture]


class Swarm:
    """All fishes of a species in one world.

    Attributes:
        species: Their species.
        rows: Their rows in the recording, (n,).
        part: Part name of the object that draws them, and
        far: that of the object for fishes that are not dynamic; "" if they are few.
        individual: Individual number of each, read by its materials.
    """

    def __init__(self, species: Species, recording: Recording) -> None:
        """Lays out their meshes."""
        self.species, self.part = species, f"Fishes of {species.name}"
        self.rows = np.flatnonzero(np.array(recording.species) == species.name)
        self.far = f"Far fishes of {species.name}" if len(self.rows) > FEW else ""
        self.individual = np.array([individual(seed) for seed in recording.seeds[self.rows]])
        self._length = recording.body_length[self.rows]
        worn = models_of(species, min(len(self.rows), MOST_NEAR) if self.far else len(self.rows))
        self._fine: Polygons | ModelPolygons = worn[0] if worn else polygons_of(species)
        self._coarse: Polygons | ModelPolygons = self._fine
        if self.far:
            self._coarse = worn[1] if worn else polygons_of(species, coarse=True)
        self._slots = np.full(MOST_NEAR, -1) if self.far else np.arange(len(self.rows))  # the fish in each fine slot
        self._moved = False

    @property
    def parts(self) -> tuple[str, ...]:
        """Part names of the objects that draw them."""
        return (self.part, self.far) if self.far else (self.part,)

    @property
    def count(self) -> int:
        """Vertices of a fish that is drawn separately."""
        return self._fine.count

    def alone(self, frame: Mapping[str, np.ndarray], places: np.ndarray) -> np.ndarray:
        """Vertices of some fishes (m,) in a frame, as from `Rehearsal.__getitem__`, (m, count, 3)."""
        return self._placed(self._fine, frame, places)

    def picture(self, frame: Mapping[str, np.ndarray]) -> SwarmPicture:
        """The picture of all that may be drawn in a frame; touches neither Blender nor changing data."""
        everyone = np.arange(len(self.rows))
        if not self.far:
            return SwarmPicture(everyone, self._placed(self._fine, frame, everyone), None)
        near = np.flatnonzero(frame["level"][self.rows] == DYNAMIC)[:MOST_NEAR]
        return SwarmPicture(near, self._placed(self._fine, frame, near), self._placed(self._coarse, frame, everyone))

    def drawn(self, frame: Mapping[str, np.ndarray], picture: SwarmPicture, shown: np.ndarray) -> dict[str, np.ndarray]:
        """Positions of all vertices of their objects, metres, by parts.

        Args:
            frame: As for `picture`.
            picture: Picture of that frame.
            shown: Fishes that are drawn, (n,); the others are collapsed to a point.
        """
        if picture.coarse is None:
            return {self.part: _only(picture.fine, shown)}
        near = self._allot(shown & (frame["level"][self.rows] == DYNAMIC))
        taken = self._slots >= 0
        fine = np.broadcast_to(picture.coarse[0, 0], (MOST_NEAR, self.count, 3)).copy()
        fine[taken] = self._finely(frame, picture, self._slots[taken])
        return {self.part: fine, self.far: _only(picture.coarse, shown & ~near)}

    def _finely(self, frame: Mapping[str, np.ndarray], picture: SwarmPicture, places: np.ndarray) -> np.ndarray:
        """Fine vertices of some fishes (m,), (m, count, 3)."""
        known = np.full(len(self.rows), -1)
        known[picture.whose] = np.arange(len(picture.whose))
        found = known[places]
        return picture.fine[found] if (found >= 0).all() else self._placed(self._fine, frame, places)

    def _placed(
        self, polygons: Polygons | ModelPolygons, frame: Mapping[str, np.ndarray], places: np.ndarray
    ) -> np.ndarray:
        rows = self.rows[places]
        look = Look(*(frame[name][rows] for name in LOOK_ARRAYS))
        length = self._length[places] * frame["growth"][rows]
        return polygons.placed(frame["nodes"][rows], frame["fins"][rows], length, frame["mouth"][rows], look)

    def _allot(self, near: np.ndarray) -> np.ndarray:
        """Gives near fishes (n,) places in the fine mesh while there are any; returns which have one, (n,)."""
        before = self._slots.copy()
        taken = self._slots >= 0
        self._slots[taken & ~near[self._slots]] = -1
        new = near.copy()
        new[self._slots[self._slots >= 0]] = False
        free, come = np.flatnonzero(self._slots < 0), np.flatnonzero(new)
        both = min(len(free), len(come))
        self._slots[free[:both]] = come[:both]
        self._moved |= not np.array_equal(self._slots, before)
        found = np.zeros(len(near), dtype=bool)
        found[self._slots[self._slots >= 0]] = True
        return found

    def make(self, part: str, scene: bpy.types.Scene) -> bpy.types.Mesh:
        """The mesh of a part."""
        polygons, fishes = (self._coarse, len(self.rows)) if part == self.far else (self._fine, len(self._slots))
        mesh = bpy.data.meshes.new(f"{self.species.common_name} {'far' if part == self.far else 'live'}")
        self._lay_out(mesh, polygons, fishes, scene)
        mesh.attributes.new(INDIVIDUAL, "FLOAT", "FACE")
        self._number(mesh, np.arange(len(self.rows)) if part == self.far else self._slots)
        return mesh

    def _lay_out(
        self, mesh: bpy.types.Mesh, polygons: Polygons | ModelPolygons, fishes: int, scene: bpy.types.Scene
    ) -> None:
        """Gives an empty mesh so many fishes, with their materials."""
        if isinstance(polygons, ModelPolygons):
            polygons.fill(mesh, fishes)
            return
        fill(mesh, polygons, fishes)
        paint(mesh, self.species, polygons, scene)

    def renumber(self, part: str, mesh: bpy.types.Mesh) -> None:
        """Updates the fish of each face of a part's mesh."""
        if part == self.part and self._moved:
            self._moved = False
            self._number(mesh, self._slots)

    def _number(self, mesh: bpy.types.Mesh, places: np.ndarray) -> None:
        numbers = np.repeat(self.individual[places].astype(np.float32), len(mesh.polygons) // len(places))
        if INDIVIDUAL in mesh.attributes:
            mesh.attributes[INDIVIDUAL].data.foreach_set("value", numbers)

    def row_of(self, part: str, face: int) -> int:
        """The row of the fish that a face of a part's mesh belongs to; negative if none."""
        if part == self.far:
            return int(self.rows[face // len(self._coarse.faces)])
        place = int(self._slots[face // len(self._fine.faces)])
        return int(self.rows[place]) if place >= 0 else -1

    def stand_in(self, mesh: bpy.types.Mesh, place: int) -> None:
        """Makes the mesh of a fish a line."""
        mesh.clear_geometry()
        ahead = STAND_IN_LENGTHS * float(self._length[place])
        mesh.from_pydata([(0.0, 0.0, 0.0), (ahead, 0.0, 0.0)], [(0, 1)], [])

    def dress(
        self,
        fishes: Sequence[FishObjects | None],
        rows: Sequence[int],
        alone: np.ndarray,
        resting: np.ndarray,
        scene: bpy.types.Scene,
    ) -> list[int]:
        """Gives their objects whole fishes if these are drawn separately, else lines or nothing.

        Args:
            fishes: All fishes, by rows.
            rows: Rows that may have to change.
            alone: Fishes that are drawn separately, (fish,).
            resting: Fishes whose objects do not follow them now, so that no line must show, (fish,).
            scene: Their scene.

        Returns:
            Rows of those whose meshes have changed.
        """
        lost = []
        for row in rows:
            fish = fishes[row]
            mesh = None if fish is None else fish.root.data
            if not isinstance(mesh, bpy.types.Mesh) or mesh.is_editmode:
                continue
            size = len(mesh.vertices)
            if size not in (STAND_IN_VERTICES, self.count) and not (self.far and size == 0):
                lost.append(row)
            elif alone[row]:
                if size != self.count:
                    mesh.clear_geometry()
                    self._lay_out(mesh, self._fine, 1, scene)
            elif resting[row]:
                if size:
                    mesh.clear_geometry()
            elif size != STAND_IN_VERTICES:
                self.stand_in(mesh, int(np.searchsorted(self.rows, row)))
        return lost


def _only(vertices: np.ndarray, shown: np.ndarray) -> np.ndarray:
    """Vertices of fishes (n, vertices, 3), with those not shown collapsed to a point."""
    if shown.all():
        return vertices
    found = vertices.copy()
    found[~shown] = found[~shown, :1]
    return found
