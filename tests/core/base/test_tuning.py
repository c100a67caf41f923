"""Tuned numbers: plain to whoever uses them, and all in the table of their module."""

from importlib import import_module

import pytest

from artfish.core.base.tuning import OURS, TABLES, tuned


def test_a_number_stays_what_it_is_and_is_in_the_table_of_its_module():
    value = (0.25, 0.5)
    try:
        assert tuned(value, "s", "For the test") is value
        (row,) = TABLES[__name__]
        assert (row.value, row.unit, row.why, row.source) == (value, "s", "For the test", OURS)
    finally:
        TABLES.pop(__name__, None)


@pytest.mark.parametrize("room", ["body", "habitat", "form"])
def test_every_number_of_a_room_says_why_it_is_so(room):
    module = import_module(f"artfish.core.{room}.tuning")
    rows = TABLES[module.__name__]
    numbers = [value for name, value in vars(module).items() if name.isupper()]
    assert [row.value for row in rows] == numbers
    assert all(row.why and row.source for row in rows)
