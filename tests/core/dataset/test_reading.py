"""Labels of others' hands: what is damaged is one line that says which file, where, and what is allowed there."""

import json
import shutil

import numpy as np
import pytest

from artfish.core.base.codec import SceneError
from artfish.core.dataset.reading import LabelledFilm, LabelledSet, validation_of
from artfish.core.dataset.rle import encoded_all
from artfish.tests.core.dataset.invented import changed, invent

DAMAGED = "labels/s0007/left/00006.json"


@pytest.fixture(scope="module")
def labelled(tmp_path_factory):
    return invent(tmp_path_factory.mktemp("labelled"), frames=(1, 6), size=(64, 36))


@pytest.fixture
def own(labelled, tmp_path):
    """A copy of the set, to be damaged."""
    return shutil.copytree(labelled, tmp_path / "own")


def refusal(folder, path):
    """The line in which a set is refused; sees that it begins with the file."""
    with pytest.raises(SceneError) as error:
        list(LabelledSet.read(folder).pictures())
    line = str(error.value)
    assert line.startswith(f"{folder / path}: ") and "\n" not in line
    return line.removeprefix(f"{folder / path}: ")


def test_pictures_come_in_order(labelled):
    of = LabelledSet.read(labelled)
    found = [(picture.film, picture.camera, picture.frame, picture.place) for picture in of.pictures()]
    assert found == [
        (film, eye, f, p) for film in ("s0007", "s0008") for eye in ("left", "right") for p, f in enumerate((1, 6))
    ]
    assert of.size == (64, 36) and of.species == ("sardine", "grouper") and of.skeleton[0] == (0, 1)


def seen(data):
    """The first fish of which a pixel is seen."""
    return next(fish for fish in data["fishes"] if fish["seen"])


def other_mask(data):
    """Give a fish the mask of another."""
    found = [fish for fish in data["fishes"] if fish["seen"]]
    found[0]["seen"]["rle"] = found[1]["seen"]["rle"]


LABELS = {
    "width: found 65, allowed 64": lambda data: data.update(width=65),
    "frame: found null, allowed 6": lambda data: data.pop("frame"),
    "camera: found 'right', allowed 'left'": lambda data: data.update(camera="right"),
    "format: found 2, allowed 1": lambda data: data.update(format=2),
    "picture: found '../../secret.png', allowed one of": lambda data: data.update(picture="../../secret.png"),
    "fishes: found nothing, allowed a list": lambda data: data.pop("fishes"),
    "fishes[0]: found 3, allowed the labels of a fish": lambda data: data["fishes"].insert(0, 3),
    "fishes[0].track: found nothing, allowed a whole number from 1 on": lambda data: data["fishes"][0].pop("track"),
    "fishes[0].track: found 0,": lambda data: data["fishes"][0].update(track=0),
    "fishes: found a track twice": lambda data: data["fishes"].append(data["fishes"][0]),
    "fishes[0].species: found 'cod', allowed one of sardine, grouper": lambda data: seen(data).update(species="cod"),
    "fishes[0].seen: found nothing, allowed what is seen of the fish, or null": lambda data: data["fishes"][0].pop(
        "seen"
    ),
    "fishes[0].seen.box: found [1, 2, 3], allowed 4 numbers": lambda data: seen(data)["seen"].update(box=[1, 2, 3]),
    "fishes[0].seen.box: found [1, 2, 3, 4], allowed [": lambda data: seen(data)["seen"].update(box=[1, 2, 3, 4]),
    "fishes[0].seen.pixels: found 1, allowed": lambda data: seen(data)["seen"].update(pixels=1),
    "fishes[0].seen.share: found 1.5, allowed a share from 0 to 1": lambda data: seen(data)["seen"].update(share=1.5),
    "fishes[0].seen.rle: found nothing": lambda data: seen(data)["seen"].pop("rle"),
    "fishes[0].seen.rle.size: found [1, 2], allowed [36, 64]": lambda data: seen(data)["seen"]["rle"].update(
        size=[1, 2]
    ),
    "fishes[0].seen.rle.counts: found run lengths of another size": lambda data: seen(data)["seen"]["rle"].update(
        counts="11"
    ),
    "fishes[0].seen.rle.counts: found no run lengths": lambda data: seen(data)["seen"]["rle"].update(counts="~"),
    "fishes[0].seen.rle.counts: found 7, allowed COCO's": lambda data: seen(data)["seen"]["rle"].update(counts=7),
    "fishes[0].seen.box: found [": other_mask,
    "fishes[0].hidden: found NaN, allowed a number": lambda data: data["fishes"][0].update(hidden=float("nan")),
    "fishes[0].cut_off: found nothing, allowed a number": lambda data: data["fishes"][0].pop("cut_off"),
    "fishes[0].whole.box: found [0, 0, -1, 2]": lambda data: data["fishes"][0]["whole"].update(box=[0, 0, -1, 2]),
    "fishes[0].keypoints: found a list of 4, allowed a list of 5": lambda data: data["fishes"][0]["keypoints"].pop(),
    "fishes[0].keypoints[1]: found [1, 2, 3], allowed x, y, and": lambda data: data["fishes"][0][
        "keypoints"
    ].__setitem__(1, [1, 2, 3]),
}


