"""The asset library in a real window: made beside Blender, shown in an Asset Browser, and dragged into the view."""

import pytest

OFF_PIXELS = 4.0
"""Most by which something may lie beside the mouse: the cursor that Blender snaps by is drawn a pixel off."""
COLLECTIONS = "Clownfish", "Sardine school of 24", "Coral patch 1", "Boulder 1", "Kelp 1", "Reef"


@pytest.fixture(scope="module")
def session(blender):
    """One session, whose results all tests read."""
    return blender("assets", size="1300x1000")


def test_it_is_made_beside_blender_and_shown(session):
    assert session["failed"] == "" and session["libraries"] == ["Artfish"]
    assert session["after"] == [], "the second click takes it out"


def test_what_is_dragged_in_lies_under_the_mouse(session):
    for name in (*COLLECTIONS, "Clownfish still"):
        (dropped,) = session["drops"][name]["new"].values()
        assert session["drops"][name]["off"][0] < OFF_PIXELS, name
        kind, place, size, shows = dropped
        assert (kind, shows) == (("MESH", None) if name == "Clownfish still" else ("EMPTY", name))
    still = next(iter(session["drops"]["Clownfish still"]["new"].values()))
    assert 0.06 < still[2][0] < 0.12, "a clownfish of some 8 cm"


def test_fishes_swim_above_the_ground_where_they_are_dropped(session):
    for name, length in (("Clownfish", 0.09), ("Sardine school of 24", 0.18)):
        (low, high, way), (_, _, later) = session[f"{name} moves"]
        assert 0.0 < low < 1.5 * length, "just above"
        assert low < high < 6 * length
        assert way != later, "and it swims"


def test_materials_worlds_and_nodes_are_worn_where_they_are_dropped(session):
    assert session["worlds"] == ["Sea", "Rust"]
    assert session["modifiers"] == ["Artfish crowd"]


def test_a_fish_made_real_is_a_rig(session):
    assert session["real"] == ["ARMATURE", "MESH"] and session["scripts"] == 0


def test_appended_fishes_are_the_file_s_own_and_poses_stay_out_of_sight(session):
    assert [each[:2] for each in sorted(session["appended"]["Sardine"])] == [["ARMATURE", False], ["MESH", False]]
    assert [each[:2] for each in session["appended"]["Sardine school of 24"]] == [["MESH", False]]
    for dropped in session["appended"].values():
        assert all(off < 60.0 for _, _, off in dropped), "above the place under the mouse"


def test_pictures(session):
    assert session.picture("clownfish") and session.picture("sardine_school_of_24") and session.picture("browser")
