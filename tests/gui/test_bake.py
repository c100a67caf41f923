"""The Bake panel with a real mouse and keyboard."""

import pytest


@pytest.fixture(scope="module")
def session(blender):
    """One session, whose results all tests read."""
    return blender("bake")


def test_the_panel_shows(session):
    assert session.picture("new_file")


def test_esc_gives_up_and_leaves_the_file_as_it_was(session):
    assert session["progress_seen"]
    assert session["changed_when_given_up"] == []
    assert session["ticks_when_given_up"] == 0


def test_a_bake_of_what_was_typed_comes_to_its_end(session):
    assert session["frames"] == 12
    assert session["collections"] == ["Collection", "Artfish scene", "Artfish"]
    assert session["animated"] >= 3
    assert session["curves"] == 3 * 7
    assert session["ticks_when_baked"] == session["ticks_in_the_end"] == 0


def test_baking_again_takes_the_place_of_the_bake_before(session):
    assert session["collections_again"] == ["Collection", "Artfish scene", "My fishes"]
    assert session["fishes_again"] == session["fishes"]


def test_reverting_brings_back_the_bake_before_then_nothing(session):
    assert session["fishes_reverted"] == session["fishes"]
    assert session["fishes_reverted_twice"] == []


def test_one_undo_takes_each_step_back(session):
    assert session["fishes_undone"] == session["fishes"]
    assert session["fishes_undone_wholly"] == []
    assert session["collections_undone"] == ["Collection", "Artfish scene"]


def test_a_saved_bake_is_reverted(session):
    assert session["fishes"]
    assert session["fishes_reverted_after_open"] == []


def test_a_blender_without_usd_bakes_no_caches(session):
    has_usd, bakes = session["caches"]
    assert has_usd == bakes
