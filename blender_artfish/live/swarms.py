"""The fishes of a species that play live, drawn as one mesh.

Blender takes one object that has changed much sooner than sixty. Each fish has an object of its own as well, which
carries place and heading for whatever rides on it, and which is drawn in place of its part of the mesh where somebody
works with it; otherwise that is a short line inside the body.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import bpy
import numpy as np

from ...core.form.look import Look
from ...core.form.polygons import Polygons
from ...core.recording import LOOK_ARRAYS, Recording
from ...core.scene.species import Species
from ..fish.individuality import INDIVIDUAL
from ..fish.surfaces import Fish
from .meshes import fill, paint

STAND_IN_LENGTHS = 0.1
"""Length of the line ahead of a fish's own origin, in body lengths."""
STAND_IN_VERTICES = 2


class Swarm:
    """All fishes of a species in one world.

    Attributes:
        species: Of which they are.
        rows: Which rows of the recording they are, (n,).
        part: What the object that draws them is.
    """

    def __init__(self, species: Species, recording: Recording) -> None:
        """Lays their mesh out."""
        self.species, self.part = species, f"Fishes of {species.name}"
        self.rows = np.flatnonzero(np.array(recording.species) == species.name)
        self.individual = [np.random.default_rng(int(seed)).random() for seed in recording.seeds[self.rows]]
        self._length = recording.body_length[self.rows]
        self._polygons = Polygons(species)

    @property
    def count(self) -> int:
        """Vertices of a fish."""
        return self._polygons.count

    @property
    def faces(self) -> int:
        """Faces of a fish."""
        return len(self._polygons.faces)

    def vertices(self, frame: Mapping[str, np.ndarray]) -> np.ndarray:
        """Where vertices are in a frame as `Rehearsal.__getitem__` has it, (n, count, 3) in metres."""
        nodes, fins, mouth = (frame[name][self.rows] for name in ("nodes", "fins", "mouth"))
        look = Look(*(frame[name][self.rows] for name in LOOK_ARRAYS))
        return self._polygons.placed(nodes, fins, self._length, mouth, look)

    def make(self, scene: bpy.types.Scene) -> bpy.types.Mesh:
        """The mesh of all."""
        mesh = bpy.data.meshes.new(f"{self.species.common_name} live")
        fill(mesh, self._polygons, len(self.rows))
        paint(mesh, self.species, self._polygons, scene)
        own = mesh.attributes.new(INDIVIDUAL, "FLOAT", "FACE").data
        own.foreach_set("value", np.repeat(np.array(self.individual, np.float32), self.faces))
        return mesh

    def stand_in(self, mesh: bpy.types.Mesh, place: int) -> None:
        """Makes the mesh of one of them a line."""
        mesh.clear_geometry()
        ahead = STAND_IN_LENGTHS * float(self._length[place])
        mesh.from_pydata([(0.0, 0.0, 0.0), (ahead, 0.0, 0.0)], [(0, 1)], [])

    def dress(self, fishes: Sequence[Fish | None], alone: np.ndarray, scene: bpy.types.Scene) -> list[int]:
        """Has their objects be whole fishes where these are drawn by themselves, and lines where not.

        Args:
            fishes: All there are, by rows.
            alone: Which of them are, (fish,).
            scene: In which they are.

        Returns:
            Rows of those whose meshes are others now.
        """
        lost = []
        for place, row in enumerate(self.rows.tolist()):
            fish = fishes[row]
            mesh = None if fish is None else fish.root.data
            if mesh is None or mesh.is_editmode:
                continue
            size = len(mesh.vertices)
            if size not in (STAND_IN_VERTICES, self.count):
                lost.append(row)
            elif alone[row] and size == STAND_IN_VERTICES:
                mesh.clear_geometry()
                fill(mesh, self._polygons)
                paint(mesh, self.species, self._polygons, scene)
            elif not alone[row] and size == self.count:
                self.stand_in(mesh, place)
        return lost