@pytest.mark.parametrize("line", LABELS)
def test_damaged_labels_are_one_line(own, line):
    changed(own / DAMAGED, LABELS[line])
    assert refusal(own, DAMAGED).startswith(line)


SETS = {
    "format: found null, allowed 1": lambda data: data.pop("format"),
    "size: found nothing, allowed 2 numbers": lambda data: data.pop("size"),
    "fps: found 0, allowed a number": lambda data: data.update(fps=0),
    "species: found nothing, allowed one or more": lambda data: data.update(species=[]),
    "species: found a name twice": lambda data: data["species"].append(data["species"][0]),
    "cameras[0].name: found '../left', allowed a name": lambda data: data["cameras"][0].update(name="../left"),
    "films[1].frames: found what is no frame": lambda data: data["films"][1].update(frames=[0, 6]),
    "films[1].frames: found []": lambda data: data["films"][1].update(frames=[]),
    "films[0].seed: found nothing": lambda data: data["films"][0].pop("seed"),
    "films[0].name: found null": lambda data: data["films"][0].pop("name"),
    "skeleton[3]: found [3, 9], allowed 2 numbers from 0 to 4": lambda data: data["skeleton"].__setitem__(3, [3, 9]),
}


@pytest.mark.parametrize("line", SETS)
def test_a_damaged_set_is_one_line(own, line):
    changed(own / "dataset.json", SETS[line])
    assert refusal(own, "dataset.json").startswith(line)


def test_what_is_missing_is_named(own):
    (own / DAMAGED).unlink()
    assert refusal(own, DAMAGED).startswith("found no such file")
    shutil.copyfile(own / "labels/s0007/left/00001.json", own / DAMAGED)
    assert refusal(own, DAMAGED).startswith("frame: found 1, allowed 6")


def test_a_missing_picture_is_named(own):
    (own / "pictures/s0008/right/00001.png").unlink()
    assert refusal(own, "pictures/s0008/right/00001.png").startswith("found no such file, allowed the picture of")


def test_no_data_set_is_named(tmp_path):
    with pytest.raises(SceneError, match=r"dataset\.json: found no such file"):
        LabelledSet.read(tmp_path)


def test_of_many_masks_the_damaged_one_is_named(own):
    changed(own / DAMAGED, lambda data: data["fishes"][2]["seen"]["rle"].update(counts="0~"))
    assert refusal(own, DAMAGED).startswith("fishes[2].seen.rle.counts: found no run lengths")


def test_the_last_fifth_of_the_films_is_for_validation():
    films = [LabelledFilm(f"s{seed}", seed, (1, 2), {}) for seed in (20, 3, 100, 5, 7, 1, 2, 4, 6, 8)]
    assert validation_of(films) == {(name, frame) for name in ("s100", "s20") for frame in (1, 2)}


def test_a_crowd_in_a_picture_is_read(labelled, tmp_path):
    """Hundreds of fishes of six pixels: each is there, and none is mistaken for another."""
    own = shutil.copytree(labelled, tmp_path / "own")
    fish = json.loads((own / DAMAGED).read_text())["fishes"][0]
    marks = np.zeros((36, 64), np.uint16)
    marks.ravel()[: 6 * 380] = np.repeat(np.arange(1, 381), 6)
    texts = encoded_all(marks, np.arange(1, 381))

    def crowded(data):
        data["fishes"] = []
        for number, text in enumerate(texts, start=1):
            rows, columns = np.nonzero(marks == number)
            low, high = (columns.min(), rows.min()), (columns.max(), rows.max())
            box = [*map(int, low), int(high[0] - low[0] + 1), int(high[1] - low[1] + 1)]
            own = {"box": box, "pixels": 6, "share": 1.0, "rle": {"size": [36, 64], "counts": text}}
            data["fishes"].append({**fish, "track": number, "seen": own})

    changed(own / DAMAGED, crowded)
    pictures = list(LabelledSet.read(own).pictures())
    assert len(list(pictures[1].seen)) == 380
