"""What fishes make of friend and foe: who is hunted, who is feared, and what they then mean to do."""

from __future__ import annotations

import numpy as np
import pytest

from artfish.core import Scene, Species, World
from artfish.core.base.dice import Dice
from artfish.core.behavior.character import Characters
from artfish.core.behavior.intention import EAT, ESCAPE, WANDER
from artfish.core.behavior.routines.tuning import (
    CONFUSING_PREY,
    CONFUSION_RATE,
    GOING_ROUND_SECONDS,
    LEAST_CHASE_PACE,
    SINGLED_OUT_SECONDS,
    THRONG_LENGTHS,
)
from artfish.core.behavior.wants import NO_FISH, Bodies, Wants
from artfish.core.body.anatomy import frame_from, rest_nodes
from artfish.core.habitat.obstacles import Obstacles
from artfish.core.perception.focuser import SKILL_LEFT, SKILL_RIGHT
from artfish.core.recording import Recording
from artfish.studies import hunting

HUNGRY = {"species": "grouper", "mind": {"hunger": 1.0}}
SMALL = {"species": "cardinalfish", "habits": {"schooling": False}}
NOWHERE = Obstacles()
LOOK = 0.3  # seconds from one thought to the next


class Meeting:
    """Straight fishes that meet, one a group, at these places and headings."""

    def __init__(self, groups, places, headings, obstacles=NOWHERE, kinds=None):
        scene = Scene.from_dict({"tank": {"size": [100, 100, 100]}, "fishes": [{"at": [5, 5, 5], **g} for g in groups]})
        models = {group["species"]: Species.load(group["species"]) for group in groups}
        fishes = len(groups)
        own = [models[group["species"]] for group in groups]
        self.length = np.array([species.length for species in own])
        characters = Characters.from_scene(scene, models, Dice(0, np.arange(fishes)))
        self.alive = np.ones(fishes, dtype=bool)
        self.wants = Wants(characters, obstacles, self.length, Dice(1, np.arange(fishes)), self.alive, kinds)
        self.place, self.headings = np.array(places, dtype=float), np.array(headings, dtype=float)
        self.rest = np.array([rest_nodes(species.body) * species.length for species in own])

    def think(self, danger=False):
        """Everybody takes thought; their intentions and urges."""
        fishes = np.arange(len(self.length))
        frames = frame_from(self.headings, np.broadcast_to([0.0, 0.0, 1.0], self.headings.shape))
        nodes = np.einsum("fij,fnj->fni", frames, self.rest) + self.place[:, None]
        velocity = 0.5 * self.length[:, None] * frames[:, :, 0]
        elapsed = np.full(len(fishes), LOOK)
        bodies = self.bodies = Bodies(nodes, frames, velocity)
        urge = self.wants.decide(fishes, bodies, np.full(len(fishes), danger), elapsed)
        return self.wants.generator.intention, urge

    def die(self, fish):
        self.alive[fish] = False
        self.wants.forget(np.array([fish]))


def test_a_hungry_predator_goes_for_prey_in_sight_and_the_prey_gets_away():
    meeting = Meeting([HUNGRY, SMALL], [[0, 0, 0], [1.2, 0.3, 0]], [[1, 0, 0], [0, 1, 0]])
    intention, urge = meeting.think()
    assert intention.tolist() == [EAT, ESCAPE]
    assert meeting.wants.target.tolist() == [1, 0]
    assert urge.pressing.all()
    way = meeting.place[1] - meeting.place[0]
    assert urge.wish[0] @ way > 0.8 * np.linalg.norm(way)  # towards it, cutting it off
    assert urge.wish[1] @ way > 0
    assert urge.pace[1] == 1.0


def test_decisions_can_be_explained():
    meeting = Meeting([HUNGRY, SMALL], [[0, 0, 0], [1.2, 0.7, 0]], [[1, 0, 0], [1, 0, 0]])
    meeting.think()
    meeting.wants.prefer(np.arange(2), meeting.bodies, np.zeros((2, 3)))
    target, food = meeting.wants.about()
    assert target.tolist() == [1, 0]
    assert food.tolist() == [NO_FISH, NO_FISH]
    for_left, against_right = meeting.wants.preferences
    assert for_left[SKILL_LEFT] == pytest.approx(1.0)  # H / tau of eating itself
    assert against_right[SKILL_RIGHT] == pytest.approx(-1.0)  # the predator is behind on the right
    # A wall on the left speaks against the left as strongly as the prey speaks for it.
    meeting.wants.prefer(np.arange(2), meeting.bodies, np.array([[0.0, 2.0, 0.0], [0.0, 0.0, 0.0]]))
    assert meeting.wants.preferences[0, SKILL_LEFT] == pytest.approx(0.0)


