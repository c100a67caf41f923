"""Live play in a window obeys mouse and keyboard, and leaves nothing behind."""

import pytest


@pytest.fixture(scope="module")
def session(blender):
    """One session."""
    return blender("live", size="900x1000", seconds=900)


def test_first_fishes_in_three_clicks(session):
    # The tab, Add Fishes, Play.
    assert session["fishes"] == 6
    assert session["pauses"]


def test_a_click_selects_a_fish_though_one_mesh_draws_them_all(session):
    first, both, again = session["picked"]
    assert first == again == [[0], [0], []]
    assert both == [[0, 3], [3], []]


def test_going_back_and_far_ahead(session):
    assert session["goes_back"] == [2, True]
    assert session["word"] == "Simulating to frame 200…"
    # The window is given back at once; the frame comes when it is simulated.
    at_first, in_the_end = session["ahead"]
    assert at_first < in_the_end == 199


def test_a_hand_in_the_water(session):
    assert session["feeding"] and session["fed"]
    assert session["food"] == session["food_stays"] == 12
    afraid, before = session["fear"]
    assert afraid > 0.5 > before
    assert abs(session["libido"] - 0.8) < 0.01


def test_becoming_a_fish(session):
    assert session["steering"] and session["steered"] == [0]
    assert session["let_go"] == [False, []]


def test_other_files(session):
    assert session["new"] == {"ticks": 0, "same": True, "ours": 0}
    assert session["open"]["playing"] is False and session["open"]["ours"] >= 6
    fishes, ours = session["again"]
    assert fishes == 6 and ours == session["open"]["ours"] - 1  # the food that was dropped is not there any more


def test_the_extension_is_taken_out_while_it_plays(session):
    assert session["steering_again"] and session["left"] == [] and session["left_ticks"] == 0
    assert session["came_back"]
    assert session["stays"] >= 6 and session["ended"] == 0
