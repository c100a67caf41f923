"""Labels as COCO has them, in one file for detection, masks, keypoints and tracks: `coco.json`.

Categories are species. Boxes and masks are those of what is seen; a fish of which nothing is seen is no annotation.
Pixels are counted as in all labels of the set: the middle of the first is (0.5, 0.5). Source: "Data format",
cocodataset.org; `videos`, `video_id` and `frame_id` are those of COCO-style video sets.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from ...version import ARTFISH_VERSION
from .growing import GrowingText
from .reading import LabelledPicture, LabelledSet

COCO_FILE = "coco.json"
LICENSE_NAME = "Pictures and labels belong to whoever made this set; README.md says more"
KEPT_LABELS = ("cut_off", "hidden", "length", "sex", "intention", "hunger", "fear", "libido", "speed", "beat")
"""Labels of a fish that its annotation has by the same name."""


class CocoWriter:
    """The file, which grows picture after picture.

    Args:
        folder: Folder that it is written into.
        of: The data set.
    """

    def __init__(self, folder: Path, of: LabelledSet) -> None:
        self._file = GrowingText(folder / COCO_FILE)
        self._annotations = GrowingText(folder / f"{COCO_FILE}.annotations")
        self._categories = {name: number for number, name in enumerate(of.species, start=1)}
        self._videos = {
            (film.name, camera): number
            for number, (film, camera) in enumerate(((f, c) for f in of.films for c in of.cameras), start=1)
        }
        self._pictures = self._count = 0
        self._file.add('{"info": ' + compact(_info(of)) + ",\n")
        self._file.add(f'"licenses": [{compact({"id": 1, "name": LICENSE_NAME, "url": ""})}],\n')
        self._file.add(f'"categories": [\n{_rows(_category(of, name, n) for name, n in self._categories.items())}],\n')
        videos = (
            {"id": number, "name": f"{film}/{camera}", "film": film, "camera": camera}
            for (film, camera), number in self._videos.items()
        )
        self._file.add(f'"videos": [\n{_rows(videos)}],\n"images": [\n')

    def add(self, picture: LabelledPicture) -> None:
        """Adds a picture with its fishes."""
        self._pictures += 1
        image = {
            "id": self._pictures,
            "file_name": picture.path,
            "width": picture.data["width"],
            "height": picture.data["height"],
            "license": 1,
            "video_id": self._videos[picture.film, picture.camera],
            "frame_id": picture.place,
            "film": picture.film,
            "camera": picture.camera,
            "frame": picture.frame,
            "split": "val" if picture.validation else "train",
        }
        self._file.add(f"{_comma(self._pictures)}{compact(image)}")
        for fish in picture.seen:
            self._count += 1
            self._annotations.add(f"{_comma(self._count)}{compact(self._annotation(fish))}")

    def finish(self) -> None:
        """Writes the rest."""
        self._file.add('\n],\n"annotations": [\n')
        self._annotations.add("\n]}\n")
        self._file.take_in(self._annotations)

    def _annotation(self, fish: Mapping[str, Any]) -> dict[str, Any]:
        seen = fish["seen"]
        points = [number for x, y, v, *_ in fish["keypoints"] for number in ((x, y, v) if v else (0, 0, 0))]
        return {
            "id": self._count,
            "image_id": self._pictures,
            "category_id": self._categories[fish["species"]],
            "segmentation": {"size": seen["rle"]["size"], "counts": seen["rle"]["counts"]},
            "bbox": seen["box"],
            "area": seen["pixels"],
            "iscrowd": 0,
            "keypoints": points,
            "num_keypoints": sum(v > 0 for v in points[2::3]),
            "track_id": fish["track"],
            "whole_bbox": fish["whole"]["box"],
            "whole_area": fish["whole"]["pixels"],
            "visible": seen["share"],
            "tiny": bool(fish.get("tiny", False)),
            **{key: fish.get(key) for key in KEPT_LABELS},
        }


def compact(data: Any) -> str:
    """JSON on one line, without NaN or infinities."""
    return json.dumps(data, allow_nan=False, separators=(", ", ": "))


def _info(of: LabelledSet) -> dict[str, Any]:
    title = of.data.get("title") or of.data.get("scene") or "fishes"
    return {
        "description": f"{title}: fishes simulated by Artfish. Boxes and masks are of what is seen; the middle of the "
        "first pixel is (0.5, 0.5), of keypoints too",
        "version": "1",
        "contributor": f"Artfish {of.data.get('artfish', ARTFISH_VERSION)}",
    }


def _category(of: LabelledSet, name: str, number: int) -> dict[str, Any]:
    """The category of a species; COCO counts the ends of bones from 1."""
    skeleton = [[one + 1, other + 1] for one, other in of.skeleton]
    return {"id": number, "name": name, "supercategory": "fish", "keypoints": of.keypoints, "skeleton": skeleton}


def _rows(items: Any) -> str:
    return ",\n".join(map(compact, items)) + "\n"


def _comma(number: int) -> str:
    return "" if number == 1 else ",\n"
