"""Findings of studies: intervals are those of the tables, and a page keeps the findings of other studies."""

import pytest

from artfish.studies.__main__ import HEAD, STUDIES, keep
from artfish.studies.finding import Finding, counted, each, table


@pytest.mark.parametrize(
    ("successes", "low", "high"), [(0, 0.0, 0.1684), (1, 0.0013, 0.2487), (16, 0.5634, 0.9427), (20, 0.8316, 1.0)]
)
def test_intervals_of_twenty_trials_are_those_of_clopper_and_pearson(successes, low, high):
    assert Finding("a claim", successes, 20).interval() == pytest.approx((low, high), abs=5e-5)


@pytest.mark.parametrize(("successes", "least", "holds"), [(16, 0.8, True), (15, 0.8, False), (3, None, None)])
def test_a_claim_holds_if_it_came_out_as_often_as_it_should(successes, least, holds):
    assert Finding("a claim", successes, 20, least).holds() is holds


def test_every_combination_is_tried_in_order():
    assert each(divmod, [7, 9], [2, 4]) == [(3, 1), (1, 3), (4, 1), (2, 1)]


def test_a_table_has_a_line_a_claim():
    lines = table([counted("fishes swim", [True, True, False], 0.9, "slowly")]).splitlines()
    assert lines[2] == "| fishes swim | 2 of 3 | 9% to 99% | 90% | **no** | slowly |"


def test_a_page_keeps_other_studies_and_their_order(tmp_path):
    page = tmp_path / "studies.md"
    for name, text in ((STUDIES[1], "once"), (STUDIES[0], "too"), (STUDIES[1], "again")):
        keep(page, f"{name}\n\n{text}\n")
    assert page.read_text() == f"{HEAD}\n## {STUDIES[0]}\n\ntoo\n\n## {STUDIES[1]}\n\nagain\n"
