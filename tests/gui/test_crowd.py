"""A crowd in a real window: baked as its panel says, seen, rendered by EEVEE, and taken back by one undo."""

import pytest


@pytest.fixture(scope="module")
def session(blender):
    """One session, whose results all tests read; EEVEE takes its time without a graphics card."""
    return blender("crowd", size="940x1500", seconds=900)


def test_the_panel_of_a_crowd_is_shown_in_that_of_a_bake(session):
    assert "ARTFISH_PT_crowd" in session["panels"] and session.picture("panel") and session.picture("view")


def test_what_was_typed_is_baked(session):
    assert session["inputs"] == {"Near": 15.0, "Far": 60.0, "Fishes": 60, "Frames": 24}
    assert len(session["surfaces"]) == 3


def test_every_fish_is_seen_at_every_frame_and_once(session):
    assert set(session["whole"]) == {60}


def test_eevee_renders_it(session):
    assert session.picture("eevee") and session["still"] > 20


def test_one_undo_takes_it_back(session):
    assert session["left_after_undo"] == []
