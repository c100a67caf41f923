"""The snake grid as a tool: mouse and keys, one step of undo, and nothing left behind."""

import pytest


@pytest.fixture(scope="module")
def session(blender):
    """One session, whose results all tests read."""
    return blender("snake_grid", seconds=900)


def test_the_fit_can_be_given_up_and_is_undone_in_one_step(session):
    assert session["fitted_when_given_up"] == [] and session["fitted"] == 9 * 21 * 2
    assert session["fitted_when_undone"] == 0 and session["ticks_when_fitted"] == 0


def test_giving_up_leaves_no_grid_and_no_timer(session):
    assert session["kept_when_given_up"] == []
    assert session["ticks_when_given_up"] == session["ticks_when_accepted"] == 0


def test_the_mouse_pulls_and_keys_anchor_and_flip(session):
    assert session["faces_left"] and session["faces_right_when_flipped"]
    assert session["pulled"] > 2.0
    assert session["anchors"] == [[4, 10]] and session["anchors_freed"] == 0


def test_what_is_accepted_is_kept_and_undone_in_one_step(session):
    assert session["kept"] == 9 * 21 * 2
    assert session["materials"] == ["thesis skin"] and session["materials_when_undone"] == []
    assert session["kept_when_worn_undone"] == 9 * 21 * 2
    assert session["kept_when_undone"] == 0


def test_the_tool_ends_with_the_add_on(session):
    assert not session["running_when_disabled"] and session["ticks_when_disabled"] == 0


def test_pictures_are_taken(session):
    for name in ("before", "relaxed", "anchored", "accepted"):
        session.picture(name)
