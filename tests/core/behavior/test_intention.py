"""The intention generator: its order, its memory, inhibitory gain and fatigue (Tu 1999, §7.5 and §7.7)."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from artfish.core import Recording
from artfish.core.behavior.intention import (
    AVOID,
    EAT,
    ENABLED,
    ESCAPE,
    LEAVE,
    MATE,
    NOTHING,
    PACIFIST,
    PREDATOR,
    PREY,
    RULE_NAMES,
    RULES,
    SCHOOL,
    WANDER,
    IntentionGenerator,
    Pressures,
)
from artfish.core.behavior.tuning import CROWDED_SHARE, FLIGHT_SHARE, LEAST_BOUT_SECONDS, SEARCH_SECONDS

GENERIC = 3  # a type that may have every intention
ALL_TYPES = np.vstack((ENABLED, np.ones(7, dtype=bool)))
NOMINAL = {"f0": 0.25, "f1": 0.5, "r": 0.25, "gain": 0.2, "fatigue": np.inf}
NAMES = "danger", "together", "fear_total", "fear_most", "hunger", "libido", "content", "within_reach", "chance"
PEACE = {
    "danger": False,
    "together": True,
    "fear_total": 0.0,
    "fear_most": 0.0,
    "hunger": 0.0,
    "libido": 0.0,
    "content": True,
    "within_reach": (True, True),
    "chance": 0.5,
}
SCARE = {"fear_total": 0.9, "fear_most": 0.9}


def traits(fishes: int = 1, **changes) -> np.ndarray:
    made = np.zeros(fishes, dtype=[(name, float) for name in NOMINAL])
    for name, value in (NOMINAL | changes).items():
        made[name] = value
    return made


class Fish:
    """One fish and what goes on in it, moment by moment."""

    def __init__(self, kind: int = GENERIC, schooling: bool = False, memory: bool = True, composure=0.0, **changes):
        self.mind = IntentionGenerator(
            np.array([kind], dtype=np.int8), traits(**changes), np.array([schooling]), memory, ALL_TYPES, composure
        )
        self.resumed = False

    def now(self, seconds: float = 0.5, **moment) -> int:
        given_now = [np.array([(PEACE | moment)[name]]) for name in NAMES]
        intention, resumed = self.mind.decide(np.array([0]), Pressures(*given_now[:-1]), seconds, given_now[-1])
        assert intention.dtype == np.int8 and resumed.dtype == bool and intention[0] == self.mind.intention[0]
        self.resumed = bool(resumed[0])
        return int(intention[0])

    @property
    def stored(self) -> int:
        return int(self.mind.stored[0])


def test_the_names_are_those_of_recordings():
    order = (AVOID, ESCAPE, SCHOOL, EAT, MATE, LEAVE, WANDER)
    assert [Recording.INTENTIONS[i] for i in order] == ["avoid", "escape", "school", "eat", "mate", "leave", "wander"]


# Most pressing first: each holds although all below it would, too.
PRIORITIES = [
    ({"danger": True}, AVOID),
    (SCARE, ESCAPE),
    ({"hunger": 0.6}, EAT),
    ({"libido": 0.5}, MATE),
    ({"content": False}, LEAVE),
    ({}, WANDER),
]


@pytest.mark.parametrize("first", range(len(PRIORITIES)))
def test_the_more_pressing_comes_first(first):
    moment = {}
    for cause, _ in PRIORITIES[first:]:
        moment |= cause
    assert Fish().now(**moment) == PRIORITIES[first][1]


def test_who_flees_goes_on_for_a_while_and_in_the_book_not():
    """Whom a wall or its own turned tail hides a foe from for a moment does not forget it and turn back."""
    for composure in (5.0, 0.0):
        fish, lasts = Fish(composure=composure), FLIGHT_SHARE * composure
        assert fish.now(**SCARE) == ESCAPE
        after = [fish.now(0.25) for _ in range(12)]
        assert after == [ESCAPE if 0.25 * (n + 1) < lasts else WANDER for n in range(12)]
        assert fish.now(hunger=0.6) == EAT


# What happens, to a fish with the schooling habit and without, f0 = r = 0.25 and f1 = 0.5.
THRESHOLDS = [
    ({"fear_total": 0.25, "fear_most": 0.25}, SCHOOL, WANDER),
    ({"fear_total": 0.26, "fear_most": 0.26}, SCHOOL, ESCAPE),
    ({"fear_total": 0.9, "fear_most": 0.49}, SCHOOL, ESCAPE),
    ({"fear_total": 0.9, "fear_most": 0.5}, ESCAPE, ESCAPE),
    ({"fear_total": 0.26, "fear_most": 0.26, "hunger": 1.0}, SCHOOL, ESCAPE),
    ({"fear_total": 0.25, "fear_most": 0.25, "hunger": 1.0}, EAT, EAT),
    ({"hunger": 0.25, "libido": 0.25}, SCHOOL, WANDER),
    ({"hunger": 0.26, "libido": 0.25}, EAT, EAT),
    ({"hunger": 0.25, "libido": 0.26}, MATE, MATE),
    ({"hunger": 0.7, "libido": 0.8}, MATE, MATE),
    ({"content": False}, SCHOOL, LEAVE),
    ({"together": False}, WANDER, WANDER),
    ({"together": False, "content": False}, LEAVE, LEAVE),
    ({"together": False, "fear_total": 0.26, "fear_most": 0.26}, SCHOOL, ESCAPE),
]


@pytest.mark.parametrize(("moment", "sociable", "loner"), THRESHOLDS)
def test_thresholds(moment, sociable, loner):
    assert Fish(schooling=True).now(**moment) == sociable
    assert Fish(schooling=False).now(**moment) == loner


TYPES = [
    ({"danger": True}, AVOID, AVOID, AVOID),
    (SCARE, WANDER, ESCAPE, WANDER),
    ({"fear_total": 0.9, "fear_most": 0.3}, WANDER, SCHOOL, WANDER),
    (SCARE | {"hunger": 0.6}, EAT, ESCAPE, EAT),
    ({"hunger": 0.6, "libido": 0.9}, EAT, EAT, MATE),
    ({"libido": 0.9}, WANDER, SCHOOL, MATE),
    ({"content": False}, WANDER, SCHOOL, LEAVE),
    ({}, WANDER, SCHOOL, WANDER),
]


@pytest.mark.parametrize(("moment", "predator", "prey", "pacifist"), TYPES)
def test_types_differ_in_what_they_may_intend(moment, predator, prey, pacifist):
    for kind, wanted in ((PREDATOR, predator), (PREY, prey), (PACIFIST, pacifist)):
        assert Fish(kind, schooling=True).now(**moment) == wanted
    assert Fish(PREY).now(content=False) == LEAVE


@pytest.mark.parametrize("rule", range(len(RULES)))
def test_each_rule_applies_where_it_says(rule, alike):
    """One story a rule, which ends with it; the intention is that of the table."""
    name, threat = RULE_NAMES[rule], {"fear_total": 0.4, "fear_most": 0.4}
    stories = {
        "collision": ({}, [{"danger": True}]),
        "clearance": ({}, [{"danger": True}, {"libido": 0.6}]),
        "flight": ({}, [SCARE]),
        "alarm": ({}, [SCARE, {}]),
        "fear": ({"schooling": True}, [threat]),
        "regrouping": ({"schooling": True}, [SCARE, {"seconds": 9.0}]),
        "persistence": ({}, [{"hunger": 0.6}, {"hunger": 0.1}]),
        "memory": ({}, [{"hunger": 0.6}, {"hunger": 0.6, "danger": True}, {"hunger": 0.6}]),
        "appetite": ({}, [{"libido": 0.6}]),
        "way": ({}, [{"seconds": 9.0}]),
        "company": ({"schooling": True}, [{"seconds": 9.0}]),
        "discomfort": ({}, [{"content": False, "seconds": 9.0}]),
        "whim": ({}, [{"seconds": 9.0}]),
    }
    habits, story = stories[name]

    def told():
        fish = Fish(composure=2.0, **habits)
        if name == "way":
            fish.mind.bear(np.array([0]), np.array([True]), np.array([False]), np.array([0.2]))
        ends = [fish.now(**{"seconds": 0.3, **moment}) for moment in story]
        return np.array([ends[-1], fish.mind.cause[0], fish.mind.intention[0]])

    alike(told, "intend")
    end, cause, held = told().tolist()
    assert RULE_NAMES[cause] == name and end == held
    assert RULES[rule].intention in (end, None) and RULES[rule].when and RULES[rule].reason


def test_who_has_nothing_within_reach_seeks_as_it_goes_about():
    fish = Fish(schooling=True)
    moment = {"hunger": 0.9, "libido": 0.8}
    assert fish.now(**moment, within_reach=(False, False)) == SCHOOL
    assert fish.now(**moment, within_reach=(False, True)) == MATE
    assert fish.now(**moment, within_reach=(True, True)) == EAT
    assert fish.now(**moment, within_reach=(True, True), danger=True) == AVOID and fish.stored == EAT
    assert fish.now(**moment, within_reach=(False, False)) == SCHOOL and fish.stored == EAT  # it is not forgotten
    assert fish.now(**moment, within_reach=(False, False)) == SCHOOL and fish.stored == EAT
    assert fish.now(hunger=0.5, libido=0.55) == EAT and fish.resumed


def test_food_out_of_sight_is_no_weariness():
    fish = Fish(fatigue=60.0)
    assert fish.now(hunger=0.9) == EAT
    lost = [fish.now(0.5, hunger=0.9, within_reach=(False, True)) for _ in range(22)]
    looks = round(SEARCH_SECONDS / 0.5) - 1
    assert lost == [EAT] * looks + [WANDER] * (22 - looks)
    assert fish.now(hunger=0.9) == EAT


def test_who_is_alone_makes_way_at_once_and_a_school_bears_its_own():
    """A fish of no composure, the book's, makes way for as long as something is in the way."""
    me, crowded, seconds = np.array([0]), np.array([True]), np.array([0.25])

    def lives(composure: float, together: bool, times: int = 12) -> list[int]:
        fish, seen = Fish(schooling=True, composure=composure), []
        for time in range(times):
            fish.mind.bear(me, crowded & (time < 6), np.array([together]), seconds)
            seen.append(fish.now(0.25, together=together))
        return seen

    last = int(LEAST_BOUT_SECONDS / 0.25) - 1
    assert lives(2.5, together=False) == [AVOID] * (6 + last) + [WANDER] * (6 - last)
    patience = int(CROWDED_SHARE * 2.5 / 0.25)
    assert lives(2.5, together=True)[: patience - 1] == [SCHOOL] * (patience - 1)
    assert lives(2.5, together=True)[patience] == AVOID
    assert lives(0.0, together=False) == [AVOID] * 6 + [WANDER] * 6


