"""Fits: tracks of our own changed fishes are found again, whoever tries, and nothing is tried twice."""

from concurrent.futures import Future

import numpy as np
import pytest

from artfish.core import SceneError
from artfish.core.farm import jobs
from artfish.core.farm.processes import Processes
from artfish.core.fitting import fit
from artfish.core.fitting.arena import Arena
from artfish.core.fitting.figures import FIGURES
from artfish.core.fitting.fit import FittedFigures, SpeciesFit, TrackHalves, named
from artfish.core.fitting.numbers import MANNERS, QUICKNESS, fit_numbers, species_with_habits
from artfish.core.fitting.trials import swim_fishes
from artfish.core.fitting.tuning import LOOK_RATE, SLOWER_BEATS
from artfish.core.scene.species import Species
from artfish.tests.core.farm.test_takes import Here

BOX = Arena.of((0.0, 0.0, 12.0, 9.0))
OTHERS = {"cruise": 0.95, "schooling": 0.0, "meander": 1.2, "comfort": 2.5, "coast": 0.0, "rest": 0.0}
"""Habits that a sardine does not have."""
SEARCHED = "cruise", "schooling", "comfort", QUICKNESS
"""Numbers of the small fits."""


@pytest.fixture
def small(monkeypatch):
    """Fits of few and short trials."""
    monkeypatch.setattr(fit, "FIT_CANDIDATES", 8)
    monkeypatch.setattr(fit, "JUDGED_WORLDS", 2)
    monkeypatch.setattr(fit, "SWEPT_SHARES", (0.05, 0.5, 0.95))
    monkeypatch.setattr(fit, "fit_numbers", lambda species: [n for n in fit_numbers(species) if n.key in SEARCHED])
    monkeypatch.setattr(fit, "TRIAL_RANGE_SECONDS", (5.5, 6.0))
    monkeypatch.setattr(fit, "FIT_STEP", 0.25)


@pytest.fixture
def tiny(small, monkeypatch):
    """Fits of one number by a look at two of its values, judged in one world."""
    monkeypatch.setattr(fit, "JUDGED_WORLDS", 1)
    monkeypatch.setattr(fit, "SWEPT_SHARES", (0.2, 0.9))
    monkeypatch.setattr(fit, "FIT_CANDIDATES", 4)
    monkeypatch.setattr(fit, "fit_numbers", lambda species: fit_numbers(species)[-1:])


@pytest.fixture(scope="module")
def swum():
    """Places of four fishes of other habits, (frame, fish, 2) in lengths, and their rate."""
    common = {"species": Species.load("sardine").to_dict(), "arena": BOX.to_dict(), "fishes": 4, "seconds": 24.0}
    return np.array(swim_fishes({"values": OTHERS, "seed": 11}, common)), LOOK_RATE


def searching(swum, folder, seed=0):
    places, rate = swum
    halves, _ = TrackHalves.of(places, rate, 1.0, BOX)
    return SpeciesFit(halves, Species.load("sardine"), folder, seed)


@pytest.mark.film
def test_fishes_of_other_habits_are_found_again(swum, small, tmp_path):
    """A school has become loners, by the habits that they have: how alike four loners head in 12 s is chance."""
    search = searching(swum, tmp_path)
    found = search.run(Here(search.common), 2)
    assert found.losses[1] < 0.6 * found.losses[0]
    for key, range_share in (("cruise", 0.15), ("schooling", 0.15), ("comfort", 0.15)):  # a third of the looks' step
        number = next(one for one in search.numbers if one.key == key)
        assert number.share(found.values[key]) == pytest.approx(number.share(OTHERS[key]), abs=range_share)
    assert species_with_habits(Species.load("sardine"), found.values) == found.species
    assert found.tried == 1 + len(MANNERS) * len(SLOWER_BEATS) + 1 + 3 * len(SEARCHED) + 2 * 8


def test_a_species_that_moves_as_the_tracks_is_nearer_than_any_other(swum, tmp_path):
    search = searching(swum, tmp_path)
    assert search.loss(search.target) == 0.0
    assert 0.0 < search.loss(search.target + 0.5 * search.scale) < search.loss(search.target + search.scale)
    missing = search.target.copy()
    missing[0] = np.nan
    assert search.loss(missing) > 0.0


