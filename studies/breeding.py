"""Breeding: children of any two species swim like fishes, and so do theirs; and what evolves by a task."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from ..core.farm.engines import engine
from ..core.farm.evolution import EvolutionPlan, EvolutionRun
from ..core.farm.trials import swim
from ..core.genetics.genome import bred
from ..core.scene.species import Species
from .finding import Finding, counted, each
from .limits import SECONDS, LimitSwim, swum

GENERATIONS_BACK = 3  # of ancestors at the most
EVOLVED_GENERATIONS = 40


@dataclass(frozen=True)
class Champion:
    """The best of an evolution beside the species that it began with: score, and Strouhal number of its stroke."""

    ratio: float
    strouhal: float


def random_child(seed: int) -> Species:
    """A child of random ancestors, one to three generations back; the same for the same seed."""
    dice = np.random.default_rng(seed)
    names = [name for name in Species.names() if name != "thesis"]

    def person(row: int, above: int) -> Species:
        if not above:
            return Species.load(str(dice.choice(names)))
        mother, father = person(2 * row + 1, above - 1), person(2 * row + 2, above - 1)
        return bred(mother, father, f"fry_{row}", seed % 100_000 * 100 + row, 1.0)

    return person(0, int(dice.integers(1, GENERATIONS_BACK + 1)))


def life(seed: int) -> LimitSwim:
    """The motion of three fishes of a random child in a wide tank."""
    return swum(random_child(seed), seed, SECONDS, f"child {seed}")


def champion(task: str, seed: int) -> Champion:
    """The best sardine of an evolution by a task."""
    base, plan = Species.load("sardine"), EvolutionPlan(species="sardine", task=task, seed=seed)
    with tempfile.TemporaryDirectory() as folder:
        run = EvolutionRun(plan, base, Path(folder))
        with engine(None, None, run.common) as executor:
            found = run.run(executor, EVOLVED_GENERATIONS)
    swum = swim(found.species)
    fit = np.where(swum.sound, swum.speed * swum.likeness, 0.0)
    return Champion(found.best[-1] / found.begin, float(swum.strouhal[np.argmax(fit)]))


def findings(seeds: range = range(200)) -> Iterator[Finding]:
    """Children that swim like fish, and champions that are better by what is asked."""
    lives = each(life, seeds)
    note = "; ".join(one.what for one in lives if not one.sound)
    yield counted("a child of random ancestors swims like a fish", [one.sound for one in lives], 1.0, note)
    for task, factor in (("speed", 1.3), ("economy", 2.0)):
        best = [
            champion(task, seed) for seed in seeds[:3]
        ]  # on processes of their own, which an engine's may not start
        ratios = ", ".join(f"{one.ratio:.2f} times, Strouhal number {one.strouhal:.2f}" for one in best)
        claim = f"{EVOLVED_GENERATIONS} generations of 48 sardines are better at {task} by {factor:g}"
        yield counted(claim, [one.ratio >= factor and 0.2 <= one.strouhal <= 0.4 for one in best], 1.0, ratios)
