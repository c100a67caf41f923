"""The gallery of presets, with a real mouse."""

import pytest


@pytest.fixture(scope="module")
def session(blender):
    """One session, whose results all tests read."""
    return blender("gallery")


def test_it_opens_with_pictures_and_closes_once_a_scene_is_chosen(session):
    there, colours = session["opened"]
    assert there and colours > 10_000  # panels alone have some hundreds, the view some thousands
    there, shoals, _ = session["picked"]
    assert not there and "grouper" in shoals  # the hunt, which alone is among kelp


def test_what_is_typed_leaves_only_what_it_names(session):
    assert session["searched"] < 0.7 * session["opened"][1]


def test_its_button_opens_and_closes_it(session):
    assert session["again"] and not session["closed"]
