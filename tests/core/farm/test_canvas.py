"""A canvas: forms are filled to their edges, dots are where they belong, letters can be told apart."""

import numpy as np

from artfish.core.farm.canvas import LETTER_COLUMNS, LETTER_GLYPHS, LETTER_ROWS, Canvas, convex_hull


def test_a_hull_goes_round_all_places_and_has_no_others():
    dice = np.random.default_rng(2)
    places = dice.random((60, 2))
    hull = convex_hull(places)
    assert {tuple(corner) for corner in hull.tolist()} <= {tuple(place) for place in places.tolist()}
    for begin, end in zip(hull, np.roll(hull, -1, axis=0), strict=True):
        way, arms = end - begin, places - begin
        assert (way[0] * arms[:, 1] - way[1] * arms[:, 0] >= -1e-12).all()


def test_a_form_covers_its_area():
    canvas = Canvas(60, 80, (0, 0, 0))
    canvas.form(np.array([[10, 10], [50, 10], [50, 40], [10, 40], [30, 20]]), np.array([1, 0, 0]))
    assert canvas.pixels[:, :, 0].sum() == 40 * 30
    assert canvas.pixels[10:40, 10:50, 0].all() and not canvas.pixels[:, :, 1].any()


def test_what_is_beyond_the_picture_is_cut_off():
    canvas = Canvas(20, 30, (0, 0, 0))
    canvas.form(np.array([[-50, -50], [5, -50], [5, 5], [-50, 5]]), np.array([1, 1, 1]))
    assert canvas.pixels[:, :, 0].sum() == 25
    canvas.form(np.array([[100.0, 100], [120, 100], [110, 130]]), np.array([1, 1, 1]))
    canvas.dots(np.array([[-1.0, 3], [29.9, 19.9], [30, 3], [np.nan, 2]]), np.ones((4, 3)))
    assert canvas.pixels[:, :, 0].sum() == 26 and canvas.pixels[19, 29].all()


def test_letters_differ():
    assert len(set(LETTER_GLYPHS.values())) == len(LETTER_GLYPHS)
    for word in LETTER_GLYPHS:
        canvas = Canvas(LETTER_ROWS, LETTER_COLUMNS, (0, 0, 0))
        canvas.write(word, 0, 0, (1, 1, 1), scale=1)
        assert canvas.pixels[:, :3].any() and not canvas.pixels[:, 3].any()