def test_a_new_type_is_a_row_of_the_table():
    never = [[i not in (EAT, ESCAPE) for i in range(7)]]
    mind = IntentionGenerator(np.zeros(1, int), traits(), np.ones(1, bool), enabled=np.array(never))
    moment = PEACE | {"hunger": 0.9, "libido": 0.3}
    arrays = [np.array([moment[name]]) for name in NAMES]
    assert mind.decide(np.array([0]), Pressures(*arrays[:-1]), 0.5, arrays[-1])[0][0] == MATE


@pytest.mark.parametrize("former", [EAT, MATE])
@pytest.mark.parametrize("chance", [0.0, 0.499, 0.501, 0.999])
def test_in_a_tie_it_keeps_to_what_it_does_and_else_chance_decides(former, chance):
    fish = Fish(fatigue=60.0)
    fish.now(hunger=0.6 if former == EAT else 0.0, libido=0.6 if former == MATE else 0.0)
    for _ in range(10):
        assert fish.now(hunger=0.6, libido=0.6, chance=chance) == former
    assert Fish().now(hunger=0.6, libido=0.6, chance=chance) == (EAT if chance < 0.5 else MATE)
    assert Fish().now(hunger=0.25, libido=0.25, chance=chance) == WANDER


@pytest.mark.parametrize("interruption", [{"danger": True}, SCARE])
@pytest.mark.parametrize("desire", ["hunger", "libido"])
def test_what_was_interrupted_is_resumed(interruption, desire):
    wanted, rival = (EAT, "libido") if desire == "hunger" else (MATE, "hunger")
    fish, forgetful = Fish(), Fish(memory=False)
    for one in (fish, forgetful):
        assert one.now(**{desire: 0.6}) == wanted and not one.resumed
        for _ in range(3):
            assert one.now(**interruption, **{desire: 0.6, rival: 0.7}) in (AVOID, ESCAPE) and not one.resumed
    assert fish.stored == wanted and forgetful.stored == NOTHING
    for _ in range(3):
        assert fish.now(**{desire: 0.6, rival: 0.7}) == wanted and fish.resumed and fish.stored == wanted
        assert forgetful.now(**{desire: 0.6, rival: 0.7}) == (MATE if wanted == EAT else EAT)
        assert not forgetful.resumed and forgetful.stored == NOTHING


