"""Evolution: a population of a species that breeds by how well its bodies do at a task, generation by generation.

A generation is a few jobs, each of a brood whose bodies are tried; who may breed, and their gametes, are thrown here,
so that the same plan gives the same fishes to the bit whatever runs the jobs. What surrounds a fish is no gene of this
evolution: neither its length nor the water, or else the fastest fish would be that in the thinnest water.

Where fishes live with their minds, luck is most of one life. So each generation lives in other worlds; of the last,
the best few live on in more of them, and the best of these is judged beside the species in worlds that chose nobody.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any
from zlib import crc32

import numpy as np

from ..base.codec import SceneError, encode
from ..base.dice import Dice
from ..base.files import write_json, writing
from ..base.sums import total
from ..genetics.clothing import clothed
from ..genetics.genes import gene_map
from ..genetics.genome import differing, gametes, pure
from ..scene.physique import Body
from ..scene.scene import Scene
from ..scene.species import Species
from .evolution_plan import EvolutionPlan
from .jobs import FarmJob, digest_of
from .life_trials import LifeTrial
from .running import JobProgress, result_of, run
from .trials import score
from .tuning import (
    BROOD,
    CHAMPIONS,
    FINAL_LIVES,
    FINALISTS,
    LEAST_BROODS,
    PARENT_SHARE,
    THROWS_FOR_A_LEGAL_CHILD,
)

BROOD_CALL = "artfish.core.farm.evolution:try_brood"
GENERATIONS_TABLE, EVOLUTION_SUMMARY = "evolution.csv", "evolution.json"


@dataclass(frozen=True, eq=False)
class Generation:
    """One generation.

    Attributes:
        numbers: Both copies of every number, (fish, 2, number), as `GeneMap.numbers` has them.
        scores: How well each did, (fish,), as `trials.score` has it.
    """

    numbers: np.ndarray
    scores: np.ndarray

    @property
    def order(self) -> np.ndarray:
        """Rows from the best on, (fish,)."""
        return np.argsort(-self.scores, kind="stable")


@dataclass(eq=False)
class Evolved:
    """The outcome of an evolution.

    Attributes:
        species: The best fish, as a species that its file can hold.
        begin: Score of the species that it began with.
        end: Score of the best fish.
        best: Best score of each generation.
        middle: Median score of each generation.
        tried: Bodies, or lives, that were tried.
    """

    species: Species
    begin: float = 0.0
    end: float = 0.0
    best: list[float] = field(default_factory=list)
    middle: list[float] = field(default_factory=list)
    tried: int = 0

    def text(self, plan: EvolutionPlan) -> str:
        """The outcome in a line."""
        what = {"speed": "lengths/s", "economy": "kg m/J", "turning": "rad/s", "escape": "lengths in a second"}
        unit, many = ("of 1", "lives") if plan.lived else (what[plan.task], "bodies")
        better = f", {self.end / self.begin:.2f} times as good" if self.begin > 0.0 else ""
        return f"{self.end:.4g} {unit}, {self.begin:.4g} before{better}; {self.tried} {many} were tried"

    def table(self) -> list[list[str]]:
        """Rows of the table, generation by generation, below a head."""
        rows = zip(self.best, self.middle, strict=True)
        found = [[str(row), f"{best:.6g}", f"{middle:.6g}"] for row, (best, middle) in enumerate(rows)]
        return [["generation", "best", "median"], *found]


class EvolutionRun:
    """The breeding of a population by a plan."""

    def __init__(
        self,
        plan: EvolutionPlan,
        base: Species,
        folder: Path,
        predator: Species | None = None,
        scene: Scene | None = None,
    ):
        """Prepares.

        Args:
            plan: The plan.
            base: The species that it begins with.
            folder: Folder of the results; what is there already is not done again.
            predator: The plan's, where it names one.
            scene: The plan's, where it names one.

        Raises:
            SceneError: The species cannot do the task.
        """
        self.plan, self.base, self.folder = plan, base, folder
        self.keys = plan.varied
        self.trial = LifeTrial(plan.task, plan.seconds, predator, plan.behind, scene) if plan.lived else None
        if self.trial is not None:
            self.trial.refuse(base)
        self.at = plan.at or (0.75 * score(base, "speed") if plan.task == "economy" else 0.0)

    @cached_property
    def free(self) -> np.ndarray:
        """Numbers that vary, (number,) bool."""
        return np.array([gene_map().order[row].key in self.keys for row in gene_map().of_number])

    @cached_property
    def usual(self) -> np.ndarray:
        """The numbers of the species that it begins with, (number,)."""
        return pure(self.base).mother.numbers

    @cached_property
    def common(self) -> dict[str, Any]:
        """The data that all jobs have in common, by its digest."""
        data = {"species": self.base.to_dict(), "task": self.plan.task, "at": self.at, "keys": list(self.keys)}
        if self.trial is not None:
            data["trial"] = self.trial.to_dict()
        return {digest_of(data): data}

    def run(
        self, executor: Executor, generations: int, progress: Callable[[float, str], None] | None = None
    ) -> Evolved:
        """Breeds for some generations, the first of which are wild fishes of the species.

        Raises:
            SceneError: Jobs failed twice, or the folder cannot be written.
        """
        found, numbers, counted = Evolved(self.base), self._founders(), self.plan.lives if self.trial else 1
        given = executor, generations + 2 * (self.trial is not None), progress
        for step in range(generations):
            now = Generation(numbers, self._scores(numbers, step, counted, *given))
            found.best.append(float(now.scores.max()))
            found.middle.append(float(np.median(now.scores)))
            found.tried += counted * len(numbers)
            if step + 1 < generations:
                numbers = self._bred(now, step + 1)
        best = now.numbers[now.order[0]]
        if self.trial is None:
            found.begin, found.end = score(self.base, self.plan.task, self.at), found.best[-1]
        else:
            finalists, lives = now.numbers[now.order[:FINALISTS]], FINAL_LIVES * counted
            best = finalists[int(np.argmax(self._scores(finalists, generations, lives, *given)))]
            judged = np.stack([np.stack([self.usual] * 2), best])
            found.begin, found.end = map(float, self._scores(judged, generations + 1, lives, *given))
            found.tried += lives * (len(finalists) + 2)
        found.species = self.named(best)
        return found

    def named(self, numbers: np.ndarray) -> Species:
        """The species that two copies of numbers make, (2, number), its surfaces shaped as its body is."""
        name = self.plan.name or f"{self.base.name}_of_{self.plan.task}"
        return clothed(self.base, self._made(self._seen(numbers))).as_bred(name)

    def _founders(self) -> np.ndarray:
        count = self.plan.population
        seeds = self._seeds(0, count)
        off = np.where(self.free, differing(np.repeat(self.usual[None], count, axis=0), seeds), 0.0)
        # Gametes of wild fishes: every founder differs, but the first is the species as it is.
        wild = np.stack([self.usual + off, self.usual - off], axis=1)
        numbers = self._children(wild, np.arange(count), np.roll(np.arange(count), 1), seeds)
        numbers[0] = self.usual
        return numbers

    def _bred(self, now: Generation, step: int) -> np.ndarray:
        """The next generation: the best as they are, and children of the better of two, thrown among the best."""
        count, order = self.plan.population, now.order
        parents = order[: max(2, int(np.ceil(PARENT_SHARE * count)))]
        dice = Dice(self.plan.seed, np.arange(4 * count), step)
        drawn = np.minimum(dice.uniform(np.arange(4 * count)) * len(parents), len(parents) - 1).astype(int)
        mothers, fathers = (parents[np.minimum(one, other)] for one, other in drawn.reshape(2, 2, count))
        numbers = self._children(now.numbers, mothers, fathers, self._seeds(step, count))
        best = order[: min(CHAMPIONS, count)]
        numbers[: len(best)] = now.numbers[best]
        return numbers

    def _children(self, parents: np.ndarray, mothers: np.ndarray, fathers: np.ndarray, seeds: np.ndarray) -> np.ndarray:
        """Children (fish, 2, number) of rows of parents; those that are illegal are thrown again, at last unmutated."""
        found = self._thrown(parents, mothers, fathers, seeds, self.plan.mutation)
        refused = np.flatnonzero([not self._is_legal(one) for one in found])
        for throw in range(THROWS_FOR_A_LEGAL_CHILD):
            if not len(refused):
                return found
            mutation = self.plan.mutation if throw + 1 < THROWS_FOR_A_LEGAL_CHILD else 0.0
            anew = (seeds[refused] + np.uint64(throw + 1) * np.uint64(0x9E3779B1)) % np.uint64(2**32)
            found[refused] = self._thrown(parents, mothers[refused], fathers[refused], anew, mutation)
            refused = refused[[not self._is_legal(found[row]) for row in refused]]
        found[refused] = parents[mothers[refused]]
        return found

    def _thrown(
        self, parents: np.ndarray, mothers: np.ndarray, fathers: np.ndarray, seeds: np.ndarray, mutation: float
    ) -> np.ndarray:
        copies = []
        for row, those in enumerate((mothers, fathers)):
            words = (seeds * np.uint64(2) + np.uint64(row)) % np.uint64(2**32)
            numbers, _, _ = gametes(parents[those, 0], parents[those, 1], words, mutation)
            copies.append(np.where(self.free, numbers, self.usual))
        return np.stack(copies, axis=1)

    def _seeds(self, step: int, count: int) -> np.ndarray:
        """A seed for each fish of a generation, (fish,) uint64."""
        return np.array([crc32(f"{self.plan.seed} {step} {row}".encode()) for row in range(count)], dtype=np.uint64)

    def _seen(self, numbers: np.ndarray) -> np.ndarray:
        return 0.5 * (numbers[0] + numbers[1])

    def _made(self, seen: np.ndarray) -> Species:
        return species_with(self.base, self.keys, seen[self.free])

    def _is_legal(self, numbers: np.ndarray) -> bool:
        try:
            self._made(self._seen(numbers))
        except SceneError:
            return False
        return True

    def _scores(
        self,
        numbers: np.ndarray,
        step: int,
        lives: int,
        executor: Executor,
        steps: int,
        progress: Callable[[float, str], None] | None,
    ) -> np.ndarray:
        """The scores of a generation, (fish,), by jobs of a brood each; with minds, of one fish in so many lives."""
        (common,) = self.common
        size = 1 if self.trial else max(1, min(BROOD, len(numbers) // LEAST_BROODS))
        worlds = {"seeds": (self._seeds(step, lives) % 2**31).tolist()} if self.trial else {}
        jobs = []
        for first in range(0, len(numbers), size):
            brood = [self._seen(one)[self.free].tolist() for one in numbers[first : first + size]]
            name = f"generation {step}, brood {first // size}"
            jobs.append(FarmJob(BROOD_CALL, {"numbers": brood, **worlds}, name, common))

        def report(state: JobProgress) -> None:
            if progress is not None:
                progress((step + state.share) / steps, f"generation {step} of {steps}: {state.text()}")

        failed = run(jobs, executor, self.folder, report)
        if failed:
            raise SceneError(failed[0].line(), "trials that end", key=f"generation {step}")
        return np.concatenate([np.array(result_of(job, self.folder)) for job in jobs])


def try_brood(data: Mapping[str, Any], common: Mapping[str, Any]) -> list[float]:
    """The scores of some fishes: a job's function.

    Args:
        data: The "numbers" of each that vary, in the order of their genes, and the "seeds" of the worlds where they
            live, of those with minds.
        common: The "species", the "task", the speed "at" which, the "keys" of the genes, and the "trial" of lives.
    """
    base = Species.from_dict(dict(common["species"]))
    made = [species_with(base, common["keys"], np.array(one)) for one in data["numbers"]]
    if "trial" not in common:
        return [score(one, common["task"], common["at"]) for one in made]
    trial = LifeTrial.from_dict(common["trial"])
    return [trial.score(clothed(base, one), data["seeds"]) for one in made]


def species_with(base: Species, keys: Sequence[str], numbers: np.ndarray) -> Species:
    """A species with other numbers of some genes, in the order of the gene map, (number,).

    Raises:
        SceneError: With these it is none.
    """
    parts: dict[str, Any] = {}
    place = 0
    for gene in gene_map().genes:
        if gene.key in keys:
            gene.write(parts, gene.plain(numbers[place : place + gene.size]))
            place += gene.size
    if "body" in parts:
        parts["body"] = _as_large(base.body, parts["body"])
    sections = {key: replace(getattr(base, key), **value) for key, value in parts.items() if isinstance(value, dict)}
    return replace(base, **{**parts, **sections})


def _as_large(old: Body, values: dict[str, Any]) -> dict[str, Any]:
    """Values of a body as bulky as another: one that has the mass of a fish has its room, or else it slips through."""
    ratio = _bulk(old, {}) / _bulk(old, values)
    for key in ("half_heights", "half_widths"):
        values[key] = tuple(value * float(np.sqrt(ratio)) for value in values.get(key, getattr(old, key)))
    return values


def _bulk(body: Body, values: Mapping[str, Any]) -> float:
    """Room of a body, but for a factor, in lengths: cross-sections times the way from one ring to the next."""
    high, wide, at = (
        np.array(values.get(key, getattr(body, key))) for key in ("half_heights", "half_widths", "stations")
    )
    area = np.concatenate([[0.0], high * wide, [0.0]])
    return float(total(0.5 * (area[1:] + area[:-1]) * np.diff(np.concatenate([[0.0], at, [1.0]]))))


def save(found: Evolved, plan: EvolutionPlan, folder: Path) -> Path:
    """Writes what came out: the species, a table of the generations, and what was asked; returns the species' path."""
    path = folder / f"{found.species.name}.json"
    found.species.save(path)
    with writing(folder / GENERATIONS_TABLE) as out, io.TextIOWrapper(out, "utf-8", newline="") as stream:
        csv.writer(stream, lineterminator="\n").writerows(found.table())
    summary = {"plan": encode(plan), "begin": found.begin, "end": found.end, "tried": found.tried}
    write_json(folder / EVOLUTION_SUMMARY, summary)
    return path
