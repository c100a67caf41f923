"""Many takes as work in steps: made by processes beside Blender, while its window goes on."""

from __future__ import annotations

from collections.abc import Callable
from copy import copy
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import bpy

from ..bake import history, plan
from ..bake.source import BakeSource
from ..blender import runtime, second
from ..blender.background import in_thread
from ..blender.jobs import Job, JobOutcome, Steps
from ..blender.package import EXTENSION
from ..blender.words import counted, translated
from ..identity.film_time import film
from ..languages.sentences import understood
from . import varying
from .numbers import SceneNumber
from .pictures import TakePictures
from .wishing import wishes_data

if TYPE_CHECKING:
    from ...core.farm.running import JobProgress
    from ...core.farm.takes import Takes, TakeSearch
    from ...core.farm.varying import Variation
    from ...core.scene.scene import Scene

ALL_MADE = 0.98
"""Share of the work that is done once all takes are made."""
_WORKER = 'importlib.import_module(spec.name + ".core.farm.piped").serve_piped()\n'
"""The work of a process beside Blender, as a line of Python."""


class TakesJob(Job[JobOutcome]):
    """The work of many takes.

    Attributes:
        made: Number of takes that were made.
        enough: Set to end after what is made already.
        state: How far the processes are; None before they begin.
    """

    def __init__(self, scene: bpy.types.Scene) -> None:
        """The takes of a scene's panel."""
        self.made, self.enough = 0, False
        self.state: JobProgress | None = None
        super().__init__(partial(_prepare, scene))

    def heed(self, state: JobProgress) -> None:
        """Takes note, in a thread, of how far the processes are.

        Raises:
            EnoughError: That is to be enough.
        """
        from ...core.farm.running import EnoughError

        self.state, self.made = state, state.done - len(state.failed)
        if self.enough:
            raise EnoughError

    def tell(self) -> None:
        """Says how far the processes are."""
        if self.state is not None and self.state.done:
            done, count = self.state.done, self.state.total
            self.advance(ALL_MADE * self.state.share, translated("{done} of {count} takes", done=done, count=count))


class _Made(NamedTuple):
    """The takes that are to be listed.

    Attributes:
        search: The search, with its scene.
        takes: What it found.
        numbers: The numbers that varied.
        varied: What the search took them for.
        frames: The first frame of the film, and the number of its frames.
    """

    search: TakeSearch
    takes: Takes
    numbers: list[SceneNumber]
    varied: list[Variation]
    frames: tuple[int, int]


def _prepare(scene: bpy.types.Scene, job: TakesJob) -> Steps[Callable[[], JobOutcome]]:
    """Make all takes, each with its picture.

    Raises:
        SceneError: The scene, a wish or a number that varies is not as it must be.
    """
    settings, pictures = scene.artfish_takes, runtime.of(TakePictures)
    yield from plan.load(job)
    from ...core.farm.piped import piped
    from ...core.farm.processes import cores
    from ...core.farm.takes import TakeSearch
    from ...core.farm.wishes import wishes_of

    source = yield from plan.read_source(scene, job)
    lived = _with_models(source)
    frames = film(scene)[0], frames_of(scene)
    wishes = wishes_of(wishes_data(scene), lived, f"{scene.name}: wishes")
    numbers, varied = varying.variations_of(scene, source)
    seeds = range(settings.seed, settings.seed + settings.count)
    search = TakeSearch(lived, wishes, seeds, varied, pictures.workshop(), settings.best, sketched=True)
    job.text = translated("Beginning the takes")
    yield
    begin = piped(second.command(EXTENSION, _WORKER))
    working = in_thread(partial(_scored, job, search, min(settings.processes, cores()), begin))
    try:
        takes = yield from _followed(job, working)
    finally:
        job.enough = True  # where it is given up, so that processes end
    return partial(_keep, scene, _Made(search, takes, numbers, varied, frames), _drawn(takes, search.best, pictures))


def _with_models(source: BakeSource) -> Scene:
    """The scene of a source that has its species with it, as one that was read from a file."""
    lived = copy(source.scene)
    object.__setattr__(lived, "models", source.models)
    return lived


def _followed(job: TakesJob, steps: Steps[Takes]) -> Steps[Takes]:
    """The result of steps, after each of which the job says how far it is."""
    while True:
        try:
            next(steps)
        except StopIteration as end:
            found: Takes = end.value
            return found
        job.tell()
        yield


def _scored(job: TakesJob, search: TakeSearch, processes: int, begin: Callable[..., Any]) -> Takes:
    """All takes, made by processes that end with this."""
    from ...core.farm.engines import engine

    with engine(workers=processes, common=search.common, begin=begin) as executor:
        takes = search.score(executor, job.heed)
        if takes.ended:
            executor.kill()
    return takes


def _drawn(takes: Takes, count: int, pictures: TakePictures) -> Path:
    """A new folder with the pictures of the best, by their seeds."""
    folder = pictures.new_folder()
    for row in takes.best(count):
        (folder / f"{row.seed}.png").write_bytes(row.sketch)
    return folder


def frames_of(scene: bpy.types.Scene) -> int:
    """The number of frames of the film."""
    first, last = film(scene)
    return last - first + 1


def key_of(scene: bpy.types.Scene, source: BakeSource) -> str:
    """A digest of all but the seed that a take depends on."""
    return history.key(source.scene, 0, frames_of(scene), source.models)


def _keep(scene: bpy.types.Scene, made: _Made, folder: Path) -> JobOutcome:
    """Lists the best in the panel."""
    from ...core.farm.takes import scene_with

    settings, lived, (begin, frames) = scene.artfish_takes, made.search.scene, made.frames
    best = made.takes.best(made.search.best)
    if not best and made.takes.failed:
        return JobOutcome(_failed(made.takes), changed=False, warning=True)
    settings.found.clear()
    for take in best:
        row, as_lived = settings.found.add(), scene_with(lived, take.values) if take.values else lived
        row.seed, row.score = take.seed, take.score
        row.key = history.key(as_lived, 0, frames, lived.models)
        row.moment = begin + round(take.moment * lived.fps) if take.moment is not None else 0
        varying.keep(row, made.numbers, made.varied, take.values)
    runtime.of(TakePictures).show(folder)
    if not best:
        return JobOutcome("No take was made", changed=False)
    message = counted(
        len(made.takes.rows),
        "{count} take; the best has the seed {seed}, with a score of {score:.2f}",
        "{count} takes; the best has the seed {seed}, with a score of {score:.2f}",
        seed=best[0].seed,
        score=best[0].score,
    )
    if made.takes.failed:
        return JobOutcome(f"{message}; {_failed(made.takes)}", warning=True)
    return JobOutcome(message)


def _failed(takes: Takes) -> str:
    """The number of takes that could not be made, and the reason of the first."""
    return counted(
        len(takes.failed),
        "{count} take could not be made: {why}",
        "{count} takes could not be made: {why}",
        why=understood(takes.failed[0].reason),
    )
