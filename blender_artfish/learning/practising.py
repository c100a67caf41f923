"""Practice as work in steps: a species teaches itself to swim and to turn."""

from __future__ import annotations

from functools import partial
from typing import Any

from ...core.base.codec import SceneError
from ...core.learning.learning import DRILLS, learners, taught
from ...core.scene.controller import Controller
from ...core.scene.species import Species
from ..blender.background import in_thread
from ..blender.jobs import Job, Steps
from ..blender.words import translated
from .course import DRILL_TITLES, PracticeProgress

DRILL_NAMES = dict(zip(DRILLS, DRILL_TITLES, strict=True))
PRACTICE_SHARE = 0.95
"""Practice's share of the whole work; the rest makes a controller of it."""


def practise(
    job: Job[Any], species: Species, course: PracticeProgress, method: str, steps: int, seed: int
) -> Steps[Controller]:
    """Have a species learn all drills from nothing.

    Args:
        job: The job this is part of.
        species: The species that practises.
        course: Notes every step.
        method: Method of the search: "cma" or "annealing".
        steps: Steps of each drill.
        seed: Seed of the search.

    Returns:
        The controller, with its maps.

    Raises:
        ValueError: It has learned too little to move ahead, or to turn.
    """
    some = learners(species, "all", method=method, seed=seed)
    for number, one in enumerate(some):
        while one.steps < steps:
            one.step()
            course.add(number, one.steps, one.score, one.latest)
            share = (number + one.steps / steps) / len(some)
            job.advance(
                PRACTICE_SHARE * share,
                translated(
                    "{drill_names}: step {steps} of {other}",
                    drill_names=DRILL_NAMES[one.task.kind],
                    steps=one.steps,
                    other=steps,
                ),
            )
            yield
    job.announce(PRACTICE_SHARE, "Trying what was learned at several paces")
    yield
    try:
        return (yield from in_thread(partial(taught, some)))
    except SceneError as error:
        text = translated(
            "{species} has not learned to swim and to turn in {steps} steps: let it practise longer",
            species=species.common_name,
            steps=steps,
        )
        raise ValueError(text) from error
