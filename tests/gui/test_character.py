"""A real mouse drags a trait of a species: its numbers and its surface follow, and undo takes them back."""

import pytest


@pytest.fixture(scope="module")
def session(blender):
    """One session."""
    return blender("character", size="1040x1300", seconds=900)


def test_the_surface_follows_the_build(session):
    (build, top), (slender, low) = session["given"], session["dragged"]
    assert slender < build - 0.05 and low < 0.98 * top


def test_undo_takes_the_trait_and_the_surface_back(session):
    assert session["undone"] == pytest.approx(session["given"])


def test_a_length_of_its_own_is_given_back(session):
    assert session["length"] == pytest.approx(0.09, rel=0.02)
