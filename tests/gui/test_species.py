"""A real mouse picks a species, shows it and drags a slider: the surface follows soon, and undo takes it back."""

import pytest

SOON = 0.05
"""Seconds of processor time in which surface and colours follow one step of a slider."""


@pytest.fixture(scope="module")
def session(blender):
    """One session."""
    return blender("species", seconds=300)


def test_the_menu_picks_a_preset(session):
    assert session["picked"] == "clownfish"


def test_the_view_turns_to_the_preview(session):
    assert session["looked_at"] == pytest.approx([1.0, -2.0, 0.5])


def test_the_drawn_surface_follows_the_slider_in_proportion(session):
    (height, top), (higher, raised) = session["before"], session["after"]
    assert higher > 1.1 * height
    # The body stands on its long axis; only its rounded nose, a tenth of its length, is not in proportion.
    assert raised / top == pytest.approx(higher / height, rel=0.1)


def test_undo_takes_a_drag_back_in_one_step(session):
    assert session["blunt"] < session["blunt_undone"] == pytest.approx(0.9)
    assert session["undone"] == pytest.approx(session["before"])


def test_own_species_lie_where_blender_keeps_files_of_the_extension(session):
    assert session["saved"] == ["nemo.json"]


def test_an_update_is_fast_enough_to_drag(session):
    for name in ("form_updates", "colour_updates"):
        assert len(session[name]) >= 10
        assert sorted(cpu for _, cpu in session[name])[len(session[name]) // 2] < SOON
