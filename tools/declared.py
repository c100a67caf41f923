"""The header of C that comes of the core's declarations of compiled functions: a struct for each, with fields by name.

    python tools/declared.py                      prints it

Declarations are read as they stand in the sources, without importing these, so that nothing need be installed.
"""

from __future__ import annotations

import ast
import importlib.util
import sys
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any

CORE = Path(__file__).resolve().parent.parent / "core"
HEAD = """// Made by tools/declared.py of the declarations in core/; change those.

#pragma once

#include <stdint.h>

#include "compiled/seen.h"
"""


@cache
def load() -> ModuleType:
    """The core's module of declarations, by its path."""
    spec = importlib.util.spec_from_file_location("declarations", CORE / "compiled" / "declarations.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


class Names(dict[str, Any]):
    """The names that declarations may use: the words of declarations.py, and the records of all of the core."""

    def __missing__(self, name: str) -> Any:
        """No other name.

        Raises:
            NameError: A declaration names what is known only where it runs.
        """
        raise NameError(f"a declaration names {name}, which is no record: write the number")


def declarations() -> dict[str, list[Any]]:
    """Records, and then functions, by the file that declares them, under core/."""
    words = load()
    names = Names(vars(words))
    names["compiled"] = lambda name, /, *, over="", **fields: words.Declaration(name, fields, over)
    found: dict[str, list[Any]] = {}
    calls = [(path, *call) for path in sorted(CORE.rglob("*.py")) for call in _calls(path)]
    for word in ("record", "compiled"):
        for path, target, call in calls:
            if call.func.id != word:
                continue
            call.keywords = [keyword for keyword in call.keywords if keyword.arg != "least"]
            code = compile(ast.fix_missing_locations(ast.Expression(call)), str(path), "eval")
            one = eval(code, {"__builtins__": {"dict": dict}}, names)
            if names.get(target) is not None:
                raise ValueError(f"{path}: found a second {target}")
            names[target] = one
            found.setdefault(path.relative_to(CORE).as_posix(), []).append(one)
    return found


def _calls(path: Path) -> list[tuple[str, Any]]:
    """Declarations at the top of a file, each with the name that is given to it."""
    text = path.read_text()
    if "compiled(" not in text and "record(" not in text:
        return []
    return [
        (node.targets[0].id, node.value)
        for node in ast.parse(text).body
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name)
        if isinstance(node.value, ast.Call) and isinstance(node.value.func, ast.Name)
        if node.value.func.id in ("record", "compiled")
    ]


def header() -> str:
    """The header."""
    words, every = load(), declarations()
    functions = sorted(
        (one for ones in every.values() for one in ones if hasattr(one, "over")), key=lambda one: one.name
    )
    records = [one for ones in every.values() for one in ones if not hasattr(one, "over")]
    fields = [field for one in (*functions, *records) for field in one.fields.values()]
    names = {field.name for field in fields if isinstance(field, words.Struct)} | {one.name for one in records}
    parts = [HEAD, *(f"typedef struct {name} {name};" for name in sorted(names))]
    listed = "".join(f'\\\n    "{one.name} {one.digest}\\n" ' for one in [*functions, *records])
    parts.append(f"#define DECLARED {listed.rstrip()}\n")
    for function in (False, True):
        for path, ones in every.items():
            parts += [
                f"// core/{path}\n" + (_function(one, words) if function else _record(one, words))
                for one in ones
                if hasattr(one, "over") == function
            ]
    return "\n".join(parts)


def _record(one: Any, words: Any) -> str:
    """The struct of a record."""
    return f"struct {one.name} {{\n{_fields(one, words)}}};\n"


def _function(one: Any, words: Any) -> str:
    """The struct of a function's arguments, names for them within the function, and the function."""
    camel = "".join(word.capitalize() for word in one.name.split("_"))
    call = f"{camel}Call"
    span = ", int64_t begin, int64_t end" if one.over else ""
    text, taken, splits = "", [], []
    for name, field in one.fields.items():
        kind = _type(field, words)
        if getattr(field, "rows", ()):
            kind = f"{camel}{name.capitalize()}"
            text += f"typedef struct {{\n    const double *{', *'.join(field.rows)};\n}} {kind};\n\n"
            split = f"{one.name}_{name}"
            inner = "".join(f" * {dim if isinstance(dim, int) else f'call->{dim}'}" for dim in field.shape[1:])
            rows = ", ".join(f"call->{name} + {row}{inner}" for row in range(len(field.rows)))
            splits.append(
                f"static inline {kind} {split}(const {call} *call) {{\n    return ({kind}){{{rows}}};\n}}\n\n"
            )
            taken.append(f"MAYBE_UNUSED const {kind} {name} = {split}(call);")
        else:
            taken.append(f"MAYBE_UNUSED {kind}{'' if kind.endswith('*') else ' '}const {name} = call->{name};")
    taken += [f"MAYBE_UNUSED const int64_t {size} = call->{size};" for size in one.sizes]
    text += f"typedef struct {{\n{_fields(one, words)}}} {call};\n\n" + "".join(splits)
    text += f"#define TAKE_{one.name.upper()}(call) \\\n    " + " \\\n    ".join(taken) + "\n\n"
    return text + f"SEEN int32_t artfish_{one.name}(const {call} *call{span});\n"


def _fields(one: Any, words: Any) -> str:
    """The lines of a struct's fields."""
    text = ""
    for name, field in one.fields.items():
        kind = _type(field, words)
        count = "".join(f"[{size}]" for size in field.shape) if isinstance(field, words.Number) else ""
        shape = f"  // {words.shape_text(field)}" if isinstance(field, words.Array) else ""
        text += f"    {kind}{'' if kind.endswith('*') else ' '}{name}{count};{shape}\n"
    return text + (f"    int64_t {', '.join(one.sizes)};\n" if one.sizes else "")


def _type(field: Any, words: Any) -> str:
    """A field's type in C."""
    if isinstance(field, words.Part):
        return f"const {field.record.name} *"
    if isinstance(field, words.Struct):
        return f"{field.name} *"
    struct = getattr(field, "struct", None)
    kind = struct.name if struct else words.C_TYPES[field.kind]
    if isinstance(field, words.Array):
        return f"{kind} *" if field.written else f"const {kind} *"
    return str(kind)


if __name__ == "__main__":
    print(header())
