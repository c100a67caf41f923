"""The best moments of a recording have what happens in them."""

import numpy as np
import pytest

from artfish.core import Scene, World
from artfish.core.studio.camera_work import filmed
from artfish.core.studio.moments import best_moments, edit


@pytest.fixture(scope="module")
def recording():
    """Twelve seconds of hunters and hunted among rocks."""
    return World(Scene.load("preying"), seed=3).simulate(12 * 24)


def test_who_is_eaten_is_a_moment_and_none_overlap(recording):
    moments = best_moments(recording, 4, 2.0)
    eaten = [event["frame"] for event in recording.events if event["kind"] == "eaten"]
    assert eaten and eaten[0] in [moment.frame for moment in moments]
    assert (np.diff([moment.frame for moment in moments]) >= 2.0 * recording.fps).all()


def test_an_edit_can_be_filmed_and_changes_its_moves(recording):
    shots = edit(recording, "preying", 3, 5, 2.0)
    paths = [filmed(recording, shot) for shot in shots]
    assert len(shots) >= 3 and len({shot.move for shot in shots}) > 1
    assert all(path.frames[0] >= 0 and path.frames[-1] < recording.frames for path in paths)
    begins = [path.frames[0] for path in paths]
    assert begins == sorted(begins)


def test_calm_fishes_are_worth_a_shot_where_nothing_happens():
    scene = Scene.from_dict({"fishes": [{"species": "clownfish", "at": [5.0, 4.0, 2.0]}], "duration": 6.0})
    moments = best_moments(World(scene).simulate(6 * 24), 3, 1.0)
    assert moments and {moment.kind for moment in moments} == {"calm"}
