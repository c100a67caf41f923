"""A data set is the same whoever makes it, goes on where it stopped, and is made of what was asked."""

import shutil
import sys
from concurrent.futures import Future
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from artfish.blender_artfish.dataset import making
from artfish.blender_artfish.dataset.farming import make_all
from artfish.core.base.files import read_json
from artfish.core.dataset.plan import DatasetFolder
from artfish.core.farm.processes import Processes

pytestmark = pytest.mark.film


@pytest.fixture
def no_blender_on_the_path(monkeypatch):
    """The path as it is before Blender is loaded; as `artfish dataset` has it."""
    monkeypatch.setattr(sys, "path", [path for path in sys.path if Path(path).parts[-2:] != ("scripts", "modules")])


class Here:
    """Runs calls in this process."""

    workers = 1

    def submit(self, function, *arguments):
        future = Future()
        future.set_result(function(*arguments))
        return future


def contents(root):
    """Labels, by file; of pictures Blender's denoiser may round a pixel another way when it shares out its work."""
    kinds = ("masks", "depth", "labels")
    return {path.relative_to(root): path.read_bytes() for kind in kinds for path in root.glob(f"{kind}/*/*/*")}


def test_one_worker_and_two_make_the_same_bytes(plan, tmp_path, no_blender_on_the_path):
    few = replace(plan, seeds=range(3, 4), span=(2, 5))
    made, shares = {}, []
    for workers in (1, 2):
        root = tmp_path / f"by {workers}"
        root.mkdir()
        with Processes(workers) as executor:
            make_all(executor, few, root, lambda share, text: shares.append(share))
        made[workers] = contents(root)
    assert len(made[1]) == 3 * 2 * 2 and made[1] == made[2]
    assert shares[-1] == pytest.approx(1.0)


def test_what_is_made_is_not_made_again(plan, begun, tmp_path, monkeypatch):
    folder = DatasetFolder(shutil.copytree(begun.root, tmp_path / "copy"))
    done = []

    def noted(root, name, some):
        done.extend(some)
        for camera, frame in some:
            path = folder.picture_files(name, camera, frame, "")["labels"]
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text("{}")

    monkeypatch.setattr(making, "make_pictures", noted)
    monkeypatch.setattr(making, "make_film", lambda folder, name: pytest.fail("a film is made again"))
    one = replace(plan, seeds=range(3, 4))
    make_all(Here(), one, folder.root)
    assert sorted(done) == [(camera, frame) for camera in ("bent", "front") for frame in (2, 5, 8)]
    done.clear()
    make_all(Here(), one, folder.root)
    assert done == []
    folder.picture_files("s0003", "front", 5, "")["labels"].unlink()
    make_all(Here(), one, folder.root)
    assert done == [("front", 5)]


def test_a_film_says_what_it_is_of(begun):
    film = read_json(begun.film_file("s0003", ".json"))
    assert film["seed"] == 3 and film["variation"]["picture.noise"] == 0.02 and film["digest"] == begun.digest("s0003")
    assert set(film["species"]) == {"butterflyfish", "sardine", "parrotfish"}
    assert np.isin([event["frame"] for event in film["events"]], range(8)).all()
