"""The overlay of a fish's memory, in a real Blender."""

import pytest


@pytest.fixture(scope="module")
def session(blender):
    """One session, whose results all tests read."""
    return blender("memory", size="960x900", seconds=600)


def test_a_fish_comes_to_know_more(session):
    known, unknown, *_ = zip(*session["memories"], strict=True)
    assert known[0] < known[1] < known[2]
    assert len({one + other for one, other in zip(known, unknown, strict=True)}) == 1


def test_it_is_drawn_without_complaint(session):
    assert session.picture("memory-2") and session.picture("memory-100") and session.picture("memory-240")