@pytest.mark.film
def test_it_goes_on_where_it_was_and_clears_what_it_made(swum, tiny, tmp_path):
    found = []
    for _ in range(2):
        search = searching(swum, tmp_path / "trials")
        here = Here(search.common)
        found.append((search.run(here, 1).after, here.calls))
    assert np.array_equal(found[0][0], found[1][0], equal_nan=True)
    assert found[0][1] > 0 and found[1][1] == 0
    search.clear()
    assert not (tmp_path / "trials").exists()


@pytest.mark.film
def test_what_is_not_of_the_fit_stays_in_the_folder(swum, tiny, tmp_path):
    (tmp_path / "mine.json").write_text("{}")
    search = searching(swum, tmp_path)
    search.run(Here(search.common), 0)
    search.clear()
    assert [path.name for path in tmp_path.iterdir()] == ["mine.json"]


@pytest.mark.film
def test_processes_find_the_same_bits(swum, tiny, tmp_path):
    found = []
    for workers in (1, 2):
        search = searching(swum, tmp_path / str(workers))
        with Processes(workers, search.common) as executor:
            one = search.run(executor, 1)
        found.append((one.values, one.after.tobytes(), one.ends.tobytes()))
    assert found[0] == found[1]


def test_trials_that_fail_are_said_in_a_line(swum, tiny, tmp_path):
    class Failing(Here):
        def submit(self, fn, /, *args, **kwargs):
            future = Future()
            future.set_exception(ValueError("no water"))
            return future

    search = searching(swum, tmp_path)
    jobs.receive(search.common)
    with pytest.raises(SceneError, match="no water"):
        search.run(Failing(search.common), 1)


def test_halves_part_the_time_and_are_in_lengths():
    t = np.arange(0.0, 10.0, 0.05)
    places = 0.3 * np.stack([t, 0.0 * t, 0.0 * t + 7.0], axis=1)[:, None]
    halves, notes = TrackHalves.of(places, 20.0, 0.3)
    assert halves.seconds == 5.0 and halves.fishes == 1 and len(notes) == 1
    assert halves.fitted[:, 0, 0].max() < 5.0 < halves.judged[:, 0, 0].min() + 0.1
    assert halves.judged[:, 0, 0].max() == pytest.approx(10.0, abs=0.1)


def test_places_outside_an_arena_enlarge_it_and_are_noted():
    t = np.arange(0.0, 10.0, 0.05)
    places = np.stack([t, 0.0 * t], axis=1)[:, None]
    halves, notes = TrackHalves.of(places, 20.0, 1.0, Arena.of((5.0, 0.0, 4.0)))
    assert halves.arena.size[0] > 9.8 and "1.2" in notes[0]


def test_tracks_too_short_to_be_halved_are_refused():
    with pytest.raises(SceneError, match="tracks of 2 s"):
        TrackHalves.of(np.zeros((40, 1, 2)), 20.0, 1.0)


def outcome(after):
    """A fit of which every interval is from 1 to 2, and the last figure is unknown."""
    shape = len(FIGURES), 3
    ends = np.stack([np.full(shape, 1.0), np.full(shape, 2.0)], axis=-1)
    ends[-1] = np.nan
    middle = np.full(shape, 1.5)
    return FittedFigures(
        Species.load("sardine"), {}, middle, middle, ends, np.zeros(shape), after, {}, {}, (1.0, 0.5), 3
    )


def test_a_figure_is_within_if_all_its_quartiles_are():
    after = np.full((len(FIGURES), 3), 1.2)
    after[0, 1], after[1] = 2.1, [1.0, 1.5, 2.0]
    after[2, 0] = np.nan
    found = outcome(after)
    assert found.count(found.after) == len(FIGURES) - 3  # the first, the third, and the one unknown
    assert found.count(found.before) == 0
    assert found.within(found.after)[0].tolist() == [True, False, True]
    made = named(found, "my_fish", "tank 3.csv")
    assert made.name == "my_fish" and made.common_name == "My fish"
    assert made.fitted.startswith(f"tank 3.csv: {len(FIGURES) - 3} of {len(FIGURES) - 1} figures")
