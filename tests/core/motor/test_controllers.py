"""Motor controllers, steering map and muscles (Tu 1999, §4.6): what a command becomes before the body answers."""

from __future__ import annotations

import numpy as np
import pytest

from artfish.core import Commands, Species
from artfish.core.body.anatomy import BOOK_RATE, BOOK_STEP, LEFT_MUSCLES, MUSCLES
from artfish.core.body.dynamics import BodyModel
from artfish.core.motor import controllers
from artfish.core.motor.center import Drive, MotorCenter
from artfish.core.motor.muscles import Muscles

every_species = pytest.mark.parametrize("name", Species.names())
KNOTS = np.radians([30.0, 45.0, 60.0, 90.0])


def steering(name: str, fishes: int) -> dict[str, np.ndarray]:
    """The steering map of a species, once for each fish."""
    own = Species.load(name).steering
    return {key: np.tile(getattr(own, key), (fishes, 1)) for key in ("front", "middle", "rate")}


def swim(name: str, speed: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    own, ones = Species.load(name).rhythm, np.ones(len(speed))
    return controllers.swim(speed, own.tail_beat * ones, own.slow_beat * ones, own.slow_amplitude * ones)


# Steering map


@every_species
def test_steering_map_gives_its_four_sets_at_their_angles(name):
    sets = steering(name, 4)
    contraction, rate = controllers.left_turn(KNOTS, sets)
    assert contraction[0] == pytest.approx(sets["front"][0])
    assert contraction[1] == pytest.approx(sets["middle"][0])
    assert rate == pytest.approx(sets["rate"][0])


@every_species
def test_steering_map_goes_straight_from_set_to_set(name):
    sets = steering(name, 3)
    before, after = (controllers.left_turn(knots, sets) for knots in (KNOTS[:-1], KNOTS[1:]))
    for share in (0.25, 0.5, 0.9):
        between = controllers.left_turn((1 - share) * KNOTS[:-1] + share * KNOTS[1:], sets)
        for value, low, high in zip(between, before, after, strict=True):
            assert value == pytest.approx((1 - share) * low + share * high)


@every_species
def test_a_small_turn_bends_little_and_none_not_at_all(name):
    sets = steering(name, 3)
    contraction, rate = controllers.left_turn(np.array([0.0, KNOTS[0] / 2, KNOTS[0]]), sets)
    assert (contraction[:, 0] == 0).all()
    assert contraction[:, 1] == pytest.approx(0.5 * contraction[:, 2])
    assert (rate > 0).all()  # whatever bend is left must go away


@every_species
def test_a_larger_turn_bends_no_less_and_a_right_angle_is_the_most(name):
    angles = np.radians(np.arange(0.0, 181.0, 3.0))
    contraction, rate = controllers.left_turn(angles, steering(name, len(angles)))
    assert (np.diff(contraction, axis=1) >= -1e-15).all()
    assert (np.diff(rate) >= -1e-15).all()
    assert ((contraction >= 0) & (contraction <= 1)).all()
    beyond = angles >= KNOTS[-1]
    assert np.ptp(contraction[:, beyond], axis=1) == pytest.approx(0.0)  # chained: the last set, for longer


def test_a_right_turn_mirrors_a_left_one():
    angles = np.radians(np.linspace(0.0, 180.0, 19))
    left, left_rate = controllers.left_turn(angles, steering("thesis", 19))
    right, right_rate = controllers.right_turn(angles, steering("thesis", 19))
    assert np.array_equal(right, -left)
    assert np.array_equal(right_rate, left_rate)


def test_each_fish_steers_by_its_own_map():
    maps = {key: np.array([[1.0, 1.0, 1.0, 1.0], [0.1, 0.2, 0.3, 0.4]]) for key in ("front", "middle", "rate")}
    contraction, _ = controllers.left_turn(np.full(2, KNOTS[2]), maps)
    assert contraction[0] == pytest.approx([1.0, 0.3])


# Swimming and gliding


@every_species
def test_full_speed_is_the_species_own_beat_and_less_is_slower_and_smaller(name):
    speeds = np.linspace(0.0, 1.0, 21)
    frequency, amplitude = swim(name, speeds)
    assert frequency[-1] == pytest.approx(Species.load(name).rhythm.tail_beat)
    assert amplitude[-1] == pytest.approx(1.0)
    assert (np.diff(frequency) >= 0).all()
    assert (np.diff(amplitude) >= 0).all()
    assert (np.diff(frequency * amplitude) > 0).all()  # the book: speed goes with both
    assert amplitude[0] == 0.0


def test_a_glide_asks_nothing_of_the_muscles():
    assert controllers.glide(3).tolist() == [0.0, 0.0, 0.0]
    assert swim("thesis", controllers.glide(3))[1].tolist() == [0.0, 0.0, 0.0]


# Fins


def test_ascent_and_descent_take_the_books_angles():
    angles = np.linspace(0.0, np.pi / 2, 7)
    assert controllers.ascend(angles)[[0, -1]] == pytest.approx([np.pi / 2, 3 * np.pi / 4])
    assert controllers.descend(angles)[[0, -1]] == pytest.approx([np.pi / 2, np.pi / 4])
    assert (np.diff(controllers.ascend(angles)) > 0).all()
    assert (np.diff(controllers.descend(angles)) < 0).all()
    steep = np.array([-3.0, 5.0])
    assert controllers.ascend(steep) == pytest.approx([np.pi / 2, 3 * np.pi / 4])
    assert controllers.descend(steep) == pytest.approx([np.pi / 2, np.pi / 4])


def test_balance_parts_the_fins_around_where_they_were_and_keeps_them_in_range():
    gamma = np.array([1.4, 1.57, 1.7])
    assert (controllers.balance(np.zeros(3), gamma) == gamma).all()
    left, right = controllers.balance(np.full(3, 0.3), gamma)
    assert (left < gamma).all() and (right > gamma).all()  # the raised left side is to sink
    assert left + right == pytest.approx(2 * gamma)
    assert np.array_equal(controllers.balance(np.full(3, -0.3), gamma), [right, left])
    far = controllers.balance(np.linspace(-9.0, 9.0, 50), np.full(50, np.pi / 2))
    assert far.min() == pytest.approx(np.pi / 4)
    assert far.max() == pytest.approx(3 * np.pi / 4)


def test_brake_and_retreat_set_the_fins_broadside():
    assert (controllers.brake(3) == np.pi).all()
    gamma, row = controllers.backward(np.array([0.0, 0.5, 1.0]), np.full(3, 0.8))
    assert gamma.shape == (2, 3)
    assert (gamma == np.pi).all()
    assert row == pytest.approx([0.0, 0.4, 0.8])


# Muscles

DT = BOOK_STEP


class Pulling:
    """Rest lengths of a fish's muscles over time, (steps, 12), relative to their natural lengths."""

    def __init__(self, name: str, steps: int, **drive):
        model = BodyModel(Species.load(name).body)
        self.muscles = Muscles(Species.load(name), model, 1, DT)
        self.natural = model.natural[MUSCLES]
        self.relative = np.empty((0, 12))
        self.go_on(steps, **drive)

    def go_on(self, steps: int, frequency=0.0, amplitude=0.0, bend=(0.0, 0.0), rate=0.0) -> None:
        told = np.array([[frequency], [rate]]), np.array([amplitude, *bend])[:, None]
        lengths = [self.muscles.advance(*told)[0, :, 0] for _ in range(steps)]
        self.relative = np.concatenate([self.relative, np.array(lengths) / self.natural])

    @property
    def sides(self) -> np.ndarray:
        """Contraction of left minus right in each of the three segments, (steps, 3)."""
        contraction = (1.0 - self.relative).reshape(-1, 3, 4)
        return np.where(LEFT_MUSCLES.reshape(3, 4), contraction, -contraction).sum(axis=2) / 2.0


BEAT = 800  # steps
SWIMMING = {"frequency": 1.0 / (BEAT * DT), "amplitude": 1.0}


def wave(side: np.ndarray) -> complex:
    """Amplitude and phase of a motion over one whole beat at its own frequency."""
    return 2.0 * np.mean(side * np.exp(-2j * np.pi * np.arange(BEAT) / BEAT))


@every_species
def test_the_back_segment_beats_behind_the_front_one_and_the_turning_segment_is_still(name):
    sides = Pulling(name, 2 * BEAT, **SWIMMING).sides[BEAT:]
    assert sides[:, 0] == pytest.approx(0.0, abs=1e-12)
    front, back = wave(sides[:, 1]), wave(sides[:, 2])
    rhythm = Species.load(name).rhythm
    # The beat is still swelling a little at its first maximum: a part in a hundred.
    assert np.angle(front / back) % (2 * np.pi) == pytest.approx(rhythm.lag, abs=0.02)
    assert abs(front) == pytest.approx(rhythm.contraction * rhythm.anterior, rel=0.02)
    assert abs(back) == pytest.approx(rhythm.contraction * rhythm.posterior, rel=0.02)


@every_species
def test_the_two_sides_beat_exactly_out_of_phase(name):
    relative = Pulling(name, 2 * BEAT, **SWIMMING).relative[BEAT:].reshape(BEAT, 3, 4)
    left, right = relative[..., LEFT_MUSCLES[:4]].mean(axis=2), relative[..., ~LEFT_MUSCLES[:4]].mean(axis=2)
    assert np.roll(left, BEAT // 2, axis=0) == pytest.approx(right, abs=1e-9)
    assert np.ptp(relative[..., LEFT_MUSCLES[:4]], axis=2).max() < 1e-12  # two muscles of a side are alike


@every_species
def test_many_steps_at_once_are_as_many_one_by_one(name):
    told = {**SWIMMING, "bend": (0.8, -0.4), "rate": 0.05}
    single = Pulling(name, 300, **told)
    at_once = Muscles(Species.load(name), BodyModel(Species.load(name).body), 1, DT)
    arguments = np.array([[told["frequency"]], [told["rate"]]]), np.array([1.0, *told["bend"]])[:, None]
    lengths = np.concatenate([at_once.advance(*arguments, steps=steps)[..., 0] for steps in (1, 99, 200)])
    assert lengths / single.natural == pytest.approx(single.relative, abs=1e-12)


@every_species
def test_muscles_only_ever_shorten_and_no_farther_than_they_can(name):
    species = Species.load(name)
    busy = Pulling(name, 2 * BEAT, **SWIMMING)
    busy.go_on(BEAT, **SWIMMING, bend=(1.0, 1.0), rate=0.1)
    assert busy.relative.max() <= 1.0 + 1e-12
    most = max(species.rhythm.contraction, species.steering.contraction)
    assert busy.relative.min() >= 1.0 - most - 1e-12


@every_species
def test_no_rest_length_changes_faster_than_the_books_limit(name):
    busy = Pulling(name, 200, frequency=0.5, amplitude=1.0, bend=(1.0, 1.0), rate=50.0)
    busy.go_on(200, frequency=0.5, amplitude=1.0, bend=(-1.0, -1.0), rate=50.0)
    lengths = busy.relative * busy.natural
    fastest = np.abs(np.diff(lengths, axis=0)).max()
    assert fastest <= BOOK_RATE + 1e-12  # s_max in one step of 0.055
    assert fastest > 0.25 * BOOK_RATE  # and this comes near it, as near as the swiftest bend lets it


def test_a_bend_shortens_its_own_side_at_its_rate():
    species = Species.load("thesis")
    rate = 0.1
    bending = Pulling("thesis", round(5 / rate / DT), bend=(1.0, 0.5), rate=rate)
    sides = bending.sides
    assert sides[-1, :2] == pytest.approx(species.steering.contraction * np.array([1.0, 0.5]))
    assert (bending.relative[:, ~LEFT_MUSCLES] == 1.0).all()
    done = (sides[:, 0] >= sides[-1, 0] * (1 - 1e-9)).argmax() * DT
    assert done == pytest.approx(1.0 / rate, abs=2 * DT)
    assert np.abs(np.diff(sides[:, 0])).max() == pytest.approx(species.steering.contraction * rate * DT, rel=1e-6)


def test_a_bend_to_the_right_mirrors_one_to_the_left():
    left, right = (Pulling("thesis", 300, **SWIMMING, bend=(sign, 0.6 * sign), rate=0.1) for sign in (1.0, -1.0))
    assert left.sides[:, 0] == pytest.approx(-right.sides[:, 0], abs=1e-12)


@every_species
def test_after_a_glide_all_muscles_have_their_natural_lengths(name):
    pulling = Pulling(name, BEAT, **SWIMMING, bend=(1.0, 1.0), rate=0.5)
    assert pulling.relative[-1].min() < 0.99
    pulling.go_on(2 * BEAT, frequency=SWIMMING["frequency"], rate=0.5)
    assert pulling.relative[-1] == pytest.approx(1.0, abs=1e-12)
    # The body straightens without a jolt: never faster than it was bent and beaten.
    speeds = np.abs(np.diff(pulling.relative, axis=0)).max(axis=1)
    assert speeds[BEAT:].max() <= 1.05 * speeds[:BEAT].max()


# The center


class Pilots:
    """A motor center whose fishes lie level and straight, in still water, unless told otherwise."""

    def __init__(self, fishes: int, name: str = "clownfish"):
        self.species = Species.load(name)
        self.center = MotorCenter([self.species], np.zeros(fishes, dtype=int))
        self.fishes = fishes

    def drive(self, azimuth: float = 0.0, speed: float = 1.0, **commands) -> Drive:
        told = Commands.still(self.fishes)
        for name, value in commands.items():
            getattr(told, name)[:] = value
        c, s = np.cos(azimuth), np.sin(azimuth)
        frames = np.tile(np.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]]), (self.fishes, 1, 1))
        velocity = speed * self.species.length * frames[:, :, 0]
        return self.center.drive(told, frames, velocity, np.full(self.fishes, self.species.length), 1 / 24)


