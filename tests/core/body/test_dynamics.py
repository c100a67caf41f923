"""Viscoelastic units and the mechanics of the whole body (Tu 1999, §4.3), against plain two-node computations."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest

from artfish.core import Species
from artfish.core.body.anatomy import ELASTICITY, MASSES, MUSCLES, NODES, UNITS, UPPER_TIP_NODE, rest_nodes
from artfish.core.body.dynamics import NODES_TO_UNITS, BodyModel, UnitForces
from artfish.core.scene.physique import Body

FISHES = 5
every_species = pytest.mark.parametrize("name", Species.names())


def disturbed(model: BodyModel, seed: int = 0) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Positions and velocities (23, 3, fish) of bent, stretched, moving fishes, and rest lengths of their muscles."""
    rng = np.random.default_rng(seed)
    x = model.resting(FISHES) + rng.normal(0.0, 0.03 * model.length, (NODES, 3, FISHES))
    v = rng.normal(0.0, 1.0, x.shape)
    return x, v, model.natural[model.muscles][:, None] * rng.uniform(0.6, 1.1, (len(model.muscles), FISHES))


def two_nodes(xi, xj, vi, vj, elasticity, viscosity, rest_length):
    """Force on the first of two nodes that a unit joins, and its effective stiffness, eq. 4.1 word for word."""
    span = xj - xi
    length = np.sqrt(span @ span)
    rate = (vj - vi) @ span / length
    stiffness = (elasticity * (length - rest_length) + viscosity * rate) / length
    return stiffness * span, stiffness


@pytest.mark.parametrize("name", ["thesis", "sardine"])
def test_units_pull_as_equation_4_1(name):
    model = BodyModel(Species.load(name).body)
    x, v, muscles = disturbed(model)
    units = UnitForces(model)
    force = units.evaluate(x, v, muscles)
    rest_lengths = model.lengths(muscles)
    for fish in range(FISHES):
        for unit, (i, j) in enumerate(UNITS):
            wanted, stiffness = two_nodes(
                *(nodes[n, :, fish] for nodes in (x, v) for n in (i, j)),
                model.elasticity[unit],
                model.viscosity[unit],
                rest_lengths[unit, fish],
            )
            # Some ten roundings of numbers up to c r; at rest length these cancel, so the bound is absolute.
            rounding = 1e-14 * model.elasticity[unit] * (rest_lengths[unit, fish] + np.linalg.norm(wanted))
            assert force[unit, :, fish] == pytest.approx(wanted, abs=rounding)
            assert units.effective_stiffness[unit, fish] == pytest.approx(stiffness, abs=rounding)


def test_a_stretched_unit_pulls_its_ends_together_and_a_squeezed_one_pushes_them_apart():
    model = BodyModel(Body())
    for factor, sign in ((1.1, 1.0), (0.9, -1.0)):
        x = factor * model.resting(1)
        force = UnitForces(model).evaluate(x, np.zeros_like(x), model.natural[model.muscles][:, None])
        along = np.einsum("uc,uc->u", force[..., 0], NODES_TO_UNITS @ model.rest)
        assert (sign * along > 0).all()


def test_viscosity_resists_stretching_at_rest_length():
    model = BodyModel(Body())
    x = model.resting(1)
    force = UnitForces(model).evaluate(x, 0.01 * x, model.natural[model.muscles][:, None])
    # Stretched evenly, a unit lengthens at a hundredth of its length: kappa 0.01 l, along itself.
    assert force[..., 0] == pytest.approx(0.1 * 0.01 * (NODES_TO_UNITS @ model.rest), abs=1e-12)


@pytest.mark.parametrize("name", ["thesis", "reef_shark"])
def test_single_precision_differs_by_its_rounding(name):
    model = BodyModel(Species.load(name).body)
    x, v, muscles = disturbed(model)
    double = UnitForces(model).evaluate(x, v, muscles)
    single = UnitForces(model, np.float32).evaluate(*(a.astype(np.float32) for a in (x, v, muscles)))
    # Positions as large as the body enter spans, which are multiplied by c: a few roundings of c x half a length,
    # and of kappa v.
    scale = model.elasticity.max() * 0.5 * model.length + model.viscosity.max() * np.abs(v).max()
    assert np.abs(single - double).max() < 10 * 2.0**-24 * scale


@every_species
def test_a_body_is_as_its_species_says(name):
    body = Species.load(name).body
    model = BodyModel(body, fluid=0.25)
    rest = rest_nodes(body) * body.book_length
    spans = np.array([np.linalg.norm(rest[j] - rest[i]) for i, j in UNITS])
    assert model.natural == pytest.approx(spans, rel=1e-13)
    assert np.array_equal(model.masses, MASSES * body.unit_mass)
    softer = np.where((UNITS >= UPPER_TIP_NODE).any(axis=1), body.tail_stiffness, 1.0)
    assert np.array_equal(model.elasticity, ELASTICITY * body.stiffness * softer)
    assert model.viscosity == pytest.approx(body.viscosity)
    assert model.fluid_viscosity == pytest.approx(0.25 * body.fluid_viscosity)
    assert model.masses @ model.rest == pytest.approx(0.0, abs=1e-11)
    assert np.ptp(model.rest[:, 0]) == pytest.approx(body.book_length)


