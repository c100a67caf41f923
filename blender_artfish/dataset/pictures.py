"""One picture with its labels: rendered, bent by its lens, made noisy, and written beside what is known of it."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path
from typing import Any

import bpy
import numpy as np
from mathutils import Matrix

from ...core.base.files import replacing, write_json, writing
from ...core.dataset.cameras import PlacedCamera, SceneView
from ...core.dataset.conditions import PictureConditions, noisy
from ...core.dataset.facts import FilmFacts
from ...core.dataset.labelling import DEPTH_STEP, NEAREST_DEPTH, depth_values, labelled, mask_values
from ...core.dataset.lenses import LensOptics
from ...core.dataset.plan import DatasetFolder
from ...core.dataset.raster import Raster
from ...core.farm.png import grey_bytes, png_bytes
from ...core.replicas.tuning import FILM_WIDTH_MM
from ..blender.pixels import loaded, pixels_of
from ..stage.render import render_shown
from .seen import fill

CAMERA = "Data set camera"
CLIP_METRES = 0.01, 250.0


def camera_of(scene: bpy.types.Scene) -> bpy.types.Object:
    """The camera of a data set in a scene, made once."""
    found = scene.objects.get(CAMERA)
    if found is None:
        data = bpy.data.cameras.new(CAMERA)
        data.sensor_fit, data.sensor_width = "HORIZONTAL", FILM_WIDTH_MM
        data.clip_start, data.clip_end = CLIP_METRES
        found = bpy.data.objects.new(CAMERA, data)
        scene.collection.objects.link(found)
    return found


def view_of(
    camera: bpy.types.Object, to_water: np.ndarray | None = None, depsgraph: bpy.types.Depsgraph | None = None
) -> SceneView:
    """Where a camera is and looks at the present frame, in metres.

    Args:
        camera: The camera.
        to_water: From the scene's world to the water in metres, (4, 4), which may turn, move and scale it evenly; they
            are the same if left out.
        depsgraph: The evaluated scene; that of the context if left out.
    """
    depsgraph = bpy.context.evaluated_depsgraph_get() if depsgraph is None else depsgraph
    world = np.array(camera.evaluated_get(depsgraph).matrix_world)
    world = world if to_water is None else to_water @ world
    axes = world[:3, :3] / np.linalg.norm(world[:3, :3], axis=0)
    turned = np.stack([axes[:, 0], -axes[:, 1], -axes[:, 2]])
    return SceneView(world[None, :3, 3], turned[None], float(camera.data.lens))


def aim(scene: bpy.types.Scene, matrix: np.ndarray, optics: LensOptics) -> None:
    """Have the scene filmed from a place, by the undistorted lens of some optics.

    Args:
        scene: The scene, in metres.
        matrix: From the world to the camera's axes, (3, 4).
        optics: The optics.
    """
    camera, source = camera_of(scene), optics.source
    axes = matrix[:, :3]
    placed = np.eye(4)
    placed[:3, :3] = np.stack([axes[0], -axes[1], -axes[2]], axis=1)
    placed[:3, 3] = -axes.T @ matrix[:, 3]
    camera.matrix_world = Matrix(placed.tolist())
    camera.data.lens = source.focal[0] * FILM_WIDTH_MM / source.width
    scene.camera = camera
    scene.render.resolution_x, scene.render.resolution_y = source.width, source.height
    scene.render.resolution_percentage = 100


class Picturing:
    """Makes pictures of one film."""

    def __init__(
        self,
        folder: DatasetFolder,
        film: dict[str, Any],
        facts: FilmFacts,
        conditions: PictureConditions,
        about: dict[str, Any],
    ) -> None:
        """Takes over whose pictures it makes.

        Args:
            folder: The data set's folder.
            film: The film.
            facts: Of its fishes.
            conditions: Its conditions.
            about: What labels say of all its pictures.
        """
        self._folder, self._film, self._facts = folder, film, facts
        self._conditions, self._about = conditions, about

    @property
    def suffix(self) -> str:
        """Ending of a picture's file."""
        return ".jpg" if self._conditions.quality else ".png"

    def make(self, scene: bpy.types.Scene, camera: PlacedCamera, frame: int, size: tuple[int, int]) -> None:
        """Makes a picture and its labels at the frame that the scene shows.

        Args:
            scene: The scene.
            camera: The camera.
            frame: That frame, from 1.
            size: Width and height in pixels.
        """
        conditions = self._conditions
        optics = camera.optics(size, conditions.lens)
        matrix = camera.matrix(frame - 1, conditions.rise)
        aim(scene, matrix, optics)
        files = self._folder.picture_files(self._film["name"], camera.name, frame, self.suffix)
        for path in files.values():
            path.parent.mkdir(parents=True, exist_ok=True)
        self._render(scene, frame, optics, files["pictures"], camera.name)
        raster = Raster(optics)
        rows = fill(raster, matrix, bpy.context.evaluated_depsgraph_get())
        view = {
            "lens": camera.view.lens * conditions.lens,
            "sensor": FILM_WIDTH_MM,
            "exposure": conditions.exposure,
            "shutter": conditions.shutter,
        }
        self.record(raster, rows, matrix, files, camera.name, frame, view)

    def record(
        self,
        raster: Raster,
        rows: np.ndarray,
        matrix: np.ndarray,
        files: dict[str, Path],
        camera: str,
        frame: int,
        view: dict[str, Any],
    ) -> None:
        """Writes mask, depths and labels of a picture that is there.

        Args:
            raster: All that stands in it.
            rows: Rows of the fishes that were filled in, in the order of `Raster.own`.
            matrix: From the water to the camera's axes, (3, 4), metres.
            files: The files of the picture, as of `DatasetFolder.picture_files`.
            camera: Name of the camera.
            frame: The frame, from 1.
            view: What labels say of the lens besides its optics.
        """
        optics = raster.optics
        for kind, values in (("masks", mask_values(raster)), ("depth", depth_values(raster.depths))):
            with writing(files[kind]) as stream:
                stream.write(grey_bytes(values))
        about = {
            "picture": self._folder.relative(files["pictures"]),
            "mask": self._folder.relative(files["masks"]),
            "depth": self._folder.relative(files["depth"]),
            "depth_near": NEAREST_DEPTH,
            "depth_step": DEPTH_STEP,
            "width": optics.width,
            "height": optics.height,
            "camera": camera,
            "frame": frame,
            "time": round((frame - 1) / self._facts.recording.fps, 6),
            "optics": {"matrix": np.round(matrix, 6).tolist(), **optics.encoded(), **view},
            **self._about,
        }
        write_json(files["labels"], labelled(self._facts, frame - 1, raster, matrix, rows, about))

    def _render(self, scene: bpy.types.Scene, frame: int, optics: LensOptics, path: Path, camera: str) -> None:
        """Renders, and does to the picture what its lens, its sensor and its file do."""
        conditions = self._conditions
        if optics.distortion == "none" and not conditions.noise and not conditions.quality:
            render_shown(scene, path)
            return
        with tempfile.TemporaryDirectory(prefix="artfish") as room:
            plain = Path(room, "plain.png")
            render_shown(scene, plain)
            pixels = optics.bent_picture(read_pixels(plain))
            seed = self._film["seed"], frame, *camera.encode()
            pixels = noisy(pixels, conditions.noise, seed)
        if conditions.quality:
            with replacing(path) as part:
                write_jpeg(part, pixels, conditions.quality)
        else:
            with writing(path) as stream:
                stream.write(png_bytes(pixels))


def read_pixels(path: str | os.PathLike[str]) -> np.ndarray:
    """The pixels (rows, columns, 3) of a picture, 0 to 1 as its file has them."""
    with loaded(path) as image:
        return pixels_of(image)[::-1, :, :3].astype(float)


def write_jpeg(path: Path, pixels: np.ndarray, quality: int) -> None:
    """Write pixels (rows, columns, 3), 0 to 1, as a JPEG."""
    rows, columns = pixels.shape[:2]
    image = bpy.data.images.new("picture", columns, rows, alpha=False)
    try:
        filled = np.ones((rows, columns, 4), np.float32)
        filled[..., :3] = pixels[::-1]
        image.pixels.foreach_set(filled.ravel())
        image.file_format = "JPEG"
        image.filepath_raw = str(path)
        image.save(quality=quality)
    finally:
        bpy.data.images.remove(image)
