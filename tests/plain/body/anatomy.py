"""The fish's own frame."""

from __future__ import annotations

import numpy as np

from artfish.core.base.sums import mean
from artfish.core.body.anatomy import NOSE_NODE, RING_NODES, frame_from


def body_frame(*, nodes: np.ndarray, origins: np.ndarray, frames: np.ndarray) -> None:
    """From the middle of the second ring to the nose; up is the mean of both flanks of that ring."""
    ring = nodes[:, RING_NODES[1]]
    origins[:] = mean(ring, axis=1)
    frames[:] = frame_from(nodes[:, NOSE_NODE] - origins, ring[:, 0] + ring[:, 1] - ring[:, 2] - ring[:, 3])
