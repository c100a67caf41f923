"""The Data Set panel with a real mouse and keyboard."""

import pytest


@pytest.fixture(scope="module")
def session(blender):
    """One session."""
    return blender("dataset", size="960x1100", seconds=600)


def test_a_click_makes_a_data_set_and_the_scene_stays(session):
    assert session["made"] == dict.fromkeys(("pictures", "masks", "depth", "labels"), 2) | dict.fromkeys(
        ("index.html", "coco.json", "README.md"), 1
    )
    assert session["kept"] and session.picture("before") and session.picture("panel")


def test_esc_keeps_the_pictures_that_are_done(session):
    assert 2 <= session["listed"] < 24
    assert session["stopped"]["labels"] == session["listed"]
    assert session["kept_when_stopped"]