def test_a_predator_grinds_its_prey_before_it_goes_for_another():
    meeting = Meeting([HUNGRY, SMALL], [[0, 0, 0], [1.2, 0.3, 0]], [[1, 0, 0], [0, 1, 0]])
    handling, singling_out = Species.load("grouper").mind.handling, int(np.ceil(SINGLED_OUT_SECONDS / LOOK))
    for _ in range(singling_out):
        intention, _ = meeting.think()
        assert intention[0] == EAT
        assert not len(meeting.wants.eaters())  # it has not had its eye on it for long enough
    for moment in range(int(handling / LOOK) + 2):
        intention, _ = meeting.think()
        assert (intention[0] == EAT) == (moment == 0 or LOOK * moment >= handling)
        assert list(meeting.wants.eaters()) == ([0] if intention[0] == EAT else [])
        if moment == 0:
            meeting.wants.fed(np.array([0]))


def test_one_among_many_alike_is_lost_for_another_of_them():
    looks, reach = 1500, THRONG_LENGTHS * Species.load("grouper").length

    def losses(others, kinds=None, **mind):
        """The share of looks at which a predator aims at another than before, among prey on a circle about it."""
        places = [[0, 0, 0], *(1.8 * np.array([[np.cos(a), np.sin(a), 0] for a in (0.0, *others)]))]
        hungry = {**HUNGRY, "mind": {"hunger": 1.0, "fatigue": 1e5, **mind}}
        meeting = Meeting([hungry, *[SMALL] * (len(places) - 1)], places, [[1, 0, 0]] * len(places), kinds=kinds)
        aims = []
        for _ in range(looks):
            meeting.think()
            aims.append(int(meeting.wants.target[0]))
        assert set(aims) == ({1} if len(set(aims)) == 1 else set(range(1, len(places))))
        return np.count_nonzero(np.diff(aims)) / (looks - 1)

    confusion = Species.load("grouper").mind.confusion
    throng = [angle * reach / 1.8 for angle in (-0.4, 0.2, 0.4)]
    expected = 1 - np.exp(-CONFUSION_RATE * confusion * 3 / (3 + CONFUSING_PREY) * LOOK)
    error = np.sqrt(expected * (1 - expected) / looks)
    assert losses(throng) == pytest.approx(expected, abs=4 * error)
    assert losses([]) == 0
    assert losses(throng, confusion=0.0) == 0
    assert losses(throng, kinds=np.array([0, 1, 2, 2, 2])) == 0  # others than its prey do not confuse it
    assert losses([angle * 1.05 * reach / 1.8 for angle in (-1, 1)]) == 0  # nor do those farther off


def test_a_predator_that_goes_round_its_prey_brakes_and_turns_to_it():
    length = Species.load("grouper").length
    meeting = Meeting([HUNGRY, SMALL], [[0, 0, 0], [0.5 * length, length, 0]], [[1, 0, 0], [1, 0, 0]])
    paces = []
    for _ in range(10):
        _, urge = meeting.think()
        assert urge.hold[0] == (urge.pace[0] == 0.0)
        paces.append(urge.pace[0])
    swims = int(GOING_ROUND_SECONDS / LOOK)
    assert min(paces[: swims - 1]) >= LEAST_CHASE_PACE  # at first it may get round
    assert max(paces[swims + 1 :]) == 0.0
    assert urge.wish[0, 1] > 0.8 * np.linalg.norm(urge.wish[0])
    meeting.headings[0] = [np.cos(0.7), np.sin(0.7), 0]  # half way, it turns on
    assert meeting.think()[1].pace[0] == 0.0
    meeting.headings[0] = [np.cos(1.2), np.sin(1.2), 0]  # it faces its prey
    assert meeting.think()[1].pace[0] >= LEAST_CHASE_PACE


def test_schoolmates_pass_on_the_alarm_of_what_they_see_themselves():
    """A predator comes from behind on a fish that cannot see it, whose mates look back."""
    social = {**SMALL, "habits": {"schooling": True}}

    def fears(mates, mate=social, behind=social, **mind):
        behind = {**behind, "mind": mind} if mind else behind
        places = [[0, 0, 0], [1.2, 0, 0], *([1.2 + x, 0.01, 0] for x in mates)]
        headings = [[1, 0, 0], [1, 0, 0], *([-1, 0, 0] for _ in mates)]
        meeting = Meeting([HUNGRY, behind, *[mate] * len(mates)], places, headings)
        meeting.think()  # the mates see it
        meeting.think()  # and are seen
        return bool(meeting.wants.feelings.fear[1] > 0)

    assert not fears([])
    assert fears([0.3])
    assert not fears([2.0])  # too far off
    assert not fears([0.3], mate=SMALL) and not fears([0.3], behind=SMALL)  # loners
    assert not fears([0.3], vigilance=0.0)  # as in the book


