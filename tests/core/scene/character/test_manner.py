"""Manner and mind by traits: each number goes the way that its trait's words say."""

from dataclasses import replace

import pytest

from artfish.core.scene.character.manner import hunts, mind, temperament
from artfish.core.scene.traits import Traits

MIDDLE = Traits()


def ends(name: str, of):
    """The manner at both ends of a trait."""
    return [of(replace(MIDDLE, **{name: value})) for value in (0.05, 0.95)]


@pytest.mark.parametrize(
    ("trait", "number"),
    [("nimbleness", "turn"), ("nimbleness", "sharp"), ("sociability", "schooling"), ("wariness", "foresight")],
)
def test_the_manner_rises_with_the_trait(trait, number):
    low, high = ends(trait, lambda traits: temperament(traits, 2.0))
    assert low[number] < high[number]


@pytest.mark.parametrize(
    ("trait", "number"),
    [("wariness", "D0"), ("wariness", "vigilance"), ("appetite", "p0"), ("appetite", "appetite")],
)
def test_wants_and_fears_rise_with_the_trait(trait, number):
    low, high = ends(trait, mind)
    assert low[number] < high[number]
    assert mind(Traits(activity=0.2))["nocturnal"] == pytest.approx(0.2)


def test_the_fierce_hunt_and_the_peaceful_graze_near_the_ground():
    assert hunts(Traits(temper=0.75)) and not hunts(Traits(temper=0.74))
    assert mind(Traits(temper=0.1, depth=0.2))["browse"] > 0.5 > mind(Traits(temper=0.1, depth=0.9))["browse"]
    lurking, running = (mind(Traits(temper=0.9, stamina=value, nimbleness=0.2)) for value in (0.0, 0.9))
    assert lurking["strike"] > 0.0 == running["strike"] and "strike" not in mind(Traits(temper=0.9, stamina=0.0))


def test_the_bold_roam_everywhere_and_midwater_hugs_nothing():
    assert temperament(Traits(boldness=0.9), 2.0)["roam"] == 0.0 < temperament(Traits(boldness=0.1), 2.0)["roam"]
    assert temperament(Traits(depth=0.9), 2.0)["hug"] == 0.0 < temperament(Traits(depth=0.1), 2.0)["hug"]


def test_nobody_must_swim_faster_to_breathe_than_it_can():
    for rate in (0.4, 1.0, 3.0):
        assert temperament(Traits(stamina=0.9), rate)["ram_breathing"] <= 0.35 * rate
