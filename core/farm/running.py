"""Running jobs on any executor: results go into a folder as they come, and what is there already is not done again."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, CancelledError, Executor, Future, wait
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from time import monotonic
from typing import Any, TypeVar

from ..base.codec import SceneError, clipped, printable
from ..base.files import ensure_folder, writing
from .jobs import FarmJob, OtherVersionError, build, call, other_version, perform
from .processes import cores

T = TypeVar("T")
ATTEMPTS = 2
"""Times that a job is tried before it is listed as failed."""
JOBS_AHEAD = 2
"""Jobs for each worker that wait where it can take them at once."""
RESULT_LOOK_SECONDS = 0.25
"""Time after which whoever waits can be stopped."""
LONGEST_REASON = 300


class EnoughError(Exception):
    """Raised by whoever is told of progress, where what is done is enough."""


@dataclass(frozen=True)
class FailedJob:
    """A job that failed twice.

    Attributes:
        job: The job.
        reason: Its error in a line.
    """

    job: FarmJob
    reason: str

    def line(self) -> str:
        """The line that a person reads."""
        return f"{self.job.name or self.job.digest}: {self.reason}"


@dataclass
class JobProgress:
    """Progress of a run.

    Attributes:
        total: Number of its jobs.
        done: Number of those that are over, the failed among them.
        found: Number of those whose results were there already.
        failed: Jobs that failed, in the order of their ends.
    """

    total: int
    done: int = 0
    found: int = 0
    failed: list[FailedJob] = field(default_factory=list)
    begun: float = field(default_factory=monotonic)

    @property
    def share(self) -> float:
        """Share that is over, 0 to 1."""
        return self.done / self.total if self.total else 1.0

    @property
    def seconds_left(self) -> float | None:
        """Estimated time until the end, in seconds; None before anything is known of it."""
        made = self.done - self.found
        return (monotonic() - self.begun) / made * (self.total - self.done) if made else None

    def text(self) -> str:
        """Progress in a few words."""
        left = self.seconds_left
        end = "" if left is None or self.done == self.total else f", {clock(left)} left"
        return f"{self.done} of {self.total}{end}{f', {len(self.failed)} failed' if self.failed else ''}"


def clock(seconds: float) -> str:
    """A time such as 1:05 or 2:03:05."""
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02d}:{rest:02d}" if hours else f"{minutes}:{rest:02d}"


def path_of(job: FarmJob, folder: Path) -> Path:
    """The file of a job's result."""
    return folder / f"{job.digest}{job.suffix}"


def result_of(job: FarmJob, folder: Path) -> Any:
    """The result of a job that is done: data, or bytes."""
    content = path_of(job, folder).read_bytes()
    return json.loads(content) if job.suffix == ".json" else content


def only(jobs: Sequence[FarmJob], number: int) -> list[FarmJob]:
    """The one job of a list that has a number, counted from 0, as a task of an array has it.

    Raises:
        SceneError: If there is none.
    """
    if not 0 <= number < len(jobs):
        raise SceneError(str(number), f"0 to {len(jobs) - 1}: there are {len(jobs)} jobs", key="--task")
    return [jobs[number]]


def run(
    jobs: Iterable[FarmJob],
    executor: Executor,
    folder: Path,
    progress: Callable[[JobProgress], None] | None = None,
) -> list[FailedJob]:
    """Does the jobs whose results are not in a folder yet.

    Args:
        jobs: Any number; they may be made as they are needed.
        executor: Runs them; it says by `workers` how many at a time, and has what they have in common.
        folder: Folder of the results, one file a job, which is made if it is not there.
        progress: Called whenever a job is over, and now and then between.

    Returns:
        The jobs that failed, in the order of the list.

    Raises:
        SceneError: A worker has another version of Artfish, or the folder cannot be written.
        KeyboardInterrupt: It was stopped; what had been done is in the folder.
        EnoughError: So, where `progress` raises it.
    """
    listed = jobs if isinstance(jobs, Sequence) else list(jobs)
    ensure_folder(folder)
    state = JobProgress(len(listed))
    crowd = JOBS_AHEAD * getattr(executor, "workers", cores())
    waiting: dict[Future, tuple[FarmJob, int]] = {}
    todo = _missing(listed, folder, state)
    try:
        for job in todo:
            waiting[_submitted(job, executor)] = job, 1
            while len(waiting) >= crowd:
                _take(waiting, executor, folder, state, progress)
        while waiting:
            _take(waiting, executor, folder, state, progress)
    except BaseException:
        _save_rest(waiting, folder)
        raise
    if progress is not None:
        progress(state)
    order = {id(job): row for row, job in enumerate(listed)}
    return sorted(state.failed, key=lambda failed: order[id(failed.job)])