def test_what_was_only_heard_is_not_passed_on():
    social = {**SMALL, "habits": {"schooling": True}, "mind": {"vigilance": 5.0}}
    places = [[0, 0, 0], *([1.2 + 0.3 * rank, 0, 0] for rank in range(3))]
    meeting = Meeting([HUNGRY, *[social] * 3], places, [[1, 0, 0]] * 3 + [[-1, 0, 0]])
    for _ in range(4):
        meeting.think()
    fear = meeting.wants.feelings.fear
    assert fear[3] > 0 and fear[2] > 0  # who sees it, and who sees that one
    assert fear[1] == 0


def test_who_turns_its_tail_on_a_predator_keeps_away_from_there_for_a_while():
    """It is alarmed, turns round, and then has the predator behind it, where it sees nothing (Kuffner's memory)."""
    loner = {**SMALL, "mind": {"recall": 2.0}}
    meeting = Meeting([HUNGRY, loner], [[0, 0, 0], [0.9, 0, 0]], [[1, 0, 0], [-1, 0, 0]])
    intention, _ = meeting.think()
    assert intention[1] == ESCAPE
    meeting.headings[1] = [1, 0, 0]
    wishes = []
    for _ in range(int(2.0 / LOOK) + 1):
        intention, urge = meeting.think()
        assert intention[1] == WANDER and not urge.pressing[1]
        wishes.append(urge.wish[1])
    size = np.linalg.norm(wishes, axis=1)
    assert np.diff(size[:-1]).max() < 0.0  # less and less
    assert size[:-1].min() > 0.0 and size[-1] == 0.0
    assert np.argmax(wishes[0]) == 0  # straight away from where it was
    meeting.headings[1] = [-1, 0, 0]
    meeting.place[0] = [-2.5, 0, 0]
    meeting.think()  # it looks back, sees that it is far off,
    meeting.headings[1] = [1, 0, 0]
    assert not meeting.think()[1].wish[1].any()  # and has no reason to keep away any more


def test_who_remembers_nothing_forgets_what_it_does_not_see():
    loner = {**SMALL, "mind": {"recall": 0.0}}
    meeting = Meeting([HUNGRY, loner], [[0, 0, 0], [0.9, 0, 0]], [[1, 0, 0], [-1, 0, 0]])
    assert meeting.think()[0][1] == ESCAPE
    meeting.headings[1] = [1, 0, 0]
    assert not meeting.think()[1].wish[1].any()


def test_a_sated_predator_lets_them_be_but_is_feared():
    sated = {"species": "grouper", "mind": {"hunger": 0.0}}
    meeting = Meeting([sated, SMALL], [[0, 0, 0], [1.2, 0.3, 0]], [[1, 0, 0], [0, 1, 0]])
    intention, urge = meeting.think()
    assert intention.tolist() == [WANDER, ESCAPE]
    assert urge.pressing.tolist() == [False, True]


def test_prey_behind_a_pillar_is_not_hunted_and_is_after_it_comes_out():
    pillar = Obstacles([[0.9, 0.0, -2.0]], [0.3], [4.0])
    meeting = Meeting([HUNGRY, SMALL], [[0, 0, 0], [1.6, 0, 0]], [[1, 0, 0], [1, 0, 0]], pillar)
    _, urge = meeting.think()
    assert meeting.wants.target.tolist() == [NO_FISH, NO_FISH]
    assert not urge.pressing.any()
    meeting.place[1] = [1.3, 0.9, 0.0]
    meeting.think()
    assert meeting.wants.target[0] == 1


def test_nobody_is_seen_from_behind_or_beyond_sight():
    behind = Meeting([HUNGRY, SMALL], [[0, 0, 0], [-1.5, 0, 0]], [[1, 0, 0], [1, 0, 0]])
    behind.think()
    assert behind.wants.target.tolist() == [NO_FISH, 0]  # the prey sees the predator's tail
    far = Meeting([HUNGRY, SMALL], [[0, 0, 0], [30.0, 0, 0]], [[1, 0, 0], [-1, 0, 0]])
    far.think()
    assert far.wants.target[0] == NO_FISH


