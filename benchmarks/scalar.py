"""The plain compiled scalar loop raced by the array code: scalar.c, compiled on first use."""

from __future__ import annotations

import ctypes
import shutil
import subprocess
import tempfile
from functools import cache
from pathlib import Path

import numpy as np

from ..core.body import anatomy
from ..core.scene.physique import Body
from .table import Row, Unavailable, explains
from .timing import race

FISHES = 1000
BEAT_STEPS, AMPLITUDE = 60, 0.1  # a beat that the book's integrator survives at its own step


class _Model(ctypes.Structure):
    """The struct Model of scalar.c."""

    _fields_ = [
        ("mass", ctypes.c_double * anatomy.NODES),
        ("elasticity", ctypes.c_double * len(anatomy.UNITS)),
        ("viscosity", ctypes.c_double),
        ("fluid_viscosity", ctypes.c_double),
        ("unit", ctypes.c_int * anatomy.UNITS.size),
        ("triangle", ctypes.c_int * anatomy.FACES.size),
    ]


@cache
def compiled() -> ctypes.CDLL:
    """scalar.c as a loaded library, made by the system's C compiler at plain -O2."""
    compiler = shutil.which("cc") or shutil.which("gcc") or shutil.which("clang")
    if compiler is None:
        raise Unavailable("no C compiler here")
    source = Path(__file__).with_name("scalar.c")
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        library = Path(folder) / "scalar.so"
        command = [compiler, "-O2", "-std=c99", "-fPIC", "-shared", str(source), "-o", str(library), "-lm"]
        done = subprocess.run(command, capture_output=True, text=True)
        if done.returncode:
            reason = done.stderr.strip() or f"exit {done.returncode}"
            raise Unavailable(f"{Path(compiler).name} failed: {reason.splitlines()[-1]}")
        return ctypes.CDLL(str(library))


class ScalarFishes:
    """Fishes of one body, stepped one after another by compiled scalar code, in the book's units.

    Args:
        body: Proportions and factors of the species.
        fishes: Number of fishes.

    Raises:
        Unavailable: There is no C compiler, or it failed.
    """

    def __init__(self, body: Body, fishes: int) -> None:
        self._step = compiled().step
        self.rest_nodes = anatomy.rest_nodes(body) * body.book_length
        ends = self.rest_nodes[anatomy.UNITS]
        self.natural = np.linalg.norm(ends[:, 1] - ends[:, 0], axis=1)
        self.nodes = np.tile(self.rest_nodes, (fishes, 1, 1))
        """Positions, (fish, 23, 3)."""
        self.velocities = np.zeros_like(self.nodes)
        """Velocities, (fish, 23, 3)."""
        self.rest_lengths = np.tile(self.natural, (fishes, 1))
        """Rest length of each unit, (fish, 91); the muscles' may be changed between steps."""
        self._model = _Model(
            mass=tuple(anatomy.MASSES * body.unit_mass),
            elasticity=tuple(anatomy.ELASTICITY * body.stiffness),
            viscosity=body.viscosity,
            fluid_viscosity=body.fluid_viscosity,
            unit=tuple(anatomy.UNITS.ravel().tolist()),
            triangle=tuple(anatomy.FACES.ravel().tolist()),
        )

    def step(self, dt: float) -> None:
        """Advance every fish by dt, in the book's units of time."""
        pointers = (array.ctypes.data_as(ctypes.c_void_p) for array in (self.nodes, self.velocities, self.rest_lengths))
        self._step(ctypes.byref(self._model), len(self.nodes), ctypes.c_double(dt), *pointers)

    def wriggle(self, turn: int) -> None:
        """Set the muscles for a step of a beat, left against right, each fish in its own phase."""
        phases = 2.0 * np.pi * (turn / BEAT_STEPS + np.arange(len(self.nodes)) / len(self.nodes))
        bends = np.where(anatomy.LEFT_MUSCLES, -AMPLITUDE, AMPLITUDE) * np.sin(phases)[:, None]
        self.rest_lengths[:, anatomy.MUSCLES] = self.natural[anatomy.MUSCLES] * (1.0 + bends)


@explains("scalar loop")
def rows(quick: bool = False) -> list[Row]:
    """Microseconds a fish-step of the scalar loop, alone."""
    school = ScalarFishes(Body(), FISHES)
    work = {"scalar": lambda: school.step(anatomy.BOOK_STEP)}
    seconds = race(work, rounds=5 if quick else 300, before=school.wriggle)["scalar"]
    note = f"{FISHES:,} fishes, units, water and L D L^T; cc -O2, one thread; best of {len(seconds)}"
    return [Row("scalar loop", seconds.min() / FISHES * 1e6, "us/fish-step", note=note)]
