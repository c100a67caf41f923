"""The first guess: it looks closer where there is more to see, and no further."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.ndimage import gaussian_filter, shift

from artfish.benchmarks.fish_pictures import draw
from artfish.core.photo import first_guess
from artfish.core.photo.snake_grid import SnakeGrid, fit_grid
from artfish.core.photo.view import look
from artfish.studies.snake_grid import four_anchors, overlap


@pytest.mark.parametrize("ground", ["shaded", "cluttered"])
@pytest.mark.parametrize("anchored", [False, True])
def test_a_fish_in_a_large_picture_is_looked_at_once_more(ground: str, anchored: bool) -> None:
    picture = draw(0, ground, 1200)
    grid = SnakeGrid.over(picture.image, four_anchors(picture) if anchored else ())
    assert grid.view.step < look(picture.image).step
    grid.relax()
    assert overlap(grid.points, picture.body) >= 0.975


def test_what_can_be_seen_no_closer_is_looked_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    picture = draw(0, "shaded", 600)
    monkeypatch.setattr(first_guess, "segments", None)  # what looks closer
    grid = SnakeGrid.over(picture.image)
    assert grid.view.step == 1.0 and overlap(grid.points, picture.body) >= 0.9


@pytest.mark.parametrize("seed", range(4))
def test_a_soft_shadow_is_no_fish(seed: int) -> None:
    """The fish lies on paper and throws a shadow a tenth of its length aside that takes up to 0.45 of the light."""
    picture = draw(seed, "transparent", 640)
    opacity, length = picture.image[..., 3], np.hypot(*(picture.nose - picture.tail.mean(axis=0)))
    thrown = shift(opacity, (0.1 * length, 0.04 * length), order=1)
    shade = 0.45 * gaussian_filter(thrown, 0.035 * length)
    paper = np.array([0.86, 0.85, 0.82]) * (1.0 - shade[..., None])
    image = opacity[..., None] * picture.image[..., :3] + (1.0 - opacity[..., None]) * paper
    assert overlap(fit_grid(image), picture.body) >= 0.9
