"""All panels are photographed; new ones are found by themselves."""

import pytest


@pytest.fixture(scope="module")
def session(blender):
    """One session on a screen that is tall enough for any panel."""
    return blender("panels", size="760x2400", seconds=900)


def test_every_panel_is_drawn_without_complaint(session):
    hidden = set(session["panels"]) - set(session["drawn"])
    assert session["panels"] and not hidden, "their poll wants something that drivers/panels.py does not make"


def test_a_preset_is_in_the_middle_of_the_view(session):
    past, away = session["framed"]
    assert past < 0.01 and 0.5 < away < 2.0


def test_another_click_on_quick_look_gives_all_back(session):
    before, during, after = session["look"]
    assert before == after
    assert during[:4] == ["MATERIAL", False, True, "CAMERA"] and during[5:7] == before[5:7]
