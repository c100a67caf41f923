"""Subjects are found by what befalls them, alone, two together, or with all of their kind."""

import numpy as np
import pytest

from artfish.core import Scene, World
from artfish.core.base.codec import SceneError
from artfish.core.studio.camera_work import filmed
from artfish.core.studio.film import FilmShot, Subject
from artfish.core.studio.subjects import SubjectTrack, find


@pytest.fixture(scope="module")
def recording():
    """Twelve seconds of hunters and hunted."""
    return World(Scene.load("preying"), seed=10).simulate(12 * 24)


def rows_of(recording, species):
    return {row for row, name in enumerate(recording.species) if name == species}


def test_it_may_be_of_the_other_and_of_all_of_its_kind(recording):
    eaten = next(event for event in recording.events if event["kind"] == "eaten")
    hunter, prey = eaten["fish"], eaten["other"]
    assert find(recording, Subject(event="eaten")) == ((hunter,), eaten["frame"])
    assert find(recording, Subject(event="eaten", other=True)) == ((prey,), eaten["frame"])
    assert find(recording, Subject(event="eaten", other=True, pair=True)) == ((prey, hunter), eaten["frame"])
    rows, moment = find(recording, Subject(event="eaten", other=True, group=True))
    assert rows[0] == prey and set(rows) == rows_of(recording, "striped_cardinalfish") and moment == eaten["frame"]


def test_the_stage_of_a_courtship_is_an_event(recording):
    with pytest.raises(SceneError, match="circling number 0"):
        find(recording, Subject(stage="circling"))


def test_most_of_a_group_is_in_the_picture(recording):
    subject = Subject(species="striped_cardinalfish", group=True)
    path = filmed(recording, FilmShot(scene="preying", subject=subject, start=6.0, seconds=3.0, move="dolly", size=0.7))
    track = SubjectTrack(recording, path.rows, path.frames)
    x, y, depth = path.picture(track.centre)
    there = recording.alive[path.frames.astype(int)][:, list(path.rows)]
    assert ((np.abs(x) < 0.5) & (np.abs(y) < 0.5 * 9 / 16) & (depth > 0.0))[there].mean() > 0.75


def test_the_background_is_behind_the_subject(recording):
    behind = Subject(species="butterflyfish")
    shot = {
        "scene": "preying",
        "subject": Subject(species="peacock_grouper"),
        "start": 1.0,
        "seconds": 2.0,
        "move": "locked",
    }
    off = []
    for background in (None, behind):
        path = filmed(recording, FilmShot(**shot, background=background))
        x, _, depth = path.picture(SubjectTrack(recording, find(recording, behind)[0], path.frames).middle)
        off.append(np.where(depth > 0.0, np.abs(x), 9.0).mean())
    assert off[1] < min(0.5, off[0])
