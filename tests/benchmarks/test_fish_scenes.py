"""Pictures to learn from and to judge by: what is said of them is so, and the same seed draws the same."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from artfish.benchmarks.fish_pictures import draw, within
from artfish.benchmarks.fish_scenes import draw_scene
from artfish.benchmarks.foreign_pictures import draw_foreign


@pytest.mark.parametrize("drawer", [draw_scene, draw_foreign])
@pytest.mark.parametrize("plain", [False, True])
@pytest.mark.parametrize("seed", [0, 1, *(pytest.param(seed, marks=pytest.mark.large) for seed in (2, 3))])
def test_a_body_is_between_its_back_and_its_belly(seed: int, plain: bool, drawer: Callable) -> None:
    """Up to its rim, of which a pixel either way may differ."""
    picture = drawer(seed, plain)
    inside = within(np.concatenate([picture.back, picture.belly[::-1]]), *picture.body.shape)
    rim = np.hypot(*np.diff(np.concatenate([picture.back, picture.belly]), axis=0).T).sum()
    assert (inside ^ picture.body).sum() <= rim
    assert picture.body.sum() > 50 and not (picture.body & picture.fins).any()
    assert (picture.nose[0] < picture.tail.mean(axis=0)[0]) == (picture.facing == "left")
    assert picture.image.min() >= 0.0 and picture.image.max() <= 1.0 and picture.image.dtype == np.float32


@pytest.mark.parametrize("drawer", [draw_scene, draw_foreign])
def test_the_same_seed_draws_the_same_picture(drawer: Callable) -> None:
    one, other = drawer(11), drawer(11)
    np.testing.assert_array_equal(one.image, other.image)
    assert not np.array_equal(one.image.mean(axis=(0, 1)), drawer(12).image.mean(axis=(0, 1)))


def test_fins_of_a_drawn_picture_are_beside_the_body() -> None:
    picture = draw(3, "plain", 200)
    assert picture.fins.any() and not (picture.fins & picture.body).any()
