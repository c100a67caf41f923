"""Files that are dropped into the view in a real window."""

import pytest


@pytest.fixture(scope="module")
def session(blender):
    """One session, whose results all tests read."""
    return blender("drop")


def test_a_scene_is_taken_once_one_agrees(session):
    assert session.picture("asked")
    assert session["given_up"] == []
    assert session["dropped"] == ["blue_tang"]
    assert session["undone"] == []


def test_tracks_are_followed_and_baked_once_one_agrees(session):
    assert session.picture("asked_tracks")
    assert session["tracks_given_up"] == [0, False]
    assert session["tracks"] == [2, True, 24, "DELIVER"]
