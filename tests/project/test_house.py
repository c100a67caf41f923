"""The house: floors without circles, tests that mirror the tree, files of a page, and names that mean one thing.

CONTRIBUTING.md draws the same house; the imports that are allowed are listed once, here.
"""

import ast
import keyword
import re
from collections import defaultdict
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
FLOORS = (
    ("version.py", "core/base", "core/compiled", "core/geometry"),
    ("core/scene",),
    ("core/genetics",),
    ("core/body", "core/habitat"),
    ("core/motor", "core/form", "core/photo"),
    ("core/perception",),
    ("core/events.py", "core/recording.py"),
    ("core/behavior",),
    ("core/replicas",),
    ("core/world",),
    ("core/learning", "core/studio", "core/adopt", "core/foreign"),
    ("core/farm", "core/fitting", "core/dataset"),
    ("core/__init__.py",),
    ("blender_artfish/blender", "blender_artfish/identity", "blender_artfish/languages"),
    ("blender_artfish/fish", "blender_artfish/stage"),
    tuple(
        f"blender_artfish/{page}"
        for page in [
            "scene",
            "habits",
            "species",
            "adopt",
            "learning",
            "breeding",
            "loops",
            "live",
            "mind",
            "direction",
            "dive",
            "physics",
            "fish_view",
            "bake",
            "takes",
            "crowd",
            "assets",
            "export",
            "filming",
            "dataset",
            "snake_grid",
            "preferences",
        ]
    ),
    ("blender_artfish/__init__.py",),
    ("benchmarks", "studies"),
    ("cli.py", "__init__.py"),
)
"""Floors from the ground up: a file imports from its own or below."""
FILES = sorted(
    path.relative_to(ROOT)
    for room in ("core", "blender_artfish", "benchmarks", "studies")
    for path in (ROOT / room).rglob("*.py")
) + [Path("cli.py"), Path("version.py"), Path("__init__.py")]
HOUSE = [path for path in FILES if path.parts[0] in ("core", "blender_artfish")]
ROOMS_OF_TESTS = ("benchmarks", "blender", "conftest.py", "extension", "field", "gui", "plain", "project", "studies")
"""Rooms of tests that are held to the rules of names and docstrings."""
WORKSHOP = sorted(
    path.relative_to(ROOT)
    for room in (ROOT / "tools", *(ROOT / "tests" / name for name in ROOMS_OF_TESTS))
    for path in ([room] if room.is_file() else room.rglob("*.py"))
)
"""Files of the tools and of these tests."""
LONGEST = 450
WHOLE = "whole"
"""The folder of tests about whole fishes and films, or a whole add-on, which no one file makes."""


def floor_of(path: Path) -> int:
    """The number of the floor on which a file stands."""
    rooms = {room: number for number, floor in enumerate(FLOORS) for room in floor}
    places = [path.as_posix(), *(parent.as_posix() for parent in path.parents)]
    return next(rooms[place] for place in places if place in rooms)


@cache
def tree_of(path: Path) -> ast.Module:
    """The syntax tree of a file, parsed once for all rules."""
    return ast.parse((ROOT / path).read_text())


@cache
def imports_of(path: Path) -> frozenset[Path]:
    """The files of this package that a file imports, wherever in it: at its top, within a function, or for types."""
    found = set()
    for node in ast.walk(tree_of(path)):
        if not isinstance(node, ast.ImportFrom) or not node.level:
            continue
        folder = path.parents[node.level - 1]
        module = folder.joinpath(*(node.module or "").split(".")) if node.module else folder
        for alias in node.names:
            options = (module / f"{alias.name}.py", module / alias.name / "__init__.py", module / "__init__.py")
            if node.module:
                options = (*options[:2], module.with_suffix(".py"), options[2])
            target = next(option for option in options if (ROOT / option).is_file())
            if target != path:
                found.add(target)
    return frozenset(found)


def test_every_file_stands_on_a_floor():
    assert all(isinstance(floor_of(path), int) for path in FILES)


def test_a_file_imports_from_its_own_floor_or_below():
    above = [f"{path}: {target}" for path in FILES for target in imports_of(path) if floor_of(target) > floor_of(path)]
    assert above == []


def test_no_files_import_each_other_in_a_circle():
    waiting = {path: {target for target in imports_of(path) if target in set(FILES)} for path in FILES}
    while True:
        free = {path for path, targets in waiting.items() if not targets & waiting.keys()}
        if not free:
            break
        waiting = {path: targets for path, targets in waiting.items() if path not in free}
    assert sorted(map(str, waiting)) == []


def test_a_file_is_no_longer_than_can_be_read():
    lines = {str(path): len((ROOT / path).read_text().splitlines()) for path in HOUSE}
    assert {path: count for path, count in lines.items() if count > LONGEST} == {}


def folders_of_tests() -> list[tuple[Path, Path]]:
    """Folders of tests, each with the room that it mirrors."""
    return [(ROOT / "tests" / "core", ROOT / "core"), (ROOT / "tests" / "blender", ROOT / "blender_artfish")]


def test_tests_mirror_the_tree():
    strays = []
    for tests, room in folders_of_tests():
        for path in tests.rglob("test_*.py"):
            own = path.relative_to(tests)
            if own.parts[0] == WHOLE:
                continue
            mirrored = room / own.parent / own.name.removeprefix("test_")
            if not mirrored.is_file():
                strays.append(str(path.relative_to(ROOT)))
    assert strays == []