def test_one_interruption_after_another():
    fish = Fish()
    fish.now(libido=0.6)
    assert [fish.now(libido=0.6, **cause) for cause in ({"danger": True}, SCARE, {"danger": True})] == [0, 1, 0]
    assert fish.now(libido=0.6) == MATE and fish.resumed
    assert fish.now(libido=0.6, danger=True) == AVOID and fish.stored == MATE
    assert fish.now(libido=0.6, hunger=0.7) == MATE and fish.resumed


def test_what_it_has_begun_lasts_a_while_unless_something_presses():
    """Food that a fish passes tempts it for a blink; of the book's own fish, without composure, it makes a change."""
    blink = [{"hunger": 0.5}, {"hunger": 0.1}] * 4
    steady, book = Fish(composure=1.0), Fish()
    assert [book.now(0.21, **moment) for moment in blink] == [EAT, WANDER] * 4
    assert [steady.now(0.21, **moment) for moment in blink] == [EAT] * 5 + [WANDER] * 3
    assert steady.now(0.21, danger=True) == AVOID and steady.now(0.21, **SCARE) == ESCAPE


def test_who_gets_clear_of_what_stands_goes_on_for_a_while_unless_it_is_afraid():
    """The book's own fish courts again as soon as its way is free, and is at once before the wall again."""
    flickers = [{"danger": True}, {}] * 3 + [{}] * 3
    book, steady = Fish(), Fish(composure=1.0)
    assert [book.now(0.3, libido=0.6, **moment) for moment in flickers] == [AVOID, MATE] * 3 + [MATE] * 3
    assert [steady.now(0.3, libido=0.6, **moment) for moment in flickers] == [AVOID] * 5 + [MATE] * 4
    assert steady.now(0.3, libido=0.6, **SCARE) == ESCAPE
    hunter = Fish(composure=1.0)
    hunter.now(hunger=0.6)
    assert [hunter.now(0.3, hunger=0.6, **moment) for moment in flickers[:4]] == [AVOID, EAT] * 2  # prey gets away


