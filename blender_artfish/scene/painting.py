"""Painted scenery of a stage: the weights of a vertex group of the sea bed."""

from __future__ import annotations

import json
from typing import Any

import bpy
import numpy as np
from mathutils import Vector

from ..blender.declarations import json_of
from ..identity.precision import short
from ..identity.roles import objects_of, world

GROUP_NAME = "Growth"
"""Vertex group of a sea bed whose weights are the density of growth."""
PAINTED_PLACES = 48
"""Samples of the paint along each side of the tank."""


def painted_bed(scene: bpy.types.Scene) -> bpy.types.Object | None:
    """The painted sea bed, if there is one."""
    beds = objects_of(scene, "BED")
    return next((bed for bed in beds if bed.type == "MESH" and GROUP_NAME in bed.vertex_groups), None)


def stage_data(scene: bpy.types.Scene, unit: float, low: Vector, size: Vector) -> dict[str, Any]:
    """The stage as in a scene file, with the paint of the bed, for `unit` metres in a scene unit."""
    stage = scene.artfish.stage
    data, bed = json_of(stage), painted_bed(scene)
    if bed is not None:
        data["painted"] = _weights(bed, unit, low, size)
    elif stage.painted:
        data["painted"] = json.loads(stage.painted)["painted"]
    return data


def _weights(bed: bpy.types.Object, unit: float, low: Vector, size: Vector) -> list[list[float]]:
    """Weights over a grid in the tank, rows along x, each the mean of the nearest vertices."""
    number = bed.vertex_groups[GROUP_NAME].index
    matrix = np.array(world(bed))
    places = np.empty(3 * len(bed.data.vertices), dtype=np.float32)
    bed.data.vertices.foreach_get("co", places)
    at = (places.reshape(-1, 3) @ matrix[:3, :3].T + matrix[:3, 3])[:, :2] * unit - np.array(low[:2])
    weights = np.array([_weight(vertex, number) for vertex in bed.data.vertices])
    cells = np.clip(np.rint(at / np.array(size[:2]) * (PAINTED_PLACES - 1)).astype(int), 0, PAINTED_PLACES - 1)
    total, count = np.zeros((PAINTED_PLACES, PAINTED_PLACES)), np.zeros((PAINTED_PLACES, PAINTED_PLACES))
    np.add.at(total, (cells[:, 1], cells[:, 0]), weights)
    np.add.at(count, (cells[:, 1], cells[:, 0]), 1.0)
    # Between vertices farther apart than samples, paint spreads from sample to sample until all have some.
    while (count == 0.0).any() and count.any():
        empty = count == 0.0
        total, count = (np.where(empty, _beside(one), one) for one in (total, count))
    return [[short(weight) for weight in row] for row in (total / np.maximum(count, 1.0)).tolist()]


def _beside(grid: np.ndarray) -> np.ndarray:
    """The sum of the four neighbours of each point of a grid, (rows, columns)."""
    wide = np.pad(grid, 1)
    return wide[:-2, 1:-1] + wide[2:, 1:-1] + wide[1:-1, :-2] + wide[1:-1, 2:]


def _weight(vertex: bpy.types.MeshVertex, number: int) -> float:
    """The weight of a vertex in a group; 0 if it is not in it."""
    return next((entry.weight for entry in vertex.groups if entry.group == number), 0.0)
