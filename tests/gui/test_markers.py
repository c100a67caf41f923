"""Events on the timeline with a real mouse and keyboard."""

import pytest

OWN = ["Mine", 10]
BEFORE = [200, True, [["Food falls", 49], OWN]]
DELETED = [200, False, [OWN]]


@pytest.fixture(scope="module")
def session(blender):
    """One session, whose results all tests read."""
    return blender("markers", size="1040x1200", seconds=900)


def test_a_tick_in_the_panel_shows_events_and_one_undo_hides_them(session):
    assert session["shown"] == BEFORE
    assert session["hidden"] == [200, True, [OWN]]
    assert session["again"] == BEFORE


def test_an_event_goes_with_a_marker_that_is_dragged(session):
    seconds, _, (marker, own) = session["dragged"]
    assert 65 < marker[1] < 80 and own == OWN
    assert seconds == pytest.approx(100 * (marker[1] - 1) / 24, abs=1)


def test_one_undo_takes_a_drag_back_and_redo_does_it_again(session):
    assert session["undragged"] == BEFORE
    assert session["redragged"] == session["dragged"]
    assert session["undone_else"] == session["dragged"]
    assert session["undragged_again"] == BEFORE


def test_a_drag_that_is_given_up_changes_nothing(session):
    assert session["given_up"] == BEFORE


def test_a_marker_goes_with_the_number_in_the_panel(session):
    assert session["typed"] == [100, True, [["Food falls", 25], OWN]]
    assert session["untyped"] == BEFORE


def test_a_marker_is_called_as_its_event(session):
    assert session["renamed"] == ["Crumb falls", "Mine"]


def test_an_event_whose_marker_is_deleted_keeps_its_time(session):
    assert session["deleted"] == DELETED
    assert session["undeleted"] == BEFORE
    assert session["redeleted"] == DELETED
    assert session["put_back"] == BEFORE


def test_markers_are_watched_only_while_events_are_shown(session):
    assert not session["idle"]
    assert session["watched"]
    assert not session["left"]
    assert session["plain"] == [["Food falls", 49], OWN]
