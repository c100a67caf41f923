"""Keys, the pie menu and the page in Blender's preferences, with a real keyboard."""

import pytest


@pytest.fixture(scope="module")
def session(blender):
    """One session, whose results all tests read."""
    return blender("preferences", size="1280x800")


def test_keys_are_there_and_go_with_the_add_on(session):
    assert sorted(key for _, key, _ in session["keys"]) == ["Alt F", "Shift Alt F", "Shift F"]
    assert session["left"] == []


def test_fishes_are_added_by_the_pie_and_play_by_a_key(session):
    assert session["shoals"] == 1 and session["plays"] and session["paused"]
    assert session.picture("pie")


def test_the_page_is_drawn(session):
    assert session.picture("page") and session["page"] > 200
