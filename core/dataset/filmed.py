"""The data set of a film that is there already: one film, whose scene somebody may go on working on.

What its pictures depend on is compared between two runs as far as it can be known: the bake, the size, the engine, and
each camera that stands still. Pictures of anything else are made again; the others stay.
"""

from __future__ import annotations

import shutil
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from ..base.codec import SceneError, shown
from ..base.files import read_json, write_json
from ..farm.jobs import build, digest_of
from ..recording import Recording
from .plan import DATASET, LABEL_FORMATS, PICTURE_FILES, SOURCE, DatasetFolder, about_set, film_name

FILMED = "film"
"""Kind of such a data set, in its source."""


@dataclass(frozen=True)
class FilmedPlan:
    """The plan of a data set of a film that is there already.

    Attributes:
        recording: The recording of its fishes.
        title: Name of the scene.
        seed: Its seed.
        frames: The frames that are pictured, from 1, which is the first of the recording.
        cameras: What is known of each camera, as JSON holds it, by the names of files.
        size: Width and height of pictures in pixels.
        samples: Samples per pixel.
        formats: Those of `LABEL_FORMATS` that are made of the labels.
        depends: What pictures depend on besides, as JSON holds it.
    """

    recording: Recording
    title: str
    seed: int
    frames: tuple[int, ...]
    cameras: Mapping[str, Mapping[str, Any]]
    size: tuple[int, int]
    samples: int
    formats: tuple[str, ...] = LABEL_FORMATS
    depends: Mapping[str, Any] = field(default_factory=dict)

    @property
    def name(self) -> str:
        """The name of its film."""
        return film_name(self.seed)

    @property
    def film(self) -> dict[str, Any]:
        """Its film."""
        return {"name": self.name, "seed": self.seed, "frames": list(self.frames), "variation": {}}

    @property
    def digest(self) -> str:
        """Digest of what all pictures depend on, but for cameras."""
        return digest_of([build(), self.name, list(self.size), self.samples, dict(self.depends)])

    def source(self) -> dict[str, Any]:
        """All that films and pictures are made of, as JSON holds it."""
        return {
            "kind": FILMED,
            "title": self.title,
            "digest": self.digest,
            "scene": self.recording.scene.to_dict(),
            "frames": list(self.frames),
            "cameras": self._cameras(),
            "size": list(self.size),
            "samples": self.samples,
            "films": [self.film],
        }

    def about(self, frames: Sequence[int]) -> dict[str, Any]:
        """The data set's own description, of those of its frames that are done."""
        known = self.recording.species_models
        return {
            **about_set(self.title, {name: known[name] for name in dict.fromkeys(self.recording.species)}),
            "scene": self.title,
            "size": list(self.size),
            "samples": self.samples,
            "fps": self.recording.fps,
            "cameras": self._cameras(),
            "films": [{**self.film, "frames": list(frames)}],
            "formats": list(self.formats),
            "vary": {},
        }

    def _cameras(self) -> list[dict[str, Any]]:
        return [{"name": name, **known} for name, known in self.cameras.items()]


def begin_film(of: DatasetFolder, plan: FilmedPlan, anew: bool = False) -> None:
    """Writes what a data set is made of, and removes what was made of something else.

    Args:
        of: Its folder, which is there.
        plan: Its plan.
        anew: Whether to remove all pictures.

    Raises:
        SceneError: The folder is that of another data set, has other files, or cannot be written.
    """
    of.refuse_other_files()
    path = of.root / SOURCE
    before = read_json(path) if path.exists() else {}
    if before and (before.get("kind"), before.get("title")) != (FILMED, plan.title):
        found = f"the data set of {shown(before.get('title') or before.get('file'))}"
        raise SceneError(found, f"a new folder, or that of a data set of {shown(plan.title)}", file=of.root)
    if before and (anew or before.get("digest") != plan.digest):
        for film in before.get("films", ()):
            of.remove(film["name"])
    elif before:
        kept = {camera.get("name"): camera for camera in before.get("cameras", ())}
        for camera in plan.source()["cameras"]:
            if camera["name"] in kept and kept[camera["name"]] != camera:
                for kind in PICTURE_FILES:
                    shutil.rmtree(of.root / kind / plan.name / camera["name"], ignore_errors=True)
    write_json(path, plan.source())


def whole_frames(of: DatasetFolder, plan: FilmedPlan) -> tuple[int, ...]:
    """The frames of which every camera has its picture."""
    missing = {frame for _, frame in of.missing(plan.name, list(plan.cameras))}
    return tuple(frame for frame in plan.frames if frame not in missing)


def end_film(of: DatasetFolder, plan: FilmedPlan) -> tuple[int, ...]:
    """Writes the description of the frames that are done, and returns them."""
    done = whole_frames(of, plan)
    if done:
        write_json(of.root / DATASET, plan.about(done))
    return done
