"""A bake of the form Cache in a real Blender: in its view, undone, and moved with its file."""

import pytest


@pytest.fixture(scope="module")
def session(blender):
    """One session, whose results all tests read."""
    return blender("caches")


def test_a_file_beside_the_blend_has_the_fishes(session):
    assert session["fishes"] == 6
    assert len(session["files"]) == 1


def test_they_swim_in_the_view(session):
    assert session["moved"] > 0.05
    for frame in (1, 20, 40):
        assert session.picture(f"frame_{frame:02}")


def test_undone_and_redone_they_are_where_they_were(session):
    assert session["fishes_undone"] == 0
    assert session["fishes_redone"] == 6
    assert session["off_when_redone"] == 0.0


def test_moved_with_its_file_it_plays_as_before(session):
    assert session["off_when_moved"] == 0.0
    assert session["ticks"] == 0
