"""Courtship: who chooses whom, the four stages in order, rivals, interruptions (Tu 1999, §7.9.3)."""

from __future__ import annotations

import numpy as np
import pytest

from artfish.core import Species
from artfish.core.behavior.character import table
from artfish.core.behavior.intention import AVOID, EAT, MATE
from artfish.core.behavior.routines.courtship import (
    APART,
    ASCENDING,
    CIRCLING,
    COURTSHIP_STAGES,
    LOOPING,
    NUZZLING,
    Courtship,
    abdomen_of,
    courtable,
)
from artfish.core.behavior.routines.tuning import (
    COURTING_PATIENCE_SECONDS,
    PARTING_SECONDS,
    RETREAT_SECONDS,
    SULKING_SECONDS,
    WAIT_SECONDS,
)
from artfish.core.body.anatomy import NOSE_NODE, frame_from, rest_nodes
from artfish.core.perception.swimmers import NO_FISH
from artfish.core.scene.temperament import Drives

DT = 1 / 24
UP = np.array([0.0, 0.0, 1.0])
KEEN = {"type": "pacifist", "mind": {"libido": 1.0, "hunger": 0.0}}


class Puppets:
    """Straight fishes of 0.3 m that are put where a test wants them, males first."""

    def __init__(self, males, females, length=None, species=None, **drives):
        count = males + females
        self.length = np.full(count, 0.3) if length is None else np.array(length)
        species = np.zeros(count, dtype=int) if species is None else np.array(species)
        sexes = np.arange(count) < males
        drives = table([Drives(**drives)] * count, Drives)
        self.courtship = Courtship(sexes, species, drives, self.length, surface=20.0)
        self.place = np.array([[10.0, 10.0 + 0.3 * fish, 10.0] for fish in range(count)])
        self.ahead = np.tile([1.0, 0.0, 0.0], (count, 1))
        self.intention = np.full(count, MATE, dtype=np.int8)
        self.rest = rest_nodes(Species.load("clownfish").body)

    @property
    def frames(self):
        return frame_from(self.ahead, np.broadcast_to(UP, self.ahead.shape))

    @property
    def nodes(self):
        return np.einsum("fij,nj,f->fni", self.frames, self.rest, self.length) + self.place[:, None]

    def put_nose(self, fish, point):
        self.place[fish] += point - self.nodes[fish, NOSE_NODE]

    def choose(self, fishes, others, seen=True):
        fishes, others = np.atleast_1d(fishes), np.array(others, dtype=int).reshape(len(np.atleast_1d(fishes)), -1)
        distance = np.linalg.norm(self.place[others] - self.place[fishes][:, None], axis=2)
        elapsed = np.full(len(fishes), 0.1)
        self.courtship.choose(fishes, others, distance, np.full(others.shape, seen), self.intention, elapsed)

    def watch(self, seconds=DT):
        for _ in range(round(seconds / DT)):
            self.courtship.advance(DT, self.nodes, self.frames, self.intention)

    def pair_up(self):
        self.choose([0, 1], [[1], [0]])
        self.watch()

    def loop(self, times):
        """The male reaches the point before the female and swims off again."""
        for _ in range(times):
            courtship = self.courtship
            point = courtship.moving_point(np.array([0]), np.array([1]), self.nodes, self.frames)[0]
            self.put_nose(0, point)
            self.watch()
            self.place[0] = self.place[1] - [1.5, 0.0, 0.0]
            self.watch()

    def circle(self, start, end):
        """She turns on the spot, from so many turns to so many."""
        for angle in 2 * np.pi * np.linspace(start, end, 2 + round(60 * (end - start))):
            self.ahead[1] = [np.cos(angle), np.sin(angle), 0.0]
            self.watch()

    def happened(self):
        return [(e["kind"], e["fish"], e["other"], e.get("stage")) for e in self.courtship.happened]


