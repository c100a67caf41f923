"""Polygons of fishes; C has the same in single precision, to a micrometre within some metres of the origin."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np

from artfish.core.base.vectors import unit
from artfish.core.body.anatomy import RING_NODES, body_frame, frame_from
from artfish.core.form.coupling import face_axes
from artfish.core.form.look import eye_turns, laid_down, tail_side, trailed
from artfish.core.form.pectorals import PectoralFin

Array = np.ndarray
RIGHT_AND_LEFT = [1, 3]
"""Faces of a segment."""
RAYS, CAUDAL, ROOT = (2, 12), (7, 5), 4
"""Control points of a median fin, of the caudal fin, and of the root of a pectoral fin."""


def polygons(
    *,
    shape: SimpleNamespace,
    nodes: Array,
    fins: Array,
    lengths: Array,
    mouths: Array,
    breaths: Array,
    folds: Array,
    tails: Array,
    gazes: Array,
    found: Array,
) -> None:
    """Control points are sums of ways to move; fins and eyes then move by themselves, and vertices are sums of both."""
    looks, fishes, length = shape.looks, len(nodes), lengths[:, None]
    origin, frame = body_frame(nodes)
    arms = nodes - origin[:, None]
    points = shape.shares.T.astype(float) @ ways_of(looks, arms, length, mouths, breaths)
    parts = [(2, 12), (2, 12), (7, 5), (ROOT + 3,), (ROOT + 3,), (2,)]  # of fins, and the middles of the eyes
    ends = shape.body + np.cumsum([0, *map(np.prod, parts)])
    dorsal, ventral, caudal, *pectorals, eyes = (
        points[:, begin:end].reshape(fishes, *part, 3)
        for begin, end, part in zip(ends[:-1], ends[1:], parts, strict=True)
    )
    if looks.fold > 0.0:
        dorsal, ventral = (laid_down(fin, looks.fold * folds[:, 0]) for fin in (dorsal, ventral))
    if looks.give > 0.0:
        caudal = trailed(caudal, looks.give * tails, tail_side(arms))
    moved = [pectoral(looks, points, fins[:, side], side, folds[:, 1], length) for side, points in enumerate(pectorals)]
    sheets = [(dorsal, shape.median, shape.median_vertices), (ventral, shape.median, shape.median_vertices)]
    sheets += [(caudal, shape.caudal, shape.caudal_vertices)]
    sheets += [(fin, shape.pectoral, shape.pectoral_vertices) for fin in moved]
    blocks = [points[:, : shape.body]]
    for control, shares, many in sheets:
        blocks.append(shares[:, :many].T.astype(float) @ control.reshape(fishes, -1, 3))
    ball = shape.balls @ np.swapaxes(eye_turns(gazes, looks.outward), -1, -2)
    ball = ball @ np.swapaxes(frame, -1, -2)[:, None]
    blocks.append((eyes[:, :, None] + length[:, :, None, None] * ball).reshape(fishes, -1, 3))
    found[:] = origin[:, None] + np.concatenate(blocks, axis=1)


def ways_of(looks: SimpleNamespace, arms: Array, length: Array, mouths: Array, breaths: Array) -> Array:
    """Ways to move, (fish, 61, 3): nodes, axes of both flanks of each segment, the jaw's and the gill covers'."""
    axes = face_axes(arms)[:, :, RIGHT_AND_LEFT].reshape(len(arms), -1, 3) * length[:, :, None]
    ring, breath = arms[:, RING_NODES[0]], looks.breath * breaths
    head = frame_from(arms[:, 0] - ring.mean(axis=1), ring[:, :2].sum(axis=1) - ring[:, 2:].sum(axis=1))
    left = unit(ring[:, [0, 3]].sum(axis=1) - ring[:, [1, 2]].sum(axis=1))
    opening = length * np.maximum(mouths, looks.sip * breath[:, 1])[:, None]
    jaw = opening * (looks.thrust * head[..., 0] - looks.drop * head[..., 2])
    gill = breath[:, :1] * length * left
    return np.concatenate([arms, axes, jaw[:, None], gill[:, None]], axis=1)


def pectoral(looks: SimpleNamespace, points: Array, fin: Array, side: int, fold: Array, length: Array) -> Array:
    """Root and outer points, (fish, 8, 3), of a pectoral fin that flaps, oars and is laid on the flank."""
    root, (middle, ahead, up) = points[:, :ROOT], np.moveaxis(points[:, ROOT:], 1, 0)
    rays = PectoralFin(root, middle, looks.rays, looks.normal, looks.axis).swing(fin[:, 1], fin[:, 2])
    rays = unit(rays + (looks.tuck * fold)[:, None, None] * (looks.tucked - rays)) * looks.lengths[:, None]
    rays = rays * ((1.0, -1.0, 1.0) if side else 1.0)
    turned = rays @ looks.rest[side].reshape(3, 3) @ np.swapaxes(frame_from(ahead, up), -1, -2)
    return np.concatenate([root, middle[:, None] + length[:, :, None] * turned], axis=1)
