"""Commands that are stopped: from the keyboard, by the program that started them, by a terminal that closes."""

import json
import os
import signal
import subprocess
import sys
import time
from functools import partial
from pathlib import Path

import pytest

pytestmark = [
    pytest.mark.film,
    pytest.mark.skipif(sys.platform == "win32", reason="signals as POSIX has them"),
]
ENDING = [signal.SIGINT, signal.SIGTERM, *([signal.SIGHUP] if hasattr(signal, "SIGHUP") else [])]
SCENE = {
    "duration": 0.25,
    "tank": {"size": [4, 3, 2]},
    "fishes": [{"species": "clownfish", "count": 2, "at": [2, 1.5, 1], "spread": 0.8}],
}


COMMANDS: list[subprocess.Popen] = []
"""Commands that the test has started."""


@pytest.fixture(autouse=True)
def none_is_left():
    """Ends the commands of a test that failed, which would go on for hours."""
    yield
    for command in COMMANDS:
        command.kill()
    COMMANDS.clear()


def hear(deaf_to: int | None) -> None:
    """Hears all signals but one, also those that the tests' parent ignores, as shells do for background jobs."""
    for number in ENDING:
        signal.signal(number, signal.SIG_IGN if number == deaf_to else signal.SIG_DFL)


def started(folder: Path, *words: str, deaf_to: int | None = None) -> subprocess.Popen:
    """A command at work in a folder, whose temporary files are in another."""
    (folder / "temporary").mkdir(exist_ok=True)
    environment = {**os.environ, "TMPDIR": str(folder / "temporary")}
    command = subprocess.Popen(
        [sys.executable, "-m", "artfish.cli", *words],
        cwd=folder,
        env=environment,
        stderr=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        text=True,
        preexec_fn=partial(hear, deaf_to),
    )
    COMMANDS.append(command)
    return command


def stopped(command: subprocess.Popen, number: int) -> str:
    """Sends a signal to a command, asserts that it ends with the code for being stopped, and returns its errors."""
    command.send_signal(number)
    said = command.communicate(timeout=300)[1]
    assert command.returncode == 130
    assert said.endswith("artfish: stopped\n") and "Traceback" not in said
    return said


def wait_for(condition, command: subprocess.Popen) -> None:
    """Waits until a condition holds, as long as the command is at work."""
    while not condition():
        assert command.poll() is None, command.stderr.read()
        time.sleep(0.01)


@pytest.fixture(scope="module")
def film(tmp_path_factory) -> Path:
    """A folder with a baked film."""
    pytest.importorskip("bpy")
    folder = tmp_path_factory.mktemp("stops")
    (folder / "small.json").write_text(json.dumps(SCENE))
    command = started(folder, "bake", "small.json", "-o", "film.blend")
    said = command.communicate()[1]
    assert command.returncode == 0, said
    return folder


@pytest.mark.sampled
@pytest.mark.parametrize(
    "number", [ENDING[0], *(pytest.param(number, marks=pytest.mark.large) for number in ENDING[1:])]
)
def test_a_picture_that_would_take_hours_ends_at_once(number, film):
    """A render that Ctrl-C does not stop (pytest-blender pull request 42, Power Sequencer issue 149)."""
    command = started(film, "render", "film.blend", "-o", "frames", "--samples", "1000000", "--size", "640x360")
    wait_for((film / "frames").is_dir, command)
    wait_for(lambda: command.stderr.readline().startswith("render"), command)
    time.sleep(2.0)  # so that it is at work within the picture
    stopped(command, number)
    assert not (film / "frames").exists()
    assert list((film / "temporary").iterdir()) == []


def test_finished_pictures_stay(film):
    """The same: frames that were rendered before the stop are whole and stay."""
    command = started(
        film, "render", "film.blend", "-o", "some", "--samples", "1", "--size", "16x16", "--frames", "1-6"
    )
    wait_for((film / "some" / "film-0002.png").is_file, command)
    stopped(command, signal.SIGINT)
    names = sorted(path.name for path in (film / "some").iterdir())
    assert names == [f"film-{frame:04d}.png" for frame in range(1, len(names) + 1)] and len(names) < 6
    assert all((film / "some" / name).read_bytes().endswith(b"IEND\xaeB`\x82") for name in names)


@pytest.mark.sampled
@pytest.mark.parametrize("number", ENDING)
def test_a_simulation_that_is_stopped_leaves_nothing(number, tmp_path):
    """A job that is ended leaves no temporary files behind."""
    command = started(tmp_path, "simulate", "reef", "-o", "reef.npz", "--frames", "100000")
    wait_for(lambda: command.stderr.readline().startswith("simulate"), command)
    stopped(command, number)
    assert [path.name for path in tmp_path.iterdir()] == ["temporary"]


@pytest.mark.skipif(not hasattr(signal, "SIGHUP"), reason="no such signal here")
def test_who_ignores_a_hangup_goes_on_ignoring_it(tmp_path):
    """A job under nohup outlives its terminal."""
    (tmp_path / "small.json").write_text(json.dumps(SCENE))
    words = "simulate", "small.json", "-o", "small.npz", "--frames", "60"
    command = started(tmp_path, *words, deaf_to=signal.SIGHUP)
    wait_for(lambda: command.stderr.readline().startswith("simulate"), command)
    command.send_signal(signal.SIGHUP)
    command.communicate(timeout=300)
    assert command.returncode == 0 and (tmp_path / "small.npz").is_file()
