"""Data sets of films that are there: what is of the same making stays, the rest goes."""

from dataclasses import replace

import pytest

from artfish.core import Scene, World
from artfish.core.base.codec import SceneError
from artfish.core.base.files import read_json
from artfish.core.dataset.filmed import FilmedPlan, begin_film, end_film, whole_frames
from artfish.core.dataset.plan import DatasetFolder
from artfish.core.dataset.reading import LabelledSet

CAMERAS = {"left": {"place": [0.0]}, "right": {}}


@pytest.fixture(scope="module")
def plan():
    scene = Scene.from_dict({"name": "Film", "fishes": [{"species": "clownfish", "at": [1, 1, 1]}]}, "film.json")
    return FilmedPlan(World(scene, seed=1).simulate(9), "Film", 7, (1, 4, 7), CAMERAS, (64, 36), 2, ("mot",), {"a": 1})


def finish(folder, plan, camera, *frames):
    for frame in frames:
        for path in folder.picture_files(plan.name, camera, frame, ".png").values():
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text("{}")


def there(folder):
    return sorted(path.relative_to(folder.root / "labels").as_posix() for path in folder.root.glob("labels/*/*/*"))


def begin(plan, path, **options):
    folder = DatasetFolder(path)
    begin_film(folder, plan, **options)
    return folder


def test_frames_are_done_that_every_camera_has(plan, tmp_path):
    folder = begin(plan, tmp_path)
    assert end_film(folder, plan) == () and not (tmp_path / "dataset.json").exists()
    finish(folder, plan, "left", 1, 4)
    finish(folder, plan, "right", 1)
    assert whole_frames(folder, plan) == end_film(folder, plan) == (1,)
    of = LabelledSet.read(tmp_path)
    assert of.cameras == ("left", "right") and of.films[0].frames == (1,) and of.films[0].seed == 7
    assert of.data["title"] == "Film" and of.data["formats"] == ["mot"]


def test_pictures_of_the_same_making_stay(plan, tmp_path):
    finish(begin(plan, tmp_path), plan, "left", 1, 4)
    more = replace(plan, frames=(1, 2, 3, 4), formats=("coco",))
    assert whole_frames(begin(more, tmp_path), more) == ()
    assert len(there(DatasetFolder(tmp_path))) == 2
    assert read_json(tmp_path / "source.json")["frames"] == [1, 2, 3, 4]


@pytest.mark.parametrize(
    "other",
    [{"size": (32, 18)}, {"samples": 4}, {"depends": {"a": 2}}, {"seed": 8}],
    ids=lambda other: next(iter(other)),
)
def test_pictures_of_another_making_go(plan, tmp_path, other):
    finish(begin(plan, tmp_path), plan, "left", 1, 4)
    assert there(begin(replace(plan, **other), tmp_path)) == []


def test_pictures_of_a_camera_that_stands_elsewhere_go(plan, tmp_path):
    folder = begin(plan, tmp_path)
    for camera in CAMERAS:
        finish(folder, plan, camera, 1)
    begin(replace(plan, cameras=CAMERAS | {"left": {"place": [1.0]}}), tmp_path)
    assert there(folder) == ["s0007/right/00001.json"]


def test_all_goes_where_all_is_to_be_made_anew(plan, tmp_path):
    finish(begin(plan, tmp_path), plan, "right", 1)
    assert there(begin(plan, tmp_path, anew=True)) == []


def test_folders_of_others_are_refused(plan, tmp_path):
    begin(plan, tmp_path)
    with pytest.raises(SceneError, match="the data set of 'Film'"):
        begin(replace(plan, title="Another"), tmp_path)
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "text.txt").write_text("mine")
    with pytest.raises(SceneError, match="other files"):
        begin(plan, tmp_path / "mine")
