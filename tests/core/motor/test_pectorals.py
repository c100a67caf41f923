"""The pectoral fins: their push, eq. 4.16 (Tu 1999, §4.6.2), and the motion they are seen to make (app. B)."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest

from artfish.core import Species
from artfish.core.body.anatomy import NODES
from artfish.core.body.dynamics import BodyModel
from artfish.core.motor.pectorals import FinMotion, PectoralForces
from artfish.core.motor.tuning import FIN_BRAKING_ANGLE, FIN_HIGHEST_ANGLE, FIN_LEVEL_ANGLE, FIN_LOWEST_ANGLE
from artfish.core.scene.physique import Body
from artfish.core.scene.species import Pectoral

X, Y, Z = np.eye(3)
BOOK = Species(body=Body(fluid_viscosity=2.0), pectoral=Pectoral(area=0.01))
"""The fins as in the book: on the flank, spread over three rings, without flapping."""
LEFT, RIGHT = (1, 4, 5, 8, 9, 12), (2, 3, 6, 7, 10, 11)
every_species = pytest.mark.parametrize("name", Species.names())


class Fins:
    """The fins of some fishes that are carried along x as a whole, one fish for each pair of angles."""

    def __init__(self, species: Species, gamma, velocity=X, *, fluid=1.0, row=0.0, water=(0.0, 0.0, 0.0), turn=None):
        self.gamma = np.atleast_2d(np.asarray(gamma, dtype=float))
        fishes = self.gamma.shape[1]
        self.model = BodyModel(species.body, fluid)
        self.turn = np.eye(3) if turn is None else turn
        self.x = np.einsum("ij,njf->nif", self.turn, self.model.resting(fishes))
        v = np.tile((self.turn @ velocity)[None, :, None], (NODES, 1, fishes))
        fins = PectoralForces(species, self.model, fishes)
        flow = v - (self.turn @ np.asarray(water))[:, None]
        ahead, up = (np.repeat((self.turn @ axis)[:, None], fishes, axis=1) for axis in (X, Z))
        fins.hold(np.broadcast_to(self.gamma, (2, fishes)), np.broadcast_to(np.asarray(row, float), (fishes, 2)).T)
        self.push = fins.push(np.matmul(fins.weights, flow.swapaxes(0, 1)), ahead, up)
        self.weights = fins.weights

    @property
    def force(self) -> np.ndarray:
        """Both fins together in the fish's own frame, (fish, 3)."""
        return (self.turn.T @ self.push.sum(axis=0)).T

    @property
    def torque(self) -> np.ndarray:
        """About the center of mass, (fish, 3): roll with the left side up, nose down, yaw to the left."""
        on_nodes = np.einsum("sn,scf->ncf", self.weights, self.push)
        arms = self.x - self.model.momentum(self.x) / self.model.mass
        return np.cross(arms, on_nodes, axis=1).sum(axis=0).T @ self.turn


def test_each_fin_pushes_as_equation_4_16():
    gamma = np.linspace(FIN_LOWEST_ANGLE, FIN_BRAKING_ANGLE, 13)
    speed, mu, area = 0.7, 2.0, 0.01 * 10.0**2
    push = Fins(BOOK, gamma, speed * X).push
    for side in range(2):
        for fish, angle in enumerate(gamma):
            normal = np.cos(angle) * X + np.sin(angle) * Z
            wanted = -mu * area * speed**2 * np.cos(angle) * normal
            assert push[side, :, fish] == pytest.approx(wanted, abs=1e-13)


def test_a_fin_with_its_leading_edge_up_lifts_and_one_with_it_down_dives():
    assert (Fins(BOOK, np.linspace(FIN_LEVEL_ANGLE, FIN_HIGHEST_ANGLE, 9)[1:]).force[:, 2] > 0).all()
    assert (Fins(BOOK, np.linspace(FIN_LOWEST_ANGLE, FIN_LEVEL_ANGLE, 9)[:-1]).force[:, 2] < 0).all()
    assert Fins(BOOK, [FIN_LEVEL_ANGLE]).force == pytest.approx(0.0, abs=1e-15)
    lift = Fins(BOOK, FIN_LEVEL_ANGLE + np.linspace(0.0, np.pi / 4, 9)).force[:, 2]
    dive = Fins(BOOK, FIN_LEVEL_ANGLE - np.linspace(0.0, np.pi / 4, 9)).force[:, 2]
    assert lift == pytest.approx(-dive, abs=1e-14)
    assert (np.diff(lift) > 0).all()


