"""The outline of a body: places along and above its line, and which pixels are inside."""

from __future__ import annotations

import numpy as np
import pytest

from artfish.core.photo.lines import station_grid
from artfish.core.photo.outline import Outline, enclosing, frontier, main_part, straight, usual_form
from artfish.core.photo.segmentation import KnownPlaces


def lens(nose: tuple[float, float] = (20.0, 40.0), tail: tuple[float, float] = (120.0, 40.0)) -> Outline:
    """A body between two parabolas, a fifth of its length high either way."""
    s = station_grid()
    line = 0.8 * s * (1.0 - s)
    return Outline(np.array(nose), np.array(tail), 1, s, line, -line)


@pytest.mark.parametrize("tail", [(120.0, 40.0), (-50.0, 90.0)])
def test_places_and_points_undo_each_other(tail: tuple[float, float]) -> None:
    outline = lens(tail=tail)
    along, above = np.random.default_rng(0).uniform(-0.5, 1.5, (2, 30))
    found = outline.places(outline.points(along, above))
    np.testing.assert_allclose(found, (along, above), atol=1e-12)
    assert outline.length == pytest.approx(np.hypot(tail[0] - 20.0, tail[1] - 40.0))


def test_the_back_is_above_in_the_picture_whichever_way_the_fish_faces() -> None:
    for nose, tail in (((10.0, 50.0), (90.0, 55.0)), ((90.0, 55.0), (10.0, 50.0))):
        outline = straight(np.array(nose), np.array(tail))
        assert outline.points(np.array(0.5), np.array(0.2))[1] < 52.0


def test_a_mask_gives_back_the_outline_that_it_fills() -> None:
    true = lens()
    y, x = np.mgrid[0:80, 0:140].astype(float)
    along, above = true.places(np.stack([x, y], axis=-1))
    back, belly = true.heights(along)
    mask = (along > 0.0) & (along < 1.0) & (above < back) & (above > belly)
    found = enclosing(straight(true.nose, true.tail), mask)
    middle = (true.stations > 0.05) & (true.stations < 0.95)
    assert np.abs(found.back - true.back)[middle].max() < 2.5 / true.length
    assert np.abs(found.belly - true.belly)[middle].max() < 2.5 / true.length


def test_the_largest_part_is_kept_without_holes() -> None:
    mask = np.zeros((30, 40), bool)
    mask[5:20, 5:25] = True
    mask[10, 10] = False
    mask[25:28, 30:35] = True
    found = main_part(mask)
    assert found[10, 10] and found.sum() == 15 * 20


def test_edges_may_be_the_outline_where_they_are_near_it() -> None:
    near = frontier(lens(), (80, 140))
    assert near[20, 70] > 0.8 and near[60, 70] > 0.8
    assert near[40, 70] < 0.1 and near[2, 2] < 0.1


def test_the_usual_form_goes_through_known_points() -> None:
    back = np.array([[70.0, 25.0]])
    known = KnownPlaces(np.array([20.0, 40.0]), np.array([120.0, 40.0]), back, np.zeros((0, 2)))
    outline = usual_form(known)
    along, above = outline.places(back)
    assert np.interp(along, outline.stations, outline.back) == pytest.approx(above, abs=0.005)
