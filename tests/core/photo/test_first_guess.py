"""The first guess: it looks closer where there is more to see, and no further."""

from __future__ import annotations

import pytest

from artfish.benchmarks.fish_pictures import cut_out, draw, with_eyespot
from artfish.core.photo import first_guess
from artfish.core.photo.snake_grid import SnakeGrid, fit_grid
from artfish.core.photo.view import look
from artfish.studies.snake_grid import four_anchors, overlap


@pytest.mark.film
@pytest.mark.parametrize(
    ("ground", "anchored"), [pytest.param("shaded", False, marks=pytest.mark.large), ("cluttered", True)]
)
def test_a_fish_in_a_large_picture_is_looked_at_once_more(ground: str, anchored: bool) -> None:
    picture = draw(0, ground, 1200)
    grid = SnakeGrid.over(picture.image, four_anchors(picture) if anchored else ())
    assert grid.view.step < look(picture.image).step
    grid.relax()
    assert overlap(grid.points, picture.body) >= 0.975


@pytest.mark.film
def test_what_can_be_seen_no_closer_is_looked_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    picture = draw(0, "shaded", 600)
    monkeypatch.setattr(first_guess, "segments", None)  # what looks closer
    grid = SnakeGrid.over(picture.image)
    assert grid.view.step == 1.0 and overlap(grid.points, picture.body) >= 0.9


@pytest.mark.film
@pytest.mark.parametrize(
    ("seed", "eyespot"), [(1007, False), *(pytest.param(seed, True, marks=pytest.mark.large) for seed in (1000, 1007))]
)
def test_a_cut_out_without_margin_is_found(seed: int, eyespot: bool) -> None:
    """Where its ground ended with it 0.61 of the first was covered; a spot like an eye on the rear is no eye."""
    whole = draw(seed, "transparent", 320)
    picture = cut_out(with_eyespot(whole) if eyespot else whole)
    grid = fit_grid(picture.image)
    assert overlap(grid, picture.body) >= 0.95
    assert (grid[4, 0, 0] < grid[4, 20, 0]) == (picture.facing == "left")
