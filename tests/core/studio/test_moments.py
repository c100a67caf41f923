"""Shots of what happens in a recording lie in it, and begin when their subject is there."""

from dataclasses import replace

import pytest

from artfish.core import Scene, World
from artfish.core.studio.camera_work import filmed
from artfish.core.studio.film import FilmShot, Subject
from artfish.core.studio.moments import fitted, moments_of


@pytest.fixture(scope="module")
def recording():
    """Twelve seconds of hunters and hunted among rocks."""
    return World(Scene.load("preying"), seed=10).simulate(12 * 24)


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


def test_a_shot_waits_for_its_subject(recording):
    alive = recording.alive.copy()
    alive[:100, 3] = False
    late = replace(recording, alive=alive)
    path = filmed(late, fitted(late, FilmShot(scene="preying", subject=Subject(fish=3), start=1.0, seconds=2.0)))
    assert path.frames[0] == pytest.approx(100.0, abs=1e-6) and len(path.frames) == 48
    path = filmed(late, fitted(late, FilmShot(scene="preying", subject=Subject(fish=3), start=0.0, seconds=11.0)))
    assert (path.frames[0], path.frames[-1]) == pytest.approx((100.0, recording.frames - 1), abs=1e-6)


def test_many_that_begin_to_flee_are_a_moment(recording):
    found = moments_of(recording)
    flights = [moment for moment in found if moment.kind == "flight"]
    assert flights
    for moment in flights:
        assert recording.fear[int(moment.frame), moment.row] == recording.fear[int(moment.frame)].max()
    assert [moment.frame for moment in found] == sorted(moment.frame for moment in found)
