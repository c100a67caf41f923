"""The water's push on the skin, eq. 4.3 (Tu 1999, §4.4), against a plain computation triangle by triangle."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest

from artfish.core.body.anatomy import FACES, LOWER_TIP_NODE, NODES, RING_NODES, TRUNK_FACES, UPPER_TIP_NODE
from artfish.core.body.dynamics import BodyModel
from artfish.core.body.hydrodynamics import (
    NODES_TO_EDGES,
    NODES_TO_FACES,
    NODES_TO_TAIL,
    Limits,
    TailReaction,
    WaterForces,
)
from artfish.core.scene.physique import Body

FISHES = 6
X, Y, Z = np.eye(3)
BOOK = Body()
SLEEK = dataclasses.replace(BOOK, streamlining=0.9, fluid_viscosity=3.0)


def one_triangle(corners: np.ndarray, velocities: np.ndarray, viscosity: float) -> np.ndarray:
    """min[0, -mu A |v| (n.v)] n, eq. 4.3 word for word, with the velocity of the triangle's middle."""
    a, b, c = corners
    around = np.cross(b - a, c - a)
    area, normal = 0.5 * np.linalg.norm(around), around / np.linalg.norm(around)
    velocity = velocities.mean(axis=0)
    return min(0.0, -viscosity * area * np.linalg.norm(velocity) * (normal @ velocity)) * normal


