"""The same film everywhere: what moves a world on uses only what IEEE 754 fixes, in an order that is written down.

What a processor, a version of NumPy or a library may choose for itself is kept out of the rooms of the state by name;
and whole worlds are lived through with other instructions of the processor, to the same bits.
"""

import ast
import importlib
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]
ROOMS = "base", "geometry", "habitat", "motor", "perception", "behavior", "replicas", "world"
FILES = [*(file for room in ROOMS for file in sorted((ROOT / "core" / room).rglob("*.py")))]
FILES.append(ROOT / "core" / "body" / "anatomy.py")

LIBRARY = {
    *("sin", "cos", "tan", "sinc", "exp", "exp2", "expm1", "log", "log2", "log10", "log1p", "logaddexp", "tanh"),
    *("sinh", "cosh", "arcsin", "arccos", "arctan", "arctan2", "arcsinh", "arccosh", "arctanh", "hypot", "cbrt"),
    *("power", "float_power", "interp", "polyfit", "polyval"),
    *("einsum", "dot", "vdot", "inner", "matmul", "tensordot", "vecdot", "cross", "convolve", "correlate", "linalg"),
    *("sum", "nansum", "mean", "nanmean", "average", "std", "var", "prod", "trapz", "trapezoid", "cov", "fft"),
    *("partition", "argpartition", "median", "percentile", "quantile", "random"),
}
"""Of NumPy, what has forms of its own on some processors, or an order of its own; base/elementary.py, sums.py and
vectors.py have them in ours."""
ORDERED = {"sum", "mean", "std", "var", "prod", "dot", "trace", "argpartition"}
"""Methods of arrays, for the same reason."""
EXACT = {
    "core/body/anatomy.py: math": "fsum of the book's masses is rounded once, from what it is exactly",
    "core/perception/visual_memory/pieces.py: .reduceat": "the least and the most of numbers are so in any order",
    "core/geometry/triangles.py: scipy": "its walks from face to face have nothing but whole numbers",
}
"""Functions that are used all the same, and the reason why their bits or their order do not matter."""
WHOLE_NUMBERS = {
    "core/base/files.py: sum",
    "core/base/sums.py: .sum",
    "core/world/assembly.py: sum",
    "core/world/fitting.py: sum",
    "core/world/persistence.py: sum",
    "core/world/strokes.py: sum",
    "core/geometry/sampling.py: .prod",
    "core/geometry/triangles.py: .sum",
}
"""Sums and products of whole numbers, which are exact in any order."""


def named(node: ast.AST) -> str | None:
    """Name of the library's own function that a node of the code uses; None where it uses nothing of that kind."""
    match node:
        case ast.Attribute(value=ast.Name(id="np"), attr=name) if name in LIBRARY:
            return f"np.{name}"
        case ast.Attribute(value=ast.Attribute(value=ast.Name(id="np")), attr="reduce" | "reduceat"):
            return f".{node.attr}"
        case (
            ast.Call(func=ast.Attribute(value=ast.Name(id="np"), attr="argsort"))
            | ast.Call(func=ast.Attribute(attr="argsort"))
        ):
            stable = any(key.arg == "kind" and ast.unparse(key.value) == "'stable'" for key in node.keywords)
            return None if stable else "argsort without kind='stable'"
        case ast.Call(func=ast.Attribute(value=ast.Name(id=owner), attr=name)) if owner == "np" or name not in ORDERED:
            return None
        case ast.Call(func=ast.Attribute(attr=name)) if name in ORDERED:
            return f".{name}"
        case ast.BinOp(op=ast.MatMult()):
            return "@"
        case ast.BinOp(op=ast.Pow(), left=left, right=right):
            numbers = all(
                not list(filter(lambda of: isinstance(of, ast.Name), ast.walk(side))) for side in (left, right)
            )
            return None if numbers else "**"
        case ast.Import(names=names) if any(name.name.split(".")[0] in ("scipy", "math", "cmath") for name in names):
            return names[0].name.split(".")[0]
        case ast.ImportFrom(module=str(module)) if module.split(".")[0] in ("scipy", "statistics", "random"):
            return module.split(".")[0]
        case ast.ImportFrom(module="math", names=names) if not {name.name for name in names} <= {"inf", "nan", "prod"}:
            return "math"
        case ast.Call(func=ast.Name(id="sum")):
            return "sum"  # that of floats is another from Python 3.12 on
        case ast.For(iter=ast.Set() | ast.SetComp() | ast.Call(func=ast.Name(id="set" | "frozenset"))):
            return "the order of a set"
        case ast.comprehension(iter=ast.Set() | ast.SetComp() | ast.Call(func=ast.Name(id="set" | "frozenset"))):
            return "the order of a set"
    return None


def used_in(file: Path) -> dict[str, list[int]]:
    """Lines of a file by what of a library's own they use."""
    found: dict[str, list[int]] = {}
    for node in ast.walk(ast.parse(file.read_text())):
        if name := named(node):
            found.setdefault(f"{file.relative_to(ROOT).as_posix()}: {name}", []).append(getattr(node, "lineno", 0))
    return found


def test_nothing_that_feeds_the_state_leaves_its_bits_to_a_library():
    used = {what: lines for file in FILES for what, lines in used_in(file).items()}
    allowed = set(EXACT) | WHOLE_NUMBERS
    assert {what: lines for what, lines in used.items() if what not in allowed} == {}
    assert allowed <= set(used), "what is no longer used needs no leave"


