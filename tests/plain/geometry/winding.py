"""Winding numbers of meshes by groups of their triangles."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np

from artfish.core.base.vectors import dot, norm
from artfish.core.geometry.winding import LEAF_TRIANGLES, solid_angle

Array = np.ndarray

FAR_RADII = 2.3  # from a group's middle, from which on its triangles count together: they err by some 1 % then


def winding(*, groups: SimpleNamespace, points: Array, turns: Array) -> None:
    """Winding numbers about points: from the largest groups down, those that are far away for their extent count."""
    turns[:] = 0.0
    owner, group = np.arange(len(points)), np.zeros(len(points), dtype=int)
    for level in range(len(groups.starts) - 2, -1, -1):
        row = groups.starts[level] + group
        arm = groups.middles[row] - points[owner]
        away = norm(arm)
        far = away > FAR_RADII * groups.radii[row]
        share = dot(groups.areas[row[far]], arm[far]) / (4 * np.pi * away[far] * away[far] * away[far])
        turns += np.bincount(owner[far], weights=share, minlength=len(points))
        owner, group = owner[~far], group[~far]
        if level:
            below = groups.starts[level] - groups.starts[level - 1]
            owner, group = np.repeat(owner, 4), (4 * group[:, None] + np.arange(4)).ravel()
            owner, group = owner[group < below], group[group < below]
    owner, triangle = (
        np.repeat(owner, LEAF_TRIANGLES),
        (LEAF_TRIANGLES * group[:, None] + np.arange(LEAF_TRIANGLES)).ravel(),
    )
    owner, triangle = owner[triangle < len(groups.corners)], triangle[triangle < len(groups.corners)]
    own = solid_angle(points[owner], groups.corners[triangle])
    turns += np.bincount(owner, weights=own, minlength=len(points))