def test_who_has_lost_sight_of_what_it_feared_stays_with_its_school():
    moments = [{"fear_total": 0.4, "fear_most": 0.4, "hunger": 0.5}, {"hunger": 0.5}] * 3
    assert [Fish(schooling=True).now(0.3, **moment) for moment in moments[:2]] == [SCHOOL, EAT]
    fish = Fish(schooling=True, composure=2.5)
    assert [fish.now(0.3, **moment) for moment in moments] == [SCHOOL] * 6
    fish.now(0.3, **SCARE)
    after = [fish.now(0.5, hunger=0.5) for _ in range(12)]
    assert after == sorted(after, key=(ESCAPE, SCHOOL, EAT).index) and set(after) == {ESCAPE, SCHOOL, EAT}


def test_who_gathers_after_a_flight_is_not_weary_of_its_meal():
    fish = Fish(schooling=True, composure=1.0, fatigue=60.0)
    assert fish.now(hunger=0.8) == EAT and fish.now(hunger=0.8, **SCARE) == ESCAPE
    after = [fish.now(0.5, hunger=0.8) for _ in range(14)]
    assert after == sorted(after, key=(ESCAPE, SCHOOL, EAT).index) and after[-1] == EAT


def test_fear_must_have_fallen_for_a_flight_to_end():
    flickers = [{"fear_total": fear, "fear_most": fear} for fear in (0.51, 0.49) * 5]
    book, steady = Fish(schooling=True), Fish(schooling=True, composure=0.1)
    assert [book.now(**moment) for moment in flickers] == [ESCAPE, SCHOOL] * 5
    assert [steady.now(**moment) for moment in flickers] == [ESCAPE] * 10


