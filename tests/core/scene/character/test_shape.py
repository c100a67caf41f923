"""Surfaces by traits: outlines that are none's own, eyes that fit, and numbers that are counted."""

import numpy as np
import pytest

from artfish.core.scene.species import Species
from artfish.core.scene.traits import Traits


def tallest(species: Species) -> float:
    back, belly = np.array(species.form.back), np.array(species.form.belly)
    return float(back[:, 1].max() - belly[:, 1].min())


def test_a_deep_body_is_higher_and_a_flat_one_narrower():
    slender, deep = (Species.of(Traits(build=build)) for build in (0.1, 0.9))
    assert tallest(deep) > 2.0 * tallest(slender)
    round_one, flat = (Species.of(Traits(flatness=flatness)).form for flatness in (0.1, 0.9))
    assert max(row[1] for row in round_one.half_width) > 1.5 * max(row[1] for row in flat.half_width)


@pytest.mark.parametrize("build", [0.0, 0.27, 0.5, 1.0])
def test_outlines_begin_at_one_nose_and_rise_from_point_to_point(build):
    form = Species.of(Traits(build=build)).form
    assert form.back[0] == form.belly[0] and form.back[0][0] == 0.0
    for line in (form.back, form.belly, form.half_width, form.dorsal, form.ventral):
        assert (np.diff([row[0] for row in line]) > 0.0).all()


def test_eyes_of_the_night_and_of_the_small_are_larger_and_fit_the_head():
    day, night = (Species.of(Traits(activity=activity)).form.eye_radius for activity in (0.0, 1.0))
    small, large = (Species.of(Traits(size=size)).form.eye_radius for size in (0.1, 0.9))
    assert day < night and large < small
    for seed in range(40):
        drawn = Traits(*map(float, np.random.default_rng(seed).random(13)))
        form = Species.of(drawn).form
        high, low = (np.interp(form.eye_station, *np.array(line).T) for line in (form.back, form.belly))
        assert form.eye_radius < 0.5 * (high - low) + 0.002


def test_spines_and_slits_are_whole():
    relief = Species.of(Traits(build=0.3, stamina=0.8)).relief
    assert isinstance(relief.gill_slits, int) and isinstance(relief.dorsal_spines, int)
