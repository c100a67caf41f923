"""yolo/: Ultralytics finds pictures and labels, by its own rule written out here, wherever the set is put."""

import json
import os
import shutil
from pathlib import Path

import pytest

from artfish.core.dataset import yolo
from artfish.core.dataset.gathering import gather
from artfish.tests.core.dataset.invented import SPECIES, changed, invent

ENDINGS = ("bmp", "dng", "jpeg", "jpg", "mpo", "png", "tif", "tiff", "webp", "pfm")


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    # A path with images and labels in it is the hardest for the rule.
    folder = invent(tmp_path_factory.mktemp("images") / "images" / "labels" / "set")
    gather(folder, ["yolo"])
    return folder


def read_yaml(path):
    """Read the few kinds of lines that are in data.yaml."""
    found, names = {}, {}
    for line in path.read_text().splitlines():
        key, _, value = line.partition("#")[0].partition(":")
        if line.startswith("  "):
            names[int(key)] = json.loads(value)
        elif key:
            found[key] = value.strip()
    return {**found, "names": names}


def pictures_of(listed: Path) -> list[str]:
    """Pictures of a list, as ultralytics.data.base.BaseDataset.get_img_files finds them."""
    parent = str(listed.parent) + os.sep
    lines = listed.read_text(encoding="utf-8").strip().splitlines()
    files = [line.replace("./", parent) if line.startswith("./") else line for line in lines]
    return sorted(file.replace("/", os.sep) for file in files if file.rpartition(".")[-1].lower() in ENDINGS)


def labels_of(picture: str) -> str:
    """The labels of a picture, as ultralytics.data.utils.img2label_paths finds them."""
    images, labels = f"{os.sep}images{os.sep}", f"{os.sep}labels{os.sep}"
    return labels.join(picture.rsplit(images, 1)).rsplit(".", 1)[0] + ".txt"


def boxes_of(picture: str) -> list[list[float]]:
    """The rows of a picture's labels, checked as ultralytics.data.utils.verify_image_label does."""
    rows = [[float(word) for word in line.split()] for line in Path(labels_of(picture)).read_text().splitlines()]
    assert all(len(row) == 5 and 0 <= min(row[1:]) and max(row[1:]) <= 1 and 0 <= row[0] < len(SPECIES) for row in rows)
    return rows


def check(folder):
    """Sees that pictures and boxes of both lists are those of the labels; returns the films of each list."""
    about = read_yaml(folder / "yolo" / "data.yaml")
    assert about["names"] == {0: "sardine", 1: "grouper"} and "path" not in about
    films = {}
    for split in ("train", "val"):
        pictures = pictures_of(folder / "yolo" / about[split])
        assert pictures
        films[split] = {Path(picture).parts[-3] for picture in pictures}
        for picture in pictures:
            name = Path(*Path(picture).parts[-3:])
            assert Path(picture).read_bytes() == (folder / "pictures" / name).read_bytes()
            labels = json.loads((folder / "labels" / name).with_suffix(".json").read_text())
            seen = [fish for fish in labels["fishes"] if fish["seen"]]
            wide, high = labels["width"], labels["height"]
            for fish, (kind, x, y, width, height) in zip(seen, boxes_of(picture), strict=True):
                assert SPECIES[int(kind)]["name"] == fish["species"]
                box = [wide * (x - 0.5 * width), high * (y - 0.5 * height), wide * width, high * height]
                assert box == pytest.approx(fish["seen"]["box"], abs=1e-5)  # nine digits of 160
    return films


def test_ultralytics_finds_pictures_and_boxes(folder):
    assert check(folder) == {"train": {"s0007"}, "val": {"s0008"}}


def test_a_set_may_be_moved(folder, tmp_path):
    check(shutil.copytree(folder, tmp_path / "moved"))


def test_pictures_take_no_room_twice(folder):
    for picture in (folder / "pictures").rglob("*.png"):
        assert os.path.samefile(picture, folder / "yolo" / "images" / picture.relative_to(folder / "pictures"))


def test_where_the_disk_has_no_second_names_pictures_are_copied(tmp_path, monkeypatch):
    def refused(source, goal):
        raise OSError(95, "Operation not supported")

    monkeypatch.setattr(yolo.os, "link", refused)
    folder = invent(tmp_path / "set", frames=(1, 2), fishes=4, size=(32, 18))
    gather(folder, ["yolo"])
    check(folder)


def test_a_picture_without_fishes_has_empty_labels(tmp_path):
    folder = invent(tmp_path / "set", frames=(1, 2), fishes=4, size=(32, 18))
    changed(folder / "labels/s0007/left/00001.json", lambda data: data.update(fishes=[]))
    gather(folder, ["yolo"])
    assert (folder / "yolo/labels/s0007/left/00001.txt").read_text() == ""


@pytest.mark.parametrize(("films", "frames", "train", "val"), [(1, 10, 8, 2), (1, 3, 2, 1), (1, 1, 1, 1), (6, 1, 5, 1)])
def test_the_last_fifth_is_for_validation(tmp_path, films, frames, train, val):
    folder = invent(tmp_path / "set", films, ("eye",), range(1, frames + 1), fishes=3, size=(32, 18))
    gather(folder, ["yolo"])
    found = {split: pictures_of(folder / "yolo" / f"{split}.txt") for split in ("train", "val")}
    assert (len(found["train"]), len(found["val"])) == (train, val)
    assert frames == films == 1 or found["train"][-1] < found["val"][0]
