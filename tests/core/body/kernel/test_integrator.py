"""The compiled step: NumPy's form of the scheme to rounding, and the same bits from every build of it."""

from __future__ import annotations

import numpy as np
import pytest

from artfish.core import Species
from artfish.core.base.memory import aligned
from artfish.core.body import kernel
from artfish.core.body.anatomy import MUSCLES, NODES
from artfish.core.body.dynamics import BodyModel
from artfish.core.body.integrators import Integrator
from artfish.core.body.kernel.integrator import Kernel
from artfish.core.body.production import Production
from artfish.core.motor.pectorals import PectoralForces
from artfish.tests.core.body.tank import STEP, every_species

FISHES, STEPS = 16, 100
pytestmark = pytest.mark.skipif(not kernel.available, reason=f"no kernel: {kernel.reason}")


def thrash(name: str, scheme, seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    """Places and velocities (23, 3, fish) after a hundred steps of wild commands, in body lengths and steps."""
    dice = np.random.default_rng(seed)
    species = Species.load(name)
    model, step = BodyModel(species.body), STEP / species.time_scale
    fins = PectoralForces(species, model, FISHES, np.float32)
    fins.hold(dice.uniform(0.0, np.pi, (2, FISHES)), dice.normal(0.0, 0.003 * model.length, (2, FISHES)))
    mover: Integrator = scheme(model, FISHES, step, fins)
    x, v = model.resting(FISHES), aligned((3, NODES, FISHES)).swapaxes(0, 1)
    water = dice.normal(0.0, 0.003 * model.length, (3, FISHES))
    phase, pace = dice.uniform(0.0, 2.0 * np.pi, (2, len(MUSCLES), FISHES))
    for turn in range(STEPS):
        shorter = 0.1 * np.sin(phase + 0.1 * pace * turn)
        mover.step(x, v, model.natural[MUSCLES][:, None] * (1.0 + shorter), water)
    return x / model.length, v * step / model.length


def builds() -> dict:
    return {} if kernel.library is None else kernel.library.builds


def by(build):
    return lambda model, fishes, dt, fins: Kernel(model, fishes, dt, fins, build)


@every_species
def test_the_kernel_does_what_numpy_does(name):
    (x, v), (own_x, own_v) = thrash(name, Production), thrash(name, by(builds()[kernel.library.widest]))
    assert (
        np.abs(x - BodyModel(Species.load(name).body).resting(FISHES) / Species.load(name).body.book_length).max() > 0.2
    )
    print(name, np.abs(own_x - x).max(), np.abs(own_v - v).max())
    assert np.abs(own_x - x).max() < 1e-4
    assert np.abs(own_v - v).max() < 1e-5


@every_species
def test_every_build_gives_the_same_bits(name):
    found = [thrash(name, by(build)) for build in builds().values()]
    for x, v in found[1:]:
        assert np.array_equal(x, found[0][0]) and np.array_equal(v, found[0][1])
