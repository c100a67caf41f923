"""The page of a shot from start to finish is followed click by click, and keeps its promises."""

import re
from pathlib import Path

import pytest

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "manual" / "shot.md").read_text()


@pytest.fixture(scope="module")
def session(blender):
    """One session, in a window as small as a laptop's; slow machines redraw a few times a second."""
    return blender("shot", size="1280x800", seconds=1500)


def test_every_step_of_the_page_is_done(session):
    assert session["steps"] == re.findall(r"<!-- step: (\w+) -->", PAGE)


def test_the_set_is_in_the_water(session):
    assert session["tab"] == "Artfish" and not session["cubes"]
    assert session["obstacles"] == session["selected"] == ["Boat", "Jar 1", "Jar 2", "Jar 3", "Wall"]
    assert session["tank"] == ["Water"]


def test_the_fishes_are_as_the_page_has_them(session):
    """Species, number, spread, whether they are headed, and place and turn of the empty."""
    assert session["sardines"] == ["sardine", 40, 0.4, True, [-3.8, -0.7, 1.5, 0.0]]
    assert session["shark"] == ["reef_shark", 1, 0.5, True, [6.4, -2.6, 1.6, 3.142]]
    assert session["butterflyfish"] == ["butterflyfish", 6, 0.5, True, [1.4, -2.7, 1.0, 0.0]]
    assert session["names"] == ["Butterflyfish", "Reef shark", "Sardine"]
    assert session["type"] == "pacifist" and session["hunger"] == [[True, 0.0]] * 3


def test_a_way_that_is_too_fast_is_red_and_fit_time_mends_it(session):
    assert session["led"] == "sardine" and len(session["way"]) == 4
    feasible, line = session["too_fast"]
    assert not feasible and "the curve 'Way' needs" in line
    assert session["red"] > 200  # pixels of its letters
    feasible, _, frames = session["fitted"]
    assert feasible and frames > 30
    feasible, _, *timing = session["timed"]
    assert feasible and timing == [25, 192]
    assert session["cue"] == ["reef_shark", 160, [-4.4, -2.3, 1.5]]


def test_the_school_and_the_shark_are_there_in_time(session):
    """Sardines at the end of their way, within some lengths; the shark within a quarter of a second and a length."""
    assert session["frames"] == 240 and session["form"] == "points"
    late = {species: [row for row in session["arrived"] if row[0] == species] for species in ("sardine", "reef_shark")}
    assert len(late["sardine"]) == 40
    ((_, seconds, lengths),) = late["reef_shark"]
    assert abs(seconds) < 0.25 + 0.5 / 24 and lengths < 1.0


def test_one_shoal_is_baked_again_and_all_others_stay(session):
    fishes, same = session["kept"]
    assert fishes > 41 and same
    assert min(session["changed"]) > 0


def test_cameras_look_at_a_fish_film_one_and_edit(session):
    assert len(session["looked_at"]) == 1 and "sardine" in session["looked_at"][0].lower()
    _, kept, count = session["shots"]
    assert kept and count > 3 and len(session["cuts"]) >= count


def test_pictures_of_the_page_are_taken(session):
    assert session.picture("shot-way")
