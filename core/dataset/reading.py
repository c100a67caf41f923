"""The labels of a data set as they lie in its folder, read one picture after another and checked.

Whoever made them, what is damaged is one line: which file, where in it, what was found and what is allowed there.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import isfinite
from pathlib import Path
from typing import Any, NamedTuple

from ..base.codec import Place, SceneError, shown
from ..base.files import read_json
from .labelling import LABEL_FORMAT
from .rle import extents

VALIDATION_SHARE = 5
"""One film of so many, the last ones, is for validation; of a single film, one frame of so many."""
PICTURE_ENDINGS = (".png", ".jpg", ".jpeg")
FRAME_DIGITS = 5
"""Digits of a frame's number in the names of files, at least."""
SHARE_SLACK = 1e-6
"""Rounding by which a share may leave 0 to 1."""
_NAME = re.compile(r"[A-Za-z0-9_]+")


class LabelledFilm(NamedTuple):
    """A film of a data set.

    Attributes:
        name: Its name, as folders have it.
        seed: Its seed.
        frames: The numbers of its labelled frames, ascending.
        variation: Values that were drawn for it, by key.
    """

    name: str
    seed: int
    frames: tuple[int, ...]
    variation: Mapping[str, Any]


@dataclass(frozen=True)
class LabelledSet:
    """A data set, as its `dataset.json` says.

    Attributes:
        folder: The folder that it lies in.
        data: All of `dataset.json`.
        size: Width and height of its pictures.
        fps: Frames of the scene in a second.
        species: Names of species; the first is category 1 of COCO and class 0 of YOLO.
        keypoints: Names of keypoints.
        skeleton: Pairs of rows of keypoints, to be joined.
        cameras: Names of cameras, sorted.
        films: Films, sorted by name.
        validation: Films and frames that are for validation.
    """

    folder: Path
    data: Mapping[str, Any]
    size: tuple[int, int]
    fps: float
    species: tuple[str, ...]
    keypoints: tuple[str, ...]
    skeleton: tuple[tuple[int, int], ...]
    cameras: tuple[str, ...]
    films: tuple[LabelledFilm, ...]
    validation: frozenset[tuple[str, int]]

    @classmethod
    def read(cls, folder: str | os.PathLike[str]) -> LabelledSet:
        """The data set in a folder.

        Raises:
            SceneError: Its `dataset.json` cannot be read, or is damaged.
        """
        path = Path(folder) / "dataset.json"
        data, place = read_json(path), Place(str(path))
        if data.get("format") != LABEL_FORMAT:
            place.under("format").refuse(shown(data.get("format")), f"{LABEL_FORMAT}")
        species = [_called(item, place.under("species").item(row)) for row, item in _items(data, "species", place)]
        keypoints = [_text(name, place.under("keypoints").item(row)) for row, name in _items(data, "keypoints", place)]
        cameras = [
            _name(item, "name", place.under("cameras").item(row)) for row, item in _items(data, "cameras", place)
        ]
        films = [_film(item, place.under("films").item(row)) for row, item in _items(data, "films", place)]
        for key, names in (("species", species), ("cameras", cameras), ("films", [film.name for film in films])):
            if not names or len(set(names)) < len(names):
                place.under(key).refuse("a name twice" if names else "nothing", "one or more, each once")
        skeleton = []
        for row, pair in _items(data, "skeleton", place):
            if not _are_numbers(pair, 2, 0, len(keypoints) - 1):
                place.under("skeleton").item(row).refuse(shown(pair), f"2 numbers from 0 to {len(keypoints) - 1}")
            skeleton.append(pair)
        if not _are_numbers(data.get("size"), 2, 1):
            place.under("size").refuse(_said(data, "size"), "2 numbers from 1 on")
        width, height = data["size"]
        return cls(
            Path(folder),
            data,
            (int(width), int(height)),
            _number(data, "fps", place, 1e-6),
            tuple(species),
            tuple(keypoints),
            tuple((int(one), int(other)) for one, other in skeleton),
            tuple(sorted(cameras)),
            tuple(sorted(films)),
            validation_of(films),
        )

    def pictures(self) -> Iterator[LabelledPicture]:
        """All pictures: film after film, in each camera after camera, in each frame after frame.

        Raises:
            SceneError: Labels or a picture are missing or damaged.
        """
        for film in self.films:
            for camera in self.cameras:
                for place, frame in enumerate(film.frames):
                    yield LabelledPicture.read(self, film, camera, place, frame)


