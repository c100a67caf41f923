"""The plan of a data set: which films, frames and cameras, and the folder in which all of it lies."""

from __future__ import annotations

import os
import shutil
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from ...version import ARTFISH_VERSION
from ..base.codec import Place, SceneError, encode, shown
from ..base.files import read_json, write_json
from ..farm.jobs import build, digest_of
from ..scene.scene import Scene
from ..scene.species import Species
from .cameras import CameraList, RideCameraOfLabels, cameras_of, described
from .conditions import PictureConditions, Varies, applied
from .keypoints import NAMES, SKELETON
from .labelling import LABEL_FORMAT

SOURCE, DATASET = "source.json", "dataset.json"
"""File of all that a data set is made of, and the file that its readers read first."""
LABEL_FORMATS = "coco", "mot", "yolo"
PICTURES_A_JOB = 8
CROWDED = 160
"""Fishes from which on they are baked as a crowd."""
PICTURE_FILES = "pictures", "masks", "depth", "labels"
"""Folders of the four files of a picture."""


@dataclass(frozen=True)
class DatasetPlan:
    """The plan of a data set.

    Attributes:
        scene: The scene.
        seeds: A film for each of them.
        span: First and last frame, from 1.
        every: Frames from one picture to the next.
        cameras: The cameras.
        varies: What varies from film to film.
        size: Width and height of pictures in pixels.
        samples: Samples per pixel.
        formats: Those of `LABEL_FORMATS` that are made of the labels.
        folders: Folders to look for models of adopted fishes.
    """

    scene: Scene
    seeds: range
    span: tuple[int, int]
    every: int
    cameras: CameraList
    varies: Varies
    size: tuple[int, int]
    samples: int
    formats: tuple[str, ...] = LABEL_FORMATS
    folders: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        """Refuses what the scene does not have.

        Raises:
            SceneError: Frames beyond its film, or a dive without a submarine.
        """
        if not 1 <= self.span[0] <= self.span[1] <= self.scene.frames:
            first, last = self.span
            raise SceneError(f"{first}-{last}", f"1 to {self.scene.frames}, the film's frames", key="--frames")
        if self.scene.ride is None and any(isinstance(one, RideCameraOfLabels) for one in self.cameras.cameras):
            raise SceneError("a camera of a dive", "a scene with a ride, or other cameras", key="--cameras")

    @property
    def frames(self) -> tuple[int, ...]:
        """The frames that are pictured, from 1."""
        return tuple(range(self.span[0], self.span[1] + 1, self.every))

    def source(self) -> dict[str, Any]:
        """The scene, cameras and films that pictures are made of, as JSON holds them."""
        return {
            "file": self.scene.source,
            "scene": self.scene.to_dict(),
            "species": {name: model.to_dict() for name, model in self.scene.models.items()},
            "frames": list(self.frames),
            "cameras": encode(self.cameras)["cameras"],
            "size": list(self.size),
            "samples": self.samples,
            "folders": list(self.folders),
            "films": [self.film(seed) for seed in self.seeds],
        }

    def film(self, seed: int) -> dict[str, Any]:
        """A film's name, seed, frames and values."""
        return {
            "name": film_name(seed),
            "seed": seed,
            "frames": list(self.frames),
            "variation": self.varies.drawn(seed),
        }

    def about(self) -> dict[str, Any]:
        """The data set's own description."""
        names = dict.fromkeys(group.species for group in self.scene.fishes)
        models = self.scene.models
        return {
            **about_set(Path(self.scene.source).stem, {name: models.get(name) or Species.load(name) for name in names}),
            "scene": self.scene.source,
            "size": list(self.size),
            "samples": self.samples,
            "fps": self.scene.fps,
            "cameras": described(self.cameras),
            "films": [self.film(seed) for seed in self.seeds],
            "formats": list(self.formats),
            "vary": dict(self.varies.said),
        }


def about_set(title: str, species: Mapping[str, Species]) -> dict[str, Any]:
    """The beginning of the description of any data set: its title, its species by name, and the names of keypoints."""
    return {
        "format": LABEL_FORMAT,
        "artfish": ARTFISH_VERSION,
        "title": title,
        "species": [
            {"name": name, "common_name": model.common_name, "latin_name": model.latin_name}
            for name, model in species.items()
        ],
        "keypoints": list(NAMES),
        "skeleton": [list(pair) for pair in SKELETON],
    }


def read_formats(word: str) -> tuple[str, ...]:
    """The formats that a list such as "coco,mot" names.

    Raises:
        SceneError: One is unknown.
    """
    found = tuple(dict.fromkeys(part.strip() for part in word.split(",") if part.strip()))
    for one in found:
        if one not in LABEL_FORMATS:
            raise SceneError(shown(one), f"some of {', '.join(LABEL_FORMATS)}, with commas between", key="--format")
    return found


