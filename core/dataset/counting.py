"""Counts over a data set: of what there is how much, gathered picture after picture."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from .labelling import TINY_PIXELS
from .reading import LabelledPicture

PIXEL_BOUNDS = (0, TINY_PIXELS, 12 * 12, 32 * 32, 96 * 96)
"""Pixels from which the sizes of what is seen are counted; the last two are COCO's medium and large."""
SHARE_BOUNDS = (0.0, 0.05, 0.25, 0.5, 0.75)
"""Shares from which hiding and cutting off are counted."""


class SetCounts:
    """Counts of a data set.

    Attributes:
        pictures: Pictures.
        validation: Pictures for validation.
        fishes: Fishes in each picture of which a pixel is seen.
        by_species: Seen fishes, the tracks of all films, and the shortest and longest fish in metres, by species.
        unseen: Fishes in the view of which nothing is seen.
        tiny: Fishes that are too small to be scored.
        pixels: Seen fishes by `PIXEL_BOUNDS`.
        hidden: Seen fishes by the share hidden, as of `SHARE_BOUNDS`.
        cut_off: Seen fishes by the share that the picture cuts off.
        intentions: Seen fishes by intention.
        sexes: Seen fishes by sex.
        events: Events by kind.
        ranges: Least and greatest of what belongs to pictures, such as the visibility in metres.
    """

    def __init__(self, species: Sequence[str]) -> None:
        self.pictures = self.validation = self.unseen = self.tiny = 0
        self.fishes: list[int] = []
        self.by_species = {name: Counter({"seen": 0}) for name in species}
        self.tracks: dict[str, set[tuple[str, int]]] = {name: set() for name in species}
        self.lengths: dict[str, tuple[float, float]] = {}
        self.pixels = np.zeros(len(PIXEL_BOUNDS), dtype=np.int64)
        self.hidden = np.zeros(len(SHARE_BOUNDS), dtype=np.int64)
        self.cut_off = np.zeros(len(SHARE_BOUNDS), dtype=np.int64)
        self.intentions: Counter[str] = Counter()
        self.sexes: Counter[str] = Counter()
        self.events: Counter[str] = Counter()
        self.ranges: dict[str, tuple[float, float]] = {}

    def add(self, picture: LabelledPicture) -> None:
        """Counts a picture in."""
        seen = list(picture.seen)
        self.pictures += 1
        self.validation += picture.validation
        self.fishes.append(len(seen))
        self.unseen += len(picture.fishes) - len(seen)
        for fish in seen:
            name = fish["species"]
            self.by_species[name]["seen"] += 1
            self.tracks[name].add((picture.film, fish["track"]))
            widen(self.lengths, name, fish.get("length"))
            self.tiny += bool(fish.get("tiny"))
            for words, key in ((self.intentions, "intention"), (self.sexes, "sex")):
                if isinstance(fish.get(key), str):
                    words[fish[key]] += 1
        for counts, bounds, values in (
            (self.pixels, PIXEL_BOUNDS, [fish["seen"]["pixels"] for fish in seen]),
            (self.hidden, SHARE_BOUNDS, [fish["hidden"] for fish in seen]),
            (self.cut_off, SHARE_BOUNDS, [fish["cut_off"] for fish in seen]),
        ):
            counts += np.bincount(bins_of(values, bounds), minlength=len(bounds))
        for event in picture.data.get("events") or ():
            self.events[str(event.get("kind"))] += 1
        self._note(picture.data)

    def _note(self, data: Mapping[str, Any]) -> None:
        """Widen the ranges of what belongs to a picture."""
        water, optics = data.get("water") or {}, data.get("optics") or {}
        widen(self.ranges, "visibility in the water, m", water.get("visibility"))
        widen(self.ranges, "focal length, mm", optics.get("lens"))
        for name, value in sorted((data.get("conditions") or {}).items()):
            widen(self.ranges, name, value)


def bins_of(values: Sequence[float], bounds: Sequence[float]) -> np.ndarray:
    """The bin of each value, of those that begin at each bound, (n,)."""
    return np.clip(np.searchsorted(bounds, np.asarray(values, dtype=float), side="right") - 1, 0, None)


def widen(ranges: dict[str, tuple[float, float]], name: str, value: Any) -> None:
    """Widens a range to a value, if that is a number."""
    if isinstance(value, int | float) and not isinstance(value, bool):
        low, high = ranges.get(name, (value, value))
        ranges[name] = min(low, value), max(high, value)