@dataclass(frozen=True)
class LabelledPicture:
    """One picture with its labels.

    Attributes:
        film: Name of its film.
        camera: Name of its camera.
        frame: Number of its frame; the scene's first is 1.
        place: Frames of this film and camera that come before it.
        path: The picture, as a path from the data set's folder, with slashes.
        validation: True if it is for validation.
        data: All of its labels.
        fishes: The labels of its fishes.
    """

    film: str
    camera: str
    frame: int
    place: int
    path: str
    validation: bool
    data: Mapping[str, Any]
    fishes: tuple[Mapping[str, Any], ...]

    @classmethod
    def read(cls, of: LabelledSet, film: LabelledFilm, camera: str, place: int, frame: int) -> LabelledPicture:
        """The picture of a film, a camera and a frame; errors as of `LabelledSet.pictures`."""
        stem = f"{film.name}/{camera}/{frame:0{FRAME_DIGITS}d}"
        file = of.folder / "labels" / f"{stem}.json"
        data, at = read_json(file), Place(str(file))
        expected = {"format": LABEL_FORMAT, "film": film.name, "camera": camera, "frame": frame}
        expected |= {"width": of.size[0], "height": of.size[1]}
        for key, value in expected.items():
            if data.get(key) != value:
                at.under(key).refuse(shown(data.get(key)), shown(value))
        paths = [f"pictures/{stem}{ending}" for ending in PICTURE_ENDINGS]
        if data.get("picture") not in paths:
            at.under("picture").refuse(shown(data.get("picture")), f"one of {', '.join(paths)}")
        if not (of.folder / data["picture"]).is_file():
            raise SceneError("no such file", f"the picture of {file}", file=of.folder / data["picture"])
        fishes = tuple(fish for _, fish in _items(data, "fishes", at))
        for row, fish in enumerate(fishes):
            _check(fish, of, at.under("fishes").item(row))
        if len({fish["track"] for fish in fishes}) < len(fishes):
            at.under("fishes").refuse("a track twice", "each track once")
        _check_masks(fishes, of, at)
        validation = (film.name, frame) in of.validation
        return cls(film.name, camera, frame, place, data["picture"], validation, data, fishes)

    @property
    def seen(self) -> Iterator[Mapping[str, Any]]:
        """The labels of the fishes of which a pixel is seen."""
        return (fish for fish in self.fishes if fish["seen"])


