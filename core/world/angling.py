"""Angling: what the hook does to the fish on it, and to fishes that it brought out of the water (Tu 1999, §10.1)."""

from __future__ import annotations

import numpy as np

from ..habitat.hook import NO_CATCH
from .parts import Parts


def landed(parts: Parts) -> np.ndarray:
    """Rows of those that the hook has brought out of the water, (n,)."""
    hook = parts.water.hook
    return np.arange(0) if hook is None else np.flatnonzero(hook.out & ~parts.bodies.shoal.alive)


def angle(parts: Parts) -> None:
    """Lets the hook sink, or draws up its catch, which is landed when it is out of the water."""
    hook, shoal, period = parts.water.hook, parts.bodies.shoal, parts.period
    if hook is None:
        return
    if hook.fish != NO_CATCH and not shoal.alive[hook.fish]:  # a predator was faster than the line
        hook.release(parts.t)
    still = landed(parts)
    if len(still):
        shoal.push(still, -shoal.node_velocities[still])
    if hook.fish == NO_CATCH:
        hook.advance(parts.t, period, parts.water.current.velocity(hook.place, parts.t))
        return
    caught = np.array([hook.fish])
    shoal.shift(caught, hook.reel(period, shoal.nodes[hook.fish])[None])
    nodes = shoal.nodes[hook.fish]
    if hook.landed(nodes):
        parts.die(caught)
        hook.release(parts.t)
    else:
        shoal.push(caught, hook.pull(period, nodes, shoal.node_velocities[hook.fish])[None])


def follow(parts: Parts) -> None:
    """Keeps the hook in the mouth of its catch, which has been moved."""
    water = parts.water
    if water.hook is not None and water.hook.fish != NO_CATCH:
        water.hook.follow(parts.bodies.shoal.nodes[water.hook.fish])
