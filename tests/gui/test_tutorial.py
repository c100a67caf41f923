"""The tutorial is followed click by click, and keeps its promises."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "manual" / "first_fish.md").read_text()
OF_BLENDER = {"n", "g", "s", "to"}
"""Bold words that are keys, or labels of Blender's own."""


@pytest.fixture(scope="module")
def session(blender):
    """One session; slow machines redraw a few times a second."""
    return blender("tutorial", size="900x1500", seconds=1500)


def test_bold_words_are_on_the_buttons():
    code = "\n".join(path.read_text() for path in (ROOT / "blender_artfish").rglob("*.py")).lower()
    bold = {word.lower() for word in re.findall(r"\*\*([^*]+)\*\*", PAGE)} - OF_BLENDER
    assert len(bold) > 10
    assert not [word for word in bold if f'"{word}"' not in code]


def test_every_step_of_the_page_is_done(session):
    assert session["steps"] == re.findall(r"<!-- step: (\w+) -->", PAGE)


def test_three_clicks_and_fishes_swim(session):
    assert session["tab"] == "Artfish"
    assert session["added"] == [6, 1]
    assert session["swam"] > 0.002  # metres in half a second, for fishes of 0.1 m


def test_what_is_changed_is_taken_up(session):
    way, said = session["moved"]
    assert way > 0.1 and said.startswith("Began anew")
    assert session["species"] == "blue_tang"
    assert session["paused"] and session["picked"]
    assert min(session["feels"]) > 0.6
    assert session["food"] == 1
    assert session["pillars"] == ["Pillar"]


def test_the_film_is_baked_and_rendered(session):
    fishes, way, ended = session["baked"]
    assert (fishes, session["end"], ended) == (6, 48, True) and way > 0.002
    assert session["stage"] == [True, True] and not session["cubes"]
    assert session["camera"] != "Camera"
    assert min(session["rendered"]) > 0 and session.picture("rendered")


def test_they_arrive_on_cue(session):
    """All are there within a second, in the arrival's radius and a length more; who is early swims about in it."""
    assert session["leads"] == ["arrival", True] and session["goal"] > 0.1 and session["due"] == 100
    count, late = session["arrived"]
    assert count == 6 and late < 1.0
    off, most = session["off"]
    assert off < most


def test_pictures_of_the_page_are_taken(session):
    for name in re.findall(r"\((first_fish-\w+)\.png\)", PAGE):
        assert session.picture(name)