@pytest.mark.parametrize(
    ("code", "found"),
    [
        ("np.sin(x)", "np.sin"),
        ("np.linalg.norm(x)", "np.linalg"),
        ("np.add.reduce(x)", ".reduce"),
        ("x.mean(axis=0)", ".mean"),
        ("a @ b", "@"),
        ("x ** 0.3", "**"),
        ("np.argsort(x)", "argsort without kind='stable'"),
        ("x.argsort()", "argsort without kind='stable'"),
        ("np.argsort(x, kind='stable')", None),
        ("2.0 ** -53", None),
        ("np.sqrt(x * x)", None),
        ("from scipy.spatial import cKDTree", "scipy"),
        ("[x for x in set(y)]", "the order of a set"),
    ],
)
def test_what_is_a_librarys_own_is_recognised(code, found):
    assert {named(node) for node in ast.walk(ast.parse(code))} - {None} == ({found} if found else set())


@pytest.fixture
def tool(monkeypatch):
    """The tool that compares whole worlds, tools/same_bits.py."""
    monkeypatch.syspath_prepend(ROOT / "tools")
    return importlib.import_module("same_bits")


def lived(found: Path, **environment: str) -> dict[str, dict]:
    """Results of worlds that live in a process with this environment."""
    command = [sys.executable, ROOT / "tools" / "same_bits.py", "--live", found, "--worlds", "crowd", "rocks"]
    ran = subprocess.run(command, env=os.environ | environment, capture_output=True, text=True, timeout=600)
    assert ran.returncode == 0, ran.stderr[-2000:]
    return json.loads(found.read_text())


@pytest.mark.film
def test_worlds_are_the_same_without_the_newer_instructions_of_the_processor(tool, tmp_path):
    # Where OpenBLAS does not know a processor it takes the oldest, so this is another one here as there.
    older = {"NPY_DISABLE_CPU_FEATURES": " ".join(tool.dispatched()), "OPENBLAS_CORETYPE": "Haswell"}
    here = lived(tmp_path / "here.json")
    assert tool.differences(lived(tmp_path / "older.json", **older), here) == {}
    assert [len(of["arrays"]) > 100 for of in here.values()] == [True, False]
    assert len(here["rocks"]["arrays"]) == 10


def made_up(worlds: str = "reef", **arrays: str) -> dict[str, dict]:
    """As if worlds with these letters had been lived through."""
    return {world: {"digest": "".join(arrays.values()), "arrays": arrays} for world in worlds.split()}


@pytest.mark.parametrize(
    ("found", "said"),
    [
        ({"mind/aim": "abcd", "block 0/x": "efgh"}, {}),
        (
            {"mind/aim": "abcX", "block 0/x": "eXgh"},
            {"reef": "frame 1 is the first that differs, in block 0/x"},
        ),
        (
            {"mind/aim": "abXd", "block 0/x": "efXX"},
            {"reef": "frame 2 is the first that differs, in block 0/x, mind/aim"},
        ),
        ({"mind/aim": "abc", "block 0/x": "efgh"}, {"reef": "frame 3 is the first that differs, in mind/aim"}),
        ({"mind/aim": "abcd"}, {"reef": "frame 0 is the first that differs, in block 0/x"}),
    ],
)
def test_what_differs_is_said_with_its_first_frame_and_arrays(tool, found, said):
    assert tool.differences(made_up(**found), made_up(**{"mind/aim": "abcd", "block 0/x": "efgh"})) == said


@pytest.mark.parametrize(("other", "committed", "failed"), [("ab", "ab", 0), ("aX", "ab", 1), ("ab", "aX", 1)])
def test_another_way_and_the_committed_file_must_agree(tool, monkeypatch, tmp_path, capsys, other, committed, failed):
    expected = tool.shortened(made_up(**{"block 0/x": committed}))
    (tmp_path / "digests.json").write_text(json.dumps(expected))
    monkeypatch.setattr(tool, "COMMITTED", tmp_path / "digests.json")
    lives = made_up(**{"block 0/x": "ab"}), made_up(**{"block 0/x": other})
    monkeypatch.setattr(tool, "run", lambda ways: iter(lives))
    assert tool.compare([tool.Way("usual", {}), tool.Way("another", {})]) == failed
    said = capsys.readouterr().out
    assert ("reef, another: frame 1 is the first that differs, in block 0/x" in said) == (other == "aX")
    assert ("reef, against digests.json: frame 1 is the first" in said) == (committed == "aX")
    assert ("make digests" in said) == (committed == "aX")


def test_every_preset_has_its_digest(tool):
    committed = json.loads(tool.COMMITTED.read_text())
    assert set(committed) == {*tool.PRESETS, "crowd", "rocks"}
    for name in tool.PRESETS:
        rows = committed[name]["arrays"]
        assert set(rows) >= {"bodies", "habitat", "minds", "motor"} and {len(row) for row in rows.values()} == {240}


def test_a_way_that_lives_less_long_is_held_to_its_own_frames(tool, monkeypatch, tmp_path):
    monkeypatch.setattr(tool, "COMMITTED", tmp_path / "none.json")
    usual, plain = tool.Way("usual", {}), tool.Way("oracles", {}, plain=True)
    for letters, alike in (("abc", True), ("abX", False)):
        lives = made_up(**{"block 0/x": "abcd"}), made_up(**{"block 0/x": letters})
        said = tool.differences(*(tool.first_frames(one, lives[1]) for one in lives))
        assert said == ({} if alike else {"reef": "frame 2 is the first that differs, in block 0/x"})
        monkeypatch.setattr(tool, "run", lambda ways, lives=lives: iter(lives))
        monkeypatch.setattr(tool, "shortened", lambda found: {})  # noqa: ARG005
        assert tool.compare([usual, plain]) == (0 if alike else 1)
