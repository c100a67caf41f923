"""The shots of a film side by side, each a job of the farm that bakes and renders into the film's own folder.

Blender is loaded by the workers only: what it adds to the path keeps a process that is begun then from loading it.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from concurrent.futures import Executor

from ...core.farm.running import results
from ...core.studio.film import Film


def shoot_all(
    executor: Executor,
    name: str,
    folder: str | os.PathLike[str],
    progress: Callable[[float, str], None] | None = None,
    *,
    file: str,
    quality: str = "draft",
    only: tuple[int, int] | None = None,
    stills: bool = False,
) -> None:
    """Makes all shots of a film that are not made yet; `make` cuts them then.

    Args:
        executor: Runs the jobs; its workers see the film and the folder under the same paths.
        name: The film: a preset's name or a path.
        folder: An existing folder for all files.
        progress: Called with the share done and a text.
        file: Path of the film.
        quality: "draft" or "final".
        only: The first and the last shot to make, counted from 1; all if left out.
        stills: Whether only the picture in the middle of each shot is made.

    Raises:
        SceneError: A shot cannot be filmed, or what it expects does not happen in it.
    """
    film = name if os.path.abspath(file) != os.path.abspath(name) else os.path.abspath(name)
    rows = Film.load(name).rows(only, file)
    cases = [(film, os.path.abspath(folder), row, quality, os.path.abspath(file), stills) for row in rows]

    def report(done: int) -> None:
        if progress is not None:
            progress(0.97 * done / len(cases), f"{done} of {len(cases)} shots")

    results(executor, shoot, cases, report)


def shoot(name: str, folder: str, row: int, quality: str, file: str, stills: bool) -> None:
    """Makes one shot: what a job does; arguments as of `shoot_all`."""
    from .making import shoot_alone

    shoot_alone(Film.load(name), folder, row, quality, file, stills)
