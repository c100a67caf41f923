"""The Direction panel with a real mouse and keyboard."""

import pytest


@pytest.fixture(scope="module")
def session(blender):
    """One session, whose results all tests read."""
    return blender("direction", size="1040x1200", seconds=900)


def test_what_is_added_leads_the_selected_shoal(session):
    assert session["after_target"] == ["target"]
    assert session["leads"]


def test_all_kinds_are_there(session):
    assert session["kinds"] == sorted(["target", "curve", "region", "leader", "food"])


def test_the_playhead_sets_times(session):
    assert session["food_time"] == pytest.approx(2.0)
    assert session["food_time_then"] == pytest.approx(1.0)


def test_a_want_is_keyed_in_the_panel_and_undone(session):
    assert session["use_libido"]
    assert session["keyed"] == ["artfish.wants.libido"]
    assert not session["undone"]


def test_the_panel_is_drawn_whole(session):
    inside = {"ARTFISH_PT_direction", "ARTFISH_PT_events", "ARTFISH_PT_wants", "ARTFISH_PT_synchronise"}
    assert inside <= set(session["drawn"])
    assert all(session.picture(name) for name in ("empty", "target", "curve", "region", "leader", "food", "wants"))
