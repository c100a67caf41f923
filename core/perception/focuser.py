"""Attention: recommendations of actions, and the one target that a fish goes for (Tu 1999, §6.5)."""

from __future__ import annotations

from functools import cache

import numpy as np
from numpy.typing import ArrayLike

from ..base.constants import constant
from ..base.elementary import arctan2, sin
from ..base.state import Stateful, state
from ..compiled import reals, record, values
from .swimmers import NO_FISH
from .tuning import (
    FRONT_ANGLE,
    MOST_DISLIKE,
    PREY_TURN_COST,
    SCHOOL_COST,
)

SKILLS = 6
SKILL_LEFT, SKILL_RIGHT, SKILL_FORWARD, SKILL_BACKWARD, SKILL_ASCEND, SKILL_DESCEND = range(SKILLS)
"""Columns of the motor preferences M, one a motor skill."""

FRONTAL = record("Frontal", **reals("angle sine"))
NO_FOOD = -1
"""Stands for the row of a morsel where there is none."""


@cache
def frontal() -> np.ndarray:
    """The angle that is ahead and its sine, as compiled functions take them."""
    return constant(values(FRONTAL, angle=FRONT_ANGLE, sine=sin(FRONT_ANGLE)))


class Focus(Stateful):
    """Output of the focuser to each fish's mind (§6.5.2): the objects of its attention, and its motor preferences.

    Attributes:
        target: Row of the fish that each is after or flees from, NO_FISH if none, (fish,).
        food: Row of the morsel that each is after, NO_FOOD if none; see `Morsels`, (fish,).
        preferences: M, one a motor skill, (fish, 6).
        food_distance: Distance to the nearest food in metres, infinite if none, (fish,).
        mate_distance: Distance to the nearest mate in metres, infinite if none, (fish,).
        fear: F of all predators that it knows of, 0 to 1, (fish,).
        most_fear: F of the most dangerous of them, 0 to 1, (fish,).
    """

    target: np.ndarray = state("i8", "fish", low=-1, high="fish", begin=NO_FISH)
    food: np.ndarray = state("i8", "fish", low=-1, high="morsel", begin=NO_FOOD)
    preferences: np.ndarray = state("f8", "fish", SKILLS)
    food_distance: np.ndarray = state("f8", "fish", unit="m", unset=np.inf, key="_food")
    mate_distance: np.ndarray = state("f8", "fish", unit="m", unset=np.inf, key="_mate")
    fear: np.ndarray = state("f8", "fish", key="_fear")
    most_fear: np.ndarray = state("f8", "fish", key="_worst")

    def __init__(self, fishes: int):
        """Begins with nothing in mind."""
        self._fill(fish=fishes)


def relative(offset_local: np.ndarray) -> np.ndarray:
    """RelPos of §6.5.3: the side of a fish that a target is on.

    Args:
        offset_local: Vector from the fish to the target in the fish's own frame, ahead, left, up, (..., 3).

    Returns:
        SKILL_FORWARD within 30 degrees of ahead as seen from above, our number; else SKILL_LEFT or SKILL_RIGHT, also
        where it is behind, SKILL_RIGHT where it is straight behind; (...).
    """
    ahead, left = offset_local[..., 0], offset_local[..., 1]
    front = np.abs(arctan2(left, ahead)) <= FRONT_ANGLE
    return np.where(front, SKILL_FORWARD, np.where(left > 0, SKILL_LEFT, SKILL_RIGHT))


def compromised(angle: ArrayLike, dislike: ArrayLike) -> np.ndarray:
    """A turn that is made although something speaks against it: min(1, 1.5 - tau) of its angle (§6.5.3).

    Minds turn so wherever they do not have to get round obstacles; there, every way has been weighed already.

    Args:
        angle: The turn that was meant, beta, in radians, (...).
        dislike: tau, the preference for this turn with its sign reversed, -M, at most 1; 0 and less, a turn that is
            liked, changes nothing, (...).
    """
    return np.minimum(1.0, MOST_DISLIKE - np.asarray(dislike)) * np.asarray(angle)


def persist(current_distance: ArrayLike, new_distance: ArrayLike, threshold: ArrayLike) -> np.ndarray:
    """True where a fish stays with its target although another is nearer, by no more than a threshold (§7.7.3).

    Args:
        current_distance: Metres to the target, infinite once it is lost, (...).
        new_distance: Metres to the other, infinite if there is none, (...).
        threshold: Metres; near 0 for a fickle fish, large for a devoted one, (...).
    """
    return np.asarray(current_distance) <= np.asarray(new_distance) + np.asarray(threshold)


def prey_cost(
    distance: ArrayLike,
    in_school: ArrayLike,
    angle: ArrayLike,
    school_cost: float = SCHOOL_COST,
    turn_cost: float = PREY_TURN_COST,
) -> np.ndarray:
    """Cost to a predator of reaching a prey, C = d (1 + beta_1 S + beta_2 E / pi) (§7.9.1).

    Args:
        distance: d, from the mouth to the middle of the prey in metres, (...).
        in_school: S, true where the prey is in a school, (...).
        angle: E, between the predator's course and the prey in its plane, 0 to pi radians, (...).
        school_cost: beta_1.
        turn_cost: beta_2.

    Returns:
        Metres, (...).
    """
    return np.asarray(distance) * (1.0 + school_cost * np.asarray(in_school) + turn_cost * np.asarray(angle) / np.pi)
