"""A mesh that somebody else made, as it came: vertices, faces, parts, named groups, and bones if it has some."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import NamedTuple

import numpy as np
from scipy.sparse import coo_matrix, csr_matrix
from scipy.sparse.csgraph import connected_components

from .tuning import MODEL_SAMPLES, WELD_EXTENT

PLACE_HASH = 1, 2177342782468422677, 1609587929392839161
"""Factors on whole places along the axes, so that no two places of a mesh have the same sum."""


class ModelBone(NamedTuple):
    """One bone of a model's armature, in the model's own axes and unit.

    Attributes:
        name: Name that its maker gave it.
        parent: Row of the bone that carries it; -1 for none.
        head: Its beginning, (3,).
        tail: Its end, (3,).
    """

    name: str
    parent: int
    head: np.ndarray
    tail: np.ndarray


class SurfaceSamples(NamedTuple):
    """Points spread evenly over the faces of a model.

    Attributes:
        places: (n, 3).
        normals: Normals of their faces, (n, 3), unit; 0 where a face has no area.
        vertices: The first corner of the triangle that each lies on, (n,).
        area: Area of the surface for which each stands.
    """

    places: np.ndarray
    normals: np.ndarray
    vertices: np.ndarray
    area: float


@dataclass(frozen=True, eq=False)
class Model:
    """A mesh as it came, all its objects joined.

    Attributes:
        vertices: (n, 3), in its own axes and unit.
        corners: Rows of the vertices of all faces, one face after the other.
        starts: Beginning of each face in `corners`, and the end of the last, (faces + 1,).
        parts: Number of the object that each vertex came from, (n,).
        groups: Rows of the vertices of a named part, by "dorsal", "anal" (or "ventral"), "caudal", "pectoral.L",
            "pectoral.R", "eye.L", "eye.R" and "jaw"; other names are not looked at.
        bones: Bones of its armature, parents anywhere.
        weights: Shares of the bones in the vertices, (n, bones); None without bones.
    """

    vertices: np.ndarray
    corners: np.ndarray
    starts: np.ndarray
    parts: np.ndarray
    groups: Mapping[str, np.ndarray] = field(default_factory=dict)
    bones: tuple[ModelBone, ...] = ()
    weights: np.ndarray | csr_matrix | None = None

    @property
    def count(self) -> int:
        """Number of vertices."""
        return len(self.vertices)

    @cached_property
    def triangles(self) -> np.ndarray:
        """Rows of the corners of all faces cut into fans of triangles, (m, 3)."""
        sizes = np.diff(self.starts)
        count = np.maximum(sizes - 2, 0)
        first = np.repeat(self.starts[:-1], count)
        inner = np.arange(count.sum()) - np.repeat(np.cumsum(count) - count, count)
        return np.stack([self.corners[first], self.corners[first + inner + 1], self.corners[first + inner + 2]], axis=1)

    @cached_property
    def welded(self) -> np.ndarray:
        """The number of the place of each vertex, (n,): those that lie in one place, as at a seam, share it."""
        span = float(np.ptp(self.vertices, axis=0).max(initial=0.0)) or 1.0
        cells = np.round(self.vertices / (WELD_EXTENT * span)).astype(np.int64)
        keys = cells @ np.array(PLACE_HASH, dtype=np.int64)
        return np.unique(keys, return_inverse=True)[1]

    @cached_property
    def shells(self) -> np.ndarray:
        """The number of the connected piece that each vertex belongs to, (n,), counted from the largest area down."""
        places = self.welded
        count = int(places.max(initial=-1)) + 1
        a, b, c = places[self.triangles].T
        links = coo_matrix((np.ones(2 * len(a), dtype=np.int8), (np.r_[a, b], np.r_[b, c])), shape=(count, count))
        label = connected_components(links, directed=False)[1][places]
        area = np.bincount(label[self.triangles[:, 0]], self.areas, label.max(initial=-1) + 1)
        rank = np.empty(len(area), dtype=np.int64)
        rank[np.argsort(-area, kind="stable")] = np.arange(len(area))
        return rank[label]

    @cached_property
    def crosses(self) -> np.ndarray:
        """Normals of the triangles, as long as twice their areas, (m, 3)."""
        a, b, c = self.vertices[self.triangles].transpose(1, 0, 2)
        return np.cross(b - a, c - a)

    @property
    def areas(self) -> np.ndarray:
        """Areas of the triangles, (m,)."""
        return 0.5 * np.linalg.norm(self.crosses, axis=1)

    @cached_property
    def samples(self) -> SurfaceSamples:
        """Points spread evenly over its faces; always the same ones. Normals face outwards, if the whole has an inside.

        The places in the triangles are those of the R2 sequence of Roberts, which fills them evenly.
        """
        areas = self.areas
        ends = np.cumsum(areas)
        whole = float(ends[-1]) if len(ends) else 0.0
        if whole <= 0.0:
            none = np.zeros((0, 3))
            return SurfaceSamples(none, none, np.zeros(0, dtype=np.int64), 0.0)
        picks = np.searchsorted(ends, (np.arange(MODEL_SAMPLES) + 0.5) * (whole / MODEL_SAMPLES)).clip(0, len(ends) - 1)
        number = np.arange(MODEL_SAMPLES)
        u, v = (0.7548776662466927 * number) % 1.0, (0.5698402909980532 * number) % 1.0
        beyond = u + v > 1.0
        u[beyond], v[beyond] = 1.0 - u[beyond], 1.0 - v[beyond]
        a, b, c = self.vertices[self.triangles[picks]].transpose(1, 0, 2)
        normals = self.crosses[picks] / np.maximum(2.0 * areas[picks], np.finfo(float).tiny)[:, None]
        if self.volume < 0.0:
            normals = -normals
        places = a + u[:, None] * (b - a) + v[:, None] * (c - a)
        return SurfaceSamples(places, normals, self.triangles[picks, 0], whole / MODEL_SAMPLES)

    @cached_property
    def volume(self) -> float:
        """The volume within its faces, above 0 if they face outwards; of an open mesh as seen from its middle."""
        if not len(self.triangles):
            return 0.0
        middle = self.vertices[self.triangles].mean(axis=(0, 1))
        return float(((self.vertices[self.triangles[:, 0]] - middle) * self.crosses).sum() / 6.0)

    def group(self, name: str) -> np.ndarray:
        """Rows of the vertices of a named part, none where there is no such group."""
        return np.asarray(self.groups.get(name, ()), dtype=np.int64)


def shifted(model: Model, by: np.ndarray) -> Model:
    """A model and its bones elsewhere, by (3,)."""
    bones = tuple(ModelBone(bone.name, bone.parent, bone.head + by, bone.tail + by) for bone in model.bones)
    return replace(model, vertices=model.vertices + by, bones=bones)


def along(model: Model, axes: np.ndarray) -> Model:
    """A model and its bones in other axes, the columns of (3, 3)."""
    bones = tuple(ModelBone(bone.name, bone.parent, bone.head @ axes, bone.tail @ axes) for bone in model.bones)
    return replace(model, vertices=model.vertices @ axes, bones=bones)
