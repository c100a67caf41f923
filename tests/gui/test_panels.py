"""All panels are photographed, whoever made them."""

import pytest


@pytest.fixture(scope="module")
def session(blender):
    """One session on a screen that is tall enough for any panel."""
    return blender("panels", size="1400x2400", seconds=1500)


def test_every_panel_is_drawn_without_complaint(session):
    hidden = set(session["panels"]) - set(session["drawn"])
    assert session["panels"] and not hidden, "their poll wants something that drivers/panels.py does not make"
