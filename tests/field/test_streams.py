"""Streams that are closed or full, and outputs that belong to somebody."""

import json
import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from artfish.cli import main
from artfish.core import Recording, SceneError, Species
from artfish.core.base.files import ensure_other, replacing, write_json, writing

posix = pytest.mark.skipif(sys.platform == "win32", reason="streams and permissions as POSIX has them")
SMALL = {
    "duration": 0.125,
    "tank": {"size": [4, 3, 2]},
    "fishes": [{"species": "clownfish", "count": 2, "at": [2, 1.5, 1], "spread": 0.8}],
}


@pytest.fixture
def scene(tmp_path) -> Path:
    path = tmp_path / "small.json"
    path.write_text(json.dumps(SMALL))
    return path


def shell(line: str, folder: Path) -> subprocess.CompletedProcess:
    """Runs a command line in a shell; ARTFISH in it stands for the command."""
    command = line.replace("ARTFISH", f"{sys.executable} -m artfish.cli")
    return subprocess.run(command, shell=True, cwd=folder, capture_output=True, text=True)


@posix
@pytest.mark.film
@pytest.mark.parametrize("closed", ["2>&-", "2>&- >&- <&-", "2>/dev/full"])
def test_errors_that_nobody_can_read_end_no_simulation(closed, scene, tmp_path):
    """A service may give a job no standard error."""
    done = shell(f"ARTFISH simulate small.json -o x.npz {closed}", tmp_path)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    assert Recording.load(tmp_path / "x.npz").frames == 3
    assert sorted(path.name for path in tmp_path.iterdir()) == ["small.json", "x.npz"]


@posix
@pytest.mark.film
@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="no device that is always full")
def test_an_output_that_is_full_is_one_line():
    """A reader that is gone or full is no traceback (graphtage issue 156, CPython issue 90650)."""
    done = shell("ARTFISH species > /dev/full", Path.cwd())
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1 and done.stderr.startswith("artfish: standard output: found an obstacle (")
    assert shell("ARTFISH --help > /dev/full", Path.cwd()).stderr == ""


@posix
@pytest.mark.parametrize("mode", [0o600, 0o640, 0o755])
@pytest.mark.parametrize("write", [write_json, lambda path, data: replacing_text(path)])
def test_a_file_that_is_replaced_keeps_its_permissions(mode, write, tmp_path):
    """Saving by renaming keeps a private file private (sd issue 14, atomicwrites pull request 11)."""
    path = tmp_path / "mine.json"
    path.write_text("old")
    path.chmod(mode)
    write(path, {"a": 1})
    assert stat.S_IMODE(path.stat().st_mode) == mode and path.read_text() != "old"


def replacing_text(path: Path) -> None:
    """Replaces a file as a writer does that wants a path."""
    with replacing(path) as part:
        part.write_text("new")


@posix
def test_a_private_file_is_private_while_it_is_written(tmp_path):
    """The same: a file written beside a private one is private from its first byte."""
    path = tmp_path / "mine.json"
    path.write_text("old")
    path.chmod(0o600)
    with writing(path) as stream:
        stream.write(b"new")
        assert stat.S_IMODE(os.fstat(stream.fileno()).st_mode) == 0o600


@pytest.mark.parametrize("text", ["", "short", "long " * 100_000])
def test_a_file_of_two_names_keeps_both(text, tmp_path):
    """Links stay links, hard ones too (labelme issue 2485)."""
    one, other = tmp_path / "one.txt", tmp_path / "other.txt"
    one.write_text("what was there before")
    os.link(one, other)
    with writing(one) as stream:
        stream.write(text.encode())
    assert other.read_text() == text and one.stat().st_nlink == 2
    assert sorted(path.name for path in tmp_path.iterdir()) == ["one.txt", "other.txt"]


