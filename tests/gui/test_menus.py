"""F3 finds operators by the words that an animator would type; Play in a second window plays that window's scene."""

import pytest


@pytest.fixture(scope="module")
def session(blender):
    """One session, whose results all tests read."""
    return blender("menus")


def test_the_menu_search_finds_presets_bake_revert_and_play(session):
    assert session["preset"] > 0
    assert session["baked"] > 0
    assert session["reverted"] == 0
    assert session["first"]


def test_a_bake_leaves_nothing_in_the_camera_s_view_but_what_is_filmed(session):
    assert session["drawn"] == [False, False]
    assert session.picture("through_the_camera")


def test_play_in_a_second_window_goes_on_there(session):
    assert session["scenes"] == [True, True, True]
    assert session["second"] and session["stopped"]
