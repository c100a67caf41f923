"""The retinas of a fish that plays live, in a real Blender."""

import pytest


@pytest.fixture(scope="module")
def session(blender):
    """One session, whose results all tests read."""
    return blender("retinas", size="900x1300", seconds=600)


def test_the_pictures_follow_while_it_plays_and_end_at_the_frame_that_is_shown(session):
    different, last, shown, drawn = session["shown"]
    assert different > 3
    assert last == shown == drawn


def test_panels_are_drawn_without_complaint(session):
    assert session.picture("retinas") and session.picture("retinas-turned")