def constants(path: Path) -> dict[str, str]:
    """The constants that a file sets at its top, each with the source of its value."""
    found = {}
    for node in tree_of(path).body:
        targets = (
            node.targets if isinstance(node, ast.Assign) else [node.target] if isinstance(node, ast.AnnAssign) else []
        )
        for target in targets:
            pairs = [(target, node.value)]
            if isinstance(target, ast.Tuple) and isinstance(node.value, ast.Tuple):
                pairs = list(zip(target.elts, node.value.elts, strict=True))
            for name, value in pairs:
                if isinstance(name, ast.Name) and re.fullmatch(r"[A-Z][A-Z_0-9]+", name.id) and value is not None:
                    found[name.id] = ast.unparse(value)
    return found


def test_a_constant_of_one_name_has_one_value():
    values = defaultdict(lambda: defaultdict(list))
    for path in HOUSE:
        for name, value in constants(path).items():
            if name != "CLASSES":  # what each module registers with Blender
                values[name][value].append(str(path))
    assert {name: dict(found) for name, found in values.items() if len(found) > 1} == {}


DIALECT = {"thing", "things", "held", "told", "telling", "asked", "wanted", "aside", "quiet", "deed", "deeds"}
"""Words that say little, and once had many meanings; names that .blend files and scripts rely on are kept."""


def names_in(path: Path) -> set[str]:
    """All names that a file gives: of functions, classes, arguments, variables and attributes of itself."""
    found = set()
    for node in ast.walk(tree_of(path)):
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            found.add(node.name)
        elif isinstance(node, ast.arg):
            found.add(node.arg)
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            found.add(node.id)
        elif isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store):
            found.add(node.attr)
    return found


def test_a_public_class_of_one_name_is_one_class():
    places = defaultdict(list)
    for path in [*FILES, *(path.relative_to(ROOT) for path in (ROOT / "tools").rglob("*.py"))]:
        for node in ast.parse((ROOT / path).read_text()).body:
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                places[node.name].append(str(path))
    twice = {name: paths for name, paths in places.items() if len(paths) > 1}
    assert not twice, f"{len(twice)} class names mean more than one thing: {twice}"


def test_names_are_words_of_the_field():
    found = []
    for path in [*HOUSE, *WORKSHOP]:
        names = {name for name in names_in(path) if not keyword.iskeyword(name)} - {"deed"}
        found += [f"{path}: {name}" for name in sorted(names) if set(name.strip("_").lower().split("_")) & DIALECT]
    assert found == []


PLAIN_SPOKEN = [*FILES, *WORKSHOP]
"""Files whose docstrings say what a thing is or does, as one would to a colleague."""
QUESTIONS = {"What", "Who", "Whether", "How", "Whoever", "Whatever", "Whose"}
"""First words of a docstring that asks instead."""


def docstrings(path: Path) -> list[tuple[int, str]]:
    """The lines and texts of a file's docstrings, its constants' among them, but for those within private names."""
    found, waiting = [], [tree_of(path)]
    while waiting:
        for node in waiting.pop().body:
            match node:
                case ast.Expr(value=ast.Constant(value=str(text))):
                    found.append((node.lineno, text.strip()))
                case ast.ClassDef(name=name) | ast.FunctionDef(name=name) if not name.startswith("_"):
                    waiting.append(node)
    return found


def test_docstrings_are_plain_statements():
    asking = [
        f"{path}:{line}: {text.splitlines()[0]}"
        for path in PLAIN_SPOKEN
        for line, text in docstrings(path)
        if re.split(r"\W", text, maxsplit=1)[0] in QUESTIONS
    ]
    assert asking == []


def names_at_top(path: Path) -> set[str]:
    """The names that a module has once it is imported."""
    found = set()
    for node in ast.walk(tree_of(path)):
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            found.add(node.name)
        elif isinstance(node, ast.alias):
            found.add((node.asname or node.name).split(".")[0])
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            found.add(node.id)
    return found


def taken_from_modules(tree: ast.Module) -> set[tuple[str, str]]:
    """Modules, and names of them, that a driver takes: `module("a.b").name`, or `x.name` where x is that module."""

    def called(node: ast.expr) -> str | None:
        match node:
            case ast.Call(func=ast.Name(id="module"), args=[ast.Constant(value=str(name))]):
                return name
        return None

    modules, found = {}, set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Assign):
            for target in node.targets:
                pairs = [(target, node.value)]
                if isinstance(target, ast.Tuple) and isinstance(node.value, ast.Tuple):
                    pairs = list(zip(target.elts, node.value.elts, strict=True))
                modules |= {name.id: called(value) for name, value in pairs if called(value)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute):
            module = modules.get(node.value.id) if isinstance(node.value, ast.Name) else called(node.value)
            found |= {(module, node.attr)} if module else set()
    return found


def test_what_drivers_of_the_window_take_from_modules_is_there():
    missing, count = [], 0
    for driver in sorted((ROOT / "tests" / "gui" / "drivers").glob("*.py")):
        for module, name in taken_from_modules(ast.parse(driver.read_text())):
            place = Path(*module.split("."))
            path = place.with_suffix(".py") if (ROOT / place.with_suffix(".py")).is_file() else place / "__init__.py"
            count += 1
            if name not in names_at_top(path):
                missing.append(f"{driver.name}: {module}.{name}")
    assert count > 10
    assert missing == []
