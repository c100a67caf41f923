"""Order, milling, parties and waves of schools are measured as they are: on schools that are drawn by formula."""

import numpy as np
import pytest

from artfish.studies.life import company


def directions(azimuth: np.ndarray) -> np.ndarray:
    """Unit vectors on the level, (..., 3)."""
    return np.stack([np.cos(azimuth), np.sin(azimuth), 0 * azimuth], axis=-1)


def test_a_school_that_heads_one_way_is_polar_and_one_split_in_two_is_not():
    one_way, apart = np.full((3, 10), 0.7), np.tile([0.0, np.pi], 5)[None]
    assert company.order(directions(one_way)) == pytest.approx(1.0)
    assert company.order(directions(apart)) == pytest.approx(0.0, abs=1e-12)


@pytest.mark.parametrize("spread", [0.3, 0.8])
def test_headings_spread_evenly_have_the_order_of_their_sine(spread):
    azimuth = np.linspace(-spread, spread, 2001)[None]
    assert company.order(directions(azimuth)) == pytest.approx(np.sin(spread) / spread, rel=1e-3)


def test_who_is_missing_does_not_count():
    headings = directions(np.zeros((1, 4)))
    headings[0, 3] = np.nan
    assert company.order(headings) == pytest.approx(1.0)


def test_a_ring_mills_whichever_way_it_goes_round_and_is_in_no_order():
    around = np.linspace(0.0, 2 * np.pi, 24, endpoint=False)[None]
    places = 3.0 * directions(around) + np.array([7.0, -2.0, 1.0])
    for side in (0.5 * np.pi, -0.5 * np.pi):
        mill, polar = company.milling(places, directions(around + side)), company.order(directions(around + side))
        assert mill == pytest.approx(1.0) and polar == pytest.approx(0.0, abs=1e-12)
        assert company.states(polar, mill)["mill"] == 1.0
    assert company.milling(places, directions(0 * around)) == pytest.approx(0.0, abs=1e-12)


def test_states_share_all_of_the_time():
    shares = company.states(np.array([0.9, 0.9, 0.1, 0.5]), np.array([0.1, 0.1, 0.1, 0.5]))
    assert shares == {"polar": 0.5, "mill": 0.0, "swarm": 0.25, "between": 0.25}


def test_the_largest_party_is_the_one_with_most_fishes_near_each_other():
    place = np.concatenate([np.arange(6.0), 100.0 + np.arange(4.0)])[:, None] * np.array([1.0, 0.0, 0.0])
    assert company.largest_party(place, np.ones(10)) == 0.6


def test_the_delay_of_a_wave_grows_with_the_distance_and_that_of_a_start_together_does_not():
    place = np.random.default_rng(3).uniform(0, 10, (60, 3))
    away = np.linalg.norm(place - place[4], axis=1)
    assert company.wave_correlation(away / 3.0, place) == pytest.approx(1.0)
    foe = np.array([20.0, 5.0, 5.0])
    from_foe = np.linalg.norm(place - foe, axis=1)
    assert company.wave_correlation(from_foe, place, foe) == pytest.approx(1.0)
    assert company.wave_correlation(from_foe, place) < 0.98  # a front of them is as near to it as who began
    some = np.where(np.arange(60) % 3 == 1, away, np.nan)  # fish 4 among them
    assert company.wave_correlation(some, place) == pytest.approx(1.0)
    assert np.isnan(company.wave_correlation(np.where(np.arange(60) == 4, 0.0, 1.0), place))
    assert np.isnan(company.wave_correlation(np.where(np.arange(60) < 4, 1.0, np.nan), place))
    at_random = np.random.default_rng(4).permutation(60).astype(float)
    assert abs(company.wave_correlation(at_random, place)) < 0.4  # three deviations of 1 / root of 58


def school(turn_after, fps=24, seconds=20.0, turn=np.pi / 2):
    """Headings and places of a line of fishes, each of which turns so many seconds after ten."""
    t, after = np.arange(round(seconds * fps))[:, None] / fps, np.asarray(turn_after)
    azimuth = turn * np.clip(t - 10.0 - after, 0.0, 1.0)
    places = np.stack([np.arange(len(after)), np.zeros(len(after)), np.zeros(len(after))], axis=1)
    return directions(azimuth), np.broadcast_to(places, (len(t), *places.shape)), fps


@pytest.mark.parametrize("turn", [np.pi / 2, -np.pi / 2])
def test_a_turn_that_passes_from_neighbour_to_neighbour_is_a_wave_and_one_of_all_together_is_none(turn):
    (passed,) = company.turn_waves(*school(0.1 * np.arange(10), turn=turn))
    assert passed == pytest.approx(1.0, abs=0.02)
    (mixed,) = company.turn_waves(*school([0.0, 0.5, 0.1, 0.4, 0.2, 0.3, 0.2, 0.4, 0.1, 0.5], turn=turn))
    assert abs(mixed) < 0.5
    (together,) = company.turn_waves(*school(np.zeros(10), turn=turn))
    assert np.isnan(together)
    assert company.turn_waves(*school(np.zeros(10), turn=0.2 * turn)) == []


def test_prey_that_parts_and_comes_round_behind_a_predator_makes_a_fountain_and_prey_that_flees_ahead_none():
    frames, fps = 240, 24
    t = np.arange(frames)[:, None] / fps
    predator = directions(np.zeros(frames)) * (t - 5.0)
    prey = np.tile(np.array([[0.0, y, 0.0] for y in (-0.8, -0.5, 0.4, 0.6)]), (frames, 1, 1))
    its = directions(np.zeros(frames))
    parted = company.passage(prey, directions(np.full((frames, 4), np.pi)), predator, its, 1.0, fps)
    assert parted.lesser == 0.5 and parted.against == 1.0 and parted.nearest < 0.1
    onward = company.passage(np.abs(prey), directions(np.zeros((frames, 4))), predator, its, 1.0, fps)
    assert onward.lesser == 0.0 and onward.against == 0.0


def test_nearest_neighbours_their_angles_and_speeds():
    places = np.array([[[0.0, 0, 0], [1.0, 0, 0], [1.0, 0, 3.0]]] * 4)
    mates = company.nearest(places)
    assert mates.tolist() == [[1, 0, 1]] * 4
    assert company.steepness(places, mates)[0] == pytest.approx([0.0, 0.0, 90.0])
    speed = np.array([[1.0, 1.0, 3.0], [2.0, 2.0, 2.0], [3.0, 3.0, 1.0], [4.0, 4.0, 0.0]])
    assert company.coupling(speed, mates) == pytest.approx([1.0, 1.0, -1.0])


def test_a_wave_has_the_speed_at_which_it_spreads():
    places = np.random.default_rng(0).uniform(0.0, 2.0, (30, 3))
    delay = 0.1 + np.linalg.norm(places - places[4], axis=1) / 5.0
    delay[7] = np.nan
    assert company.wave_speed(delay, places) == pytest.approx(5.0)
    assert company.wave_speed(np.full(30, 0.2), places) == np.inf
    assert np.isnan(company.wave_speed(np.full(30, np.nan), places))
