"""The three schemes: against dense algebra, against each other, against conservation laws (Tu 1999, §4.5)."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from artfish.core import Species
from artfish.core.body.anatomy import BOOK_STEP, FACES, MUSCLES, NODES, UNITS
from artfish.core.body.dynamics import BodyModel
from artfish.core.body.forces import Finless, Fins
from artfish.core.body.integrators import HALF_BANDWIDTH, ExplicitEuler, Integrator, Reference, solve_banded_ldl
from artfish.core.body.production import Production
from artfish.core.body.tuning import LONGEST_BOOK_STEP
from artfish.core.motor.muscles import Muscles
from artfish.core.motor.pectorals import fin_weights

STEP = 1.0 / 48.0  # seconds, that of a scene by default
SINGLE = 2.0**-24  # half the spacing of float32 numbers around 1
every_species = pytest.mark.parametrize("name", Species.names())

Scheme = Callable[[BodyModel, int, float, Fins], Integrator]


def default_step(name: str) -> float:
    """The step in seconds that a species is simulated with; the book's for the book's own fish."""
    return BOOK_STEP * Species.load(name).time_scale if name == "thesis" else STEP


class Tank:
    """A few bodies of one species, moved by one scheme, with muscles but without fins, in the book's units."""

    def __init__(self, name: str, scheme: Scheme, dt: float, fishes: int, fluid: float = 1.0, fins: Fins | None = None):
        self.species = Species.load(name)
        self.model = BodyModel(self.species.body, fluid)
        step = dt / self.species.time_scale
        self.parts = int(np.ceil(step / LONGEST_BOOK_STEP - 1e-9)) if scheme is Production else 1
        self.step = step / self.parts
        self.integrator = scheme(self.model, fishes, self.step, fins or Finless())
        self.muscles = Muscles(self.species, self.model, fishes, self.step)
        self.x, self.v = self.model.resting(fishes), np.zeros((NODES, 3, fishes))
        self.water = np.zeros((3, fishes))
        self.slack = np.repeat(self.model.natural[MUSCLES][:, None], fishes, axis=1)
        self.speed = self.model.length * self.species.time_scale
        """One body length a second in the book's units."""

    def drift(self) -> None:
        """One step with slack muscles."""
        for _ in range(self.parts):
            self.integrator.step(self.x, self.v, self.slack, self.water)

    def wriggle(self, seconds: float, effort: float = 1.0) -> None:
        """The first fish swims, the last turns as hard as it can, those between do some of both."""
        fishes = self.x.shape[2]
        beat = np.full(fishes, self.species.rhythm.tail_beat * self.species.time_scale)
        bend = np.linspace(0.0, 1.0, fishes)
        rates, swing = np.stack([beat, 2.0 * beat]), effort * np.stack([np.ones(fishes), bend, bend])
        for _ in range(round(seconds / (self.step * self.species.time_scale))):
            lengths = self.muscles.advance(rates, swing)[0]
            self.integrator.step(self.x, self.v, lengths, self.water)

    @property
    def energy(self) -> np.ndarray:
        """Kinetic and elastic energy of fishes with slack muscles, (fish,)."""
        return self.model.energy(self.x, self.v, self.slack)

    @property
    def middle(self) -> np.ndarray:
        """Centers of mass in body lengths, (3, fish)."""
        return self.model.momentum(self.x) / self.model.mass / self.model.length


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


@pytest.mark.parametrize("scheme", [ExplicitEuler, Reference, Production])
def test_a_push_on_a_fin_moves_the_nodes_of_its_side(scheme):
    class Lifting(Finless):
        weights = fin_weights((1 / 3, 1 / 3, 1 / 3))

        def push(self, flow, ahead, up, inertia=np.inf):
            return np.array([5.0 * up, 0.0 * up])  # up, on the left fin

    tank = Tank("thesis", scheme, 0.01 * default_step("thesis"), 1, fins=Lifting())
    tank.drift()
    lifted = tank.v[:, 2, 0]
    # In a step this short nothing has spread: each of the six nodes has a sixth of the push, over its mass.
    left = [i for ring in (1, 5, 9) for i in (ring, ring + 3)]
    assert lifted[left] == pytest.approx(tank.step * 5.0 / 6.0 / tank.model.masses[left], rel=0.02)
    assert np.abs(np.delete(lifted, left)).max() < 0.02 * lifted[left].min()
    assert tank.model.momentum(tank.v)[2, 0] == pytest.approx(tank.step * 5.0, rel=1e-6)


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


@pytest.mark.film
@pytest.mark.parametrize("name", ["sardine", "reef_shark", "butterflyfish"])
def test_production_swims_alike_at_every_step(name):
    period = 1.0 / Species.load(name).rhythm.tail_beat
    places = []
    for parts in (48, 768, 3072):
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


@pytest.mark.parametrize("scheme", [ExplicitEuler, Reference, Production])
def test_a_resting_body_stays_at_rest(scheme):
    tank = Tank("thesis", scheme, 0.02 * default_step("thesis"), 2)
    for _ in range(20):
        tank.drift()
    assert tank.x == pytest.approx(tank.model.resting(2), abs=1e-6)
    assert np.abs(tank.v).max() < 1e-5


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
