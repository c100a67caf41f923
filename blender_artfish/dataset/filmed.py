"""The data set of the film that is baked in an open scene, as work in steps: one picture after another.

A picture is made in one step, and the scene is as it was before and after each; so Esc, an undo or an error between two
pictures finds nothing to put back. What is there when the work ends stays, and the next run goes on behind it.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from time import monotonic
from typing import Any

import bpy
import numpy as np

from ...core.base.codec import SceneError
from ...core.base.files import ensure_folder, write_json
from ...core.dataset.cameras import PlacedCamera, SceneCameraOfLabels
from ...core.dataset.conditions import PictureConditions
from ...core.dataset.facts import FilmFacts
from ...core.dataset.filmed import FilmedPlan, begin_film, end_film
from ...core.dataset.gathering import gather
from ...core.dataset.plan import DatasetFolder
from ...core.dataset.raster import NEAREST_SEEN, Raster
from ...core.recording import Recording
from ...core.replicas.tuning import FILM_WIDTH_MM
from ..bake import history
from ..bake.whole_fish import CROWD_ROLE
from ..blender import runtime
from ..blender.background import in_thread
from ..blender.jobs import Job, JobOutcome, Steps
from ..blender.words import counted, translated
from ..fish.individuality import FISH_ID
from ..identity import provenance
from ..identity.film_time import FIRST
from ..identity.units import from_metres, metres
from ..species import library
from .choosing import DatasetCamera, DatasetPace, cameras_of, folder_of, formats_of, frames_of, obstacle_of, standing
from .lenses import optics_of, picture_size
from .making import water, worn
from .pictures import Picturing, view_of
from .rendered import film_by, left_alone, looked_at, picture, sampling
from .seen import fill

PICTURED = 0.95
"""Share of the work that is done once all pictures are there."""
EVEN = 1e-4
"""Relative error within which a bake counts as scaled evenly."""


class DatasetJob(Job[JobOutcome]):
    """The work of a data set.

    Attributes:
        made: Number of pictures that were made.
        enough: Set to end after the present picture.
    """

    def __init__(self, scene: bpy.types.Scene, bake: history.Bake) -> None:
        """The data set of a scene's panel, of the fishes of a bake."""
        self.made, self.enough = 0, False
        super().__init__(partial(_prepare, scene, bake))


class FilmedBake:
    """A bake in an open scene, whose fishes are labelled."""

    def __init__(self, scene: bpy.types.Scene, bake: history.Bake, recording: Recording) -> None:
        """Takes over the scene, its bake, and the bake's recording."""
        self.scene, self.bake, self.recording = scene, bake, recording
        self.first = bake.record.get("first", FIRST)

    def to_water(self, depsgraph: bpy.types.Depsgraph) -> np.ndarray:
        """The matrix from the scene's world, as evaluated, to the water in metres, (4, 4).

        Raises:
            SceneError: The bake was mirrored, or scaled unevenly.
        """
        root = self.bake.root
        if root is None:
            origin = self.bake.record.get("origin", [0.0, 0.0, 0.0])
            placed = np.array(from_metres(_vector(origin), metres(self.scene)))
        else:
            placed = np.array(root.evaluated_get(depsgraph).matrix_world)
        turn = placed[:3, :3]
        scale = float(np.cbrt(np.linalg.det(turn)))
        if scale <= 0.0 or not np.allclose(turn @ turn.T, scale**2 * np.eye(3), atol=EVEN * scale**2):
            found = "a bake that is mirrored, or scaled unevenly"
            raise SceneError(
                found, "one whose empty has one scale along all axes", key="" if root is None else root.name
            )
        return np.linalg.inv(placed)

    def is_labelled(self, obj: bpy.types.Object) -> bool:
        """True for what belongs to this bake; copies, and fishes of other bakes, are scenery."""
        if provenance.of(obj, provenance.BAKE) != self.bake.id or not provenance.is_original(obj):
            return False
        row = obj.get(FISH_ID)
        return row is None or 0 <= int(row) < len(self.recording.species)

    def wears_models(self) -> bool:
        """True if adopted fishes wear their models, as meshes and crowds do; control points have surfaces of ours."""
        objects = self.bake.objects
        crowd = any(provenance.of(obj, provenance.ROLE).startswith(CROWD_ROLE) for obj in objects)
        return crowd or not any(obj.type == "SURFACE" and FISH_ID in obj.keys() for obj in objects)  # noqa: SIM118

    def others(self) -> int:
        """The number of other bakes in the scene."""
        return len(history.made_in(self.scene) - {self.bake.id})


