"""The motor center: turns that go on until they are done, and fins that lead to the path of the command."""

from __future__ import annotations

import numpy as np
import pytest

from artfish.core import Commands, Species
from artfish.core.body.anatomy import frame_from
from artfish.core.motor.center import Drive, MotorCenter

every_species = pytest.mark.parametrize("name", Species.names())
KNOTS = np.radians([30.0, 45.0, 60.0, 90.0])


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
    drive = Pilots(3, "sardine").drive(swim=1.0, brake=[True, False, False], back=[0.0, 0.5, 0.0])
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
    pilots = Pilots(1, "sardine")
    for _ in range(100):
        climbing = pilots.drive(swim=0.5, climb=0.2)  # and its path stays level however long it is asked to climb
    assert (climbing.gamma > Pilots(1, "sardine").drive(swim=0.5, climb=0.2).gamma).all()
    assert pilots.drive(swim=0.5).gamma.min() > np.pi / 2 + 0.05
    assert pilots.drive(speed=0.0).gamma == pytest.approx(np.pi / 2)


def test_the_compiled_center_has_the_bits_of_the_other(alike):
    species, fishes = [Species.load(name) for name in Species.names()], 640

    def driven():
        dice = np.random.default_rng(4)
        center = MotorCenter(species, np.arange(fishes) % len(species), 0.8, dice.uniform(0.7, 1.4, fishes))
        length, found = dice.uniform(0.05, 3.0, fishes), []
        for frame in range(12):
            some = dice.uniform(size=(6, fishes)) < 0.7
            swim, back, burst = dice.uniform(-0.2, 1.2, (3, fishes)) * some[:3]
            turn, climb, cstart = dice.uniform(-3.0, 3.0, (3, fishes)) * some[3:]
            brake = dice.uniform(size=fishes) < 0.1
            commands = Commands(swim, turn, climb, brake, back * (dice.uniform(size=fishes) < 0.2), burst, cstart)
            frames = frame_from(*dice.normal(size=(2, fishes, 3)))
            velocity = dice.normal(size=(fishes, 3)) * length[:, None] * (frame % 3)
            drive = center.drive(commands, frames, velocity, length, 1 / 24)
            if not frame % 4:
                drive.slacken(np.arange(5))
            found.append(tuple(np.ascontiguousarray(array) for array in vars(drive).values()))
            parts = center, center.sprints, center.paddles
            found += [array for part in parts for array in part.state().values()]
        return tuple(found)

    alike(driven, "drive")
