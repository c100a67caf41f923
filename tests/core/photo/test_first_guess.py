"""The first guess: it looks closer where there is more to see, and no further."""

from __future__ import annotations

import pytest

from artfish.benchmarks.fish_pictures import draw
from artfish.core.photo import first_guess
from artfish.core.photo.snake_grid import SnakeGrid
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
