"""The panel of takes, with a real mouse."""

import pytest


@pytest.fixture(scope="module")
def session(blender):
    """One session, whose results all tests read."""
    return blender("takes", size="1040x1500")


def test_takes_are_run_and_one_is_used_and_undone(session):
    assert session["wishes"] == 1
    assert len(session["found"]) == 2 and set(session["found"]) <= {3, 4, 5, 6}
    there, seed = session["used"]
    assert there and seed == session["found"][1]
    before, found, pace = session["undone"]
    assert before == 0 and found == session["found"] and pace == 1.0


def test_a_number_is_chosen_by_its_name_and_varies_in_its_range(session):
    assert session["varied"] == [["Clownfish", "mind.hunger"], ["Clownfish", "shoal.pace"]]
    assert session["range"] == [0.6, 1.8]
    now, taken = session["set"]
    assert now == taken and 0.6 <= taken <= 1.8


def test_a_run_that_is_ended_by_its_button_keeps_what_is_done(session):
    count, in_time = session["given_up"]
    assert count == 2 and in_time
    assert session.picture("panel")


def test_each_kind_of_wish_is_drawn(session):
    assert session["drawn"] == 5 * ["ARTFISH_PT_takes"]
    assert session.picture("wish_picture")
