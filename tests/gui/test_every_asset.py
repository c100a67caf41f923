"""Every asset of the whole library is dragged out of the browser in a real window, and lies where the mouse let go."""

import pytest

pytestmark = pytest.mark.long

OFF_PIXELS = 4.0
"""Most by which something may lie beside the mouse: the cursor that Blender snaps by is drawn a pixel off."""


@pytest.fixture(scope="module")
def session(blender):
    """One session, whose results all tests read."""
    return blender("every_asset", size="1300x1000", seconds=2400)


def test_the_library_is_whole(session):
    assert session["failed"] == "" and len(session["assets"]) > 60
    assert {kind for kind, _ in session["assets"]} == {"objects", "collections", "materials", "worlds", "node_groups"}


def test_every_asset_comes_in_where_it_is_dropped(session):
    assert [each[:2] for each in session["drops"]] == session["assets"]
    missed = [
        (kind, name, names, off)
        for kind, name, names, off in session["drops"]
        if name not in names or not 0.0 <= off < OFF_PIXELS
    ]
    assert missed == []