def film_name(seed: int) -> str:
    """The name of the film of a seed."""
    return f"s{seed:04d}"


class DatasetFolder:
    """A data set's folder, as its makers see it."""

    def __init__(self, folder: str | os.PathLike[str]) -> None:
        """The folder, which is there."""
        self.root = Path(folder)

    def begin(self, plan: DatasetPlan) -> None:
        """Writes what the makers read, and removes what was made of something else.

        Raises:
            SceneError: The folder is that of another data set, or cannot be written.
        """
        self.refuse_other_files()
        source = plan.source()
        write_json(self.root / SOURCE, source)
        write_json(self.root / DATASET, plan.about())
        for film in source["films"]:
            if not self.is_made(film["name"]):
                self.remove(film["name"])

    def refuse_other_files(self) -> None:
        """Refuses a folder that is neither empty nor that of a data set, by a SceneError."""
        if not (self.root / SOURCE).exists() and any(self.root.iterdir()):
            raise SceneError("a folder with other files", "a new folder, or that of a data set", file=self.root)

    @cached_property
    def source(self) -> dict[str, Any]:
        """The scene, cameras and films that the data set is made of."""
        return read_json(self.root / SOURCE)

    def film(self, name: str) -> dict[str, Any]:
        """The film of a name."""
        return next(film for film in self.source["films"] if film["name"] == name)

    def scene_of(self, name: str) -> tuple[Scene, PictureConditions]:
        """The scene of a film with the values drawn for it, and its conditions.

        Raises:
            SceneError: With these values it is no scene.
        """
        source = self.source
        species = {key: Species.from_dict(data, f"{key}.json") for key, data in source["species"].items()}
        data, conditions = applied(source["scene"], self.film(name)["variation"], Place(source["file"]))
        scene = Scene.from_dict(data, source["file"], {*Species.names(), *species}, None)
        object.__setattr__(scene, "models", species)
        return scene, conditions

    @property
    def cameras(self) -> CameraList:
        """The cameras."""
        return cameras_of(self.source["cameras"])

    def digest(self, name: str) -> str:
        """Digest of all that a film's pictures depend on."""
        known = {key: value for key, value in self.source.items() if key not in ("films", "frames", "folders")}
        film = self.film(name)
        return digest_of([build(), known, film["seed"], film["variation"], film["frames"][-1]])

    def is_made(self, name: str) -> bool:
        """True if a film has been baked of the same as now."""
        path = self.film_file(name, ".json")
        try:
            return bool(read_json(path).get("digest") == self.digest(name)) and self.film_file(name, ".blend").exists()
        except SceneError:
            return False

    def film_file(self, name: str, suffix: str) -> Path:
        """A file of a film: ".blend", ".npz" or ".json"."""
        return self.root / "films" / f"{name}{suffix}"

    def picture_files(self, film: str, camera: str, frame: int, suffix: str) -> dict[str, Path]:
        """The four files of a picture, by `PICTURE_FILES`; the picture's own has a suffix."""
        ends = {"pictures": suffix, "labels": ".json"}
        return {
            kind: self.root / kind / film / camera / f"{frame:05d}{ends.get(kind, '.png')}" for kind in PICTURE_FILES
        }

    def relative(self, path: Path) -> str:
        """A path as labels name it."""
        return path.relative_to(self.root).as_posix()

    def missing(self, film: str, cameras: list[str]) -> list[tuple[str, int]]:
        """Cameras and frames of a film whose labels are not there yet."""
        frames = self.film(film)["frames"]
        return [
            (camera, frame)
            for frame in frames
            for camera in cameras
            if not self.picture_files(film, camera, frame, "")["labels"].exists()
        ]

    def jobs(self, cameras: list[str]) -> list[tuple[str, list[tuple[str, int]]]]:
        """Pieces of work: a film and some of its pictures that are missing."""
        found = []
        for film in self.source["films"]:
            missing = self.missing(film["name"], cameras)
            for begin in range(0, len(missing), PICTURES_A_JOB):
                found.append((film["name"], missing[begin : begin + PICTURES_A_JOB]))
        return found

    def remove(self, name: str) -> None:
        """Removes a film, with its pictures."""
        for kind in PICTURE_FILES:
            shutil.rmtree(self.root / kind / name, ignore_errors=True)
        for suffix in (".blend", ".npz", ".json"):
            self.film_file(name, suffix).unlink(missing_ok=True)
