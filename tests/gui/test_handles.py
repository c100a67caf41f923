"""Handles in the view, dragged with a real mouse."""

import pytest


@pytest.fixture(scope="module")
def session(blender):
    """One session, whose results all tests read."""
    return blender("handles")


def test_a_school_is_made_longer_and_moved_and_put_back(session):
    scale, place = session["before"]
    assert session["longer"][0] > 1.5 * scale[0] and session["longer"][1:] == scale[1:]
    assert session["moved"][1] > place[1] + 0.3 and session["moved"][0] == pytest.approx(place[0], abs=0.05)
    assert session["given_up"] == session["longer"]
    assert session["undone"] == place


def test_a_side_of_the_tank_moves_alone(session):
    assert session["tank"] > session["tank_before"] + 0.5
    assert session["side_across"] == pytest.approx(0.0, abs=1e-5)


def test_they_are_drawn(session):
    assert all(session.picture(name) for name in ("school", "longer", "tank", "wider"))
