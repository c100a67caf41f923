"""Which library is loaded, and what is said where none can be."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys

import pytest

from artfish.core import Scene, SceneError, World
from artfish.core.body import kernel
from artfish.core.compiled import library
from artfish.core.compiled.library import LANES, Library, Missing

needs_a_library = pytest.mark.skipif(not kernel.available, reason=f"no kernel: {kernel.reason}")


def chosen(choice: str) -> subprocess.CompletedProcess:
    """The run of a new interpreter that prints the mover of bodies where `ARTFISH_KERNEL` is this."""
    asks = "from artfish.core.body import kernel; print(kernel.available, kernel.name)"
    environment = {**os.environ, library.KERNEL_CHOICE: choice}
    return subprocess.run([sys.executable, "-c", asks], env=environment, capture_output=True, text=True, check=False)


@needs_a_library
def test_the_widest_build_is_used_unless_another_is_chosen():
    assert kernel.loaded is not None and list(kernel.loaded.builds) == list(LANES)[: len(kernel.loaded.builds)]
    assert kernel.name == os.environ.get(library.KERNEL_CHOICE, kernel.loaded.widest)
    narrowest = next(iter(kernel.loaded.builds))
    assert chosen(narrowest).stdout.split() == ["True", narrowest]


def test_a_choice_that_is_none_is_refused():
    assert "ARTFISH_KERNEL: found 'vax', allowed sse2, avx2, avx512, neon" in chosen("vax").stderr


def test_a_library_that_is_not_here_is_no_error_yet(monkeypatch):
    monkeypatch.delenv(library.KERNEL_CHOICE, raising=False)
    monkeypatch.setattr(library, "file_name", lambda: "artfish_kernel-none.so")
    found, name, reason = library.load()
    assert found is None and name == "" and reason.startswith("artfish_kernel-none.so is not here")
    monkeypatch.setenv(library.KERNEL_CHOICE, "avx2")
    with pytest.raises(ValueError, match="ARTFISH_KERNEL: found 'avx2', but artfish_kernel-none.so is not here"):
        library.load()


@needs_a_library
@pytest.mark.parametrize("damage", ["cut", "text", "empty"])
def test_a_damaged_library_is_no_error_yet(tmp_path, monkeypatch, damage):
    path = tmp_path / library.file_name()
    shutil.copyfile(library.find(), path)
    whole = path.read_bytes()
    path.write_bytes({"cut": whole[: len(whole) // 3], "text": b"no library\n", "empty": b""}[damage])
    shutil.copyfile(f"{library.find()}{library.DIGEST_SUFFIX}", f"{path}{library.DIGEST_SUFFIX}")
    with pytest.raises(Missing, match=f"{path.name} is damaged"):
        Library(path)
    monkeypatch.delenv(library.KERNEL_CHOICE, raising=False)
    monkeypatch.setattr(library, "find", lambda: path)
    found, name, reason = library.load()
    assert found is None and name == "" and "is damaged" in reason


def test_a_world_is_refused_where_there_is_no_library(monkeypatch):
    monkeypatch.setattr(library.use, "loaded", None)
    monkeypatch.setattr(library.use, "reason", "artfish_kernel-none.so is not here")
    with pytest.raises(SceneError) as error:
        World(Scene.load("go_fish"), seed=1)
    assert str(error.value) == (
        "found no compiled part of Artfish, without which no fish swims (artfish_kernel-none.so is not here), "
        f"allowed {library.INSTALLATION}"
    )


@pytest.mark.parametrize(
    ("system", "machine", "name"),
    [
        ("Linux", "x86_64", "artfish_kernel-linux-x64.so"),
        ("Linux", "aarch64", "artfish_kernel-linux-arm64.so"),
        ("Windows", "AMD64", "artfish_kernel-windows-x64.dll"),
        ("Darwin", "arm64", "artfish_kernel-macos-arm64.dylib"),
        ("Windows", "ARM64", "artfish_kernel-windows-arm64.dll"),
        ("Linux", "riscv64", None),
        ("Plan 9", "x86_64", None),
    ],
)
def test_which_machines_have_a_library(monkeypatch, system, machine, name):
    monkeypatch.setattr(library.platform, "system", lambda: system)
    monkeypatch.setattr(library.platform, "machine", lambda: machine)
    if name is None:
        with pytest.raises(Missing, match=f"no kernel is built for {system} on {machine}"):
            library.file_name()
    else:
        assert library.file_name() == name