def test_a_male_likes_who_is_near_and_of_his_kind():
    near = Puppets(1, 2)
    near.place[2] = near.place[0] + [0.0, 4.0, 0.0]
    near.choose(0, [[2, 1]])
    assert near.courtship.partner[0] == 1
    kin = Puppets(1, 2, species=[0, 1, 0], foreigners=1)
    kin.place[2] = kin.place[0] + [0.0, 2.0, 0.0]  # farther, but by less than another species puts him off
    kin.choose(0, [[1, 2]])
    assert kin.courtship.partner[0] == 2


@pytest.mark.parametrize(("foreigners", "partner"), [(0, NO_FISH), (1, 1)])
def test_nobody_courts_another_species_but_in_the_book(foreigners, partner):
    puppets = Puppets(1, 1, species=[0, 1], foreigners=foreigners)
    puppets.choose([0, 1], [[1], [0]])
    assert puppets.courtship.partner[0] == partner


def test_eight_of_another_species_hide_nobody_of_its_own():
    species, males = np.array([0, 0, *[1] * 9]), np.arange(11) == 0
    pairs = courtable(np.ones(11, dtype=bool), males, species, np.zeros(11, dtype=bool))
    assert [(mine.tolist(), others.tolist()) for mine, others in pairs] == [([0], [1]), ([1], [0])]
    everybody = courtable(np.ones(11, dtype=bool), males, species, np.ones(11, dtype=bool))
    assert {row for mine, _ in everybody for row in mine} == set(range(11))


def test_a_female_likes_who_is_large_rather_than_near():
    puppets = Puppets(2, 1, length=[0.3, 0.4, 0.3])
    puppets.place[1] = puppets.place[2] + [0.0, 3.0, 0.0]
    puppets.choose(2, [[0, 1]])
    assert puppets.courtship.partner[2] == 1


def test_who_is_not_seen_is_not_chosen_but_whom_it_has_it_keeps_in_mind_for_a_while():
    puppets = Puppets(1, 1)
    puppets.choose(0, [[1]], seen=False)
    assert puppets.courtship.partner[0] == NO_FISH
    puppets.choose(0, [[1]])
    for _ in range(int(PARTING_SECONDS / 0.1) - 1):
        puppets.choose(0, [[1]], seen=False)
    assert puppets.courtship.partner[0] == 1
    for _ in range(3):
        puppets.choose(0, [[1]], seen=False)
    assert puppets.courtship.partner[0] == NO_FISH


def test_a_female_leaves_alone_whoever_courts_another():
    puppets = Puppets(1, 2, length=[0.5, 0.3, 0.3])
    puppets.courtship.partner[0] = 1
    puppets.choose(2, [[0]])
    assert puppets.courtship.partner[2] == NO_FISH


def test_the_four_stages_follow_each_other():
    puppets = Puppets(1, 1)
    of = Drives()
    puppets.pair_up()
    assert puppets.courtship.stage.tolist() == [LOOPING, LOOPING]
    puppets.loop(of.loops - 1)
    assert puppets.courtship.stage.tolist() == [LOOPING, LOOPING]
    puppets.loop(1)
    assert puppets.courtship.stage.tolist() == [CIRCLING, CIRCLING]
    puppets.circle(0.0, of.turns - 0.01)
    assert puppets.courtship.stage.tolist() == [CIRCLING, CIRCLING]
    puppets.circle(of.turns - 0.01, of.turns + 0.01)
    assert puppets.courtship.stage.tolist() == [ASCENDING, ASCENDING]
    puppets.place[:, 2] += Drives().ascent * 0.3 + 0.01
    puppets.place[0] = puppets.place[1] + [0.1, 0.0, -0.2]
    puppets.watch()
    assert puppets.courtship.stage.tolist() == [NUZZLING, NUZZLING]
    for nudge in range(of.nudges):
        assert puppets.courtship.count[0] == nudge
        puppets.place[0] = puppets.place[1] - [1.0, 0.0, 0.3]
        puppets.watch(RETREAT_SECONDS + WAIT_SECONDS + 2 * DT)
        puppets.put_nose(0, abdomen_of(puppets.nodes[[1]])[0])
        puppets.watch()
    assert puppets.courtship.stage.tolist() == [APART, APART]
    assert puppets.courtship.partner.tolist() == [NO_FISH, NO_FISH]
    stages = [("courtship", 0, 1, stage) for stage in COURTSHIP_STAGES]
    assert puppets.happened() == [*stages, ("spawned", 0, 1, None)]


