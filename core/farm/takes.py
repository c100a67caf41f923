"""Takes: one scene lived through many times, with other seeds and other numbers, and the best by what is wished.

A take is a job that simulates no longer than any wish looks, and hands back scores. Of the best the recordings are made
whole and kept, which are those that `artfish simulate` would make.
"""

from __future__ import annotations

import base64
import csv
import io
import os
import shutil
import tempfile
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Executor
from contextlib import suppress
from dataclasses import dataclass, field
from math import ceil
from pathlib import Path
from typing import Any

import numpy as np

from ..base.codec import SceneError, encode
from ..base.files import write_json, writing
from ..learning.searches import Evolution
from ..recording import Recording
from ..scene.scene import Scene
from ..scene.species import Species
from ..world.world import World
from .jobs import FarmJob, digest_of
from .running import EnoughError, FailedJob, JobProgress, only, path_of, result_of, run
from .scoring import part_names, scored
from .sheet import SheetRow, contact_sheet, small_sheet
from .tuning import SEARCH_STEP, TAKES_A_GENERATION
from .varying import Variation, varied
from .wishes import WishList, wishes_of

TAKE, KEEP = "artfish.core.farm.takes:take", "artfish.core.farm.takes:keep"
TABLE, CONTACT_SHEET, KEPT, RESULTS = "takes.csv", "takes.png", "kept.json", "jobs"
"""Names in the folder of the takes: their table, the contact sheet, the list of its rows, the folder of all results."""
BETWEEN_LEARNING_STEP = 0.03
"""The first step of `Evolution`, which is made for samples of a muscle: the search's own is scaled by it."""


@dataclass(frozen=True)
class SceneSource:
    """A scene as plain data, as many jobs have it in common.

    Attributes:
        file: Name of the scene's origin in messages.
        scene: The scene.
        species: Species beside it, by their names.
        wishes: The wishes.
    """

    file: str
    scene: dict[str, Any]
    species: dict[str, Any]
    wishes: list[dict[str, Any]]

    @classmethod
    def of(cls, scene: Scene, wishes: WishList) -> SceneSource:
        """The source of a scene that has been read, and of wishes."""
        models = {name: model.to_dict() for name, model in scene.models.items()}
        return cls(scene.source, scene.to_dict(), models, encode(wishes)["wishes"])

    def to_dict(self) -> dict[str, Any]:
        """It as JSON holds it."""
        return {"file": self.file, "scene": self.scene, "species": self.species, "wishes": self.wishes}


@dataclass(frozen=True)
class TakeRow:
    """A take that was made.

    Attributes:
        number: Its number, from 0.
        seed: Its seed.
        values: Values that vary, by their keys.
        score: 0 to 1.
        parts: The score of each wish.
        moment: Seconds of the event that was wished; None without.
        sketch: Its small sheet, the bytes of a PNG file; empty where none was asked for.
    """

    number: int
    seed: int
    values: Mapping[str, Any]
    score: float
    parts: tuple[float, ...]
    moment: float | None
    sketch: bytes = b""


@dataclass
class Takes:
    """The result of many takes.

    Attributes:
        rows: All that were made, in their order.
        ended: Whether it was ended before all were made.
        kept: The best, the best first.
        failed: The jobs that failed.
    """

    rows: list[TakeRow] = field(default_factory=list)
    ended: bool = False
    kept: list[TakeRow] = field(default_factory=list)
    failed: list[FailedJob] = field(default_factory=list)

    def best(self, count: int) -> list[TakeRow]:
        """So many of those that were made, the best first."""
        return sorted(self.rows, key=lambda row: (-row.score, row.number))[:count]


_read: list[tuple[Any, Scene, dict[str, Species], WishList]] = []


def take(data: Mapping[str, Any], common: Mapping[str, Any]) -> dict[str, Any]:
    """The scores of one take: a job's function.

    Args:
        data: Its "seed", the "values" that vary by their keys, whether it is simulated "whole", and whether it comes
            with a "sketch".
        common: The `SceneSource`.
    """
    recording, wishes = _lived(data, common)
    found = scored(recording, wishes)
    moment = None if found.moment is None else round(found.moment / recording.fps, 6)
    made = {"score": found.score, "parts": list(found.parts), "moment": moment}
    if data.get("sketch"):
        sketch = small_sheet(SheetRow("", recording, moment), wishes.first_camera(recording.scene))
        made["sketch"] = base64.b64encode(sketch).decode()
    return made


def keep(data: Mapping[str, Any], common: Mapping[str, Any]) -> bytes:
    """The recording of one take as the bytes of its file: a job's function; arguments as of `take`."""
    recording, _ = _lived(data, common)
    with tempfile.TemporaryDirectory(prefix="artfish") as folder:
        path = Path(folder, "take.npz")
        recording.save(path)
        return path.read_bytes()


def _lived(data: Mapping[str, Any], common: Mapping[str, Any]) -> tuple[Recording, WishList]:
    scene, species, wishes = _source(common)
    if data["values"]:
        scene = scene_with(scene, data["values"])
    looked = min(scene.frames, max(1, ceil(wishes.until(scene) * scene.fps)))
    world = World(scene, seed=data["seed"], species=species or None)
    return world.simulate(scene.frames if data["whole"] else looked), wishes


