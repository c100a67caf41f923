"""The tool that makes environments: all files agree on the Pythons that have a bpy, and failures are one line."""

import importlib
import re
import tomllib
from collections import namedtuple
from pathlib import Path

import pytest

from artfish import cli

ROOT = Path(__file__).resolve().parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
Disk = namedtuple("Disk", "total used free")
Done = namedtuple("Done", "returncode stdout stderr")


@pytest.fixture
def tool(monkeypatch):
    """tools/environment.py."""
    monkeypatch.syspath_prepend(ROOT / "tools")
    return importlib.import_module("environment")


def test_the_pythons_of_bpy_are_the_same_wherever_they_are_said(tool):
    extra = dict(
        re.fullmatch(r"bpy==([\d.]+)\.\*; python_version == '([\d.]+)'", line).groups()[::-1]
        for line in PROJECT["optional-dependencies"]["blender"]
    )
    assert extra == tool.DEFAULT_BPY == cli.BPY_OF_PYTHON
    assert set(extra) == set(tool.PYTHON_OF_BPY.values())
    assert all(tool.PYTHON_OF_BPY[series] == python for python, series in extra.items())


@pytest.mark.parametrize(
    ("running", "cure"),
    [((3, 11), "pip install bpy==4.5.*"), ((3, 12), "there is none for Python 3.12, only for 3.11 and 3.13")],
)
def test_where_bpy_is_missing_the_advice_leads_somewhere(monkeypatch, running, cure):
    monkeypatch.setitem(cli.sys.modules, "bpy", None)
    monkeypatch.setattr(cli.sys, "version_info", (*running, 0))
    with pytest.raises(cli.CommandError, match=re.escape(cure)):
        cli._need_blender("bake")


def test_a_series_that_is_newer_than_all_known_ones_is_named(tool, monkeypatch):
    known = "Available versions: 5.3.0, 5.2.3, 4.5.9"
    monkeypatch.setattr(tool.subprocess, "run", lambda *_, **__: Done(0, known, ""))
    assert tool.newer_series() == ["bpy 5.3 is the newest series"]
    monkeypatch.setattr(tool.subprocess, "run", lambda *_, **__: Done(0, f"{known}, 5.10.0, 6.0.1", ""))
    assert [line.split()[1] for line in tool.newer_series()] == ["5.10", "6.0"]
    monkeypatch.setattr(tool.subprocess, "run", lambda *_, **__: Done(1, "", "no network"))
    assert tool.newer_series() == ["no index of packages answers: which bpy is the newest is not known"]


SAID = """ERROR: Could not find a version that satisfies the requirement setuptools>=77 (from versions: none)
ERROR: No matching distribution found for setuptools>=77
[notice] A new release of pip is available
"""

BUILD = """  error: subprocess-exited-with-error

  x Building editable for artfish (pyproject.toml) did not run successfully.
      Traceback (most recent call last):
        File "<string>", line 58, in get_tag
      FileNotFoundError: [Errno 2] No such file or directory: 'kernel.so'
      [end of output]
  ERROR: Failed building editable for artfish
"""


@pytest.mark.parametrize(
    ("said", "offline", "cause"),
    [
        (SAID, "1", r"setuptools>=77 .*\(PIP_NO_INDEX is set, so that it looks nowhere\)"),
        (SAID, "", r"setuptools>=77 .*\(is there a network, and does the index that pip is set to have it\?\)"),
        (
            "ERROR: Could not install packages due to an OSError: [Errno 28] No space left on device\n",
            "",
            "No space left",
        ),
        (BUILD, "", r"Failed building editable for artfish \(FileNotFoundError: .* 'kernel\.so'\)"),
        ("", "", "it does not say why"),
    ],
)
def test_why_nothing_was_installed_is_one_line(tool, monkeypatch, said, offline, cause):
    monkeypatch.setenv("PIP_NO_INDEX", offline)
    monkeypatch.setattr(tool.subprocess, "run", lambda *_, **__: Done(1, "", said))
    with pytest.raises(tool.UnmadeError, match=f"pip cannot install bpy: .*{cause}") as error:
        tool.install(Path("python"), "bpy")
    assert "\n" not in str(error.value)


def test_a_disk_that_is_too_small_is_reported_before_anything_is_made(tool, monkeypatch, tmp_path):
    monkeypatch.setattr(tool.shutil, "disk_usage", lambda _: Disk(9e9, 8.5e9, 0.5e9))
    with pytest.raises(tool.UnmadeError, match=r"found 0\.5 GB free .* needed 2 GB for \.venv"):
        tool.make(tmp_path / ".venv", "python3", "4.5", [])
    assert not list(tmp_path.iterdir())


def test_a_file_that_the_system_refuses_is_named():
    error = cli._of_system(FileNotFoundError(2, "No such file or directory", "declarations.json"))
    assert str(error).startswith("declarations.json: found an obstacle (No such file or directory)")
    assert str(cli._of_system(OSError(28, "No space left on device"))).startswith("standard output: found an obstacle")
    assert "standard output" not in str(cli._of_system(OSError(24, "Too many open files")))


def test_tools_name_no_host():
    """Tools download only from the index and the mirrors that the machine is set up with."""
    files = list((ROOT / "tools").glob("*.py"))
    hosts = {host for path in files for host in re.findall(r"https?://([\w.-]+)", path.read_text())}
    assert hosts <= {"www.w3.org"}  # the name of a language, which nobody calls