def test_broadside_fins_brake_hardest_and_only_brake():
    forces = Fins(BOOK, np.linspace(FIN_LOWEST_ANGLE, FIN_BRAKING_ANGLE, 40)).force
    assert forces[:, 0].argmin() == 39
    assert forces[-1, 1:] == pytest.approx(0.0, abs=1e-13)
    assert (forces[:, 0] < 1e-15).all()  # no fin ever pushes ahead a fish that swims ahead


@every_species
def test_unequal_fins_roll_and_yaw(name):
    species = Species.load(name)
    speed = species.body.book_length * species.time_scale
    left_up, right_up, level = Fins(
        species,
        [[FIN_HIGHEST_ANGLE, FIN_LEVEL_ANGLE, FIN_LEVEL_ANGLE], [FIN_LEVEL_ANGLE, FIN_HIGHEST_ANGLE, FIN_LEVEL_ANGLE]],
        2.0 * speed * X,
    ).torque
    assert left_up[0] > 0 > right_up[0]  # the left fin lifts the left side, and the fish rolls to the right
    assert left_up[2] > 0 > right_up[2]  # and it drags, so the fish turns towards it
    assert left_up * (1, -1, 1) == pytest.approx(-right_up, abs=1e-9 * np.abs(left_up).max())
    assert level[[0, 2]] == pytest.approx(0.0, abs=1e-9 * np.abs(left_up).max())


@every_species
def test_both_fins_alike_neither_roll_nor_yaw(name):
    torque = Fins(Species.load(name), np.linspace(FIN_LOWEST_ANGLE, FIN_BRAKING_ANGLE, 9), 3.0 * X).torque
    assert np.abs(torque[:, [0, 2]]).max() < 1e-12 * max(1.0, np.abs(torque).max())


@every_species
def test_air_does_not_push_fins(name):
    gamma = np.linspace(FIN_LOWEST_ANGLE, FIN_BRAKING_ANGLE, 9)
    assert (Fins(Species.load(name), gamma, 2.0 * X + Z, fluid=0.0, row=1.0).push == 0).all()


def test_push_grows_with_area_viscosity_and_the_square_of_speed():
    gamma = np.linspace(FIN_LOWEST_ANGLE, FIN_BRAKING_ANGLE, 9)
    once = Fins(BOOK, gamma).push
    assert Fins(BOOK, gamma, 3.0 * X).push == pytest.approx(9.0 * once)
    wide = dataclasses.replace(BOOK, pectoral=Pectoral(area=0.03))
    assert Fins(wide, gamma).push == pytest.approx(3.0 * once)
    assert Fins(BOOK, gamma, fluid=0.5).push == pytest.approx(0.5 * once)


def test_only_motion_through_the_water_counts():
    gamma = np.linspace(FIN_LOWEST_ANGLE, FIN_BRAKING_ANGLE, 9)
    still = Fins(BOOK, gamma, X)
    assert Fins(BOOK, gamma, 1.5 * X + 0.3 * Y, water=0.5 * X + 0.3 * Y).push == pytest.approx(still.push, abs=1e-13)
    assert Fins(BOOK, gamma, X, water=X).push == pytest.approx(0.0, abs=1e-15)


@every_species
def test_push_turns_with_the_fish(name):
    species, gamma = Species.load(name), np.linspace(FIN_LOWEST_ANGLE, FIN_BRAKING_ANGLE, 9)
    turn = np.linalg.qr(np.random.default_rng(5).normal(size=(3, 3)))[0]
    turn *= np.linalg.det(turn)
    straight, turned = (Fins(species, gamma, X + 0.2 * Z, row=0.3, turn=t) for t in (None, turn))
    scale = np.abs(straight.torque).max()
    assert turned.force == pytest.approx(straight.force, abs=1e-11 * scale)
    assert turned.torque == pytest.approx(straight.torque, abs=1e-11 * scale)


