"""Anchors: how they are written, and what they say about an outline."""

from __future__ import annotations

import numpy as np
import pytest

from artfish.core.photo.anchors import known_by, read_anchors


def test_rows_pairs_and_mappings_are_read_alike() -> None:
    expected = {(0, 10): (5.0, 6.0), (4, 20): (7.5, 8.0)}
    assert read_anchors([(0, 10, 5, 6), (4, 20, 7.5, 8)], (9, 21)) == expected
    assert read_anchors([((0, 10), (5, 6)), ((4, 20), (7.5, 8))], (9, 21)) == expected
    assert read_anchors(expected, (9, 21)) == expected


@pytest.mark.parametrize("anchor", [(9, 0, 1, 1), (0, 21, 1, 1), (0.5, 0, 1, 1), (0, 0, np.inf, 1), (0, 0, 1)])
def test_what_is_no_node_or_no_place_is_refused(anchor: tuple) -> None:
    with pytest.raises(ValueError, match="anchors: found"):
        read_anchors([anchor], (9, 21))


def test_nodes_of_the_border_say_where_nose_tail_back_and_belly_are() -> None:
    known = known_by({(4, 0): (1.0, 2.0), (0, 10): (5.0, 1.0), (8, 10): (5.0, 4.0), (4, 10): (5.0, 2.0)})
    assert known.nose == pytest.approx((1.0, 2.0)) and known.tail is None
    np.testing.assert_array_equal(known.back, [(5.0, 1.0)])
    np.testing.assert_array_equal(known.belly, [(5.0, 4.0)])


def test_the_tail_is_its_middle_or_half_way_between_its_ends() -> None:
    ends = {(0, 20): (9.0, 1.0), (8, 20): (9.0, 3.0)}
    assert known_by(ends).tail == pytest.approx((9.0, 2.0))
    assert known_by(ends | {(4, 20): (9.0, 2.5)}).tail == pytest.approx((9.0, 2.5))
    assert known_by({(0, 20): (9.0, 1.0)}).tail is None