def disturbed(model: BodyModel) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Positions and velocities (23, 3, fish) of bent, moving fishes, and the unit vectors along them (3, fish)."""
    rng = np.random.default_rng(2)
    x = model.resting(FISHES) + rng.normal(0.0, 0.03 * model.length, (NODES, 3, FISHES))
    ahead = rng.normal(size=(3, FISHES))
    return x, rng.normal(0.0, 1.0, x.shape), ahead / np.linalg.norm(ahead, axis=0)


def pushes(body: Body, x: np.ndarray, v: np.ndarray, ahead: np.ndarray, fluid=1.0, limits=None) -> np.ndarray:
    """Force on each triangle, (42, 3, fish)."""
    return WaterForces(BodyModel(body, fluid), limits=limits).evaluate(x, v, ahead)


def moving(body: Body, velocity: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """A resting fish that heads along x and is carried along as a whole."""
    x = BodyModel(body).resting(1)
    return x, np.tile(velocity[None, :, None], (NODES, 1, 1)), X[:, None]


def test_every_triangle_feels_equation_4_3():
    model = BodyModel(BOOK)
    x, v, ahead = disturbed(model)
    force = pushes(BOOK, x, v, ahead)
    still = 0
    for fish in range(FISHES):
        for face, corners in enumerate(FACES):
            wanted = one_triangle(x[corners, :, fish], v[corners, :, fish], 1.0)
            assert force[face, :, fish] == pytest.approx(wanted, rel=1e-11, abs=1e-13)
            still += not wanted.any()
    assert 0.3 < still / force[:, 0].size < 0.7  # the clamp has been at work


@pytest.mark.parametrize("speed", [0.0, 0.3, -0.3])
def test_a_triangle_is_pushed_only_when_it_moves_outwards(speed):
    x, v, ahead = moving(BOOK, speed * Y)
    force = pushes(BOOK, x, v, ahead)[..., 0]
    a, b, c = x[FACES, :, 0].transpose(1, 0, 2)
    around = np.cross(b - a, c - a)
    outwards = around @ v[0, :, 0]
    assert (force[outwards <= 1e-12] == 0).all()
    assert (np.einsum("fi,fi->f", force, around)[outwards > 1e-12] < 0).all()
    assert np.cross(force, around) == pytest.approx(0.0, abs=1e-12)  # along the normal
    # The whole side that leads is pushed back with mu v^2 times the sum of A n_y^2.
    lead = outwards > 1e-12
    normals = around[lead] / np.linalg.norm(around[lead], axis=1, keepdims=True)
    areas = 0.5 * np.linalg.norm(around[lead], axis=1)
    assert force[:, 1].sum() == pytest.approx(-np.sign(speed) * speed**2 * (areas @ normals[:, 1] ** 2))


def test_force_goes_with_area_viscosity_and_the_square_of_speed():
    x, v, ahead = disturbed(BodyModel(BOOK))
    force = pushes(BOOK, x, v, ahead)
    assert pushes(BOOK, x, 3.0 * v, ahead) == pytest.approx(9.0 * force, rel=1e-12)
    assert pushes(BOOK, 2.0 * x, v, ahead) == pytest.approx(4.0 * force, rel=1e-12)
    assert pushes(dataclasses.replace(BOOK, fluid_viscosity=2.5), x, v, ahead) == pytest.approx(2.5 * force, rel=1e-12)
    assert pushes(BOOK, x, v, ahead, fluid=0.5) == pytest.approx(0.5 * force, rel=1e-12)
    assert pushes(BOOK, x + 5.0, v, ahead) == pytest.approx(force, rel=1e-9, abs=1e-12)


@pytest.mark.parametrize("body", [BOOK, SLEEK], ids=["book", "sleek"])
def test_air_does_not_push(body):
    assert (pushes(body, *disturbed(BodyModel(body)), fluid=0.0) == 0).all()


@pytest.mark.parametrize("body", [BOOK, SLEEK], ids=["book", "sleek"])
def test_force_turns_with_the_fish(body):
    x, v, ahead = disturbed(BodyModel(body))
    turn = np.linalg.qr(np.random.default_rng(7).normal(size=(3, 3)))[0]
    turn *= np.linalg.det(turn)
    turned = [np.einsum("ij,njf->nif", turn, a) for a in (x, v)]
    force = pushes(body, x, v, ahead)
    assert pushes(body, *turned, turn @ ahead) == pytest.approx(np.einsum("ij,fjn->fin", turn, force), abs=1e-11)


def test_streamlining_takes_its_share_of_the_push_along_the_trunk_and_nothing_else():
    bluff = dataclasses.replace(SLEEK, streamlining=0.0)
    x, v, ahead = disturbed(BodyModel(SLEEK))
    book, sleek = pushes(bluff, x, v, ahead), pushes(SLEEK, x, v, ahead)
    along = np.einsum("fik,ik->fk", book, ahead)[:, None] * ahead
    tail = np.setdiff1d(np.arange(len(FACES)), TRUNK_FACES)
    assert sleek[TRUNK_FACES] == pytest.approx((book - 0.9 * along)[TRUNK_FACES], abs=1e-12)
    assert np.array_equal(sleek[tail], book[tail])


def test_only_the_sides_of_the_tail_are_no_trunk():
    tail = np.setdiff1d(np.arange(len(FACES)), TRUNK_FACES)
    tips, last = {UPPER_TIP_NODE, LOWER_TIP_NODE}, set(RING_NODES[-1].tolist())
    sides = [{int(last_node) for last_node in RING_NODES[-1][rows]} for rows in ([0, 3], [1, 2])]
    assert len(tail) == 4
    for face in FACES[tail].tolist():
        assert set(face) <= tips | last
        assert any(set(face) <= tips | side for side in sides)


def test_each_corner_takes_a_third():
    assert NODES_TO_FACES.shape == (42, 23)
    assert ((NODES_TO_FACES > 0).sum(axis=1) == 3).all()
    assert NODES_TO_FACES[NODES_TO_FACES > 0] == pytest.approx(1 / 3)
    assert all(set(np.flatnonzero(row)) == set(face) for row, face in zip(NODES_TO_FACES, FACES.tolist(), strict=True))
    x = np.random.default_rng(0).normal(size=(NODES, 3))
    first, second = (NODES_TO_EDGES @ x).reshape(2, 42, 3)
    assert first == pytest.approx(x[FACES[:, 1]] - x[FACES[:, 0]])
    assert second == pytest.approx(x[FACES[:, 2]] - x[FACES[:, 0]])


@pytest.mark.parametrize("axis", [X, Y, Z, -X, -Y, -Z])
@pytest.mark.parametrize("body", [BOOK, SLEEK], ids=["book", "sleek"])
def test_water_resists_motion_whichever_way(body, axis):
    x, v, ahead = moving(body, 0.4 * axis)
    assert pushes(body, x, v, ahead).sum(axis=0)[:, 0] @ axis < 0


def test_the_books_water_takes_work_from_every_triangle():
    x, v, ahead = disturbed(BodyModel(BOOK))
    power = np.einsum("fck,fck->fk", pushes(BOOK, x, v, ahead), np.tensordot(NODES_TO_FACES, v, axes=1))
    assert power.max() <= 0.0


@pytest.mark.parametrize("body", [BOOK, SLEEK], ids=["book", "sleek"])
def test_limits_leave_gentle_motion_alone_and_only_ever_weaken_a_force(body):
    # The limits are what keeps a step from overshooting: no triangle and no fish is pushed back beyond rest.
    x, v, ahead = disturbed(BodyModel(body))
    compliance = np.full((42, 1), 0.05)
    limits = Limits(compliance, tail=0.0, inertia=500.0)
    free, held = (pushes(body, x, 1e-3 * v, ahead, limits=held) for held in (None, limits))
    assert held == pytest.approx(free, rel=1e-12, abs=1e-18)
    free, held = (pushes(body, x, 1e3 * v, ahead, limits=held) for held in (None, limits))
    strength, left = np.linalg.norm(free, axis=1), np.linalg.norm(held, axis=1)
    assert (left <= strength * (1 + 1e-12)).all()
    assert left.sum() < 0.5 * strength.sum()
    alike = np.einsum("fck,fck->fk", free, held)
    assert alike == pytest.approx(strength * left, rel=1e-9)  # same direction
    # What is left stops a triangle at the most: |f| compliance is no more than its speed outwards.
    if body is BOOK:
        assert (
            left * compliance <= np.linalg.norm(np.tensordot(NODES_TO_FACES, 1e3 * v, axes=1), axis=1) * (1 + 1e-12)
        ).all()


# The reactive force of the tail


LIVELY = dataclasses.replace(BOOK, reaction=0.8, fluid_viscosity=3.0)
MASS = 0.8 * 3.0 * np.pi / 4.0 * (2.0 * LIVELY.tail_half_height * LIVELY.book_length) ** 2
"""Of the water about the tail, a length."""


def reaction(velocity, ahead=X, left=Y, body: Body = LIVELY, fluid: float = 1.0, limits=None) -> np.ndarray:
    """Force on a tail that moves with this velocity, (3,)."""
    flow = np.asarray(velocity, dtype=float)[:, None]
    return TailReaction(BodyModel(body, fluid), limits).evaluate(flow, ahead[:, None], left[:, None])[:, 0]


def test_a_tail_that_beats_is_pushed_ahead_by_half_the_momentum_that_it_gives_the_water():
    for aside in (0.3, -0.3):
        assert reaction((0.0, aside, 0.7)) == pytest.approx(0.5 * MASS * aside**2 * X)


def test_a_tail_that_leaves_a_wake_is_held_back_by_the_momentum_left_behind():
    ahead, aside = 0.5, 0.2
    assert reaction((ahead, aside, 0.0)) == pytest.approx(MASS * aside * (0.5 * aside * X - ahead * Y))
    assert reaction((-ahead, aside, 0.0)) == pytest.approx(0.5 * MASS * aside**2 * X)
    assert (reaction((ahead, 0.0, 0.0)) == 0).all()


def test_the_reactive_force_takes_the_energy_of_the_wake_and_never_feeds_the_fish():
    for velocity in np.random.default_rng(6).normal(size=(50, 3)):
        power = reaction(velocity) @ velocity
        assert power == pytest.approx(-0.5 * MASS * velocity[1] ** 2 * abs(velocity[0]))


@pytest.mark.film
def test_the_thrust_of_a_beating_plate_is_lighthills():
    """Lighthill 1960: a tail h = a cos(wt - kx) that travels at U has a mean thrust m/4 (a w)^2 (1 - (U k/w)^2)."""
    amplitude, pulse, wave, speed = 0.05, 1.3, 0.9, 0.8
    t = np.linspace(0.0, 2.0 * np.pi / pulse, 400, endpoint=False)
    slope, aside = -amplitude * wave * np.sin(pulse * t), -amplitude * pulse * np.sin(pulse * t)  # dh/dx, dh/dt
    thrust = []
    for lean, sideways in zip(-slope, aside, strict=True):  # x runs backwards there, and ahead here
        c, s = 1.0 / np.hypot(1.0, lean), lean / np.hypot(1.0, lean)
        thrust.append(reaction((speed, sideways, 0.0), np.array([c, s, 0.0]), np.array([-s, c, 0.0]))[0])
    wanted = 0.25 * MASS * (amplitude * pulse) ** 2 * (1.0 - (speed * wave / pulse) ** 2)
    assert np.mean(thrust) == pytest.approx(wanted, rel=0.01)  # small waves: the next order is (a k)^2


def test_there_is_no_reactive_force_in_air_nor_in_the_book():
    assert (reaction((0.5, 0.2, 0.1), fluid=0.0) == 0).all()
    assert (reaction((0.5, 0.2, 0.1), body=BOOK) == 0).all()


def test_the_reactive_force_is_limited_only_where_it_would_throw_the_tail_back():
    compliance = 0.5 / MASS
    limits = Limits(np.zeros((42, 1)), tail=compliance, inertia=MASS)
    gentle, wild = (0.5, 0.2, 0.0), (5.0, 20.0, 0.0)
    assert reaction(gentle, limits=limits) == pytest.approx(reaction(gentle))
    assert np.abs(reaction(wild, limits=limits)[1]) * compliance <= 20.0
    assert np.abs(reaction(wild)[1]) * compliance > 20.0


def test_the_tail_is_its_last_ring_and_tips():
    own = [*RING_NODES[-1], UPPER_TIP_NODE, LOWER_TIP_NODE]
    assert NODES_TO_TAIL[0, own] == pytest.approx(1.0 / 6.0)
    assert NODES_TO_TAIL.sum() == pytest.approx(1.0)
