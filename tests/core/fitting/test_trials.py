"""Trials: fishes in a tank as those that were tracked, to the bit alike."""

import numpy as np
import pytest

from artfish.core.fitting.arena import Arena
from artfish.core.fitting.figures import FIGURES
from artfish.core.fitting.numbers import QUICKNESS
from artfish.core.fitting.trials import scene_of, swim_fishes, try_fishes
from artfish.core.fitting.tuning import LOOK_RATE
from artfish.core.scene.species import Species

BOX = Arena.of((-3.0, 2.0, 6.0, 9.0))


def common(**others):
    given = {"species": Species.load("sardine").to_dict(), "arena": BOX.to_dict(), "fishes": 3, "seconds": 2.0}
    return {**given, **others}


def test_fishes_stay_in_the_arena_where_it_lies():
    places = np.array(swim_fishes({"values": {}, "seed": 1}, common()))
    assert places.shape == (round(2.0 * LOOK_RATE), 3, 2) or abs(len(places) - 2.0 * LOOK_RATE) <= 1
    assert (BOX.wall_distance(places) > 0.0).all()


def test_a_trial_is_the_same_twice_and_another_with_another_seed_or_value():
    one, again = (try_fishes({"values": {}, "seed": 1}, common()) for _ in range(2))
    assert one == again and len(one) == len(FIGURES)
    assert try_fishes({"values": {}, "seed": 2}, common()) != one
    assert try_fishes({"values": {"cruise": 0.2}, "seed": 1}, common()) != one


def test_what_has_no_samples_is_none():
    found = dict(
        zip([figure.key for figure in FIGURES], try_fishes({"values": {}, "seed": 1}, common(fishes=1)), strict=True)
    )
    assert found["nearest"] == [None] * 3 and None not in found["speed"]


@pytest.mark.film
def test_quicker_fishes_are_faster_by_about_the_factor():
    keys = [figure.key for figure in FIGURES]
    calm = {"coast": 0.0, "rest": 0.0, "variation": 0.0, "schooling": 0.0}
    slow, fast = (
        try_fishes({"values": {**calm, QUICKNESS: q}, "seed": 1}, common(seconds=6.0))[keys.index("speed")][1]
        for q in (1.0, 1.5)
    )
    assert fast / slow == pytest.approx(1.5, rel=0.2)


def test_scenes_step_as_finely_as_bodies_are_quick():
    species = Species.load("sardine")
    assert scene_of(species, BOX, 3, 2.0).substeps == 2 and scene_of(species, BOX, 3, 2.0, 1.6).substeps == 4
