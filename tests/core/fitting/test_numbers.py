"""Numbers that a fit may change: within their declarations, and species at any of them."""

import numpy as np
import pytest

from artfish.core.fitting.numbers import HABITS, QUICKNESS, begin, fit_numbers, species_with_habits, values_at
from artfish.core.scene.species import Species
from artfish.core.scene.temperament import Temperament


@pytest.mark.parametrize("name", ["sardine", "clownfish", "reef_shark"])
def test_shares_lead_to_values_and_back(name):
    species = Species.load(name)
    numbers = fit_numbers(species)
    own = values_at(numbers, begin(species, numbers))
    for key in HABITS:
        assert own[key] == pytest.approx(getattr(species.temperament, key), rel=1e-4, abs=1e-9)
    assert own[QUICKNESS] == pytest.approx(1.0, rel=1e-4)


@pytest.mark.parametrize("name", Species.names())
def test_at_both_ends_of_every_range_and_beyond_a_species_is_legal(name):
    species = Species.load(name)
    numbers = fit_numbers(species)
    for share in (0.0, 1.0, -0.3, 1.7):
        values = values_at(numbers, np.full(len(numbers), share))
        made = species_with_habits(species, values)
        assert Species.from_dict(made.to_dict()) == made
        for one in numbers:
            assert one.low <= values[one.key] <= one.high


def test_every_habit_is_a_number_of_the_temperament():
    fields = Temperament.__dataclass_fields__
    assert all(fields[key].metadata["declared"].kind == "number" for key in HABITS)


def test_a_quicker_species_beats_faster_by_the_factor_in_shorter_book_time():
    species = Species.load("sardine")
    made = species_with_habits(species, {QUICKNESS: 1.5, "whim": 4.0})
    assert made.rhythm.tail_beat == pytest.approx(1.5 * species.rhythm.tail_beat)
    assert made.time_scale * made.rhythm.tail_beat == pytest.approx(species.time_scale * species.rhythm.tail_beat)
    assert made.temperament.whim == 4.0
    assert species_with_habits(species, {}) == species
