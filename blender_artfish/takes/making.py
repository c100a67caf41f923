"""Many takes as work in steps: one world after another in this process, since its own Python spawns no others."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from math import ceil
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import bpy

from ..bake import history, plan
from ..bake.source import BakeSource
from ..blender import runtime
from ..blender.background import in_thread
from ..blender.jobs import Job, JobOutcome, Steps
from ..blender.words import counted, translated
from ..identity.film_time import film
from .pictures import TakePictures
from .wishing import wishes_data

if TYPE_CHECKING:
    from ...core.farm.scoring import TakeScore
    from ...core.farm.wishes import WishedCamera
    from ...core.recording import Recording

LIVED = 0.97
"""Share of the work that is done once all takes are made; the rest draws the best."""


class ScoredTake(NamedTuple):
    """A take that was made.

    Attributes:
        seed: Its seed.
        score: What it fulfils of the wishes.
        recording: What happened, as far as any wish looks.
    """

    seed: int
    score: TakeScore
    recording: Recording


class TakesJob(Job[JobOutcome]):
    """The work of many takes.

    Attributes:
        best: The best so far, the best first.
        made: Number of takes that were made.
        enough: Set to end after what is made already.
    """

    def __init__(self, scene: bpy.types.Scene) -> None:
        """The takes of a scene's panel."""
        self.best: list[ScoredTake] = []
        self.made, self.enough = 0, False
        super().__init__(partial(_prepare, scene))


def _prepare(scene: bpy.types.Scene, job: TakesJob) -> Steps[Callable[[], JobOutcome]]:
    """Make all takes, and draw the best.

    Raises:
        SceneError: The scene or a wish is not as it must be.
    """
    settings = scene.artfish_takes
    yield from plan.load(job)
    from ...core.farm.scoring import scored
    from ...core.farm.wishes import wishes_of

    source = yield from plan.read_source(scene, job)
    key, frames = key_of(scene, source), frames_of(scene)
    wishes = wishes_of(wishes_data(scene), source.scene, f"{scene.name}: wishes")
    looked = min(frames, max(1, ceil(wishes.until(source.scene) * source.scene.fps)))
    count, first = settings.count, settings.seed
    for number in range(count):
        if job.enough:
            break
        called = translated("Take {number} of {count}: ", number=number + 1, count=count)
        with job.phase(called, LIVED * (number + 1) / count):
            recording = yield from _unless_enough(job, plan.simulate(job, source, first + number, looked, called))
            if recording is None:
                break
            score = yield from in_thread(partial(scored, recording, wishes))
        job.best = sorted([*job.best, ScoredTake(first + number, score, recording)], key=_rank)[: settings.best]
        job.made += 1
    job.announce(LIVED, "Drawing the best")
    yield
    folder = runtime.of(TakePictures).new_folder()
    yield from in_thread(partial(draw, job.best, folder, wishes.first_camera(source.scene)))
    return partial(_keep, scene, job, key, folder)


def _unless_enough(job: TakesJob, steps: Steps[Recording]) -> Steps[Recording | None]:
    """The result of a take's steps; None where the job is to end before."""
    while not job.enough:
        try:
            next(steps)
        except StopIteration as end:
            found: Recording = end.value
            return found
        yield
    steps.close()
    return None


def _rank(take: ScoredTake) -> tuple[float, int]:
    return -take.score.score, take.seed


def frames_of(scene: bpy.types.Scene) -> int:
    """The number of frames of the film."""
    first, last = film(scene)
    return last - first + 1


def key_of(scene: bpy.types.Scene, source: BakeSource) -> str:
    """A digest of all but the seed that a take depends on."""
    return history.key(source.scene, 0, frames_of(scene), source.models)


def draw(best: list[ScoredTake], folder: Path, camera: WishedCamera | None) -> None:
    """Draws the contact sheet of each take into a folder, by its seed, as a camera sees it."""
    from ...core.farm.sheet import SheetRow, small_sheet

    for take in best:
        moment = None if take.score.moment is None else take.score.moment / take.recording.fps
        small_sheet(SheetRow("", take.recording, moment), folder / f"{take.seed}.png", camera)


def _keep(scene: bpy.types.Scene, job: TakesJob, key: str, folder: Path) -> JobOutcome:
    """Lists the best in the panel."""
    found, begin = scene.artfish_takes.found, film(scene)[0]
    found.clear()
    for take in job.best:
        row = found.add()
        row.seed, row.score, row.key = take.seed, take.score.score, key
        row.moment = begin + take.score.moment if take.score.moment is not None else 0
    runtime.of(TakePictures).show(folder)
    if not job.best:
        return JobOutcome("No take was made", changed=False)
    return JobOutcome(
        counted(
            job.made,
            "{count} take; the best has the seed {seed}, with a score of {score:.2f}",
            "{count} takes; the best has the seed {seed}, with a score of {score:.2f}",
            seed=job.best[0].seed,
            score=job.best[0].score.score,
        )
    )
