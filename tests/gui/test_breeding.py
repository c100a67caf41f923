"""Breeding in a window: children at play are bred on, and undo goes back through the family."""

import pytest


@pytest.fixture(scope="module")
def session(blender):
    """One session."""
    return blender("breeding", size="1280x1000", seconds=900)


def test_a_child_at_play_has_children(session):
    assert session["first"] == [f"blue_tang_clownfish_{number}" for number in range(1, 10)]
    assert session["parents"][-1] == "blue_tang_clownfish_7"
    assert session["second"] == [f"blue_tang_clownfish_{number}" for number in range(10, 19)]
    assert session["kept"]
    assert session.picture("panel") and session.picture("children")


def test_undo_goes_back_to_the_first_parents(session):
    """The name goes, then the second brood, the parent, and the first brood."""
    assert session["undone"] == [[10, True, 1], [10, False, 1], [9, False, 1], [9, False, 2], [0, False, 2]]
