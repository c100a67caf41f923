"""The compiled step: NumPy's form of the scheme to rounding, and the same bits from every build of it."""

from __future__ import annotations

import numpy as np
import pytest

from artfish.core import Species
from artfish.core.body import kernel
from artfish.core.body.anatomy import MUSCLES, NODES
from artfish.core.body.dynamics import BodyModel
from artfish.core.body.forces import Finless
from artfish.core.body.integrators import Integrator
from artfish.core.body.kernel import mover
from artfish.core.body.kernel.integrator import Kernel
from artfish.core.body.production import Production
from artfish.core.motor.pectorals import PectoralForces
from artfish.tests.core.body.tank import STEP

FISHES, STEPS = 16, 100
every_species = pytest.mark.parametrize("name", Species.names())


def thrash(name: str, scheme, seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    """Places and velocities (23, 3, fish) after a hundred steps of wild commands, in body lengths and steps."""
    dice = np.random.default_rng(seed)
    species = Species.load(name)
    model, step = BodyModel(species.body), STEP / species.time_scale
    fins = PectoralForces(species, model, FISHES, np.float32)
    fins.hold(dice.uniform(0.0, np.pi, (2, FISHES)), dice.normal(0.0, 0.003 * model.length, (2, FISHES)))
    mover: Integrator = scheme(model, FISHES, step, fins)
    x, v = model.resting(FISHES), np.zeros((NODES, 3, FISHES))
    water = dice.normal(0.0, 0.003 * model.length, (3, FISHES))
    phase, pace = dice.uniform(0.0, 2.0 * np.pi, (2, len(model.muscles), FISHES))
    for turn in range(STEPS):
        shorter = 0.1 * np.sin(phase + 0.1 * pace * turn)
        shorter[len(MUSCLES) :] = 0.0  # muscles of a thin peduncle, wild each on its own, would wring it
        mover.step(x, v, model.natural[model.muscles][:, None] * (1.0 + shorter), water)
    return x / model.length, v * step / model.length


def builds() -> dict:
    return {} if kernel.loaded is None else kernel.loaded.builds


def by(build):
    return lambda model, fishes, dt, fins: Kernel(model, fishes, dt, fins, build)


@every_species
def test_the_kernel_does_what_numpy_does(name):
    (x, v), (own_x, own_v) = thrash(name, Production), thrash(name, by(builds()[kernel.loaded.widest]))
    body = Species.load(name).body
    assert np.abs(x - BodyModel(body).resting(FISHES) / body.book_length).max() > 0.2
    # Forces and the solve round to float32: in each step the change of a velocity, which is less than a length a step,
    # by some 2^-24 of itself. At the worst that adds up over the steps, and again in the places.
    assert np.abs(own_v - v).max() < 0.1 * STEPS * 2.0**-24
    assert np.abs(own_x - x).max() < STEPS * 2.0**-24


@every_species
def test_every_build_gives_the_same_bits(name):
    found = [thrash(name, by(build)) for build in builds().values()]
    for x, v in found[1:]:
        assert np.array_equal(x, found[0][0]) and np.array_equal(v, found[0][1])


@pytest.mark.parametrize("scheme", [Production, mover], ids=["numpy", "kernel"])
def test_a_fish_that_is_torn_creeps_back_and_troubles_no_other(scheme):
    """The rescue of one lane leaves the others' bits alone."""
    species = Species.load("clownfish")
    model, step = BodyModel(species.body), STEP / species.time_scale
    slack = np.repeat(model.natural[model.muscles][:, None], FISHES, axis=1)
    found = []
    for torn in (False, True):
        fins = PectoralForces(species, model, FISHES, np.float32)
        x, v = model.resting(FISHES), np.full((NODES, 3, FISHES), 0.01)
        if torn:
            x[3, :, 5] += 3.0 * model.length
        own = scheme(model, FISHES, step, fins)
        for _ in range(40):
            own.step(x, v, slack, np.zeros((3, FISHES)))
        found.append((x, v))
    (x, v), (own_x, own_v) = found
    others = np.arange(FISHES) != 5
    assert np.array_equal(own_x[..., others], x[..., others]) and np.array_equal(own_v[..., others], v[..., others])
    away = [np.linalg.norm(place[3, :, 5] - place[[1, 2, 4], :, 5].mean(axis=0)) / model.length for place in (x, own_x)]
    assert np.isfinite(own_x).all() and away[0] < 0.5 < 1.5 * away[1] < 1.5 * 2.9  # on its way


def test_steps_at_once_are_steps_one_by_one():
    species = Species.load("sardine")
    model, step = BodyModel(species.body), STEP / species.time_scale
    lengths = model.natural[model.muscles][:, None] * (
        1.0 + 0.05 * np.sin(np.arange(7.0))[:, None, None] * np.ones(FISHES)
    )
    places = []
    for together in (True, False):
        own = mover(model, FISHES, step, PectoralForces(species, model, FISHES, np.float32))
        x, v = model.resting(FISHES), np.zeros((NODES, 3, FISHES))
        if together:
            own.advance(x, v, lengths, np.zeros((3, FISHES)))
        else:
            for one in lengths:
                own.step(x, v, one, np.zeros((3, FISHES)))
        places.append(x)
    assert np.array_equal(*places)
    assert np.abs(places[0] - model.resting(FISHES)).max() > 0.0


def test_arrays_that_lie_otherwise_are_refused():
    model = BodyModel(Species.load("sardine").body)
    own = mover(model, FISHES, 1.0, Finless(FISHES))
    if not isinstance(own, Kernel):
        pytest.skip("NumPy takes any")
    x = model.resting(FISHES)
    with pytest.raises(ValueError, match="C order"):
        own.step(x.swapaxes(0, 1).copy().swapaxes(0, 1), np.zeros_like(x), np.ones((12, FISHES)), np.zeros((3, FISHES)))


def test_one_thread_and_two_give_the_same_bits(monkeypatch):
    species = Species.load("sardine")
    model, step, fishes = BodyModel(species.body), STEP / species.time_scale, 208
    places = []
    for threads in ("1", "2"):
        monkeypatch.setenv("ARTFISH_THREADS", threads)
        own = mover(model, fishes, step, PectoralForces(species, model, fishes, np.float32))
        x, v = model.resting(fishes), np.zeros((NODES, 3, fishes))
        lengths = model.natural[model.muscles][:, None] * (1.0 + 0.1 * np.sin(np.arange(fishes)))
        own.advance(x, v, np.stack([lengths] * 5), np.zeros((3, fishes)))
        places.append(x)
    assert np.array_equal(*places)