def test_gathering_in_fear_stores_nothing():
    fish = Fish(schooling=True)
    fish.now(hunger=0.6)
    assert fish.now(fear_total=0.4, fear_most=0.4, hunger=0.6) == SCHOOL and fish.stored == NOTHING


def test_memory_holds_one_thing():
    fish = Fish(schooling=True)
    fish.now(hunger=0.6)
    fish.now(danger=True, hunger=0.6)
    assert fish.stored == EAT
    assert fish.now(fear_total=0.4, fear_most=0.4, hunger=0.6) == SCHOOL and fish.stored == EAT
    assert fish.now(danger=True, hunger=0.6) == AVOID and fish.stored == SCHOOL


@pytest.mark.parametrize("cause", [{"content": False}, {}])
def test_leaving_and_wandering_are_not_remembered(cause):
    fish = Fish()
    assert fish.now(**cause) in (LEAVE, WANDER)
    fish.now(danger=True)
    assert fish.stored == NOTHING


def test_a_satisfied_desire_is_not_resumed_and_is_forgotten():
    fish = Fish()
    fish.now(hunger=0.6)
    fish.now(hunger=0.6, danger=True)
    assert fish.now(hunger=0.25) == WANDER and not fish.resumed and fish.stored == NOTHING
    assert fish.now(hunger=0.3) == EAT and not fish.resumed


def test_what_was_resumed_is_forgotten_when_it_ends():
    fish = Fish()
    fish.now(hunger=0.6)
    fish.now(hunger=0.6, danger=True)
    assert fish.now(hunger=0.26) == EAT and fish.resumed
    assert fish.now(hunger=0.25, libido=0.3) == MATE and not fish.resumed and fish.stored == NOTHING
    assert fish.now(hunger=0.31, libido=0.3) == EAT and not fish.resumed


# Desire that was resumed, its rival's, gain, and whether it holds: rival - gain * desire <= desire.
GAINS = [
    (0.5, 0.59, 0.2, True),
    (0.5, 0.61, 0.2, False),
    (0.5, 0.51, 0.0, False),
    (0.5, 0.5, 0.0, True),
    (0.5, 0.98, 1.0, True),
    (0.3, 0.37, 0.2, False),
]


@pytest.mark.parametrize(("own", "rival", "gain", "holds"), GAINS)
@pytest.mark.parametrize("desires", [("hunger", "libido"), ("libido", "hunger")])
def test_inhibitory_gain_helps_what_is_resumed(own, rival, gain, holds, desires):
    wanted, other = (EAT, MATE) if desires[0] == "hunger" else (MATE, EAT)
    fish = Fish(gain=gain)
    fish.now(**{desires[0]: own})
    fish.now(danger=True)
    assert fish.now(**dict(zip(desires, (own, rival), strict=True))) == (wanted if holds else other)
    assert fish.resumed == holds and fish.stored == wanted


def test_without_an_interruption_there_is_no_gain():
    fish = Fish(gain=0.2)
    fish.now(hunger=0.5)
    assert fish.now(hunger=0.5, libido=0.51) == MATE


def test_what_an_opportunity_interrupts_is_taken_up_again_and_then_harder_to_interrupt():
    fish = Fish(gain=0.2)
    assert fish.now(libido=0.5) == MATE
    assert fish.now(libido=0.5, hunger=0.55) == EAT and fish.stored == MATE
    assert fish.now(libido=0.5, hunger=0.52) == EAT and not fish.resumed  # nothing helps what is not at work
    assert fish.now(libido=0.5, hunger=0.49) == MATE and fish.resumed
    assert fish.now(libido=0.5, hunger=0.59) == MATE  # 0.59 - 0.2 * 0.5 < 0.5
    assert fish.now(libido=0.5, hunger=0.61) == EAT and fish.stored == MATE
    assert fish.now(libido=0.2, hunger=0.61) == EAT and fish.stored == NOTHING  # it is wanted no more
    forgetful = Fish(gain=0.2, memory=False)
    forgetful.now(libido=0.5)
    assert forgetful.now(libido=0.5, hunger=0.55) == EAT and forgetful.stored == NOTHING


