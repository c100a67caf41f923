"""Fishes teach themselves to swim from nothing: time, speed, effort, and improvement with practice."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from time import process_time
from typing import NamedTuple

import numpy as np

from ..core.body.gait import measure
from ..core.learning.drills import from_lessons
from ..core.learning.learning import Learner
from ..core.learning.practice import CandidateSwim, Practice
from ..core.learning.tasks import Task
from ..core.motor.learned import taught
from ..core.motor.muscles import Muscles
from ..core.scene.controller import Controller
from ..core.scene.species import Species
from .finding import Finding, counted, each
from .tracking import swum

BUILDS = "reef_shark", "tuna", "emperor_angelfish", "clownfish", "butterflyfish"
"""Species of long, slow build; stiff, fast; high, flat; stout, small; and one without muscles in its peduncle."""
RUNNERS = 90, 1440, 2790, 4140, 5490, 6840
"""Annealing steps of the sharks of figure 7."""
SECONDS = {"cma": 3.0, "annealing": 10.0}
"""Processor seconds for each species by each method: a minute on two would be forty and twelve times as much."""
RACES = 1
"""Seeds of the race, which takes a minute for each."""
ENOUGH, MOST_EFFORT, STROUHAL = 0.9, 1.2, (0.2, 0.4)
TO_SPEED_SECONDS, STEADY_SECONDS = 10.0, 5.0
"""Seconds to reach speed, and of measurement: a heavy and slippery fish is at speed only after many beats."""
LOOK_STEPS = 20
"""Steps of a search between two measurements of its best."""


def by_hand(practice: Practice) -> CandidateSwim:
    """The hand-made controller at full speed without bursts, with still fins as for learners."""
    species, fishes = practice.species, practice.candidates
    muscles = Muscles(species, practice.model, fishes, practice.dt)
    swing = np.zeros((3, fishes))
    swing[0] = 1.0
    rates = np.repeat([[species.rhythm.tail_beat * species.time_scale], [1.0]], fishes, axis=1)
    return practice.swim(muscles.advance(rates, swing, practice.steps))


class LearningOutcome(NamedTuple):
    """The result of learning from nothing.

    Attributes:
        seconds: Processor seconds until it swam at nine tenths of the hand-made speed; infinite if it never did.
        steps: The same in steps of the search.
        speed: Final speed, over that of the hand-made controller.
        effort: Work over distance, over that of the hand-made controller.
        strouhal: Its Strouhal number at steady speed and course, with the learned controller.
    """

    seconds: float
    steps: float
    speed: float
    effort: float
    strouhal: float


def from_nothing(name: str, method: str, seed: int) -> LearningOutcome:
    """The outcome of a species' search from nothing, within the processor time of its method."""
    species = Species.load(name).alike
    learner, practice = Learner(species, Task("swim", species), method, seed), Practice(species, 1)
    made, soon, steps, begun = by_hand(practice), np.inf, np.inf, process_time()
    while process_time() - begun < SECONDS[method]:
        learner.step()
        if np.isinf(soon) and learner.steps % LOOK_STEPS == 0:
            here = process_time()
            if practice.swim(practice.lengths_of(learner.learned())).speed[0] >= ENOUGH * made.speed[0]:
                soon, steps = here - begun, learner.steps
            begun += process_time() - here
    found = practice.swim(practice.lengths_of(learner.learned()))
    return LearningOutcome(
        seconds=soon,
        steps=steps,
        speed=float(found.speed[0] / made.speed[0]),
        effort=float(found.effort[0] / made.effort[0]),
        strouhal=strouhal(species, from_lessons(species, [learner.learned()])),
    )


def strouhal(species: Species, made: Controller) -> float:
    """The Strouhal number of a fish that swims straight ahead at full speed with its learned controller."""
    track = swum(taught(species, made), np.ones(1), np.zeros(1), TO_SPEED_SECONDS + STEADY_SECONDS)
    steady = track.nodes[-round(STEADY_SECONDS / track.step) :]
    return float(measure(steady, 1.0 / track.step, np.ones(1)).strouhal[0])


def race(name: str = "reef_shark", seed: int = 0) -> list[float]:
    """Distances in lengths covered by one chain of annealing, as in the paper, after the steps of each of `RUNNERS`."""
    species, ways = Species.load(name).alike, []
    learner = Learner(species, Task("swim", species), "annealing", seed, candidates=1)
    practice = learner.practice
    for step in range(1, RUNNERS[-1] + 1):
        learner.step()
        if step in RUNNERS:
            ways.append(float(practice.film(practice.lengths_of(learner.learned())).middle[-1, 0, 0]))
    return ways


def findings(seeds: range = range(5)) -> Iterator[Finding]:
    """Five species by CMA-ES, the first of them by annealing too, then the race."""
    for method, names in (("cma", BUILDS), ("annealing", BUILDS[:1])):
        found, seconds = np.array(each(from_nothing, names, [method], seeds)), SECONDS[method]
        for row, name in enumerate(names):
            soon, steps, speed, effort, numbers = found[row * len(seeds) : (row + 1) * len(seeds)].T
            what = f"a {Species.load(name).common_name.lower()} that learns by {method}"
            note = f"after {np.median(steps):.0f} steps and {np.median(soon):.1f} s of processor, "
            note += f"{steps.max():.0f} and {soon.max():.1f} s at the latest"
            claim = f"{what} swims at 90 % of its hand-made speed within {seconds:g} s of one processor"
            yield counted(claim, soon < seconds, 1.0, note)
            note = f"{np.median(effort):.2f} times, at {np.median(speed):.2f} times the speed"
            yield counted(f"{what} works no more than 1.2 times as hard for its way", effort <= MOST_EFFORT, 1.0, note)
            inside = (numbers >= STROUHAL[0]) & (numbers <= STROUHAL[1])
            note = ", ".join(f"{one:.2f}" for one in numbers)
            yield counted(f"{what} has a Strouhal number of 0.2 to 0.4", inside, 0.8, note)
    for seed, ways in zip(seeds, each(race, ["reef_shark"], seeds[:RACES]), strict=False):
        rises = [after >= before for before, after in pairwise(ways)]
        note = ", ".join(f"{way:.2f}" for way in ways)
        steps = ", ".join(map(str, RUNNERS))
        yield counted(f"race {seed}: lengths after {steps} annealing steps rise", rises, 0.8, note)
