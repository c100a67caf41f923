"""Write docs/reference.md from the declarations: every key of a scene and a species, its range, unit and meaning.

The same declarations go into blender_artfish/declarations.json, from which the add-on makes its properties.
docs/tuning.md is written from the tables of tuned numbers in core/, docs/intentions.md from the rules by which fishes
decide, docs/recording.md from the arrays of a recording.

python tools/reference.py            writes all five
python tools/reference.py --check    exit 1 if one on disk differs from the code
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterator
from dataclasses import MISSING, Field, fields, is_dataclass
from importlib import import_module
from pathlib import Path
from typing import Any, get_args, get_type_hints

import numpy as np

from artfish.core import Recording, Scene, Species
from artfish.core.base.arrays import arrays_of, optional_of
from artfish.core.base.codec import allowed
from artfish.core.base.declaration import is_written
from artfish.core.base.tuning import TABLES, Tuned
from artfish.core.behavior.intention import RULES
from artfish.core.dataset.cameras import CameraList
from artfish.core.dataset.conditions import PictureConditions
from artfish.core.farm.evolution_plan import EvolutionPlan
from artfish.core.farm.wishes import (
    WishedArrival,
    WishedClearance,
    WishedEvent,
    WishedPicture,
    WishedShape,
    WishList,
)
from artfish.core.photo.snake_grid import Elasticity
from artfish.core.recording import FARTHEST_POINT
from artfish.core.scene.character.manner import DRIVE_CURVES, TEMPERAMENT_CURVES
from artfish.core.studio.film import FilmShot

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs" / "reference.md"
TABLE = ROOT / "blender_artfish" / "declarations.json"
TUNING = ROOT / "docs" / "tuning.md"
RULES_PAGE = ROOT / "docs" / "intentions.md"
HEAD = """# Reference: scenes and species

Made by `make reference` from the declarations in `core/scene/`; change them, not this page.
Lengths are metres, angles radians and times seconds unless a unit says otherwise. Keys that are left out take
their defaults; unknown keys are refused.

The species `thesis`, the book's own fish, takes the defaults of `body`, `rhythm`, `steering` and `pectoral` below.
They are the table of what the book leaves open: rest coordinates, contracted lengths, best swim parameters, steering
sets and the area of fins. Where a value is the book's, its meaning says so; masses and elasticities are those of
tables 4.1 and 4.2, in `core/body/anatomy.py`.
"""

TRAITS_HEAD = """
## core/scene/character/manner.py

The numbers of manner and mind that follow from a trait of a character, 0 to 1: straight between the places that are
given, and as at the nearest beyond them. What the numbers mean is in the [reference](reference.md).
"""
TUNING_HEAD = """# Tuned numbers

Made by `make reference` from the tables in the `tuning.py` of each room of `core/`; change them, not this page.
These numbers shape behavior and are nobody's to set in a scene. "Ours" are those that the book leaves open; the
others stand where the last column says.
"""


RULES_HEAD = """# Intentions

Made by `make reference` from the rules in `core/behavior/intention.py`; change them, not this page.

A fish has one intention at a time: to avoid, escape, school, eat, mate, leave or wander (Tu 1999, §7.5). Whenever it
takes thought, several times a second, it goes through these rules from the top, and the first that applies decides. A
recording and the panel say which one that was; paragraphs are those of the book, and what has none is ours. A
desire or a fear is compared with the fish's own thresholds `f0`, `f1` and `r` of the [reference](reference.md). The
least time, and how long each goes on with what presses no more, is in the [tuned numbers](tuning.md); the book's own
fish, `thesis`, has no composure, and changes its mind at once.

| | rule | it means to | when | why there |
|---|---|---|---|---|
"""
ARRAYS_PAGE = ROOT / "docs" / "recording.md"
ARRAYS_HEAD = """# The arrays of a recording

Made by `make reference` from the declarations in `core/recording.py`; change them, not this page.

A recording is an .npz file that NumPy reads without pickles, `numpy.load("reef.npz")["nodes"]`, and that
`Recording.load("reef.npz")` reads with all checks. Frame 0 is the first of the scene; places are metres in the world's
frame, z up. A name in a shape is a size that is the same wherever it stands: `frames`, `fish` (a row a fish, through
all of the film), and so on. Where an array may be left out, `Recording` fills it with the number under "empty".

