"""Pictures to learn from and to judge by: their labels are true, and the same seed draws the same."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from artfish.benchmarks.barred_pictures import CLOWNFISH_LENGTH, draw_barred, draw_clownfish
from artfish.benchmarks.fish_pictures import FishPicture, draw, within
from artfish.benchmarks.fish_scenes import draw_scene
from artfish.benchmarks.foreign_pictures import draw_foreign


def barred_scene(seed: int, plain: bool = False) -> FishPicture:
    return draw_scene(seed, plain, barred=True)


DRAWERS = [draw_scene, barred_scene, draw_foreign, draw_barred, draw_clownfish]


@pytest.mark.sampled
@pytest.mark.parametrize("drawer", DRAWERS)
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


@pytest.mark.parametrize("drawer", DRAWERS)
def test_the_same_seed_draws_the_same_picture(drawer: Callable) -> None:
    one, other = drawer(11), drawer(11)
    np.testing.assert_array_equal(one.image, other.image)
    assert not np.array_equal(one.image.mean(axis=(0, 1)), drawer(12).image.mean(axis=(0, 1)))


def test_fins_of_a_drawn_picture_are_beside_the_body() -> None:
    picture = draw(3, "plain", 200)
    assert picture.fins.any() and not (picture.fins & picture.body).any()


@pytest.mark.parametrize("plain", [False, True])
def test_a_clownfish_is_as_long_as_is_said(plain: bool) -> None:
    picture = draw_clownfish(4, plain)
    fish = (picture.body | picture.fins).any(axis=0)
    assert np.ptp(np.flatnonzero(fish)) == pytest.approx(CLOWNFISH_LENGTH, abs=4)


@pytest.mark.parametrize("plain", [False, True])
def test_a_clownfish_has_three_pale_bars(plain: bool) -> None:
    """Light rises three times from behind its eye to the root of its tail."""
    picture = draw_clownfish(4, plain)
    at = picture.nose + np.linspace(0.16, 0.98, 120)[:, None] * (picture.tail.mean(axis=0) - picture.nose)
    columns, rows = np.round(at).astype(int).T
    pale = picture.image[rows, columns].mean(axis=1) > 0.45
    assert not pale[0] and np.diff(pale.astype(int)).clip(0).sum() == 3
