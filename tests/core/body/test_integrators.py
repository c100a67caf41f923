"""The three schemes: against dense algebra, against each other, against conservation laws (Tu 1999, §4.5)."""

from __future__ import annotations

import numpy as np
import pytest

from artfish.core import Species
from artfish.core.body.anatomy import BOOK_STEP, FACES, NODES, UNITS
from artfish.core.body.integrators import HALF_BANDWIDTH, ExplicitEuler, Reference, solve_banded_ldl
from artfish.core.body.production import Production
from artfish.tests.core.body.tank import Tank, default_step


def dense_step(tank: Tank, muscles: np.ndarray, fish: int) -> tuple[np.ndarray, np.ndarray]:
    """Equations 4.9 to 4.14 for one fish, with the matrices of §4.5.1 written out in full."""
    model, dt = tank.model, tank.step
    x, v = tank.x[..., fish], tank.v[..., fish]
    rest_lengths = model.lengths(muscles)[:, fish]
    stiffness, external = np.zeros((NODES, NODES)), np.zeros((NODES, 3))
    for unit, (i, j) in enumerate(UNITS):
        span = x[j] - x[i]
        length = np.linalg.norm(span)
        rate = (v[j] - v[i]) @ span / length
        eta = (model.elasticity[unit] * (length - rest_lengths[unit]) + model.viscosity[unit] * rate) / length  # 4.1
        stiffness[[i, j], [i, j]] += eta
        stiffness[[i, j], [j, i]] -= eta
    for corners in FACES:
        a, b, c = x[corners]
        around = np.cross(b - a, c - a)
        area, normal = 0.5 * np.linalg.norm(around), around / np.linalg.norm(around)
        flow = v[corners].mean(axis=0) - tank.water[:, fish]
        push = min(0.0, -model.fluid_viscosity * area * np.linalg.norm(flow) * (normal @ flow))  # 4.3
        external[corners] += push * normal / 3.0
    system = dt * stiffness + np.diag(model.masses) / dt  # 4.10
    load = external - stiffness @ x + model.masses[:, None] * v / dt  # 4.11
    velocity = np.linalg.solve(system, load)  # 4.9
    return x + dt * velocity, velocity  # 4.7


@pytest.mark.parametrize("nodes", [3, 9, 23])
def test_banded_factors_solve_what_dense_algebra_solves(nodes):
    rng = np.random.default_rng(0)
    fishes = 7
    bands = np.zeros((HALF_BANDWIDTH + 1, nodes, fishes))
    dense = np.zeros((fishes, nodes, nodes))
    for k in range(min(HALF_BANDWIDTH, nodes - 1) + 1):
        values = rng.normal(size=(nodes - k, fishes)) + (10.0 if k == 0 else 0.0)
        bands[k, : nodes - k] = values
        for i in range(nodes - k):
            dense[:, i + k, i] = dense[:, i, i + k] = values[i]
    load = rng.normal(size=(nodes, 3, fishes))
    wanted = np.linalg.solve(dense, load.transpose(2, 0, 1)).transpose(1, 2, 0)
    # Diagonally dominant, so well conditioned: a few hundred roundings at the most.
    assert solve_banded_ldl(bands, load) == pytest.approx(wanted, abs=1e-12)


def test_reference_is_the_books_scheme_assembled_densely():
    fishes = 4
    tank = Tank("thesis", Reference, default_step("thesis"), fishes)
    rng = np.random.default_rng(1)
    tank.x += rng.normal(0.0, 0.01 * tank.model.length, tank.x.shape)
    tank.v += rng.normal(0.0, 0.3, tank.v.shape)
    tank.water += rng.normal(0.0, 0.2, tank.water.shape)
    for _ in range(10):
        muscles = tank.slack * rng.uniform(0.9, 1.0, tank.slack.shape)
        wanted = [dense_step(tank, muscles, fish) for fish in range(fishes)]
        tank.integrator.step(tank.x, tank.v, muscles, tank.water)
        for fish, (x, v) in enumerate(wanted):
            assert tank.x[..., fish] == pytest.approx(x, abs=1e-11)
            assert tank.v[..., fish] == pytest.approx(v, abs=1e-11)


def test_explicit_euler_uses_only_what_was_there_before():
    tank = Tank("thesis", ExplicitEuler, 0.02 * default_step("thesis"), 1)
    tank.v += np.random.default_rng(1).normal(0.0, 0.3, tank.v.shape)
    before = tank.x + tank.step * tank.v
    tank.drift()
    assert np.array_equal(tank.x, before)


@pytest.mark.long
@pytest.mark.film
def test_reference_conserves_spin_to_first_order():
    # Its internal forces act along the units after the step, so spin changes by dt sum(v' x m v), which is of dt^2 a
    # step: over a given time half the step halves it. Linear momentum is safe, as the rows of B add up to nothing.
    spins = []
    for dt in (BOOK_STEP / 10, BOOK_STEP / 20):
        tank = Tank("thesis", Reference, dt * Species.load("thesis").time_scale, 3, fluid=0.0)
        tank.wriggle(0.1, effort=0.4)
        impulse = (tank.model.masses[:, None, None] * np.abs(tank.v)).sum()
        assert np.abs(tank.model.momentum(tank.v)).max() < 1e-11 * impulse
        spins.append(np.abs(tank.model.angular_momentum(tank.x, tank.v)).max())
    assert spins[0] / spins[1] == pytest.approx(2.0, rel=0.15)


@pytest.mark.parametrize("scheme", [ExplicitEuler, Reference, Production])
def test_a_resting_body_stays_at_rest(scheme):
    tank = Tank("thesis", scheme, 0.02 * default_step("thesis"), 2)
    for _ in range(20):
        tank.drift()
    assert tank.x == pytest.approx(tank.model.resting(2), abs=1e-6)
    assert np.abs(tank.v).max() < 1e-5


@pytest.mark.sampled
@pytest.mark.film
@pytest.mark.parametrize("scheme", [Reference, Production])
def test_drag_of_the_water_slows_a_glide_as_one_over_time(scheme):
    # The book's body, straight and symmetric, backs off: m du/dt = -k u^2 with k = mu sum(A n_x^2) over the triangles
    # that lead, so 1/u grows evenly. The body gives a little, hence half a part in a hundred.
    tank = Tank("thesis", scheme, default_step("thesis"), 1)
    a, b, c = tank.model.rest[FACES].transpose(1, 0, 2)
    around = np.cross(b - a, c - a)
    normals = around / np.linalg.norm(around, axis=1, keepdims=True)
    lead = around[:, 0] < 0
    drag = (0.5 * np.linalg.norm(around, axis=1) * normals[:, 0] ** 2)[lead].sum()
    start = speed = 2.0 * tank.speed
    tank.v[:, 0] = -start
    for steps in (300, 600, 900):
        for _ in range(300):
            tank.drift()
        speed = -tank.model.momentum(tank.v)[0, 0] / tank.model.mass
        fallen = drag * steps * tank.step / tank.model.mass
        assert 1.0 / speed - 1.0 / start == pytest.approx(fallen, rel=0.005)
    assert speed < 0.8 * start
