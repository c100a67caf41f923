"""Replicas obey the commands of dynamic fishes: they swim, turn, climb, start, brake and back up, and never in step."""

import numpy as np
import pytest

from artfish.core import Species
from artfish.core.body.anatomy import body_frame
from artfish.core.motor.center import MotorCenter
from artfish.core.motor.commands import Commands
from artfish.core.replicas.capture import capture
from artfish.core.replicas.playback import HEADING, PLACE, SLOPE
from artfish.core.replicas.secondary import Handover, Replicas
from artfish.core.replicas.tuning import ADVICE_SECONDS, ADVICE_SPREAD, ADVISED_PACES
from artfish.core.world.shoal import Shoal
from artfish.studies.replicas import SPECIES, fidelity

FRAME = 1 / 24


@pytest.fixture
def replicas(sardine):
    """Makes so many sardines of a length, at rest."""
    species, repertoire = sardine

    def make(fishes, length=0.18, **more):
        return Replicas([species], [repertoire], np.zeros(fishes, dtype=int), np.full(fishes, length), **more)

    return make


def swim(school, seconds, **commands):
    """Moves a school on under the same commands all the time; nodes by frames."""
    given = Commands.still(len(school))
    for name, value in commands.items():
        getattr(given, name)[:] = value
    return np.array([school.move(given, FRAME).copy() for _ in range(round(seconds / FRAME))])


def headings(school):
    return school.playback.carriers[:, HEADING]


@pytest.mark.film
@pytest.mark.parametrize(
    "name",
    ["sardine", *(pytest.param(name, marks=pytest.mark.large) for name in SPECIES if name != "sardine")],
)
def test_a_replica_swims_and_turns_as_the_dynamic_fish(name, sardine):
    species, repertoire = sardine if name == "sardine" else (Species.load(name), capture(Species.load(name)))
    found = fidelity(species, repertoire)
    assert found.holds(), found


@pytest.mark.film
def test_it_swims_at_the_speed_of_its_pace_whatever_its_size(replicas, sardine):
    _, repertoire = sardine
    full = repertoire.velocity[(repertoire.pace == 1.0) & (repertoire.turn == 0), 0][0]
    for length in (0.1, 0.3):
        school = replicas(3, length)
        swim(school, 5.0, swim=(0.0, 0.6, 1.0))
        speeds = np.linalg.norm(school.velocity, axis=1) / length
        assert speeds[0] < 1e-3 and speeds[2] == pytest.approx(full, rel=0.01) and 0.5 < speeds[1] / full < 0.9


@pytest.mark.film
def test_right_is_the_mirror_image_of_left(replicas):
    school = replicas(2)
    school.phase[:] = 0.25, 0.75
    nodes = swim(school, 2.0, swim=0.5, turn=(1.2, -1.2))
    left, right = nodes[-1]
    assert headings(school)[0] == pytest.approx(-headings(school)[1]) and headings(school)[0] > 0.5
    assert np.allclose(left[0] * (1, -1, 1), right[0], atol=1e-6)


@pytest.mark.film
def test_no_two_swim_in_step(replicas):
    school = replicas(50)
    assert len(np.unique(school.phase)) == 50
    nodes = swim(school, 1.0, swim=0.5)[-1]
    tails = nodes[:, 22] - nodes[:, 0]
    assert len(np.unique(tails.round(9), axis=0)) == 50


@pytest.mark.film
def test_who_stays_too_long_in_a_segment_is_advised_to_change(replicas):
    school = replicas(40)
    swim(school, ADVICE_SECONDS * (1.0 - 0.5 * ADVICE_SPREAD) - 1.0, swim=0.5)
    assert len(school.advise().fishes) == 0
    swim(school, 2.0 + ADVICE_SPREAD * ADVICE_SECONDS, swim=0.5)
    advice = school.advise()
    assert sorted(advice.fishes) == list(range(40)) and len(np.unique(advice.pace)) > 30
    assert (advice.pace >= ADVISED_PACES[0]).all() and (advice.pace < ADVISED_PACES[1]).all()
    assert len(school.advise().fishes) == 0  # and is then left in peace