def test_staying_at_the_moving_point_counts_once():
    puppets = Puppets(1, 1)
    puppets.pair_up()
    for _ in range(48):
        point = puppets.courtship.moving_point(np.array([0]), np.array([1]), puppets.nodes, puppets.frames)[0]
        puppets.put_nose(0, point)
        puppets.watch()
    assert puppets.courtship.count[0] == 1


def test_a_larger_male_wins_her_over_until_she_circles():
    puppets = Puppets(2, 1, length=[0.3, 0.4, 0.3])
    courtship = puppets.courtship
    puppets.choose([0, 2], [[2], [0]])
    puppets.watch()
    puppets.choose([1, 2], [[2, 2], [0, 1]])
    puppets.watch()
    assert courtship.partner.tolist() == [2, 2, 1]
    assert courtship.stage.tolist() == [LOOPING, LOOPING, LOOPING]
    puppets.watch(COURTING_PATIENCE_SECONDS + 1)
    assert courtship.partner[0] == NO_FISH  # the smaller one has given up
    puppets.choose(0, [[2]])
    assert courtship.partner[0] == NO_FISH  # and sulks
    puppets.watch(SULKING_SECONDS)
    puppets.choose(0, [[2]])
    assert courtship.partner[0] == 2

    late = Puppets(2, 1, length=[0.3, 0.4, 0.3])
    late.courtship.partner[:] = [2, NO_FISH, 0]
    late.courtship.stage[[0, 2]] = CIRCLING
    late.choose([1, 2], [[2, 2], [0, 1]])
    assert late.courtship.partner.tolist() == [2, NO_FISH, 0]


def test_a_short_interruption_keeps_a_couple_together_and_a_long_one_does_not():
    puppets = Puppets(1, 1)
    puppets.pair_up()
    puppets.loop(3)
    puppets.intention[1] = AVOID
    puppets.watch(PARTING_SECONDS - 1)
    puppets.intention[1] = MATE
    puppets.watch()
    assert puppets.courtship.count[0] == 3
    puppets.loop(Drives().loops - 3)
    assert puppets.courtship.stage.tolist() == [CIRCLING, CIRCLING]
    puppets.intention[0] = EAT
    puppets.watch(PARTING_SECONDS + 1)
    assert puppets.courtship.stage.tolist() == [APART, APART]


def test_whoever_dies_is_courted_no_more():
    puppets = Puppets(2, 1)
    puppets.choose([0, 1, 2], [[2, 2], [2, 2], [0, 1]])
    puppets.watch()
    puppets.courtship.leave(np.array([2]))
    assert (puppets.courtship.partner == NO_FISH).all()
    assert (puppets.courtship.stage == APART).all()


def test_where_females_are_the_larger_ones_nobody_courts_across_that():
    """Of anemonefish the largest is the female (Fricke & Fricke 1977)."""
    length, everyone = np.array([0.10, 0.14, 0.12, 0.14]), np.arange(4)  # two males, then two females
    sexes, drives = everyone < 2, table([Drives()] * 4, Drives)
    alike, larger = (
        Courtship(sexes, np.zeros(4, dtype=int), drives, length, 20.0, np.full(4, rule)) for rule in (False, True)
    )
    males, females = np.array([[2, 3], [2, 3]]), np.array([[0, 1], [0, 1]])
    assert alike.suits(everyone[:2], males).all() and alike.suits(everyone[2:], females).all()
    assert larger.suits(everyone[:2], males).tolist() == [[True, True], [False, True]]
    assert larger.suits(everyone[2:], females).tolist() == [[True, False], [True, True]]
