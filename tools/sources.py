"""Messages in the add-on's source: what layouts draw, and every text that stands where a `Message` is expected."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

from artfish.blender_artfish.languages.catalog import BUTTON, DEFAULT, Key

MARK = "Message"
DRAWN = {"label": ("text",), "prop": ("text",), "menu": ("text",), "row": ("heading",), "column": ("heading",)}
DRAWN |= {"progress": ("text",), "operator_menu_enum": ("text",), "prop_search": ("text",), "popover": ("text",)}
"""Arguments of a layout's functions that are drawn."""
BUTTONS = ("operator", "invoke_props_dialog")
"""Functions whose text stands on a button."""
ERRORS = ("__init__", "SceneError", "ObjectError", "ObjectWarning", "SceneWarning", "ValueError", "NoEye", "Unseen")
"""Errors whose first arguments are shown: what was found, and what is allowed."""


class Signatures(dict[str, dict[int | str, bool]]):
    """The arguments that are messages, of every function and class of the add-on, by its name.

    Attributes:
        names: Names of variables and attributes that are messages, each by itself and by file and name.
    """

    def __init__(self) -> None:
        """Start with none."""
        super().__init__()
        self.names: set[str] = set()

    def read(self, place: str, every: list[ast.AST]) -> None:
        """Adds those of a file."""
        for node in every:
            if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name) and is_marked(node.annotation):
                self.names.add(f"{place}:{node.target.id}")
            if isinstance(node, ast.FunctionDef):
                self._add(node.name, [*node.args.posonlyargs, *node.args.args], node.args.vararg, node.args.kwonlyargs)
            elif isinstance(node, ast.ClassDef):
                fields = [each for each in node.body if isinstance(each, ast.AnnAssign)]
                taken: dict[int | str, bool] = {n: True for n, each in enumerate(fields) if is_marked(each.annotation)}
                names = [ast.unparse(each.target) for each in fields if is_marked(each.annotation)]
                self.names.update(names)
                if taken:
                    self.setdefault(node.name, {}).update(taken | dict.fromkeys(names, True))

    def _add(self, name: str, args: list[ast.arg], rest: ast.arg | None, named: list[ast.arg]) -> None:
        own = [arg for arg in args if arg.arg not in ("self", "cls")]
        taken: dict[int | str, bool] = {n: True for n, arg in enumerate(own) if is_marked(arg.annotation)}
        taken |= {arg.arg: True for arg in (*own, *named) if is_marked(arg.annotation)}
        if rest is not None and is_marked(rest.annotation):
            taken |= dict.fromkeys(range(len(own), len(own) + 10), True)
        if taken:
            self.setdefault(name, {}).update(taken)


def found_in_source(root: Path) -> Iterator[tuple[Key, str]]:
    """Messages of the add-on's files, each with its file."""
    paths = sorted((root / "blender_artfish").rglob("*.py"))
    nodes = {path.relative_to(root).as_posix(): [*ast.walk(ast.parse(path.read_text("utf-8")))] for path in paths}
    takes = Signatures()
    for place, every in nodes.items():
        takes.read(place, every)
    for place, every in nodes.items():
        for node in every:
            for context, text in _of_node(node, place, takes):
                yield (context, text), place


def _of_node(node: ast.AST, place: str, takes: Signatures) -> Iterator[tuple[str, str]]:
    """The messages right in a node, each with its context."""
    if isinstance(node, ast.AnnAssign) and node.value is not None and is_marked(node.annotation):
        keys = ast.unparse(node.annotation).startswith(f"dict[{MARK}")
        for text in _keys(node.value) if keys else texts(node.value, inside=True):
            yield DEFAULT, text
    elif isinstance(node, ast.Assign) and any(_name(each, place) in takes.names for each in node.targets):
        for text in texts(node.value, inside=True):
            yield DEFAULT, text
    elif isinstance(node, ast.FunctionDef) and is_marked(node.returns):
        for each in ast.walk(node):
            if isinstance(each, ast.Return) and each.value is not None:
                for text in texts(each.value):
                    yield DEFAULT, text
    elif isinstance(node, ast.Call):
        name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
        given: dict[int | str, ast.expr] = dict(enumerate(node.args))
        given |= {keyword.arg or "": keyword.value for keyword in node.keywords}
        for argument, value in given.items():
            drawn = argument in DRAWN.get(name, ()) or takes.get(name, {}).get(argument)
            drawn = drawn or name in ERRORS and argument in (0, 1, "found", "allowed")
            if drawn or name in BUTTONS and argument in ("text", "confirm_text"):
                for text in texts(value):
                    yield BUTTON if name in BUTTONS else DEFAULT, text


def _name(target: ast.expr, place: str) -> str:
    """The target of an assignment: an attribute of whatever by its name, a variable by its file, too."""
    if isinstance(target, ast.Attribute):
        return target.attr
    return f"{place}:{target.id}" if isinstance(target, ast.Name) else ""


def _keys(value: ast.expr) -> Iterator[str]:
    """The texts that are keys of a dictionary."""
    for key in value.keys if isinstance(value, ast.Dict) else ():
        yield from texts(key) if key is not None else ()


def texts(value: ast.expr, inside: bool = False) -> Iterator[str]:
    """The texts that an expression may be; with `inside`, those in tuples, lists and values of a dictionary, too."""
    match value:
        case ast.Constant(value=str(text)):
            yield text
        case ast.IfExp():
            yield from texts(value.body, inside)
            yield from texts(value.orelse, inside)
        case ast.BoolOp():
            for each in value.values:
                yield from texts(each, inside)
        case ast.BinOp(op=ast.Add()):
            yield from texts(value.left, inside)
            yield from texts(value.right, inside)
        case ast.Dict() | ast.Tuple() | ast.List() if inside:
            for each in value.values if isinstance(value, ast.Dict) else value.elts:
                yield from texts(each, inside)


def is_marked(annotation: ast.expr | None) -> bool:
    """True of an annotation with `Message` in it."""
    return annotation is not None and any(
        isinstance(each, ast.Name) and each.id == MARK for each in ast.walk(annotation)
    )