@pytest.mark.film
def test_who_changes_is_not_advised(replicas):
    school = replicas(1)
    for _ in range(8):
        swim(school, 1.5, swim=0.2)
        swim(school, 1.5, swim=1.0)
    assert len(school.advise().fishes) == 0


def test_who_stops_is_as_bent_as_it_turns_and_straight_once_it_has(replicas):
    """So that it has nothing to bend for when it becomes dynamic."""
    school = replicas(2)
    swim(school, 1.0, swim=0.5)
    swim(school, 0.3, brake=True, turn=(1.5, 0.0))
    bends = school.given_up(np.arange(2), FRAME / 2).tension[:, 1]
    assert bends[0] > 0.1 > 5 * abs(bends[1])
    swim(school, 4.0, brake=True, turn=(1.5, 0.0))
    assert abs(school.given_up(np.arange(2), FRAME / 2).tension[:, 1]).max() < 0.02


@pytest.mark.film
def test_brakes_stop_it_sooner_than_drag_and_a_retreat_backs_up(replicas):
    school = replicas(3)
    swim(school, 3.0, swim=1.0)
    begin = school.speed.copy()
    swim(school, 0.5, brake=(False, True, False), back=(0.0, 0.0, 1.0))
    glides, brakes, backs = school.speed / begin
    assert 0.7 < glides < 1.0 and 0.2 < brakes < 0.7 and backs < brakes
    swim(school, 5.0, back=(0.0, 0.0, 1.0))
    assert -0.25 < school.speed[2] < -0.1


@pytest.mark.film
def test_it_climbs_and_dives_at_the_slope_of_the_command(replicas):
    school = replicas(2)
    swim(school, 4.0, swim=0.6, climb=(0.5, -0.5))
    slope = np.arctan2(school.velocity[:, 2], np.linalg.norm(school.velocity[:, :2], axis=1))
    assert np.allclose(slope, (0.5, -0.5), atol=0.06)
    _, frames = body_frame(school.nodes)
    assert np.abs(frames[:, 2, 1]).max() < 0.1  # and is upright


@pytest.mark.film
def test_a_c_start_flings_it_round_and_off(replicas):
    school = replicas(2)
    swim(school, 1.0, swim=0.3)
    before = body_frame(school.nodes)[1][:, :, 0]
    swim(school, 1 / 12, swim=1.0, burst=1.0, cstart=(1.5, -1.5))
    after = body_frame(school.nodes)[1][:, :, 0]
    turned = np.arctan2(np.cross(before, after)[:, 2], (before * after).sum(axis=1))
    assert turned[0] > 0.9 and turned[1] < -0.9
    swim(school, 0.75, swim=1.0, burst=1.0, cstart=(1.5, -1.5))
    assert (school.speed > 2.5).all()


@pytest.mark.film
def test_nothing_jumps_whatever_the_commands(replicas):
    """No node moves farther in a frame than in a burst, relative to its fish."""
    school, random = replicas(60), np.random.default_rng(5)
    steps = []
    for _ in range(20):
        given = {
            "swim": random.uniform(0, 1, 60),
            "turn": random.uniform(-2, 2, 60),
            "brake": random.uniform(size=60) < 0.2,
        }
        given |= {
            "back": random.uniform(0, 1, 60) * (random.uniform(size=60) < 0.2),
            "climb": random.uniform(-1, 1, 60),
        }
        nodes = swim(school, 0.5, **given)
        steps.append(np.linalg.norm(np.diff(nodes, axis=0), axis=3).max(axis=(0, 1, 2)))
    assert max(steps) < 4.0 * FRAME * 0.18


