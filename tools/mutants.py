"""Mutation tests: small faults are put into the code, one at a time, to see which tests notice.

    python tools/mutants.py core --seed 7 --count 60
    python tools/mutants.py blender_artfish --seed 7 --count 60 --files bake/plan.py scene/quick_look.py

Each fault is made in a worktree of its own: a comparison or a sign turned round, a constant doubled, an index off by
one, a condition inverted, an argument dropped. The tests of its file are run, then those that import it, then those
of its folder, then those that watch over all numbers of its room; a survivor of all is printed with its line. A log
in .cache keeps the results of the commit and the seed, so that an interrupted run resumes. Exit 1 if fewer are found
than required.
"""

from __future__ import annotations

import argparse
import ast
import json
import os
import random
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
TESTS = {"core": "tests/core", "blender_artfish": "tests/blender"}
"""Folders of a room's tests."""
WATCHES = {
    "core": "tests/project/test_project.py::test_reference_is_current",
    "blender_artfish": "tests/blender/whole/test_looks.py",
}
"""Tests that compare all tuned and declared numbers of a room with their tables, and all looks."""
LEAST_FOUND = 0.8
LONGEST = 600.0
"""Time limit in seconds, after which tests that hang count as having noticed."""
COMPARISONS = {
    ast.Lt: ("<", "<="),
    ast.LtE: ("<=", "<"),
    ast.Gt: (">", ">="),
    ast.GtE: (">=", ">"),
    ast.Eq: ("==", "!="),
    ast.NotEq: ("!=", "=="),
    ast.In: ("in", "not in"),
    ast.NotIn: ("not in", "in"),
    ast.Is: ("is", "is not"),
    ast.IsNot: ("is not", "is"),
}
SIGNS = {ast.Add: ("+", "-"), ast.Sub: ("-", "+"), ast.Mult: ("*", "/"), ast.Div: ("/", "*")}


@dataclass(frozen=True)
class Mutant:
    """A small fault in a file.

    Attributes:
        file: Path from the root.
        line: Its number, from 1.
        begin: Start of the replaced text, in bytes of the file.
        end: Its end.
        text: The replacement.
        kind: Its kind, such as "comparison".
    """

    file: str
    line: int
    begin: int
    end: int
    text: str
    kind: str


def main() -> int:
    """Makes as many mutants as requested, and runs the tests on each."""
    parser = argparse.ArgumentParser(description="Puts small faults into the code and sees which the tests find.")
    parser.add_argument("room", choices=sorted(TESTS))
    parser.add_argument("--seed", type=int, default=0, help="of which faults are picked (0)")
    parser.add_argument("--count", type=int, default=60, help="how many (60)")
    parser.add_argument("--files", nargs="+", metavar="FILE", help="only in these, below the room")
    arguments = parser.parse_args()
    picked = pick(arguments.room, arguments.seed, arguments.count, arguments.files)
    commit = git("rev-parse", "HEAD")
    log = ROOT / ".cache" / "mutants" / f"{arguments.room}-{arguments.seed}-{commit[:12]}.jsonl"
    log.parent.mkdir(parents=True, exist_ok=True)
    known = dict(map(json.loads, log.read_text().splitlines())) if log.exists() else {}
    with worktree(log.parent / arguments.room / "artfish", commit) as tree:
        for number, mutant in enumerate(picked, 1):
            key = f"{mutant.file}:{mutant.begin}:{mutant.text}"
            if key not in known:
                known[key] = tried(tree, mutant, arguments.room)
                with log.open("a") as file:
                    file.write(json.dumps([key, known[key]]) + "\n")
            said = "survived" if not known[key] else f"found by {known[key]}"
            print(f"{number:3d} {mutant.file}:{mutant.line}: {mutant.kind}: {shown(mutant)}: {said}", flush=True)
    found = [bool(known[f"{mutant.file}:{mutant.begin}:{mutant.text}"]) for mutant in picked]
    print(f"{sum(found)} of {len(found)} mutants of {arguments.room} were found")
    return 0 if sum(found) >= LEAST_FOUND * len(found) else 1


def pick(room: str, seed: int, count: int, files: list[str] | None = None) -> list[Mutant]:
    """Mutants of a room, by a seed: first a file is drawn, regardless of its length, and then one of its mutants."""
    dice = random.Random(seed)
    paths = [ROOT / room / name for name in files] if files else sorted((ROOT / room).rglob("*.py"))
    waiting = {path: mutants(path.relative_to(ROOT).as_posix(), path.read_bytes()) for path in paths}
    for found in waiting.values():
        dice.shuffle(found)
    picked: list[Mutant] = []
    while len(picked) < count and any(waiting.values()):
        path = dice.choice([path for path, found in waiting.items() if found])
        picked.append(waiting[path].pop())
    return picked


