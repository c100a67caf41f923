"""The kernel built for another processor, run under an emulator of it, gives the bits that this one gives."""

from __future__ import annotations

import ctypes
import importlib
import importlib.util
import shutil
import struct
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from artfish.core import Scene, Species, World
from artfish.core.base.threads import THREADS_CHOICE
from artfish.core.body import kernel
from artfish.core.body.anatomy import NODES
from artfish.core.body.dynamics import BodyModel
from artfish.core.body.kernel.integrator import Kernel
from artfish.core.body.kernel.tables import BODY, laid_out
from artfish.core.body.scheme import scheme_of
from artfish.core.compiled import Kept, calling
from artfish.core.compiled.declarations import Array, Declaration, Number
from artfish.core.motor.pectorals import PectoralForces
from artfish.tests.core.body.tank import STEP

ROOT = Path(__file__).resolve().parents[3]
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
    folder = tmp_path_factory.mktemp("arm64")
    program = folder / "alone"
    (folder / "declared.h").write_text(importlib.import_module("declared").header())
    zig = [sys.executable, "-m", "ziglang", "cc", "-target", "aarch64-linux-musl", "-static"]
    spans = {True: "S", False: "F"}
    named = " ".join(f"{spans[bool(call.over)]}({call.name})" for call in DECLARED)
    others = [str(path) for path in tool.sources() if path.name not in ("kernel.c", "dispatch.c")]
    sources = [str(Path(__file__).with_name("alone.c")), *others]
    words = [*zig, *tool.EXACT, f"-DFUNCTIONS={named}", f"-I{tool.CORE}", f"-I{folder}"]
    subprocess.run([*words, *sources, "-o", str(program)], check=True)
    return program


DECLARED = [call.declaration for call in calling.declared]
"""All compiled functions."""


@dataclass
class Called:
    """One call of a compiled function: what it took, before and after."""

    declaration: Declaration
    before: dict[str, Any]
    after: dict[str, Any]
    sizes: dict[str, int]

    @property
    def bytes(self) -> int:
        """Of its arrays."""
        return sum(one.nbytes for one in self.before.values() if isinstance(one, np.ndarray))


@pytest.fixture(scope="module")
def calls(oracles) -> dict[str, Called]:
    """The longest call of each compiled function in half a second of worlds, but for those that take records."""
    found: dict[str, Called] = {}
    watched = {one.name: one for one in DECLARED if all(isinstance(f, Array | Number) for f in one.fields.values())}
    own = dict(calling.functions)

    def noted(declaration: Declaration) -> Any:
        def note(packed: bytes, *span: int) -> int:
            values, sizes = oracles.unpacked(declaration, packed)
            before = copied(declaration, values)
            refused = own[declaration.name](packed, *span)
            called = Called(declaration, before, copied(declaration, values), sizes)
            if not refused and (declaration.name not in found or called.bytes > found[declaration.name].bytes):
                found[declaration.name] = called
            return int(refused)

        return note

    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(THREADS_CHOICE, "1")  # or another thread fills what is copied here
        functions = {**own, **{name: noted(one) for name, one in watched.items() if name in own}}
        patch.setattr(calling, "functions", functions)
        for preset in ("reef", "grotto", "schooling"):
            World(Scene.load(preset), seed=1).simulate(12)
    return found


def copied(declaration: Declaration, values: dict[str, Any]) -> dict[str, Any]:
    """Copies of the fields of a call as they are now, arrays flat and numbers as words."""
    kinds = {name: one.kind for name, one in declaration.fields.items() if isinstance(one, Number)}
    words = {name: np.array(values[name], kind).view(np.int64)[()] for name, kind in kinds.items()}
    return {name: words[name] if name in words else value.flatten() for name, value in values.items()}


def test_functions_give_the_same_bits_on_an_arm(alone, calls):
    assert {"sin_and_cos", "exp", "log", "arctan2"} <= set(calls)
    differing = []
    for name, called in calls.items():
        fields, sizes = called.before, list(called.sizes.values())
        over = called.declaration.over
        end = called.sizes.get(over, int(fields.get(over, 0)))
        lengths = [one.nbytes if one.ndim else -1 for one in fields.values()]
        block = np.array([len(fields), len(sizes), end, *lengths, *sizes], np.int64).tobytes()
        block += b"".join(one.tobytes() for one in fields.values())
        found = subprocess.run([EMULATOR, str(alone), name], input=block, capture_output=True, check=True)
        expected = b"".join(one.tobytes() for one in called.after.values() if one.ndim)
        differing += [name] if found.stdout != expected else []
    assert differing == []


def given(body: Kept, *arrays: np.ndarray) -> bytes:
    """Input of alone.c: sizes, the numbers of the record, its arrays, its sizes, and the block of fishes."""
    pointers = [name for name, one in BODY.fields.items() if isinstance(one, Array)]
    packed = ctypes.string_at(body.address, struct.calcsize(BODY.format))
    sizes = np.array([body.sizes[name] for name in BODY.sizes], np.int64).tobytes()
    numbers = len(packed) - 8 * len(pointers) - len(sizes)
    parts = [np.array([FISHES, STEPS, numbers, len(pointers)], np.int64).tobytes(), packed[:numbers]]
    for name in pointers:
        array = body.values[name].tobytes()
        parts += [np.int64(len(array)).tobytes(), array]
    return b"".join([*parts, sizes, *(array.tobytes() for array in arrays)])


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
    block = given(laid_out(scheme_of(model, step), fins), x, v, muscles, water, fins.strokes)
    found = subprocess.run([EMULATOR, str(alone)], input=block, capture_output=True, check=True)
    there = np.frombuffer(found.stdout).reshape(2, NODES, 3, FISHES)
    Kernel(model, FISHES, step, fins, next(iter(kernel.loaded.builds.values()))).advance(x, v, muscles, water)
    assert np.abs(v).max() > 0.0
    assert np.array_equal(there[0], x) and np.array_equal(there[1], v)