def test_a_school_is_resumed_until_hunger_presses():
    fish = Fish(PREY, schooling=True)
    assert fish.now() == SCHOOL and not fish.resumed
    fish.now(danger=True)
    assert fish.stored == SCHOOL
    assert fish.now(hunger=0.29, content=False) == SCHOOL and fish.resumed  # 0.29 - 0.2 * 0.25 < 0.25
    assert fish.now(hunger=0.31) == EAT and not fish.resumed and fish.stored == NOTHING
    assert Fish(PREY, schooling=True).now(hunger=0.29) == EAT


def test_memory_can_be_switched_off_at_any_time():
    fish = Fish()
    fish.now(hunger=0.5)
    fish.now(hunger=0.5, danger=True)
    fish.mind.memory = np.array([False])
    assert fish.now(hunger=0.5, libido=0.51) == MATE and fish.stored == NOTHING


def bouts(intentions: list[int]) -> list[tuple[int, int]]:
    """Each intention with how many times running it was held."""
    begins = [0, *(np.flatnonzero(np.diff(intentions)) + 1), len(intentions)]
    return [(intentions[a], int(b - a)) for a, b in zip(begins[:-1], begins[1:], strict=True)]


def test_a_fruitless_search_ends_rests_and_begins_again():
    fish = Fish(fatigue=60.0)
    (eat, first), (wander, pause), (again, second), *_ = bouts([fish.now(hunger=1.0) for _ in range(450)])
    assert (eat, wander, again) == (EAT, WANDER, EAT)
    # exp(-t / 60) falls below 0.25 after 60 ln 4 = 83.2 s, to which 60 s of rest are as 60 s more of search.
    assert first == 167 and pause == 120 and second == 120
    tireless = Fish(fatigue=np.inf)
    assert bouts([tireless.now(hunger=1.0) for _ in range(450)]) == [(EAT, 450)]


@pytest.mark.film
@pytest.mark.parametrize(("fatigue", "hunger"), [(10.0, 1.0), (60.0, 0.5), (60.0, 0.3)])
def test_the_search_lasts_as_long_as_the_decay_takes(fatigue, hunger):
    fish = Fish(fatigue=fatigue)
    (_, held), *_ = bouts([fish.now(0.1, hunger=hunger) for _ in range(1500)])
    assert 0.1 * held == pytest.approx(fatigue * np.log(hunger / 0.25), abs=0.15)


@pytest.mark.film
@pytest.mark.parametrize("libido", [0.6, 0.89, 0.9])
def test_weariness_shares_time_without_dithering(libido):
    fish = Fish(fatigue=60.0)
    held = bouts([fish.now(hunger=0.9, libido=libido) for _ in range(1500)])
    assert {EAT, MATE} <= {intention for intention, _ in held}
    # The first bout may be short; later the shortest is of wandering, when both need a rest.
    assert all(times > 10 for _, times in held[1:-1]), held


def test_a_rest_gives_back_strength():
    fish, restless = Fish(fatigue=60.0), Fish(fatigue=60.0)
    for one in (fish, restless):
        assert one.now(hunger=1.0) == EAT
        assert one.now(60.0, hunger=1.0) == EAT
    fish.now(hunger=0.0)
    fish.now(60.0, hunger=0.0)
    assert fish.now(hunger=0.3) == EAT
    assert restless.now(hunger=0.3) == WANDER  # 0.3 exp(-1) = 0.11


def test_weariness_ends_what_was_resumed():
    fish = Fish(fatigue=60.0)
    fish.now(hunger=1.0)
    fish.now(hunger=1.0, danger=True)
    held = bouts([fish.now(hunger=1.0) for _ in range(300)])
    assert held[0][0] == EAT and held[1] == (WANDER, 120) and 160 < held[0][1] < 170 and fish.stored == NOTHING