def mutants(file: str, source: bytes) -> list[Mutant]:
    """All mutants of a file's behavior: annotations, texts and raised errors are left alone."""
    starts = [0]
    for line in source.splitlines(keepends=True):
        starts.append(starts[-1] + len(line))

    def at(line: int | None, column: int | None) -> int:
        return starts[(line or 1) - 1] + (column or 0)

    def span(node: ast.expr | ast.keyword) -> tuple[int, int]:
        return at(node.lineno, node.col_offset), at(node.end_lineno, node.end_col_offset)

    def between(left: ast.expr, right: ast.expr, old: str, new: str, kind: str) -> Iterator[Mutant]:
        begin, end = span(left)[1], span(right)[0]
        if source[begin:end].count(old.encode()) == 1:
            begin += source[begin:end].index(old.encode())
            yield Mutant(file, source[:begin].count(b"\n") + 1, begin, begin + len(old), new, kind)

    def whole(node: ast.expr, new: str, kind: str) -> Mutant:
        return Mutant(file, node.lineno, *span(node), new, kind)

    found: list[Mutant] = []
    for node in _meaning(ast.parse(source)):
        if isinstance(node, ast.Compare):
            for left, sign, right in zip([node.left, *node.comparators], node.ops, node.comparators, strict=False):
                found += between(left, right, *COMPARISONS[type(sign)], "comparison")
        elif isinstance(node, ast.BinOp) and type(node.op) in SIGNS:
            found += between(node.left, node.right, *SIGNS[type(node.op)], "sign")
        elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
            found.append(whole(node, ast.unparse(node.operand), "sign"))
        elif isinstance(node, ast.Constant) and type(node.value) is int:
            found.append(whole(node, str(node.value + 1), "off by one"))
        elif isinstance(node, ast.Constant) and type(node.value) is float and node.value:
            found.append(whole(node, repr(2.0 * node.value), "constant"))
        elif isinstance(node, ast.If | ast.IfExp | ast.While):
            found.append(whole(node.test, f"(not ({ast.unparse(node.test)}))", "condition"))
        elif isinstance(node, ast.Call) and node.keywords and node.keywords[-1].arg:
            begin = span(node.keywords[-2] if len(node.keywords) > 1 else (node.args or [node.func])[-1])[1]
            if not node.args and len(node.keywords) == 1:
                begin += source[begin:].index(b"(") + 1
            found.append(Mutant(file, node.keywords[-1].lineno, begin, span(node.keywords[-1])[1], "", "argument"))
    return found


def _meaning(tree: ast.AST) -> Iterator[ast.AST]:
    """The nodes of a tree without annotations, f-strings, decorators and raised errors."""
    yield tree
    for name, value in ast.iter_fields(tree):
        if name in ("annotation", "returns", "decorator_list") or isinstance(tree, ast.Raise | ast.JoinedStr):
            continue
        for child in value if isinstance(value, list) else [value]:
            if isinstance(child, ast.AST):
                yield from _meaning(child)


def tried(tree: Path, mutant: Mutant, room: str) -> str:
    """The tests that noticed a mutant in a worktree, in words; "" if none did.

    Raises:
        SystemExit: They fail without it.
    """
    path = tree / mutant.file
    source = path.read_bytes()
    mutated = source[: mutant.begin] + mutant.text.encode() + source[mutant.end :]
    for tests in tests_of(tree, mutant.file, room):
        path.write_bytes(mutated)
        try:
            survived = pass_(tree, tests)
        finally:
            path.write_bytes(source)
        if not survived:
            if not passes_as_it_is(tree, tests):
                raise SystemExit(f"mutants: {' '.join(tests)} fails as it is; mend that first")
            return " ".join(tests)
    return ""


def tests_of(tree: Path, file: str, room: str) -> list[tuple[str, ...]]:
    """The test of a file, those that import it, those of its folder or of whole fishes and films, and a watch."""
    path = Path(file).relative_to(room)
    folder = Path(TESTS[room]) / path.parent
    while not list((tree / folder).glob("**/test_*.py")):
        folder = folder.parent
    rest = folder if folder != Path(TESTS[room]) else folder / "whole"
    own, name = folder / f"test_{path.name}", ".".join(Path(file).with_suffix("").parts)
    package, _, last = name.rpartition(".")
    imports = re.compile(rf"\b{re.escape(name)}\b|\b{re.escape(package)} import [^\n]*\b{re.escape(last)}\b")
    others = [
        tests.relative_to(tree)
        for tests in sorted((tree / TESTS[room]).rglob("test_*.py"))
        if tests != tree / own and imports.search(tests.read_text())
    ]
    watch = (WATCHES[room],) if (tree / WATCHES[room].partition("::")[0]).exists() else ()
    turns = [(own,) if (tree / own).exists() else (), tuple(others), (rest,) if (tree / rest).exists() else (), watch]
    return [tuple(map(str, tests)) for tests in turns if tests]


@cache
def passes_as_it_is(tree: Path, tests: tuple[str, ...]) -> bool:
    """True if tests pass in a worktree without a mutant."""
    return pass_(tree, tests)


def pass_(tree: Path, tests: tuple[str, ...]) -> bool:
    """True if tests pass in a worktree within the time limit."""
    environment = {**os.environ, "PYTHONPATH": str(tree.parent), "PYTHONDONTWRITEBYTECODE": "1"}
    command = [sys.executable, "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider", "--rootdir", str(tree), *tests]
    try:
        done = subprocess.run(command, cwd=tree, env=environment, capture_output=True, timeout=LONGEST, check=False)
    except subprocess.TimeoutExpired:
        return False
    return done.returncode == 0


def shown(mutant: Mutant) -> str:
    """A mutant in words: the original text and its replacement."""
    source = (ROOT / mutant.file).read_bytes()
    old = " ".join(source[mutant.begin : mutant.end].decode().split())
    return f"{old[:50]} -> {mutant.text[:56] or 'nothing'}"


@contextmanager
def worktree(folder: Path, commit: str) -> Iterator[Path]:
    """A worktree of a commit with the libraries built here, removed afterwards."""
    shutil.rmtree(folder, ignore_errors=True)
    git("worktree", "prune")
    git("worktree", "add", "--detach", str(folder), commit)
    try:
        for built in ROOT.glob("core/**/artfish_kernel-*"):
            shutil.copy(built, folder / built.relative_to(ROOT))
        yield folder
    finally:
        shutil.rmtree(folder)
        git("worktree", "prune")


def git(*words: str) -> str:
    """The output of a git command."""
    return subprocess.run(["git", "-C", str(ROOT), *words], check=True, capture_output=True, text=True).stdout.strip()


if __name__ == "__main__":
    sys.exit(main())
