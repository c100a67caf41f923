"""The kernel built for another processor, run under an emulator of it, gives the bits that this one gives."""

from __future__ import annotations

import ctypes
import importlib.util
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from artfish.core import Scene, Species, World
from artfish.core.base import compiled
from artfish.core.base.threads import THREADS_CHOICE
from artfish.core.body import kernel
from artfish.core.body.anatomy import NODES
from artfish.core.body.dynamics import BodyModel
from artfish.core.body.kernel.integrator import Kernel
from artfish.core.body.kernel.tables import Body, Tables
from artfish.core.body.scheme import Scheme
from artfish.core.compiled import calling
from artfish.core.compiled.library import FUNCTIONS
from artfish.core.motor.pectorals import PectoralForces
from artfish.tests.core.body.tank import STEP

ROOT = Path(__file__).resolve().parents[3]
CORE = ROOT / "core"
FISHES, STEPS = 16, 200
EMULATOR = next((path for name in ("qemu-aarch64-static", "qemu-aarch64") if (path := shutil.which(name))), None)

pytestmark = [
    pytest.mark.film,
    pytest.mark.skipif(not kernel.available, reason=f"no kernel: {kernel.reason}"),
    pytest.mark.skipif(EMULATOR is None, reason="no qemu-aarch64 here: make test-arm64 fetches it"),
    pytest.mark.skipif(
        importlib.util.find_spec("ziglang") is None, reason="no ziglang here: make test-arm64 fetches it"
    ),
]


@pytest.fixture(scope="module")
def alone(tmp_path_factory) -> Path:
    """The kernel alone, built for linux-arm64 as tools/kernel.py builds it."""
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(ROOT / "tools")
        tool = importlib.import_module("kernel")
    program = tmp_path_factory.mktemp("arm64") / "alone"
    zig = [sys.executable, "-m", "ziglang", "cc", "-target", "aarch64-linux-musl", "-static"]
    functions = f"-DFUNCTIONS={' '.join(f'F({name})' for name in FUNCTIONS)}"
    others = [str(path) for path in sorted(CORE.rglob("*.c")) if path.name not in ("kernel.c", "dispatch.c")]
    sources = [str(Path(__file__).with_name("alone.c")), *others]
    subprocess.run([*zig, *tool.EXACT, functions, f"-I{CORE}", *sources, "-o", str(program)], check=True)
    return program


Call = tuple[list[np.ndarray], tuple[int, ...], list[np.ndarray]]


@pytest.fixture(scope="module")
def calls() -> dict[str, Call]:
    """The longest call of compiled functions in half a second of worlds: arrays, numbers, and arrays then."""
    found: dict[str, Call] = {}
    run = compiled.run

    def watched(name: str, arrays: tuple[np.ndarray | int, ...], *numbers: int) -> bool:
        kept = [array.copy() for array in arrays if not isinstance(array, int)]
        done = run(name, arrays, *numbers)
        size = sum(array.nbytes for array in kept)
        # Of what is known by its address alone nobody here knows the size.
        if done and len(kept) == len(arrays) and (name not in found or size > sum(a.nbytes for a in found[name][0])):
            found[name] = kept, numbers, [array.copy() for array in arrays if not isinstance(array, int)]
        return done

    def shared(name: str, arrays: tuple[np.ndarray | int, ...], size: int, least: int, *numbers: int) -> bool:
        return watched(name, arrays, 0, size, *numbers)

    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(THREADS_CHOICE, "1")  # or another thread fills what is copied here
        patch.setattr(compiled, "run", watched)
        patch.setattr(compiled, "share", shared)
        patch.delitem(calling.functions, "ranks")  # bodies in their plain form, for the muscles' function
        for preset in ("reef", "grotto", "schooling"):
            World(Scene.load(preset), seed=1).simulate(12)
    return found


def test_functions_give_the_same_bits_on_an_arm(alone, calls):
    assert {"sin_and_cos", "exp", "log", "arctan2"} <= set(calls) <= set(FUNCTIONS)
    differing = []
    for name, (arrays, numbers, expected) in calls.items():
        counts = np.array([len(arrays), len(numbers), *(array.nbytes for array in arrays), *numbers], np.int64)
        block = b"".join([counts.tobytes(), *(array.tobytes() for array in arrays)])
        found = subprocess.run([EMULATOR, str(alone), name], input=block, capture_output=True, check=True)
        differing += [name] if found.stdout != b"".join(array.tobytes() for array in expected) else []
    assert differing == []


def laid_out(tables: Tables, *arrays: np.ndarray) -> bytes:
    """What alone.c reads: sizes, the struct's numbers, what its pointers lead to, and the block of fishes."""
    pointers = [field for field, kind in Body._fields_ if kind is ctypes.c_void_p]
    numbers = getattr(Body, pointers[0]).offset
    parts = [np.array([FISHES, STEPS, numbers, len(pointers)], np.int64).tobytes(), bytes(tables.body)[:numbers]]
    for field in pointers:
        array = tables.arrays[field].tobytes()
        parts += [np.int64(len(array)).tobytes(), array]
    return b"".join([*parts, *(array.tobytes() for array in arrays)])


@pytest.mark.parametrize("name", ["clownfish", "sardine", "reef_shark"])
def test_an_arm_gives_the_same_bits(alone, name):
    dice = np.random.default_rng(5)
    species = Species.load(name)
    model, step = BodyModel(species.body), STEP / species.time_scale
    fins = PectoralForces(species, model, FISHES, np.float32)
    fins.hold(dice.uniform(0.0, np.pi, (2, FISHES)), dice.normal(0.0, 0.003 * model.length, (2, FISHES)))
    phase, pace = dice.uniform(0.0, 2.0 * np.pi, (2, len(model.muscles), FISHES))
    shorter = 0.1 * np.sin(phase + 0.1 * pace * np.arange(STEPS)[:, None, None])
    muscles = model.natural[model.muscles][:, None] * (1.0 + shorter)
    x, v = model.resting(FISHES), np.zeros((NODES, 3, FISHES))
    water = dice.normal(0.0, 0.003 * model.length, (3, FISHES))
    block = laid_out(Tables(Scheme(model, step), fins), x, v, muscles, water, fins.strokes)
    found = subprocess.run([EMULATOR, str(alone)], input=block, capture_output=True, check=True)
    there = np.frombuffer(found.stdout).reshape(2, NODES, 3, FISHES)
    Kernel(model, FISHES, step, fins, next(iter(kernel.loaded.builds.values()))).advance(x, v, muscles, water)
    assert np.abs(v).max() > 0.0
    assert np.array_equal(there[0], x) and np.array_equal(there[1], v)
