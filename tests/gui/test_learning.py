"""The chart of learning in a real window, while a fish practises."""

import pytest


@pytest.fixture(scope="module")
def session(blender):
    """One session, whose results all tests read."""
    return blender("learning", size="960x1000", seconds=900)


def test_esc_gives_the_practice_up_and_leaves_the_shoal_as_it_was(session):
    assert session["given_up"] == [True, ""]


def test_the_chart_is_drawn_while_it_practises(session):
    assert session["running"] and session.picture("learning")


def test_at_the_end_the_shoal_swims_by_what_was_learned_and_undo_takes_it_back(session):
    assert session["steps"] == [400, 400, 400] and session["learned"] and session["undone"] == ""
