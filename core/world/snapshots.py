"""Recorded frames of a world."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from ..base.dice import Dice
from ..recording import ARRAYS, FRONTIER_POINTS, NEVER, NO_POINT, SEXES, WAY_POINTS, Recording
from .assembly import BODY_DICE
from .parts import Parts
from .persistence import stateful_parts


def snapshot(parts: Parts) -> dict[str, np.ndarray]:
    """The recorded arrays of this moment, by name: those that the state declares so, and what follows from it."""
    declared = {name: array for part in stateful_parts(parts).values() for name, array in part.recorded().items()}
    return declared | _derived(parts)


def _derived(parts: Parts) -> dict[str, np.ndarray]:
    """The recorded arrays that are no state themselves."""
    water, bodies, fishes = parts.water, parts.bodies, len(parts.bodies.shoal)
    preferences, (target, food) = parts.minds.decision.focus.preferences, parts.attention()
    moving = [one for one in parts.model.scene.obstacles if one.motion is not None]
    strongest = np.abs(preferences).argmax(axis=1)
    return {
        "nodes": bodies.shoal.nodes,
        "fins": bodies.fins.fins(bodies.gamma),
        "target": target,
        "food": food,
        "preference": strongest,
        "preference_strength": preferences[np.arange(fishes), strongest],
        "breath": bodies.signs.breath,
        "growth": bodies.shoal.length / parts.model.full_length,
        "level": np.zeros(fishes) if bodies.detail is None else bodies.detail.level,
        "bubbles_alive": water.bubbles.alive,
        "hook": np.zeros((0, 3)) if water.hook is None else water.hook.points,
        "submarine": np.zeros(5) if water.submarine is None else water.submarine.pose,
        "obstacles": water.obstacles.movers.pose[: len(moving)],
        "memory_time": _remembered(parts),
        **_ways(parts),
    }


def _remembered(parts: Parts) -> np.ndarray:
    """The times at which fishes with a memory last saw each object, (memory, object)."""
    memory = parts.minds.memory
    if memory is None:
        return np.zeros((0, 0))
    times = np.concatenate((memory.fish_time, memory.piece_time), axis=1)
    return np.where(np.isnan(times), NEVER, times)


def _ways(parts: Parts) -> dict[str, np.ndarray]:
    """The rest of ways, and the places where there is more to be seen."""
    navigator, many = None if parts.minds.mind is None else parts.minds.mind.navigator, len(_travellers(parts))
    way, frontier = (np.full((many, points, 3), NO_POINT) for points in (WAY_POINTS, FRONTIER_POINTS))
    for row in range(many):
        assert navigator is not None
        for into, places in ((way, navigator.way(row)), (frontier, navigator.frontier(row))):
            some = _some(places, into.shape[1])
            into[row, : len(some)] = some
    return {"way": way, "frontier": frontier}


def _travellers(parts: Parts) -> np.ndarray:
    """Rows of the fishes that find their way, (traveller,)."""
    minds = parts.minds
    if minds.mind is None or minds.mind.navigator is None:
        return np.zeros(0, int)
    return minds.mind.navigator.fishes


def _some(places: np.ndarray, most: int) -> np.ndarray:
    """So many of places (n, 3) at the most, the first and the last among them."""
    if len(places) <= most:
        return places
    return places[np.rint(np.linspace(0, len(places) - 1, most)).astype(int)]


def recorded(parts: Parts, arrays: Mapping[str, np.ndarray], first: int) -> Recording:
    """Frames of a world as a recording.

    Args:
        parts: Parts of the world.
        arrays: Recorded arrays by name, frames first.
        first: Frame of the film with which they begin.
    """
    model = parts.model
    return Recording(
        **arrays,
        memory_fish=np.zeros(0, int) if parts.minds.memory is None else parts.minds.memory.fishes,
        way_fish=_travellers(parts),
        tufts=parts.water.growth.place.astype(np.float32),
        bubbles_size=parts.water.bubbles.size,
        body_length=model.full_length,
        seeds=Dice(model.seed, model.numbers, BODY_DICE).keys.astype(np.uint32),
        species=parts.species,
        sex=tuple(SEXES[sex] for sex in model.characters.sexes),
        fps=model.scene.fps,
        scene=model.scene,
        species_models=model.models,
        events=[{**event, "frame": event["frame"] - first} for event in parts.events if event["frame"] >= first],
    )


def born_only(parts: Parts, recording: Recording) -> Recording:
    """A recording of a world without those of its fishes that are not born yet."""
    bodies = parts.bodies
    unborn = 0 if bodies.lives is None else bodies.lives.breeding.born - bodies.lives.hatched
    return recording.of_first(len(bodies.shoal) - unborn) if unborn else recording


def make_room(arrays: dict[str, np.ndarray], now: Mapping[str, np.ndarray]) -> None:
    """Has arrays of a recording hold what there is now, where that is more than there was, or of another number.

    Food that is added was not there so far, as that which is taken away; of other obstacles nobody remembers anything,
    and before anybody could court there was no spawn.
    """
    for name in ("memory_time", "way", "frontier", "spawn", "spawn_kind"):
        if now[name].shape != arrays[name].shape[1:]:
            shape = len(arrays[name]), *now[name].shape
            arrays[name] = np.full(shape, ARRAYS[name].begin, arrays[name].dtype)
    particles, before = len(now["plankton"]), arrays["plankton"].shape[1]
    if particles == before:
        return
    for name in ("plankton", "plankton_alive"):
        old = arrays[name]
        arrays[name] = np.zeros((len(old), particles, *old.shape[2:]), old.dtype)
        arrays[name][:, :before] = old[:, :particles]
    food = arrays["food"]
    food[food >= before] += particles - before  # bait, and what grows, which come after the last
