"""Files that somebody hands over: of which kind each is, and a line on what is in it."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ..base.codec import SceneError, shown
from ..base.files import read_json
from ..base.formats import kind_said
from ..recording import Recording
from ..scene.scene import Scene
from ..scene.species import Species
from .tracks import Tracks

MODEL_ENDINGS = ".obj", ".glb", ".gltf", ".fbx"
"""Endings of models that may be adopted, and that a program drops into another."""
OF_SCENES, OF_SPECIES = ("fishes", "tank"), ("body", "traits", "latin_name", "common_name")
"""Keys by which a file that says no format is known: one of a scene, one of a species."""
ALLOWED = f"a scene or a species (.json), a recording (.npz), tracks (.csv), or a model ({', '.join(MODEL_ENDINGS)})"


@dataclass(frozen=True)
class KnownFile:
    """A file that can be made something of.

    Attributes:
        kind: "scene", "species", "recording", "tracks" or "model".
        content: What is in it, in a line.
    """

    kind: str
    content: str


def recognised(path: str | os.PathLike[str], species: Collection[str] | None = None) -> KnownFile:
    """The kind of a file, which is read as a whole, and what is in it.

    Args:
        path: The file.
        species: Names that fishes of a scene may have; those of the presets if left out.

    Raises:
        SceneError: It is of no kind that is known, or wrong.
    """
    name, ending = Path(path).stem, Path(path).suffix.lower()
    if ending in MODEL_ENDINGS:
        return KnownFile("model", f"the model {name}")
    if ending == ".npz":
        recording = Recording.load(path)
        fishes = _counted(Counter(recording.species))
        seconds = recording.frames / recording.fps
        return KnownFile("recording", f"a recording of {recording.scene.name}, {seconds:.3g} s with {fishes}")
    if ending == ".csv":
        return KnownFile("tracks", tracks_line(Tracks.read(path)))
    if ending != ".json":
        raise SceneError(
            f"a file {shown(ending)}" if ending else "a file without an ending", ALLOWED, file=os.fspath(path)
        )
    kind = _kind_of(read_json(path))
    if kind == "scene":
        scene = Scene.load(path, species)
        numbers: Counter[str] = Counter()
        for group in scene.fishes:
            numbers[group.species] += group.count
        across = " x ".join(f"{length:.3g}" for length in scene.tank.size)
        return KnownFile(kind, f"the scene {scene.name}, {_counted(numbers)} in {across} m of water")
    if kind == "species":
        found = Species.load(path)
        return KnownFile(kind, f"the species {found.name}, {found.common_name}")
    raise SceneError(f"an Artfish {kind}" if kind else "neither fishes nor a body in it", ALLOWED, file=os.fspath(path))


def tracks_line(tracks: Tracks) -> str:
    """The contents of a table of tracks, in a line."""
    return f"tracks of {_fishes(len(tracks.ids))} over {len(tracks.places)} frames"


def _kind_of(data: dict[str, Any]) -> str:
    """The kind that JSON data says it is of, or that its keys do; "" for none."""
    if said := kind_said(data):
        return said
    for kind, keys in (("scene", OF_SCENES), ("species", OF_SPECIES)):
        if any(key in data for key in keys):
            return kind
    return ""


def _counted(numbers: Counter[str]) -> str:
    """The number of fishes, and of their species where there are several."""
    fishes, kinds = _fishes(numbers.total()), len(numbers)
    return f"{fishes} of {kinds} species" if kinds > 1 else fishes


def _fishes(count: int) -> str:
    return "1 fish" if count == 1 else f"{count} fishes"
