"""Every shipped species swims, turns, brakes, climbs and rights itself, measured from recordings.

The bars are those of real fish (Triantafyllou 1993, Bainbridge 1958, Videler and Wardle 1991, Videler and Hess 1984).
One tank a species holds all the fishes that a test looks at, each with a command of its own; they do not mind each
other. Those that swim begin at about their cruise, whatever they are told, since from rest they take ten or fifteen
beats. Motion that merely looks plausible stands at the end, apart.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import pytest

from artfish.core import Commands, Species, World
from artfish.core.body.anatomy import body_frame
from artfish.core.body.gait import Gait, measure
from artfish.studies.life import bodies
from artfish.studies.life.staging import wave_lengths
from artfish.studies.swimming import (
    SHIPPED,
    UPRIGHT,
    apart_at_a_tenth,
    begin,
    hurry_in_thick_water,
    middles,
    off_the_reference,
    on_its_side,
    swept_away,
    tank,
    turned_over,
)

FEW = ("sardine", "butterflyfish", "reef_shark")
"""A slender, a tall and a large one, which every test run looks at."""
pytestmark = pytest.mark.film
SPECIES = [pytest.param(name, marks=[] if name in FEW else pytest.mark.large) for name in SHIPPED]
shipped = pytest.mark.parametrize("name", SPECIES)
FPS = 24
CRUISE = {"reef": (0.8, 3.0), "large": (0.3, 1.5)}  # lengths a second at half speed

SPEEDS = tuple(k / 10 for k in range(1, 11))
TURNS = (30, 45, 60, 90, 120, 180)
CLIMBS = (-45, -30, -15, 15, 30, 45)
TURN, STOP, END = 15, 40, 60  # tail beats at full speed from the beginning

FULL = 0.6  # lengths in a beat, about what they do at full speed


@dataclass(frozen=True)
class Part:
    """Commands of one fish."""

    swim: float = 0.5
    start: float = 0.4  # lengths that it begins with in the time of a beat at full speed
    turn: float = 0.0  # degrees, begun at TURN
    climb: float = 0.0  # degrees
    rolled: float = 0.0  # degrees at the beginning
    stop: str = ""  # "brake" or "glide" from STOP on
    back: float = 0.0


PARTS = (
    *(Part(swim=speed) for speed in SPEEDS),
    *(Part(turn=sign * angle) for angle in TURNS for sign in (1, -1)),
    *(Part(swim=speed, climb=angle) for speed in (0.5, 1.0) for angle in CLIMBS),
    *(Part(swim=speed, start=0.8 * speed, rolled=angle) for speed in (0.0, 0.5, 1.0) for angle in (60, -60)),
    *(Part(swim=1.0, start=FULL, stop=stop) for stop in ("brake", "glide")),
    *(Part(swim=0.0, start=0.0, back=speed) for speed in (0.5, 1.0)),
    Part(swim=1.0, start=0.0),
)


class School:
    """A recording of fishes of one species that all play their part."""

    def __init__(self, name: str):
        self.species = Species.load(name)
        self.beat = 1.0 / self.species.rhythm.tail_beat
        column = {key: np.array([getattr(part, key) for part in PARTS]) for key in Part.__dataclass_fields__}
        turns, climbs, rolls = (np.radians(column[key]) for key in ("turn", "climb", "rolled"))

        def pilot(t: float, world: World) -> Commands:
            commands = Commands.still(len(PARTS))
            stopped = (column["stop"] != "") & (t >= STOP * self.beat)
            commands.swim[:] = np.where(stopped, 0.0, column["swim"])
            commands.brake[:] = stopped & (column["stop"] == "brake")
            commands.back[:], commands.climb[:] = column["back"], climbs
            commands.turn[:] = turns * (TURN * self.beat <= t < TURN * self.beat + 1.01 / FPS)
            return commands

        world = tank(name, len(PARTS), pilot)
        c, s, zero, one = np.cos(rolls), np.sin(rolls), np.zeros(len(PARTS)), np.ones(len(PARTS))
        lying = np.array([[one, zero, zero], [zero, c, -s], [zero, s, c]]).transpose(2, 0, 1)
        begin(world, lying, column["start"])
        self.recording = world.simulate(self.frame(END))
        self.middle = middles(self.recording)
        self.frames = body_frame(self.recording.nodes.astype(float))[1]

    def frame(self, beats: float) -> int:
        return round(beats * self.beat * FPS)

    @staticmethod
    def row(**wanted) -> int:
        """The first fish whose part is this and nothing besides, however it starts if that is not said."""
        return next(row for row, part in enumerate(PARTS) if part == Part(**{"start": part.start} | wanted))

    @cached_property
    def gait(self) -> Gait:
        """Of the ten speeds, over the last 15 beats at full speed; the slowest then beats six times."""
        nodes = self.recording.nodes[-self.frame(15) :, : len(SPEEDS)]
        return measure(nodes, FPS, self.recording.body_length[: len(SPEEDS)])

    @cached_property
    def tilt(self) -> np.ndarray:
        """Angle between up and the vertical, (frames, fish)."""
        return np.arccos(np.clip(self.frames[..., 2, 2], -1.0, 1.0))

    def heading(self, row: int, beats: float) -> float:
        """Azimuth in degrees around a moment, not wrapped, averaged over two beats of a fish at half speed."""
        azimuth = np.unwrap(np.arctan2(self.frames[:, row, 1, 0], self.frames[:, row, 0, 0]))
        # The tail of who rows with its fins has no beat to average over.
        half = self.beat if self.species.pectoral.stroke > 0 else 1.0 / self.gait.frequency[4]
        before, after = (round(beats * self.beat * FPS + side * half * FPS) for side in (-1, 1))
        return float(np.degrees(azimuth[before:after].mean()))

    def speed(self, row: int) -> np.ndarray:
        """Lengths a second, (frames - 1,)."""
        return np.linalg.norm(np.diff(self.middle[:, row], axis=0), axis=1) * FPS


@pytest.fixture(scope="module", params=SPECIES)
def school(request) -> School:
    return School(request.param)


# Gait


@pytest.mark.sampled
@pytest.mark.parametrize("speed", [0.5, 1.0], ids=["cruise", "full"])
def test_tail_beats_as_that_of_a_fish(school, speed):
    gait, row = school.gait, SPEEDS.index(speed)
    if school.species.pectoral.stroke > 0:  # its fins row, and its tail trails (Korsmeyer et al. 2002)
        assert gait.amplitude[row] < 0.05
    else:
        assert 0.2 <= gait.strouhal[row] <= 0.4
        assert 0.1 <= gait.amplitude[row] <= 0.3
    assert gait.nose[row] < 0.1
    assert gait.straightness[row] >= 0.97
    assert gait.forward[row] > 0.99


def test_a_beat_at_full_speed_carries_it_half_a_length(school):
    assert school.species.pectoral.stroke > 0 or school.gait.stride[-1] >= 0.5


def test_a_wave_of_about_its_length_runs_down_its_body(school):
    if school.species.pectoral.stroke > 0:  # whose tail only trails
        return
    nodes = school.recording.nodes[-school.frame(15) :, len(SPEEDS) - 1 : len(SPEEDS)].astype(float)
    length = school.recording.body_length[:1]
    stations = bodies.stations_of(nodes, length)
    found = bodies.wave(bodies.sideways(nodes) / length[:, None], stations, FPS)
    shortest, longest = wave_lengths(school.species.name)
    assert shortest <= found.length[0] <= longest
    rise = bodies.rises(found.amplitude, stations)
    assert rise.min() > 0.0 and rise.max() < 2.5


def test_it_swims_the_faster_the_more_it_is_told_to(school):
    assert (np.diff(school.gait.speed) > 0).all()
    assert school.gait.speed[0] > 0


def test_it_cruises_at_the_speed_of_its_kind(school):
    slowest, fastest = CRUISE[school.species.kind]
    assert slowest <= school.gait.speed[4] <= fastest


def test_it_stays_upright_and_on_its_course(school):
    swimming = [row for row, part in enumerate(PARTS) if not part.climb and not part.rolled]
    assert school.tilt[:, swimming].max() < UPRIGHT
    straight = slice(0, len(SPEEDS))
    travelled = school.middle[-1, straight] - school.middle[0, straight]
    assert (np.abs(travelled[:, 1:]) < 0.05 * travelled[:, :1]).all()


# Manoeuvres


@pytest.mark.parametrize("angle", TURNS)
def test_a_turn_ends_at_the_angle_asked_left_as_right(school, angle):
    turned = []
    for sign in (1, -1):
        row = school.row(turn=sign * angle)
        turned.append(sign * (school.heading(row, END - 5) - school.heading(row, TURN - 3)))
    assert turned == pytest.approx([angle, angle], rel=0.15)
    assert abs(turned[0] - turned[1]) <= 0.05 * angle


BEGUN, ENDED = 12, 10  # seconds from rest to the turn, and from there until it has to be done


@shipped
def test_a_turn_ends_as_well_however_fast_it_swims(name):
    """Gliding too: a fish told to glide swims at half speed until it turns."""
    speeds = (0.0, 0.1, 0.3, 1.0)
    swim, angle, side = (x.ravel() for x in np.meshgrid(speeds, TURNS[::2], (1, -1), indexing="ij"))

    def pilot(t: float, world: World) -> Commands:
        commands = Commands.still(len(swim))
        commands.swim[:] = np.where((swim == 0) & (t < BEGUN), 0.5, swim)
        commands.turn[:] = np.radians(side * angle) * (BEGUN <= t < BEGUN + 1.01 / FPS)
        return commands

    rhythm = Species.load(name).rhythm
    beat = 1.0 / rhythm.tail_beat / (rhythm.slow_beat + (1.0 - rhythm.slow_beat) * swim)
    recording = tank(name, len(swim), pilot).simulate(round((BEGUN + ENDED + beat.max()) * FPS) + 1)
    frames = body_frame(recording.nodes.astype(float))[1]
    azimuth = np.degrees(np.unwrap(np.arctan2(frames[..., 1, 0], frames[..., 0, 0]), axis=0))
    apart = np.arange(len(azimuth))[:, None] / FPS

    def heading(when: np.ndarray) -> np.ndarray:
        # The mean of two beats that fades at its ends, for a beat is no whole number of frames.
        weight = 1.0 + np.cos(np.pi * np.clip((apart - when) / beat, -1.0, 1.0))
        return (weight * azimuth).sum(axis=0) / weight.sum(axis=0)

    turned = side * (heading(np.full_like(beat, BEGUN + ENDED)) - heading(BEGUN - beat)) / angle
    assert turned == pytest.approx(1.0, abs=0.15)
    left, right = turned.reshape(-1, 2).T
    assert left == pytest.approx(right, abs=0.05)


def test_it_brakes_within_two_lengths_and_glides_twice_as_far(school):
    ways = {}
    for stop in ("brake", "glide"):
        row = school.row(swim=1.0, stop=stop)
        begin = school.frame(STOP)
        speed = school.speed(row)
        full = speed[begin - FPS : begin].mean()
        assert full > 0.9 * school.gait.speed[-1]
        slow = speed[begin:] < 0.15 * full
        after = slow.argmax() if slow.any() else len(slow)
        ways[stop] = slow.any(), np.linalg.norm(school.middle[begin + after, row] - school.middle[begin, row])
    stopped, way = ways["brake"]
    assert stopped
    assert way <= 2.0
    assert ways["glide"][1] >= 2.0 * way


def test_it_backs_off_straight_and_the_faster_the_more_it_is_told_to(school):
    away, able = [], school.species.pectoral.row > 0.0
    for back in (0.5, 1.0):
        row = school.row(swim=0.0, back=back)
        way = school.middle[-1, row] - school.middle[0, row]
        if not able:
            assert abs(way[0]) < 0.05
            continue
        assert way[0] < -0.3
        assert np.linalg.norm(way[1:]) < 0.2 * -way[0]
        assert school.tilt[:, row].max() < UPRIGHT
        away.append(-way[0])
    assert not able or away[1] > away[0]


@pytest.mark.parametrize("swim", [0.5, 1.0], ids=["cruise", "full"])
@pytest.mark.parametrize("angle", CLIMBS)
def test_its_path_climbs_and_dives_as_steeply_as_asked(school, swim, angle):
    row = school.row(swim=swim, climb=angle)
    way = school.middle[-1, row] - school.middle[-school.frame(10), row]
    assert np.degrees(np.arctan2(way[2], np.hypot(way[0], way[1]))) == pytest.approx(angle, abs=10.0)


@pytest.mark.parametrize("swim", [0.5, 1.0], ids=["cruise", "full"])
@pytest.mark.parametrize("angle", [-30, -15, 15, 30])
def test_its_path_does_not_swing_far_beyond_that(school, swim, angle):
    way = np.diff(school.middle[:, school.row(swim=swim, climb=angle)], axis=0)
    frames = school.frame(2)  # so many that no beat shows
    way = way.cumsum(axis=0)[frames:] - way.cumsum(axis=0)[:-frames]
    slope = np.sign(angle) * np.degrees(np.arctan2(way[:, 2], np.hypot(way[:, 0], way[:, 1])))
    last = slope[-school.frame(10) :].mean()
    assert slope.max() - last < 0.15 * last


@pytest.mark.parametrize("swim", [0.0, 0.5, 1.0], ids=["resting", "cruise", "full"])
@pytest.mark.parametrize("angle", [60, -60])
def test_rolled_by_60_degrees_it_is_upright_in_five_seconds(school, swim, angle):
    row = school.row(swim=swim, rolled=angle)
    assert school.tilt[0, row] > np.radians(50.0)
    assert school.tilt[5 * FPS :, row].max() < UPRIGHT


# The water and the step: of one species here, of every one in studies/swimming.py


def test_a_fish_that_swims_upstream_at_the_speed_of_the_current_stays_in_place():
    # A twentieth of the way that it swims: it still gets up to its speed a little, and the watch begins and ends at
    # other instants of a beat.
    assert swept_away("sardine") < 0.05


def test_in_thick_water_a_fish_is_slow():
    # A tail finds more hold, too; but steps that are too long for the drag throw a fish about at ten times its speed.
    assert hurry_in_thick_water("sardine", seconds=2) < 1.5


def test_paths_are_the_same_within_a_tenth_at_a_tenth_of_the_step():
    assert apart_at_a_tenth("sardine", 0.4, seconds=3) < 0.1


def test_production_goes_where_the_reference_goes():
    fine, coarse = off_the_reference("reef_shark", frames=12)
    assert fine < 0.0225 and coarse < 0.1


def test_it_is_upright_for_long():
    assert turned_over("sardine", frames=500) < UPRIGHT


# What merely looks plausible


def test_it_gets_going_from_rest(school):
    row = school.row(swim=1.0, start=0.0)
    assert school.speed(row)[school.frame(9) : school.frame(11)].mean() > 0.45 * school.gait.speed[-1]
    assert school.speed(row)[school.frame(19) : school.frame(21)].mean() > 0.8 * school.gait.speed[-1]
    assert school.middle[school.frame(10), row, 0] > school.middle[0, row, 0] + 1.5


def test_the_books_own_fish_swims_ahead():
    """Its figures are reported, not asked for (`make bench`)."""
    commands = Commands.still(1)
    commands.swim[:] = 1.0
    recording = tank("thesis", 1, lambda t, world: commands).simulate(10 * FPS)
    path = middles(recording)[:, 0]
    assert path[-1, 0] > path[0, 0] + 0.3


def test_tall_fishes_under_wild_commands_are_seldom_past_their_side():
    """Slow swimming with sharp turns in climbs and dives that change every two seconds; a share of time, not a law."""
    assert on_its_side("emperor_angelfish", seconds=25, fishes=24) < 0.015
