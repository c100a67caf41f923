"""Paths and berths, as the antenna feels them."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np

from artfish.core.base.vectors import cross, norm

Array = np.ndarray


def gap(*, points: Array, cylinders: SimpleNamespace, box: Array, gap: Array) -> None:
    """Metres to the nearest wall of a box between two corners, or pillar; negative outside and inside."""
    under, over = points - box[0], box[1] - points
    beyond = norm(np.maximum(-under, 0.0) - np.maximum(-over, 0.0))
    gap[:] = np.where(beyond > 0, -beyond, np.minimum(under, over).min(axis=1))
    for x, y, z, radius, height in zip(*vars(cylinders).values(), strict=True):
        out = np.sqrt(np.square(points[:, 0] - x) + np.square(points[:, 1] - y)) - radius
        up = np.abs(points[:, 2] - z - height / 2) - height / 2
        corner = np.sqrt(np.square(np.maximum(out, 0.0)) + np.square(np.maximum(up, 0.0)))
        gap[:] = np.minimum(gap, corner + np.minimum(np.maximum(out, up), 0.0))


def free_path(
    *,
    places: Array,
    starts: Array,
    ways: Array,
    margins: Array,
    cylinders: SimpleNamespace,
    box: Array,
    free_paths: Array,
    most: int,
) -> None:
    """Metres along each path up to a margin from walls, box its low corner and size, and from the nearest pillars.

    A pillar with its margin is a cylinder again: larger by the margin in radius and at either end. A path that starts
    within a margin has 0 if it leads further in, and all of its way if it leads out.
    """
    free = np.full(free_paths.shape, np.inf)
    for axis, (low, size) in enumerate(box.T):
        edge, start, way = np.minimum(margins, size / 3), starts[..., axis], ways[..., axis]
        room = np.maximum(np.where(way > 0, size - edge - start, start - edge - low), 0.0)
        free = np.minimum(free, np.where(way == 0, np.inf, room / np.maximum(np.abs(way), 1e-12)))

    x, y = places[:, :1] - cylinders.x, places[:, 1:2] - cylinders.y
    away = np.sqrt(x * x + y * y) - cylinders.radius
    dx, dy, dz = np.moveaxis(ways, -1, 0)
    # Equation 6.2 with 6.1 put in, a t^2 + 2 b t + c = 0, for the mantle, and a slab for the two ends.
    a = np.maximum(dx * dx + dy * dy, 1e-12)
    steep = np.where(np.abs(dz) < 1e-12, 1e-12, dz)
    for row in np.argsort(away, axis=1, kind="stable")[:, :most].T:
        radius, half_height = cylinders.radius[row, None], cylinders.height[row, None] / 2
        x, y = starts[..., 0] - cylinders.x[row, None], starts[..., 1] - cylinders.y[row, None]
        z = starts[..., 2] - cylinders.z[row, None] - half_height
        b, c = x * dx + y * dy, x * x + y * y - np.square(radius + margins)
        discriminant = b * b - a * c
        root = np.sqrt(np.maximum(discriminant, 0.0))
        half, middle = (half_height + margins) / np.abs(steep), -z / steep
        enter, leave = np.maximum((-b - root) / a, middle - half), np.minimum((-b + root) / a, middle + half)
        hit = (discriminant > 0) & (leave > np.maximum(enter, 0.0))
        outward = (enter < 0) & ((b > 0) | ((z * dz > 0) & (np.abs(z) > half_height)))
        free = np.where(hit & ~outward, np.minimum(free, np.maximum(enter, 0.0)), free)
    free_paths[:] = free


def noses(
    *, places: Array, headings: Array, radii: Array, reaches: Array, swing: SimpleNamespace, noses: Array
) -> None:
    """Places of noses at angles of a turn."""
    on, sideways = headings[:, None] * (1.0, 1.0, 0.0), cross(np.array((0.0, 0.0, 1.0)), headings)[:, None]
    r, reach = radii[:, None], reaches[:, None]
    along = r * swing.sines + reach * swing.cosines
    across = swing.signs * (r * (1.0 - swing.cosines) + reach * swing.sines)
    noses[:] = (places[:, None] + along[..., None] * on) + across[..., None] * sideways


def swung(*, turns: Array, depths: Array, pressed: Array) -> None:
    """The deepest that noses get on the way to turns, less that of a half turn to the better side."""
    steps = depths.shape[1] // 2
    left, right = (np.maximum.accumulate(depths[:, steps::side], axis=1) for side in (1, -1))
    share = np.abs(turns) * steps / np.pi
    step = np.where(share < steps, np.rint(share), steps).astype(int)
    there = np.where(turns > 0, *(np.take_along_axis(of, step, axis=1) for of in (left, right)))
    pressed[:] = np.maximum(there - np.minimum(left, right)[:, -1:], 0.0)
