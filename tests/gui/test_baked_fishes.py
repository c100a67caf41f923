"""A baked fish is one in a real window: taken by any part, changed from the panel, and given back by undo."""

import pytest


@pytest.fixture(scope="module")
def session(blender):
    """One session, whose results all tests read."""
    return blender("baked_fishes", size="900x1500")


def test_a_click_on_a_part_and_one_on_the_button_select_the_whole_fish(session):
    active, *others = session["whole"]
    assert active == "Clownfish 02" and len(others) == 9 and all(name.startswith("Clownfish 02 ") for name in others)


def test_what_a_dialog_is_given_up_with_changes_nothing(session):
    assert session.picture("retime") and session["span"] == [1.0, 13.0]
    assert session["span_retimed"] == [5.0, 13.0]


def test_a_copy_is_made_hidden_shown_and_another_deleted(session):
    assert session["duplicated"] == [f"Clownfish {number:02d}" for number in (1, 2, 3, 4)]
    assert session["chosen"] == "Clownfish 04" and session["hidden"] == ["Clownfish 04"]
    assert session["hidden_then"] == [] and session["left"] == ["Clownfish 02", "Clownfish 03", "Clownfish 04"]


def test_undo_goes_back_step_by_step(session):
    assert session["undone"] and session["span_undone"] == [1.0, 13.0]


def test_the_panel_is_shown(session):
    assert all(session.picture(name) for name in ("nothing", "panel", "hidden"))
