"""The open edges of a mesh: those with a face on one side only."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...core.adopt.model import Model


def open_edges(mesh: Any) -> list[int]:
    """Indices of the open edges of a Blender mesh; coincident edges, as at a seam, count as closed."""
    count = len(mesh.edges)
    vertices, ends = np.empty((len(mesh.vertices), 3), np.float32), np.empty((count, 2), np.int32)
    corners, sides = np.empty(len(mesh.loops), np.int32), np.empty(len(mesh.loops), np.int32)
    mesh.vertices.foreach_get("co", vertices.ravel())
    mesh.edges.foreach_get("vertices", ends.ravel())
    mesh.loops.foreach_get("vertex_index", corners)
    mesh.loops.foreach_get("edge_index", sides)
    single = np.flatnonzero(np.bincount(sides, minlength=count) == 1)
    parts, starts = np.zeros(len(vertices), np.int32), np.array([0, len(corners)])
    places = Model(vertices.astype(float), corners, starts, parts).welded[ends[single]]
    _, which, many = np.unique(np.sort(places, axis=1), axis=0, return_inverse=True, return_counts=True)
    return single[many[which.ravel()] == 1].tolist()