@posix
@pytest.mark.skipif(not hasattr(os, "posix_fallocate"), reason="no way to ask for room")
def test_a_file_of_two_names_stays_whole_where_there_is_no_room(tmp_path, monkeypatch):
    """The same: the file that the names stand for is touched only once there is room."""
    one, other = tmp_path / "one.txt", tmp_path / "other.txt"
    one.write_text("old")
    os.link(one, other)

    def full(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "posix_fallocate", full)
    with pytest.raises(SceneError, match="no space left"), writing(one) as stream:
        stream.write(b"longer than before")
    assert other.read_text() == "old" and len(list(tmp_path.iterdir())) == 2


def test_an_output_is_no_input(scene, tmp_path, capsys):
    """Input and output may be one file, which must not end up empty (ftfy issue 78, xsv issue 92)."""
    before = scene.read_text()
    cues = tmp_path / "cues.json"
    cues.write_text("{}")
    os.link(scene, tmp_path / "same.npz")
    os.link(scene, tmp_path / "same.blend")
    for words in (
        ["simulate", str(scene), "-o", f"{tmp_path}/same.npz"],
        ["sync", str(scene), str(cues), "-o", str(scene)],
        ["sync", str(scene), str(cues), "-o", str(cues)],
        ["bake", str(scene), "-o", f"{tmp_path}/same.blend"],
    ):
        assert main(words) == 2
        said = capsys.readouterr().err
        assert said.count("\n") == 1 and "found the same file as" in said and "allowed a file that is not read" in said
    assert scene.read_text() == before and cues.read_text() == "{}"


def test_a_preset_is_an_input_too(tmp_path):
    """The same, by a preset's name in place of a path."""
    with pytest.raises(SceneError, match="found the same file as"):
        ensure_other(tmp_path, tmp_path / ".")
    ensure_other(tmp_path / "new", tmp_path)


@pytest.mark.parametrize("text", ['{"KEY": 1}', '{"KEY": 1, "KEY": 2}', '{"fishes": [{"species": "KEY"}]}'])
def test_a_long_key_makes_a_short_line(text, tmp_path, capsys):
    """An error that quoted all of its input would fill a log."""
    path = tmp_path / "x.json"
    path.write_text(text.replace("KEY", "\x1b" * 10 + "k" * 3_000_000))
    assert main(["simulate", str(path), "-o", f"{tmp_path}/x.npz"]) == 2
    said = capsys.readouterr().err
    assert len(said) < 2_500 and said.count("\n") == 1 and "x.json" in said and "\x1b" not in said


@pytest.mark.film
@pytest.mark.parametrize("letters", ["ascii", "cp1252", "ascii:strict"])
def test_letters_that_an_output_has_not_end_no_work(letters, tmp_path):
    """Redirected output on Windows is in the letters of a code page (CPython issue 36775)."""
    sardine = Species.load("sardine").to_dict()
    (tmp_path / "\u9c2f.json").write_text(json.dumps(sardine | {"name": "\u9c2f"}), encoding="utf-8")
    fishes = [{"species": "\u9c2f", "at": [2, 1.5, 1], "enters": 0.05}]
    (tmp_path / "s.json").write_text(json.dumps(SMALL | {"fishes": fishes}), encoding="utf-8")
    words = [sys.executable, "-m", "artfish.cli", "simulate", "s.json", "-o", "x.npz"]
    done = subprocess.run(words, cwd=tmp_path, capture_output=True, env={**os.environ, "PYTHONIOENCODING": letters})
    assert done.returncode == 0, done.stderr
    assert rb"\u9c2f 0 entered" in done.stdout
    assert Recording.load(tmp_path / "x.npz").frames == 3


@posix
@pytest.mark.film
def test_arrays_of_tracks_that_find_no_room_are_one_line(scene, tmp_path):
    """NumPy's own archive complained a second time when nobody could help any more."""
    shell("ARTFISH simulate small.json -o x.npz", tmp_path)
    done = shell("ulimit -f 1; ARTFISH export x.npz -o tracks.npz", tmp_path)
    assert done.returncode == 2 and done.stderr.count("\n") == 1, done.stderr
    assert "tracks.npz: found an obstacle (" in done.stderr
    assert sorted(path.name for path in tmp_path.iterdir()) == ["small.json", "x.npz"]
