"""Hunger, libido and fear, against values worked out by hand from the formulas of Tu 1999, §7.4."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from artfish.core.behavior.mental_state import MentalState, fear, stimulus

BOOK = {
    "p0": 0.00067,
    "p1": 0.0025,
    "D0": 200.0,
    "appetite": 2.0,
    "alpha_h": 0.8,
    "alpha_l": 0.5,
    "q1_h": 0.05,
    "q2_h": 0.2,
    "q1_l": 0.025,
    "q2_l": 0.1,
    "book_metres": 0.1,
    "book_seconds": 0.5,
}
FAR = np.inf
UNIT = st.floats(0.0, 1.0)
DISTANCE = st.floats(0.0, 1e6) | st.just(FAR)


def traits(fishes: int = 1, **changes) -> np.ndarray:
    """The book's constants for each fish but for these, each one number or one a fish."""
    made = np.zeros(fishes, dtype=[(name, float) for name in BOOK])
    for name, value in (BOOK | changes).items():
        made[name] = value
    return made


def minds(hunger=0.5, libido=0.0, fishes: int = 1, **changes) -> MentalState:
    return MentalState(traits(fishes, **changes), np.full(fishes, hunger), np.full(fishes, libido))


def after(mind: MentalState, book_time: float = 0.0, food: float = FAR, mate: float = FAR) -> tuple[float, float]:
    """Hunger and libido of one fish after some book time, with food and a mate at these book lengths."""
    mind.advance(0.5 * book_time)
    mind.feel(np.array([0.1 * food]), np.array([0.1 * mate]), np.zeros(1))
    return mind.hunger[0], mind.libido[0]


FOOD_TABLE = [(FAR, 0.0), (30.0, 0.0), (20.0, 0.0), (10.0, 0.2), (8.0, 1 / 3), (5.0, 1.0), (4.0, 1.0), (0.0, 1.0)]
MATE_TABLE = [(FAR, 0.0), (40.0, 0.0), (20.0, 0.2), (16.0, 1 / 3), (10.0, 1.0), (0.0, 1.0)]


@pytest.mark.parametrize(("q1", "q2", "table"), [(0.05, 0.2, FOOD_TABLE), (0.025, 0.1, MATE_TABLE)])
def test_the_stimulus_is_a_soft_step(q1, q2, table):
    distance, wanted = np.array(table).T
    assert stimulus(distance, q1, q2) == pytest.approx(wanted, abs=1e-12)


def test_who_is_ripe_and_hungry_wants_a_mate_once_it_is_fed():
    """The last mating was so long ago: hunger holds libido down, and a meal lets go of it."""
    ripe = MentalState(traits(2, appetite=2.0), np.array([0.5, 0.0]), np.zeros(2), np.array([0.3, 0.3]))
    assert ripe.libido == pytest.approx([0.15, 0.3])
    ripe.fed(np.array([0]), 1.0)
    ripe.feel(np.full(2, FAR), np.full(2, FAR), 0.0)
    assert ripe.libido[0] == pytest.approx(0.3)


def test_the_stimulus_with_one_threshold_is_a_step():
    assert stimulus(np.array([FAR, 11.0, 9.0, 0.0]), 0.1, 0.1).tolist() == [0, 0, 1, 1]
    assert stimulus(np.array([FAR, 9.0]), 0.0, 0.0).tolist() == [0, 1]


@given(DISTANCE, DISTANCE, UNIT, UNIT)
def test_nearer_beckons_no_less(a, b, q, p):
    low, high = sorted((q, p))
    near, far = stimulus(np.sort([a, b]), low, high)
    assert 0 <= far <= near <= 1


def test_each_fish_has_thresholds_of_its_own():
    distance = np.array([10.0, 10.0])
    assert stimulus(distance, np.array([0.05, 0.025]), np.array([0.2, 0.1])) == pytest.approx([0.2, 1.0])


FEAR_TABLE = [
    ((FAR, FAR, FAR), (1, 1, 1), (0.0, 0.0, 0.0), 0.0),
    ((400.0, 1000.0, 2000.0), (1, 1, 1), (0.5, 0.2, 0.1), 0.8),
    ((400.0, 1000.0, 2000.0), (0, 1, 1), (0.0, 0.2, 0.1), 0.3),
    ((400.0, 400.0, 1000.0), (1, 1, 1), (0.5, 0.5, 0.2), 1.0),
    ((100.0, 1000.0, 2000.0), (1, 0, 0), (1.0, 0.0, 0.0), 1.0),
    ((0.0, 0.0, 800.0), (1, 0, 1), (1.0, 0.0, 0.25), 1.0),
    ((0.0, np.nan, 1.0), (0, 0, 0), (0.0, 0.0, 0.0), 0.0),
]


def test_fear_of_each_predator_and_of_all():
    distance, seen, each, total = (np.array(column) for column in zip(*FEAR_TABLE, strict=True))
    for D0 in (200.0, np.full(len(total), 200.0)):
        found, sum_of_them = fear(distance, seen.astype(bool), D0)
        assert found == pytest.approx(each) and sum_of_them == pytest.approx(total)