def _source(common: Mapping[str, Any]) -> tuple[Scene, dict[str, Species], WishList]:
    """The scene of jobs that have one in common, read once a process."""
    if not _read or _read[0][0] is not common:
        scene, species = scene_of(common)
        _read[:] = [(common, scene, species, wishes_of(list(common["wishes"]), scene))]
    return _read[0][1:]


def scene_of(source: Mapping[str, Any]) -> tuple[Scene, dict[str, Species]]:
    """The scene of a `SceneSource` as JSON holds it, and the species beside it."""
    species = {name: Species.from_dict(data, f"{name}.json") for name, data in source["species"].items()}
    scene = Scene.from_dict(dict(source["scene"]), source["file"], {*Species.names(), *species}, None)
    object.__setattr__(scene, "models", species)
    return scene, species


def scene_with(scene: Scene, values: Mapping[str, Any]) -> Scene:
    """A scene with other values at some keys, as `varying.Variation` names them.

    Raises:
        SceneError: With these values it is none.
    """
    known = {*Species.names(), *scene.models}
    made = Scene.from_dict(varied(scene.to_dict(), values), scene.source, known, None)
    object.__setattr__(made, "models", scene.models)
    return made


@dataclass
class TakeSearch:
    """Many takes of a scene, in a folder.

    Attributes:
        scene: The scene.
        wishes: The wishes.
        seeds: The seed of each take.
        variations: Numbers of the scene that vary; seeds alone without.
        folder: Folder of all that comes of it.
        best: Number of takes to keep.
        sketched: Whether each take comes with its small sheet.
    """

    scene: Scene
    wishes: WishList
    seeds: range
    variations: Sequence[Variation]
    folder: Path
    best: int = 5
    sketched: bool = False

    def __post_init__(self) -> None:
        source = SceneSource.of(self.scene, self.wishes).to_dict()
        self._digest = digest_of(source)
        self.common = {self._digest: source}

    @property
    def results(self) -> Path:
        """The folder of the jobs' results."""
        return self.folder / RESULTS

    def job(self, number: int, values: Mapping[str, Any], whole: bool = False) -> FarmJob:
        """The job of a take, or of its recording where it is wanted whole."""
        seed = self.seeds[number]
        data = {"seed": seed, "values": dict(values), "whole": whole}
        if self.sketched and not whole:
            data["sketch"] = True
        call, suffix = (KEEP, ".npz") if whole else (TAKE, ".json")
        return FarmJob(call, data, f"take {number} (seed {seed})", self._digest, suffix)

    def task(self, number: int, executor: Executor) -> list[FailedJob]:
        """Makes the take of a number only, as one of an array of tasks.

        Raises:
            SceneError: There is no such take, or takes learn from one another.
        """
        if any(one.searchable for one in self.variations):
            raise SceneError("with ranges that are searched", "without, or with choices alone", key="--task")
        return run(only(self._jobs(self._drawn()), number), executor, self.results)

    def make(self, executor: Executor, progress: Callable[[float, str], None] | None = None) -> Takes:
        """Makes all takes that are not made yet, and keeps the best.

        Args:
            executor: Runs the jobs; it has what they have in common.
            progress: Called with the share done and a text.
        """

        def scored_so_far(state: JobProgress) -> None:
            if progress is not None:
                progress(0.97 * state.share, state.text())

        def kept_so_far(state: JobProgress) -> None:
            if progress is not None:
                progress(0.97 + 0.03 * state.share, f"keeping {state.text()}")

        found = self.score(executor, scored_so_far)
        if not found.rows:
            return found
        order = found.best(self.best)
        jobs = [self.job(row.number, row.values, whole=True) for row in order]
        failed = run(jobs, executor, self.results, kept_so_far)
        lost = {id(one.job) for one in failed}
        found.failed += failed
        found.kept = [row for row, job in zip(order, jobs, strict=False) if id(job) not in lost]
        for row in found.kept:
            self._keep(row)
        with writing(self.folder / TABLE) as stream:
            stream.write(self.table(found).encode())
        if found.kept:
            self._draw(found.kept)
        return found

    def score(self, executor: Executor, progress: Callable[[JobProgress], None] | None = None) -> Takes:
        """Makes all takes that are not made yet, and keeps none.

        Args:
            executor: As of `make`.
            progress: Called whenever a take is over, and now and then between; where it raises `EnoughError`, no
                further take is made, and those that are done are the result.
        """
        found = Takes()
        try:
            if any(one.searchable for one in self.variations):
                self._search(found, executor, progress)
            else:
                self._run(found, 0, self._drawn(), executor, progress)
        except EnoughError:
            found.ended = True
        return found

    def name(self, row: TakeRow) -> str:
        """The stem of the files of a take that is kept."""
        return f"take_{row.number:04d}_seed_{row.seed}"

    def recording(self, row: TakeRow) -> Recording:
        """The recording of a take that is kept."""
        return Recording.load(self.folder / f"{self.name(row)}.npz")

    def table(self, found: Takes) -> str:
        """All takes as a table of comma-separated values."""
        keys = [one.key for one in self.variations]
        rank = {row.number: place for place, row in enumerate(found.kept, 1)}
        stream = io.StringIO()
        writer = csv.writer(stream, lineterminator="\n")
        writer.writerow(["take", "seed", *keys, "score", *part_names(self.wishes), "seconds", "kept"])
        for row in found.rows:
            seconds = "" if row.moment is None else f"{row.moment:.3f}"
            values = [row.values[key] for key in keys]
            writer.writerow([row.number, row.seed, *values, row.score, *row.parts, seconds, rank.get(row.number, "")])
        return stream.getvalue()

    def _keep(self, row: TakeRow) -> None:
        """Puts the recording of a take, and its scene where that varies, beside the table."""
        source = path_of(self.job(row.number, row.values, whole=True), self.results)
        target = self.folder / f"{self.name(row)}.npz"
        with suppress(OSError):
            if target.exists() and os.path.samefile(source, target):
                return
        with suppress(OSError):
            target.unlink(missing_ok=True)
        try:
            os.link(source, target)
        except OSError:  # another disk, or one without links
            shutil.copyfile(source, target)
        if row.values:
            scene_with(self.scene, row.values).save(self.folder / f"{self.name(row)}.json")

    def _draw(self, kept: Sequence[TakeRow]) -> None:
        """Draws the contact sheet of those that are kept, and lists them in its order."""
        rows, listed = [], []
        for place, row in enumerate(kept, 1):
            recording = self.recording(row)
            at = "" if row.moment is None else f"  {row.moment:.2f} s"
            title = f"{place}  take {row.number}  seed {row.seed}  score {row.score:.3f}{at}"
            rows.append(SheetRow(title, recording, row.moment))
            listed.append(
                {"file": f"{self.name(row)}.npz", "seed": row.seed, "score": row.score, "seconds": row.moment}
            )
        contact_sheet(rows, self.folder / CONTACT_SHEET, self.wishes.first_camera(self.scene))
        write_json(self.folder / KEPT, {"sheet": CONTACT_SHEET, "rows": listed})

    def _drawn(self) -> list[dict[str, Any]]:
        """Random values for each take, by its number alone."""
        return [self._random(number, {}) for number in range(len(self.seeds))]

    def _random(self, number: int, values: Mapping[str, Any]) -> dict[str, Any]:
        """The values of a take: those given, and the others at random."""
        dice = np.random.default_rng([self.seeds.start, number])
        found: dict[str, Any] = {}
        for one in self.variations:
            found |= one.placed(values[one.key] if one.key in values else one.drawn(dice))
        return found

    def _jobs(self, values: Sequence[Mapping[str, Any]], first: int = 0) -> list[FarmJob]:
        return [self.job(first + row, one) for row, one in enumerate(values)]

    def _run(
        self,
        found: Takes,
        first: int,
        values: Sequence[Mapping[str, Any]],
        executor: Executor,
        progress: Callable[[JobProgress], None] | None,
    ) -> list[float]:
        """Makes takes from a number on; returns their scores, 0 of those that failed.

        Raises:
            EnoughError: As of `score`; what is done is found.
        """
        jobs, total = self._jobs(values, first), len(self.seeds)

        def report(state: JobProgress) -> None:
            if progress is not None:
                progress(JobProgress(total, first + state.done, first + state.found, state.failed, state.begun))

        try:
            found.failed += run(jobs, executor, self.results, report)
        finally:
            rows = [self._row(first + row, values[row], job) for row, job in enumerate(jobs)]
            found.rows += filter(None, rows)
        return [0.0 if row is None else row.score for row in rows]

    def _row(self, number: int, values: Mapping[str, Any], job: FarmJob) -> TakeRow | None:
        """The take of a job; None where that has failed, or was not done."""
        if not path_of(job, self.results).exists():
            return None
        result = result_of(job, self.results)
        parts, sketch = tuple(result["parts"]), base64.b64decode(result.get("sketch", ""))
        return TakeRow(number, self.seeds[number], values, result["score"], parts, result["moment"], sketch)

    def _search(self, found: Takes, executor: Executor, progress: Callable[[JobProgress], None] | None) -> None:
        """Makes takes a generation at a time, each from what the one before has found."""
        ranges, total = [one for one in self.variations if one.searchable], len(self.seeds)
        search = Evolution(np.zeros(len(ranges)), TAKES_A_GENERATION, self.seeds.start, 1)
        for first in range(0, total, TAKES_A_GENERATION):
            points = 0.5 + search.ask() * (SEARCH_STEP / BETWEEN_LEARNING_STEP)
            values = []
            for row, point in enumerate(points[: total - first]):
                reals = {one.key: one.at(float(share)) for one, share in zip(ranges, point, strict=True)}
                values.append(self._random(first + row, reals))
            scores = self._run(found, first, values, executor, progress)
            search.tell(np.array([*(-score for score in scores), *[np.inf] * (len(points) - len(scores))]))
