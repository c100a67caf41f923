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
