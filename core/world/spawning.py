"""Spawning: eggs and milt of couples that have come to the end of their courtship, and nests."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..base.sums import mean
from ..body.anatomy import RING_NODES
from .parts import Parts

VENT_NODES = RING_NODES[2, 2:]
"""The nodes between which a fish's vent is, before its anal fin."""


def spawn(parts: Parts, events: list[dict[str, Any]], nodes: np.ndarray) -> None:
    """Has couples that have just spawned, as events tell, let go eggs and milt, or lay eggs that he then guards.

    Args:
        parts: Parts of the world.
        events: What has happened, as in `Recording.events` without the frame.
        nodes: Nodes of all fishes in metres, (fish, 23, 3).
    """
    water, bodies = parts.water, parts.bodies
    for event in events:
        if event["kind"] != "spawned" or not len(water.spawn):
            continue
        male, female = event["fish"], event["other"]
        if bodies.lives is not None:
            bodies.lives.laid(water.spawn.upcoming, female, male)
        vents, length = mean(nodes[[female, male]][:, VENT_NODES], axis=1), bodies.shoal.length[[female, male]]
        if parts.model.characters.drives["ascent"][female] > 0.0:
            water.spawn.release(vents, length)
            continue
        laid = water.spawn.lay(vents, length)
        if laid is not None:
            parts.minds.decision.guarding.take_up(male, female, *laid)
