"""CONTRIBUTING.md: its map shows the rooms of the tree, and its commands exist."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "CONTRIBUTING.md").read_text()


def rooms_on_the_map() -> set[str]:
    """The folders of the map, "core/behavior/routines" and the like."""
    block = PAGE.split("## The house")[1].split("```")[1]
    rooms, above = set(), []
    for line in block.strip().splitlines():
        depth = (len(line) - len(line.lstrip())) // 2
        above = [*above[:depth], line.split("/")[0].strip()]
        rooms.add("/".join(above))
    return rooms


def rooms_in_the_tree(*houses: str) -> set[str]:
    """Folders with Python files."""
    return {path.parent.relative_to(ROOT).as_posix() for house in houses for path in (ROOT / house).rglob("*.py")}


def test_the_map_shows_every_room_and_no_other():
    shown = {room for room in rooms_on_the_map() if room.split("/")[0] in ("core", "blender_artfish")}
    assert shown == rooms_in_the_tree("core", "blender_artfish")
    assert all((ROOT / room).is_dir() for room in rooms_on_the_map())


def test_every_page_of_the_manual_has_a_room():
    shown = dict(re.findall(r"^  (\w+)/ +docs/manual/(\w+)\.md$", PAGE, re.MULTILINE))
    pages = {path.stem for path in (ROOT / "docs" / "manual").glob("*.md")} - {
        "index",
        "first_fish",
        "shot",
        "memory",
        "finding_the_way",
        "farms",
        "fit",
    }
    assert shown == {page: page for page in pages}


@pytest.mark.parametrize(
    "name", ["README.md", "CONTRIBUTING.md", *(f"docs/{page}.md" for page in ("index", "commands"))]
)
def test_targets_of_make_exist(name):
    targets = set(re.findall(r"^([\w-]+):", (ROOT / "Makefile").read_text(), re.MULTILINE))
    assert set(re.findall(r"`make ([\w-]+)", (ROOT / name).read_text())) <= targets