@every_species
def test_nothing_but_moving_it_as_a_whole_leaves_a_body_unstretched(name):
    model = BodyModel(Species.load(name).body)
    stiffness = model.stiffness
    assert stiffness == pytest.approx(stiffness.T, abs=1e-9)
    levels = np.linalg.eigvalsh(stiffness)
    assert levels[:6] == pytest.approx(0.0, abs=1e-12 * levels[-1] * len(levels))
    assert levels[6] > 1e-6 * levels[-1]  # 91 units hold 23 nodes rigid, six freedoms apart
    for axis in np.eye(3):
        shift, spin = np.tile(axis, NODES), np.cross(axis, model.rest).ravel()
        assert stiffness @ shift == pytest.approx(0.0, abs=1e-9)
        assert stiffness @ spin == pytest.approx(0.0, abs=1e-8)


@pytest.mark.parametrize("which", ["stiffness", "damping"])
def test_matrices_are_the_slopes_of_the_forces(which):
    model = BodyModel(Species.load("clownfish").body)
    way = np.random.default_rng(1).normal(size=(NODES, 3, 1))
    muscles = model.natural[model.muscles][:, None]

    def forces(step: float) -> np.ndarray:
        x, v = model.resting(1), np.zeros((NODES, 3, 1))
        moved = x if which == "stiffness" else v
        moved += step * way
        force = UnitForces(model).evaluate(x, v, muscles)
        return (-NODES_TO_UNITS.T @ force[..., 0]).ravel()

    h = 1e-4  # central differences: an error of h^2, and rounding over h
    slope = (forces(h) - forces(-h)) / (2 * h)
    matrix = getattr(model, which)
    assert -matrix @ way.ravel() == pytest.approx(slope, abs=1e-5 * np.abs(slope).max())


def test_momenta_and_energy_are_sums_over_nodes_and_units():
    model = BodyModel(Body())
    x, v, muscles = disturbed(model)
    rest_lengths = model.lengths(muscles)
    for fish in range(FISHES):
        masses = model.masses[:, None]
        place, velocity = x[..., fish], v[..., fish]
        middle = (masses * place).sum(axis=0) / 107.03
        momentum = (masses * velocity).sum(axis=0)
        spin = sum(np.cross(place[n] - middle, model.masses[n] * velocity[n]) for n in range(NODES))
        energy = sum(0.5 * model.masses[n] * velocity[n] @ velocity[n] for n in range(NODES)) + sum(
            0.5 * ELASTICITY[u] * (np.linalg.norm(place[j] - place[i]) - rest_lengths[u, fish]) ** 2
            for u, (i, j) in enumerate(UNITS)
        )
        assert model.momentum(v)[:, fish] == pytest.approx(momentum, abs=1e-11)
        assert model.angular_momentum(x, v)[:, fish] == pytest.approx(spin, abs=1e-10)
        assert model.energy(x, v, muscles)[fish] == pytest.approx(energy, rel=1e-12)


def test_angular_momentum_about_the_center_of_mass_knows_no_place_and_no_drift():
    model = BodyModel(Body())
    x, v, _ = disturbed(model)
    spin = model.angular_momentum(x, v)
    shift = np.array([3.0, -40.0, 7.0])[None, :, None]
    assert model.angular_momentum(x + shift, v + 0.1 * shift) == pytest.approx(spin, abs=1e-9)


def test_forces_of_units_are_the_slopes_of_the_energy():
    model = BodyModel(dataclasses.replace(Body(), viscosity=0.0))
    x, _, muscles = disturbed(model)
    still, way = np.zeros_like(x), np.random.default_rng(5).normal(size=x.shape)
    force = UnitForces(model).evaluate(x, still, muscles)
    on_nodes = np.tensordot(-NODES_TO_UNITS.T, force, axes=1)
    h = 1e-5
    rise = (model.energy(x + h * way, still, muscles) - model.energy(x - h * way, still, muscles)) / (2 * h)
    assert -np.einsum("ncf,ncf->f", on_nodes, way) == pytest.approx(rise, rel=1e-6)


def test_only_muscles_change_their_rest_length():
    model = BodyModel(Body())
    lengths = model.lengths(np.full((12, 2), 0.5))
    assert (lengths[MUSCLES] == 0.5).all()
    others = np.setdiff1d(np.arange(91), MUSCLES)
    assert np.array_equal(lengths[others], np.repeat(model.natural[others, None], 2, axis=1))
