"""Fishes made by traits alone live; the study of the same name tries three hundred of them."""

import pytest

from artfish.core.scene.species import Species
from artfish.core.scene.traits import Traits
from artfish.studies import characters
from artfish.studies.characters import UPRIGHT, led, random_traits, sound

ENDS = (
    Traits(size=0.0, build=0.0, flatness=1.0, pace=1.0, stamina=0.0, nimbleness=1.0),
    Traits(size=1.0, build=1.0, flatness=0.0, pace=0.0, stamina=1.0, nimbleness=0.0),
)
"""A tiny ribbon that darts, and a huge ball that swims on and on."""


@pytest.mark.parametrize("traits", [*map(random_traits, range(4)), *ENDS])
def test_a_fish_made_by_traits_swims_upright_and_turns_to_either_side(traits):
    species = Species.of(traits)
    stride, turned, upright = led(species)
    assert stride >= characters.STRIDE and turned >= characters.TURNED and upright >= UPRIGHT
    assert sound(species)


@pytest.mark.sampled
@pytest.mark.parametrize("seed", range(3))
def test_a_fish_made_by_traits_feeds_and_lives_through_a_minute(seed):
    life = characters.lived(seed)
    assert life.lives, life


def test_a_quick_fish_beats_faster_and_a_bold_one_strays_farther():
    slow, quick = (Species.of(Traits(pace=pace)) for pace in (0.2, 0.8))
    assert quick.rhythm.tail_beat > 1.5 * slow.rhythm.tail_beat
    shy, bold = (Species.of(Traits(boldness=boldness)).temperament for boldness in (0.1, 0.7))
    assert shy.roam < bold.roam


def test_a_body_that_turns_over_is_not_said_to_swim():
    life = characters.Life(0.5, 1.0, -0.2, True, 1.0, 0.0, 5.0, 3, True)
    assert life.turns and life.survives and not life.swims and not life.lives