def test_cowards_fear_from_farther_off():
    distance, seen = np.full((3, 1), 1000.0), np.ones((3, 1), dtype=bool)
    assert fear(distance, seen, np.array([100.0, 200.0, 500.0]))[1] == pytest.approx([0.1, 0.2, 0.5])


def test_without_predators_there_is_no_fear():
    each, total = fear(np.zeros((4, 0)), np.zeros((4, 0), dtype=bool), 200.0)
    assert each.shape == (4, 0) and total.tolist() == [0, 0, 0, 0]


@given(st.floats(0.0, 1e4), st.floats(0.0, 1e4), st.floats(0.0, 1e4))
def test_one_more_predator_never_comforts(a, b, D0):
    one, two = (fear(np.array([[a, b]]), np.array([[True, seen]]), D0)[1][0] for seen in (False, True))
    assert 0 <= one <= two <= 1


# Starting hunger, meals, book time, distance of food in book lengths, hunger; all with an appetite of 2.
HUNGER_TABLE = [
    (0.5, 0.0, 0.0, FAR, 0.5),
    (0.5, 0.0, 500.0, FAR, 1 - 0.665 / 2),
    (0.5, 0.0, 1492.0, FAR, 1 - 0.00036 / 2),
    (0.5, 0.0, 1493.0, FAR, 1.0),
    (0.5, 0.0, 0.0, 10.0, 0.66),
    (0.5, 0.0, 0.0, 5.0, 1.0),
    (1.0, 0.0, 0.0, FAR, 1.0),
    (1.0, 1.0, 0.0, FAR, 0.5),
    (1.0, 1.5, 1000.0, FAR, 1 - 1.5 * 0.33 / 2),
    (0.0, 0.0, 0.0, 10.0, 0.16),
    (0.0, 1.0, 0.0, 10.0, 0.0),
    (0.0, 1.0, 0.0, 4.0, 0.3),
    (0.0, 2.0, 0.0, 4.0, 0.0),
    (0.0, 2.0, 1493.0, FAR, 1.0),
]


@pytest.mark.parametrize(("start", "meal", "time", "food", "wanted"), HUNGER_TABLE)
def test_hunger(start, meal, time, food, wanted):
    mind = minds(start)
    if meal:
        mind.fed(np.array([0]), meal)
    assert after(mind, time, food)[0] == pytest.approx(wanted, abs=1e-12)


def test_what_is_digested_is_gone():
    mind = minds(0.0)
    mind.advance(0.5 * 1493)
    mind.fed(np.array([0]), 1.0)  # upon 2 digested before
    assert after(mind)[0] == pytest.approx(0.5)
    mind.advance(0.5 * 1000)
    mind.fed(np.array([0]), 0.5)  # upon 1 that is not, and that fills again with the new meal
    assert mind.eaten[0] == 1.5 and after(mind)[0] == pytest.approx(0.25)


def test_ravenous_fishes_digest_sooner():
    assert after(minds(0.0, p0=0.005), 150.0)[0] == pytest.approx(0.75)
    assert after(minds(0.0, p0=0.0), 1e6)[0] == 0


# Starting hunger and libido, book time, distances of food and of a mate, libido.
LIBIDO_TABLE = [
    (0.2, 0.4, 0.0, FAR, FAR, 0.4),
    (0.2, 0.4, 100.0, FAR, FAR, 0.5598),  # H = 1 - 1.6 * 0.933 / 2 = 0.2536, L = 0.0025 * 300 * 0.7464
    (0.2, 0.4, 100.0, FAR, 20.0, 0.6598),
    (0.2, 0.4, 0.0, 10.0, FAR, 0.32),  # H = 0.36, L = 0.0025 * 200 * 0.64
    (0.2, 0.4, 0.0, 4.0, FAR, 0.0),
    (0.2, 0.4, 0.0, 4.0, 8.0, 0.5),
    (0.2, 0.9, 0.0, FAR, 8.0, 1.0),
    (0.0, 0.0, 0.0, FAR, FAR, 0.0),
    (0.0, 0.0, 0.0, FAR, 16.0, 1 / 6),
]


@pytest.mark.parametrize(("hunger", "libido", "time", "food", "mate", "wanted"), LIBIDO_TABLE)
def test_libido(hunger, libido, time, food, mate, wanted):
    assert after(minds(hunger, libido), time, food, mate)[1] == pytest.approx(wanted, abs=1e-12)


def test_mating_quenches_libido_until_it_grows_again():
    mind = minds(0.0, 0.8, p0=0.0)
    mind.mated(np.array([0]))
    assert after(mind)[1] == 0
    assert after(mind, 40.0)[1] == pytest.approx(0.1)
    assert after(mind, 1e5)[1] == 1


@given(UNIT, UNIT, st.floats(1e-4, 0.01), st.floats(0.1, 100.0))
def test_it_starts_as_it_is_told(hunger, libido, p1, appetite):
    assume(hunger < 1 - 1e-6)
    mind = minds(hunger, libido, p1=p1, appetite=appetite)
    told = pytest.approx((hunger, libido), abs=1e-9)
    assert (mind.hunger[0], mind.libido[0]) == told and after(mind) == told