@pytest.mark.film
def test_a_goal_ahead_is_aligned_with_finely_and_one_behind_is_not(replicas):
    """§6.2: within 45 degrees of the nose."""
    school = replicas(3)
    goals = np.array([[1.0, 0.3, 0.1], [-1.0, 0.3, 0.0], [np.nan] * 3])
    for _ in range(48):
        school.aim(goals, FRAME)
    carriers = school.playback.carriers
    assert np.allclose(carriers[0, [HEADING, SLOPE]], (np.arctan2(0.3, 1.0), np.arcsin(0.1 / np.sqrt(1.1))), atol=1e-6)
    assert not carriers[1:, [HEADING, SLOPE]].any()


class Both:
    """Sardines that are dynamic at times and replicas at others, as a world would have them."""

    def __init__(self, species, school):
        fishes = len(school)
        kind, self.length, self.fishes = np.zeros(fishes, dtype=int), np.full(fishes, species.length), np.arange(fishes)
        self.school, self.shoal = school, Shoal([species], kind, np.full(fishes, species.length), FRAME / 2)
        self.motor, self.commands, self.nodes = MotorCenter([species], kind), Commands.still(fishes), []
        self.commands.swim[:] = np.linspace(0.3, 1.0, fishes)

    def play(self, frames):
        """The motor center goes on beside the replicas: it senses them, and trims nothing."""
        for _ in range(frames):
            self.nodes.append(self.school.move(self.commands, FRAME).copy())
            _, axes = body_frame(self.school.nodes)
            self.motor.drive(self.commands, axes, self.school.velocity, self.length, FRAME)
            state = self.motor.state()
            self.motor.restore(state | {"_course": self.school.course, "_trim": np.zeros(len(self.fishes))})

    def promote(self):
        body = self.school.given_up(self.fishes, FRAME / 2)
        self.shoal.pose(self.fishes, body.nodes, body.velocity)
        self.shoal.start_beats(body.phase)
        muscles = self.shoal.blocks()["muscles 0"]
        state = muscles.state()
        state["_swing"][:, self.fishes] = body.tension.T
        muscles.restore(state)

    def swim(self, frames):
        for _ in range(frames):
            _, axes = self.shoal.frames()
            drive = self.motor.drive(self.commands, axes, self.shoal.velocity, self.length, FRAME)
            self.shoal.move(drive, np.zeros((len(self.fishes), 3)), 2)
            self.nodes.append(self.shoal.nodes)

    def demote(self):
        phase, none = self.shoal.blocks()["muscles 0"].phase[self.fishes], np.zeros(len(self.fishes))
        still = np.zeros((len(self.fishes), 3))
        body = Handover(self.shoal.nodes, self.shoal.node_velocities, phase, still, self.motor.course)
        self.school.adopt(self.fishes, body, self.commands.swim, none, FRAME)


@pytest.mark.film
def test_no_node_shows_where_a_replica_becomes_dynamic_and_back(sardine, replicas):
    """The 99.9th percentile of accelerations at a switch is at most 1.5 times that without."""
    both = Both(sardine[0], replicas(12))
    both.play(150)
    both.promote()
    both.swim(150)
    both.demote()
    both.play(50)
    nodes = np.array(both.nodes)
    hardness = np.linalg.norm(np.diff(nodes, 2, axis=0), axis=3)
    steady = np.percentile(hardness[220:290], 99.9)
    assert np.percentile(hardness[147:156], 99.9) < 1.5 * steady
    assert np.percentile(hardness[297:306], 99.9) < 1.5 * steady
    middles = nodes.mean(axis=2)
    for switch in (150, 300):
        before, after = (
            np.linalg.norm(middles[switch + a] - middles[switch + b], axis=1) for a, b in ((-1, -25), (24, 0))
        )
        assert np.allclose(after / before, 1.0, atol=0.04)
        ways = middles[switch - 1] - middles[switch - 25], middles[switch + 24] - middles[switch]
        assert (np.sum(ways[0] * ways[1], axis=1) > np.cos(0.1) * before * after).all()


