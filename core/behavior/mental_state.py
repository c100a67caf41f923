"""Hunger, libido and fear: how much a fish wants food, a mate and safety (Tu 1999, §7.4).

The book leaves its units open. Here time and distance are in book units, whose length in seconds and metres is among
each fish's traits.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from ..base.state import Stateful, state
from ..base.sums import total
from .mood import FEAR, HUNGER, LIBIDO, Mood

_TRAITS = (
    *("p0", "p1", "appetite", "alpha_h", "alpha_l", "q1_h", "q2_h", "q1_l", "q2_l"),
    *("book_metres", "book_seconds"),
)


def stimulus(distance: ArrayLike, q1: ArrayLike, q2: ArrayLike) -> np.ndarray:
    """Strength of the stimulus of the nearest food or mate, S(s) with s = 1 / distance (Tu 1999, §7.4, Fig. 7.3).

    Args:
        distance: Book lengths, 0 or more, infinite where there is none, (...).
        q1: Strength s up to which nothing is felt, (...).
        q2: Strength s from which on all is felt, q1 or more, (...).

    Returns:
        0 to 1, (...).
    """
    s, q1, q2 = 1 / np.maximum(distance, 1e-300), np.asarray(q1), np.asarray(q2)
    between = np.clip(s, q1, q2)
    rise = (between - q1) / np.maximum((q2 - q1) + (q2 - between), 1e-300)
    return np.where(s > q2, 1.0, rise)


def fear(distance: np.ndarray, seen: np.ndarray, D0: ArrayLike) -> tuple[np.ndarray, np.ndarray]:
    """The fear of each predator and of all of them, F_i and F (Tu 1999, §7.4).

    Args:
        distance: Of n fishes from k predators in book lengths, 0 or more, (n, k).
        seen: Mask of those that they see, (n, k) bool.
        D0: Distance at which one predator causes all the fear that is possible, in book lengths, one number or (n,).

    Returns:
        Fear of each predator, 0 where it is not seen, (n, k), and in total, (n,), both 0 to 1.
    """
    nearness = np.minimum(np.asarray(D0)[..., None] / np.maximum(distance, 1e-300), 1.0)
    each = np.where(seen, nearness, 0.0)
    return each, np.minimum(total(each, axis=1), 1.0)


class MentalState(Stateful):
    """Desires of all fishes: hunger, libido and fear.

    Attributes:
        hunger: Desire to eat, 0 to 1, (fish,).
        libido: Desire to mate, 0 to 1, (fish,).
        fear: Desire to get away from predators, 0 to 1, (fish,).
        eaten: Units of food taken and not yet wholly digested, n_e, (fish,).
        since_meal: Book time since the last meal, (fish,).
        since_mating: Book time since the last mating, (fish,).
        mood: Feelings beside all that.
        pace: How much faster than the world's time hunger and libido come back.
    """

    hunger: np.ndarray = state("f8", "fish", low=0, high=1, recorded="hunger")
    libido: np.ndarray = state("f8", "fish", low=0, high=1, recorded="libido")
    fear: np.ndarray = state("f8", "fish", low=0, high=1, recorded="fear")
    eaten: np.ndarray = state("f8", "fish")
    since_meal: np.ndarray = state("f8", "fish")
    since_mating: np.ndarray = state("f8", "fish")

    def __init__(self, traits: np.ndarray, hunger: ArrayLike, libido: ArrayLike, ripeness: ArrayLike = 0.0):
        """Begins as if each fish had just had the meal, and had mated so long ago, that it is now in this state.

        Libido waits behind hunger: a fish of hunger 1 has none until it has eaten, and then the one given here.

        Args:
            traits: (fish,) with the fields p0, p1, appetite, alpha_h, alpha_l, q1_h, q2_h, q1_l, q2_l,
                book_metres and book_seconds; appetite and the two units greater than 0.
            hunger: Without food in sight, 0 to 1, (fish,).
            libido: Without a mate in sight, 0 to 1, (fish,); stays 0 where p1 is 0.
            ripeness: Libido that each would have beyond that if it were sated: its last mating is so long ago, (fish,).
        """
        self.pace = 1.0
        self._traits = {name: np.ascontiguousarray(traits[name]) for name in _TRAITS}
        fishes = len(traits)
        self.mood = Mood(fishes)
        sated = 1 - np.broadcast_to(np.asarray(hunger, dtype=float), fishes)
        growth = traits["p1"] * np.where(sated > 0, sated, 1.0)
        self._fill(fish=fishes)
        self.eaten[:] = sated * traits["appetite"]
        since = np.divide(libido, np.where(growth > 0, growth, 1.0))
        since += np.divide(ripeness, np.where(growth > 0, traits["p1"], 1.0))
        self.since_mating[:] = np.where(growth > 0, since, 0.0)
        self._begun = self.eaten.copy(), self.since_mating.copy()
        self.feel(np.inf, np.inf, 0.0)

    def begin(self, fishes: np.ndarray) -> None:
        """Puts these fishes (n,) in the state in which all began."""
        self.eaten[fishes], self.since_mating[fishes] = (of[fishes] for of in self._begun)
        self.since_meal[fishes] = 0.0

    def advance(self, dt_seconds: float) -> None:
        """Lets time pass and food be digested."""
        dt = self.pace * dt_seconds / self._traits["book_seconds"]
        self.since_meal += dt
        self.since_mating += dt
        self.eaten[self._digestion() <= 0] = 0.0
        self.mood.advance(dt_seconds)

    def fed(self, fishes: np.ndarray, amount: ArrayLike) -> None:
        """Notes a meal.

        Args:
            fishes: Rows of those that have eaten, (n,); a row may occur more than once.
            amount: Units of food, one number or (n,); 0 is no meal.
        """
        amount = np.broadcast_to(np.asarray(amount, dtype=float), np.shape(fishes))
        np.add.at(self.eaten, fishes, amount)
        self.since_meal[np.asarray(fishes)[amount > 0]] = 0.0

    def mated(self, fishes: np.ndarray) -> None:
        """Notes that the fishes of these rows have mated, (n,)."""
        self.since_mating[fishes] = 0.0
        self.mood.offset[fishes, LIBIDO] = 0.0

    def set(
        self,
        fishes: np.ndarray,
        wishes: tuple[float | None, float | None, float | None],
        felt: tuple[np.ndarray, np.ndarray, np.ndarray],
    ) -> None:
        """Makes some fishes hungry, amorous or afraid, or the opposite.

        They are put in the state that results from a last meal and mating such that they feel so now, and go on from
        there. What no such state can account for is a mood, which fades.

        Args:
            fishes: Rows, (n,).
            wishes: Hunger, libido and fear, 0 to 1; None leaves one as it is.
            felt: The latest arguments of `feel`.
        """
        of, mood, (food_distance, mate_distance, fear_total) = self._traits, self.mood, felt
        hunger, libido, fear = wishes
        food, mate = self._stimuli(food_distance, mate_distance)
        if hunger is not None:
            full = (1 - (hunger - of["alpha_h"] * food)) * of["appetite"]
            self.eaten[fishes], self.since_meal[fishes] = np.maximum(full, 0.0)[fishes], 0.0
            mood.offset[fishes, HUNGER] = 0.0
        self.feel(*felt)
        if libido is not None:
            growth = np.maximum(of["p1"] * (1 - self.hunger), 1e-9)
            most = np.divide(1.0, of["p1"], out=np.zeros(len(self.eaten)), where=of["p1"] > 0)
            since = np.clip((libido - of["alpha_l"] * mate) / growth, 0.0, most)
            self.since_mating[fishes] = since[fishes]
            mood.offset[fishes, LIBIDO] = 0.0
            self.feel(*felt)
            mood.offset[fishes, LIBIDO] = (libido - self.libido)[fishes]
        if fear is not None:
            mood.offset[fishes, FEAR] = (fear - np.broadcast_to(fear_total, len(self.eaten)))[fishes]
            mood.threat[fishes] = np.nan
        self.feel(*felt)

    def feel_keys(self) -> np.ndarray:
        """Sets hunger, libido and fear to their keyed values, and returns the mask of these, (fish, 3) bool."""
        keyed = ~np.isnan(self.mood.keyed)
        for which, value in ((HUNGER, self.hunger), (LIBIDO, self.libido), (FEAR, self.fear)):
            value[keyed[:, which]] = self.mood.keyed[keyed[:, which], which]
        return keyed

    def feel(self, food_distance_m: ArrayLike, mate_distance_m: ArrayLike, fear_total: ArrayLike) -> None:
        """Sets hunger, libido and fear to what is felt now (Tu 1999, §7.4).

        Args:
            food_distance_m: To the nearest food in metres, infinite without any, (fish,).
            mate_distance_m: To the nearest mate in metres, infinite without any, (fish,).
            fear_total: F as `fear` gives it, (fish,).
        """
        of, mood = self._traits, self.mood
        food, mate = self._stimuli(food_distance_m, mate_distance_m)
        # The sum stays at 0 or above, not its first term: only so is a fish that has eaten twice its appetite at H = 0
        # beside the nearest food, as the book has it.
        urge = 1 - self.eaten * self._digestion() / of["appetite"]
        self.hunger = mood.felt(HUNGER, np.clip(urge + of["alpha_h"] * food, 0.0, 1.0))
        urge = of["p1"] * self.since_mating * (1 - self.hunger)
        self.libido = mood.felt(LIBIDO, np.minimum(urge + of["alpha_l"] * mate, 1.0))
        self.fear = mood.felt(FEAR, np.array(np.broadcast_to(fear_total, len(self.eaten)), dtype=float))

    def _stimuli(self, food_distance: ArrayLike, mate_distance: ArrayLike) -> tuple[np.ndarray, np.ndarray]:
        """Strengths of the stimuli of food and mates at these distances in metres, (fish,) each."""
        of = self._traits
        return (
            stimulus(np.divide(food_distance, of["book_metres"]), of["q1_h"], of["q2_h"]),
            stimulus(np.divide(mate_distance, of["book_metres"]), of["q1_l"], of["q2_l"]),
        )

    def _digestion(self) -> np.ndarray:
        """r(dt_H), the share of the meals that is not yet digested, (fish,)."""
        return np.maximum(1 - self._traits["p0"] * self.since_meal, 0.0)
