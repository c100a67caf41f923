"""The tutorial "your own fish in ten minutes" is followed click by click, and keeps its promises."""

import re
from pathlib import Path

import pytest

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "manual" / "adopt.md").read_text()


@pytest.fixture(scope="module")
def session(blender):
    """One session; slow machines redraw a few times a second."""
    return blender("adopt_tutorial", size="900x1500", seconds=1500)


def test_every_step_of_the_page_is_done(session):
    assert session["steps"] == re.findall(r"<!-- step: (\w+) -->", PAGE)


def test_a_model_is_imported_looked_at_and_adopted(session):
    assert session["brought"] == session["selected"] == ["Perch"]
    assert session["tab"] == "Artfish" and session["guessed"] == ["-Y", "+Z"]
    assert session["adopted"] == "river_perch"


def test_it_plays_live(session):
    assert session["added"] == ["river_perch", 6] and session["live_species"] == "river_perch"
    assert session["swam"] > 0.01  # metres, for fishes of 0.4 m


def test_it_is_baked_in_its_own_skin_and_the_film_plays(session):
    assert session["form"] == "mesh" and session["baked"] == [6, ["ARMATURE"]]
    ((vertices,), (material,)) = session["worn"]
    assert vertices == 24 * 12 and material.startswith("Perch_skin")
    assert session["film_swam"] > 0.01
