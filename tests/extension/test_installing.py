"""Zips of a release are installed, used and taken out again, and what they leave is said in a line."""

import sys
from pathlib import Path

import pytest

from artfish.tests.project.tools import tool

installing = tool("installing")
FINE = {"version": "5.2", "enabled": True, "result": ["FINISHED"], "fishes": 6, "clean": True, "left": []}


@pytest.mark.film
@pytest.mark.parametrize("which", ["archive", pytest.param("archive_without_scipy", marks=pytest.mark.long)])
def test_a_zip_does_its_work_and_leaves_nothing(which, request):
    (line,) = installing.install_all(request.getfixturevalue(which).parent, [Path(sys.executable)])
    assert line.endswith(": 6 fishes baked, nothing left")


@pytest.mark.parametrize(
    "found",
    [
        {"enabled": False},
        {"result": ["CANCELLED"]},
        {"fishes": 0},
        {"clean": False},
        {"left": [".local/lib/scipy/__init__.py"]},
    ],
    ids=lambda found: next(iter(found)),
)
def test_what_a_zip_fails_at_is_said(found, monkeypatch):
    monkeypatch.setattr(installing, "gather", lambda *_, **__: None)
    monkeypatch.setattr(installing, "session", lambda *_: {**FINE, **found})
    with pytest.raises(installing.InstallError, match="artfish.zip in Blender 5.2: "):
        installing.installed(Path("artfish.zip"), Path("python"))


def test_a_folder_without_a_zip_for_this_machine_is_refused(tmp_path):
    (tmp_path / "artfish-1.0.0-amiga_m68k.zip").touch()
    with pytest.raises(installing.InstallError, match="no zip for "):
        list(installing.install_all(tmp_path))