class FilmedPicturing:
    """Makes pictures of a bake in an open scene, with their labels."""

    def __init__(self, of: FilmedBake, plan: FilmedPlan, folder: DatasetFolder, facts: FilmFacts) -> None:
        """Takes over whose pictures it makes, by which plan, and into which folder."""
        self._of, self._plan, self._folder = of, plan, folder
        scene, render = of.scene, of.scene.render
        conditions = PictureConditions(
            exposure=float(scene.view_settings.exposure),
            shutter=float(render.motion_blur_shutter) if render.use_motion_blur else 0.0,
        )
        self._view = {"sensor": FILM_WIDTH_MM, "exposure": conditions.exposure, "shutter": conditions.shutter}
        about = {"film": plan.name, "seed": plan.seed, "water": water(of.recording.scene), "conditions": {}}
        self._picturing = Picturing(folder, plan.film, facts, conditions, about)

    def make(self, camera: DatasetCamera, frame: int) -> bool:
        """Makes a picture and its labels.

        Args:
            camera: The camera.
            frame: The frame of the recording, from 1.

        Returns:
            Whether it was made, as Esc stops it.

        Raises:
            SceneError: It cannot be made.
        """
        scene, files = self._of.scene, self._folder.picture_files(self._plan.name, camera.name, frame, ".png")
        shown = frame - 1 + self._of.first
        seen_by = camera.at(scene, shown)
        if seen_by is None:
            raise SceneError(f"no camera at frame {shown}", "one in the scene, or bound to a marker", key="camera")
        for path in files.values():
            path.parent.mkdir(parents=True, exist_ok=True)
        with left_alone(scene):
            if self._plan.samples and (sampled := sampling(scene)):
                setattr(*sampled, self._plan.samples)
            film_by(scene, seen_by, shown)
            if not picture(scene, files["pictures"]):
                return False
            raster, rows, matrix, lens = looked_at(scene, partial(self._seen, seen_by))
        view = {"lens": lens, **self._view}
        self._picturing.record(raster, rows, matrix, files, camera.name, frame, view)
        return True

    def _seen(
        self, camera: bpy.types.Object, depsgraph: bpy.types.Depsgraph
    ) -> tuple[Raster, np.ndarray, np.ndarray, float]:
        """All that a camera sees: the raster, rows of fishes, the camera's matrix, its lens on a wide sensor in mm."""
        to_water = self._of.to_water(depsgraph)
        seen_by = camera.evaluated_get(depsgraph)
        optics = optics_of(seen_by, self._of.scene)
        own = SceneCameraOfLabels(kind="scene", name="camera")
        matrix = PlacedCamera("camera", own, view_of(camera, to_water, depsgraph)).matrix(0)
        unit = float(np.cbrt(np.linalg.det(to_water[:3, :3])))  # metres of water in a unit of the scene
        lens: Any = seen_by.data
        raster = Raster(optics, max(lens.clip_start * unit, NEAREST_SEEN))
        rows = fill(raster, matrix, depsgraph, to_water, self._of.is_labelled, lens.clip_end * unit)
        return raster, rows, matrix, optics.focal[0] * FILM_WIDTH_MM / optics.width


def _prepare(scene: bpy.types.Scene, bake: history.Bake, job: DatasetJob) -> Steps[Callable[[], JobOutcome]]:
    """Make all pictures that are not there, and the files that are made of their labels.

    Raises:
        ValueError: The choice is not as it must be.
        SceneError: Something cannot be rendered or written.
    """
    job.text = "Reading the recording"
    yield
    if obstacle := obstacle_of(scene):
        raise ValueError(obstacle)
    path, frames, recording = folder_of(scene), frames_of(scene, bake), history.recording(bake.id)
    assert recording is not None  # or that would be an obstacle
    of, cameras = FilmedBake(scene, bake, recording), cameras_of(scene)
    plan, folder = _plan(of, frames, cameras), DatasetFolder(path)
    ensure_folder(path)
    begin_film(folder, plan, scene.artfish_dataset.anew)
    models = worn(recording, library.model_folders()) if of.wears_models() else {}
    facts = yield from in_thread(partial(FilmFacts, recording, models))
    yield from in_thread(partial(_keep_film, folder, plan, recording))
    yield from _pictures(job, FilmedPicturing(of, plan, folder, facts), folder, plan, cameras)
    done = end_film(folder, plan)
    if not done:
        return lambda: JobOutcome("No picture was made", changed=False)
    job.announce(PICTURED, "Writing the files of the data set")
    yield
    yield from in_thread(partial(gather, path, plan.formats))
    return partial(_outcome, job, of, plan, len(done), path)


