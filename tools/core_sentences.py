"""Sentences that the simulation makes and the add-on shows: why a fish does what it does, events, what is refused.

core/ knows no languages: it speaks English. The add-on recognises its sentences by their patterns, which are collected
here from the source: a text in which {0}, {1}, ... stand for what is put in.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

from artfish.blender_artfish.languages.catalog import Key
from artfish.blender_artfish.languages.sentences import SIMULATION
from artfish.core.behavior.intention import RULES

SPEAKING: dict[str, tuple[str, ...]] = {
    "core/studio/insight.py": (),
    "core/studio/bonds.py": (),
    "core/studio/punctuality.py": (),
    "core/studio/checking.py": ("line",),
    "core/studio/recognising.py": (),
    "core/studio/track_tables.py": ("_frames", "_sparse"),
    "core/recording.py": ("described",),
    "core/base/codec.py": ("allowed", "_span"),
}
"""Files whose sentences are shown, and the functions in them that make them; all if none is named."""
REFUSING = ("core/base", "core/scene", "core/geometry", "core/world/fitting.py", "core/studio/track")
"""Where an animator's numbers and meshes are refused."""
REFUSALS = ("SceneError", "SceneWarning", "refuse")
"""Functions whose first two arguments are what was found, and what is allowed."""


def found_in_core(root: Path) -> Iterator[tuple[Key, str]]:
    """The patterns of the simulation's sentences, each with its file."""
    for rule in RULES:
        yield (SIMULATION, rule.short), "core/behavior/intention.py"
    for path in sorted((root / "core").rglob("*.py")):
        place = path.relative_to(root).as_posix()
        functions, refusing = SPEAKING.get(place), place.startswith(REFUSING)
        if functions is None and not refusing:
            continue
        tree = ast.parse(path.read_text(encoding="utf-8"))
        if functions is not None:
            if not functions:
                yield from (((SIMULATION, text), place) for text in _tables(tree))
            for part in _functions(tree, functions):
                for text in spoken(part):
                    yield (SIMULATION, text), place
        for node in ast.walk(tree) if refusing else ():
            if isinstance(node, ast.Call) and _called(node) in REFUSALS:
                for argument in node.args[:2]:
                    for text in spoken(argument):
                        yield (SIMULATION, text), place


def _tables(tree: ast.Module) -> Iterator[str]:
    """The words in dictionaries at the top of a file."""
    for node in tree.body:
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Dict):
            yield from spoken(node.value)


def _functions(tree: ast.Module, names: tuple[str, ...]) -> Iterator[ast.AST]:
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef) and (not names or node.name in names):
            yield from node.body[1:]


def _called(node: ast.Call) -> str:
    return node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")


def spoken(tree: ast.AST) -> Iterator[str]:
    """The patterns in a part of the source: formatted texts, several words, a capital, or one of two words."""
    within: set[int] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.JoinedStr):
            own = [*node.values, *(each.format_spec for each in node.values if isinstance(each, ast.FormattedValue))]
            within |= {id(each) for each in own if isinstance(each, ast.Constant | ast.JoinedStr)}
            if id(node) not in within and (text := pattern(node)):
                yield text
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "get":
            yield from _words(node.args[1:])
        elif isinstance(node, ast.IfExp | ast.Dict):
            yield from _words(node.values if isinstance(node, ast.Dict) else [node.body, node.orelse])
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in within:
            words = node.value
            if " " in words.strip() or words[:1].isupper():
                yield words


def _words(nodes: list[ast.expr]) -> Iterator[str]:
    """The single words among some nodes."""
    for node in nodes:
        if (
            isinstance(node, ast.Constant)
            and isinstance(node.value, str)
            and node.value.isalpha()
            and len(node.value) > 1
        ):
            yield node.value


def pattern(text: ast.JoinedStr) -> str:
    """A formatted text with {0}, {1}, ... in place of what is put in; "" where it has no words of its own."""
    made, count = "", 0
    for value in text.values:
        if isinstance(value, ast.Constant):
            made += str(value.value).replace("{", "{{").replace("}", "}}")
        else:
            made += f"{{{count}}}"
            count += 1
    words = "".join(str(value.value) for value in text.values if isinstance(value, ast.Constant))
    return made if any(letter.isalpha() for letter in words) else ""
