"""The fit of a species to tracks: a search over its habits, on one half of the tracks, judged by the other half.

The first half of the time is fitted, the second judged. Each trial is a world of as many fishes in a tank as theirs;
its figures' quartiles are compared with those of the fitted half, each by the width of its interval there.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Executor
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from ..base.codec import SceneError
from ..farm.jobs import FarmJob, digest_of
from ..farm.running import JobProgress, path_of, result_of, run
from ..farm.takes import BETWEEN_LEARNING_STEP
from ..learning.searches import Evolution
from ..scene.species import Species
from .arena import Arena, margin_of
from .figures import FIGURES, all_quartiles, measured, resampled
from .intervals import intervals
from .numbers import MANNERS, QUICKNESS, begin, fit_numbers, species_with_habits, values_at
from .trials import SWIM_CALL, TRIAL_CALL
from .tuning import (
    FIT_CANDIDATES,
    FIT_STEP,
    JUDGED_SHARES,
    JUDGED_WORLDS,
    LEAST_FIGURE_SCALE,
    LOOK_RATE,
    SHORTEST_TRACK_SECONDS,
    SLOWER_BEATS,
    SWEPT_SHARES,
    TRIAL_RANGE_SECONDS,
)

JUDGED_FROM = 100_000
"""First seed of the worlds in which a fit is judged; those that were searched have lesser ones."""
MISSED = 10.0
"""Interval widths by which a figure counts as off that ours do not have at all."""
SPEED = "speed"
"""The figure by which quickness is guessed."""
Progress = Callable[[float, str], None]


@dataclass(frozen=True, eq=False)
class TrackHalves:
    """Tracks of fishes in body lengths, in two halves of time.

    Attributes:
        fitted: Places of the first half, (frame, fish, 2), at `LOOK_RATE`.
        judged: Those of the second half.
        arena: Their tank, in lengths.
        seconds: Length of a half.
    """

    fitted: np.ndarray
    judged: np.ndarray
    arena: Arena
    seconds: float

    @classmethod
    def of(
        cls, places: np.ndarray, fps: float, length: float, arena: Arena | None = None
    ) -> tuple[TrackHalves, list[str]]:
        """The halves of tracks, and notes on them.

        Args:
            places: (frame, fish, 2 or 3) in metres; NaN where a fish is not there.
            fps: Frames a second.
            length: Length of a body in metres.
            arena: The tank in metres; around all places if left out.

        Raises:
            SceneError: They are too short to be halved.
        """
        frames = len(places)
        if frames / fps < SHORTEST_TRACK_SECONDS:
            allowed = f"{SHORTEST_TRACK_SECONDS:g} s or more, of which one half is fitted and the other judged"
            raise SceneError(f"tracks of {frames / fps:.3g} s", allowed, key="--fps")
        places = places[..., :2] / length
        notes = []
        if arena is None:
            arena = Arena.around(places, margin_of(1.0))
            kind = "circle" if arena.round else "rectangle"
            notes.append(f"the tank is taken for the {kind} around all places: --arena has it as it was")
        else:
            arena, factor = arena.scaled(1.0 / length).grown(places)
            if factor > 1.0:
                notes.append(f"some places are outside the arena, which is taken to be {factor:.3g} times as large")
        half = frames // 2
        first, second = (resampled(part, fps) for part in (places[:half], places[half : 2 * half]))
        return cls(first, second, arena, half / fps), notes

    @property
    def fishes(self) -> int:
        """Their number."""
        return self.fitted.shape[1]


@dataclass(frozen=True, eq=False)
class FittedFigures:
    """The outcome of a fit, figure by figure; quantiles are (figure, quantile).

    Attributes:
        species: The species that was found.
        values: Values that were found, by their keys.
        fitted, judged: Quantiles of both halves.
        ends: Intervals of the judged half, (figure, quantile, 2).
        before, after: Quantiles of the species as it was, and of what was found.
        samples: Samples of each figure, by the same four names and then by the figures' keys.
        paths: Places in lengths, by the same names, (frame, fish, 2).
        losses: Distance from the fitted half of the species as it was, and of what was found.
        tried: Worlds that were simulated for the search.
    """

    species: Species
    values: Mapping[str, float]
    fitted: np.ndarray
    judged: np.ndarray
    ends: np.ndarray
    before: np.ndarray
    after: np.ndarray
    samples: Mapping[str, Mapping[str, np.ndarray]]
    paths: Mapping[str, np.ndarray]
    losses: tuple[float, float]
    tried: int

    @cached_property
    def known(self) -> np.ndarray:
        """Figures of which both halves have samples, (figure,) bool."""
        return np.isfinite(self.ends).all(axis=(1, 2)) & np.isfinite(self.fitted).all(axis=1)

    def within(self, quantiles: np.ndarray) -> np.ndarray:
        """Which of these are within their intervals of the judged half, (figure, quantile) bool."""
        return (quantiles >= self.ends[..., 0]) & (quantiles <= self.ends[..., 1])

    def count(self, quantiles: np.ndarray) -> int:
        """The number of known figures that have all their quantiles within."""
        return int((self.within(quantiles).all(axis=1) & self.known).sum())


class SpeciesFit:
    """The search for the habits with which fishes of a species move as tracked ones."""

    def __init__(self, halves: TrackHalves, species: Species, folder: Path, seed: int = 0) -> None:
        """Prepares.

        Args:
            halves: The tracks.
            species: The species that it begins with, as long as the tracked fishes are.
            folder: Folder of the trials' results; what is there already is not tried again.
            seed: Of the search and its worlds.
        """
        self.halves, self.species, self.folder, self.seed = halves, species, folder, seed
        self.numbers = fit_numbers(species)
        self.fitted = measured(halves.fitted, LOOK_RATE, halves.arena)
        self.target = all_quartiles(self.fitted)
        ends = intervals(self.fitted, LOOK_RATE, seed)
        self.scale = np.maximum(0.5 * (ends[..., 1] - ends[..., 0]), LEAST_FIGURE_SCALE * np.abs(self.target))
        self._used: list[FarmJob] = []
        self.tried = 0

    @cached_property
    def common(self) -> dict[str, Any]:
        """The data that all jobs have in common, by its digest."""
        least, most = TRIAL_RANGE_SECONDS
        data = {
            "species": self.species.to_dict(),
            "arena": self.halves.arena.to_dict(),
            "fishes": self.halves.fishes,
            "seconds": min(max(self.halves.seconds, least), most),
        }
        return {digest_of(data): data}

    def loss(self, quantiles: np.ndarray) -> float:
        """The distance of quantiles from those of the fitted half: 0 if alike; what is far off counts by its logarithm.

        So no figure that our fishes cannot have at all outweighs those that they can.
        """
        off = (quantiles - self.target) / self.scale
        off = np.where(np.isfinite(off), off, MISSED)[np.isfinite(self.target)]
        return float(np.log1p(np.square(off)).mean())

    def run(self, executor: Executor, generations: int, progress: Progress | None = None) -> FittedFigures:
        """Searches, and judges what was found.

        Raises:
            SceneError: Trials failed twice, or the folder cannot be written.
        """
        steps = generations + 3
        looking = _part(progress, 0, steps, "first look")
        own = self._swept(self._mannered(self._begin(executor), executor, looking), executor, looking)
        search = Evolution(np.zeros(len(own)), FIT_CANDIDATES, self.seed, 1)
        stretch = FIT_STEP / BETWEEN_LEARNING_STEP
        for step in range(generations):
            points = own + stretch * search.ask()
            values = [values_at(self.numbers, point) for point in points]
            doing = f"generation {step + 1} of {generations}"
            search.tell(self._losses(values, self.seed + step, executor, _part(progress, step + 1, steps, doing)))
        chosen = [{}, *(values_at(self.numbers, own + stretch * one) for one in (search.mean, search.best))]
        return self._judged(chosen, executor, _part(progress, generations + 1, steps, "judging"))

    def _begin(self, executor: Executor) -> np.ndarray:
        """Where the search begins, as shares of the ranges: the species as it is, but as quick as the tracks."""
        job = self._job(TRIAL_CALL, {}, self.seed)
        self._done([job], executor, None)
        speed = [figure.key for figure in FIGURES].index(SPEED)
        middle = len(JUDGED_SHARES) // 2
        own = result_of(job, self.folder)[speed][middle]
        own_shares = begin(self.species, self.numbers)
        if own and np.isfinite(self.target[speed, middle]):
            row = [one.key for one in self.numbers].index(QUICKNESS)
            quickness = self.numbers[row]
            ratio = self.target[speed, middle] / own
            own_shares[row] = quickness.share(float(np.clip(ratio, quickness.low, quickness.high)))
        return own_shares

    def _mannered(self, begin: np.ndarray, executor: Executor, report: Callable | None) -> np.ndarray:
        """Where that begins, once manners of fish have been tried, each at several paces: with those that come nearer.

        Who kicks and glides does so by quicker beats than it swims with, so beats that are slower in all are tried too.
        """
        own = begin.copy()
        least = self._losses([values_at(self.numbers, own)], self.seed, executor, None)[0]
        rows = {one.key: row for row, one in enumerate(self.numbers)}
        quickness = self.numbers[rows[QUICKNESS]]
        for manner in MANNERS:
            points = np.repeat(own[None], len(SLOWER_BEATS), axis=0)
            for point, slower in zip(points, SLOWER_BEATS, strict=True):
                for key in manner.keys() & rows.keys():
                    point[rows[key]] = self.numbers[rows[key]].share(manner[key])
                beats = slower * quickness.at(own[rows[QUICKNESS]])
                point[rows[QUICKNESS]] = quickness.share(float(np.clip(beats, quickness.low, quickness.high)))
            losses = self._losses([values_at(self.numbers, one) for one in points], self.seed, executor, report)
            if losses.min() < least:
                own, least = points[losses.argmin()], float(losses.min())
        return own

    def _swept(self, begin: np.ndarray, executor: Executor, report: Callable | None) -> np.ndarray:
        """Where the search begins, once each number in turn has been tried all over its range: where that was best.

        What a search by small steps finds depends on where it begins: from a dense school it never comes to loners.
        """
        own = begin.copy()
        least = self._losses([values_at(self.numbers, own)], self.seed, executor, None)[0]
        for row in range(len(own)):
            points = np.repeat(own[None], len(SWEPT_SHARES), axis=0)
            points[:, row] = SWEPT_SHARES
            losses = self._losses([values_at(self.numbers, one) for one in points], self.seed, executor, report)
            if losses.min() < least:
                own, least = points[losses.argmin()], float(losses.min())
        return own

    def _losses(
        self, values: Sequence[Mapping[str, float]], seed: int, executor: Executor, report: Callable | None
    ) -> np.ndarray:
        jobs = [self._job(TRIAL_CALL, one, seed) for one in values]
        self._done(jobs, executor, report)
        self.tried += len(jobs)
        found = [np.array(result_of(job, self.folder), dtype=float) for job in jobs]
        return np.array([self.loss(quantiles) for quantiles in found])

    def _judged(
        self, chosen: Sequence[Mapping[str, float]], executor: Executor, report: Callable | None
    ) -> FittedFigures:
        """The outcome: the one of these that comes nearest to the fitted half in other worlds, the first as it was."""
        worlds = [self.seed + JUDGED_FROM + row for row in range(JUDGED_WORLDS)]
        jobs = [[self._job(SWIM_CALL, one, seed) for seed in worlds] for one in chosen]
        self._done([job for row in jobs for job in row], executor, report)
        arena, paths, samples = self.halves.arena, [], []
        for row in jobs:
            places = [np.array(result_of(job, self.folder), dtype=float) for job in row]
            each = [measured(one, LOOK_RATE, arena) for one in places]
            paths.append(places[0])
            samples.append({figure.key: np.concatenate([one[figure.key] for one in each]) for figure in FIGURES})
        quantiles = [all_quartiles(one) for one in samples]
        losses = [self.loss(one) for one in quantiles]
        best = int(np.argmin(losses))
        unseen = measured(self.halves.judged, LOOK_RATE, arena)
        return FittedFigures(
            species_with_habits(self.species, chosen[best]),
            chosen[best],
            self.target,
            all_quartiles(unseen),
            intervals(unseen, LOOK_RATE, self.seed + 1),
            quantiles[0],
            quantiles[best],
            {"fitted": self.fitted, "judged": unseen, "before": samples[0], "after": samples[best]},
            {"fitted": self.halves.fitted, "judged": self.halves.judged, "before": paths[0], "after": paths[best]},
            (losses[0], losses[best]),
            self.tried,
        )

    def _job(self, call: str, values: Mapping[str, float], seed: int) -> FarmJob:
        (common,) = self.common
        return FarmJob(call, {"values": dict(values), "seed": seed}, f"trial of seed {seed}", common)

    def _done(self, jobs: Sequence[FarmJob], executor: Executor, report: Callable | None) -> None:
        self._used += jobs
        failed = run(jobs, executor, self.folder, report)
        if failed:
            raise SceneError(failed[0].line(), "trials that end", key="fit")

    def clear(self) -> None:
        """Removes the results of the trials, and their folder if nothing else is in it."""
        for job in self._used:
            path_of(job, self.folder).unlink(missing_ok=True)
        with suppress(OSError):
            self.folder.rmdir()


def named(found: FittedFigures, name: str, tracks: str) -> Species:
    """The species that was found, under a name, which says what it was fitted to."""
    total = int(found.known.sum())
    said = f"{tracks}: {found.count(found.after)} of {total} figures within the intervals of the half not fitted"
    common_name = name.replace("_", " ").replace("-", " ").strip().capitalize() or name
    return replace(found.species, name=name, common_name=common_name, latin_name="", fitted=said)


def _part(progress: Progress | None, step: int, steps: int, doing: str) -> Callable[[JobProgress], None] | None:
    if progress is None:
        return None
    return lambda state: progress((step + state.share) / steps, f"{doing}: {state.text()}")
