"""The best moments of a recording have what happens in them."""

from dataclasses import replace

import numpy as np
import pytest

from artfish.core import Scene, World
from artfish.core.events import EVENT_KINDS, FISHLESS_KINDS
from artfish.core.studio.camera_work import filmed
from artfish.core.studio.film import FilmShot, Subject
from artfish.core.studio.moments import best_moments, edit, filled, fitted


@pytest.fixture(scope="module")
def recording():
    """Twelve seconds of hunters and hunted among rocks."""
    return World(Scene.load("preying"), seed=15).simulate(12 * 24)


def test_who_is_eaten_is_a_moment_and_none_overlap(recording):
    moments = best_moments(recording, 4, 2.0)
    eaten = [event["frame"] for event in recording.events if event["kind"] == "eaten"]
    assert eaten and eaten[0] in [moment.frame for moment in moments]
    assert (np.diff([moment.frame for moment in moments]) >= 2.0 * recording.fps).all()


def test_an_edit_can_be_filmed_and_changes_its_moves(recording):
    shots = edit(recording, "preying", 9, 5, 2.0)
    paths = [filmed(recording, shot) for shot in shots]
    assert len(shots) >= 3 and len({shot.move for shot in shots}) > 1
    assert all(path.frames[0] >= 0 and path.frames[-1] < recording.frames for path in paths)
    begins = [path.frames[0] for path in paths]
    assert begins == sorted(begins)


def test_an_edit_without_gaps_is_as_long_as_the_film(recording):
    shots = filled(recording, edit(recording, "preying", 9, 5, 2.0))
    paths = [filmed(recording, shot) for shot in shots]
    begins, ends = ([round(path.frames[end]) for path in paths] for end in (0, -1))
    assert begins[0] == 0 and ends[-1] == recording.frames - 1
    assert np.abs(np.array(begins[1:]) - ends[:-1] - 1).max() <= 1  # to rounding


@pytest.mark.parametrize(("start", "seconds"), [(-3.0, 2.0), (11.0, 2.0), (0.0, 50.0)])
def test_a_shot_is_moved_into_the_film(recording, start, seconds):
    shot = fitted(recording, FilmShot(scene="preying", start=start, seconds=seconds))
    path = filmed(recording, shot)
    assert len(path.frames) == min(round(seconds * recording.fps), recording.frames)
    assert path.frames[0] >= 0.0 and path.frames[-1] <= recording.frames - 1


def test_an_event_is_filmed_after_the_film_has_begun(recording):
    event = {"kind": "fright", "fish": -1, "other": 3, "frame": 10}
    early = replace(recording, events=[event])
    path = filmed(early, fitted(early, FilmShot(scene="preying", subject=Subject(event="fright"), start=-2.0)))
    assert path.frames[0] == pytest.approx(0.0, abs=1e-6)


def test_each_kind_of_event_is_a_moment(recording):
    """An edit can be made of anything that may happen."""
    events = [
        {"kind": kind, "fish": -1 if kind in FISHLESS_KINDS else 0, "other": 1, "frame": 100, "run": 1, "goal": "home"}
        for kind in EVENT_KINDS
    ]
    for event in events:
        assert best_moments(replace(recording, events=[event]), 3, 2.0)


def test_calm_fishes_are_worth_a_shot_where_nothing_happens():
    scene = Scene.from_dict({"fishes": [{"species": "clownfish", "at": [5.0, 4.0, 2.0]}], "duration": 6.0})
    moments = best_moments(World(scene).simulate(6 * 24), 3, 1.0)
    assert moments and {moment.kind for moment in moments} == {"calm"}
