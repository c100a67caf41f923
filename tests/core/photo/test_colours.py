"""Evidence of colours: the logarithm of a ratio of shares, counted by hand."""

from __future__ import annotations

import numpy as np
import pytest

from artfish.core.photo.colours import MOST_COLOUR_ODDS, RARE_SHARE, likeness

ROWS, COLUMNS = 40, 200
RIM = 13
"""Columns either side of where two colours meet whose blurred ones are kinds of their own."""


def halves() -> np.ndarray:
    picture = np.zeros((ROWS, COLUMNS, 3))
    picture[:, : COLUMNS // 2] = (0.8, 0.1, 0.2)
    picture[:, COLUMNS // 2 :] = (0.2, 0.3, 0.7)
    return picture


@pytest.mark.parametrize("share", [0.6, 0.75])
def test_it_is_the_logarithm_of_the_shares_of_a_colour(share: float) -> None:
    """Body is `share` of the left half and the rest of the right one, so all of the body is half of the picture.

    A colour keeps all of its half but, at most, the rim's part of it, which bounds its shares from below.
    """
    body = np.full((ROWS, COLUMNS), 1.0 - share)
    body[:, : COLUMNS // 2] = share
    told = likeness(halves(), body, np.ones((ROWS, COLUMNS), dtype=bool))
    most, least = (
        np.log((share * kept + RARE_SHARE) / ((1.0 - share) * kept + RARE_SHARE))
        for kept in (1.0, 1.0 - 2 * RIM / COLUMNS)
    )
    for half, sign in ((told[:, : COLUMNS // 2 - RIM], 1.0), (told[:, COLUMNS // 2 + RIM :], -1.0)):
        assert (sign * half <= most + 1e-9).all() and (sign * half >= least - 1e-9).all()


def test_a_colour_of_the_body_alone_tells_the_most() -> None:
    body = np.zeros((ROWS, COLUMNS))
    body[:, : COLUMNS // 2] = 1.0
    told = likeness(halves(), body, np.ones((ROWS, COLUMNS), dtype=bool))
    assert (told[:, : COLUMNS // 2 - RIM] == MOST_COLOUR_ODDS).all() and (
        told[:, COLUMNS // 2 + RIM :] == -MOST_COLOUR_ODDS
    ).all()


def test_where_nothing_is_known_colours_tell_nothing() -> None:
    picture = np.random.default_rng(0).random((ROWS, COLUMNS, 3))
    told = likeness(picture, np.full((ROWS, COLUMNS), 0.5), np.ones((ROWS, COLUMNS), dtype=bool))
    np.testing.assert_allclose(told, 0.0, atol=1e-12)


def test_what_is_far_away_tells_nothing() -> None:
    """The left half is body in the near rows; that it is not in the far ones is not asked."""
    body, near = np.zeros((ROWS, COLUMNS)), np.zeros((ROWS, COLUMNS), dtype=bool)
    body[: ROWS // 2, : COLUMNS // 2] = 1.0
    near[: ROWS // 2] = True
    assert (likeness(halves(), body, near)[:, : COLUMNS // 2 - RIM] == MOST_COLOUR_ODDS).all()
