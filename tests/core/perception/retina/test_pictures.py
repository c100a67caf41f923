"""Pictures of what eyes see: each object in a colour of its own, its kind in one hue, and what is far is dark."""

import numpy as np
import pytest

from artfish.core import Scene, World
from artfish.core.perception.retina import pictures, render, table


@pytest.fixture(scope="module")
def reef():
    return World(Scene.load("reef"), seed=1)


def test_each_object_of_a_reef_has_a_colour_of_its_own(reef):
    seen = table(reef)
    colours = np.rint(255 * pictures.false_colours(seen)).astype(int)
    assert len(np.unique(colours, axis=0)) == len(colours) == 1 + len(seen)
    assert not colours[0].any()


def test_fishes_are_reds_and_obstacles_blues(reef):
    seen = table(reef)
    colours = pictures.false_colours(seen)
    strongest = {"fish": 0, "obstacle": 2, "leaf": 1}
    for one in seen:
        if one.kind in strongest:
            rest = np.delete(colours[one.identity], strongest[one.kind])
            assert colours[one.identity, strongest[one.kind]] > rest.max() + 0.1


def test_the_farther_the_darker_and_nothing_is_black():
    grey = pictures.greys(np.array([0.0, 0.5, 1.0, 20.0, np.inf]), 0.1)
    assert (np.diff(grey) < 0.0).all()
    assert grey[0] == 1.0 and grey[-1] == 0.0
    assert grey[2] == 0.5, "ten lengths"


def test_colours_are_encoded_for_a_screen(reef):
    assert np.allclose(pictures.lit(np.array([-1.0, 0.0, 0.2140411, 1.0, 2.0])), [0.0, 0.0, 0.5, 1.0, 1.0], atol=1e-6)
    assert 0.2 < pictures.lit(render(reef, 0, size=32).colour).mean() < 0.8
