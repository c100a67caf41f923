"""The open edges of a mesh, selected."""

from __future__ import annotations

import bpy
import numpy as np


def select_open(mesh: bpy.types.Mesh) -> int:
    """Selects the open edges of a mesh, and nothing else; returns their number.

    An edge is open unless its faces run along it equally often in both directions; coincident vertices count as one.
    """
    places = np.empty((len(mesh.vertices), 3), dtype=np.float32)
    mesh.vertices.foreach_get("co", places.ravel())
    ends = np.empty((len(mesh.edges), 2), dtype=np.int32)
    mesh.edges.foreach_get("vertices", ends.ravel())
    start, edge, sizes = (np.empty(len(of), dtype=np.int32) for of in (mesh.loops, mesh.loops, mesh.polygons))
    mesh.loops.foreach_get("vertex_index", start)
    mesh.loops.foreach_get("edge_index", edge)
    mesh.polygons.foreach_get("loop_total", sizes)

    same = np.unique(places, axis=0, return_inverse=True)[1].reshape(-1)
    owner = np.repeat(np.arange(len(sizes)), sizes)
    begin = (np.cumsum(sizes) - sizes)[owner]
    onward = start[begin + (np.arange(len(start)) - begin + 1) % sizes[owner]]
    _, welded = np.unique(np.sort(same[ends], axis=1), axis=0, return_inverse=True)
    welded = welded.reshape(-1)
    net = np.bincount(welded[edge], weights=np.sign(same[onward] - same[start]), minlength=len(ends) + 1)
    open_ = (net != 0)[welded] & (same[ends[:, 0]] != same[ends[:, 1]])

    chosen = np.zeros(len(places), dtype=bool)
    chosen[ends[open_]] = True
    mesh.vertices.foreach_set("select", chosen)
    mesh.edges.foreach_set("select", open_)
    mesh.polygons.foreach_set("select", np.zeros(len(sizes), dtype=bool))
    mesh.update()
    return int(np.count_nonzero(open_))
