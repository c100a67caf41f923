"""The Export panel with a real mouse and keyboard."""

import pytest


@pytest.fixture(scope="module")
def session(blender):
    """One session."""
    return blender("export", size="960x1100", seconds=600)


def test_the_panel_shows(session):
    assert session.picture("panel")


def test_esc_gives_up_and_leaves_file_and_scene_as_they_were(session):
    assert session["progress_seen"] and session.picture("exporting")
    assert session["changed_when_given_up"] == [] and session["worn_when_given_up"]
    assert session["files_when_given_up"] == []
    assert session["ticks_when_given_up"] == 0


def test_fishes_go_into_a_file_with_their_pictures_and_the_scene_stays(session):
    assert session["skins"] == 2 and session["pictures"]
    assert session["changed_when_exported"] == [] and session["worn_when_exported"]
    assert session["frame"] == 5


def test_without_textures_no_picture_is_painted(session):
    assert not session["plain_pictures"] and session["smaller"]
    assert session["ticks_in_the_end"] == 0
