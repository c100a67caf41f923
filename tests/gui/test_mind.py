"""The Mind and Fish View panels in a real Blender, with a real mouse."""

import pytest


@pytest.fixture(scope="module")
def session(blender):
    """One session, whose results all tests read."""
    return blender("mind", size="900x1300", seconds=900)


def test_panels_and_overlays_are_drawn_without_complaint(session):
    for name in ("mind", "mind-none", "fish_view", "fish_view-wide", "overlay-all", "overlay-field", "overlay-mind"):
        assert session.picture(name)


def test_a_click_on_an_intention_goes_to_it_and_undo_comes_back(session):
    before, after = session["went"]
    assert after != before and session["went_back"] == before


def test_through_and_back(session):
    name, perspective = session["looks"]
    assert name.endswith(" view") and perspective == "CAMERA"
    assert session["back"] == [True, session["perspective_before"]]
    assert session["undone"]
