"""From Install from Disk to fishes that swim in light, in three clicks."""

import pytest

CLICKS = 3
"""The tab, Add Fishes and Quick Look: each is one call of a click in the driver."""


@pytest.fixture(scope="module")
def session(blender):
    """One session, whose results all tests read."""
    return blender("install", size="1280x800")


def test_it_was_not_there_before(session):
    assert not session["before"]


def test_fishes_swim_in_light_after_three_clicks(session):
    assert session["swam"] > 0.002  # metres, for fishes of 0.1 m
    shading, colours = session["lit"]
    assert shading == "MATERIAL" and colours > 5000
    assert session.picture("seen")


def test_another_click_takes_all_of_it_back(session):
    assert session["after"] == [0, 1, False, "SOLID"]