def test_fins_resist_heaving():
    assert Fins(BOOK, [FIN_LEVEL_ANGLE], Z).force[0, 2] < 0
    assert Fins(BOOK, [FIN_LEVEL_ANGLE], -Z).force[0, 2] > 0


def test_a_resting_fish_feels_its_fins_only_where_they_flap():
    gamma = np.linspace(FIN_LOWEST_ANGLE, FIN_HIGHEST_ANGLE, 9)
    assert (Fins(BOOK, gamma, 0.0 * X).push == 0).all()
    flapping = dataclasses.replace(BOOK, pectoral=Pectoral(area=0.01, flap=0.5))
    lift = Fins(flapping, gamma, 0.0 * X).force
    assert (lift[gamma > FIN_LEVEL_ANGLE + 1e-9, 2] > 0).all()
    assert (lift[gamma < FIN_LEVEL_ANGLE - 1e-9, 2] < 0).all()
    assert Fins(flapping, [FIN_LEVEL_ANGLE], 0.0 * X).force == pytest.approx(0.0, abs=1e-15)


@every_species
def test_rowing_fins_push_a_resting_fish_back(name):
    species = Species.load(name)
    speeds = np.linspace(0.0, species.body.book_length * species.time_scale, 5)
    pushes = np.array([Fins(species, [FIN_BRAKING_ANGLE], 0.0 * X, row=speed).force[0] for speed in speeds])
    assert pushes[0] == pytest.approx(0.0, abs=1e-15)
    assert (np.diff(pushes[:, 0]) < 0).all()
    # Straight back along its own axis, which the rise of the rings tilts by a few degrees.
    assert pushes[:, 1] == pytest.approx(0.0, abs=1e-12)
    assert (np.abs(pushes[1:, 2]) < 0.1 * -pushes[1:, 0]).all()


@every_species
def test_fins_that_row_against_each_other_turn_a_resting_fish(name):
    # The left fin rows back and the right one ahead: the nose goes left.
    assert Fins(Species.load(name), [FIN_BRAKING_ANGLE], 0.0 * X, row=(1.0, -1.0)).torque[0, 2] > 0


def test_the_book_spreads_a_push_equally_over_the_six_nodes_of_its_side():
    for side, nodes in enumerate((LEFT, RIGHT)):
        weights = Fins(BOOK, [FIN_LEVEL_ANGLE]).weights[side]
        assert weights[list(nodes)] == pytest.approx(1 / 6)
        assert np.flatnonzero(weights).tolist() == sorted(nodes)


@every_species
def test_a_push_is_handed_on_whole_and_acts_on_its_own_side(name):
    species = Species.load(name)
    fins = Fins(species, [FIN_LEVEL_ANGLE])
    assert fins.weights.sum(axis=1) == pytest.approx(1.0)
    left, right = (fins.weights @ fins.x[..., 0]) / species.body.book_length
    assert left[1] == pytest.approx(-right[1])
    assert left[[0, 2]] == pytest.approx(right[[0, 2]])
    # Out on the fin where the species says so, else on the flank.
    shares = np.array(species.pectoral.lever)
    flank = shares @ species.body.half_widths[:3] / shares.sum()
    assert left[1] == pytest.approx(max(species.pectoral.reach, flank))