def test_fear_grows_as_the_predator_comes_near():
    fears = []
    for distance in (3.0, 2.0, 1.5, 0.9):
        meeting = Meeting([HUNGRY, SMALL], [[0, 0, 0], [distance, 0, 0]], [[1, 0, 0], [-1, 0, 0]])
        meeting.think()
        fears.append(meeting.wants.feelings.fear[1])
    assert (np.diff(fears) > 0).all()
    of = Species.load("cardinalfish").mind
    middle = Species.load("cardinalfish").length * 0.1  # eye and middles are not where the places are
    assert fears[0] == pytest.approx(of.D0 * of.book_metres / 3.0, rel=(0.6 + middle) / 3.0)


def test_pacifists_flee_nobody_and_are_hunted_all_the_same():
    calm = {**SMALL, "type": "pacifist"}
    meeting = Meeting([HUNGRY, calm], [[0, 0, 0], [1.0, 0, 0]], [[1, 0, 0], [1, 0, 0]])
    intention, _ = meeting.think()
    assert intention.tolist() == [EAT, WANDER]


def test_the_dead_are_neither_hunted_nor_feared():
    meeting = Meeting([HUNGRY, SMALL, SMALL], [[0, 0, 0], [1, 0.2, 0], [1.6, -0.3, 0]], [[1, 0, 0]] * 3)
    meeting.think()
    first = meeting.wants.target[0]
    meeting.die(first)
    assert NO_FISH in meeting.wants.target
    meeting.think()
    assert meeting.wants.target[0] == 3 - first
    meeting.die(0)
    meeting.think()
    assert (meeting.wants.target[1:][meeting.alive[1:]] == NO_FISH).all()
    assert (meeting.wants.feelings.fear[1:][meeting.alive[1:]] == 0).all()


def test_a_devoted_predator_keeps_its_prey_and_a_fickle_one_takes_the_nearer():
    for threshold, wanted in ((5.0, 1), (0.0, 2)):
        hunter = {"species": "grouper", "mind": {"hunger": 1.0, "persistence": threshold}}
        meeting = Meeting([hunter, SMALL, SMALL], [[0, 0, 0], [1.5, 0.1, 0], [2.5, -0.3, 0]], [[1, 0, 0]] * 3)
        meeting.think()
        assert meeting.wants.target[0] == 1
        meeting.place[2] = [1.2, -0.1, 0.0]
        meeting.think()
        assert meeting.wants.target[0] == wanted


def test_danger_comes_first_and_the_hunt_is_resumed():
    meeting = Meeting([HUNGRY, SMALL], [[0, 0, 0], [1.5, 0.3, 0]], [[1, 0, 0], [1, 0, 0]])
    meeting.think()
    intention, urge = meeting.think(danger=True)
    assert Recording.INTENTIONS[intention[0]] == "avoid"
    assert not urge.pressing[0]
    assert meeting.think()[0][0] == EAT


# A whole hunt


def eaten(recording: Recording) -> list[dict]:
    return [event for event in recording.events if event["kind"] == "eaten"]


def until_eaten(seed: int, seconds: float = 120.0) -> tuple[World, Recording]:
    """The preset hunt up to its first capture, in stretches of a second."""
    world = World(Scene.load("preying"), seed=seed)
    for _ in range(int(seconds)):
        recording = world.simulate(24)
        if eaten(recording):
            break
    return world, recording


def test_what_is_eaten_is_gone_and_stills_hunger():
    world, recording = until_eaten(seed=2)
    event = eaten(recording)[0]
    assert (event["kind"], event["fish"]) == ("eaten", 0)
    victim, frame = event["other"], event["frame"]
    assert 1 <= victim <= 20
    assert not recording.alive[frame:, victim].any()
    assert recording.alive[:frame, victim].all()
    assert recording.mouth[frame, 0] > 0.5
    assert f"grouper 0 ate cardinalfish {victim}" in "\n".join(recording.log())
    after = world.simulate(48)
    assert not after.alive[:, victim].any()
    assert np.isfinite(after.nodes).all()
    assert after.hunger[-1, 0] < recording.hunger[0, 0] - 0.1
    assert all(other["other"] != victim for other in eaten(after))  # nobody is eaten twice


def test_the_same_hunt_has_the_same_bits():
    first, second = (World(Scene.load("preying"), seed=4).simulate(60) for _ in range(2))
    assert np.array_equal(first.nodes, second.nodes)
    assert np.array_equal(first.fear, second.fear)


def test_prey_that_is_afraid_means_to_flee_within_half_a_second():
    fled = hunting.frights(seed=0, seconds=6)
    assert fled and all(fled)
