"""The same film everywhere: what moves a world on uses only what IEEE 754 fixes, in an order that is written down.

What a processor, a version of NumPy or a library may choose for itself is kept out of the rooms of the state by name;
and whole worlds are lived through with other instructions of the processor, to the same bits.
"""

import ast
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]
ROOMS = "base", "geometry", "habitat", "motor", "perception", "behavior", "world"
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
    "core/base/nearest.py: scipy": "its trees name candidates; distances and order are ours",
    "core/geometry/mesh_field.py: .reduceat": "the least of numbers is the same in any order",
    "core/geometry/triangles.py: scipy": "its walks from face to face have nothing but whole numbers",
}
"""What is used all the same, and why its bits or its order do not matter."""
WHOLE_NUMBERS = {
    "core/base/files.py: sum",
    "core/world/assembly.py: sum",
    "core/world/persistence.py: sum",
    "core/geometry/cells.py: .sum",
    "core/geometry/mesh_field.py: .sum",
    "core/geometry/sampling.py: .prod",
    "core/geometry/triangles.py: .sum",
}
"""Sums and products of whole numbers, which are exact in any order."""


def named(node: ast.AST) -> str | None:
    """What of a library's own a node of the code uses; None where it uses nothing of that kind."""
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


DIGESTS = """
import hashlib, json, sys, tempfile
from pathlib import Path
import numpy as np
from artfish.core import Scene, World
from artfish.core.geometry import triangles
from artfish.core.geometry.mesh_field import MeshField

found = {}
for name in sys.argv[2:]:
    world = World(Scene.load(name), seed=1)
    world.simulate(frames=int(sys.argv[1]))
    with tempfile.TemporaryDirectory() as folder:
        world.save(Path(folder) / "world.npz")
        with np.load(Path(folder) / "world.npz") as file:
            for key in sorted(file.files):
                found[f"{name} {key}"] = hashlib.sha256(file[key].tobytes()).hexdigest()[:16]
(rock,) = [obstacle for obstacle in Scene.load("grotto").obstacles if obstacle.kind == "mesh"]
vertices, faces = rock.placed
surfaces = {"closed": triangles.surface(vertices, faces), "open": triangles.surface(vertices, faces[:-200])}
for name, surface in surfaces.items():
    field = MeshField(surface)
    points = vertices[:500] * 1.01
    measured = field.samples, field.depth(points), *field.distance(points), np.array([surface.doubt, surface.volume])
    for row, array in enumerate(measured):
        found[f"a rock, {name}, {row}"] = hashlib.sha256(array.tobytes()).hexdigest()[:16]
print(json.dumps(found))
"""
PRESETS = "reef", "preying"
FRAMES = 48


def dispatched() -> list[str]:
    """The instructions beyond the least that this NumPy may use here, as `NPY_DISABLE_CPU_FEATURES` takes them."""
    try:
        from numpy._core import _multiarray_umath as numpy
    except ImportError:
        from numpy.core import _multiarray_umath as numpy
    return [name for name in numpy.__cpu_dispatch__ if numpy.__cpu_features__.get(name)]


def digests(**environment: str) -> dict[str, str]:
    """A digest of every array of worlds that have been lived through, in a process with this environment."""
    command = [sys.executable, "-c", DIGESTS, str(FRAMES), *PRESETS]
    ran = subprocess.run(command, env=os.environ | environment, capture_output=True, text=True, timeout=600)
    assert ran.returncode == 0, ran.stderr[-2000:]
    return json.loads(ran.stdout)


@pytest.mark.film
def test_worlds_are_the_same_without_the_newer_instructions_of_the_processor():
    # Where OpenBLAS does not know a processor it takes the oldest, so this is another one here as there.
    older = digests(NPY_DISABLE_CPU_FEATURES=" ".join(dispatched()), OPENBLAS_CORETYPE="Haswell")
    here = digests()
    assert [key for key in here if older[key] != here[key]] == []
    assert len(here) > 40 and sum(key.startswith("a rock") for key in here) == 10
