"""The Cinematographer in the window: baked fishes are filmed by clicks, cut by playing, and undone."""

import pytest


@pytest.fixture(scope="module")
def session(blender):
    """One session, whose results all tests read."""
    return blender("cinematographer", size="900x1500", seconds=900)


def test_the_panel_says_what_is_missing_and_then_what_there_is(session):
    assert session.picture("nothing_baked") and session.picture("cinematographer") and session.picture("looking")
    assert sorted(set(session["panels"])) == [
        "ARTFISH_PT_cinematographer",
        "ARTFISH_PT_cinematographer_events",
        "ARTFISH_PT_cinematographer_shots",
    ]


def test_a_click_films_the_fish_and_another_an_event(session):
    (fish,), cuts = session["fish"]
    assert fish.startswith("Shot 01 Follow")
    assert cuts == [[1, session["stage"]], [20, fish], [68, session["stage"]]]
    both, _ = session["event"]
    assert both[0] == fish and both[1].startswith("Shot 02 Follow") and both[1].endswith("fed")


def test_shots_are_removed_and_undo_takes_each_step_back(session):
    assert session["left"] == [[], []]
    assert session["undone"] == [[], [], session["stage"]]


def test_playing_the_timeline_cuts_as_the_markers_say(session):
    cameras, cuts = session["edit"]
    assert len(cameras) >= 2
    for frame, camera in session["played"]:
        assert camera == [name for at, name in cuts if at <= frame][-1]
    assert len({camera for _, camera in session["played"]}) >= 2
