"""Files are written whole or not at all."""

import os
import subprocess
import sys

import pytest

from artfish.core import SceneError
from artfish.core.base.files import ensure_folder, ensure_writable, new_folder, replacing, write_json, writing


def test_a_failure_half_way_keeps_the_old_file(tmp_path):
    path = tmp_path / "scene.json"
    path.write_text("old")
    with pytest.raises(RuntimeError), writing(path) as stream:
        stream.write(b"half")
        raise RuntimeError
    assert path.read_text() == "old" and [child.name for child in tmp_path.iterdir()] == ["scene.json"]


def test_a_full_disk_is_one_line_and_leaves_nothing(tmp_path):
    path = tmp_path / "scene.json"
    with pytest.raises(SceneError, match="No space left|no space left"), writing(path):
        raise OSError(28, "No space left on device")
    assert not list(tmp_path.iterdir())


@pytest.mark.film
@pytest.mark.skipif(sys.platform == "win32", reason="no limit on the size of files there")
def test_arrays_that_find_no_room_are_one_line_and_leave_nothing(tmp_path):
    program = (
        "import resource, sys, numpy as np; from artfish.core.base.codec import SceneError; "
        "from artfish.core.base.files import write_arrays; resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096))\n"
        "try: write_arrays(sys.argv[1], {'many': np.zeros(100_000)})\n"
        "except SceneError as error: print(error)"
    )
    path = tmp_path / "run.npz"
    done = subprocess.run([sys.executable, "-c", program, str(path)], capture_output=True, text=True, check=True)
    assert done.stdout.count("\n") == 1 and "run.npz: found an obstacle (file too large), allowed" in done.stdout
    assert done.stderr == "" and not list(tmp_path.iterdir())


def test_a_writer_that_wants_a_path_gets_one_with_the_same_ending(tmp_path):
    path = tmp_path / "film.blend"
    with replacing(path) as part:
        assert part.suffix == ".blend" and part.parent == tmp_path
        part.write_text("made")
        assert not path.exists()
    assert path.read_text() == "made" and list(tmp_path.iterdir()) == [path]


def test_a_writer_that_wrote_nothing_is_one_line(tmp_path):
    with pytest.raises(SceneError, match="film.blend: found no such file, allowed"), replacing(tmp_path / "film.blend"):
        pass


def test_a_link_stays_a_link(tmp_path):
    (tmp_path / "link.json").symlink_to(tmp_path / "real.json")
    write_json(tmp_path / "link.json", {"a": 1})
    assert (tmp_path / "link.json").is_symlink() and (tmp_path / "real.json").read_text() == '{\n  "a": 1\n}\n'


def bad_outputs(folder):
    (folder / "file").write_text("")
    return [
        folder / "absent" / "x.npz",
        folder / "file" / "x.npz",
        folder,
        f"{folder}/x\0.npz",
        folder / ("x" * 300 + ".npz"),
        os.devnull,
        "",
    ]


def test_an_unwritable_output_is_one_line(tmp_path):
    for path in bad_outputs(tmp_path):
        for attempt in (ensure_writable, lambda path: write_json(path, {})):
            with pytest.raises(SceneError) as refused:
                attempt(path)
            assert ": found " in str(refused.value) and ", allowed " in str(refused.value)
    assert [child.name for child in tmp_path.iterdir()] == ["file"]


def test_a_protected_file_is_not_replaced(tmp_path, monkeypatch):
    (tmp_path / "x.npz").write_text("mine")
    monkeypatch.setattr(os, "access", lambda path, mode: False)  # to root nothing is protected
    with pytest.raises(SceneError, match="protected from writing"):
        ensure_writable(tmp_path / "x.npz")


def test_looking_leaves_everything_as_it_was(tmp_path):
    (tmp_path / "x.npz").write_text("mine")
    ensure_writable(tmp_path / "x.npz", ".npz")
    ensure_writable(tmp_path / "y.npz", ".npz")
    assert [child.name for child in tmp_path.iterdir()] == ["x.npz"]
    with pytest.raises(SceneError, match="ends in .npz"):
        ensure_writable(tmp_path / "x.json", ".npz")


def test_a_folder_is_made_with_those_above_it(tmp_path):
    ensure_folder(tmp_path / "a" / "b")
    assert not list((tmp_path / "a" / "b").iterdir())
    (tmp_path / "file").write_text("")
    with pytest.raises(SceneError, match="allowed a folder"):
        ensure_folder(tmp_path / "file" / "b")


@pytest.mark.parametrize(
    ("before", "inside", "after"), [(False, False, False), (True, False, True), (False, True, True)]
)
def test_a_folder_for_nothing_goes_again(tmp_path, before, inside, after):
    folder = tmp_path / "film"
    if before:
        folder.mkdir()
    with pytest.raises(RuntimeError), new_folder(folder):
        assert folder.is_dir()
        if inside:
            (folder / "0001.png").touch()
        raise RuntimeError
    assert folder.exists() == after
