"""Writes docs/reference.md from the declarations: every key of a scene and a species, its range, unit and meaning.

python tools/reference.py            writes the page
python tools/reference.py --check    exit 1 where the page on disk is not what the declarations say
"""

from __future__ import annotations

import sys
from dataclasses import MISSING, Field, fields, is_dataclass
from pathlib import Path
from typing import Any, get_args, get_type_hints

from artfish.core import Scene, Species
from artfish.core.codec import allowed

PAGE = Path(__file__).resolve().parent.parent / "docs" / "reference.md"
HEAD = """# Reference: scenes and species

Made by `make reference` from the declarations in `core/scene.py` and `core/species.py`; change them, not this page.
Lengths are metres, angles radians and times seconds unless a unit says otherwise. Keys that are left out take
their defaults; unknown keys are refused.
"""


def page() -> str:
    """The whole page as Markdown."""
    scene = ["\n## Scene\n", *section(Scene, "")]
    species = ["\n## Species\n", *section(Species, "")]
    return "\n".join([HEAD, *scene, *species]).replace("\n\n\n", "\n\n") + "\n"


def section(cls: type, path: str) -> list[str]:
    """The table of one dataclass, then those of the dataclasses within it."""
    lines = [f"{(cls.__doc__ or '').splitlines()[0]}\n", "| key | allowed | default | meaning |", "|---|---|---|---|"]
    inner: list[str] = []
    hints = get_type_hints(cls)
    for field in fields(cls):
        declared = field.metadata.get("declared")
        if declared:
            lines.append(f"| `{field.name}` | {allowed(declared)} | {default(field)} | {declared.help} |")
            continue
        key, parts = f"{path}{field.name}", dataclasses_in(hints[field.name])
        for part in parts:
            title = key if len(parts) == 1 else f"{key}: {part.__name__}"
            inner += [f"\n### {title}\n", *section(part, f"{key}.")]
    return [*lines, *inner]


def dataclasses_in(hint: Any) -> list[type]:
    """The dataclasses that an annotation names, however deep."""
    if isinstance(hint, type) and is_dataclass(hint):
        return [hint]
    return [part for argument in get_args(hint) for part in dataclasses_in(argument)]


def default(field: Field) -> str:
    """The default of a field as JSON would write it."""
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
    """Writes the page or compares it with the one on disk."""
    if sys.argv[1:] == ["--check"]:
        current = PAGE.exists() and PAGE.read_text() == page()
        if not current:
            print("docs/reference.md is not what the declarations say: run make reference")
        return 0 if current else 1
    PAGE.write_text(page())
    return 0


if __name__ == "__main__":
    sys.exit(main())