@pytest.mark.film
def test_a_dynamic_fish_becomes_a_replica_where_it_is(replicas):
    """Also one of quite another shape, in another phase of its beat."""
    dynamic, school, fish = replicas(1), replicas(2), np.array([1])
    before = swim(dynamic, 3.0, swim=0.8, turn=1.0)[-1]
    body = dynamic.given_up(np.array([0]), FRAME / 2)
    school.adopt(fish, body._replace(phase=body.phase + 1.0), np.array([0.5]), np.zeros(1), FRAME)
    after = swim(school, FRAME, swim=0.8)[-1, 1]
    assert np.linalg.norm(after - before[0], axis=1).max() < 0.18 * 4.0 * FRAME
    assert school.speed[1] == pytest.approx(dynamic.speed[0], rel=0.15)
    assert np.abs(body_frame(after)[1] - body_frame(before[0])[1]).max() < 0.2
    assert np.abs(school.playback.carriers[0, PLACE]).max() < 1e-3
    assert school.course[1] == pytest.approx(dynamic.course[0])


def beats_a_second(rhythm, pace: float) -> float:
    """Tail beats a second at a pace, as the motor controller has it."""
    return rhythm.tail_beat * (rhythm.slow_beat + (1.0 - rhythm.slow_beat) * pace)


@pytest.mark.film
def test_velocities_that_are_handed_over_lead_to_where_the_nodes_are(replicas):
    school = replicas(4)
    given = {"swim": (0.3, 0.6, 1.0, 1.0), "turn": (0.0, 1.0, 0.0, -0.5), "burst": (0, 0, 0, 1.0)}
    swim(school, 2.0, **given)
    body = school.given_up(np.arange(4), 0.2 * FRAME)
    fine = school.nodes + body.velocity * 0.1 * FRAME
    commands = Commands.still(4)
    for name, value in given.items():
        getattr(commands, name)[:] = value
    # The velocity is that of a fifth of a frame before, and so 0.15 frames behind; the tail swings 0.14 lengths wide.
    rhythm = Species.load("sardine").rhythm
    beat = np.array([beats_a_second(rhythm, pace) for pace in (0.3, 0.6, 1.0)] + [rhythm.burst_beat])
    hardest = (2 * np.pi * beat) ** 2 * 0.14 * 0.18
    off = np.abs(school.move(commands, 0.1 * FRAME) - fine).max(axis=(1, 2))
    assert (off < hardest * 0.1 * 0.15 * FRAME**2 + 2e-5).all()


@pytest.mark.film
def test_fins_are_seen_on_top(replicas):
    """They flap always, turn broadside in a brake, and tilt to climb."""
    school, commands = replicas(3), Commands.still(3)
    commands.swim[:], commands.climb[:], commands.brake[:] = 0.5, (0.0, 0.5, 0.0), (False, False, True)
    fins = []
    for _ in range(12):
        school.move(commands, FRAME)
        fins.append(school.fan(commands, FRAME))
    level, climbing, braking = np.array(fins)[:, :, 0, 0].mean(axis=0)
    assert level == pytest.approx(np.pi / 2, abs=0.1) and climbing > level + 0.3 and braking == pytest.approx(np.pi)
    assert np.ptp(np.array(fins)[:, :, 0, 1], axis=0).min() > 0.01


@pytest.mark.film
def test_a_state_that_is_restored_goes_on_to_the_bit(replicas):
    school, other = replicas(5, seed=3), replicas(5, seed=4)
    swim(school, 1.0, swim=0.7, turn=(0.5, -1.0, 0.0, 2.0, 0.1), cstart=(0, 0, 1.5, 0, 0))
    for name, part in school.parts().items():
        other.parts()[name].restore(part.state())
    assert swim(school, 1.0, swim=0.3).tobytes() == swim(other, 1.0, swim=0.3).tobytes()


@pytest.mark.film
def test_compiled_a_school_has_the_same_bits(replicas, alike):
    alike(lambda: swim(replicas(20), 0.5, swim=np.linspace(0, 1, 20), turn=np.linspace(-2, 2, 20)), "replay", "mix")