def test_a_meal_that_satisfies_is_no_weariness():
    fish = Fish(fatigue=60.0)
    fish.now(hunger=0.9)
    assert fish.now(10.0, hunger=0.1) == WANDER
    assert fish.now(hunger=0.5) == EAT


def test_who_yields_to_a_stronger_desire_needs_no_rest():
    fish = Fish(fatigue=60.0)
    fish.now(hunger=0.5)
    assert fish.now(hunger=0.5, libido=0.9) == MATE
    assert fish.now(hunger=0.5) == EAT


def test_seconds_in_the_present_intention():
    fish, seen = Fish(), []
    for moment in ({}, {}, {"hunger": 0.6}, {"hunger": 0.6}, {"danger": True}, {"hunger": 0.6}):
        fish.now(0.25, **moment)
        seen.append(fish.mind.since[0])
    assert seen == [0.25, 0.5, 0.0, 0.25, 0.0, 0.0]


def shoal(rng: np.random.Generator, fishes: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    changes = {"f0": 0.3, "f1": 0.6, "gain": rng.uniform(0, 0.4, fishes), "fatigue": rng.uniform(2, 20, fishes)}
    return (
        rng.integers(0, 4, fishes).astype(np.int8),
        traits(fishes, r=rng.uniform(0.2, 0.4, fishes), **changes),
        rng.uniform(0, 1, fishes) < 0.5,
    )


def live(mind: IntentionGenerator, fishes: np.ndarray, seed: int, steps: int) -> np.ndarray:
    """Lets these of 40 fishes decide, about half of them at a time, whatever happens; intentions and resumptions."""
    rng, seen = np.random.default_rng(seed), []
    slow = rng.uniform(0, 1, (2, 40))
    for step in range(steps):
        if step % 8 == 0:
            slow = rng.uniform(0, 1, (2, 40)).round(1)
        awake, danger, company, dread, most, content, reach, crowd, elapsed, chance = rng.uniform(0, 1, (10, 40))
        rows = np.flatnonzero(awake[fishes] < 0.5)
        who = fishes[rows]
        calm = dread[who] < 0.6
        before = mind.intention.copy()
        intention, resumed = mind.decide(
            rows,
            Pressures(
                danger[who] < 0.2,
                together=company[who] < 0.6,
                fear_total=np.where(calm, 0.0, dread[who]),
                fear_most=np.where(calm, 0.0, dread[who] * most[who]),
                hunger=slow[0, who],
                libido=slow[1, who],
                content=content[who] < 0.5,
                within_reach=np.stack((reach[who] < 0.7, reach[who] > 0.2), axis=1),
            ),
            elapsed[who],
            chance[who],
        )
        mind.bear(rows, crowd[who] < 0.3, company[who] < 0.6, elapsed[who])
        assert np.array_equal(mind.intention[rows], intention)
        asleep = np.setdiff1d(np.arange(len(before)), rows)
        assert np.array_equal(mind.intention[asleep], before[asleep])
        held = np.zeros((2, len(before)), dtype=int)
        held[0], held[1, rows] = mind.intention, resumed
        seen.append(held)
    return np.array(seen)


@pytest.fixture(scope="module")
def lives():
    of = shoal(np.random.default_rng(1), 40)
    return of, live(IntentionGenerator(*of, enabled=ALL_TYPES), np.arange(40), 2, 150)


def test_nobody_intends_what_its_type_never_does(lives):
    (kinds, _, _), seen = lives
    for kind in range(4):
        assert set(np.unique(seen[:, 0, kinds == kind])) == set(np.flatnonzero(ALL_TYPES[kind]))
    assert set(np.unique(seen[:, 0][seen[:, 1] == 1])) == {SCHOOL, EAT, MATE}


@pytest.mark.film
def test_fishes_decide_each_for_itself(lives):
    (kinds, of, schooling), together = lives
    for fish in range(40):
        one = np.array([fish])
        mind = IntentionGenerator(kinds[one], of[one], schooling[one], enabled=ALL_TYPES)
        assert np.array_equal(live(mind, one, 2, 150)[..., 0], together[..., fish])


def test_a_saved_mind_goes_on_as_if_nothing_had_been(lives):
    of, _ = lives
    mind, everyone = IntentionGenerator(*of, enabled=ALL_TYPES, composure=2.0), np.arange(40)
    live(mind, everyone, 3, 60)
    saved = mind.state()
    kept = {name: values.copy() for name, values in saved.items()}
    assert all(values.any() for values in kept.values()) and (kept["stored"] >= 0).any()
    onward = live(mind, everyone, 4, 60)

    other = IntentionGenerator(*of, enabled=ALL_TYPES, composure=2.0)
    other.restore(saved)
    for name, values in other.state().items():
        assert np.array_equal(values, kept[name]) and values.dtype == kept[name].dtype
    assert np.array_equal(live(other, everyone, 4, 60), onward)
    assert all(np.array_equal(saved[name], kept[name]) for name in kept)
    fresh = IntentionGenerator(*of, enabled=ALL_TYPES, composure=2.0)
    assert not np.array_equal(live(fresh, everyone, 4, 60), onward)
    del saved["stored"]
    with pytest.raises(KeyError):
        other.restore(saved)


LEVEL = st.floats(0.0, 1.0)


@given(LEVEL, LEVEL, LEVEL, LEVEL, LEVEL, st.sampled_from((EAT, MATE, NOTHING)))
def test_more_of_a_desire_never_turns_a_fish_from_it(hunger, libido, more, gain, chance, stored):
    for desires, wanted in ((("hunger", "libido"), EAT), (("libido", "hunger"), MATE)):
        less_and_more = []
        for own in (hunger, max(hunger, more)):
            fish = Fish(gain=gain)
            if stored != NOTHING:
                fish.now(**{"hunger" if stored == EAT else "libido": 1.0})
                fish.now(danger=True)
                assert fish.stored == stored
            less_and_more.append(fish.now(**dict(zip(desires, (own, libido), strict=True)), chance=chance) == wanted)
        assert less_and_more[0] <= less_and_more[1]


@given(LEVEL, LEVEL, LEVEL, LEVEL)
def test_danger_and_fear_outrank_every_desire(hunger, libido, most, chance):
    fish = Fish(schooling=True)
    moment = {"hunger": hunger, "libido": libido, "fear_most": most, "fear_total": max(most, 0.3), "chance": chance}
    assert fish.now(**moment) == (SCHOOL if most < 0.5 else ESCAPE)
    assert fish.now(danger=True, **moment) == AVOID


def test_compiled_intentions_are_the_same(alike):
    fishes, me = 900, np.arange(1, 900)

    def decided():
        dice, found = np.random.default_rng(5), []
        kinds, social, remembers = dice.integers(0, 4, fishes), *(dice.uniform(size=(2, fishes)) < 0.6)
        gain, fatigue = dice.choice([0.0, 0.2, 1.0], fishes), dice.choice([0.5, 3.0, np.inf], fishes)
        composure = dice.choice([0.0, 2.0], fishes)
        generator = IntentionGenerator(
            kinds, traits(fishes, gain=gain, fatigue=fatigue), social, remembers, ALL_TYPES, composure
        )
        for _ in range(40):
            hunger, libido, total, most = dice.choice([0.0, 0.3, 0.6, 0.7, 1.0], (4, len(me)))
            fright = dice.uniform(size=len(me)) < 0.3
            danger, content = dice.uniform(size=(2, len(me))) < np.array([[0.1], [0.7]])
            company, crowded = dice.uniform(size=(2, len(me))) < np.array([[0.6], [0.2]])
            reach, elapsed = dice.uniform(size=(len(me), 2)) < 0.7, dice.uniform(0.0, 0.6, len(me))
            pressures = Pressures(danger, company, total * fright, most * fright, hunger, libido, content, reach)
            found += generator.decide(me, pressures, elapsed, dice.uniform(size=len(me)))
            generator.bear(me, crowded, company, elapsed)
            found += generator.state().values()
        return tuple(found)

    alike(decided, "intend")
