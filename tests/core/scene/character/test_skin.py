"""Colours by traits: back, side and belly by where and when it lives."""

from artfish.core.scene.species import Species
from artfish.core.scene.traits import Traits


def test_colours_are_by_place_and_hour():
    ground, midwater, night = (
        Species.of(traits).looks for traits in (Traits(depth=0.0), Traits(depth=1.0), Traits(activity=1.0))
    )
    assert ground.side[0] > ground.side[2]  # brown
    assert midwater.side[2] > midwater.side[0]  # blue and grey
    assert night.side[0] > 2.0 * max(night.side[1:])  # red


def test_every_fish_is_paler_below_than_above():
    for depth in (0.0, 0.3, 0.5, 0.8, 1.0):
        looks = Species.of(Traits(depth=depth)).looks
        assert sum(looks.belly) > sum(looks.side) > sum(looks.back)


def test_scales_come_from_the_body_plan():
    assert Species.of(Traits(build=0.0)).looks.scale_size != Species.of(Traits(build=1.0)).looks.scale_size
