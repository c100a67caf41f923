"""A dive in a window: the submarine obeys mouse and keys, its ride is a camera, and nothing is left behind."""

import pytest


@pytest.fixture(scope="module")
def session(blender):
    """One session."""
    return blender("dive", size="900x1000", seconds=900)


def test_it_goes_into_the_water_and_obeys(session):
    assert session["diving"] and session["in_water"]
    assert session["speed"] > 0.05 and session["turned"] > 0.02
    assert session["wheel"] == pytest.approx(0.2)
    rudder, planes = session["dragged"]
    assert rudder < 0 < planes
    assert session["let_go"] == [0, 0]
    assert session["stopped"] == [0, 1, 0, 0, 0]


def test_its_ride_is_an_ordinary_keyed_camera(session):
    assert session["camera"].startswith("Submarine") and not session["plays"]
    assert sorted({path for path, _ in session["keys"]}) == ["location", "rotation_euler"]
    assert len(session["keys"]) == 6
    assert session["orders"][0] == "accelerate" and {"left", "full_stop"} <= set(session["orders"])


def test_undo_takes_all_of_it_back_at_once(session):
    assert session["undone"] == [True, ""]


def test_nothing_is_left_without_the_extension(session):
    assert session["diving_again"]
    assert session["left"] == [] and session["left_ticks"] == 0
    assert session["came_back"]
