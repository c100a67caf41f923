"""The chart shows how the objective of each drill fell."""

import numpy as np

from artfish.blender_artfish.learning.chart import paint, painted
from artfish.blender_artfish.learning.course import BEST_COLOUR, LATEST_COLOUR, PracticeProgress


def rows_of(pixels, colour, columns):
    """The middle row of a colour in each of some columns, from the bottom."""
    near = np.abs(pixels[:, columns, :3] - colour).max(axis=2) < 0.05
    return [np.flatnonzero(column).mean() if column.any() else None for column in near.T]


def test_it_shows_the_best_and_the_latest_of_each_drill_that_has_begun():
    noted = PracticeProgress()
    noted.begin(7, 100)
    for step in range(1, 101):
        noted.add(0, step, 10.0 ** (1.0 - step / 100), 10.0 ** (1.0 - 0.5 * step / 100))
    pixels = paint(noted, 300, 300)
    assert pixels.shape == (300, 300, 4)
    assert pixels.min() >= 0.0 and pixels.max() <= 1.0
    columns = np.arange(60, 100, 10)
    best, latest = (rows_of(pixels, colour, columns) for colour in (BEST_COLOUR, LATEST_COLOUR))
    assert np.all(np.diff(best) < 0) and np.all(np.diff(latest) < 0) and np.all(np.array(latest) > best)
    assert np.allclose(np.diff(best), 2.0 * np.diff(latest), atol=1.5)  # powers of ten are as far apart everywhere
    assert not (np.abs(pixels[:, 140:, :3] - BEST_COLOUR).max(axis=2) < 0.05).any()


def test_what_is_off_the_scale_stays_in_the_chart():
    noted = PracticeProgress()
    noted.begin(7, 2)
    noted.add(0, 1, 1e9, 1e9)
    noted.add(0, 2, 1e-9, 1e9)
    pixels = paint(noted, 120, 120)
    assert np.isfinite(pixels).all()


def test_it_is_painted_anew_when_a_step_was_done_and_only_then():
    noted = PracticeProgress()
    noted.begin(7, 10)
    noted.add(0, 1, 3.0, 3.5)
    assert painted(noted, 80)[1] and not painted(noted, 80)[1]
    noted.add(0, 2, 2.0, 2.5)
    pixels, anew = painted(noted, 80)
    assert anew and pixels.shape == (80, 80, 4)