def test_a_turn_bends_the_body_to_its_side_and_goes_on_until_it_is_done():
    pilots = Pilots(3)
    pilots.drive()
    pilots.drive(turn=[1.0, -1.0, 0.0])
    for _ in range(5):
        drive = pilots.drive()  # zeros let it finish
    assert (drive.bend[:, 0] > 0).all()
    assert drive.bend[:, 1] == pytest.approx(-drive.bend[:, 0])
    assert (drive.bend[:, 2] == 0).all()
    for _ in range(200):
        drive = pilots.drive(azimuth=1.0)  # they have all turned left by a radian
    assert np.abs(drive.bend[:, 0]).max() < 0.05
    assert (drive.bend[:, 1] < -0.5).all()


def test_only_a_change_to_a_value_begins_a_turn():
    once, held = Pilots(1), Pilots(1)
    for pilots in (once, held):
        pilots.drive()
        pilots.drive(turn=0.7)
    for _ in range(30):
        once.drive()
        held.drive(turn=0.7)
    assert held.center.course == pytest.approx(once.center.course)
    for _ in range(100):
        held.drive(azimuth=0.7)
    held.drive(azimuth=0.7, turn=0.7)
    assert held.center.course == pytest.approx(once.center.course + 0.7)


def test_a_half_turn_goes_the_way_it_was_asked_for():
    pilots = Pilots(2)
    pilots.drive(azimuth=3.0)
    drive = pilots.drive(azimuth=3.0, turn=[np.radians(175.0), -np.radians(175.0)])
    assert drive.bend[0, 0] > 0 > drive.bend[0, 1]