def results(
    executor: Executor,
    function: Callable[..., Any],
    cases: Iterable[Sequence[Any]],
    progress: Callable[[int], None] | None = None,
) -> list[Any]:
    """The results of a function for each of some arguments, in their order; nothing is kept in a folder.

    Args:
        executor: Runs the calls.
        function: A function that can be imported; it may take and return whatever can be pickled.
        cases: Arguments of each call.
        progress: Called with the number of calls that are over.

    Raises:
        Exception: That of the first call that failed twice.
    """
    listed = list(cases)
    found: list[Any] = [None] * len(listed)
    crowd, done, todo = JOBS_AHEAD * getattr(executor, "workers", cores()), 0, list(range(len(listed)))[::-1]
    waiting: dict[Future, tuple[int, int]] = {}

    def submit(row: int) -> Future:
        return executor.submit(call, function, listed[row], build())

    while todo or waiting:
        while todo and len(waiting) < crowd:
            row = todo.pop()
            waiting[submit(row)] = row, 1
        for row, result, error in _over(waiting, submit):
            if error is not None:
                raise error
            found[row] = result
            done += 1
        if progress is not None:
            progress(done)
    return found


def _missing(jobs: Sequence[FarmJob], folder: Path, state: JobProgress) -> Iterator[FarmJob]:
    """The jobs whose results are missing, each once; counts the others."""
    seen = set()
    for job in jobs:
        path = path_of(job, folder)
        if path in seen or path.exists():
            state.done += 1
            state.found += 1
        else:
            seen.add(path)
            yield job


def _submitted(job: FarmJob, executor: Executor) -> Future:
    return executor.submit(perform, job.call, job.data, job.common, build())


def _take(
    waiting: dict[Future, tuple[FarmJob, int]],
    executor: Executor,
    folder: Path,
    state: JobProgress,
    progress: Callable[[JobProgress], None] | None,
) -> None:
    """Waits for jobs, and keeps the results of those that are over."""
    for job, content, error in _over(waiting, lambda job: _submitted(job, executor)):
        if error is None:
            _keep(job, content, folder)
        else:
            state.failed.append(FailedJob(job, reason(error)))
        state.done += 1
    if progress is not None:
        progress(state)


def _over(
    waiting: dict[Future, tuple[T, int]], submit: Callable[[T], Future]
) -> Iterator[tuple[T, Any, BaseException | None]]:
    """Waits for calls, and gives those that are over: each with its result, or the error of its last attempt.

    Args:
        waiting: Calls under way, each with what it is of and its attempt; who failed is under way again.
        submit: Begins the call of something.

    Raises:
        SceneError: A worker has another version of Artfish.
    """
    for future in wait(waiting, RESULT_LOOK_SECONDS, FIRST_COMPLETED)[0]:
        of, attempt = waiting.pop(future)
        result, error = None, None
        try:
            result = future.result()
        except OtherVersionError as other:
            raise other_version(f"a worker with Artfish {other}", build()) from None
        except (Exception, CancelledError) as failed:
            if attempt < ATTEMPTS:
                waiting[submit(of)] = of, attempt + 1
                continue
            error = failed
        yield of, result, error


def _keep(job: FarmJob, content: bytes, folder: Path) -> None:
    with writing(path_of(job, folder)) as stream:
        stream.write(content)


def _save_rest(waiting: dict[Future, tuple[FarmJob, int]], folder: Path) -> None:
    """Keeps what is over of jobs that nobody waits for any more, and cancels the others."""
    for future, (job, _) in waiting.items():
        if future.done() and not future.cancelled() and future.exception() is None:
            with suppress(SceneError):
                _keep(job, future.result(), folder)
        else:
            future.cancel()


def reason(error: BaseException) -> str:
    """An error in a line."""
    text = str(error) if isinstance(error, SceneError) else f"{type(error).__name__}: {error}".removesuffix(": ")
    return clipped(printable(text.splitlines()[0] if text else ""), LONGEST_REASON)
