"""Plans: the same request makes the same folder, another one removes what was of the other."""

import json
from dataclasses import replace

import pytest

from artfish.core import Scene
from artfish.core.base.codec import SceneError
from artfish.core.dataset.cameras import DEFAULT_CAMERAS, cameras_of
from artfish.core.dataset.conditions import varies_of
from artfish.core.dataset.plan import PICTURES_A_JOB, DatasetFolder, DatasetPlan, film_name, read_formats


@pytest.fixture(scope="module")
def plan():
    scene = Scene.load("reef")
    varies = varies_of({"picture.noise": {"range": [0.0, 0.1]}}, scene)
    return DatasetPlan(scene, range(3, 6), (2, 40), 2, DEFAULT_CAMERAS, varies, (64, 48), 4)


def finish(folder, film, frames):
    for frame in frames:
        path = folder.picture_files(film, "camera", frame, ".png")["labels"]
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("{}")


def make(folder, name):
    (folder.root / "films").mkdir(exist_ok=True)
    folder.film_file(name, ".blend").write_bytes(b"")
    folder.film_file(name, ".json").write_text(json.dumps({"digest": folder.digest(name)}))


def test_what_is_there_is_not_made_again(plan, tmp_path):
    folder = DatasetFolder(tmp_path)
    folder.begin(plan)
    assert [film["name"] for film in folder.source["films"]] == ["s0003", "s0004", "s0005"]
    jobs = folder.jobs(["camera"])
    assert sum(len(some) for _, some in jobs) == 3 * 20 and max(len(some) for _, some in jobs) == PICTURES_A_JOB
    make(folder, "s0003")
    finish(folder, "s0003", plan.frames[:5])
    again = DatasetFolder(tmp_path)
    again.begin(plan)
    assert again.is_made("s0003") and not again.is_made("s0004")
    assert len(again.missing("s0003", ["camera"])) == 15


def test_other_pictures_of_other_makings_go(plan, tmp_path):
    folder = DatasetFolder(tmp_path)
    folder.begin(plan)
    make(folder, "s0003")
    finish(folder, "s0003", plan.frames)
    more = DatasetFolder(tmp_path)
    more.begin(replace(plan, seeds=range(3, 8)))  # more films, the same pictures
    assert more.missing("s0003", ["camera"]) == [] and len(more.source["films"]) == 5
    other = DatasetFolder(tmp_path)
    other.begin(replace(plan, samples=8))
    assert len(other.missing("s0003", ["camera"])) == 20 and not other.is_made("s0003")


def test_the_scene_of_a_film_has_its_values(plan, tmp_path):
    folder = DatasetFolder(tmp_path)
    folder.begin(replace(plan, varies=varies_of({"water.turbidity": {"choices": [0.7]}}, plan.scene)))
    scene, conditions = folder.scene_of("s0004")
    assert scene.water.turbidity == 0.7 and conditions.noise == 0.0
    about = json.loads((tmp_path / "dataset.json").read_text())
    assert about["films"][1]["variation"] == {"water.turbidity": 0.7}
    assert {one["name"] for one in about["species"]} == {group.species for group in plan.scene.fishes}


def test_a_folder_of_something_else_is_refused(plan, tmp_path):
    (tmp_path / "letter.txt").write_text("Dear")
    with pytest.raises(SceneError, match="a new folder"):
        DatasetFolder(tmp_path).begin(plan)
    assert (tmp_path / "letter.txt").read_text() == "Dear"


def test_what_the_scene_does_not_have_is_refused(plan):
    with pytest.raises(SceneError, match="--frames: found 2-100000"):
        replace(plan, span=(2, 100_000))
    with pytest.raises(SceneError, match="a scene with a ride"):
        replace(plan, cameras=cameras_of([{"kind": "dive", "name": "bow"}]))


def test_names_and_formats():
    assert film_name(7) == "s0007" and film_name(123456) == "s123456"
    assert read_formats("mot, coco,mot") == ("mot", "coco")
    with pytest.raises(SceneError, match="some of coco, mot, yolo"):
        read_formats("voc")
