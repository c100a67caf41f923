"""Learning to swim: practice after practice, from nothing, until time or steps are up; it goes on where it stopped."""

from __future__ import annotations

import base64
import binascii
import os
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np

from ..base.codec import Place, SceneError, shown
from ..base.files import read_json, write_json
from ..base.formats import stamped, unstamped
from ..motor.tuning import MOST_CONTRACTION
from ..scene.controller import Controller
from ..scene.species import Species
from .drills import from_lessons
from .learned import CONTROL_SAMPLES, Learned, digest_of
from .practice import Practice
from .searches import Annealing, Evolution, Search
from .tasks import Task, effort
from .tuning import (
    BEAT_UNITS,
    CANDIDATES,
    DURATION_RANGE,
    DURATION_SPREAD,
    EXCESS_WEIGHT,
    FIRST_CONTRACTION,
)

SEARCHES: dict[str, Callable[..., Search]] = {"annealing": Annealing, "cma": Evolution}
MOST_SCORES = 4000
"""Most scores in a file: a long search keeps every other one, again and again."""


class Learner:
    """A species that learns one task.

    Attributes:
        task: Task that it practises.
        scores: Steps, and the best objective by then.
        latest: The least that the objective was among the candidates of the last step; infinite before.
    """

    def __init__(
        self,
        species: Species,
        task: Task,
        method: str = "cma",
        seed: int = 0,
        interpolation: str = "cubic",
        candidates: int = CANDIDATES,
    ):
        """Begins from nothing: all muscles at rest, and nothing known of the body but that it has them."""
        self.species, self.task, self.method, self.seed = species, task, method, seed
        self._interpolation = interpolation
        self.practice = Practice(species, candidates, task.current)
        begin = np.full(self.practice.muscles * CONTROL_SAMPLES + 1, FIRST_CONTRACTION)
        begin[-1] = 0.0
        self._search = SEARCHES[method](begin, candidates, seed, CONTROL_SAMPLES)
        self.scores: list[tuple[int, float]] = []
        self.latest, self._stride = float("inf"), 1

    @property
    def steps(self) -> int:
        """Number of steps done."""
        return self._search.steps

    @property
    def score(self) -> float:
        """The least that the objective was."""
        return self._search.score

    def step(self) -> None:
        """One step of the search: all candidates practise once."""
        values = self.objective(self._search.ask())
        self.latest = float(values.min())
        self._search.tell(values)
        if self.steps % self._stride == 0:
            self.scores.append((self.steps, self.score))
        if len(self.scores) > MOST_SCORES:
            self.scores, self._stride = self.scores[1::2], 2 * self._stride

    def objective(self, points: np.ndarray) -> np.ndarray:
        """E of points of the search, (candidate, n)."""
        samples, durations = self._controls(points)
        film = self.practice.film(self.practice.lengths(samples, durations, self._interpolation))
        able = np.clip(samples, 0.0, MOST_CONTRACTION)
        excess = EXCESS_WEIGHT * np.square(samples - able).sum(axis=(1, 2)) / samples.shape[1]
        value = effort(able, durations, film.units) + self.task.trajectory(film) + excess
        return np.where(np.isfinite(value), value, 1e9)

    def learned(self) -> Learned:
        """The best so far."""
        samples, durations = self._controls(self._search.best[None])
        rows = np.round(np.clip(samples[0], 0.0, MOST_CONTRACTION), 6).tolist()
        return Learned(
            species=self.species.name,
            digest=digest_of(self.species),
            task=self.task.kind,
            goal=self.task.goal,
            duration=round(float(durations[0]) * self.species.time_scale, 9),
            interpolation=self._interpolation,
            samples=tuple(map(tuple, rows)),
            method=self.method,
            seed=self.seed,
            candidates=self.practice.candidates,
            steps=self.steps,
            scores=tuple((float(step), round(score, 6)) for step, score in self.scores),
        )

    def to_dict(self) -> dict:
        """The learned task, and everything needed to go on."""
        state = {name: _packed(value) for name, value in self._search.state().items()}
        return {**self.learned().to_dict(), "search": {**state, "stride": self._stride}}

    def go_on(self, data: dict, file: str) -> bool:
        """Goes on from what `to_dict` made, if it is of the same body, task, method and seed; says whether it does.

        Raises:
            SceneError: If it is, and what it says of its search is damaged.
        """
        learned, place = Learned.from_dict(data, file), Place(file).under("search")
        own = self.learned()
        same = all(
            getattr(learned, name) == getattr(own, name)
            for name in ("digest", "task", "goal", "method", "seed", "candidates")
        )
        search = data.get("search")
        if not same or not isinstance(search, dict):
            return False
        try:
            present = self._search.state()
            state = {name: _unpacked(search[name]).reshape(value.shape) for name, value in present.items()}
            self._search.restore(state)
            stride = int(search["stride"])
            if self.steps != learned.steps or stride < 1:
                raise ValueError("other steps")
        except (KeyError, TypeError, ValueError, AttributeError, binascii.Error):
            place.refuse("what is no state of this search", "what artfish learn wrote, or a new file")
        self.scores, self._stride = [(int(step), float(score)) for step, score in learned.scores], stride
        return True

    def _controls(self, points: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Samples (candidate, m, 15), and the book units of time that all take, (candidate,), of points."""
        durations = BEAT_UNITS * np.exp(DURATION_SPREAD * np.clip(points[:, -1], -1.0, 1.0))
        samples = points[:, :-1].reshape(len(points), -1, CONTROL_SAMPLES)
        return samples, np.clip(durations, *DURATION_RANGE)


DRILLS = "swim", "left", "right"
"""The tasks learned for a controller with its maps."""


def learners(
    species: Species,
    task: str,
    goal: tuple[float, ...] = (),
    method: str = "cma",
    seed: int = 0,
    candidates: int = CANDIDATES,
) -> list[Learner]:
    """The learners of a task of the name: one, or for `all` one for each drill.

    Raises:
        SceneError: If the goal is none of the task's.
    """
    if task == "all" and goal:
        raise SceneError(shown(list(goal)) + " for all", "no goal", key="--goal")
    tasks = [Task(kind, species, goal) for kind in (DRILLS if task == "all" else [task])]
    return [Learner(species, one, method, seed, candidates=candidates) for one in tasks]


def go_on(some: Sequence[Learner], path: str | os.PathLike[str], most_steps: int | None) -> bool:
    """Has learners go on from where a file says that the same ones stopped; says whether they do.

    Args:
        some: Learners at their beginning; they stay there if the file has gone beyond so many steps, or is no such
            file.
        path: Path of the file, which need not exist.
        most_steps: Most steps of each.

    Raises:
        SceneError: If it is of the same, and damaged, or a newer Artfish wrote it.
    """
    try:
        data = read_json(path) if Path(path).exists() else {}
    except SceneError:
        return False
    if "learned" in data:
        data = unstamped("search", data, os.fspath(path))
    parts = data.get("learned") if len(some) > 1 else [data]
    if not isinstance(parts, list) or len(parts) != len(some) or not all(isinstance(part, dict) for part in parts):
        return False
    if any("search" not in part for part in parts):
        return False
    steps = [part.get("steps") for part in parts]
    if any(not isinstance(one, int) or (most_steps is not None and one > most_steps) for one in steps):
        return False
    return all(one.go_on(part, os.fspath(path)) for one, part in zip(some, parts, strict=True))


def keep(some: Sequence[Learner], path: str | os.PathLike[str]) -> None:
    """Writes all that learners need to go on, whole or not at all.

    Raises:
        SceneError: If it cannot be written.
    """
    parts = [one.to_dict() for one in some]
    write_json(path, stamped("search", parts[0] if len(parts) == 1 else {"learned": parts}))


def refuse_there(path: str | os.PathLike[str], species: str = "") -> None:
    """Refuses an existing file, so that nothing is lost that was learned for hours; names its kind.

    Args:
        path: Path of the file to be written.
        species: Species whose controller may be overwritten all the same, since the learning at hand made it; none if
            empty.

    Raises:
        SceneError: If it is there.
    """
    if not Path(path).exists():
        return
    try:
        data = read_json(path)
    except SceneError:
        data = {}
    if species and data.get("species") == species and "swims" in data:
        return
    found = "what is no search" if not any(name in data for name in ("search", "learned")) else "another search"
    if "swims" in data:
        found = "a controller"
    elif isinstance(data.get("task"), str):
        parts = (f"{name} {shown(data[name])}" for name in ("species", "task", "method", "seed", "candidates", "steps"))
        found += f" ({', '.join(parts)})" if all(name in data for name in ("method", "seed", "candidates")) else ""
    raise SceneError(found, "a new file, or that of the same search up to as many --steps", file=path)


def taught(some: Sequence[Learner]) -> Controller:
    """The controller, with its maps, of a fish that has learned all drills.

    A fish that has learned only to swim bends in turns as its species does.

    Raises:
        SceneError: If it does not get ahead, or a turn leads the other way.
    """
    return from_lessons(some[0].species, [one.learned() for one in some])


def _packed(value: np.ndarray) -> str:
    """Numbers as text, to the bit."""
    return base64.b64encode(np.asarray(value, "<f8").tobytes()).decode()


def _unpacked(text: str) -> np.ndarray:
    """The numbers of such text."""
    return np.frombuffer(base64.b64decode(text, validate=True), "<f8").copy()