def test_who_brakes_or_retreats_does_not_beat():
    drive = Pilots(3).drive(swim=1.0, brake=[True, False, False], back=[0.0, 0.5, 0.0])
    assert drive.amplitude[:2].tolist() == [0.0, 0.0]
    assert drive.amplitude[2] == pytest.approx(1.0)
    assert drive.gamma[:, :2] == pytest.approx(np.pi)
    assert (drive.row[:, 1] > 0).all()
    assert drive.row[:, 0] == pytest.approx(0.0)


def test_fins_lift_in_a_climb_and_stay_in_the_books_range():
    drive = Pilots(3).drive(swim=0.5, climb=[0.5, 0.0, -0.5])
    assert (drive.gamma[:, 0] > np.pi / 2).all()
    assert drive.gamma[:, 1] == pytest.approx(np.pi / 2)
    assert (drive.gamma[:, 2] < np.pi / 2).all()
    assert ((drive.gamma >= np.pi / 4) & (drive.gamma <= np.pi)).all()


@pytest.mark.parametrize("brakes", [False, True])
@pytest.mark.parametrize("speed", [-1.5, -0.7, -0.2, 0.0, 0.5, 1.5])
def test_fins_lift_who_is_to_climb_whichever_way_it_is_carried(brakes, speed):
    """Lift is -(w|w| + flap²) cos gamma sin gamma of eq. 4.16 and `flap`; pushed backwards, a fish tipped over."""
    pilots = Pilots(2)
    drive = pilots.drive(speed=speed, climb=[0.3, -0.3], brake=brakes)
    flow = speed + drive.row
    lift = -(flow * np.abs(flow) + pilots.species.pectoral.flap**2) * np.cos(drive.gamma) * np.sin(drive.gamma)
    assert (lift[:, 0] > 0).all() and (lift[:, 1] < 0).all()


def test_commands_beyond_their_range_count_as_its_end():
    wild, most = Pilots(1), Pilots(1)
    for a, b in ((wild.drive(swim=7.0), most.drive(swim=1.0)), (wild.drive(back=3.0), most.drive(back=1.0))):
        assert (a.frequency, a.amplitude) == (b.frequency, b.amplitude)
        assert np.array_equal(a.row, b.row)


def test_what_trimmed_a_path_does_not_tilt_a_fish_at_rest():
    pilots = Pilots(1)
    for _ in range(100):
        climbing = pilots.drive(swim=0.5, climb=0.2)  # and its path stays level however long it is asked to climb
    assert (climbing.gamma > Pilots(1).drive(swim=0.5, climb=0.2).gamma).all()
    assert pilots.drive(swim=0.5).gamma.min() > np.pi / 2 + 0.05
    assert pilots.drive(speed=0.0).gamma == pytest.approx(np.pi / 2)
