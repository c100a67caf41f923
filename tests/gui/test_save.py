"""Scene files are saved a little at a time where something must be looked at through the film."""

import pytest


@pytest.fixture(scope="module")
def session(blender):
    """One session, whose results all tests read."""
    return blender("save")


def test_esc_gives_it_up_and_the_frame_is_as_it_was(session):
    assert session["at_work"] == [True, False]
    assert session["given_up"] == [False, 25]


def test_a_file_that_is_chosen_in_the_file_browser_is_written(session):
    assert session["saved"] == [False, 0, 25]
    assert session["motion"] > 2
