"""A thousand fishes play live in a window; those that the view shows large are dynamic."""

import pytest


@pytest.fixture(scope="module")
def session(blender):
    """One session."""
    return blender("live_many", seconds=900)


def test_a_thousand_play_with_as_many_dynamic_as_may_be(session):
    assert session["fishes"] == sum(session["levels"]) == 1000
    assert 0 < session["levels"][0] <= 60


def test_objects_of_all_fishes_take_their_places_when_the_film_stops(session):
    assert session["rested"] == 0
    assert session.picture("a_thousand").exists()


def test_levels_of_detail_follow_the_view_that_turns_away(session):
    unseen = session["levels"][2], session["levels seen otherwise"][2]
    assert unseen[1] > 800 > unseen[0]
