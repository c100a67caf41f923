"""Motor preferences of fishes that have thought."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np

from artfish.core.base.vectors import local, norm
from artfish.core.behavior.intention import EAT, ESCAPE, MATE
from artfish.core.perception.focuser import NO_FOOD, SKILL_ASCEND, SKILL_DESCEND, SKILLS, relative
from artfish.core.perception.swimmers import NO_FISH

Array = np.ndarray


def prefer(
    *,
    front: SimpleNamespace,
    rows: Array,
    fears: Array,
    hungers: Array,
    libidos: Array,
    intentions: Array,
    predators: Array,
    fishes: Array,
    mates: Array,
    foods: Array,
    threats: Array,
    noses: Array,
    middles: Array,
    frames: Array,
    morsels: Array,
    preferences: Array,
) -> None:
    """Preferences of the fishes of these rows, by how strong each desire is beside that which they follow."""
    strength, of_intention = np.stack((fears, hungers, libidos), axis=1)[rows], np.ones(len(rows))
    for column, what in enumerate((ESCAPE, EAT, MATE)):
        of_intention = np.where(intentions[rows] == what, strength[:, column], of_intention)
    tau = np.minimum(strength / np.maximum(of_intention, 1e-3)[:, None], 1.0)
    nose, none = noses[rows], np.zeros((len(rows), 3))
    at_fish, at_mate = (
        np.where((row != NO_FISH)[:, None], middles[row] - nose, none) for row in (fishes[rows], mates[rows])
    )
    predator, food = predators[rows], foods[rows]
    at_food = np.where((predator & (food == NO_FOOD))[:, None], at_fish, none)
    if len(morsels):
        at_food = np.where((food != NO_FOOD)[:, None], morsels[food] - nose, at_food)
    offset = np.stack((np.where(predator[:, None], none, at_fish), at_food, at_mate, threats), axis=1)
    value = np.concatenate((tau * (-1.0, 1.0, 1.0), -np.minimum(norm(threats), 1.0)[:, None]), axis=1)
    value *= offset.any(axis=2)
    preferences[rows] = attended(front.sine, local(frames[rows][:, None], offset), value)


def attended(front_sine: float, offset: Array, value: Array) -> Array:
    """M, (n, 6), of targets at offsets (n, k, 3), ahead, left and up, with values tau (n, k), 0 for none (§6.5.2).

    Each speaks for or against turning to its side, and to its height. An action has the mean of all that speaks for it
    plus the mean of all that speaks against it.
    """
    fish, target = np.nonzero(value)
    offset, strength = offset[fish, target], value[fish, target]
    steep = np.abs(offset[:, 2]) > front_sine * norm(offset)
    height = np.where(offset[:, 2] > 0, SKILL_ASCEND, SKILL_DESCEND)[steep]
    cell = SKILLS * np.concatenate((fish, fish[steep])) + np.concatenate((relative(offset), height))
    strength = np.concatenate((strength, strength[steep]))
    both = np.zeros(len(value) * SKILLS)
    for side in (strength > 0, strength < 0):
        number = np.bincount(cell[side], minlength=len(both))
        both += np.bincount(cell[side], strength[side], minlength=len(both)) / np.maximum(number, 1)
    return both.reshape(-1, SKILLS)
