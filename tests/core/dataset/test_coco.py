"""coco.json: what pycocotools makes of it, and what stands in it beside."""

import contextlib
import io
import json

import numpy as np
import pytest

from artfish.core.dataset.gathering import gather
from artfish.core.dataset.rle import decoded
from artfish.tests.core.dataset.invented import KEYPOINTS, SPECIES, invent


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = invent(tmp_path_factory.mktemp("labelled"))
    gather(folder, ["coco"])
    return folder


@pytest.fixture(scope="module")
def data(folder):
    return json.loads((folder / "coco.json").read_text())


def labels_of(folder, image):
    """The labels of an image's fishes of which a pixel is seen."""
    path = (folder / image["file_name"].replace("pictures/", "labels/")).with_suffix(".json")
    return [fish for fish in json.loads(path.read_text())["fishes"] if fish["seen"]]


def test_images_are_in_order_and_there(folder, data):
    names = [image["file_name"] for image in data["images"]]
    assert names == sorted(path.relative_to(folder).as_posix() for path in (folder / "pictures").rglob("*.png"))
    assert [image["id"] for image in data["images"]] == list(range(1, 21))
    assert {(image["film"], image["split"]) for image in data["images"]} == {("s0007", "train"), ("s0008", "val")}
    videos = {video["id"]: video["name"] for video in data["videos"]}
    assert all(image["file_name"].split("/", 1)[1].startswith(videos[image["video_id"]]) for image in data["images"])
    assert [image["frame_id"] for image in data["images"]] == [0, 1, 2, 3, 4] * 4


def test_each_seen_fish_is_an_annotation(folder, data):
    assert [one["id"] for one in data["annotations"]] == list(range(1, len(data["annotations"]) + 1))
    kinds = {category["id"]: category["name"] for category in data["categories"]}
    assert list(kinds.items()) == [(1, "sardine"), (2, "grouper")]
    for image in data["images"]:
        found = [one for one in data["annotations"] if one["image_id"] == image["id"]]
        labels = labels_of(folder, image)
        assert [one["track_id"] for one in found] == [fish["track"] for fish in labels]
        for one, fish in zip(found, labels, strict=True):
            assert kinds[one["category_id"]] == fish["species"] and one["iscrowd"] == 0
            assert one["bbox"] == fish["seen"]["box"] and one["area"] == fish["seen"]["pixels"]
            assert one["whole_bbox"] == fish["whole"]["box"] and one["visible"] == fish["seen"]["share"]
            assert one["tiny"] == (one["area"] < 4)
            assert all(one[key] == fish[key] for key in ("cut_off", "hidden", "intention", "length", "sex", "hunger"))
            mask = decoded(one["segmentation"]["counts"], one["segmentation"]["size"])
            assert mask.sum() == one["area"]
            points = np.array(one["keypoints"]).reshape(-1, 3)
            assert len(points) == len(KEYPOINTS) and one["num_keypoints"] == (points[:, 2] > 0).sum()
            assert (points[points[:, 2] == 0] == 0).all()


def test_tiny_and_hidden_fishes_are_as_they_should(folder, data):
    tiny = [one for one in data["annotations"] if one["tiny"]]
    unseen = [path for path in (folder / "labels").rglob("*.json") if '"seen": null' in path.read_text()]
    assert tiny and all(one["area"] < 4 for one in tiny)
    assert len(unseen) == 20  # one stays behind the stone


def test_bones_are_counted_from_one(data):
    for category in data["categories"]:
        assert category["keypoints"] == list(KEYPOINTS)
        assert category["skeleton"] == [[1, 2], [1, 3], [3, 4], [4, 5]]
    assert [category["supercategory"] for category in data["categories"]] == ["fish"] * len(SPECIES)


@pytest.mark.parametrize("kind", ["bbox", "segm", "keypoints"])
def test_pycocotools_scores_the_set_against_itself(folder, data, kind):
    coco = pytest.importorskip("pycocotools.coco", reason="pycocotools is not installed")
    cocoeval = pytest.importorskip("pycocotools.cocoeval")
    kept = ("image_id", "category_id", "bbox", "segmentation", "keypoints")
    found = [{**{key: one[key] for key in kept}, "score": 1.0} for one in data["annotations"]]
    if kind == "keypoints":  # its loader takes results for masks where they have any
        found = [{key: value for key, value in one.items() if key not in ("bbox", "segmentation")} for one in found]
    with contextlib.redirect_stdout(io.StringIO()):
        truth = coco.COCO(str(folder / "coco.json"))
        score = cocoeval.COCOeval(truth, truth.loadRes(found), kind)
        if kind == "keypoints":
            score.params.kpt_oks_sigmas = np.full(len(KEYPOINTS), 0.05)
        score.evaluate()
        score.accumulate()
        score.summarize()
    assert score.stats[0] == 1.0
    assert len(truth.getImgIds()) == 20 and len(truth.getCatIds()) == 2


@pytest.mark.parametrize("kind", ["bbox", "segm"])
def test_pycocotools_finds_what_is_off(folder, data, kind):
    """The score of a set that lacks a third of its fishes is not 1, so that 1 says something."""
    coco = pytest.importorskip("pycocotools.coco", reason="pycocotools is not installed")
    cocoeval = pytest.importorskip("pycocotools.cocoeval")
    kept = ("image_id", "category_id", "bbox", "segmentation")
    found = [{**{key: one[key] for key in kept}, "score": 1.0} for one in data["annotations"][::3]]
    with contextlib.redirect_stdout(io.StringIO()):
        truth = coco.COCO(str(folder / "coco.json"))
        score = cocoeval.COCOeval(truth, truth.loadRes(found), kind)
        score.evaluate()
        score.accumulate()
        score.summarize()
    assert score.stats[0] < 0.5
