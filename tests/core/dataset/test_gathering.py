"""Files made of labels at the end: whole or not at all, and the same bytes whoever made the labels when."""

import hashlib
import os
import shutil
import tracemalloc

import pytest

from artfish.core.base.codec import SceneError
from artfish.core.dataset import gathering, growing
from artfish.core.dataset.gathering import gather
from artfish.core.dataset.plan import LABEL_FORMATS
from artfish.tests.core.dataset.invented import changed, invent

MADE = ("README.md", "coco.json", "index.html", "mot", "page", "yolo")


@pytest.fixture(scope="module")
def labelled(tmp_path_factory):
    return invent(tmp_path_factory.mktemp("labelled"))


@pytest.fixture
def own(labelled, tmp_path):
    """A copy of the set, to be changed."""
    return shutil.copytree(labelled, tmp_path / "own")


def digests(folder):
    """Digests of all files that are made of labels, by path."""
    files = [path for name in MADE for path in [folder / name, *(folder / name).rglob("*")] if path.is_file()]
    return {path.relative_to(folder).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest() for path in files}


def test_everything_is_made_and_nothing_else(own):
    before = {path.name for path in own.iterdir()}
    assert len(gather(own).films) == 2
    assert {path.name for path in own.iterdir()} - before == set(MADE)


def test_only_the_formats_that_are_named_are_made(own):
    gather(own, ["mot"])
    assert (own / "mot").is_dir() and not (own / "coco.json").exists() and not (own / "yolo").exists()
    card = (own / "README.md").read_text()
    assert "`mot/" in card and "`coco.json`" not in card


def test_each_format_has_a_writer():
    assert tuple(gathering.WRITERS) == LABEL_FORMATS


def test_an_unknown_format_is_refused(own):
    with pytest.raises(SceneError, match="found 'voc', allowed some of coco, mot, yolo"):
        gather(own, ["coco", "voc"])


def test_bytes_do_not_depend_on_the_order_of_making(own, tmp_path):
    other = tmp_path / "other"
    for path in sorted((path for path in own.rglob("*") if path.is_file()), reverse=True):  # the last comes first
        goal = other / path.relative_to(own)
        goal.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(path, goal)
    changed(other / "dataset.json", lambda data: (data["films"].reverse(), data["cameras"].reverse()))
    gather(own)
    gather(other)
    assert digests(own) == digests(other)
    gather(own)  # again, over what is there
    assert digests(own) == digests(other)


def test_damaged_labels_leave_all_as_it_was(own):
    gather(own)
    before = digests(own)
    path = own / "labels/s0008/right/00021.json"
    path.write_text(path.read_text()[:300])
    with pytest.raises(SceneError) as error:
        gather(own)
    assert str(path) in str(error.value) and "no JSON" in str(error.value)
    assert digests(own) == before
    assert not [name for name in os.listdir(own) if name.startswith(".artfish")]


@pytest.mark.parametrize("moves", range(12))
def test_a_move_that_fails_is_taken_back(own, monkeypatch, moves):
    gather(own, ["coco"])
    before = digests(own)
    changed(own / "dataset.json", lambda data: data.update(title="Another"))
    replace, made = os.replace, []

    def full(source, goal):
        made.append(goal)
        if len(made) == moves + 1:
            raise OSError(28, "No space left on device", str(goal))
        replace(source, goal)

    monkeypatch.setattr(gathering.os, "replace", full)
    if moves < 10:  # four files to move away, six to move in
        with pytest.raises(SceneError, match="no space left"):
            gather(own)
        assert digests(own) == before
    else:
        gather(own)
        assert len(made) == 10 and digests(own) != before


def test_memory_does_not_grow_with_the_labels(tmp_path, monkeypatch):
    monkeypatch.setattr(growing, "PART_CHARACTERS", 1000)
    few, many = (invent(tmp_path / str(n), 1, ("eye",), range(1, n + 1), size=(48, 27)) for n in (4, 40))
    peaks = []
    for folder in (few, few, many):  # the first brings what is loaded once
        tracemalloc.start()
        gather(folder)
        peaks.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()
    size = sum(path.stat().st_size for path in (many / "labels").rglob("*.json"))
    assert peaks[2] - peaks[1] < 0.25 * size  # numbers of frames and of fishes, the split, and Python's own of paths
