"""The tool that builds libraries: one of Windows says nothing of when it was built."""

import importlib
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def tool(monkeypatch):
    monkeypatch.syspath_prepend(ROOT / "tools")
    return importlib.import_module("kernel")


def test_a_library_of_windows_holds_no_time(tool, tmp_path):
    library, made = tmp_path / "small.dll", []
    for moment in (b"\x11\x22\x33\x44", b"\x55\x66\x77\x88"):
        header = b"PE\0\0" + b"\x64\x86\x05\x00" + moment + b"what follows"
        library.write_bytes(b"MZ" + bytes(0x3A) + (0x48).to_bytes(4, "little") + bytes(8) + header)
        tool.forget_time(library)
        made.append(library.read_bytes())
    assert made[0] == made[1] and made[0].endswith(bytes(4) + b"what follows")


def test_what_is_no_library_of_windows_is_refused(tool, tmp_path):
    library = tmp_path / "small.dll"
    library.write_bytes(bytes(200))
    with pytest.raises(ValueError, match="small.dll is no PE file"):
        tool.forget_time(library)
