"""Curves and letters are where they should be."""

import numpy as np

from artfish.blender_artfish.blender.painting import curve, ground, text_width, write

WHITE = (1.0, 1.0, 1.0)


def test_a_curve_goes_through_its_points_and_stays_in_its_columns():
    pixels = ground(60, 40)
    curve(pixels, (10, 50), [10, 30, 49], [5.0, 25.0, 5.0], WHITE, 2)
    lit = pixels[..., 0] > 0.9
    assert lit[25, 30] and lit[5, 10] and lit[5, 49] and lit[15, 20]
    assert not lit[:, :10].any() and not lit[:, 50:].any()


def test_a_curve_of_one_point_is_a_dot():
    pixels = ground(60, 40)
    curve(pixels, (10, 50), [20], [10.0], WHITE, 1)
    columns = np.flatnonzero((pixels[..., 0] > 0.5).any(axis=0))
    assert 20 in columns and len(columns) <= 3


def test_letters_are_as_wide_as_is_said_and_cut_off_at_the_edge():
    pixels = ground(60, 20)
    write(pixels, "10", 4, 3, 2)
    columns = np.flatnonzero((pixels[..., 0] > 0.5).any(axis=0))
    assert columns.min() >= 4 and columns.max() < 4 + text_width("10", 2)
    write(pixels, "88888888888", 50, 15, 2)
