"""Claims about the project as a whole: the floors of the house, the package, its papers."""

import ast
import re
import subprocess
import sys
import tomllib
from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest

from artfish.cli import main

ROOT = Path(__file__).resolve().parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())
MANIFEST = tomllib.loads((ROOT / "blender_manifest.toml").read_text())
ROOMS = ("core", "blender_artfish", "benchmarks", "studies")
SOURCES = sorted(path for room in ROOMS for path in (ROOT / room).rglob("*.py"))


@cache
def imported(path: Path) -> set[str]:
    """Absolute imports of a file, anywhere in it."""
    nodes = list(ast.walk(ast.parse(path.read_text())))
    names = {alias.name for node in nodes if isinstance(node, ast.Import) for alias in node.names}
    return names | {node.module for node in nodes if isinstance(node, ast.ImportFrom) and not node.level}


def run(code: str) -> str:
    """The output of code in a fresh Python."""
    return subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True).stdout


def test_core_imports_without_bpy():
    code = "import sys; sys.modules['bpy'] = sys.modules['mathutils'] = None; import artfish.core; print('alive')"
    assert run(code).strip() == "alive"


def test_core_and_the_command_leave_bpy_alone():
    loaded = run("import sys, artfish.core, artfish.cli; print(*sys.modules)").split()
    assert not {"bpy", "mathutils"} & set(loaded)


def imports_that(refused: Callable[[Path, str], bool]) -> list[str]:
    """Files, each with a package that it imports and should not."""
    found = {(path, name.partition(".")[0]) for path in SOURCES for name in imported(path)}
    return sorted(f"{path.relative_to(ROOT)}: {name}" for path, name in found if refused(path, name))


def test_core_imports_only_numpy_scipy_and_the_standard_library():
    allowed = {"numpy", "scipy", *sys.stdlib_module_names}
    dask = {"core/farm/cluster.py: dask", "core/farm/cluster.py: distributed"}
    found = imports_that(lambda path, name: path.is_relative_to(ROOT / "core") and name not in allowed)
    assert {*found} == dask  # an extra, which nothing imports unless it is named


def test_the_farm_leaves_dask_alone_unless_it_is_named():
    loaded = run("import sys, artfish.cli, artfish.core.farm.engines, artfish.core.farm.takes; print(*sys.modules)")
    assert not {"dask", "distributed"} & set(loaded.split())


def test_the_package_imports_itself_relatively():
    assert imports_that(lambda path, name: name == "artfish") == []


def test_every_folder_with_code_is_a_package():
    assert all((path.parent / "__init__.py").exists() for path in SOURCES)


def test_manifest_and_project_agree():
    assert MANIFEST["version"] == PROJECT["project"]["version"]
    assert MANIFEST["license"] == [f"SPDX:{PROJECT['project']['license']}"]
    assert "Blender" not in MANIFEST["name"]
    assert f"## [{MANIFEST['version']}]" in (ROOT / "CHANGELOG.md").read_text()


def test_the_command_tells_the_version(capsys):
    with pytest.raises(SystemExit) as ended:
        main(["--version"])
    assert ended.value.code == 0
    assert capsys.readouterr().out == f"artfish {PROJECT['project']['version']}\n"


def test_reference_is_current():
    result = subprocess.run(
        [sys.executable, ROOT / "tools" / "reference.py", "--check"], check=False, capture_output=True, text=True
    )
    assert result.returncode == 0, result.stdout + result.stderr


PAPERS = ["README.md", "CONTRIBUTING.md", "CHANGELOG.md"]
PAGES = sorted(path.relative_to(ROOT).as_posix() for path in (ROOT / "docs").rglob("*.md"))


def test_links_in_the_papers_lead_somewhere():
    lost = []
    for name in [*PAPERS, *PAGES]:
        paper = ROOT / name
        links = re.findall(r"\]\(([^)#]+)[^)]*\)", paper.read_text())
        local = [link for link in links if not link.startswith("http")]
        lost += [f"{name}: {link}" for link in local if not (paper.parent / link).exists()]
    assert lost == []


def test_every_page_of_the_manual_is_listed():
    manual = ROOT / "docs" / "manual"
    listed = set(re.findall(r"\]\((\w+\.md)\)", (manual / "index.md").read_text()))
    assert listed == {path.name for path in manual.glob("*.md")} - {"index.md"}


def test_words_of_the_shot_are_on_the_buttons():
    """The page is done by the words that it sets in bold, so each is the label of something in the panels."""
    page = (ROOT / "docs" / "manual" / "shot.md").read_text()
    files = [*(ROOT / "blender_artfish").rglob("*.py"), ROOT / "blender_artfish" / "declarations.json"]
    code = "\n".join(path.read_text() for path in files).lower()
    of_blender, with_a_number = {"n", "g", "s", "r", "z", "home", "to"}, {"edit of the ten best moments"}
    words = {word.lower() for word in re.findall(r"\*\*([^*]+)\*\*", page)} - of_blender - with_a_number
    assert len(words) > 25
    assert not [word for word in words if f'"{word}"' not in code]


def test_pictures_of_the_manual_are_small_and_shown():
    manual = ROOT / "docs" / "manual"
    pages = "\n".join(path.read_text() for path in manual.glob("*.md"))
    for picture in [*manual.glob("*.png"), *manual.glob("*.jpg")]:
        assert f"({picture.name})" in pages
        assert picture.stat().st_size < 300_000
