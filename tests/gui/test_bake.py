"""The Bake panel with a real mouse and keyboard."""

import pytest


@pytest.fixture(scope="module")
def session(blender):
    """One session; the tests look at what it saw."""
    return blender("bake")


def test_the_panel_shows(session):
    assert session.picture("new_file")


def test_esc_gives_up_and_leaves_the_file_as_it_was(session):
    assert session["progress_seen"]
    assert session["changed_when_given_up"] == []
    assert session["ticks_when_given_up"] == 0


def test_a_bake_of_what_was_typed_comes_to_its_end(session):
    assert session["frames"] == session["end"] == 12
    assert session["collections"] == ["Collection", "Artfish", "Stage"]
    assert session["animated"] > 10
    assert session["ticks_when_baked"] == 0


def test_one_undo_takes_a_bake_back(session):
    assert session["collections_when_undone"] == ["Collection"]
