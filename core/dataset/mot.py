"""Tracks as MOTChallenge has them: a folder for each film and camera, `mot/FILM-CAMERA`.

A line of `gt/gt.txt` is frame, track, left, top, width, height, a flag, class and visibility (Milan et al. 2016,
"MOT16"; motchallenge.net/instructions). Frames are counted from 1 in the order of the pictures' names, tracks and
pixels from 1; the flag is 0 for a fish that is too small to be scored; classes are species in the order of
`gt/labels.txt`, as CVAT reads it; visibility is the share of the whole fish that is seen. Boxes are those of what is
seen, as in the other files of the set, not of the whole fish.
"""

from __future__ import annotations

from pathlib import Path

from .growing import GrowingText
from .reading import LabelledPicture, LabelledSet

MOT_FOLDER = "mot"


class MotWriter:
    """The folders of tracks, made one after another.

    Args:
        folder: Folder that `mot` is made in.
        of: The data set.
    """

    def __init__(self, folder: Path, of: LabelledSet) -> None:
        self._folder, self._of = folder / MOT_FOLDER, of
        self._classes = {name: number for number, name in enumerate(of.species, start=1)}
        self._tracks: GrowingText | None = None
        self._maps = {
            split: GrowingText(self._folder / "seqmaps" / f"{split}.txt") for split in ("all", "train", "val")
        }
        for sequences in self._maps.values():
            sequences.add("name\n")

    def add(self, picture: LabelledPicture) -> None:
        """Adds a picture's fishes, in the order of their tracks."""
        if picture.place == 0:
            self._begin(picture)
        assert self._tracks is not None
        for fish in sorted(picture.seen, key=lambda fish: fish["track"]):
            left, top, width, height = fish["seen"]["box"]
            scored = 0 if fish.get("tiny") else 1
            row = picture.place + 1, fish["track"], left + 1, top + 1, width, height, scored
            kind, visibility = self._classes[fish["species"]], fish["seen"]["share"]
            self._tracks.add(",".join(f"{number:.12g}" for number in (*row, kind)) + f",{visibility:.6g}\n")

    def finish(self) -> None:
        """Writes the rest."""
        for sequences in (self._tracks, *self._maps.values()):
            if sequences is not None:
                sequences.flush()

    def _begin(self, picture: LabelledPicture) -> None:
        """Begin the folder of a film and a camera."""
        if self._tracks is not None:
            self._tracks.flush()
        name = f"{picture.film}-{picture.camera}"
        of, folder = self._of, self._folder / name
        frames = next(film.frames for film in of.films if film.name == picture.film)
        self._tracks = GrowingText(folder / "gt" / "gt.txt")
        labels = GrowingText(folder / "gt" / "labels.txt")
        labels.add("".join(f"{species}\n" for species in of.species))
        labels.flush()
        info = GrowingText(folder / "seqinfo.ini")
        info.add(
            f"[Sequence]\nname={name}\nimDir=../../{picture.path.rpartition('/')[0]}\nframeRate={self._rate(frames)}\n"
            f"seqLength={len(frames)}\nimWidth={of.size[0]}\nimHeight={of.size[1]}\n"
            f"imExt={Path(picture.path).suffix}\n"
        )
        info.flush()
        for split in ("all", *self._splits(picture.film, frames)):
            self._maps[split].add(f"{name}\n")

    def _rate(self, frames: tuple[int, ...]) -> int:
        """Labelled frames in a second; readers of others take whole numbers only."""
        span = (frames[-1] - frames[0]) / self._of.fps
        return max(round((len(frames) - 1) / span), 1) if span else max(round(self._of.fps), 1)

    def _splits(self, film: str, frames: tuple[int, ...]) -> list[str]:
        """The parts that a film is in: one, but for the only film of a set, whose last frames are for validation."""
        parts = {(film, frame) in self._of.validation for frame in frames}
        return [split for split, of in (("train", False), ("val", True)) if of in parts]
