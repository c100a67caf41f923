"""From a film's shots to its movie: each is simulated, baked, filmed and rendered; finished work is reused."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
from collections.abc import Callable, Generator
from dataclasses import dataclass, replace
from pathlib import Path

import bpy
import numpy as np
from mathutils import Matrix

from ...core.base.codec import Place, SceneError, encode
from ...core.base.files import lies_below, preset_names, write_json
from ...core.recording import Recording
from ...core.scene.inventory import Camera
from ...core.scene.scene import Scene
from ...core.studio.camera_work import CameraPath, check_expected, filmed
from ...core.studio.casting import cast
from ...core.studio.closeness import picture_shares
from ...core.studio.film import Film, FilmShot
from ...core.studio.scenery import ScenePoints
from ...core.world.world import World
from ..bake.commit import save
from ..bake.writer import bake_steps
from ..fish import surfaces
from ..identity import provenance
from ..identity.film_time import FIRST
from ..stage.objects import SHAFTS
from ..stage.render import open_to_render, render_picture
from ..stage.view import find_view
from .contact import contact_sheet
from .cut import cut
from .drawings import MODEL_ORDER, ORDERS, redraw
from .lights import SHAFTS_AWAY, hang
from .scenery import meshes
from .shot_camera import add_shot_camera

Report = Generator[tuple[float, str], None, "FilmProgress"]


@dataclass(frozen=True)
class Quality:
    """Quality of the pictures.

    Attributes:
        scale: Share of the film's width and height.
        samples: Samples per pixel.
        every: Step between rendered frames.
    """

    scale: float
    samples: int
    every: int


QUALITIES = {"draft": Quality(0.4, 3, 2), "final": Quality(1.0, 64, 1)}
DONE = "shots.json"
"""File with the fingerprint of each finished shot, by which it is recognized."""
DONE_ALONE = "shot.json"
"""The same of one shot, in the folder of its pictures, where shots are made side by side."""


@dataclass(frozen=True)
class FilmProgress:
    """The files of a film.

    Attributes:
        blends: The shots' .blend files, in order.
        movie: The movie; None where Blender has no FFmpeg.
        sheet: One still a shot, in one picture.
    """

    blends: tuple[Path, ...]
    movie: Path | None
    sheet: Path


def make_steps(
    film: Film,
    folder: str | os.PathLike[str],
    name: str = "film",
    quality: str = "draft",
    only: tuple[int, int] | None = None,
    file: str = "film",
    stills: bool = False,
) -> Report:
    """Makes a film in steps.

    Args:
        film: The film's shots.
        folder: An existing folder for all files. What was made there of the same shots is reused.
        name: Name of its movie and contact sheet.
        quality: "draft" or "final".
        only: The first and the last shot to make, counted from 1; all if left out.
        file: Name of the film in messages.
        stills: Whether only the picture in the middle of each shot is made, and no movie: a storyboard.

    Yields:
        The share that is done, 0 to 1, and a text.

    Raises:
        SceneError: A shot cannot be filmed, or what it expects does not happen in it.
    """
    chosen = film.rows(only, file)
    made, pictures, blends = 0.0, [], []
    total = sum(film.shots[row].seconds for row in chosen)
    studio = _Studio(film, Path(folder), QUALITIES[quality], file, stills)
    for row in chosen:
        shot = film.shots[row]
        for share, doing in studio.shoot(row):
            yield 0.97 * (made + share * shot.seconds) / total, f"Shot {row + 1} of {len(film.shots)}: {doing}"
        made += shot.seconds
        pictures.append(studio.pictures(row))
        blends.append(studio.blend(row))
    yield 0.98, "Cutting the movie"
    shots = [film.shots[row] for row in chosen]
    movie: Path | None = Path(folder, f"{name}.mp4")
    assert movie is not None
    if stills or not cut(shots, pictures, movie, film.fps / QUALITIES[quality].every):
        movie = None
    yield 0.99, "Laying out the stills"
    sheet = Path(folder, f"{name}.png")
    contact_sheet([own[len(own) // 2] for own in pictures], sheet)
    return FilmProgress(tuple(blends), movie, sheet)


def shoot_alone(
    film: Film,
    folder: str | os.PathLike[str],
    row: int,
    quality: str,
    file: str,
    stills: bool = False,
    part: tuple[int, int] | None = None,
) -> None:
    """Makes one shot, unless it is made, while others are made elsewhere; arguments as for `make_steps`.

    Args:
        film: As there.
        folder: As there.
        row: Row of the shot.
        quality: As there.
        file: As there.
        stills: As there.
        part: Which of how many parts of its pictures to make, counted from 1, where 0 only bakes; all if left out.
    """
    studio = _Studio(film, Path(folder), QUALITIES[quality], file, stills, alone=True)
    for _ in studio.shoot(row, part):
        pass


class _Studio:
    """Makes the shots of a film, one after another; what shots share is made once."""

    def __init__(
        self, film: Film, folder: Path, quality: Quality, file: str, stills: bool, alone: bool = False
    ) -> None:
        self._alone = alone
        self.film, self.folder, self.quality, self.file, self.stills = film, folder, quality, file, stills
        self._recordings: dict[tuple[str, int], Recording] = {}
        self._scenes: dict[str, Scene] = {}
        self._done = self._read()

    def blend(self, row: int) -> Path:
        """The Blender file of a shot."""
        return self.folder / f"{self._name(row)}.blend"

    def _name(self, row: int) -> str:
        return f"still_{row + 1:03d}" if self.stills else f"{row + 1:03d}"

    def pictures(self, row: int) -> list[Path]:
        """The paths of a shot's pictures, whether they exist or not."""
        place, frames = self.folder / self._name(row), round(self.film.shots[row].seconds * self.film.fps)
        if self.stills:
            return [place / f"{FIRST:05d}.png"]
        return [place / f"{frame:05d}.png" for frame in range(FIRST, FIRST + frames, self.quality.every)]

    def shoot(self, row: int, part: tuple[int, int] | None = None) -> Generator[tuple[float, str], None, None]:
        """Makes a shot, unless it is made, or one of so many parts of its pictures."""
        shot, pictures = self.film.shots[row], self.pictures(row)
        known = self._known(shot)
        name = self._name(row)
        if self._done.get(name) != known:
            shutil.rmtree(self.folder / name, ignore_errors=True)
            self.blend(row).unlink(missing_ok=True)
            self._done.pop(name, None)
        pictures[0].parent.mkdir(parents=True, exist_ok=True)
        if part is not None:
            number, count = part
            pictures = (
                pictures[len(pictures) * (number - 1) // count : len(pictures) * number // count] if number else []
            )
        missing = [path for path in pictures if not path.exists()]
        if not self.blend(row).exists():
            yield from self._bake(row)
            self._done[name] = known
            if self._alone:
                write_json(self.folder / name / DONE_ALONE, {name: known})
            else:
                write_json(self.folder / DONE, self._done)
        if not missing:
            return
        wide, high = (max(4, round(side * self.quality.scale / 2) * 2) for side in (self.film.width, self.film.height))
        scene = open_to_render(self.blend(row), self.quality.samples, (wide, high))
        for number, path in enumerate(missing):
            yield 0.3 + 0.7 * number / len(missing), f"picture {number + 1} of {len(missing)}"
            render_picture(scene, int(path.stem), path)

    def _bake(self, row: int) -> Generator[tuple[float, str], None, None]:
        """Makes the Blender file of a shot, and leaves it open."""
        shot = self.film.shots[row]
        recording = yield from self._lived(shot)
        try:
            path = filmed(recording, shot)
            check_expected(recording, shot, path)
        except SceneError as error:
            raise error.within(Place(self.file).under("shots").item(row)) from None
        whole, moment = len(path.frames), len(path.frames) // 2 if self.stills else 0
        if self.stills:
            path = path.at_frame(moment)
        begin = round(float(path.frames[0]))
        part = recording.part(begin, begin + len(path.frames))
        if shot.of_model:
            part = cast(part, path.rows[:1])
        # Waves and caustics continue from shot to shot, as fishes do, on the same stage.
        order = replace(ORDERS.get(shot.shows[0], MODEL_ORDER), begins=begin / recording.fps, whole=recording)
        for share, doing in bake_steps(part, self.blend(row), order):
            yield 0.1 + 0.2 * share, doing
        scene = bpy.context.scene
        path = filmed(recording, shot, ScenePoints.of(meshes(bpy.context, Matrix.Identity(4)), recording))
        path = path.at_frame(moment) if self.stills else path
        _film_along(scene, path, shot)
        shares = picture_shares(recording, path)
        _refine(scene, shares[list(path.rows[:1])] if shot.of_model else shares)
        if shot.shows[0] != "film":
            redraw(scene, part, path, shot, FIRST - moment, whole)
        save(self.blend(row))

    def _lived(self, shot: FilmShot) -> Generator[tuple[float, str], None, Recording]:
        """The recording of a shot's scene, on one stage for all its shots."""
        key = shot.scene, shot.seed
        if key not in self._recordings:
            scene = self._scene(shot)
            if abs(scene.fps - self.film.fps) > 1e-6:
                found = f"{shot.scene} with {scene.fps:g} frames a second"
                raise SceneError(found, f"{self.film.fps:g}, as many as the film has", file=self.file)
            run = World(scene, seed=shot.seed).run()
            while True:
                try:
                    done = next(run)
                    yield 0.1 * done / scene.frames, f"fishes live in {shot.scene}"
                except StopIteration as end:
                    recording = end.value
                    break
            yield 0.1, "a stage is found"
            view = find_view(recording)
            camera = Camera(tuple(map(float, view.at)), tuple(map(float, view.target)), view.lens)
            staged = replace(recording, scene=replace(recording.scene, camera=camera, detail=None))
            self._recordings = {key: staged}  # one at a time: they are large
        return self._recordings[key]

    def _scene(self, shot: FilmShot) -> Scene:
        """The scene of a shot: a preset, or a file beside the film."""
        if shot.scene not in self._scenes:
            beside = Path(self.file).parent
            preset = shot.scene in preset_names("scenes")
            if not preset and not lies_below(beside / shot.scene, beside):
                raise SceneError(f"{shot.scene}", "a preset, or a file in the film's own folder", file=self.file)
            self._scenes[shot.scene] = Scene.load(shot.scene if preset else beside / shot.scene)
        return self._scenes[shot.scene]

    def _known(self, shot: FilmShot) -> str:
        """Fingerprint of a shot: a digest of all its pictures depend on."""
        said = {
            "shot": encode(replace(shot, title="", fade_in=0.0, fade_out=0.0, dissolve=0.0)),
            "scene": self._scene(shot).to_dict(),
            "film": [self.film.fps, self.film.width, self.film.height],
            "quality": [self.quality.scale, self.quality.samples, self.quality.every],
        }
        return hashlib.sha256(json.dumps(said, sort_keys=True).encode()).hexdigest()[:16]

    def _read(self) -> dict[str, str]:
        """The fingerprints of earlier work; what is in files that are not ours is passed over."""
        done: dict[str, str] = {}
        for path in (self.folder / DONE, *sorted(self.folder.glob(f"*/{DONE_ALONE}"))):
            try:
                found = json.loads(path.read_text(encoding="utf-8"))
            except (OSError, ValueError):
                continue
            done |= {str(key): str(known) for key, known in found.items()} if isinstance(found, dict) else {}
        return done


def _film_along(scene: bpy.types.Scene, path: CameraPath, shot: FilmShot) -> None:
    """Films a baked scene along a path, in place of its own camera."""
    stage = bpy.data.collections.get("Stage") or scene.collection
    scene.camera = add_shot_camera(stage, "Shot", path, shot.blur, FIRST, fisheye=shot.fisheye)
    for sheet in [obj for obj in stage.all_objects if obj.name.startswith(SHAFTS)]:
        if shot.fisheye:  # which sees beyond its edges
            sheet.hide_render = True
        hang(sheet, scene.camera, SHAFTS_AWAY * float(np.median(path.focus)))


def _refine(scene: bpy.types.Scene, shares: np.ndarray) -> None:
    """Has near fishes rendered more finely, by the share of the picture's width that each takes, (n,)."""
    for root in scene.objects:
        row = provenance.row_of(root)
        if row != provenance.NO_ROW:
            surfaces.refine(root, shares[row])


def make(
    film: Film,
    folder: str | os.PathLike[str],
    progress: Callable[[float, str], None] | None = None,
    **how: object,
) -> FilmProgress:
    """Makes a film in one go; arguments as for `make_steps`."""
    steps = make_steps(film, folder, **how)  # type: ignore[arg-type]
    while True:
        try:
            done = next(steps)
        except StopIteration as end:
            return end.value
        if progress:
            progress(*done)
