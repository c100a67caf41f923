"""Food that is smelled, and the contest for it."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np

from artfish.core.base.elementary import arccos
from artfish.core.base.vectors import dot, local, norm, unit
from artfish.core.perception.focuser import NO_FOOD, relative

Array = np.ndarray


def smell(
    *,
    noticing: SimpleNamespace,
    fishes: Array,
    nearest: Array,
    rows: Array,
    olds: Array,
    kept: Array,
    places: Array,
    noses: Array,
    frames: Array,
    lengths: Array,
    reaches: Array,
    devotions: Array,
    preferences: Array,
    foods: Array,
    nearby: Array,
    baited: int,
) -> None:
    """A choice among the old morsel, the nearest, and the bait; metres to the nearest are infinite if there is none."""
    near = rows[nearest]
    near = np.concatenate([np.where(kept, olds, near[:, 0])[:, None], near], axis=1)
    if baited:
        near = np.concatenate([near, np.full((len(fishes), 1), int(noticing.bait))], axis=1)
    offset = places[near] - noses[:, None]
    distance, reach, length = norm(offset), reaches[fishes][:, None], lengths[fishes][:, None]
    beyond = distance > reach
    # A morsel off the nose costs a turn, one within the turning circle the way after which there is room to turn to it.
    off = arccos(np.clip(dot(unit(offset), frames[:, None, :, 0]), -1.0, 1.0))
    missed = (off > noticing.awry) & (distance < noticing.circle * length)
    cost = distance * (1.0 + noticing.turn_cost * off / np.pi) + noticing.run_up * length * missed
    cost = np.where(near == noticing.bait, cost / noticing.lure, cost)
    cost = np.where(beyond, np.inf, cost)
    # In the same reckoning, the farthest that it goes for.
    farthest = (1.0 + noticing.turn_cost) * reach + noticing.run_up * length
    best = _target(1.0 - cost / farthest, relative(local(frames[:, None], offset)), preferences[fishes], noticing)
    each = np.arange(len(fishes))
    own, others = cost[:, 0], cost[each, best]
    loyal = kept & (own <= others + devotions[fishes]) & np.isfinite(own)
    foods[:] = np.where(loyal, near[:, 0], np.where(np.isfinite(others), near[each, best], NO_FOOD))
    nearby[:] = np.where(beyond, np.inf, distance).min(axis=1)


def _target(desirability: Array, side: Array, preferences: Array, noticing: SimpleNamespace) -> Array:
    """The column that is by far the best, or the best of a few once its side counts too; -1 where none is worth it."""
    worth = np.where(desirability >= 0, desirability, -np.inf)
    best = np.argsort(-worth, axis=1, kind="stable")[:, : int(noticing.contenders)]
    worth, side = np.take_along_axis(worth, best, axis=1), np.take_along_axis(side, best, axis=1)
    outright = (worth[:, :1] - noticing.lead > worth[:, 1:2]).all(axis=1)
    swayed = worth + noticing.side_weight * np.take_along_axis(preferences, side, axis=1)
    winner = np.where(outright, 0, swayed.argmax(axis=1))
    return np.where(worth[:, 0] > -np.inf, best[np.arange(len(best)), winner], -1)
