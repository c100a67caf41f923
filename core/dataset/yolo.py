"""Boxes as Ultralytics' YOLO reads them: `yolo/data.yaml`, lists of pictures, and a text file of boxes a picture.

Ultralytics finds the labels of a picture by its path alone: the last `/images/` in it becomes `/labels/`, and the
ending `.txt`. So the pictures have to lie below a folder `images`, beside one of labels, wherever the set is put; and a
path with `../` in a list breaks. `yolo/images` therefore has the pictures once more, as hard links: a second name of
the same file, which takes no room, and which Windows allows anybody to make, other than symbolic links. Where the disk
cannot (FAT, some network drives), they are copies. `data.yaml` has no `path`, so that everything is found from where it
lies itself.
"""

from __future__ import annotations

import json
import os
import shutil
from pathlib import Path

from .growing import GrowingText
from .reading import LabelledPicture, LabelledSet

YOLO_FOLDER = "yolo"


class YoloWriter:
    """The folder, which fills picture after picture.

    Args:
        folder: Folder that `yolo` is made in.
        of: The data set.
    """

    def __init__(self, folder: Path, of: LabelledSet) -> None:
        self._folder, self._of = folder / YOLO_FOLDER, of
        self._classes = {name: number for number, name in enumerate(of.species)}
        self._lists = {name: GrowingText(self._folder / f"{name}.txt") for name in ("train", "val")}
        self._links = True

    def add(self, picture: LabelledPicture) -> None:
        """Adds a picture with its boxes: class, middle, width and height as shares of the picture's."""
        within = picture.path.partition("/")[2]
        self._place(self._of.folder / picture.path, self._folder / "images" / within)
        wide, high = self._of.size
        lines = []
        for fish in picture.seen:
            left, top, width, height = fish["seen"]["box"]
            row = (left + 0.5 * width) / wide, (top + 0.5 * height) / high, width / wide, height / high
            lines.append(f"{self._classes[fish['species']]} {' '.join(f'{number:.9g}' for number in row)}\n")
        labels = (self._folder / "labels" / within).with_suffix(".txt")
        labels.parent.mkdir(parents=True, exist_ok=True)
        labels.write_text("".join(lines), encoding="utf-8", newline="\n")
        self._lists["val" if picture.validation else "train"].add(f"./images/{within}\n")

    def finish(self) -> None:
        """Writes the rest."""
        for pictures in self._lists.values():
            pictures.flush()
        # A single picture is for both, as Ultralytics takes no empty list.
        if not self._lists["train"].size:
            shutil.copyfile(self._lists["val"].path, self._lists["train"].path)
        about = GrowingText(self._folder / "data.yaml")
        names = "".join(f"  {number}: {json.dumps(name)}\n" for name, number in self._classes.items())
        about.add(
            f"# Pictures are second names of those in ../pictures.\ntrain: train.txt\nval: val.txt\nnames:\n{names}"
        )
        about.flush()

    def _place(self, picture: Path, goal: Path) -> None:
        """Put a picture there as a second name of the same file, or as a copy where the disk has no such names."""
        goal.parent.mkdir(parents=True, exist_ok=True)
        if self._links:
            try:
                os.link(picture, goal)
                return
            except OSError:
                self._links = False
        shutil.copyfile(picture, goal)
