"""Target tracking, learned by practice: which pace suits which bearing of a target (Terzopoulos et al. 1994, §4.3).

A fish that can swim and turn tries reflexes, many at a time, on targets all around it, and keeps what brings it there
sooner; as in the search for muscle controls, simulated annealing sometimes keeps what does not.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ..motor.tuning import MEANT_STRIDE
from ..scene.controller import Controller
from ..scene.scene import Scene
from ..scene.species import Species
from ..world.world import World
from .errands import Reflex, Tracker, at
from .tuning import (
    FIRST_REFLEX_STEP,
    FIRST_TEMPERATURE,
    LAST_TEMPERATURE,
    PLACEMENT_LENGTHS,
    PLACEMENT_PACE,
    PLACEMENT_PATIENCE,
    PLACEMENT_RISE,
    PLACEMENT_ROOM,
    REFLEXES_AT_ONCE,
)

BEARINGS_AHEAD, BEARINGS_BEHIND, BEARINGS_AROUND = (0.0, 60.0), (120.0, 180.0), (0.0, 180.0)
"""Degrees off the nose between which targets lie, to either side."""


@dataclass(frozen=True, eq=False)
class Practised:
    """A reflex that was found by practice.

    Attributes:
        reflex: The reflex.
        scores: The best of all so far, before the first round and after each, (rounds + 1,): time to reach a target
            over that straight ahead at full speed.
    """

    reflex: Reflex
    scores: np.ndarray


def placements(count: int, bearings: tuple[float, float], dice: np.random.Generator) -> np.ndarray:
    """Targets about a fish that heads along x, between these degrees off its nose, (count, 3) in body lengths."""
    bearing = np.radians(dice.uniform(*bearings, count)) * dice.choice([-1.0, 1.0], count)
    rise, far = dice.uniform(-PLACEMENT_RISE, PLACEMENT_RISE, count), dice.uniform(*PLACEMENT_LENGTHS, count)
    level = np.cos(rise)
    return far[:, None] * np.stack([np.cos(bearing) * level, np.sin(bearing) * level, np.sin(rise)], axis=1)


def tried(species: Species, made: Controller | None, reflexes: Sequence[Reflex], targets: np.ndarray) -> np.ndarray:
    """The times at which fishes that swim far from each other reach targets, one each.

    Args:
        species: The species.
        made: Its controller; its hand-made controllers if None.
        reflexes: One reflex for each fish.
        targets: Target of each from its beginning, heading along x, (fish, 3) in body lengths.

    Returns:
        Time over that of the way straight ahead at full speed, infinite for those that never come there, (fish,).
    """
    fishes, length = len(targets), species.length
    row, room = math.ceil(math.sqrt(fishes)), PLACEMENT_ROOM * length
    size, full = (row + 1.0) * room, full_speed(species, made)
    group = {"species": species.name, "count": fishes, "at": [0.5 * size, 0.5 * size, 0.5 * room], "heading": [1, 0, 0]}
    learned = {} if made is None else {"controller": made}
    data = {"tank": {"size": [size, size, room]}, "fishes": [{**group, **learned}]}
    column, line = np.divmod(np.arange(fishes), row)
    place = np.stack([column, line, np.full(fishes, -0.5)], axis=1) * room + room
    tracker = Tracker(at(place + length * targets), reflexes, np.full(fishes, full))
    scene = Scene.from_dict(data, "practice", species={species.name})
    world = World(scene, pilot=tracker, species={species.name: species.alike})
    ahead = np.repeat(np.eye(3)[None], fishes, axis=0)
    world.shoal.put(np.arange(fishes), place, ahead, np.full(fishes, PLACEMENT_PACE * full * length))
    straight = np.linalg.norm(targets, axis=1) / full
    for _ in range(round(float(PLACEMENT_PATIENCE * straight.max()) * scene.fps)):
        world.step()
        if np.isfinite(tracker.reached).all():
            break
    return np.where(tracker.reached <= PLACEMENT_PATIENCE * straight, tracker.reached / straight, np.inf)


def full_speed(species: Species, made: Controller | None = None) -> float:
    """Lengths a second that a fish swims at full speed, by a controller or by its hand-made ones."""
    return MEANT_STRIDE * species.rhythm.tail_beat if made is None else made.swims[-1].speed


def practise(species: Species, made: Controller | None, rounds: int, seed: int = 0, count: int = 20) -> Practised:
    """The reflex that a fish finds by practice.

    Args:
        species: The species.
        made: Its controller; its hand-made controllers if None.
        rounds: Number of rounds, in each of which it tries some reflexes.
        seed: Seed of its tries.
        count: Number of targets for each.
    """
    dice = np.random.default_rng(seed)
    targets, scores = placements(count, BEARINGS_AROUND, dice), np.empty(rounds + 1)
    best = kept = Reflex()
    least = np.inf
    for turn in range(rounds):
        share = turn / max(rounds - 1, 1)
        others = [_varied(kept, FIRST_REFLEX_STEP * (1.0 - 0.7 * share), dice) for _ in range(REFLEXES_AT_ONCE - 1)]
        tries = [kept, *others]
        found = tried(species, made, [one for one in tries for _ in targets], np.tile(targets, (len(tries), 1)))
        values = np.minimum(found, PLACEMENT_PATIENCE).reshape(len(tries), count).mean(axis=1)
        now = float(values[0])
        if turn == 0:
            scores[0] = least = now
        first = 1 + int(values[1:].argmin())
        heat = FIRST_TEMPERATURE * (LAST_TEMPERATURE / FIRST_TEMPERATURE) ** share
        if values[first] <= now or dice.uniform() < math.exp((now - values[first]) / heat):
            kept, now = tries[first], float(values[first])
        if now < least:
            best, least = kept, now
        scores[turn + 1] = least
    return Practised(best, scores)


def _varied(reflex: Reflex, step: float, dice: np.random.Generator) -> Reflex:
    """A reflex that is a little otherwise."""
    numbers = np.array([*reflex.far, *reflex.near]) + step * dice.normal(size=8)
    far, near = np.clip(numbers, 0.1, 1.0).round(4).reshape(2, 4).tolist()
    renewal = float(np.clip(reflex.renewal * math.exp(step * dice.normal()), 0.02, 0.5))
    return Reflex(tuple(far), tuple(near), round(renewal, 4))
