"""Water takes red first where it is clear and blue first where it is murky, and is coloured by what it leaves."""

import numpy as np
import pytest

from artfish.core.habitat.ambient import Ambient
from artfish.core.habitat.obstacles import Obstacles
from artfish.core.habitat.optics import JERLOV, WAVELENGTHS_NM, Optics, forward
from artfish.core.scene.scene import Scene
from artfish.core.scene.water import WATER_TYPES, Water

PURE_PER_METRE = 0.245, 0.057, 0.009
"""Absorption of pure water, red, green and blue (Pope and Fry 1997)."""


def test_types_are_in_the_table_in_their_order():
    assert tuple(JERLOV) == WATER_TYPES
    assert all(len(row) == len(WAVELENGTHS_NM) for row in JERLOV.values())
    ocean, coast = (np.array([row for kind, row in JERLOV.items() if kind.isdigit() == near]) for near in (False, True))
    for every in (ocean, coast):  # at any color, the murkier type of a sort takes more
        assert (np.diff(every, axis=0) > 0.0).all()
    table = np.array([Optics.of(Water(kind)).attenuation for kind in WATER_TYPES])
    assert (np.diff(table, axis=0) > 0.0).all()


def test_oceans_take_each_color_in_proportion_to_what_they_take_of_one():
    """The law by which the table of oceans was made (Austin and Petzold 1986): linear in the attenuation at 500 nm."""
    table = np.array([row for kind, row in JERLOV.items() if not kind.isdigit()])
    base = np.stack([np.ones(len(table)), table[:, list(WAVELENGTHS_NM).index(500.0)]], axis=1)
    fitted = base @ np.linalg.lstsq(base, table, rcond=None)[0]
    assert fitted == pytest.approx(table, rel=0.003)  # the last of three or four digits, at the clearest


@pytest.mark.parametrize("kind", WATER_TYPES)
def test_no_water_is_clearer_than_pure_water(kind):
    assert (Optics.of(Water(kind)).attenuation > PURE_PER_METRE).all()


@pytest.mark.parametrize(("kind", "channel"), [("I", 2), ("IB", 2), ("II", 2), ("3", 1), ("5", 1), ("9", 1)])
def test_oceans_are_blue_and_coasts_are_green(kind, channel):
    assert Optics.of(Water(kind)).veil(2.0).argmax() == channel


def test_murk_goes_from_type_to_type():
    first, last = Optics.of(Water("II", 1.0)), Optics.of(Water("III"))
    assert first.attenuation == pytest.approx(last.attenuation) and first.backscatter == pytest.approx(last.backscatter)
    between = Optics.of(Water("II", 0.5)).attenuation
    assert (Optics.of(Water("II")).attenuation < between).all() and (between < last.attenuation).all()
    assert Optics.of(Water("9", 1.0)).attenuation == pytest.approx(Optics.of(Water("9")).attenuation)


def test_light_fades_by_the_law_of_beer_and_lambert():
    water = Optics.of(Water("III"))
    left = water.transmitted(np.array([[1.0, 2.0], [3.0, 0.0]]))
    assert left.shape == (2, 2, 3) and left[0, 0] * left[0, 1] == pytest.approx(left[1, 0])
    assert (left[1, 1] == 1.0).all() and -np.log(left[0, 0]) == pytest.approx(water.attenuation)


def test_the_veil_is_what_a_line_of_sight_gathers():
    """The sum over the metres of an endless line of sight, each turning light back and dimmed by those before it."""
    water, depth = Optics.of(Water("1")), 3.0
    away = (np.arange(2_000_000) + 0.5) * 1e-4
    sent = water.backscatter / (2.0 * np.pi) * water.transmitted(depth)
    gathered = (sent * water.transmitted(away)).sum(axis=0) * 1e-4
    assert gathered == pytest.approx(water.veil(depth), rel=1e-6)


def test_fishes_see_the_water_that_the_film_has():
    scene = Scene.from_dict({"water": {"type": "3"}, "light": {"attenuation": 0.0}})
    bright = Ambient.from_scene(scene, Obstacles.from_scene(scene, walls=False)).brightness
    surface = scene.tank.size[2]
    above, below = bright(np.array([[1.0, 1.0, surface], [1.0, 1.0, surface - 2.0]]))
    assert below / above == pytest.approx(np.exp(-2.0 * Optics.of(scene.water).attenuation[1]))


def test_water_is_brightest_towards_the_sun_and_darkest_away_from_it():
    cosine = np.linspace(-1.0, 1.0, 21)
    bright = forward(cosine)
    assert (np.diff(bright) >= 0.0).all() and forward(0.0) == pytest.approx(1.0)
    assert bright[0] < 0.75 and bright[-1] > 2.0
