"""A real mouse drags a slider of a species: the surface follows every step of it, and undo takes it back."""

import pytest


@pytest.fixture(scope="module")
def session(blender):
    """One session."""
    return blender("species", size="1040x1300", seconds=900)


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


def test_the_preview_follows_while_it_is_dragged(session):
    """Not at the end alone: in at least every other of twenty steps of the mouse."""
    assert min(session["form_updates"], session["colour_updates"]) >= 10
