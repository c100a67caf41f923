"""The motor center: turns that go on until they are done, and fins that lead to the path of the command."""

from __future__ import annotations

import numpy as np
import pytest

from artfish.core import Commands, Scene, Species, World
from artfish.core.body.anatomy import body_frame, frame_from
from artfish.core.motor.center import Drive, MotorCenter
from artfish.core.motor.tuning import BURSTING_ANGLE, STANDING_SPEED

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


AT, FPS = 4.0, 24


def turning(names: list[str], turn: float) -> np.ndarray:
    """Frames of fishes, (frames, fish, 3, 3), that turn to the left by so much at half speed, from then on."""
    fishes = [{"species": name, "at": [20, 20 + 10 * row, 50], "heading": [1, 0, 0]} for row, name in enumerate(names)]
    scene = {"tank": {"size": [100, 20 * len(names) + 20, 100]}, "fps": FPS, "fishes": fishes}

    def pilot(t: float, world: World) -> Commands:
        commands = Commands.still(len(names))
        commands.swim[:], commands.turn[:] = 0.5 * (t < AT + 2.0), turn * (AT <= t + 1e-9 < AT + 1.0 / FPS)
        return commands

    recording = World(Scene.from_dict(scene), pilot=pilot).simulate(round((AT + 4.0) * FPS))
    return body_frame(np.asarray(recording.nodes[round(AT * FPS) :], dtype=float))[1]


def azimuths(frames: np.ndarray) -> np.ndarray:
    return np.unwrap(np.arctan2(frames[:, :, 1, 0], frames[:, :, 0, 0]), axis=0)


SMALL = [name for name in Species.names() if name != "thesis" and Species.load(name).length < 0.3]


@pytest.mark.film
def test_small_fishes_turn_about_swiftly_lean_into_it_and_do_not_wag_their_heads_when_they_are_done():
    frames = turning(SMALL, np.pi)
    azimuth = azimuths(frames)
    azimuth -= azimuth[0]
    assert (azimuth[round(0.75 * FPS)] > np.pi / 2).all(), "a quarter in 0.7 s, and a frame to begin"
    assert (azimuth < np.pi + np.radians(12.0)).all()
    lean = np.degrees(np.arctan2(-frames[:, :, 2, 1], frames[:, :, 2, 2])).max(axis=0)  # the left side down
    assert ((lean > 5.0) & (lean < 20.0)).all()
    wags = np.abs(np.diff(azimuth[round(3.0 * FPS) :], n=2, axis=0)).mean(axis=0)  # of those that glide by then
    assert (np.degrees(wags) < 0.6).all()


def test_the_books_fish_leans_into_nothing():
    for name, leans in (("thesis", False), ("sardine", True)):
        pilots = Pilots(1, name)
        pilots.drive()
        gamma = pilots.drive(turn=1.0, speed=2.0).gamma
        assert (np.abs(np.sin(2.0 * gamma)).min() > 0.01) == leans  # tilted off edge on and off broadside
        assert leans or np.abs(np.sin(2.0 * gamma)).max() < 1e-12


def test_a_bent_body_turns_its_head_and_the_fish_takes_that_for_no_turn():
    pilots = Pilots(2)
    pilots.drive()
    pilots.drive(turn=[1.0, 0.0])
    for _ in range(6):
        drive = pilots.drive(azimuth=0.3)  # as far as the bend turned one head; the other drifts
    bent, drifts = pilots.center._left
    assert drive.bend[0, 0] > 0.9 and bent > 0.9 and drifts < -0.25


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


def test_who_brakes_rows_backwards_until_it_stands():
    row = Species.load("sardine").pectoral.row
    for speed, share in ((1.0, 1.0), (0.5 * STANDING_SPEED, 0.5), (0.0, 0.0), (-0.1, 0.0)):
        drive = Pilots(1, "sardine").drive(speed=speed, brake=[True])
        assert drive.row[:, 0] == pytest.approx(share * row)


