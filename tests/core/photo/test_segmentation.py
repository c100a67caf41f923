"""The network that sees where a fish is: its arithmetic, its frames, and what it makes of anchors and mirrors."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.signal import correlate2d

from artfish.benchmarks.fish_pictures import draw
from artfish.benchmarks.foreign_pictures import draw_foreign
from artfish.core.photo.segmentation import (
    FRAME_CENTRE,
    FRAME_COLUMNS,
    FRAME_ROWS,
    KnownPlaces,
    _convolved,
    _ends,
    _Frame,
    _network,
    _weights,
    segments,
    sightings,
)
from artfish.core.photo.view import look

NOTHING = KnownPlaces(None, None, np.zeros((0, 2)), np.zeros((0, 2)))


@pytest.mark.parametrize("stride", [1, 2])
def test_a_convolution_is_a_sum_of_correlations(stride: int) -> None:
    rng = np.random.default_rng(0)
    picture, kernels, bias = rng.normal(size=(12, 16, 3)), rng.normal(size=(5, 3, 3, 3)), rng.normal(size=5)
    made = _convolved(picture, kernels.reshape(5, -1).T, bias, stride)
    for out in range(5):
        each = [correlate2d(picture[..., c], kernels[out, c], "same") for c in range(3)]
        np.testing.assert_allclose(made[..., out], sum(each)[::stride, ::stride] + bias[out], atol=1e-12)


def test_what_was_learned_is_finite_and_fits_together() -> None:
    for name, (matrix, bias) in _weights().items():
        assert np.isfinite(matrix).all() and np.isfinite(bias).all(), name
        assert matrix.shape[1] == len(bias)
    seen = _network(np.random.default_rng(0).random((FRAME_ROWS, FRAME_COLUMNS, 9), dtype=np.float32))
    assert seen.shape == (FRAME_ROWS, FRAME_COLUMNS, 4) and np.isfinite(seen).all()


def test_a_frame_shows_a_place_where_it_is() -> None:
    turned = 3.0 * np.array([[0.8, -0.6], [0.6, 0.8]])
    frame = _Frame(np.array([200.0, 100.0]), turned)
    places = np.random.default_rng(1).uniform(0.0, 300.0, (7, 2))
    np.testing.assert_allclose(frame.place(frame.pixel(places)), places)
    np.testing.assert_allclose(frame.place(FRAME_CENTRE), [200.0, 100.0])
    assert frame.scale == pytest.approx(3.0)


def test_ends_are_as_far_apart_as_the_body_is_long() -> None:
    """Two likely noses, the likelier of them half way: the other one is it, for what is body goes on to there."""
    seen = np.full((FRAME_ROWS, FRAME_COLUMNS, 4), -6.0)
    seen[50:60, 20:120, 0] = 3.0
    for kind, column, odds in ((2, 20, 1.0), (2, 70, 2.0), (3, 119, 2.0)):
        seen[54:57, column - 1 : column + 2, kind] = odds
    frame = _Frame(FRAME_CENTRE, np.eye(2))
    nose, tail = _ends(seen, frame, NOTHING, "auto")
    np.testing.assert_allclose((nose, tail), [(20, 55), (119, 55)], atol=0.7)
    told = KnownPlaces(np.array([70.0, 55.0]), None, NOTHING.back, NOTHING.belly)
    np.testing.assert_array_equal(_ends(seen, frame, told, "auto")[0], told.nose)


@pytest.mark.film
def test_a_fish_that_faces_the_other_way_as_told_is_turned_over() -> None:
    picture = draw(4, "plain", 320, facing="left")
    for facing, sign in (("auto", -1), ("left", -1), ("right", 1)):
        found = segments(look(picture.image), NOTHING, facing)
        assert found is not None and np.sign(found.nose[0] - found.tail[0]) == sign


@pytest.mark.parametrize("light", [0.0, 0.5])
def test_nothing_is_nothing(light: float) -> None:
    assert sightings(look(np.full((60, 90, 3), light)), NOTHING) == []


@pytest.mark.film
@pytest.mark.parametrize("seed", [0, *(pytest.param(seed, marks=pytest.mark.large) for seed in range(1, 4))])
def test_in_a_mirror_a_fish_is_where_it_was(seed: int) -> None:
    """The network looks at either side; rounding and what is between pixels of the frame may part them by a rim."""
    picture = draw(seed, "cluttered", 320)
    one, other = (segments(look(image), NOTHING) for image in (picture.image, picture.image[:, ::-1]))
    assert one is not None and other is not None
    assert shared(one.body > 0.0, other.body[:, ::-1] > 0.0) > 0.98


@pytest.mark.long
@pytest.mark.film
def test_where_it_doubts_it_begins_anew() -> None:
    """A fish of which the first look at all of the picture tells less than another one does."""
    picture = draw_foreign(1052)
    view = look(picture.image)
    assert view.step == 1.0
    first, other = sightings(view, NOTHING)
    assert shared(other.body > 0.0, picture.body) > 0.9 > shared(first.body > 0.0, picture.body)
    sure = draw(4, "plain", 320)
    assert len(sightings(look(sure.image), NOTHING)) == 1


def shared(one: np.ndarray, other: np.ndarray) -> float:
    return (one & other).sum() / (one | other).sum()