def _plan(of: FilmedBake, frames: list[int], cameras: list[DatasetCamera]) -> FilmedPlan:
    """The plan of a scene's panel."""
    scene, record = of.scene, of.bake.record
    known: dict[str, dict[str, Any]] = {}
    for one in cameras:
        if one.camera is not None:
            known[one.name] = {"kind": "object", "object": one.camera.name, **standing(one.camera)}
        else:
            still = {one.at(scene, frame) for frame in frames}
            known[one.name] = {"kind": "scene", **(standing(next(iter(still))) if len(still) == 1 else {})}
    sampled, render = sampling(scene), scene.render
    blur = render.motion_blur_shutter if render.use_motion_blur else 0.0
    return FilmedPlan(
        of.recording,
        scene.name,
        record.get("seed", 0),
        tuple(frame - of.first + 1 for frame in frames),
        known,
        picture_size(scene),
        scene.artfish_dataset.samples or (getattr(*sampled) if sampled else 0),
        formats_of(scene),
        {
            "bake": of.bake.id.partition(".")[0],
            "order": record.get("order", ""),
            "first": of.first,
            "engine": render.engine,
            "blur": round(blur, 6),
            "exposure": round(scene.view_settings.exposure, 6),
        },
    )


def _pictures(
    job: DatasetJob, making: FilmedPicturing, folder: DatasetFolder, plan: FilmedPlan, cameras: list[DatasetCamera]
) -> Steps[None]:
    """Make the pictures that are missing, frame after frame, each by all cameras."""
    missing = folder.missing(plan.name, list(plan.cameras))
    by_name, total = {one.name: one for one in cameras}, len(plan.cameras) * len(plan.frames)
    pace = runtime.of(DatasetPace)
    for number, (name, frame) in enumerate(missing):
        share = (total - len(missing) + number) / total
        text = translated("Picture {number} of {total}", number=total - len(missing) + number + 1, total=total)
        if job.made and pace.seconds:
            text += translated(", {seconds:.1f} s each", seconds=pace.seconds)
        job.announce(PICTURED * share, text)
        yield
        if job.enough:
            return
        begun = monotonic()
        if not making.make(by_name[name], frame):
            job.enough = True
            return
        pace.seconds = (
            monotonic() - begun if not job.made else 0.5 * (pace.seconds or 0.0) + 0.5 * (monotonic() - begun)
        )
        job.made += 1


def _keep_film(folder: DatasetFolder, plan: FilmedPlan, recording: Recording) -> None:
    """Keep the recording beside the pictures, with what happened in it."""
    ensure_folder(folder.root / "films")
    recording.save(folder.film_file(plan.name, ".npz"))
    species = {key: model.to_dict() for key, model in recording.species_models.items()}
    about = {**plan.film, "digest": plan.digest, "events": recording.events, "species": species}
    write_json(folder.film_file(plan.name, ".json"), about)


def _outcome(job: DatasetJob, of: FilmedBake, plan: FilmedPlan, frames: int, path: Path) -> JobOutcome:
    """The report at the end."""
    count, total = frames * len(plan.cameras), len(plan.frames) * len(plan.cameras)
    said = counted(count, "{count} labelled picture in {folder}", "{count} labelled pictures in {folder}", folder=path)
    if frames < len(plan.frames):
        said = translated(
            "Stopped: {count} of {total} pictures are in {folder}; Make Data Set goes on behind them",
            count=count,
            total=total,
            folder=path,
        )
    if others := of.others():
        said += counted(
            others,
            "; the fishes of the other bake count as scenery",
            "; the fishes of {count} other bakes count as scenery",
        )
    return JobOutcome(said)


def _vector(values: list[float]) -> Any:
    from mathutils import Vector

    return Vector(values)
