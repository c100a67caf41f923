"""Files change and the add-on is disabled while it works, and nothing of the work stays behind."""

import pytest


@pytest.fixture(scope="module")
def session(blender):
    """One session, whose results all tests read."""
    return blender("leave")


@pytest.mark.parametrize("change", ["new", "open", "disabled"])
def test_no_timer_handler_or_operator_is_left_of_a_bake(session, change):
    assert session[change] == {"running": False, "ticks": 0, "same": True}


@pytest.mark.parametrize("workspace", ["Layout", "Modeling"])
def test_no_word_of_a_bake_stays_in_a_status_bar(session, workspace):
    found = session["status"]
    assert found[f"{workspace} meanwhile"] > found[f"{workspace} before"] == found[f"{workspace} after"]


def test_that_it_was_given_up_is_said_in_the_other_file_for_a_while(session):
    shown, after = session["report"]
    assert shown > 20 > after


def test_disabling_removes_everything(session):
    assert session["left"] == []
    assert session["came_back"]


def test_it_bakes_again_afterwards(session):
    assert session["bakes_again"]
