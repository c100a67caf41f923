"""The kernel's wheel names truly the machines that it runs on, and a wheel for others is built for theirs."""

import importlib
import importlib.util
import shutil
from dataclasses import replace
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def tool(monkeypatch):
    """The tool that builds the kernel, tools/kernel.py."""
    monkeypatch.syspath_prepend(ROOT / "tools")
    return importlib.import_module("kernel")


@pytest.mark.parametrize(
    ("needed", "tag"),
    [
        (b"GLIBC_2.2.5\0GLIBC_2.14", "manylinux_2_28_x86_64"),
        (b"GLIBC_2.28", "manylinux_2_28_x86_64"),
        (b"GLIBC_2.2.5\0GLIBC_2.34", "manylinux_2_34_x86_64"),
    ],
)
def test_the_tag_of_a_wheel_is_as_new_as_the_newest_glibc_that_it_needs(tool, tmp_path, needed, tag):
    library = tmp_path / tool.library_name("linux-x64")
    library.write_bytes(b"\x7fELF\0" + needed + b"\0")
    library.with_name(library.name + ".sha256").write_text("")
    wheel = tool.pack("linux-x64", tmp_path, tmp_path / "wheels")
    assert wheel.name.endswith(f"-py3-none-{tag}.whl")


def test_what_others_run_is_built_by_zig_where_it_is_here(tool, monkeypatch):
    monkeypatch.setattr(tool, "this_machine", lambda: "linux-x64")
    monkeypatch.setattr(tool.shutil, "which", lambda name: f"/usr/bin/{name}")
    monkeypatch.setattr(tool.importlib.util, "find_spec", lambda name: name == "ziglang")
    assert "ziglang" in tool.command_of("linux-x64", for_others=True)
    assert "ziglang" not in tool.command_of("linux-x64")
    monkeypatch.setattr(tool.importlib.util, "find_spec", lambda name: None)
    assert tool.command_of("linux-x64", for_others=True)[0] == "/usr/bin/cc"
    assert tool.command_of("macos-arm64", for_others=True) is None


@pytest.mark.skipif(not (shutil.which("cc") or importlib.util.find_spec("ziglang")), reason="no compiler is here")
def test_a_library_that_is_up_to_date_says_who_built_it(tool, tmp_path, monkeypatch):
    name = tool.this_machine()
    kind = tool.PLATFORMS[name]
    monkeypatch.setitem(tool.PLATFORMS, name, replace(kind, builds=kind.builds[:1]))
    small = tool.FOLDER / "dispatch.c"  # is built soon
    monkeypatch.setattr(tool, "STEP", small)
    monkeypatch.setattr(tool, "sources", lambda: [small])
    built = tool.build(name, tool.command_of(name), tmp_path)
    again = tool.build(name, tool.command_of(name), tmp_path)
    assert " built by " in built and again == built.replace(" built by", " is up to date, built by")


BUILT = b"MZ".ljust(0x3C, b"\0") + (0x40).to_bytes(4, "little") + b"PE\0\0".ljust(12, b"\0")
"""As little as a library of Windows may be, which serves for the others too."""


@pytest.mark.parametrize("platform", ["linux-x64", "macos-arm64", "macos-x64", "windows-x64"])
def test_a_library_is_linked_by_a_name_that_says_nothing_of_the_folder(tool, platform, tmp_path, monkeypatch):
    """A library of macOS holds the name by which it was linked: by default the path of a folder of that run."""
    linked = []

    def run(command, **_):
        Path(command[command.index("-o") + 1]).write_bytes(BUILT)
        if "-shared" in command:
            linked.extend(word for word in command if "install_name" in word)

    monkeypatch.setattr(tool.subprocess, "run", run)
    tool.build(platform, ["cc"], tmp_path)
    name = tool.library_name(platform)
    assert (tmp_path / name).exists()
    assert linked == ([f"-Wl,-install_name,@rpath/{name}"] if platform.startswith("macos") else [])