def validation_of(films: Sequence[LabelledFilm]) -> frozenset[tuple[str, int]]:
    """Films and frames for validation: the last fifth of the films by seed; of a single film, its last frames.

    Frames of one film look alike, so that what is learned from some must not be judged by others.
    """
    if len(films) == 1:
        frames = films[0].frames
        return frozenset((films[0].name, frame) for frame in frames[-max(len(frames) // VALIDATION_SHARE, 1) :])
    last = sorted(films, key=lambda film: (film.seed, film.name))[-max(len(films) // VALIDATION_SHARE, 1) :]
    return frozenset((film.name, frame) for film in last for frame in film.frames)


def _check(fish: Any, of: LabelledSet, place: Place) -> None:
    """Refuses labels of a fish that are not as they must be, but for its mask."""
    if not isinstance(fish, Mapping):
        place.refuse(shown(fish), "the labels of a fish")
    _whole(fish, "track", place, 1)
    if fish.get("species") not in of.species:
        place.under("species").refuse(shown(fish.get("species")), f"one of {', '.join(of.species)}")
    whole, within = _part(fish, "whole", place), place.under("whole")
    _box(whole, within)
    _whole(whole, "pixels", within, 0)
    for key in ("cut_off", "hidden"):
        _share(fish, key, place)
    if "seen" not in fish:
        place.under("seen").refuse("nothing", "what is seen of the fish, or null")
    if fish["seen"] is not None:
        seen, within = _part(fish, "seen", place), place.under("seen")
        _box(seen, within)
        _whole(seen, "pixels", within, 1)
        _share(seen, "share", within)
        rle = _part(seen, "rle", within)
        if rle.get("size") != [of.size[1], of.size[0]]:
            within.under("rle.size").refuse(shown(rle.get("size")), f"[{of.size[1]}, {of.size[0]}]")
        if not isinstance(rle.get("counts"), str):
            within.under("rle.counts").refuse(shown(rle.get("counts")), "COCO's compressed run lengths as text")
    points, within = fish.get("keypoints"), place.under("keypoints")
    if not isinstance(points, list) or len(points) != len(of.keypoints):
        within.refuse(shown(points), f"a list of {len(of.keypoints)}, one for each of dataset.json's keypoints")
    for row, point in enumerate(points):
        if not isinstance(point, list) or not _are_numbers(point[:3], 3) or point[2] not in (0, 1, 2):
            within.item(row).refuse(shown(point), "x, y, and 0, 1 or 2")


def _check_masks(fishes: Sequence[Mapping[str, Any]], of: LabelledSet, place: Place) -> None:
    """Refuses masks that cannot be read, or that are not as large and where their labels say."""
    rows = [row for row, fish in enumerate(fishes) if fish["seen"]]
    said = [fishes[row]["seen"] for row in rows]
    try:
        pixels, boxes = extents([seen["rle"]["counts"] for seen in said], (of.size[1], of.size[0]))
    except SceneError as error:
        for row, seen in zip(rows, said, strict=True):
            _check_mask(seen["rle"]["counts"], of, place.under("fishes").item(row).under("seen.rle.counts"))
        raise error.within(place) from None
    for row, seen, area, box in zip(rows, said, pixels.tolist(), boxes.tolist(), strict=True):
        if seen["pixels"] == area and seen["box"] == box:
            continue
        within = place.under("fishes").item(row).under("seen")
        if seen["pixels"] != area:
            within.under("pixels").refuse(shown(seen["pixels"]), f"{area}, as many as its run lengths have")
        within.under("box").refuse(shown(seen["box"]), f"{box}, the box about its run lengths")


def _check_mask(counts: str, of: LabelledSet, place: Place) -> None:
    try:
        extents([counts], (of.size[1], of.size[0]))
    except SceneError as error:
        raise error.within(place) from None


def _film(data: Any, place: Place) -> LabelledFilm:
    name, frames = _name(data, "name", place), data.get("frames")
    within = place.under("frames")
    if not isinstance(frames, list) or not frames:
        within.refuse(shown(frames), "a list of frames")
    if not all(type(frame) is int and frame > 0 for frame in frames) or len(set(frames)) < len(frames):
        within.refuse("what is no frame", "whole numbers from 1 on, each once")
    variation = data.get("variation", {})
    if not isinstance(variation, Mapping):
        place.under("variation").refuse(shown(variation), "an object of keys and values")
    return LabelledFilm(name, _whole(data, "seed", place, 0), tuple(sorted(frames)), variation)


def _items(data: Mapping[str, Any], key: str, place: Place) -> Iterator[tuple[int, Any]]:
    found = data.get(key)
    if not isinstance(found, list):
        place.under(key).refuse(_said(data, key), "a list")
    return enumerate(found)


def _part(data: Mapping[str, Any], key: str, place: Place) -> Mapping[str, Any]:
    found = data.get(key)
    if not isinstance(found, Mapping):
        place.under(key).refuse(_said(data, key), "an object of keys and values")
    return found


def _text(text: Any, place: Place) -> str:
    if not isinstance(text, str) or not text.isprintable() or not text:
        place.refuse(shown(text), "a text")
    return text


def _called(species: Any, place: Place) -> str:
    """The name of a species, which somebody gave a file."""
    return _text(species.get("name") if isinstance(species, Mapping) else species, place)


def _name(data: Any, key: str, place: Place) -> str:
    """The name of an item, of which folders and keys are made."""
    name = data.get(key) if isinstance(data, Mapping) else None
    if not isinstance(name, str) or not _NAME.fullmatch(name):
        place.under(key).refuse(shown(name), "a name of letters, digits and _")
    return name


def _number(data: Mapping[str, Any], key: str, place: Place, low: float = float("-inf")) -> float:
    found = data.get(key)
    if not _are_numbers([found], 1, low):
        at_least = f" from {low:g} on" if low > float("-inf") else ""
        place.under(key).refuse(_said(data, key), f"a number{at_least}")
    return data[key]


def _whole(data: Mapping[str, Any], key: str, place: Place, low: int) -> int:
    found = data.get(key)
    if type(found) is not int or found < low:
        place.under(key).refuse(_said(data, key), f"a whole number from {low} on")
    return found


def _share(data: Mapping[str, Any], key: str, place: Place) -> None:
    if not -SHARE_SLACK <= _number(data, key, place) <= 1.0 + SHARE_SLACK:
        place.under(key).refuse(shown(data[key]), "a share from 0 to 1")


def _box(data: Mapping[str, Any], place: Place) -> None:
    box = data.get("box")
    if not _are_numbers(box, 4):
        place.under("box").refuse(_said(data, "box"), "4 numbers")
    if min(data["box"][2:]) < 0:
        place.under("box").refuse(shown(box), "left, top, width and height")


def _are_numbers(found: Any, count: int, low: float = float("-inf"), high: float = float("inf")) -> bool:
    """True for a list of so many finite numbers within these bounds."""
    if not isinstance(found, list) or len(found) != count:
        return False
    return all(type(one) in (int, float) and isfinite(one) and low <= one <= high for one in found)


def _said(data: Mapping[str, Any], key: str) -> str:
    """The value of a key, for messages."""
    return shown(data[key]) if key in data else "nothing"
