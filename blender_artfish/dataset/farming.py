"""A data set on a farm: films side by side, then pieces of their pictures, into one folder that all workers see.

Blender is loaded by the workers only: what it adds to the path keeps a process that is begun then from loading it.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from concurrent.futures import Executor

from ...core.dataset.cameras import names_of
from ...core.dataset.plan import DatasetFolder, DatasetPlan
from ...core.farm.running import results

FILM_SHARE = 0.3


def make_all(
    executor: Executor,
    plan: DatasetPlan,
    folder: str | os.PathLike[str],
    progress: Callable[[float, str], None] | None = None,
) -> DatasetFolder:
    """Makes all films and pictures that are not there yet.

    Args:
        executor: Runs the jobs; its workers see the folder under the same path.
        plan: What to make.
        folder: An existing folder, empty or of this data set.
        progress: Called with the share done and a text.

    Raises:
        SceneError: A film cannot be made, or the folder is another's.
    """
    path = os.path.abspath(folder)
    of = DatasetFolder(path)
    of.begin(plan)
    names = [film["name"] for film in of.source["films"]]
    cameras = [name for camera in plan.cameras.cameras for name in names_of(camera)]
    unmade = [(path, name) for name in names if not of.is_made(name)]

    def films_done(done: int) -> None:
        if progress is not None and unmade:
            progress(FILM_SHARE * done / len(unmade), f"{done} of {len(unmade)} films")

    results(executor, film, unmade, films_done)
    jobs = [(path, name, some) for name, some in of.jobs(cameras)]
    total = sum(len(some) for _, _, some in jobs)

    def pictures_done(done: int) -> None:
        if progress is not None and jobs:
            share = done / len(jobs)
            progress(FILM_SHARE + (1.0 - FILM_SHARE) * share, f"{round(share * total)} of {total} pictures")

    results(executor, pictures, jobs, pictures_done)
    return of


def film(folder: str, name: str) -> None:
    """Makes a film: what a job does; arguments as of `making.make_film`."""
    from .making import make_film

    make_film(folder, name)


def pictures(folder: str, name: str, chosen: list[tuple[str, int]]) -> None:
    """Makes some pictures: what a job does; arguments as of `making.make_pictures`."""
    from .making import make_pictures

    make_pictures(folder, name, chosen)
