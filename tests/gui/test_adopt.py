"""A model is adopted with a real mouse: looked at, named, adopted, undone, and shown where it is open."""

import pytest


@pytest.fixture(scope="module")
def session(blender):
    """One session."""
    return blender("adopt", seconds=900)


def test_a_look_finds_nose_and_back(session):
    assert session["guessed"] == ["-Y", "+Z", "perch"]


def test_the_button_adopts_under_the_name_that_was_typed(session):
    assert session["adopted"] == "river_perch" and session["length"] == pytest.approx(0.4)


def test_one_undo_takes_it_out_of_the_file_again(session):
    assert session["kept"] == ["Perch"]


def test_open_edges_are_shown_where_they_are(session):
    """The hole in the back has four; both ends of the body are open, too."""
    assert session["open"] == 4 + 2 * 12
