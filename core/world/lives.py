"""Lives: how old fishes are, how far they have grown, how long they fast, whose children they are, and what is laid.

Growth follows von Bertalanffy (1938; Beverton and Holt 1957): L(a) = L_full (1 - (1 - b) exp(-a / T)), where b is the
share of its full length at which a fish hatches, T the time in which 63 % of the rest is grown, and a the time for
which it has grown. That goes on as fast as its life where it is fed, and slows down to nothing as it starves.

Every fish that may ever be born has its row from the beginning, after those of the scene. Until then it waits, as one
does that enters later: it is neither seen nor moved.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from ..base.codec import SceneError
from ..base.dice import Dice
from ..base.elementary import exp
from ..base.state import Stateful, state
from ..events import DEATHS
from ..genetics.genome import bred
from ..habitat.tuning import LAYINGS
from ..perception.swimmers import NO_FISH
from ..scene.breeding import LONGEST_LIFE
from ..scene.fishes import FishGroup
from ..scene.limits import LATEST
from ..scene.scene import Scene
from ..scene.species import Species
from .fishes import numbers_of
from .tuning import FULLY_GROWN, GROWTH_STEP, OLDEST_AT_FIRST, YOUNGEST_AT_FIRST

Event = dict[str, Any]
AGE, HUNGER, TEETH = DEATHS
LUCK_DICE, GAMETE_DICE, WILD_DICE = (7 << 32) + 1, (7 << 32) + 2, (7 << 32) + 3
"""Purposes of dice."""
BORN_NUMBER = 1 << 60
"""Number of the first that is born; the fishes of a scene have lower ones."""
UNBORN = -1
"""Group of a fish that has not hatched."""
MEALS = "fed", "browsed", "eaten"
"""Events that are meals of their fish."""


class Lives(Stateful):
    """The lives of all fishes, in seconds of their lives where nothing else is said.

    Attributes:
        scene: The scene as it was written.
        founders: Number of its fishes, whose rows come first.
        mortal: Fishes that live so, all that may ever court, (fish,) bool.
        age: Time since each hatched, (fish,).
        grown: Time for which it has grown, (fish,).
        fasting: Time since its last meal, (fish,).
        share: Length that it shows, over its full length, (fish,): that of the law, in small steps.
        born: Whether it has hatched, or was there, (fish,) bool.
        group: Group of the scene that it belongs to, its mother's; UNBORN before it hatches, (fish,).
        mother, father: Rows of its parents, NO_FISH for those of the scene, (fish,) each.
        place: The place where it hatched in metres, (fish, 3).
        birth: When that was in seconds of the film, (fish,).
        clutch_mother, clutch_father: Rows of the parents of each laying's eggs, NO_FISH without, (laying,) each.
        clutch_left: Time until these hatch, (laying,).
        fresh: Rows of those that have hatched just now, (n,), until the world has made them.
    """

    age: np.ndarray = state("f8", "fish", unit="s", low=0, high=10 * LONGEST_LIFE)
    grown: np.ndarray = state("f8", "fish", unit="s", low=0)
    fasting: np.ndarray = state("f8", "fish", unit="s", low=0, high=10 * LONGEST_LIFE)
    share: np.ndarray = state("f8", "fish", low=0, high=1, begin=1)
    born: np.ndarray = state("?", "fish")
    group: np.ndarray = state("i8", "fish", low=UNBORN, high="fish", begin=UNBORN)
    mother: np.ndarray = state("i8", "fish", low=NO_FISH, high="fish", begin=NO_FISH)
    father: np.ndarray = state("i8", "fish", low=NO_FISH, high="fish", begin=NO_FISH)
    place: np.ndarray = state("f8", "fish", 3, unit="m")
    birth: np.ndarray = state("f8", "fish", unit="s")
    clutch_mother: np.ndarray = state("i8", "laying", low=NO_FISH, high="fish", begin=NO_FISH)
    clutch_father: np.ndarray = state("i8", "laying", low=NO_FISH, high="fish", begin=NO_FISH)
    clutch_left: np.ndarray = state("f8", "laying", unit="s")

    def __init__(self, scene: Scene, seed: int, lived: Mapping[str, np.ndarray] | None = None):
        """Begins with the fishes of a scene, fully grown and of various ages, and nothing laid.

        Args:
            scene: A scene with breeding.
            seed: Seed of the world.
            lived: State of lives so far, from which to go on; from the beginning if left out.

        Raises:
            ValueError: The state is of other fishes.
        """
        assert scene.breeding is not None
        self.scene, self.breeding, self.founders = scene, scene.breeding, scene.count
        fishes = self.founders + self.breeding.born
        self._fill(fish=fishes, laying=LAYINGS)
        numbers = np.concatenate((numbers_of(scene), BORN_NUMBER + np.arange(self.breeding.born)))
        luck = Dice(seed, numbers, LUCK_DICE).shares(np.arange(fishes), np.zeros(fishes, dtype=int), 3)
        self._gametes, self._wilds = (Dice(seed, numbers, of).keys for of in (GAMETE_DICE, WILD_DICE))
        various = 1.0 + self.breeding.variety * (2.0 * luck[:, :2] - 1.0)
        self._span, self._patience = self.breeding.lifespan * various[:, 0], self.breeding.starvation * various[:, 1]
        self.mortal, self.fresh = np.ones(fishes, dtype=bool), np.zeros(0, dtype=int)
        first = np.arange(fishes) < self.founders
        self.born[:], self.grown[first] = first, FULLY_GROWN * self.breeding.growing
        self.age[first] = ((YOUNGEST_AT_FIRST + (OLDEST_AT_FIRST - YOUNGEST_AT_FIRST) * luck[:, 2]) * self._span)[first]
        counts = [group.count for group in scene.fishes]
        self.group[first] = np.repeat(np.arange(len(counts)), counts)
        if lived is not None:
            self.restore(dict(lived))

    @property
    def adult(self) -> np.ndarray:
        """Mask of the fishes that are grown enough to court, (fish,) bool."""
        return self.born & (self.share >= self.breeding.maturity)

    @property
    def haste(self) -> float:
        """Factor by which the youngest beat their tails more quickly than when they are grown, by their length."""
        return float(np.sqrt(1.0 / self.breeding.fry))

    @property
    def hatched(self) -> int:
        """Number of the fishes that were born so far."""
        return int(np.count_nonzero(self.born)) - self.founders

    def law(self, grown: np.ndarray) -> np.ndarray:
        """Length over full length of fishes that have grown for these times, (n,), by von Bertalanffy's law."""
        return 1.0 - (1.0 - self.breeding.fry) * exp(-grown / self.breeding.growing)

    def name_of(self, row: int) -> str:
        """The name of the species that a fish is of."""
        stock = self.scene.fishes[max(int(self.group[row]), 0)].species
        return stock if row < self.founders else f"{stock}_born_{row - self.founders + 1}"

    def peopled(self, scene: Scene | None = None) -> Scene:
        """A scene with a group for each fish that was born, and one for each that is not yet, which never enters.

        Args:
            scene: The scene; that of these lives if left out.
        """
        made = scene or self.scene
        unborn = _alone(made.fishes[0], made.fishes[0].species, made.fishes[0].at, LATEST)
        rows = range(self.founders, len(self.born))
        groups = [self._child(row) if self.born[row] else unborn for row in rows]
        made = made.with_fishes((*made.fishes, *groups))
        object.__setattr__(made, "breeding", None)
        return made

    def pass_by(self, seconds: float, alive: np.ndarray, events: list[Event]) -> list[Event]:
        """Lets lives pass on; those that die, by name of the cause.

        Args:
            seconds: Of the film.
            alive: Fishes that are there, (fish,) bool.
            events: What has happened meanwhile, by which they are fed, or eaten.

        Returns:
            Events of those that died; those that were eaten are among them.
        """
        time, lives = self.breeding.pace * seconds, alive & self.mortal
        starved = np.minimum(self.fasting / self._patience, 1.0)
        self.age += np.where(lives, time, 0.0)
        self.grown += np.where(lives, time * (1.0 - starved), 0.0)
        np.minimum(self.grown, FULLY_GROWN * self.breeding.growing, out=self.grown)
        self.fasting += np.where(lives, time, 0.0)
        self.fasting[[event["fish"] for event in events if event["kind"] in MEALS]] = 0.0
        self.clutch_left -= np.where(self.clutch_mother >= 0, time, 0.0)
        dead = [(event["other"], TEETH) for event in events if event["kind"] == "eaten"]
        hungry = lives & (self.fasting > self._patience)
        dead += [(row, HUNGER) for row in np.flatnonzero(hungry).tolist()]
        dead += [(row, AGE) for row in np.flatnonzero(lives & ~hungry & (self.age > self._span)).tolist()]
        return [{"kind": "died", "fish": row, "other": NO_FISH, "cause": cause} for row, cause in dead]

    def grow(self, alive: np.ndarray) -> bool:
        """Shows by how much fishes have grown, in steps that are worth it; returns whether any has."""
        share = self.law(self.grown)
        steps = alive & self.mortal & (share - self.share > GROWTH_STEP)
        self.share[steps] = share[steps]
        return bool(steps.any())

    def laid(self, laying: int, mother: int, father: int) -> None:
        """Notes that the eggs of a laying are of these parents."""
        self.clutch_mother[laying], self.clutch_father[laying] = mother, father
        self.clutch_left[laying] = self.breeding.hatching

    def room(self, alive: np.ndarray) -> int:
        """Number of fishes that may hatch by now, where these are there, (fish,) bool."""
        living = int(np.count_nonzero(alive & self.mortal))
        return max(min(self.breeding.population - living, len(self.born) - self.founders - self.hatched), 0)

    def bear(
        self, laying: int, places: np.ndarray, t: float, models: Mapping[str, Species]
    ) -> tuple[list[Event], dict[str, Species]]:
        """Has as many of a laying's eggs hatch as there are places; it is then over.

        Args:
            laying: The laying.
            places: Places of these in metres, (n, 3).
            t: Seconds of the film.
            models: The species by name, those of the parents among them.

        Returns:
            Events, and the species of the children by name.
        """
        mother, father = int(self.clutch_mother[laying]), int(self.clutch_father[laying])
        self.clutch_mother[laying] = self.clutch_father[laying] = NO_FISH
        events: list[Event] = []
        children: dict[str, Species] = {}
        for place in places:
            row = self.founders + self.hatched
            self.group[row], self.mother[row], self.father[row] = self.group[mother], mother, father
            self.age[row], self.grown[row], self.fasting[row], self.share[row] = 0.0, 0.0, 0.0, self.breeding.fry
            self.birth[row], self.place[row] = max(t, 0.0), place
            wilds = int(self._wilds[mother] >> np.uint64(32)), int(self._wilds[father] >> np.uint64(32))
            seed, stock = int(self._gametes[row] >> np.uint64(33)), self.scene.fishes[self.group[mother]].species
            hers, his = models[self.name_of(mother)], models[self.name_of(father)]
            try:
                child = bred(hers, his, self.name_of(row), seed, self.breeding.mutation, wilds, stock)
            except SceneError:  # no throw of their gametes makes a fish that can live
                self.group[row], self.mother[row], self.father[row] = UNBORN, NO_FISH, NO_FISH
                continue
            self.born[row], children[child.name] = True, child
            self.fresh = np.append(self.fresh, row)
            events.append({"kind": "hatched", "fish": row, "other": mother, "father": father})
        return events, children

    def _child(self, row: int) -> FishGroup:
        """The group of a fish that was born: its mother's, but for its name, its sex, its place and its birth."""
        group, at = self.scene.fishes[self.group[row]], tuple(self.place[row].tolist())
        return _alone(group, self.name_of(row), at, float(self.birth[row]))


def _alone(group: FishGroup, species: str, at: tuple, enters: float) -> FishGroup:
    """A group of one fish of a species that comes to a place at a time, and else is as another group says."""
    own: dict[str, Any] = {"species": species, "at": at, "enters": enters, "count": 1, "spread": 0.0, "heading": None}
    return replace(group, **own, sex="mixed", leader=False, members=(), size=group.size)