class Watched:
    """The visible motion of the fins of one fish in two seconds."""

    def __init__(self, gamma=(FIN_LEVEL_ANGLE, FIN_LEVEL_ANGLE), speed=1.0, turn=0.0, back=False, oaring=1.0):
        motion = FinMotion(np.array([oaring]), np.zeros(1))
        angles = np.array(gamma)[:, None]
        seen = []
        for _ in range(480):
            motion.advance(1 / 240, angles, np.array([speed]), np.array([turn]), np.array([back]), np.zeros((2, 1)))
            seen.append(motion.fins(angles)[0])
        self.seen = np.array(seen)
        """(frames, 2, 3): gamma, flap and oar of the left and the right fin."""

    @property
    def reach(self) -> np.ndarray:
        return np.ptp(self.seen[240:, :, 1], axis=0)

    @property
    def strokes(self) -> np.ndarray:
        """Times that the flapping turns round in a second."""
        return (np.diff(np.sign(np.diff(self.seen[240:, :, 1], axis=0)), axis=0) != 0).sum(axis=0)

    @property
    def oared(self) -> np.ndarray:
        """Turns of the oaring in a second, backwards negative."""
        return (self.seen[-1, :, 2] - self.seen[239, :, 2]) / (2 * np.pi)


def test_fins_are_never_quite_still():
    assert (Watched(speed=0.0, oaring=0.0).reach > 0.05).all()
    assert (Watched(speed=0.0, oaring=0.0).strokes >= 1).all()


@pytest.mark.parametrize("sign", [1, -1])
def test_flapping_is_wider_and_faster_the_more_a_fin_lifts_or_dives(sign):
    calm, busy = (Watched((FIN_LEVEL_ANGLE + sign * angle,) * 2) for angle in (0.1, np.pi / 4))
    assert (busy.reach > 1.5 * calm.reach).all()
    assert (busy.strokes > calm.strokes).all()
    one_sided = Watched((FIN_LEVEL_ANGLE + sign * np.pi / 4, FIN_LEVEL_ANGLE))
    assert one_sided.reach[0] > 1.5 * one_sided.reach[1]


def test_oaring_is_faster_the_faster_a_fish_swims():
    turns = np.array([Watched(speed=speed).oared for speed in (0.0, 1.0, 2.0)])
    assert (np.diff(turns, axis=0) > 0).all()
    assert turns[:, 0] == pytest.approx(turns[:, 1])
    assert Watched(oaring=0.0).oared == pytest.approx(0.0)


def test_fins_oar_against_each_other_in_a_turn_and_backwards_in_a_retreat():
    left, right = Watched(turn=1.0).oared, Watched(turn=-1.0).oared
    assert left[0] < 0 < left[1]
    assert right == pytest.approx(left[::-1])
    assert (Watched(back=True).oared < 0).all()
    assert (Watched(back=True, speed=0.0, oaring=0.0).oared < 0).all()  # whoever retreats is seen to row


def test_fins_keep_the_angle_they_are_given_and_move_smoothly():
    watched = Watched((FIN_LEVEL_ANGLE + 0.3, FIN_LEVEL_ANGLE - 0.2), speed=3.0, turn=0.4)
    assert (watched.seen[..., 0] == (FIN_LEVEL_ANGLE + 0.3, FIN_LEVEL_ANGLE - 0.2)).all()
    # At no frame of 1/240 s more than an eighth of the way, and no kink.
    assert np.abs(np.diff(watched.seen[..., 1], axis=0)).max() < np.ptp(watched.seen[..., 1]) / 8
    assert np.abs(np.diff(watched.seen[..., 2], axis=0)).max() < np.pi / 8


def test_compiled_fins_move_by_the_same_bits(alike):
    def moved():
        dice, fishes = np.random.default_rng(2), 80
        fins, found = FinMotion(dice.uniform(size=fishes), dice.uniform(0.0, 6.0, fishes)), []
        for _ in range(5):
            gamma, strokes = dice.uniform(0.5, 3.5, (2, fishes)), dice.uniform(size=(2, fishes))
            speed, turn, back = (
                dice.uniform(0.0, 5.0, fishes),
                dice.uniform(-1.0, 1.0, fishes),
                dice.uniform(size=fishes) < 0.3,
            )
            fins.advance(1 / 24, gamma, speed, turn, back, strokes * dice.integers(0, 2, fishes))
            found += fins.state().values()
        return tuple(found)

    alike(moved, "fin_motion")
