"""Keyed numbers."""

from __future__ import annotations

from artfish.core.base.keys import at_time


def test_a_number_follows_its_keys():
    keys = ((1.0, 0.0), (3.0, 1.0), (3.0, 0.5))
    assert [at_time(keys, t) for t in (0.0, 2.0, 3.5)] == [0.0, 0.5, 0.5]
    assert at_time(0.7, 99.0) == 0.7
