"""The package as others get it: the sdist, the wheel made of it, and the command where only that is installed."""

import importlib.util
import os
import re
import shutil
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
ROOMS = ("core", "blender_artfish", "benchmarks", "studies")
PLATFORM_TAG = r"py3-none-(manylinux_2_\d+_(x86_64|aarch64)|macosx_\d+_\d+_(x86_64|arm64)|win_(amd64|arm64))\.whl"
"""The platforms that PyPI takes; it takes no wheel for a plain "linux"."""
SCENE = """{"duration": 0.1, "tank": {"size": [4, 3, 2]},
"fishes": [{"species": "clownfish", "count": 2, "at": [2, 1.5, 1], "spread": 0.8}]}"""


def copy_project(target: Path) -> Path:
    """Copies the project without environments, caches and build outputs."""
    built = (".git", ".venv*", ".cache", "build", "dist", "out", "*.egg-info", "__pycache__", "*.so", "*.made")
    shutil.copytree(ROOT, target, ignore=shutil.ignore_patterns(*built))
    return target


def build(checkout: Path, out: Path, *options: str) -> subprocess.CompletedProcess:
    """Builds the sdist, and the wheel from the sdist, as a packager does."""
    command = [sys.executable, "-m", "build", "--outdir", out, *options, checkout]
    return subprocess.run(command, capture_output=True, text=True, check=False)


@pytest.fixture(scope="module")
def dist(tmp_path_factory) -> Path:
    """A folder with the sdist and with the wheel that was made of it."""
    folder = tmp_path_factory.mktemp("package")
    result = build(copy_project(folder / "checkout"), folder / "dist")
    assert result.returncode == 0, result.stdout[-3000:] + result.stderr[-3000:]
    return folder / "dist"


@pytest.fixture(scope="module")
def installed(dist, tmp_path_factory) -> Path:
    """The scripts of an environment with the wheel and its dependencies, nothing of the checkout."""
    folder = tmp_path_factory.mktemp("environment") / "venv"
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", folder], check=True)
    bin_ = folder / ("Scripts" if os.name == "nt" else "bin")
    (wheel,) = dist.glob("*.whl")
    pip = [sys.executable, "-m", "pip", "--python", bin_ / "python", "install", "--quiet", "--no-deps", "--no-index"]
    subprocess.run([*pip, wheel], check=True)
    (ours,) = folder.glob("**/site-packages")
    spec = importlib.util.find_spec("bpy")
    assert spec is not None and spec.origin is not None
    for path in Path(spec.origin).parents[1].iterdir():
        if not path.name.lower().startswith(("artfish", "__editable__")) and not (ours / path.name).exists():
            (ours / path.name).symlink_to(path)
    return bin_


@pytest.mark.long
@pytest.mark.film
def test_a_fresh_clone_installs_as_it_stands(tmp_path):
    """`make test` begins with this in a clone, where nothing has been built yet."""
    from build import ProjectBuilder
    from build.env import DefaultIsolatedEnv

    with DefaultIsolatedEnv() as environment:
        builder = ProjectBuilder.from_isolated_env(environment, copy_project(tmp_path / "checkout"))
        environment.install(builder.build_system_requires)
        environment.install(builder.get_requires_for_build("editable"))
        wheel = Path(builder.build("editable", tmp_path / "dist"))
    assert re.search(PLATFORM_TAG, wheel.name)
    assert len(list((tmp_path / "checkout" / "core" / "compiled").glob("*.made"))) == 1


@pytest.mark.film
def test_the_wheel_holds_the_whole_package_and_its_library(dist):
    (wheel,) = dist.glob("*.whl")
    assert re.search(PLATFORM_TAG, wheel.name)
    contents = set(zipfile.ZipFile(wheel).namelist())
    files = [path for room in ROOMS for kind in ("py", "json", "npz") for path in (ROOT / room).rglob(f"*.{kind}")]
    files += [path for path in (ROOT / "presets").rglob("*") if path.is_file()]
    files += [ROOT / "py.typed", ROOT / "cli.py", *(ROOT / "benchmarks").glob("*.c")]
    assert {f"artfish/{path.relative_to(ROOT).as_posix()}" for path in files} <= contents
    assert len([name for name in contents if re.search(r"artfish_kernel-[a-z]+-\w+\.(so|dylib|dll)$", name)]) == 1
    assert not [name for name in contents if name.startswith(("artfish/tests", "artfish/tools", "tests", "tools"))]


@pytest.mark.film
def test_the_sdist_holds_what_is_built_and_tested(dist):
    (sdist,) = dist.glob("*.tar.gz")
    with tarfile.open(sdist) as archive:
        contents = {name.partition("/")[2] for name in archive.getnames()}
    rooms = (*ROOMS, "presets", "tests", "tools")
    skipped = {".so", ".dll", ".dylib", ".made", ".sha256", ".pyc", ".blend"}
    files = [path for room in rooms for path in (ROOT / room).rglob("*") if path.is_file()]
    expected = {path.relative_to(ROOT).as_posix() for path in files if path.suffix not in skipped}
    assert {name for name in expected if "__pycache__" not in name} <= contents
    assert {"setup.py", "pyproject.toml", "LICENSE", "README.md"} <= contents
    assert not [name for name in contents if name.endswith((".so", ".dll", ".dylib"))]


@pytest.mark.film
def test_what_is_installed_bakes_and_renders_with_its_own_kernel(installed, tmp_path):
    (tmp_path / "small.json").write_text(SCENE)
    clean = {key: value for key, value in os.environ.items() if not key.startswith(("PYTHON", "ARTFISH"))}

    def run(*words: str) -> str:
        done = subprocess.run(words, cwd=tmp_path, env=clean, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    ask = "import artfish; from artfish.core.body import kernel; print(artfish.__file__, kernel.available)"
    where, available = run(str(installed / "python"), "-c", ask).split()
    assert Path(where).is_relative_to(installed.parent) and available == "True"
    artfish = str(installed / "artfish")
    run(artfish, "bake", "small.json", "-o", "small.blend", "--frames", "2")
    run(artfish, "render", "small.blend", "-o", "out", "--frames", "1", "--size", "64x36", "--samples", "1")
    (picture,) = (tmp_path / "out").glob("*.png")
    assert picture.read_bytes().startswith(b"\x89PNG")


@pytest.mark.film
def test_a_package_whose_kernel_cannot_be_built_is_none(tmp_path):
    checkout = copy_project(tmp_path / "checkout")
    (checkout / "core" / "body" / "kernel" / "kernel.c").write_text("#error no kernel\n")
    result = build(checkout, tmp_path / "dist", "--wheel")
    assert result.returncode != 0
    assert "the kernel cannot be built, and there is no package without it" in result.stdout + result.stderr
    assert not list((tmp_path / "dist").glob("*.whl"))


def test_a_machine_without_a_compiler_is_reported_to_the_build(monkeypatch, capsys):
    monkeypatch.syspath_prepend(ROOT / "tools")
    tool = importlib.import_module("kernel")
    monkeypatch.setattr(tool.shutil, "which", lambda name: None)
    for zig, code in (("ziglang", 0), (None, tool.NO_COMPILER)):
        monkeypatch.setattr(tool.importlib.util, "find_spec", lambda name, zig=zig: zig if name == zig else None)
        monkeypatch.setattr(sys, "argv", ["kernel.py", "--platform", "linux-x64", "--tell", "compiler"])
        assert tool.main() == code
