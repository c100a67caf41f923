"""The production scheme: it comes near the reference, keeps the laws of conservation, and never explodes."""

from __future__ import annotations

import numpy as np
import pytest

from artfish.core import Species
from artfish.core.body.integrators import Reference
from artfish.core.body.production import Production
from artfish.tests.core.body.tank import Tank, default_step, every_species

SINGLE = 2.0**-24  # half the spacing of float32 numbers around 1


@pytest.mark.sampled
@pytest.mark.film
@pytest.mark.parametrize(("name", "parts", "seconds"), [("clownfish", 96, 0.05), ("thesis", 4, 0.2)])
def test_production_comes_near_the_reference_as_the_step_falls(name, parts, seconds):
    apart = []
    for step in (default_step(name) / parts, default_step(name) / parts / 2):
        places = []
        for scheme in (Reference, Production):
            tank = Tank(name, scheme, step, 2)
            tank.wriggle(seconds, effort=0.5)
            places.append(tank.x / tank.model.length)
        apart.append(np.abs(places[0] - places[1]).max())
        moved = np.abs(places[0] - tank.model.resting(2) / tank.model.length).max()
    assert moved > 0.02
    assert apart[1] < apart[0] < 0.03 * moved
    # What stays is the inertia of the bending, which is off by the square of the bend: (0.15 rad)^2 at such a bend.
    assert apart[1] < 0.0225 * moved


@pytest.mark.sampled
@pytest.mark.film
@pytest.mark.parametrize("name", ["sardine", "reef_shark", "butterflyfish"])
def test_production_swims_alike_at_every_step(name):
    period = 1.0 / Species.load(name).rhythm.tail_beat
    places = []
    for parts in (48, 768, 1536):
        tank = Tank(name, Production, period / parts, 2)
        tank.wriggle(0.5 * period)
        places.append(tank.x / tank.model.length)
    apart = [np.abs(place - places[-1]).max(axis=(0, 1)) for place in places[:-1]]
    # A thousandth of a length swimming and a hundredth turning as hard as can be, at a step such as that of a
    # scene. That is so little that the course of the muscles, which only knows whole steps, takes most of what a
    # shorter step wins.
    assert (apart[0] < (0.001, 0.01)).all()
    assert (apart[1] < 0.5 * apart[0]).all()


@pytest.mark.film
@every_species
def test_air_conserves_momentum_and_spin(name):
    tank = Tank(name, Production, default_step(name), 8, fluid=0.0)
    model = tank.model
    moved = turned = momentum = spin = 0.0
    for _ in range(72):
        arms, before = tank.x - model.momentum(tank.x) / model.mass, tank.v.copy()
        tank.wriggle(default_step(name), effort=0.7)
        impulse = model.masses[:, None, None] * np.abs(tank.v - before)
        moved += impulse.sum(axis=0).max()
        turned += (np.linalg.norm(arms, axis=1)[:, None] * impulse).sum(axis=(0, 1)).max()
        momentum = max(momentum, np.abs(model.momentum(tank.v)).max())
        spin = max(spin, np.abs(model.angular_momentum(tank.x, tank.v)).max())
    assert moved > 1.0
    # Linear momentum: float64, a rounding a step and node of the impulses that cancel.
    assert momentum < 23 * 2.0**-53 * moved
    # Angular momentum: float32 impulses and arms, a few roundings (product, sum, arm, the spin that corrects them) a
    # step, which add up at the worst.
    assert spin < 8 * SINGLE * turned


@pytest.mark.film
@pytest.mark.parametrize("factor", [1.0, *(pytest.param(factor, marks=pytest.mark.large) for factor in (0.2, 2.0))])
@every_species
def test_a_gliding_body_loses_energy_with_every_step(name, factor):
    # Slowly or fast, ahead or sideways, up or down: what a straight body may do in water without its muscles. Faster
    # than a fifteenth of its length in a step it would hit the water too hard for that.
    tank = Tank(name, Production, factor * default_step(name), 64)
    ways = np.random.default_rng(0).normal(size=(3, 64))
    fastest = min(3.0 * tank.speed, tank.model.length / 15.0 / tank.step)
    tank.v += np.geomspace(0.002, 1.0, 64) * fastest * ways / np.linalg.norm(ways, axis=0)
    energy = tank.energy
    for _ in range(100):
        before = energy
        tank.drift()
        energy = tank.energy
        assert (energy < before).all()


@pytest.mark.film
@every_species
def test_a_bent_body_let_go_never_has_more_energy_than_at_first(name):
    # Single steps may gain a little: the scheme is of first order and conserves spin rather than energy.
    tank = Tank(name, Production, default_step(name), 8)
    tank.wriggle(1.0 / tank.species.rhythm.tail_beat)
    start = tank.energy
    highest = np.zeros(8)
    for _ in range(round(2.0 / default_step(name))):
        tank.drift()
        highest = np.maximum(highest, tank.energy)
    assert (highest < start).all()
    assert (tank.energy < 0.1 * start).all()


@pytest.mark.film
@every_species
def test_a_spinning_body_gains_no_energy_at_a_fifth_of_the_step(name):
    # A radian takes 24 steps of 1/48 at this spin: a first-order scheme that conserves it stretches the body a little.
    for factor, most in ((1.0, 1.25), (0.2, 1.0)):
        tank = Tank(name, Production, factor * default_step(name), 16)
        ways = np.random.default_rng(0).normal(size=(3, 16))
        spins = 2.0 * tank.species.time_scale * ways / np.linalg.norm(ways, axis=0)
        tank.v += np.cross(spins[None], tank.x, axis=1)
        start = tank.energy
        for _ in range(round(0.3 / tank.species.time_scale / tank.step)):
            tank.drift()
            assert (tank.energy < most * start).all()


@pytest.mark.film
@every_species
def test_a_steady_current_changes_nothing_but_the_place(name):
    # Galilei: the same wriggle in water that moves, seen from that water. Places far from the origin and sums with
    # the current round in float64, and flow is rounded to float32 afterwards, so some last bits of it differ; a
    # swimming body forgets them.
    current = np.array([0.3, -0.2, 0.1])[:, None]
    still, moving = (Tank(name, Production, default_step(name), 3) for _ in range(2))
    moving.water += current * still.speed
    moving.v += current * still.speed
    seconds = 1.0
    for tank in (still, moving):
        tank.wriggle(seconds, effort=0.6)
    steps = round(seconds / default_step(name))
    drift = current * steps * default_step(name)
    assert moving.x / still.model.length - drift == pytest.approx(still.x / still.model.length, abs=1e-4)
