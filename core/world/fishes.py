"""The fishes of a scene as arrays: their species, lengths and rates, one row a fish."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ..base.dice import Dice
from ..behavior.character import FEMALE
from ..motor.learned import expected, taught
from ..scene.scene import Scene
from ..scene.species import Species


@dataclass(frozen=True, eq=False)
class Fishes:
    """The fishes of a scene as arrays.

    Attributes:
        models: The species that occur.
        own: Row of each fish's species, (fish,).
        kind: Row of the species that it is of to others, (fish,): of one born in a world, the stock it comes of.
        movers: The species that occur, once for each controller that moves fishes of theirs.
        mover: Row of each fish's among those, (fish,).
        length: Metres, (fish,).
        full: Metres when it is fully grown, (fish,).
        growth: Over that of its kind and group, (fish,).
        tempo: Rate of its beats and strokes over that of others of its length and kind, (fish,).
        numbers: A number for each that stays its own when another group grows, (fish,).
    """

    models: list[Species]
    own: np.ndarray
    kind: np.ndarray
    movers: list[Species]
    mover: np.ndarray
    length: np.ndarray
    full: np.ndarray
    growth: np.ndarray
    tempo: np.ndarray
    numbers: np.ndarray

    @classmethod
    def of(cls, scene: Scene, models: Mapping[str, Species]) -> Fishes:
        """The fishes of a scene, each as long as its group says, where these are the species by name."""
        names = list(models)
        species = [group.species for group in scene.fishes for _ in range(group.count)]
        own = np.array([names.index(name) for name in species], dtype=int)
        stocks = np.array([names.index(stock_of(model) or name) for name, model in models.items()], dtype=int)
        length = of_groups(scene, "size") * np.array([models[name].length for name in species])
        movers, mover = _movers(scene, models)
        alike, kind = np.ones(len(own)), stocks[own] if len(own) else own
        every = list(models.values()), own, kind, movers, mover, length, length, alike, alike
        return cls(*every, numbers_of(scene))

    def grown(self, scene: Scene, sexes: np.ndarray, dice: Dice, share: np.ndarray | float = 1.0) -> Fishes:
        """The same, each as long as it has grown, and as quick.

        Args:
            scene: Theirs.
            sexes: Rows of SEXES, (fish,); where sexes are mixed, females are as large as their species has them.
            dice: A stream for each fish, by which those of a species differ.
            share: Of its full length that each has by now, (fish,).
        """
        everyone, variety = np.arange(len(self.kind)), of_groups(scene, "variety")

        def various(name: str) -> np.ndarray:
            middling = dice.uniform(everyone) + dice.uniform(everyone) - 1.0  # most are about as their species is
            return 1.0 + variety * np.array([getattr(model, name) for model in self.models])[self.own] * middling

        growth, tempo = various("size_variety"), various("gait_variety")
        mixed = np.array([group.sex == "mixed" for group in scene.fishes for _ in range(group.count)], dtype=bool)
        factor = np.array([model.female_size for model in self.models])[self.own]
        full = np.where(mixed & (sexes == FEMALE), factor, 1.0) * self.length * growth
        return replace(self, length=full * share, full=full, growth=growth * share, tempo=tempo)

    @property
    def size(self) -> np.ndarray:
        """Length of each over that of its species, (fish,)."""
        return self.length / np.array([model.length for model in self.models])[self.own]

    @property
    def oaring(self) -> np.ndarray:
        """The share of oaring in each fish's visible fin strokes, the rest flapping, (fish,)."""
        return np.array([model.pectoral.oaring for model in self.models])[self.own]

    @property
    def wing(self) -> np.ndarray:
        """The share in which each fish's fins are held still, (fish,)."""
        return np.array([model.pectoral.wing for model in self.models])[self.own]

    @property
    def rhythm(self) -> list[np.ndarray]:
        """Beats a second at full speed, and the shares of beats and contractions left at the slowest, (fish,) each."""
        names, rhythms = ("tail_beat", "slow_beat", "slow_amplitude"), [expected(model) for model in self.movers]
        beat, *shares = (np.array([getattr(rhythm, name) for rhythm in rhythms])[self.mover] for name in names)
        return [beat / self.slowness, *shares]

    @property
    def slowness(self) -> np.ndarray:
        """Factor on the time that a beat of each takes, (fish,): a fish longer than its kind beats more slowly."""
        return np.sqrt(self.growth) / self.tempo

    def dice(self, seed: int, purpose: int) -> Dice:
        """A stream for each fish."""
        return Dice(seed, self.numbers, purpose)


def stock_of(species: Species) -> str:
    """The name of the stock that a species born in a world is of; "" for any other."""
    return "" if species.ancestry is None else species.ancestry.stock


def numbers_of(scene: Scene) -> np.ndarray:
    """A number for each fish of a scene that stays its own when another group grows, (fish,)."""
    groups = enumerate(scene.fishes)
    return np.array(
        [(group.seed << 40) + (row << 20) + own for row, group in groups for own in range(group.count)], dtype=int
    )


def _movers(scene: Scene, models: Mapping[str, Species]) -> tuple[list[Species], np.ndarray]:
    """The species of a scene, then those that learned a controller of its groups, and the row of each fish's, (fish,).

    To the minds of others a fish is of its species, whatever moves it.
    """
    plain = {group.species for group in scene.fishes if group.controller is None}
    movers, rows = [model for name, model in models.items() if name in plain], []
    for group in scene.fishes:
        model = models[group.species]
        mover = model if group.controller is None else taught(model, group.controller)
        if mover not in movers:
            movers.append(mover)
        rows += [movers.index(mover)] * group.count
    return movers, np.array(rows, dtype=int)


def of_groups(scene: Scene, name: str) -> np.ndarray:
    """A number that the group of each fish has by a name, (fish,)."""
    return np.array([getattr(group, name) for group in scene.fishes for _ in range(group.count)], dtype=float)


def of_each(scene: Scene, models: Mapping[str, Species], name: str) -> list[Any]:
    """The attribute of each fish's group by a name, or of its species if the group leaves it out, (fish,)."""
    return [
        getattr(group, name) or getattr(models[group.species], name)
        for group in scene.fishes
        for _ in range(group.count)
    ]