def test_no_fish_bursts_that_has_to_turn_about_first():
    for left, bursts in ((0.4 * BURSTING_ANGLE, True), (1.2 * BURSTING_ANGLE, False)):
        pilots = Pilots(1, "sardine")
        pilots.drive(swim=0.5, turn=left)
        beats = pilots.drive(swim=0.5, turn=left, burst=1.0).frequency[0]
        assert (beats > 0.9 * pilots.species.rhythm.burst_beat) == bursts


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
        slowness, steadiness = dice.uniform(0.7, 1.4, fishes), np.minimum(dice.uniform(0.0, 2.0, fishes), 1.0)
        center = MotorCenter(species, np.arange(fishes) % len(species), 0.8, slowness, steadiness)
        length, found = dice.uniform(0.05, 3.0, fishes), []
        for frame in range(12):
            some = dice.uniform(size=(6, fishes)) < 0.7
            swim, back, burst = dice.uniform(-0.2, 1.2, (3, fishes)) * some[:3]
            turn, climb, cstart = dice.uniform(-3.0, 3.0, (3, fishes)) * some[3:]
            brake = dice.uniform(size=fishes) < 0.1
            keeps = dice.uniform(-0.2, 1.2, fishes) * (dice.uniform(size=fishes) < 0.4)
            backs = back * (dice.uniform(size=fishes) < 0.2)
            commands = Commands(swim, turn, climb, brake, backs, burst, cstart, keeps)
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


def test_fins_are_held_out_in_a_glide_and_give_way_to_the_water():
    swims, glides = Pilots(1, "sardine").drive(swim=0.5, speed=1.5), Pilots(1, "sardine").drive(speed=1.5)
    assert swims.gamma == pytest.approx(np.pi / 2)
    assert glides.gamma == pytest.approx(np.pi)
    spread = Species.load("sardine").pectoral.spread
    assert 1.5 + glides.row == pytest.approx(spread * 1.5)
    assert Pilots(1, "thesis").drive(speed=1.5).gamma == pytest.approx(np.pi / 2)


def test_a_burst_is_wider_than_a_beat_at_full_speed_and_coming_to_speed_is_not():
    width = Species.load("reef_shark").rhythm.burst_width
    assert width > 1.0
    assert Pilots(1, "reef_shark").drive(swim=1.0, burst=1.0).amplitude == pytest.approx(width)
    assert Pilots(1, "reef_shark").drive(swim=1.0, speed=0.0).amplitude == pytest.approx(1.0)


@pytest.mark.parametrize(("burst", "bends"), [(0.0, True), (1.0, False)])
def test_it_bends_against_a_sway_only_where_frames_show_it(burst, bends):
    center = Pilots(1, "sardine")
    center.drive(swim=1.0)
    center.drive(swim=1.0, burst=burst)
    motor = center.center
    motor._sway[:] = 0.5
    beats, width = motor._beating[:, 0]
    phase = motor._phase[0] + 2.0 * np.pi * beats / 24
    sways = 0.5 * width * (np.sin(phase) + np.cos(phase))  # the head is where the fish, who knows its beat, foresees it
    bend = center.drive(azimuth=sways, swim=1.0, burst=burst).bend
    assert (np.abs(bend).max() > 0.01) == bends


def test_fins_tilt_less_the_faster_it_is():
    slow, fast = (Pilots(1, "sardine").drive(swim=1.0, speed=speed, climb=0.1) for speed in (2.0, 8.0))
    assert np.abs(fast.gamma - np.pi / 2).max() < 0.3 * np.abs(slow.gamma - np.pi / 2).max()


def test_without_steadiness_a_fish_beats_and_corrects_nothing():
    steady, loose = Pilots(1, "reef_shark"), Pilots(1, "reef_shark")
    loose.center = MotorCenter([loose.species], np.zeros(1, dtype=int), steadiness=0.0)
    for turn in (0.0, 0.5, 0.5):
        corrected, plain = (one.drive(swim=1.0, turn=turn, climb=0.3, speed=0.2) for one in (steady, loose))
    assert np.abs(corrected.bend).min() > 0.1 and corrected.gamma.min() > np.pi / 2
    assert not plain.bend.any() and np.all(plain.gamma == np.pi / 2)
    assert corrected.frequency > plain.frequency == loose.species.rhythm.tail_beat  # and gives no kick to come to speed
