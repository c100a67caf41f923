"""Daylight: keys of the brightness, and the hour of the day."""

from __future__ import annotations

import numpy as np
import pytest

from artfish.core import Scene
from artfish.core.scene.daylight import MOONLIGHT, brightest, brightness_at, changes, hour_at
from artfish.core.scene.water import Light


def test_without_hour_or_keys_it_is_always_as_bright():
    light = Light(brightness=0.7)
    assert not changes(light) and hour_at(light, 5.0) is None
    assert brightness_at(light, 0.0) == brightness_at(light, 1e4) == 0.7


def test_keys_are_joined_by_straight_lines():
    light = Light(brightness=((1.0, 1.0), (3.0, 0.2)))
    assert changes(light)
    assert [brightness_at(light, t) for t in (0, 1, 2, 3, 9)] == pytest.approx([1.0, 1.0, 0.6, 0.2, 0.2])


def test_a_day_has_noon_night_and_twilight_between():
    light = Light(daytime=0.0, day_length=240.0)  # ten seconds an hour
    hours = np.arange(0.0, 24.0, 0.25)
    bright = np.array([brightness_at(light, 10.0 * hour) for hour in hours])
    assert (bright[(hours < 5) | (hours > 19)] == pytest.approx(MOONLIGHT)) and bright[hours == 12] == 1.0
    morning = (hours > 5.75) & (hours < 7.5)
    assert (np.diff(bright[morning]) > 0.0).all()
    assert bright == pytest.approx(np.concatenate((bright[:1], bright[:0:-1])), abs=1e-9)  # evening as morning


def test_the_hour_goes_on_from_where_the_film_begins():
    light = Light(daytime=23.0, day_length=24.0)
    assert hour_at(light, 0.0) == 23.0 and hour_at(light, 2.5) == pytest.approx(1.5)
    assert brightness_at(Light(brightness=0.5, daytime=12.0), 0.0) == 0.5


def test_the_brightest_moment_is_that_of_the_film():
    scene = Scene.from_dict({"duration": 10, "light": {"daytime": 5.0, "day_length": 120.0}})
    assert brightest(scene) == pytest.approx(brightness_at(scene.light, 10.0)) and brightest(scene) > 0.3
    assert brightest(Scene.from_dict({"light": {"brightness": 0.4}})) == 0.4