def test_a_famished_fish_has_no_libido_until_it_has_eaten():
    mind = minds(1.0, 0.6)
    assert (mind.hunger[0], mind.libido[0]) == (1, 0)
    mind.fed(np.array([0]), 2.0)
    assert after(mind) == pytest.approx((0.0, 0.6))
    assert minds(0.3, 0.6, p1=0.0).libido[0] == 0


@given(UNIT, UNIT, st.floats(0, 5), st.floats(0, 1e4), st.floats(0, 1e4), DISTANCE, DISTANCE)
def test_desires_keep_within_bounds_and_grow_with_time_and_stimulus(h, l0, meal, early, later, food, mate):
    mind = minds(h, l0)
    mind.fed(np.array([0]), meal)
    first, _ = after(mind, early)
    beckoned, courted = after(mind, 0.0, food, mate)
    second, alone = after(mind, later)
    assert 0 <= first <= second <= 1 and first <= beckoned <= 1
    assert 0 <= courted <= 1 and 0 <= alone <= 1
    assert after(mind, 0.0, FAR, mate)[1] >= alone


def test_meals_add_up_even_of_one_fish_in_one_go():
    mind = minds(1.0, fishes=4)
    mind.advance(10.0)
    mind.fed(np.array([2, 0, 2]), np.array([0.25, 1.0, 0.5]))
    assert mind.eaten.tolist() == [1.0, 0.0, 0.75, 0.0] and mind.since_meal.tolist() == [0, 20, 0, 20]
    mind.fed(np.array([1, 1, 1]), 0.5)
    assert mind.eaten.tolist() == [1.0, 1.5, 0.75, 0.0]
    mind.feel(np.full(4, FAR), np.full(4, FAR), np.zeros(4))
    assert mind.hunger == pytest.approx([0.5, 0.25, 0.625, 1.0])


def test_an_empty_mouthful_is_no_meal():
    mind = minds(0.5, fishes=2)
    mind.advance(10.0)
    mind.fed(np.array([0, 1]), np.array([0.0, 0.5]))
    assert mind.since_meal.tolist() == [20.0, 0.0]


def test_fear_is_felt_as_it_comes():
    mind, seen = minds(fishes=2), np.array([0.3, 1.0])
    mind.feel(np.full(2, FAR), np.full(2, FAR), seen)
    seen[:] = 0.0
    assert mind.fear.tolist() == [0.3, 1.0]


def crowd(rng: np.random.Generator, fishes: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    changes = {name: value * rng.uniform(0.5, 1.5, fishes) for name, value in BOOK.items() if name[0] != "q"}
    return traits(fishes, **changes), rng.uniform(0, 1, fishes), rng.uniform(0, 1, fishes)


def live(mind: MentalState, fishes: np.ndarray, seed: int, steps: int) -> np.ndarray:
    """Hunger, libido and fear of these of 20 fishes in some steps, in which all throw the same."""
    rng, felt = np.random.default_rng(seed), []
    for _ in range(steps):
        eats, mates = rng.uniform(0, 1, (2, 20)) < 0.1
        meal, food, mate, dread = rng.uniform(0, 1, 20), *rng.uniform(0, 3, (2, 20)), rng.uniform(0, 1, 20)
        mind.advance(7.0)
        rows = np.flatnonzero(eats[fishes])
        mind.fed(rows, meal[fishes][rows])
        mind.mated(np.flatnonzero(mates[fishes]))
        mind.feel(food[fishes], mate[fishes], dread[fishes])
        felt.append((mind.hunger, mind.libido, mind.fear))
    return np.array(felt)


def test_fishes_mind_nobody_else():
    of, hunger, libido = crowd(np.random.default_rng(1), 20)
    together = live(MentalState(of, hunger, libido), np.arange(20), 2, 30)
    assert together.std(axis=0).min() > 0
    for fish in range(20):
        one = np.array([fish])
        alone = live(MentalState(of[one], hunger[one], libido[one]), one, 2, 30)
        assert np.array_equal(alone[..., 0], together[..., fish])


def test_a_saved_mind_goes_on_as_if_nothing_had_been():
    of, hunger, libido = crowd(np.random.default_rng(3), 20)
    mind, everyone = MentalState(of, hunger, libido), np.arange(20)
    live(mind, everyone, 4, 10)
    saved = mind.state()
    kept = {name: values.copy() for name, values in saved.items()}
    onward = live(mind, everyone, 5, 10)
    assert all(np.array_equal(saved[name], kept[name]) for name in kept)

    other = MentalState(of, 1 - hunger, 1 - libido)
    other.restore(saved)
    assert all(np.array_equal(other.state()[name], kept[name]) for name in kept)
    assert np.array_equal(live(other, everyone, 5, 10), onward)
    assert all(np.array_equal(saved[name], kept[name]) for name in kept)
    del saved["eaten"]
    with pytest.raises(KeyError):
        other.restore(saved)
