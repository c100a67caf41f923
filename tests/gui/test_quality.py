"""Interrupted work leaves nothing behind, and panels and overlays bear missing objects."""

import pytest

WORK = ("play", "steer", "feed", "bake")
CASES = [f"{work} {change}" for work in WORK for change in ("new", "opened", "disabled")] + ["play reload"]


@pytest.fixture(scope="module")
def session(blender):
    """One session in a small window; its log may hold no traceback."""
    return blender("quality", size="900x900", seconds=1800)


@pytest.mark.parametrize("case", CASES)
def test_nothing_is_left_of_what_was_at_work(session, case):
    assert session["left"][case] == {"draws": 0, "timers": [], "ticks": 0, "registered": [], "modal": []}


def test_overlays_are_counted(session):
    assert session["draws"] > 0


def test_panels_bear_what_is_gone(session):
    damages = ("active_fish", "parts", "renamed", "tank", "shoals", "species", "collections", "everything")
    assert session["gone"] == [f"{state} {damage}" for state in ("live", "baked") for damage in damages]
