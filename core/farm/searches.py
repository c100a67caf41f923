"""Searches of the studio as jobs: synchronising, and learning to swim, one learner a job."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Executor
from time import monotonic
from typing import Any

from ..base.codec import encode
from ..learning.learning import Learner
from ..learning.tasks import Task
from ..scene.scene import Scene
from ..scene.species import Species
from ..studio.synchronising import Synchronised, synchronise
from .running import results

STEPS_AT_ONCE = 20
"""Steps of practice of a job, after which a learner is known here again."""


def synchronised(
    scene: Scene, cues: Mapping[str, Any], seed: int, rounds: int, file: str, executor: Executor
) -> Synchronised:
    """The result of `synchronise`, found by a worker; arguments and errors as of that."""
    case = scene.to_dict(), scene.source, _models(scene), dict(cues), seed, rounds, file
    data, times, off, done = results(executor, _synchronised, [case])[0]
    found = Scene.from_dict(data, scene.source, {*Species.names(), *scene.models}, None)
    object.__setattr__(found, "models", scene.models)
    return Synchronised(found, times, off, done)


def _synchronised(
    data: dict[str, Any], source: str, models: dict[str, Any], cues: dict[str, Any], seed: int, rounds: int, file: str
) -> tuple[dict[str, Any], tuple, float | None, bool]:
    species = {name: Species.from_dict(model, f"{name}.json") for name, model in models.items()}
    scene = Scene.from_dict(data, source, {*Species.names(), *species}, None)
    object.__setattr__(scene, "models", species)
    found = synchronise(scene, cues, seed, rounds, species or None, file=file)
    return found.scene.to_dict(), found.times, found.off, found.done


def _models(scene: Scene) -> dict[str, Any]:
    return {name: model.to_dict() for name, model in scene.models.items()}


def practise(
    some: Sequence[Learner],
    executor: Executor,
    steps: int | None,
    seconds: float | None,
    progress: Callable[[float, str], None] | None = None,
) -> None:
    """Has learners practise side by side, each in a worker, to the same bits as here.

    Args:
        some: Learners; they are where the workers have come whenever this ends, or is stopped.
        executor: Runs them.
        steps: Steps of each, from its beginning; without end if None.
        seconds: Time of practice, after which no more steps are begun; without end if None.
        progress: Called with the share done and a text.
    """
    begun = monotonic()
    while True:
        spent = (monotonic() - begun) / seconds if seconds else 0.0
        left = [STEPS_AT_ONCE if steps is None else min(STEPS_AT_ONCE, steps - one.steps) for one in some]
        rows = [row for row, count in enumerate(left) if count > 0]
        if not rows or spent >= 1.0:
            return
        cases = [(*_learner(some[row]), left[row]) for row in rows]
        for row, data in zip(rows, results(executor, _practised, cases), strict=True):
            some[row].go_on(data, some[row].task.kind)
        if progress is not None:
            share = min(one.steps / steps for one in some) if steps else spent
            texts = (f"{one.task.kind} step {one.steps} score {one.score:.3f}" for one in some)
            progress(max(share, min(spent, 1.0)), ", ".join(texts))


def _learner(one: Learner) -> tuple[dict[str, Any], str, tuple[float, ...], str, int, int, dict[str, Any]]:
    """All that a learner is made of, and where it stands."""
    task = one.task
    return (
        encode(one.species),
        task.kind,
        tuple(task.goal),
        one.method,
        one.seed,
        one.practice.candidates,
        one.to_dict() if one.steps else {},
    )


def _practised(
    species: dict[str, Any],
    kind: str,
    goal: tuple[float, ...],
    method: str,
    seed: int,
    candidates: int,
    stands: dict[str, Any],
    steps: int,
) -> dict[str, Any]:
    model = Species.from_dict(species)
    learner = Learner(model, Task(kind, model, goal), method, seed, candidates=candidates)
    if stands:
        learner.go_on(stands, kind)
    for _ in range(steps):
        learner.step()
    return learner.to_dict()
