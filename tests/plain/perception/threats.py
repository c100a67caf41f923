"""Danger of collision with other fishes."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np

from artfish.core.base.vectors import dot, local, norm

Array = np.ndarray


def threats(
    *,
    offsets: Array,
    motions: Array,
    headings: Array,
    lengths: Array,
    there: Array,
    frames: Array,
    own: Array,
    boxes: Array,
    comforts: Array,
    body: SimpleNamespace,
    portions: Array,
    urgencies: Array,
    aways: Array,
) -> None:
    """Center lines in boxes that reach ahead, behind, to the sides and up and down, over what they do sideways."""
    mine = own[:, None]
    sideways = comforts[:, None] * np.minimum(mine, lengths) + body.girth * (mine + lengths)
    # Most are too far away to be worth more than a look.
    corner = np.sqrt(np.square(np.maximum(boxes[:, 0], boxes[:, 1])) + 1 + np.square(boxes[:, 3]))[:, None]
    within = corner * sideways - body.tail * lengths + body.foreseen * norm(motions)
    fish, column = np.nonzero(there & (norm(offsets) <= within))
    portions[:], urgencies[:], aways[:] = 0.0, 0.0, 0.0

    offset, motion, ahead = offsets[fish, column], motions[fish, column], headings[fish, column]
    size, unit, frame = lengths[fish, column, None], sideways[fish, column, None], frames[fish]
    high, low = boxes[fish][:, (0, 2, 3)], -boxes[fish][:, (1, 2, 3)]
    when = -dot(offset, motion) / np.maximum(dot(motion, motion), 1e-12)
    nose = offset + np.clip(when, 0.0, body.foreseen)[:, None] * motion + body.nose * size * ahead
    line = (body.tail - body.nose) * size * ahead  # from nose to tail
    start, way = local(frame, nose) / unit, local(frame, line) / unit
    way = np.where(np.abs(way) < 1e-12, 1e-12, way)
    first, second = (low - start) / way, (high - start) / way
    enter = np.maximum(np.minimum(first, second).max(axis=1), 0.0)
    leave = np.minimum(np.maximum(first, second).min(axis=1), 1.0)
    nearest = -dot(start, way) / np.maximum(dot(way, way), 1e-12)
    share = np.maximum(np.minimum(nearest, leave), enter)[:, None]
    at = start + share * way
    depth = 1 - np.maximum(at / high, at / low).max(axis=1)

    portions[fish, column] = np.maximum(leave - enter, 0.0)
    urgencies[fish, column] = np.where(leave > enter, np.maximum(depth, 0.0), 0.0)
    from_it = -(nose + share * line)
    aways[fish, column] = from_it / np.maximum(norm(from_it), 1e-9)[:, None]
