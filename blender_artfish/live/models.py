"""Models of adopted fishes in live play: deformed like the polygons of other species, in their own materials."""

from __future__ import annotations

from typing import Any

import bpy
import numpy as np

from ...core.base.codec import SceneError
from ...core.form.look import Look
from ...core.form.mesh import ControlNet
from ...core.scene.species import Species
from ..blender.jobs import finished
from ..fish.adopted import BoundSkin, adopted_skins
from ..fish.pose_meshes import UV_NAME
from ..species import library

LIVE_VERTICES = 60_000
"""Vertices of all fine fishes of an adopted species together."""
FINE_MODEL, COARSE_MODEL = (300, 4_000), 150
"""Fewest and most vertices of a fine fish, and most of a coarse one."""


class ModelPolygons:
    """The model of a species, with the interface of `core.form.polygons.Polygons`.

    Attributes:
        faces: First corner of each face, (faces,).
        count: Number of vertices.
    """

    def __init__(self, net: ControlNet, skin: BoundSkin) -> None:
        """Copies the data of Blender's mesh, which may vanish."""
        self._net, self._shape = net, skin.shape
        mesh: Any = skin.mesh
        self.count, corners = len(mesh.vertices), len(mesh.loops)
        self.faces, self._slots = np.empty(len(mesh.polygons), np.int32), np.empty(len(mesh.polygons), np.int32)
        self._corners, self._uv = np.empty(corners, np.int32), np.zeros((corners, 2), np.float32)
        mesh.polygons.foreach_get("loop_start", self.faces)
        mesh.polygons.foreach_get("material_index", self._slots)
        mesh.loops.foreach_get("vertex_index", self._corners)
        layer = next((each for each in mesh.uv_layers if each.active_render), None)
        if layer is not None:
            layer.uv.foreach_get("vector", self._uv.ravel())
        self._wear = [material.session_uid if material else 0 for material in mesh.materials]

    def placed(
        self, nodes: np.ndarray, fins: np.ndarray, body_length: np.ndarray, mouth: np.ndarray, look: Look
    ) -> np.ndarray:
        """World positions of all fishes' vertices, (fish, count, 3) float32 in metres; see `Polygons`."""
        if not len(nodes):
            return np.empty((0, self.count, 3), np.float32)
        now = Look(*(np.asarray(of)[None] for of in vars(look).values()))
        points, origin, turn = self._net.poses(nodes[None], fins[None], body_length, mouth[None], now)
        local = self._shape.vertices(points[0]) * body_length[:, None, None]
        return (local @ np.swapaxes(turn[0], -1, -2) + origin[0, :, None]).astype(np.float32)

    def fill(self, mesh: bpy.types.Mesh, fishes: int) -> None:
        """Gives an empty mesh so many fishes, one after the other, with their materials."""
        each = np.arange(fishes, dtype=np.int32)[:, None]
        mesh.vertices.add(self.count * fishes)
        mesh.loops.add(len(self._corners) * fishes)
        mesh.polygons.add(len(self.faces) * fishes)
        mesh.polygons.foreach_set("loop_start", (self.faces + len(self._corners) * each).ravel())
        mesh.loops.foreach_set("vertex_index", (self._corners + self.count * each).ravel())
        mesh.update(calc_edges=True)
        mesh.shade_smooth()
        mesh.uv_layers.new(name=UV_NAME).uv.foreach_set("vector", np.tile(self._uv.ravel(), fishes))
        there = {material.session_uid: material for material in bpy.data.materials}
        mesh.materials.clear()
        for number in self._wear:
            mesh.materials.append(there.get(number))
        mesh.polygons.foreach_set("material_index", np.tile(self._slots, fishes))


def models_of(species: Species, fishes: int) -> list[ModelPolygons]:
    """The fine and the coarse model of a species, for so many fishes; empty without a model."""
    if not species.model:
        return []
    fewest, most = FINE_MODEL
    fine = max(fewest, min(most, LIVE_VERTICES // max(fishes, 1)))
    net = ControlNet(species)
    try:
        skins = finished(adopted_skins(species, net, library.model_folders(), (fine, COARSE_MODEL)))
    except SceneError:
        return []
    found = [ModelPolygons(net, skin) for skin in skins]
    for skin in skins:
        bpy.data.meshes.remove(skin.mesh)
    return found