| array | type | shape | values | empty | meaning |
|---|---|---|---|---|---|
"""
OPEN = {
    "persistence": "go on",
    "memory": "take that up again",
    "appetite": "eat or mate",
}
"""The words for rules whose intention depends on the fish."""


def page() -> str:
    """The whole page as Markdown."""
    scene = ["\n## Scene\n", *once(section(Scene, ""))]
    species = ["\n## Species\n", *section(Species, "")]
    wishes = ["\n## Wishes\n", *once(section(WishList, ""))]
    sets = ["\n## Data sets\n", *once(section(CameraList, "")), *once(section(PictureConditions, "picture."))]
    plans = ["\n## Evolutions\n", *once(section(EvolutionPlan, ""))]
    return "\n".join([HEAD, *scene, *species, *wishes, *sets, *plans]).replace("\n\n\n", "\n\n") + "\n"


def once(lines: list[str]) -> list[str]:
    """Lines without the tables that stand there already under the same heading."""
    found: list[str] = []
    headings: set[str] = set()
    repeats = False
    for line in lines:
        if line.startswith("\n### "):
            repeats = line in headings
            headings.add(line)
        found += [] if repeats else [line]
    return found


def table() -> str:
    """The fields of every declared dataclass as JSON, one field a line."""
    classes: dict[str, type] = {}
    declared: list[type] = [Scene, Species, Elasticity, FilmShot, WishedEvent, WishedPicture, WishedShape]
    declared += [WishedArrival, WishedClearance]
    for cls in declared:
        collect(cls, classes)
    parts = []
    for name, cls in classes.items():
        lines = [
            json.dumps(declaration(field), ensure_ascii=False) for field in fields(cls) if "declared" in field.metadata
        ]
        parts.append(f'"{name}": [\n' + ",\n".join(lines) + "\n]")
    return "{\n" + ",\n".join(parts) + "\n}\n"


def tuning_page() -> str:
    """All tables of tuned numbers as Markdown, one section a file."""
    parts = [TUNING_HEAD]
    for path in sorted((ROOT / "core").rglob("tuning.py")):
        name = ".".join(("artfish", *path.relative_to(ROOT).with_suffix("").parts))
        module = import_module(name)
        if name in TABLES:
            parts += [f"\n## {path.relative_to(ROOT).as_posix()}\n", f"{(module.__doc__ or '').splitlines()[0]}\n"]
            parts += ["| name | value | unit | why | whose |", "|---|---|---|---|---|"]
            parts += [
                f"| `{own}` | {tuned_value(one.value)} | {one.unit} | {one.why.replace('|', '&#124;')} | {one.source} |"
                for own, one in named(name)
            ]
    parts += [TRAITS_HEAD, "| number | trait | trait: number |", "|---|---|---|"]
    for name, (trait, points) in (TEMPERAMENT_CURVES | DRIVE_CURVES).items():
        ends = zip(points[::2], points[1::2], strict=True)
        curve = ", ".join(f"{place:g}: {value:g}" for place, value in ends)
        parts.append(f"| `{name}` | {trait} | {curve} |")
    return "\n".join(parts) + "\n"


def rules_page() -> str:
    """The rules by which fishes decide, as Markdown."""
    rows = []
    for number, rule in enumerate(RULES, 1):
        means = OPEN[rule.name] if rule.intention is None else Recording.INTENTIONS[rule.intention]
        rows.append(f"| {number} | {rule.name} | {means} | {rule.when} | {rule.reason} |\n")
    return RULES_HEAD + "".join(rows)


def arrays_page() -> str:
    """The arrays of a recording, and what else it carries, as Markdown."""
    meanings = attributes(Recording)
    optional = optional_of(Recording)
    rows = []
    for name, one in arrays_of(Recording).items():
        _, _, meaning = meanings.pop(name).partition(np.dtype(one.kind).name + ", ")
        shape = ", ".join(map(str, one.shape)) + ("," if len(one.shape) == 1 else "")
        bounded = one.low is not None and abs(one.low) < FARTHEST_POINT
        values = f"{plain(one.low)} {most(one.high)}" if bounded else ""
        empty = plain(one.begin) if name in optional else "never"
        rows.append(f"| `{name}` | {np.dtype(one.kind).name} | ({shape}) | {values} | {empty} | {meaning} |\n")
    rest = [f"- `{name}`: {meaning}\n" for name, meaning in meanings.items()]
    lists = [f"- `Recording.{name}`, in order: {', '.join(getattr(Recording, name))}\n" for name in LISTS]
    tail = ["\n## What else it carries\n\n", *rest, "\n## What the numbers stand for\n\n", *lists]
    return ARRAYS_HEAD + "".join([*rows, *tail])


def most(high: float | str | None) -> str:
    """The greatest number of an array: itself, the last of a row of an array, or the end of a size."""
    if isinstance(high, str):
        return f"to the last {high}"
    return "and more" if high is None or high >= FARTHEST_POINT else f"to {plain(high)}"


LISTS = "INTENTIONS", "PREFERENCES"
"""Names of what the numbers of a recording stand for."""


def attributes(cls: type) -> dict[str, str]:
    """The attributes that a docstring describes, each with its words on one line."""
    text = (cls.__doc__ or "").partition("Attributes:\n")[2]
    entries = re.findall(r"^ {8}(\w+): (.+(?:\n {12}.+)*)", text, re.MULTILINE)
    return {name: " ".join(words.split()) for name, words in entries}


def named(module: str) -> Iterator[tuple[str, Tuned]]:
    """The numbers of a module's table with their names, in order.

    Raises:
        ValueError: A number of the table has no name of its own.
    """
    names = [(name, value) for name, value in vars(import_module(module)).items() if name.isupper()]
    for (name, value), one in zip(names, TABLES[module], strict=True):
        if value is not one.value:
            raise ValueError(f"{module}: found {name} in the place of {one.why!r}, allowed one name for each number")
        yield name, one


def tuned_value(value: Any) -> str:
    """A number, or several that belong together, as text."""
    if isinstance(value, (tuple, np.ndarray)):
        return ", ".join(map(tuned_value, value))
    return f"{value:.4g}" if isinstance(value, (int, float)) else str(value)


def collect(cls: type, classes: dict[str, type]) -> None:
    """Adds a dataclass and those within it, by name."""
    classes[cls.__name__] = cls
    for hint in get_type_hints(cls).values():
        for part in dataclasses_in(hint):
            if part.__name__ not in classes:
                collect(part, classes)


def declaration(field: Field) -> dict[str, Any]:
    """The declaration of a field."""
    declared = field.metadata["declared"]
    ends = {end: getattr(declared, end) for end in ("low", "high") if abs(getattr(declared, end)) != float("inf")}
    default = None if field.default is MISSING else field.default
    made = {"name": field.name, "kind": declared.kind, "help": declared.help, "unit": declared.unit, **ends}
    made |= {"choices": declared.choices} if declared.choices else {}
    made |= {"shape": declared.shape} if declared.shape else {}
    made |= {"endless": True} if declared.endless else {}
    made |= {"ends": declared.ends} if declared.ends else {}
    return {**made, "default": default, "optional": field.default is None or declared.endless}


def section(cls: type, path: str) -> list[str]:
    """The table of one dataclass, then those of the dataclasses within it."""
    lines = [f"{(cls.__doc__ or '').splitlines()[0]}\n", "| key | allowed | default | meaning |", "|---|---|---|---|"]
    inner: list[str] = []
    hints = get_type_hints(cls)
    for field in filter(is_written, fields(cls)):
        declared = field.metadata.get("declared")
        if declared:
            words = f"{' to '.join(declared.ends)}: " if declared.ends else ""
            lines.append(f"| `{field.name}` | {allowed(declared)} | {default(field)} | {words}{declared.help} |")
            continue
        key, parts = f"{path}{field.name}", dataclasses_in(hints[field.name])
        for part in parts:
            title = key if len(parts) == 1 else f"{key}: {part.__name__}"
            inner += [f"\n### {title}\n", *section(part, f"{key}.")]
    return [*(lines if len(lines) > 3 else lines[:1]), *inner]


def dataclasses_in(hint: Any) -> list[type]:
    """The dataclasses in an annotation, at any depth."""
    if isinstance(hint, type) and is_dataclass(hint):
        return [hint]
    return [part for argument in get_args(hint) for part in dataclasses_in(argument)]


def default(field: Field) -> str:
    """The default of a field as JSON."""
    value = field.default
    if value is MISSING:
        return "required"
    if value is None:
        return "none"
    return f"`{plain(value)}`"


def plain(value: Any) -> str:
    """A value as JSON, with tuples as lists."""
    if isinstance(value, tuple):
        return "[" + ", ".join(map(plain, value)) + "]"
    if isinstance(value, bool):
        return str(value).lower()
    return f"{value:.6g}" if isinstance(value, float) else f'"{value}"' if isinstance(value, str) else str(value)


def main() -> int:
    """Writes all files or compares them with those on disk."""
    made = {PAGE: page(), TABLE: table(), TUNING: tuning_page(), RULES_PAGE: rules_page(), ARRAYS_PAGE: arrays_page()}
    stale = [path for path, text in made.items() if not path.exists() or path.read_text(encoding="utf-8") != text]
    if sys.argv[1:] == ["--check"]:
        for path in stale:
            print(f"{path.relative_to(ROOT)} is not what the code says: run make reference")
        return 1 if stale else 0
    for path in stale:
        path.write_text(made[path], encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
