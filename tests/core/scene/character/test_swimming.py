"""Bodies by traits: within what bodies hold, and swifter, more nimble or stiffer as the words say."""

from dataclasses import fields

import numpy as np
import pytest

from artfish.core.scene.character.tuning import BEAT_SPAN_HZ, BURST_SPAN_HZ
from artfish.core.scene.physique import HEAVIEST_SKIN, HEAVIEST_TAIL
from artfish.core.scene.species import Species
from artfish.core.scene.traits import Traits


def drawn(seed: int) -> Species:
    return Species.of(Traits(*map(float, np.random.default_rng(seed).random(len(fields(Traits))))))


@pytest.mark.parametrize("seed", range(20))
def test_bodies_carry_no_more_water_than_they_can(seed):
    body = drawn(seed).body
    burden = body.fluid_viscosity * (body.book_length / 10.0) ** 3 / body.unit_mass
    assert burden < HEAVIEST_SKIN and burden * body.reaction * body.tail_half_height**2 < HEAVIEST_TAIL


@pytest.mark.parametrize("seed", range(20))
def test_beats_are_those_that_bodies_hold_and_alike_in_the_books_time(seed):
    species = drawn(seed)
    assert BEAT_SPAN_HZ[0] <= species.rhythm.tail_beat <= BEAT_SPAN_HZ[1]
    assert species.rhythm.tail_beat <= species.rhythm.burst_beat <= BURST_SPAN_HZ[1]
    assert 0.045 < species.rhythm.tail_beat * species.time_scale < 0.052


def test_the_nimble_bend_more_often_and_look_less_far_ahead():
    steady, nimble = (Species.of(Traits(nimbleness=value)).steering for value in (0.2, 0.9))
    assert nimble.rate[2] > 1.5 * steady.rate[2] and nimble.lead < steady.lead


def test_fins_row_or_they_do_not():
    strokes = {Species.of(Traits(build=build)).pectoral.stroke for build in np.linspace(0.0, 1.0, 31).tolist()}
    assert strokes == {0.0, 0.1}


def test_the_tireless_burst_for_longer():
    sprinter, tireless = (Species.of(Traits(stamina=value)).rhythm for value in (0.1, 0.9))
    assert sprinter.burst_seconds < tireless.burst_seconds
